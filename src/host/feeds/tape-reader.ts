/**
 * The batches of a tape, read one after another into memory that is used again.
 *
 * The seal tells where each batch lies and what its checksum is. Only bytes that pass are decoded:
 * apache-arrow decodes the metadata of a batch; the body is read here, because its reader makes new
 * memory for each of them, which costs more than the reading.
 */
import type { FileHandle } from 'node:fs/promises'
import { Message } from 'apache-arrow'
import { err, ok, type Result } from '../../core/index.ts'
import type { FeedBatch, IdScope } from '../../feeds/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { soundMetadata } from '../arrow-metadata.ts'
import { type CellFault, createBatchDecoder } from './tape-columns.ts'
import { isSealed, readFully, type SealedBatch } from './tape-seal.ts'

/** Reads a tape batch by batch. */
export interface TapeBatches {
  /**
   * The next batch with rows, whose columns are the caller's until the next call; null at the end. Throws
   * what the operating system refuses.
   */
  next(): Promise<Result<FeedBatch | null, CellFault>>
}

/** The magic and what pads it, before the schema. */
const FIRST_MESSAGE = 8
const PREFIX_BYTES = 8

/** Reads from the first batch on; the schema of the file was checked before. */
export function readTapeBatches(
  handle: FileHandle,
  { kind, idScope }: { readonly kind: MarketKind; readonly idScope: IdScope | null },
  sealed: readonly SealedBatch[],
): TapeBatches {
  const decode = createBatchDecoder(kind, idScope)
  let memory = Buffer.alloc(0)
  let at = 0
  const next = async (): Promise<Result<FeedBatch | null, CellFault>> => {
    for (;;) {
      const batch = sealed[at]
      if (batch === undefined) return ok(null)
      at += 1
      const { length, position } = batch
      // Whole words, so that columns of them can be seen in the same memory.
      if (memory.length < length) memory = Buffer.from(new ArrayBuffer((length + 7) & ~7))
      await readFully(handle, memory, { length, position })
      const bytes = memory.subarray(0, length)
      if (!isSealed(bytes, batch)) {
        return err({ found: `bytes that do not match the checksum of batch ${at}` })
      }
      const message = soundMessageIn(bytes, at === 1 ? FIRST_MESSAGE : 0)
      if (message === null) return err({ found: 'a damaged file' })
      const decoded = decode(message.header, message.body)
      if (!decoded.ok || decoded.value.rows > 0) return decoded
    }
  }
  return { next }
}

type BatchMessage = {
  readonly header: Parameters<ReturnType<typeof createBatchDecoder>>[0]
  readonly body: Uint8Array
}

/** The same, null too where apache-arrow throws: over numbers that are too large, for one. */
function soundMessageIn(bytes: Buffer, from: number): BatchMessage | null {
  try {
    return messageIn(bytes, from)
  } catch {
    return null
  }
}

/** The record batch in bytes that begin with a message, which may be the schema before it. */
function messageIn(bytes: Buffer, from: number): BatchMessage | null {
  let position = from
  for (;;) {
    if (position + PREFIX_BYTES > bytes.length || bytes.readInt32LE(position) !== -1) return null
    const metadataAt = position + PREFIX_BYTES
    const bodyAt = metadataAt + bytes.readInt32LE(position + 4)
    if (bodyAt <= metadataAt || bodyAt > bytes.length) return null
    // A copy, because the decoder keeps what it reads, and this memory is used again.
    const metadata = Uint8Array.from(bytes.subarray(metadataAt, bodyAt))
    if (soundMetadata('message', metadata) === null) return null
    const message = Message.decode(metadata)
    const end = bodyAt + Number(message.bodyLength)
    if (!(end >= bodyAt && end <= bytes.length)) return null
    if (message.isRecordBatch()) {
      return { header: message.header(), body: bytes.subarray(bodyAt, end) }
    }
    position = end
  }
}
