/**
 * Arrow files (IPC file format) written piece by piece, as soon as a piece is there.
 *
 * The stock writer queues what it writes, so that memory grows with the file and arrays cannot be used
 * again; and it leaves out the schema message at the head (arrow-js issue 51), without which readers of
 * streams refuse what follows the magic.
 */
import { Message, type RecordBatch, RecordBatchFileWriter, Schema } from 'apache-arrow'
import { assert } from '../../core/index.ts'
import type { WriteBytes } from '../table-format.ts'

/** Writes the batches of one file. */
export interface ArrowFileWriter {
  /** Writes a batch; its arrays may be used again afterwards. The first one tells the schema. */
  write(batch: RecordBatch): void
  /**
   * Writes the footer. What is known only now is added to the metadata of the schema there, where
   * readers of files find it; the head of the file, which readers of streams see, cannot have it.
   */
  close(closing?: ReadonlyMap<string, string>): void
}

/** A writer that hands out its bytes at once. */
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

/** A writer of files that hands out each piece at once instead of queueing it. */
class SynchronousFileWriter extends RecordBatchFileWriter {
  readonly #put: WriteBytes
  /** Metadata that only the footer has. */
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
