/**
 * A file of JSON lines, or stdout. If the reader of stdout closes it (`pitclock … | head`), the remaining lines are
 * dropped.
 */
import { writeSync } from 'node:fs'
import { openWholeFile } from '../whole-file.ts'

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

const BUFFER_LINES = 512
const STDOUT = 1

/** Opens a file that replaces an existing one when it is complete; `-` is stdout. */
export function openLineFile(path: string): LineFile {
  const file = path === '-' ? null : openWholeFile(path, 'lines of JSON')
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
