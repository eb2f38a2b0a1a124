/** Reads the text of a scenario or a journal from a regular file or stdin. */
import { createReadStream, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import { isSystemError, systemWords } from '../system-words.ts'
import { type RunFault, runFault } from './run-fault.ts'

/** A text and its origin. */
export interface RunText {
  readonly text: string
  /** Its name, for messages. */
  readonly file: string
  /** The folder from which relative paths in it start. */
  readonly folder: string
  readonly isJournal: boolean
  /** Values of a scenario that are set from outside, as `key=value`. */
  readonly set: readonly string[]
}

/** Slightly less than the longest text that the platform supports. */
const TEXT_BYTES_MAX = 500_000_000
const JOURNAL_BEGINNING = '{"pitclock_journal"'

/** The text of a file; `-` is stdin. The first characters of stdin show whether it is a journal. */
export async function readRunText(file: string, set: readonly string[] = []): Promise<Result<RunText, RunFault>> {
  const name = file === '-' ? 'stdin' : file
  try {
    if (file !== '-') {
      const found = statSync(file)
      const special = found.isDirectory() ? 'a folder' : 'a device or a pipe'
      if (!found.isFile()) {
        return refused({
          file,
          found: special,
          expected: 'a file',
          hint: 'use - to read from stdin',
        })
      }
    }
    const text = await textOf(file === '-' ? process.stdin : createReadStream(file))
    if (text === null) {
      return refused({ file: name, expected: `at most ${TEXT_BYTES_MAX} bytes`, found: 'more' })
    }
    const isJournal = file === '-' ? text.startsWith(JOURNAL_BEGINNING) : file.endsWith('.jsonl')
    if (isJournal && set.length > 0) {
      const expected = 'a scenario, because values are set'
      return refused({ file: name, expected, found: 'a journal' }, 'input')
    }
    return ok({ text, file: name, folder: file === '-' ? '.' : dirname(file), isJournal, set })
  } catch (error) {
    if (!isSystemError(error)) throw error
    return refused({ file: name, expected: 'a readable file', found: systemWords(error) })
  }
}

function refused(fault: Omit<InputError, 'code'>, kind: RunFault['kind'] = 'io'): Result<never, RunFault> {
  return err(runFault(kind, { code: kind === 'io' ? 'FILE' : 'VALUE', ...fault }))
}

/** The whole text of a stream, or null if it is too long. */
async function textOf(stream: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes > TEXT_BYTES_MAX) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
