/** Converts a recorded file into a tape, which replays several times as fast. */
import { statSync } from 'node:fs'
import { err, ok, type Result } from '../../core/index.ts'
import { type OutputPlace, openFilePlace, untilExit } from '../output-place.ts'
import { badInput, type FeedFault, ioFault } from './feed-fault.ts'
import { type FeedFile, type FeedFileOptions, openFeedFile } from './feed-file.ts'
import { createTape, type TapeWriter } from './tape-file.ts'

/** Options of a conversion. */
export interface ConvertOptions extends FeedFileOptions {
  /** True to replace a file at the path of the tape. */
  readonly force: boolean
}

/** Report of a conversion. */
export interface ConvertReport {
  readonly input: string
  readonly output: string
  readonly format: string
  readonly kind: string
  readonly symbol: string | null
  readonly source_sha256: string
  /** Rows on the tape. */
  readonly rows: number
  /** Rows of other symbols, which were skipped. */
  readonly other_symbol_rows: number
}

/** Writes the tape of a recorded file (`-` for stdin). An incomplete tape is removed. */
export async function convertFeed(
  input: string,
  output: string,
  options: ConvertOptions,
): Promise<Result<ConvertReport, FeedFault>> {
  if (isSameFile(input, output)) {
    const error = {
      code: 'FILE' as const,
      file: output,
      expected: 'a path other than the recorded file',
      found: 'that file',
    }
    return err({ kind: 'io', error })
  }
  let place: OutputPlace | null = null
  try {
    const opened = openFilePlace(output, options.force, 'a new tape')
    if (!opened.ok) return err({ kind: 'io', error: opened.error })
    place = untilExit(opened.value)
    const written = await writeFeed(input, place.partialPath, options)
    if (!written.ok) return written
    const taken = place.take()
    // The tape is complete: `finally` must not remove it.
    place = null
    return taken === null ? ok({ ...written.value, output }) : err({ kind: 'io', error: taken })
  } catch (error) {
    return ioFault(output, error, 'a writable path')
  } finally {
    place?.discard()
  }
}

/** True if two paths lead to one file. */
export function isSameFile(left: string, right: string): boolean {
  const [one, other] = [left, right].map((path) => statSync(path, { throwIfNoEntry: false }))
  return one !== undefined && other !== undefined && other.dev === one.dev && other.ino === one.ino
}

async function writeFeed(
  input: string,
  output: string,
  options: ConvertOptions,
): Promise<Result<ConvertReport, FeedFault>> {
  const opened = await openFeedFile(input, options)
  if (!opened.ok) return opened
  const file = opened.value
  try {
    if (file.coding === 'arrow') {
      return badInput({ code: 'VALUE', file: input, expected: 'recorded text', found: 'a tape' })
    }
    return await writeTape(file, output)
  } finally {
    await file.close()
  }
}

async function writeTape(file: FeedFile, output: string): Promise<Result<ConvertReport, FeedFault>> {
  const tape = await createTape(output, file)
  let isComplete = false
  try {
    const rows = await copyBatches(file, tape)
    if (!rows.ok) return rows
    tape.close(file.symbol, file.totals)
    isComplete = true
    return ok({
      input: file.path,
      output,
      format: file.format,
      kind: file.kind,
      symbol: file.symbol,
      source_sha256: file.sha256,
      rows: rows.value,
      other_symbol_rows: file.totals.otherSymbols,
    })
  } finally {
    if (!isComplete) tape.abandon()
  }
}

async function copyBatches(file: FeedFile, tape: TapeWriter): Promise<Result<number, FeedFault>> {
  let rows = 0
  for (;;) {
    const batch = await file.next()
    if (!batch.ok) return batch
    if (batch.value === null) return ok(rows)
    tape.add(batch.value)
    rows += batch.value.rows
  }
}
