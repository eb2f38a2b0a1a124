/**
 * Writes blocks as Arrow files (IPC file format) with apache-arrow. Only this folder of `results` imports that package,
 * and it is loaded only when a run writes files.
 *
 * - Prices, amounts, rates and money are Float64, each the double nearest to the exact decimal; with `exact` they are
 *   Int64 with the field metadata `scale`.
 * - Equal rows and metadata give equal bytes: nothing depends on the machine or the time.
 * - Dictionaries are complete before the first batch, and a table without rows has one empty batch, because batches
 *   carry them.
 * - A batch has up to 16,384 rows. Its arrays are written before `add` returns and then reused, so that memory does not
 *   grow with the length of a file.
 */

import { Message, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from 'apache-arrow'
import { assert } from '../../core/index.ts'
import { BLOCK_ROWS } from '../columns.ts'
import {
  metadataOfTable,
  type TableEncoder,
  type TableOptions,
  type TableWriter,
  type WriteBytes,
} from '../table-format.ts'
import type { TableSchema } from '../tables/table-schema.ts'
import { BATCH_ROWS, batchColumns } from './batch-columns.ts'

/** The encoder that `loadArrowEncoder` returns. */
export interface ArrowEncoder extends TableEncoder {
  /** A writer of batches other than result tables, such as the batches of a tape. */
  createFileWriter(write: WriteBytes): ArrowFileWriter
}

/** Writes the batches of one file. */
interface ArrowFileWriter {
  /** Writes a batch; its arrays may be reused afterwards. The first batch determines the schema. */
  write(batch: RecordBatch): void
  /**
   * Writes the footer. Metadata that is known only now is added to the schema in the footer, where readers of files
   * find it. The head of the file, which readers of streams see, cannot contain it.
   */
  close(closing?: ReadonlyMap<string, string>): void
}

/**
 * Writes Arrow files (IPC file format) piece by piece, without a queue.
 *
 * The writer of apache-arrow queues its output, so that memory grows with the file and arrays cannot be reused. It also
 * omits the schema message at the head (arrow-js issue 51), without which readers of streams refuse the bytes after the
 * magic.
 */

/** A writer that passes its bytes on at once. */
function createFileWriter(put: WriteBytes): ArrowFileWriter {
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
    const whole = new Map([...schema.metadata, ...this.closing])
    return super._writeFooter(new Schema(schema.fields, whole, schema.dictionaries))
  }
}

/** The encoder that uses apache-arrow. */
export const arrowEncoder: ArrowEncoder = { createTableWriter, createFileWriter }

function createTableWriter(schema: TableSchema, options: TableOptions, write: WriteBytes): TableWriter {
  const columns = batchColumns(schema, options.exact)
  const arrowSchema = new Schema(
    columns.map(({ field }) => field),
    metadataOfTable(schema, options),
  )
  const writer = createFileWriter(write)
  let rows = 0
  let hasBatch = false
  let isClosed = false

  const flush = (): void => {
    const children = columns.map((column) => column.data(rows))
    const type = new Struct(arrowSchema.fields)
    const data = makeData({ type, length: rows, nullCount: 0, children })
    writer.write(new RecordBatch(arrowSchema, data))
    hasBatch = true
    rows = 0
  }

  return {
    add: (block, names) => {
      assert(!isClosed, 'a closed file accepts no block')
      assert(rows % BLOCK_ROWS === 0, 'only the last block of a file is partly filled')
      for (const column of columns) column.append(block, rows, names)
      rows += block.rows
      if (rows === BATCH_ROWS) flush()
    },
    close: () => {
      assert(!isClosed, 'a file is closed once')
      isClosed = true
      if (rows > 0 || !hasBatch) flush()
      writer.close()
    },
  }
}
