/**
 * Declared rows: the fields of a part of the state, each with its unit and its kind of storage. The type of a row, its
 * content in snapshots and in the state hash, the fields that a restore sets, and the comparisons of audits follow from
 * the declaration.
 *
 * A field is one of
 * - kept: snapshots hold it, and a restore sets it;
 * - wired: snapshots hold it, and the owner of the row restores it by code, because other rows depend on it;
 * - sectioned: a separate section holds it, in the form of its unit, if it is not empty;
 * - apart: another section of the snapshot holds it, in another form;
 * - derived: it follows from other fields, and a restore recomputes it; a copy must have the same value;
 * - cached: each reader recomputes it if it is out of date, so equal states may differ in it. It names its inputs and
 *   must depend on nothing else: reading it, or not, changes nothing else.
 *
 * Source: DESIGN 2 ("One fact, one declaration"); STYLE 4.
 */

import { AssertionFailure, assert } from './assert.ts'
import type { Plain } from './bytes/codec.ts'
import type { TimerId } from './clock/timer-queue.ts'
import type {
  AccountId,
  Amount,
  CurrencyId,
  InstrumentId,
  Lots,
  Micros,
  OrderId,
  Price9,
  Sequence,
  TradeId,
} from './units.ts'

/**
 * The form of a unit's values in records of the event log (`model/events/log`): a double, an integer of 32 or 64 bits,
 * decimal digits (`wide`), one bit, UTF-8, a code of one byte, which counts the words of a list, or the text of its
 * plain form.
 */
export type UnitForm = 'number' | 'int32' | 'int64' | 'wide' | 'flag' | 'text' | 'plain' | readonly (string | number)[]

/** Values of a field: the name of their unit, and their plain form in snapshots. */
export interface Unit<T> {
  readonly name: string
  /** Form in records; by default they contain the plain form. */
  readonly form?: UnitForm
  /** True for sets whose equality does not depend on the order of their members. */
  readonly isOrderless?: boolean
  save(value: T): Plain
  /** Restores a value from the plain form that `save` returned. */
  load(plain: Plain): T
}

/** The kind of storage of a field; see the top of the file. */
export type Keeping = 'kept' | 'wired' | 'sectioned' | 'apart' | 'derived' | 'cached'

/** A field of a row. `isFixed` marks a field that never changes after its row is created. */
export interface Field<T, Keep extends Keeping = Keeping, Fixed extends boolean = boolean> {
  readonly unit: Unit<T>
  readonly keeping: Keep
  readonly isFixed: Fixed
  /** Inputs of a cached field; see `cached`. */
  readonly from?: readonly string[]
}

/** The fields of a row by their names, in the order of snapshots. */
export type Fields = { readonly [name: string]: Field<unknown> }

type ValueOf<F> = F extends Field<infer T> ? T : never

type FixedNames<F> = {
  [N in keyof F]: F[N] extends Field<unknown, Keeping, true> ? N : never
}[keyof F]

/** The row type of declared fields; fixed fields are readonly. */
export type RowOf<F> = {
  readonly [N in keyof F as N extends FixedNames<F> ? N : never]: ValueOf<F[N]>
} & {
  -readonly [N in keyof F as N extends FixedNames<F> ? never : N]: ValueOf<F[N]>
}

type NamesKept<F, Keep extends Keeping> = {
  [N in keyof F]: F[N] extends Field<unknown, Keep> ? N : never
}[keyof F]

/** The kept fields of a row, as loaded from a snapshot. */
export type SavedOf<F> = { readonly [N in NamesKept<F, 'kept'>]: ValueOf<F[N]> }

/** The units for declarations of fields of rows. */

export const micros = plainUnit<Micros>('microseconds', 'number')

export const lots = plainUnit<Lots>('lots', 'number')

export const price9 = plainUnit<Price9>('price in 1e-9', 'number')

/** Amounts, volatilities and sums of them as doubles that hold integers. */
export const nano = plainUnit<number>('count of 1e-9', 'number')

/** Money in 1e-9 of its currency. */
export const money = plainUnit<Amount>('money in 1e-9', 'int64')

/** Volatilities in 1e-9, so that 0.6 is 600,000,000. */
export const volatility9 = plainUnit<number>('volatility in 1e-9', 'number')

export const ppm = plainUnit<number>('parts per million', 'number')

/** Accumulators of funding: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
export const accumulator = plainUnit<bigint>('accumulated funding', 'wide')

/** Sums beyond the safe integers. */
export const wide = plainUnit<bigint>('wide integer', 'wide')

export const rate8 = plainUnit<number>('rate in 1e-8', 'number')

export const count = plainUnit<number>('count', 'number')

export const flag = plainUnit<boolean>('yes or no', 'flag')

export const text = plainUnit<string>('text', 'text')

/** The index of a row in a list or a column; -1 for none. */
export const row = plainUnit<number>('row', 'number')

export const accountId = plainUnit<AccountId>('account', 'int32')

export const instrumentId = plainUnit<InstrumentId>('instrument', 'int32')

export const currencyId = plainUnit<CurrencyId>('currency', 'int32')

export const orderId = plainUnit<OrderId>('order', 'number')

export const tradeId = plainUnit<TradeId>('trade', 'number')

export const sequence = plainUnit<Sequence>('sequence', 'number')

export const timerId = plainUnit<TimerId>('timer', 'number')

/** A kept field that never changes after its row is created. */
export function fixed<T>(unit: Unit<T>): Field<T, 'kept', true> {
  return { unit, keeping: 'kept', isFixed: true }
}

/** A kept field that changes. */
export function changing<T>(unit: Unit<T>): Field<T, 'kept', false> {
  return { unit, keeping: 'kept', isFixed: false }
}

/** A field that its owner restores by code. */
export function wired<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'wired', F> {
  return { ...field, keeping: 'wired' }
}

/** A field in a separate section of the snapshot, because it is empty in most states. */
export function sectioned<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'sectioned', F> {
  return { ...field, keeping: 'sectioned' }
}

/** A field that another section of the snapshot holds in another form. */
export function apart<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'apart', F> {
  return { ...field, keeping: 'apart' }
}

/** A field that follows from others. */
export function derived<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'derived', F> {
  return { ...field, keeping: 'derived' }
}

/**
 * A field that each reader recomputes if it is out of date.
 * @param from Its inputs as `table.field`: a change of any of them makes it stale. Empty for registers of arithmetic.
 */
export function cached<T, F extends boolean>(
  field: Field<T, 'kept', F>,
  from: readonly string[],
): Field<T, 'cached', F> {
  return { ...field, keeping: 'cached', from }
}

/** A field with its usual value in many rows; events omit the usual value. Each row stores the field. */
export interface UsualField<T, F extends boolean> extends Field<T, 'kept', F> {
  readonly usual: T
}

/** A field that few rows set. All other rows have its usual value, which takes no storage. */
export interface RareField<T, F extends boolean> extends UsualField<T, F> {
  readonly isRare: true
}

/** A field with a usual value that many rows set. */
export function usually<T, F extends boolean>(usual: T, field: Field<T, 'kept', F>): UsualField<T, F> {
  return { ...field, usual }
}

/** A field that few rows set, with its value in all others. */
export function rare<T, F extends boolean>(usual: T, field: Field<T, 'kept', F>): RareField<T, F> {
  return { ...field, usual, isRare: true }
}

/** The fields with a usual value, including rare ones. */
export type UsualOf<F> = {
  [N in keyof F as F[N] extends { readonly usual: unknown } ? N : never]: ValueOf<F[N]>
}

/** The fields that few rows set. */
export type RareOf<F> = {
  [N in keyof F as F[N] extends { readonly isRare: true } ? N : never]: ValueOf<F[N]>
}

/** The usual values of the fields that few rows set. */
export function usualOf<F extends Fields>(fields: F): RareOf<F> {
  const usual: { [name: string]: unknown } = {}
  for (const [name, field] of Object.entries(fields)) {
    if ('isRare' in field && 'usual' in field) usual[name] = field.usual
  }
  // The object has each rare field.
  return usual as RareOf<F>
}

/** A unit whose values are already plain data. */
export function plainUnit<T>(name: string, form: UnitForm = 'plain'): Unit<T> {
  // The types of the unit's values do not say that they are plain; a snapshot contains results of `save`.
  return { name, form, save: (value) => value as Plain, load: (plain) => plain as T }
}

/** A unit whose values are words of a list. The index of a word in the list is its code, which never changes. */
export function wordUnit<T extends string>(name: string, words: readonly T[]): Unit<T> {
  return plainUnit(name, words)
}

/** A unit of values that snapshots cannot hold: rows, books, caches. */
export function liveUnit<T>(): Unit<T> {
  const refuse = (): never => {
    throw new AssertionFailure('a value that snapshots cannot store is neither saved nor loaded')
  }
  return { name: 'live', save: refuse, load: refuse }
}

/** Lists of values, in their order. */
export function listOf<T>(unit: Unit<T>): Unit<T[]> {
  return {
    name: `list of ${unit.name}`,
    save: (values) => values.map((value) => unit.save(value)),
    load: (plain) => entriesOf(plain).map((each) => unit.load(each)),
  }
}

/** Sets of values, in the order of insertion. */
export function setOf<T>(unit: Unit<T>): Unit<Set<T>> {
  const list = listOf(unit)
  return {
    name: `set of ${unit.name}`,
    save: (values) => list.save([...values]),
    load: (plain) => new Set(list.load(plain)),
  }
}

/** Sets of numbers whose order has no meaning: they are saved in ascending order. */
export function orderlessSetOf(unit: Unit<number>): Unit<Set<number>> {
  const set = setOf(unit)
  return {
    ...set,
    isOrderless: true,
    save: (values) => set.save(new Set([...values].sort((a, b) => a - b))),
  }
}

/** Values by keys, in the order in which the keys were inserted. */
export function mapOf<K, T>(keys: Unit<K>, values: Unit<T>): Unit<Map<K, T>> {
  return {
    name: `${values.name} by ${keys.name}`,
    save: (map) => [...map].map(([key, value]) => [keys.save(key), values.save(value)]),
    load: (plain) =>
      new Map(
        entriesOf(plain).map((entry) => {
          const [key = null, value = null] = entriesOf(entry)
          return [keys.load(key), values.load(value)]
        }),
      ),
  }
}

/** Values that may be missing. */
export function orNull<T>(unit: Unit<T>): Unit<T | null> {
  return {
    name: `${unit.name} or null`,
    save: (value) => (value === null ? null : unit.save(value)),
    load: (plain) => (plain === null ? null : unit.load(plain)),
  }
}

/** Fields of rows that snapshots hold completely. */
export type KeptFields = { readonly [name: string]: Field<unknown, 'kept'> }

/** Rows that snapshots hold completely. */
export function rowUnit<F extends KeptFields>(name: string, fields: F): Unit<RowOf<F>> {
  return {
    name,
    save: (row) => saveRow(fields, row),
    // All fields are kept, so the saved fields are the whole row.
    load: (plain) => loadRow(fields, plain) as unknown as RowOf<F>,
  }
}

/** Rows that snapshots hold and their owner restores by code. */
export function wiredUnit<F extends Fields>(fields: F): Unit<RowOf<F>> {
  return { ...liveUnit<RowOf<F>>(), save: (row) => saveRow(fields, row) }
}

/** Saves a row for a snapshot: its kept and wired fields, in the order of their declaration. */
export function saveRow<F extends Fields>(fields: F, row: RowOf<F>): Plain {
  const saved: { [name: string]: Plain } = {}
  for (const [name, { unit, keeping }] of Object.entries(fields)) {
    if (keeping === 'kept' || keeping === 'wired') {
      saved[name] = unit.save((row as { readonly [name: string]: unknown })[name])
    }
  }
  return saved
}

/** Copies the fields of a row into a new plain object, whatever kind of object the row is. */
export function copyRow<F extends Fields>(fields: F, row: RowOf<F>): RowOf<F> {
  const copy: { [name: string]: unknown } = {}
  for (const name of Object.keys(fields)) {
    copy[name] = (row as { readonly [name: string]: unknown })[name]
  }
  return copy as unknown as RowOf<F>
}

/** True if plain data has the fields of a saved row, and no others. */
export function holdsRow(fields: Fields, plain: Plain): boolean {
  const isObject = typeof plain === 'object' && plain !== null
  const names = Object.keys(isObject ? plain : {})
  const saved = Object.entries(fields).filter(([, { keeping }]) => keeping === 'kept' || keeping === 'wired')
  return saved.length === names.length && saved.every(([name]) => names.includes(name))
}

/** The kept fields of a row from a snapshot. */
export function loadRow<F extends Fields>(fields: F, plain: Plain): SavedOf<F> {
  const row: { [name: string]: unknown } = {}
  for (const [name, { unit, keeping }] of Object.entries(fields)) {
    if (keeping === 'kept') row[name] = unit.load(savedField(plain, name))
  }
  return row as SavedOf<F>
}

/** Sets the kept fields of a saved row in a new row. */
export function restoreRow<F extends Fields>(fields: F, row: RowOf<F>, plain: Plain): void {
  Object.assign(row, loadRow(fields, plain))
}

/** The saved form of a field, which `saveRow` wrote under its name. */
export function savedField(plain: Plain, name: string): Plain {
  const saved = (plain as { readonly [name: string]: Plain })[name]
  assert(saved !== undefined, `a saved row has the field ${name}`)
  return saved
}

/** The saved rows of a wired field that is a list. */
export function savedRows(plain: Plain, name: string): readonly Plain[] {
  return entriesOf(savedField(plain, name))
}

function entriesOf(plain: Plain): readonly Plain[] {
  // The unit of a list saves a list.
  return plain as readonly Plain[]
}
