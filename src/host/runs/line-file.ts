/**
 * A file of JSON lines, or stdout. A reader of stdout may go (`pitclock … | head`); the remaining lines are
 * dropped then.
 */
import { writeSync } from 'node:fs'
import { openWholeFile } from '../whole-file.ts'

/** Takes objects, one a line. */
export interface LineFile {
  /** True if the reader of stdout has gone. */
  readonly isUnread: boolean
  write(value: object): void
  close(): void
  /** Closes the file of a run that failed; returns the path of the partial file, whose lines may explain it. */
  leave(): string
  /** Closes and removes the file of a run that failed. */
  abandon(): void
}

const BUFFER_LINES = 512
const STDOUT = 1

/** Opens a file that replaces an existing one when it is whole; `-` is stdout. */
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

/** Writes to stdout; false where its reader has gone. */
function writeWhole(bytes: Uint8Array): boolean {
  let from = 0
  while (from < bytes.length) {
    try {
      from += writeSync(STDOUT, bytes, from)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return false
      // A pipe may take less than it is given, and says EAGAIN while its reader is slow.
      if (code !== 'EAGAIN') throw Object.assign(error as Error, { path: 'stdout' })
    }
  }
  return true
}
