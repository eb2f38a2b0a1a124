/**
 * Reads a table row by row, or several tables in the order of their events.
 *
 * The rows of a damaged file before the damage are read; the damage is reported as a fault.
 */
import { formatInputError } from '../../core/index.ts'
import type { ReadableRun, TableBatch, TableColumn, TableColumns } from '../../host/index.ts'

const nothing: TableColumn = { numberAt: () => Number.NaN, textAt: () => null }

/** A position in a table that is read row by row. */
export class Cursor {
  readonly table: string
  /** Number of the event of this row; Infinity after the last row. */
  event = Number.POSITIVE_INFINITY
  /** Number of rows read so far. */
  rows = 0
  metadata: ReadonlyMap<string, string> = new Map()
  /** Reasons why rows are missing. */
  readonly faults: string[] = []
  #row = 0
  #batch: TableBatch | null = null
  #events: TableColumn = nothing
  readonly #columns = new Map<string, TableColumn>()
  #source: TableColumns | null = null
  #batches: AsyncGenerator<TableBatch> | null = null

  private constructor(table: string) {
    this.table = table
  }

  /** Opens a table at its first row. A table that the run lacks is empty. */
  static async open(run: ReadableRun, table: string): Promise<Cursor> {
    const cursor = new Cursor(table)
    const opened = await run.openTable(table)
    if (!opened.ok) cursor.faults.push(formatInputError(opened.error))
    else if (opened.value !== null) {
      cursor.metadata = opened.value.metadata
      cursor.#source = opened.value
      cursor.#batches = opened.value.batches()
      await cursor.refill()
    }
    return cursor
  }

  /** The number in a column of this row; NaN for a missing value. */
  number(column: string): number {
    return this.#column(column).numberAt(this.#row)
  }

  /** The text in a column of this row, or null. */
  text(column: string): string | null {
    return this.#column(column).textAt(this.#row)
  }

  /** Moves to the next row of the batch; returns false at the end of the batch, where `refill` reads the next one. */
  next(): boolean {
    this.#row += 1
    if (this.#batch === null || this.#row >= this.#batch.rows) {
      this.event = Number.POSITIVE_INFINITY
      return false
    }
    this.rows += 1
    this.event = this.#events.numberAt(this.#row)
    return true
  }

  /** Reads the next batch with rows. */
  async refill(): Promise<void> {
    this.#columns.clear()
    this.#batch = null
    this.event = Number.POSITIVE_INFINITY
    if (this.#batches === null) return
    try {
      for (;;) {
        const { done, value } = await this.#batches.next()
        if (done === true) return await this.close()
        if (value.rows === 0) continue
        this.#batch = value
        this.#events = value.column('event')
        this.#row = -1
        this.next()
        // Tables without events are read separately.
        if (Number.isNaN(this.event)) this.event = 0
        return
      }
    } catch {
      // apache-arrow throws exceptions of any kind for a damaged body.
      this.faults.push(`${this.table}: expected whole rows, found damage after row ${this.rows}`)
      await this.close()
    }
  }

  async close(): Promise<void> {
    this.#batches = null
    await this.#source?.close()
    this.#source = null
  }

  #column(name: string): TableColumn {
    const known = this.#columns.get(name)
    if (known !== undefined) return known
    const found = this.#batch?.column(name) ?? nothing
    this.#columns.set(name, found)
    return found
  }
}

/** Reads a whole table. */
export async function eachRow(run: ReadableRun, table: string, take: (row: Cursor) => void): Promise<Cursor> {
  const cursor = await Cursor.open(run, table)
  while (cursor.event !== Number.POSITIVE_INFINITY) {
    take(cursor)
    if (!cursor.next()) await cursor.refill()
    else if (Number.isNaN(cursor.event)) cursor.event = 0
  }
  return cursor
}

/** Reads several tables in the order of their events. Rows of one event are read in the order of the tables. */
export async function eachInOrder(cursors: readonly Cursor[], take: (row: Cursor) => void): Promise<void> {
  for (;;) {
    let first = cursors[0]
    for (const cursor of cursors) {
      if (first === undefined || cursor.event < first.event) first = cursor
    }
    if (first === undefined || first.event === Number.POSITIVE_INFINITY) return
    take(first)
    if (!first.next()) await first.refill()
  }
}
