/**
 * Rows as cells by the names of their columns: how what is rare becomes a row. What a column needs is asked for by
 * the type, what it may leave out stays null, and the schema of the column says how a cell is stored.
 *
 * Frequent events have writers of their own (`trading-rows.ts`, `order-rows.ts`), which make no object.
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

/** A size in lots, which a table has in the amount unit of its instrument. */
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

/** The cells of a row; a nullable one may be null or left out. */
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
    // What is neither number nor bigint in such a column is a size.
    const { lots, step } = cell as Sized
    if (column.valid === null) setProduct(column, row, lots, step)
    else setValidProduct(column, row, lots, step)
  }
}

function codeOfCell({ schema }: BlockColumn, cell: unknown): number {
  return typeof cell === 'string' ? codeOf(schema.words, cell) : Number(cell)
}

function setPlain(column: Exclude<BlockColumn, { readonly kind: 'text' }>, row: number, value: number): void {
  if (column.valid === null) column.values[row] = value
  else setValue(column, row, value)
}

/** When and why, of a row that an event gave. */
export function headOf({ time, number, cause }: EventHeader): {
  readonly time: number
  readonly event: number
  readonly cause: number
} {
  return { time, event: number, cause }
}

/** An account, or nothing of -1. */
export function accountOrNull(account: AccountId | -1): number | null {
  return account === -1 ? null : account
}

/** A size of an instrument. */
export function instrumentSize(steps: AmountSteps, instrument: InstrumentId, lots: number): Sized {
  return { lots, step: stepOf(steps, instrument) }
}

/** A number that says nothing where it is 0. */
export function orNone<T extends number | bigint>(value: T): T | null {
  // Both kinds of zero are equal to 0 by this comparison alone.
  return value === 0 || value === 0n ? null : value
}
