/**
 * Converting a recorded file into a tape, which replays several times as fast.
 */
import { existsSync, statSync } from 'node:fs'
import { ok, type Result } from '../../core/index.ts'
import { badInput, type FeedFault, ioFault } from './feed-fault.ts'
import { type FeedFile, type FeedFileOptions, openFeedFile } from './feed-file.ts'
import { createTape, type TapeWriter } from './tape-file.ts'

/** How a file is converted. */
export interface ConvertOptions extends FeedFileOptions {
  /** Whether a file at the place of the tape is replaced. */
  readonly force: boolean
}

/** What a conversion came to. */
export interface ConvertReport {
  readonly input: string
  readonly output: string
  readonly format: string
  readonly kind: string
  readonly symbol: string | null
  readonly source_sha256: string
  /** Rows on the tape. */
  readonly rows: number
  /** Rows of other symbols, which were passed over. */
  readonly other_symbol_rows: number
}

/** Writes the tape of a recorded file; a tape that is not complete is removed. */
export async function convertFeed(
  input: string,
  output: string,
  options: ConvertOptions,
): Promise<Result<ConvertReport, FeedFault>> {
  if (existsSync(output) && !options.force) {
    const error = { file: output, expected: 'a place for a new tape', found: 'a file' }
    return { ok: false, error: { kind: 'io', error: { ...error, hint: 'force replaces it' } } }
  }
  const opened = await openFeedFile(input, options)
  if (!opened.ok) return opened
  if (isSameFile(input, output)) {
    await opened.value.close()
    const error = { file: output, expected: 'a place beside the recorded file', found: 'that file' }
    return { ok: false, error: { kind: 'io', error } }
  }
  const file = opened.value
  try {
    if (file.coding === 'arrow') {
      return badInput({ file: input, expected: 'recorded text', found: 'a tape' })
    }
    return await writeTape(file, output)
  } catch (error) {
    return ioFault(output, error, 'a place that can be written')
  } finally {
    await file.close()
  }
}

/** Whether two paths, the first of which leads to a file, lead to one. */
function isSameFile(left: string, right: string): boolean {
  const other = statSync(right, { throwIfNoEntry: false })
  const one = statSync(left)
  return other !== undefined && other.dev === one.dev && other.ino === one.ino
}

async function writeTape(
  file: FeedFile,
  output: string,
): Promise<Result<ConvertReport, FeedFault>> {
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
    if (!isComplete) tape.discard()
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
