/**
 * The batches of a tape, read one after another into memory that is used again.
 *
 * An Arrow file holds its messages in the order of a stream, and a tape has record batches without
 * dictionaries only, so that the body of each lies behind its metadata. apache-arrow decodes the
 * metadata; the bodies are read here, because its reader makes new memory for each of them, which costs
 * more than the reading. Damage is told by throwing, as that package does.
 */
import type { FileHandle } from 'node:fs/promises'
import { Message } from 'apache-arrow'
import { assert } from '../../core/index.ts'
import type { FeedBatch } from '../../feeds/index.ts'
import type { MarketKind } from '../../model/index.ts'
import { createBatchDecoder } from './tape-columns.ts'

/** Reads a tape batch by batch. */
export interface TapeBatches {
  /** The next batch with rows, whose columns are the caller's until the next call; null at the end. */
  next(): Promise<FeedBatch | null>
}

/** The magic and what pads it. */
const FIRST_MESSAGE = 8
const PREFIX_BYTES = 8
/** Metadata of a batch is some hundred bytes; more is no tape. */
const METADATA_BYTES_MAX = 1 << 20
/** A message has up to 4 million rows of 44 bytes. */
const BODY_BYTES_MAX = 1 << 29

/** Reads from the first message on; the schema of the file was checked before. */
export function readTapeBatches(handle: FileHandle, kind: MarketKind): TapeBatches {
  const decode = createBatchDecoder(kind)
  const prefix = Buffer.alloc(PREFIX_BYTES)
  let metadata = Buffer.alloc(0)
  let body = Buffer.alloc(0)
  let position = FIRST_MESSAGE
  const next = async (): Promise<FeedBatch | null> => {
    for (;;) {
      await readFully(handle, prefix, { length: PREFIX_BYTES, position })
      assert(prefix.readInt32LE(0) === -1, 'a message begins with its mark')
      const metadataBytes = prefix.readInt32LE(4)
      if (metadataBytes === 0) return null
      assert(metadataBytes > 0 && metadataBytes <= METADATA_BYTES_MAX, 'metadata has a length')
      if (metadata.length < metadataBytes) metadata = Buffer.alloc(metadataBytes)
      position += PREFIX_BYTES
      await readFully(handle, metadata, { length: metadataBytes, position })
      position += metadataBytes
      const message = Message.decode(new Uint8Array(metadata.subarray(0, metadataBytes)))
      const bodyBytes = Number(message.bodyLength)
      const from = position
      position += bodyBytes
      if (!message.isRecordBatch()) continue
      assert(bodyBytes >= 0 && bodyBytes <= BODY_BYTES_MAX, 'a body has a length')
      // Whole words, so that columns of them can be seen in the same memory.
      if (body.length < bodyBytes) body = Buffer.from(new ArrayBuffer((bodyBytes + 7) & ~7))
      await readFully(handle, body, { length: bodyBytes, position: from })
      const batch = decode(message.header(), body.subarray(0, bodyBytes))
      if (batch.rows > 0) return batch
    }
  }
  return { next }
}

async function readFully(
  handle: FileHandle,
  target: Buffer,
  place: { readonly length: number; readonly position: number },
): Promise<void> {
  let done = 0
  while (done < place.length) {
    const left = place.length - done
    const { bytesRead } = await handle.read(target, done, left, place.position + done)
    assert(bytesRead > 0, 'a file holds what it says it holds')
    done += bytesRead
  }
}
