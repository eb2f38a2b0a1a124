/**
 * A file of JSON lines, or stdout. A reader of stdout may go (`pitclock … | head`); what is left to write is
 * dropped then.
 */
import { writeSync } from 'node:fs'
import { createAppendFile } from '../append-file.ts'

/** Takes objects, one a line. */
export interface LineFile {
  /** True if the reader of stdout has gone. */
  readonly isUnread: boolean
  write(value: object): void
  close(): void
  /** Closes a file of a run that failed; what is still to be written is left out. */
  abandon(): void
}

const BUFFER_LINES = 512
const STDOUT = 1

/** Opens a file that is replaced if it exists; `-` is stdout. */
export function openLineFile(path: string): LineFile {
  const file = path === '-' ? null : createAppendFile(path, 'replace')
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
