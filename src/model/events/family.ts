/**
 * Families of events. Each declaration names the columns of the family's rows, their units, and the values that printed
 * lines and records leave out. The type of an event, its printed line and the test that every event has the columns of
 * its family follow from the declaration.
 *
 * Source: DESIGN 2 ("One fact, one declaration"); STYLE 4.
 */

import {
  type AccountId,
  amount,
  type InstrumentId,
  lots,
  type Micros,
  plainUnit,
  type Sequence,
  type Unit,
  type UsualField,
  wordUnit,
} from '../../core/index.ts'
import type { Instrument } from '../instrument.ts'
import { type OrderLinks, orderFields, type Trigger } from '../order.ts'
import type { MmpConfig } from '../protection/mmp.ts'
import type { ChangedBy } from '../protection/order-extras.ts'
import { currencies } from '../words/currencies.ts'
import type { LspGroup } from '../words/liquidations.ts'
import type { Refusal } from '../words/refusals.ts'

/** The header of every event: events of a run count from 1, and `cause` is the request they belong to. */
export interface EventHeader {
  readonly time: Micros
  readonly number: number
  readonly cause: Sequence
}

const noRows: readonly never[] = []

/** Sizes and money that printed lines and records leave out. */
export const noLots = lots(0)

export const noMoney = amount(0n)

/** A column of a family with more facts than its unit. */
export interface Column<T> {
  /** Null if each value is a nested row with columns, or a list of such rows. */
  readonly unit: Unit<T> | null
  readonly columns: Columns | null
  /** Value that printed lines leave out; undefined if they always print the column. */
  readonly quiet: T | undefined
  /** Value that records of the log leave out; undefined if they always contain the column. */
  readonly absent: T | undefined
}

/** Columns by their names, in the order of printed lines. A unit alone declares a column that is always printed. */
export type Columns = { readonly [name: string]: Unit<unknown> | Column<unknown> }

/** The row type of declared columns. */
export type ColumnsRow<C> = {
  readonly [N in keyof C]: C[N] extends Unit<infer T> | Column<infer T> ? T : never
}

/** A row of a family, as an event. */
export type FamilyRow<Name, C> = EventHeader & { readonly kind: Name } & ColumnsRow<C>

/** True for types that are words of a list, or null. */
type IsWord<T> = [Exclude<T, null>] extends [string] ? (string extends Exclude<T, null> ? false : true) : false

/** True for columns that records of the log may leave out. Columns of words always have a place. */
type IsSpare<C> =
  C extends Column<infer T> ? (C['absent'] extends undefined ? false : IsWord<T> extends true ? false : true) : false

/** Names of the columns that every record of the log has. */
export type SteadyName<C> = { [N in keyof C]: IsSpare<C[N]> extends true ? never : N }[keyof C]

/** Declaration of a column. */
export function columnOf(declared: Columns[string]): Column<unknown> {
  return 'columns' in declared ? declared : { unit: declared, columns: null, quiet: undefined, absent: undefined }
}

/** A column that printed lines and records leave out if it equals `quiet`. */
export function unless<T>(quiet: T, unit: Unit<T>): Column<T> {
  return { unit, columns: null, quiet, absent: quiet }
}

/** A column of a field with a usual value. Printed lines and records leave out the usual value. */
export function unlessUsual<T>(field: UsualField<T, boolean>): Column<T> {
  return unless(field.usual, field.unit)
}

/** A column that is always printed; records of the log leave it out if it equals `absent`. */
export function sparse<T>(absent: T, unit: Unit<T>): Column<T> {
  return { unit, columns: null, quiet: undefined, absent }
}

/** A column that may be null, and is left out then. */
export function columnOrNull<T>(unit: Unit<T>): Column<T | null> {
  return { unit: unit as Unit<T | null>, columns: null, quiet: null, absent: null }
}

/** A column whose values are nested rows. */
export function part<C extends Columns>(columns: C): Column<ColumnsRow<C>> & { readonly absent: undefined } {
  return { unit: null, columns, quiet: undefined, absent: undefined }
}

/** A column whose values are nested rows or null. */
export function partOrNull<C extends Columns>(columns: C): Column<ColumnsRow<C> | null> {
  return { unit: null, columns, quiet: null, absent: null }
}

/** A column whose values are lists of nested rows. */
export function parts<C extends Columns>(columns: C): Column<readonly ColumnsRow<C>[]> {
  return { unit: null, columns, quiet: undefined, absent: noRows }
}

/**
 * Units of the columns of events beyond those of the core (`core/tables.ts`): terms of the model, and ids that may
 * be missing.
 */

export const side = orderFields.side.unit

export const currency = wordUnit('currency', currencies)

export const someAccount = plainUnit<AccountId | -1>('account or -1', 'number')

export const someInstrument = plainUnit<InstrumentId | -1>('instrument or -1', 'number')

export const instrument = plainUnit<Instrument>('terms of an instrument')

export const someTerms = plainUnit<Instrument | null>('terms of an instrument or null')

export const refusal = plainUnit<Refusal>('refusal')

export const advanced = orderFields.advanced.unit

export const trigger = plainUnit<Trigger | null>('trigger or null')

export const links = plainUnit<OrderLinks>('links of an order')

export const changedBy = plainUnit<ChangedBy | null>('cause of a change or null')

export const mmpConfig = plainUnit<MmpConfig | null>('limits of a group or null')

/** A size or a price of a structure of legs, in 1e-9. */
export const structure9 = plainUnit<bigint>('size or price of a structure in 1e-9', 'wide')

export const lspGroup = plainUnit<LspGroup>('group of the programme')

/** Limits of one participant, in parts per million of its equity. */
export const lspLimits = plainUnit<{ readonly [G in LspGroup]?: number }>('limits of a participant')
