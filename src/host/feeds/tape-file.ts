/**
 * Tapes on disk: recorded rows as an Arrow file that any reader opens.
 *
 * The metadata describes the source: its SHA-256, format and symbol. The footer holds facts that are known only after
 * the whole source was read. A batch of the file is a batch of the reader, so that a tape and its source give equal
 * batches. Source: DESIGN 7.
 */
import { open } from 'node:fs/promises'
import { assert, type InputError, ok, type Result } from '../../core/index.ts'
import { type FeedBatch, type FeedTotals, idScopes, type TextFormat, textFormats } from '../../feeds/index.ts'
import { type MarketKind, marketKinds } from '../../model/index.ts'
import { loadArrowEncoder } from '../../results/index.ts'
import { createAppendFile } from '../append-file.ts'
import { openArrowReader } from '../arrow-file.ts'
import { badInput, type FeedFault, ioFault } from './feed-fault.ts'
import type { TapeBatches } from './tape-reader.ts'
import { createTapeSealer, readTapeSeal, type SealedBatch } from './tape-seal.ts'

/** The source of a tape's rows. */
interface TapeSource {
  readonly sha256: string
  readonly format: TextFormat
  readonly kind: MarketKind
  /** Null if no column of the source contains it. */
  readonly symbol: string | null
}

/** A tape that is being written. */
export interface TapeWriter {
  add(batch: FeedBatch): void
  /** Writes the footer and closes the file. */
  close(symbol: string | null, totals: FeedTotals): void
  /** Closes a file that failed. */
  abandon(): void
}

/** A tape that is being read. */
export interface TapeFile {
  readonly source: TapeSource
  readonly totals: FeedTotals
  next(): Promise<Result<FeedBatch | null, FeedFault>>
  close(): Promise<void>
}

/** Tapes before version 3 had no checksums; tapes before version 4 had no numbers of messages and trades. */
const VERSION = '4'
/** Size of the beginning of a tape that contains its schema. */
const SCHEMA_BYTES = 65_536
const key = {
  version: 'pitclock.tape',
  sha256: 'pitclock.source_sha256',
  format: 'pitclock.source_format',
  kind: 'pitclock.kind',
  symbol: 'pitclock.symbol',
  idScope: 'pitclock.id_scope',
  records: 'pitclock.source_rows',
  otherSymbols: 'pitclock.other_symbol_rows',
  firstOtherSymbol: 'pitclock.first_other_symbol_row',
  /** Present only if the last line of the source may be incomplete. */
  cutRecord: 'pitclock.cut_row',
} as const

/** Begins a tape and replaces any file at `path`. Throws errors of the operating system. */
export async function createTape(path: string, source: Omit<TapeSource, 'symbol'>): Promise<TapeWriter> {
  const { createFileWriter } = await loadArrowEncoder()
  const { batchEncoder, emptyBatch, tapeSchema } = await import('./tape-columns.ts')
  const file = createAppendFile(path, 'replace')
  const sealer = createTapeSealer(file.write)
  const writer = createFileWriter(sealer.write)
  const metadata = [
    [key.version, VERSION],
    [key.sha256, source.sha256],
    [key.format, source.format],
    [key.kind, source.kind],
  ] as const
  let encode: ReturnType<typeof batchEncoder> | null = null
  const add = (batch: FeedBatch): void => {
    assert(batch.kind === source.kind, 'a tape holds rows of one kind')
    const scope = batch.ids === null ? [] : [[key.idScope, batch.ids.scope] as const]
    encode ??= batchEncoder(tapeSchema(new Map([...metadata, ...scope]), batch.ids !== null))
    writer.write(encode(batch))
    sealer.endBatch()
  }
  return {
    add,
    close: (symbol, totals) => {
      // The schema is written with the first batch, so even an empty tape needs one.
      if (encode === null) add(emptyBatch(source.kind))
      const closing = [
        [key.records, String(totals.records)],
        [key.otherSymbols, String(totals.otherSymbols)],
        [key.firstOtherSymbol, String(totals.firstOtherSymbol ?? '')],
      ] as const
      const named = symbol === null ? [] : [[key.symbol, symbol] as const]
      const cut = totals.cutRecord === undefined ? [] : [[key.cutRecord, String(totals.cutRecord)] as const]
      sealer.beginFooter()
      writer.close(new Map([...named, ...closing, ...cut]))
      sealer.finish()
      file.close()
    },
    abandon: file.abandon,
  }
}

/** Opens a tape, or returns the mistake in it. Nothing is decoded before the seal is verified. */
export async function openTape(path: string): Promise<Result<TapeFile, FeedFault>> {
  const sealed = await sealOf(path)
  if (!sealed.ok) return sealed
  const opened = await openArrowReader(path, 'sealed')
  if (!opened.ok) return badInput({ ...opened.error, expected: 'a complete tape' })
  const { reader, handle, close } = opened.value
  const { formOf, tapeForm } = await import('./tape-columns.ts')
  const { readTapeBatches } = await import('./tape-reader.ts')
  const { metadata } = reader.schema
  const refuse = async (found: string): Promise<Result<never, FeedFault>> => {
    await close()
    return badInput({ ...tapeFault(path, found), expected: `a tape of version ${VERSION}` })
  }
  const version = metadata.get(key.version)
  if (version === undefined) return refuse('an Arrow file that is not a tape')
  if (version !== VERSION) return refuse(`a tape of version ${version}`)
  const form = formOf(reader.schema)
  const idScope = idScopes.find((scope) => scope === metadata.get(key.idScope)) ?? null
  if (form !== tapeForm(idScope !== null)) return refuse(`the columns ${form}`)
  const source = sourceOf(metadata)
  const totals = totalsOf(metadata)
  if (source === null || totals === null) return refuse('a tape without its source')
  // The memory of this tape is released at its end, because other tapes of the run may follow.
  let batches: TapeBatches | null = readTapeBatches(handle, { kind: source.kind, idScope }, sealed.value)
  return ok({
    source,
    totals,
    close,
    next: async () => {
      try {
        const batch = batches === null ? ok(null) : await batches.next()
        if (!batch.ok) return badInput({ ...tapeFault(path, batch.error.found), ...batch.error })
        if (batch.value === null) batches = null
        return batch
      } catch (error) {
        return ioFault(path, error)
      }
    },
  })
}

/** The positions of a tape's batches, or the fault if its bytes have changed. */
async function sealOf(path: string): Promise<Result<readonly SealedBatch[], FeedFault>> {
  try {
    const handle = await open(path, 'r')
    try {
      const sealed = await readTapeSeal(handle)
      if (sealed.ok) return sealed
      // The schema at the beginning identifies a tape, even if the rest is damaged.
      const head = Buffer.alloc(SCHEMA_BYTES)
      const { bytesRead } = await handle.read(head, 0, SCHEMA_BYTES, 0)
      if (head.subarray(0, bytesRead).includes(key.version)) {
        return badInput(tapeFault(path, sealed.error))
      }
      const found = 'an Arrow or Feather file from another program'
      const hint = 'convert it to CSV first; pitclock convert makes a tape of that'
      return badInput({ code: 'FILE', file: path, expected: 'a tape', found, hint })
    } finally {
      await handle.close()
    }
  } catch (error) {
    return ioFault(path, error)
  }
}

function tapeFault(path: string, found: string): InputError {
  const hint = `to make a new one: pitclock convert RECORDED --out ${path} --force`
  return { code: 'SYNTAX', file: path, expected: 'a complete tape', found, hint }
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
  const firstOtherSymbol = numberOf(metadata.get(key.firstOtherSymbol))
  const cutRecord = numberOf(metadata.get(key.cutRecord))
  const cut = cutRecord === null ? {} : { cutRecord }
  return { records, otherSymbols, firstOtherSymbol, ...cut }
}

function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : null
}
