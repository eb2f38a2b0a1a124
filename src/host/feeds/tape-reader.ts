/**
 * Reads the batches of a tape one after another into reused memory.
 *
 * The seal has the position and the checksum of each batch. Only bytes that match are decoded. apache-arrow decodes the
 * metadata of a batch. This file reads the body itself, because the reader of apache-arrow allocates new memory for
 * each body, which costs more than the reading.
 */
import type { FileHandle } from 'node:fs/promises'
import { Message } from 'apache-arrow'
import { err, ok, type Result } from '../../core/index.ts'
import type { FeedBatch, IdScope } from '../../feeds/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { soundMetadata } from '../arrow-file.ts'
import { type CellFault, createBatchDecoder } from './tape-columns.ts'
import { isSealed, readFully, type SealedBatch } from './tape-seal.ts'

/** Reads a tape batch by batch. */
export interface TapeBatches {
  /**
   * The next batch with rows; null at the end. Its columns are valid until the next call. Throws errors of the
   * operating system.
   */
  next(): Promise<Result<FeedBatch | null, CellFault>>
}

/** The magic and its padding, before the schema. */
const FIRST_MESSAGE = 8
const PREFIX_BYTES = 8

/** Kind of data and scope of ids of a tape. */
interface TapeTerms {
  readonly kind: MarketKind
  readonly idScope: IdScope | null
}

/** Reads from the first batch on; the caller has checked the schema of the file. */
export function readTapeBatches(
  handle: FileHandle,
  { kind, idScope }: TapeTerms,
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
      // Rounded up to 8 bytes, so that 8-byte columns can be views of the same memory.
      if (memory.length < batch.length) memory = Buffer.from(new ArrayBuffer((batch.length + 7) & ~7))
      await readFully(handle, memory, batch.length, batch.position)
      const bytes = memory.subarray(0, batch.length)
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

/** Like `messageIn`, but returns null if apache-arrow throws, for example because a number is too large. */
function soundMessageIn(bytes: Buffer, from: number): BatchMessage | null {
  try {
    return messageIn(bytes, from)
  } catch {
    return null
  }
}

/** The record batch in bytes that begin with a message. The first message may be the schema, before the batch. */
function messageIn(bytes: Buffer, from: number): BatchMessage | null {
  let position = from
  for (;;) {
    if (position + PREFIX_BYTES > bytes.length || bytes.readInt32LE(position) !== -1) return null
    const metadataAt = position + PREFIX_BYTES
    const bodyAt = metadataAt + bytes.readInt32LE(position + 4)
    if (bodyAt <= metadataAt || bodyAt > bytes.length) return null
    // A copy, because the decoder keeps the bytes and this memory is reused.
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
