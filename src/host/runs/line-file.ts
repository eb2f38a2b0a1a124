/**
 * A file of JSON lines, or stdout. If the reader of stdout closes it (`pitclock … | head`), the remaining lines are
 * dropped.
 */

import { existsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AppendFile, createAppendFile } from '../append-file.ts'
import { openFilePlace } from '../output-place.ts'

/** Writes each object as a line. */
export interface LineFile {
  /** True if the reader has closed stdout. */
  readonly isUnread: boolean
  write(value: object): void
  close(): void
  /** Closes the file of a failed run and returns the path of the partial file, whose lines may explain the failure. */
  leave(): string
  /** Closes and removes the file of a failed run. */
  abandon(): void
}

/** A file that gets its final path when it is complete. */
interface AtomicFile extends AppendFile {
  /** Closes the file with the bytes written so far, keeps it under its partial name, and returns that path. */
  leave(): string
}

const BUFFER_LINES = 512

const STDOUT = 1

/** Opens a file that replaces an existing one when it is complete; `-` is stdout. */
export function openLineFile(path: string): LineFile {
  const file = path === '-' ? null : openAtomicFile(path, 'lines of JSON')
  let lines: string[] = []
  let isUnread = false
  const flush = (): void => {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    if (file === null) isUnread ||= !writeWhole(bytes)
    else file.write(bytes)
    lines = []
  }
  return {
    get isUnread(): boolean {
      return isUnread
    },
    write(value): void {
      lines.push(`${JSON.stringify(value)}\n`)
      if (lines.length >= BUFFER_LINES) flush()
    },
    close(): void {
      flush()
      file?.close()
    },
    leave(): string {
      flush()
      return file?.leave() ?? path
    },
    abandon(): void {
      lines = []
      file?.abandon()
    },
  }
}

/** Writes to stdout; returns false if its reader has closed it. */
function writeWhole(bytes: Uint8Array): boolean {
  let from = 0
  while (from < bytes.length) {
    try {
      from += writeSync(STDOUT, bytes, from)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return false
      // A pipe may take fewer bytes than it is given, and reports EAGAIN while its reader is slow.
      if (code !== 'EAGAIN') throw Object.assign(error as Error, { path: 'stdout' })
    }
  }
  return true
}

/**
 * A file that a run writes while it continues. The file gets its final path only when it is complete, so a failed run
 * leaves the earlier file there. Devices and pipes are written directly.
 */

/** Opens the file; `content` describes it in messages. */
export function openAtomicFile(path: string, content: string): AtomicFile {
  const place = existsSync(dirname(path)) ? openFilePlace(path, true, content) : null
  // If no file can be created there, opening it reports the reason.
  const aside = place?.ok === true ? place.value : null
  const asidePath = aside?.partialPath ?? path
  const file = createAppendFile(asidePath, 'replace')
  let isLeft = false
  return {
    get size(): number {
      return file.size
    },
    write: file.write,
    flush: file.flush,
    mark: file.mark,
    close: () => {
      const hash = file.close()
      aside?.take()
      return hash
    },
    leave: () => {
      isLeft = true
      file.flush()
      file.abandon()
      return asidePath
    },
    abandon: () => {
      file.abandon()
      if (!isLeft) aside?.discard()
    },
  }
}
