/**
 * Declared rows: the fields of a piece of state, each with its unit and with how it is kept. The type of a
 * row, what snapshots and the state hash hold of it, what a restore puts back and what audits compare follow
 * from the declaration.
 *
 * A field is one of
 * - kept: snapshots hold it, and a restore puts it back as it was;
 * - wired: snapshots hold it, and the owner of the row puts it back by hand, because other rows follow it;
 * - sectioned: a section of its own holds it, in the form of its unit, where there is anything of it;
 * - apart: another section of the snapshot holds it, in another form;
 * - derived: it follows from the rest, and a restore finds it again; a copy has to have the same;
 * - cached: it is found again whenever it is asked for, so that equal states may differ in it. It names its inputs, which are
 *   all that it may follow from: reading it, or not, changes nothing else.
 *
 * Source: DESIGN 2 ("One fact, one declaration"); STYLE 4.
 */
import { AssertionFailure, assert } from './assert.ts'
import type { Plain } from './bytes/codec.ts'

/**
 * How a record of the event log holds a value of a unit (`model/events/log`): as a double, as an integer of 32 or 64
 * bits, as decimal digits (`wide`), as one bit, as UTF-8, as a code of one byte, which counts the words of a list, or
 * as the text of its plain form.
 */
export type UnitForm = 'number' | 'int32' | 'int64' | 'wide' | 'flag' | 'text' | 'plain' | readonly (string | number)[]

/** Values of a field: the name of their unit, and their plain form in snapshots. */
export interface Unit<T> {
  readonly name: string
  /** Where it is not given, records hold the plain form. */
  readonly form?: UnitForm
  /** True for sets that are equal in any order of their members. */
  readonly isOrderless?: boolean
  save(value: T): Plain
  /** The value of a plain form that `save` made. */
  load(plain: Plain): T
}

/** How a field is kept; see the top of the file. */
export type Keeping = 'kept' | 'wired' | 'sectioned' | 'apart' | 'derived' | 'cached'

/** A field of a row. `isFixed` tells a field that never changes once its row is made. */
export interface Field<T, Keep extends Keeping = Keeping, Fixed extends boolean = boolean> {
  readonly unit: Unit<T>
  readonly keeping: Keep
  readonly isFixed: Fixed
  /** Inputs of a cached field; see `cached`. */
  readonly from?: readonly string[]
}

/** The fields of a row by their names, in the order in which snapshots hold them. */
export type Fields = { readonly [name: string]: Field<unknown> }

type ValueOf<F> = F extends Field<infer T> ? T : never

type FixedNames<F> = {
  [N in keyof F]: F[N] extends Field<unknown, Keeping, true> ? N : never
}[keyof F]

/** The row that fields declare: what is fixed is readonly. */
export type RowOf<F> = {
  readonly [N in keyof F as N extends FixedNames<F> ? N : never]: ValueOf<F[N]>
} & {
  -readonly [N in keyof F as N extends FixedNames<F> ? never : N]: ValueOf<F[N]>
}

type NamesKept<F, Keep extends Keeping> = {
  [N in keyof F]: F[N] extends Field<unknown, Keep> ? N : never
}[keyof F]

/** The kept fields of a row, as they come back from a snapshot. */
export type SavedOf<F> = { readonly [N in NamesKept<F, 'kept'>]: ValueOf<F[N]> }

/** A field that never changes once its row is made. It is kept. */
export function fixed<T>(unit: Unit<T>): Field<T, 'kept', true> {
  return { unit, keeping: 'kept', isFixed: true }
}

/** A field that changes. It is kept. */
export function changing<T>(unit: Unit<T>): Field<T, 'kept', false> {
  return { unit, keeping: 'kept', isFixed: false }
}

/** The same field, which its owner puts back by hand. */
export function wired<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'wired', F> {
  return { ...field, keeping: 'wired' }
}

/** The same field, which a section of its own holds, because most states have nothing of it. */
export function sectioned<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'sectioned', F> {
  return { ...field, keeping: 'sectioned' }
}

/** The same field, which another section of the snapshot holds in another form. */
export function apart<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'apart', F> {
  return { ...field, keeping: 'apart' }
}

/** The same field, which follows from the rest. */
export function derived<T, F extends boolean>(field: Field<T, 'kept', F>): Field<T, 'derived', F> {
  return { ...field, keeping: 'derived' }
}

/**
 * The same field, which is found again whenever it is asked for.
 * @param from Its inputs as `table.field`: a change of any of them makes it stale. None for registers of arithmetic.
 */
export function cached<T, F extends boolean>(
  field: Field<T, 'kept', F>,
  from: readonly string[],
): Field<T, 'cached', F> {
  return { ...field, keeping: 'cached', from }
}

/** A field that has its usual value in many rows, where events leave it out. Each row has a place for it. */
export interface UsualField<T, F extends boolean> extends Field<T, 'kept', F> {
  readonly usual: T
}

/** A field that few rows set. All others have its usual value, which needs no place of its own. */
export interface RareField<T, F extends boolean> extends UsualField<T, F> {
  readonly isRare: true
}

/** The same field, which has a usual value; rows that set it are not few. */
export function usually<T, F extends boolean>(usual: T, field: Field<T, 'kept', F>): UsualField<T, F> {
  return { ...field, usual }
}

/** The same field, which few rows set, with its value in all others. */
export function rare<T, F extends boolean>(usual: T, field: Field<T, 'kept', F>): RareField<T, F> {
  return { ...field, usual, isRare: true }
}

/** The fields that have a usual value, those that few rows set among them. */
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
  // It has each field that few rows set.
  return usual as RareOf<F>
}

/** A unit whose values are plain data as they are. */
export function plainUnit<T>(name: string, form: UnitForm = 'plain'): Unit<T> {
  // Values of the unit are plain, which their types cannot say; a snapshot holds what `save` gave.
  return { name, form, save: (value) => value as Plain, load: (plain) => plain as T }
}

/** A unit whose values are words of a list; the place of a word in the list is its code, which stays. */
export function wordUnit<T extends string>(name: string, words: readonly T[]): Unit<T> {
  return plainUnit(name, words)
}

/** A unit of values that no snapshot holds: rows, books, caches. */
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

/** Sets of values, in the order in which they came in. */
export function setOf<T>(unit: Unit<T>): Unit<Set<T>> {
  const list = listOf(unit)
  return {
    name: `set of ${unit.name}`,
    save: (values) => list.save([...values]),
    load: (plain) => new Set(list.load(plain)),
  }
}

/** Sets of numbers of which the order counts for nothing: they are kept from the smallest up. */
export function orderlessSetOf(unit: Unit<number>): Unit<Set<number>> {
  const set = setOf(unit)
  return {
    ...set,
    isOrderless: true,
    save: (values) => set.save(new Set([...values].sort((a, b) => a - b))),
  }
}

/** Values by keys, in the order in which the keys came in. */
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

/** Fields of rows that snapshots hold as a whole. */
export type KeptFields = { readonly [name: string]: Field<unknown, 'kept'> }

/** Rows that snapshots hold as a whole. */
export function rowUnit<F extends KeptFields>(name: string, fields: F): Unit<RowOf<F>> {
  return {
    name,
    save: (row) => saveRow(fields, row),
    // All fields are kept: what is saved is the row.
    load: (plain) => loadRow(fields, plain) as unknown as RowOf<F>,
  }
}

/** Rows that snapshots hold, and that their owner puts back by hand. */
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

/** All fields of a row as they are, in an object of its own: whatever a row is behind its fields. */
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

/** The kept fields of a row that a snapshot held. */
export function loadRow<F extends Fields>(fields: F, plain: Plain): SavedOf<F> {
  const row: { [name: string]: unknown } = {}
  for (const [name, { unit, keeping }] of Object.entries(fields)) {
    if (keeping === 'kept') row[name] = unit.load(savedField(plain, name))
  }
  return row as SavedOf<F>
}

/** Puts the kept fields of a saved row back into a row that was made anew. */
export function restoreRow<F extends Fields>(fields: F, row: RowOf<F>, plain: Plain): void {
  Object.assign(row, loadRow(fields, plain))
}

/** The saved form of a field: what `saveRow` wrote under its name. */
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
  // A unit loads what it saved, which is a list.
  return plain as readonly Plain[]
}
