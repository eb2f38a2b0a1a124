/**
 * Writes Arrow files (IPC file format) piece by piece, without a queue.
 *
 * The writer of apache-arrow queues its output, so that memory grows with the file and arrays cannot be reused. It also
 * omits the schema message at the head (arrow-js issue 51), without which readers of streams refuse the bytes after the
 * magic.
 */
import { Message, type RecordBatch, RecordBatchFileWriter, Schema } from 'apache-arrow'
import { assert } from '../../core/index.ts'
import type { WriteBytes } from '../table-format.ts'

/** Writes the batches of one file. */
export interface ArrowFileWriter {
  /** Writes a batch; its arrays may be reused afterwards. The first batch determines the schema. */
  write(batch: RecordBatch): void
  /**
   * Writes the footer. Metadata that is known only now is added to the schema in the footer, where readers of files
   * find it. The head of the file, which readers of streams see, cannot contain it.
   */
  close(closing?: ReadonlyMap<string, string>): void
}

/** A writer that passes its bytes on at once. */
export function createFileWriter(put: WriteBytes): ArrowFileWriter {
  const writer = new SynchronousFileWriter(put)
  return {
    write: (batch) => writer.write(batch),
    close: (closing = new Map()) => {
      writer.closing = closing
      writer.close()
    },
  }
}

/** A file writer that passes each piece on at once instead of queueing it. */
class SynchronousFileWriter extends RecordBatchFileWriter {
  readonly #put: WriteBytes
  /** Metadata for the footer only. */
  closing: ReadonlyMap<string, string> = new Map()

  constructor(put: WriteBytes) {
    super()
    this.#put = put
  }

  protected override _write(chunk: unknown): this {
    assert(ArrayBuffer.isView(chunk), 'an Arrow file is written as byte views')
    if (!this._started || chunk.byteLength === 0) return this
    this.#put(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    this._position += chunk.byteLength
    return this
  }

  protected override _writeSchema(schema: Schema): this {
    return super._writeSchema(schema)._writeMessage(Message.from(schema))
  }

  protected override _writeFooter(schema: Schema): this {
    const { fields, metadata, dictionaries } = schema
    const whole = new Map([...metadata, ...this.closing])
    return super._writeFooter(new Schema(fields, whole, dictionaries))
  }
}
