/**
 * A file of JSON lines, or stdout.
 */
import { writeSync } from 'node:fs'
import { createAppendFile } from '../append-file.ts'

/** Takes objects, one a line. */
export interface LineFile {
  write(value: object): void
  close(): void
}

const BUFFER_LINES = 512
const STDOUT = 1

/** Opens a file that is replaced if it exists; `-` is stdout. */
export function openLineFile(path: string): LineFile {
  const file = path === '-' ? null : createAppendFile(path, 'replace')
  let lines: string[] = []
  const flush = (): void => {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    if (file === null) writeWhole(bytes)
    else file.write(bytes)
    lines = []
  }
  return {
    write(value): void {
      lines.push(`${JSON.stringify(value)}\n`)
      if (lines.length >= BUFFER_LINES) flush()
    },
    close(): void {
      flush()
      file?.close()
    },
  }
}

/** A pipe may take less than it is given, and says EAGAIN while its reader is slow. */
function writeWhole(bytes: Uint8Array): void {
  let from = 0
  while (from < bytes.length) {
    try {
      from += writeSync(STDOUT, bytes, from)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    }
  }
}
