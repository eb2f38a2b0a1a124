/**
 * Builds rows of rare events from cells, by the names of the columns. The type requires every necessary cell; omitted
 * cells are null; the schema of the column defines how a cell is stored.
 *
 * Frequent events have separate writers (`trading-rows.ts`, `order-rows.ts`), which create no objects.
 */
import type { AccountId, InstrumentId } from '../../core/index.ts'
import type { EventHeader } from '../../model/index.ts'
import type { ColumnType } from '../column-schema.ts'
import {
  type Block,
  type BlockColumn,
  endRow,
  type NamedBlock,
  setMoney,
  setProduct,
  setText,
  setValidMoney,
  setValidProduct,
  setValue,
} from '../columns.ts'
import type { StoredColumn, TableName } from '../schema.ts'
import { codeOf } from '../vocabulary/vocabulary.ts'
import { type AmountSteps, stepOf } from './trading-rows.ts'

/** A size in lots; a table stores it in the amount unit of its instrument. */
export interface Sized {
  readonly lots: number
  readonly step: number
}

type Cell<Type extends ColumnType, Word> = {
  readonly int64: number | bigint | Sized
  readonly time: number
  readonly int32: number
  readonly float64: number
  readonly boolean: boolean
  readonly dictionary: Word
  readonly utf8: string
}[Type]

type CellsWhere<Name extends TableName, IsNullable extends boolean> = {
  readonly [C in Extract<StoredColumn<Name>, { readonly nullable: IsNullable }> as C['name']]: Cell<
    C['type'],
    C['words'][number]
  >
}

/** The cells of a row; nullable ones may be null or absent. */
export type Cells<Name extends TableName> = CellsWhere<Name, false> & {
  readonly [C in keyof CellsWhere<Name, true>]?: CellsWhere<Name, true>[C] | null
}

/** Writes rows of a table. */
export function cellWriter<Name extends TableName>(
  block: NamedBlock<Name>,
  seal: (block: Block) => void,
): (cells: Cells<Name>) => void {
  return (cells) => {
    const row = block.rows
    for (const column of block.columns) {
      const cell = (cells as { readonly [name: string]: unknown })[column.schema.name]
      if (cell !== null && cell !== undefined) setCell(column, row, cell)
    }
    endRow(block, seal)
  }
}

function setCell(column: BlockColumn, row: number, cell: unknown): void {
  if (column.kind === 'text') setText(column, row, String(cell))
  else if (column.kind !== 'wide') setPlain(column, row, codeOfCell(column, cell))
  else if (typeof cell === 'number') setPlain(column, row, cell)
  else if (typeof cell === 'bigint') {
    if (column.valid === null) setMoney(column, row, cell)
    else setValidMoney(column, row, cell)
  } else {
    // A value in such a column that is neither a number nor a bigint is a size.
    const { lots, step } = cell as Sized
    if (column.valid === null) setProduct(column, row, lots, step)
    else setValidProduct(column, row, lots, step)
  }
}

function codeOfCell(column: BlockColumn, cell: unknown): number {
  return typeof cell === 'string' ? codeOf(column.schema.words, cell) : Number(cell)
}

/** A column that stores no text. */
type PlainColumn = Exclude<BlockColumn, { readonly kind: 'text' }>

function setPlain(column: PlainColumn, row: number, value: number): void {
  if (column.valid === null) column.values[row] = value
  else setValue(column, row, value)
}

/** Time, number and cause of a row from an event. */
export function headOf(header: EventHeader): {
  readonly time: number
  readonly event: number
  readonly cause: number
} {
  return { time: header.time, event: header.number, cause: header.cause }
}

/** The account, or null for -1. */
export function accountOrNull(account: AccountId | -1): number | null {
  return account === -1 ? null : account
}

/** A size of an instrument. */
export function instrumentSize(steps: AmountSteps, instrument: InstrumentId, lots: number): Sized {
  return { lots, step: stepOf(steps, instrument) }
}

/** The number, or null for 0. */
export function orNone<T extends number | bigint>(value: T): T | null {
  // Only this comparison treats both kinds of zero as equal to 0.
  return value === 0 || value === 0n ? null : value
}
