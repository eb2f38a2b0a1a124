/**
 * Journals on disk: one JSON object a line, UTF-8, lines ended by a newline.
 *
 * What a line means is not known here. A reader needs the memory of one line and one piece of the
 * file. A last line without its newline is taken where it is complete: an object that was cut off
 * is never valid JSON. Blank lines are passed over.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { err, type InputError, ok, type Result } from '../core/index.ts'
import { createAppendFile } from './append-file.ts'

/** A JSON object as it was read. */
export type JsonObject = Readonly<Record<string, unknown>>

/** One line of a journal. */
export interface JournalLine {
  /** Number of the line in the file, from 1. */
  readonly line: number
  readonly text: string
  readonly value: JsonObject
}

/** Writes a journal. */
export interface JournalWriter {
  readonly size: number
  write(value: JsonObject): void
  close(): void
}

const PIECE_BYTES = 65_536
const NEWLINE = 0x0a
/** Longer lines are refused; a request has a few hundred bytes. */
const LINE_BYTES_MAX = 16_777_216
const FOUND_LENGTH_MAX = 60

/** Creates a journal, which must not exist yet. */
export function createJournal(path: string): JournalWriter {
  const file = createAppendFile(path)
  return {
    get size(): number {
      return file.size
    },
    write: (value) => {
      file.write(Buffer.from(`${JSON.stringify(value)}\n`))
    },
    close: () => {
      file.close()
    },
  }
}

/** The lines of a journal in order, each as a line or as what is wrong with it. */
export function* readJournal(path: string): Generator<Result<JournalLine, InputError>> {
  let line = 0
  for (const bytes of readLines(path)) {
    line += 1
    if (!bytes.ok) {
      yield err({ ...bytes.error, file: path, ...(bytes.error.atLine ? { line } : {}) })
      return
    }
    const parsed = parseLine(bytes.value.bytes, bytes.value.isEnded)
    if (parsed === null) continue
    if (parsed.ok) yield ok({ line, ...parsed.value })
    else yield err({ file: path, line, ...parsed.error })
  }
}

interface LineBytes {
  readonly bytes: Uint8Array
  /** Whether a newline follows it. */
  readonly isEnded: boolean
}

interface ReadFault {
  readonly found: string
  readonly expected: string
  readonly atLine: boolean
}

function* readLines(path: string): Generator<Result<LineBytes, ReadFault>> {
  let descriptor: number
  try {
    descriptor = openSync(path, 'r')
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    yield err({ found, expected: 'a journal that can be read', atLine: false })
    return
  }
  try {
    const piece = new Uint8Array(PIECE_BYTES)
    let rest: Uint8Array[] = []
    let restLength = 0
    for (;;) {
      const length = readSync(descriptor, piece)
      if (length === 0) break
      let from = 0
      for (;;) {
        const end = piece.subarray(0, length).indexOf(NEWLINE, from)
        if (end < 0) break
        yield ok({ bytes: Buffer.concat([...rest, piece.subarray(from, end)]), isEnded: true })
        rest = []
        restLength = 0
        from = end + 1
      }
      rest.push(piece.slice(from, length))
      restLength += length - from
      if (restLength > LINE_BYTES_MAX) {
        const expected = `a line of at most ${LINE_BYTES_MAX} bytes`
        yield err({ found: 'a longer line', expected, atLine: true })
        return
      }
    }
    if (restLength > 0) yield ok({ bytes: Buffer.concat(rest), isEnded: false })
  } finally {
    closeSync(descriptor)
  }
}

/** The object of a line, what is wrong with it, or null for a blank line. */
function parseLine(
  bytes: Uint8Array,
  isEnded: boolean,
): Result<{ readonly text: string; readonly value: JsonObject }, InputError> | null {
  const expected = 'a JSON object on one line'
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (text.trim() === '') return null
    value = JSON.parse(text)
  } catch {
    if (!isEnded) return err({ found: 'a last line that is cut off', expected })
    return err({ found: shortened(Buffer.from(bytes).toString()), expected })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return err({ found: shortened(text), expected })
  }
  // An object that JSON.parse gives has text keys.
  return ok({ text, value: value as JsonObject })
}

function shortened(text: string): string {
  return text.length <= FOUND_LENGTH_MAX ? text : `${text.slice(0, FOUND_LENGTH_MAX)}…`
}
