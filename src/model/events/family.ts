/**
 * Families of events: one declaration for each says which columns its rows have, in which unit, and which
 * value of a column is not worth a word. The type of an event, its printed line and the test that every event
 * has the columns of its family follow from the declaration.
 *
 * Source: DESIGN 2 ("One fact, one declaration"); STYLE 4.
 */
import { amount, lots, type Micros, type Sequence, type Unit, type UsualField } from '../../core/index.ts'

/** The header of every event: events of a run count from 1, and `cause` is the request they belong to. */
export interface EventHeader {
  readonly time: Micros
  readonly number: number
  readonly cause: Sequence
}

const noRows: readonly never[] = []

/** Sizes and money that are not worth a word. */
export const noLots = lots(0)
export const noMoney = amount(0n)

/** A column of a family that says more than its unit. */
export interface Column<T> {
  /** Null where each value is a row with columns of its own, or a list of such rows. */
  readonly unit: Unit<T> | null
  readonly columns: Columns | null
  /** Printed lines leave the column out where it holds this; undefined where it is always told. */
  readonly quiet: T | undefined
  /** Records of the log leave the column out where it holds this; undefined where they always hold it. */
  readonly absent: T | undefined
}

/** Columns by their names, in the order in which they are printed; a unit alone is a column that is always told. */
export type Columns = { readonly [name: string]: Unit<unknown> | Column<unknown> }

/** The row that columns declare. */
export type ColumnsRow<C> = {
  readonly [N in keyof C]: C[N] extends Unit<infer T> | Column<infer T> ? T : never
}

/** A row of a family, as an event. */
export type FamilyRow<Name, C> = EventHeader & { readonly kind: Name } & ColumnsRow<C>

/** True of values that are words of a list, or null. */
type IsWord<T> = [Exclude<T, null>] extends [string] ? (string extends Exclude<T, null> ? false : true) : false

/** True of columns that records of the log may leave out: words never are, whose codes always have a place. */
type IsSpare<C> =
  C extends Column<infer T> ? (C['absent'] extends undefined ? false : IsWord<T> extends true ? false : true) : false

/** Names of the columns that every record of the log has. */
export type SteadyName<C> = { [N in keyof C]: IsSpare<C[N]> extends true ? never : N }[keyof C]

/** Declaration of a column. */
export function columnOf(declared: Columns[string]): Column<unknown> {
  return 'columns' in declared ? declared : { unit: declared, columns: null, quiet: undefined, absent: undefined }
}

/** A column that is left out of printed lines where it holds `quiet`. */
export function unless<T>(quiet: T, unit: Unit<T>): Column<T> {
  return { unit, columns: null, quiet, absent: quiet }
}

/** A column of a field that has a usual value, left out where it has that. */
export function unlessUsual<T>(field: UsualField<T, boolean>): Column<T> {
  return unless(field.usual, field.unit)
}

/** A column that is always printed; records of the log leave it out where it holds `absent`. */
export function sparse<T>(absent: T, unit: Unit<T>): Column<T> {
  return { unit, columns: null, quiet: undefined, absent }
}

/** A column that may hold nothing, and is left out then. */
export function columnOrNull<T>(unit: Unit<T>): Column<T | null> {
  return { unit: unit as Unit<T | null>, columns: null, quiet: null, absent: null }
}

/** A column whose values are rows of their own. */
export function part<C extends Columns>(columns: C): Column<ColumnsRow<C>> & { readonly absent: undefined } {
  return { unit: null, columns, quiet: undefined, absent: undefined }
}

/** The same, which may hold nothing. */
export function partOrNull<C extends Columns>(columns: C): Column<ColumnsRow<C> | null> {
  return { unit: null, columns, quiet: null, absent: null }
}

/** A column of lists of rows of their own. */
export function parts<C extends Columns>(columns: C): Column<readonly ColumnsRow<C>[]> {
  return { unit: null, columns, quiet: undefined, absent: noRows }
}
