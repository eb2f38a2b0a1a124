/**
 * Tapes on disk: recorded rows that were read once, as an Arrow file that any reader opens.
 *
 * The metadata tells where the rows come from: the SHA-256 of the source, its format and symbol, and
 * what only the reader of the whole source knows, which stands in the footer. A batch of the file is a
 * batch of the reader, so that a tape and its source give equal batches. Source: DESIGN 7.
 */
import { renameSync, rmSync } from 'node:fs'
import { assert, ok, type Result } from '../../core/index.ts'
import { type FeedBatch, type FeedTotals, type TextFormat, textFormats } from '../../feeds/index.ts'
import { type MarketKind, marketKinds } from '../../model/index.ts'
import { loadArrowEncoder } from '../../results/index.ts'
import { createAppendFile } from '../append-file.ts'
import { openArrowReader } from '../arrow-file.ts'
import { badInput, type FeedFault, ioFault, isSystemError } from './feed-fault.ts'
import type { TapeBatches } from './tape-reader.ts'

/** Where the rows of a tape come from. */
export interface TapeSource {
  readonly sha256: string
  readonly format: TextFormat
  readonly kind: MarketKind
  /** Null where no column of the source tells it. */
  readonly symbol: string | null
}

/** A tape that is being written. */
export interface TapeWriter {
  add(batch: FeedBatch): void
  /** Writes the footer; then the file takes its name. */
  close(symbol: string | null, totals: FeedTotals): void
  /** Removes what was written. */
  discard(): void
}

/** A tape that is being read. */
export interface TapeFile {
  readonly source: TapeSource
  readonly totals: FeedTotals
  next(): Promise<Result<FeedBatch | null, FeedFault>>
  close(): Promise<void>
}

const VERSION = '2'
/** Tapes of an index had no marks before version 2; all others are as they were. */
const EARLIER_VERSION = '1'
const key = {
  version: 'pitclock.tape',
  sha256: 'pitclock.source_sha256',
  format: 'pitclock.source_format',
  kind: 'pitclock.kind',
  symbol: 'pitclock.symbol',
  records: 'pitclock.source_rows',
  otherSymbols: 'pitclock.other_symbol_rows',
  firstOtherSymbol: 'pitclock.first_other_symbol_row',
} as const

/** Begins a tape at `path`, under a temporary name; errors of the operating system are thrown. */
export async function createTape(
  path: string,
  source: Omit<TapeSource, 'symbol'>,
): Promise<TapeWriter> {
  const { createFileWriter } = await loadArrowEncoder()
  const { batchEncoder, emptyBatch, tapeSchema } = await import('./tape-columns.ts')
  const partialPath = `${path}.partial`
  const file = createAppendFile(partialPath, 'replace')
  const writer = createFileWriter(file.write)
  const schema = tapeSchema(
    new Map([
      [key.version, VERSION],
      [key.sha256, source.sha256],
      [key.format, source.format],
      [key.kind, source.kind],
    ]),
  )
  const encode = batchEncoder(schema)
  let hasBatch = false
  let isOpen = true
  const closeFile = (): void => {
    if (!isOpen) return
    isOpen = false
    file.close()
  }
  const add = (batch: FeedBatch): void => {
    assert(batch.kind === source.kind, 'a tape holds rows of one kind')
    writer.write(encode(batch))
    hasBatch = true
  }
  return {
    add,
    close: (symbol, totals) => {
      // A file has its schema with its first batch.
      if (!hasBatch) add(emptyBatch(source.kind))
      const closing = [
        [key.records, String(totals.records)],
        [key.otherSymbols, String(totals.otherSymbols)],
        [key.firstOtherSymbol, String(totals.firstOtherSymbol ?? '')],
      ] as const
      const named = symbol === null ? [] : [[key.symbol, symbol] as const]
      writer.close(new Map([...named, ...closing]))
      closeFile()
      renameSync(partialPath, path)
    },
    discard: () => {
      try {
        closeFile()
      } finally {
        rmSync(partialPath, { force: true })
      }
    },
  }
}

/** Opens a tape, or says why it is none. */
export async function openTape(path: string): Promise<Result<TapeFile, FeedFault>> {
  const opened = await openArrowReader(path)
  if (!opened.ok) return badInput({ ...opened.error, expected: 'a complete tape' })
  const { reader, handle, close } = opened.value
  const { formOf, tapeForm } = await import('./tape-columns.ts')
  const { readTapeBatches } = await import('./tape-reader.ts')
  const { metadata } = reader.schema
  const refuse = async (found: string): Promise<Result<never, FeedFault>> => {
    await close()
    return badInput({ file: path, expected: `a tape of version ${VERSION}`, found })
  }
  const version = metadata.get(key.version)
  if (version === undefined) return refuse('an Arrow file that is no tape')
  const isEarlier = version === EARLIER_VERSION
  if (version !== VERSION && !isEarlier) return refuse(`a tape of version ${version}`)
  const form = formOf(reader.schema)
  if (form !== tapeForm) return refuse(`the columns ${form}`)
  const source = sourceOf(metadata)
  const totals = totalsOf(metadata)
  if (source === null || totals === null) return refuse('a tape that does not tell its source')
  if (isEarlier && source.kind === 'index') return refuse('an index of version 1, without marks')
  // Its memory is let go at the end of the tape, while others of the run are still to come.
  let batches: TapeBatches | null = readTapeBatches(handle, source.kind)
  return ok({
    source,
    totals,
    close,
    next: async () => {
      try {
        const batch = batches === null ? null : await batches.next()
        if (batch === null) batches = null
        return ok(batch)
      } catch (error) {
        if (isSystemError(error)) return ioFault(path, error)
        // The frame is whole but the insides are not: apache-arrow throws whatever it stumbles over.
        const found = 'a file whose insides are damaged'
        return badInput({ file: path, expected: 'a complete tape', found })
      }
    },
  })
}

function sourceOf(metadata: ReadonlyMap<string, string>): TapeSource | null {
  const sha256 = metadata.get(key.sha256) ?? ''
  const format = textFormats.find((name) => name === metadata.get(key.format))
  const kind = marketKinds.find((name) => name === metadata.get(key.kind))
  if (!/^[0-9a-f]{64}$/.test(sha256) || format === undefined || kind === undefined) return null
  return { sha256, format, kind, symbol: metadata.get(key.symbol) ?? null }
}

function totalsOf(metadata: ReadonlyMap<string, string>): FeedTotals | null {
  const records = numberOf(metadata.get(key.records))
  const otherSymbols = numberOf(metadata.get(key.otherSymbols))
  if (records === null || otherSymbols === null) return null
  return { records, otherSymbols, firstOtherSymbol: numberOf(metadata.get(key.firstOtherSymbol)) }
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : null
}
