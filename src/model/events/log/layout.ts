/**
 * The layout of the records of an event log. It follows from the columns that each family declares (`eventFamilies`),
 * so that a new column gets its place without a change here.
 *
 * A record is a number of words of eight bytes, little-endian:
 *
 * 1. Its head: an unsigned integer of 32 bits, which holds the code of its family (lowest 8 bits) and the number of its
 *    words, including the head (the other 24); then 32 bits, each of which describes one column (see 3).
 * 2. The columns that every record of the family has, by width: doubles and integers of 64 bits in the order of their
 *    declaration, then integers of 32 bits, then codes of one byte, then zeros up to a whole word. A code counts the
 *    words of its list from 1; 0 is null.
 * 3. The columns that a record may leave out, in the order of their declaration. Each begins at a whole word: texts,
 *    plain data, doubles and integers. A bit of the head shows whether the column is present. Texts and plain data
 *    without an `absent` value have no bit. A flag consists of its bit alone. A nested row that may be null has one
 *    bit, and its columns follow. Columns get bits in the order of declaration, from the lowest.
 *
 * The columns of a nested row are laid out like columns of the family. Texts: length in bytes as an integer of 32 bits,
 * UTF-8, zeros. Wide integers are decimal text. Plain data is the text of its JSON with the keys of each object sorted.
 * Lists of rows are stored as plain data.
 *
 * A record of code 0 gives the place of the next records, if it does not follow from the previous event: its bits 0, 1,
 * 2 show whether the time, the cause and the number of the next event follow as doubles. Before the first record all
 * three are 0. The number of each event is one more than the number of the event before it.
 *
 * Codes and the order of columns are part of the digest. New families therefore get codes at the end, and new columns
 * that few runs use come at the end with an absent value (`unless`, `sparse`). Source: DESIGN 7.
 */
import { assert, plainUnit, type Unit, type UnitForm } from '../../../core/index.ts'
import { type EventKind, eventCodes, eventFamilies } from '../event.ts'
import { type Columns, columnOf } from '../family.ts'
import { wordsIn } from './log-buffer.ts'

/** The name of the layout, at the start of digests. Another layout has another number. */
export const LOG_LAYOUT = 'pitclock event log 2'

/** The code of a record that gives the place of the next records. */
export const PLACE_CODE = 0

/** Bits of a record with that code. */
export const placeBits = { time: 1, cause: 2, number: 4 } as const

/** The code of each family, in the order of the codes; null for families that no log has. */
export const recordCodes: { readonly [K in EventKind]: number | null } = inOrder(eventCodes)

/** True if logs contain the events of a family. */
export function isLogged(kind: EventKind): boolean {
  return recordCodes[kind] !== null
}

/** A column of a record. */
export interface Leaf {
  readonly name: string
  readonly unit: Unit<unknown>
  readonly form: UnitForm
  /** Value that records leave out; undefined if records always contain the column. */
  readonly absent: unknown
  /** Index of the column among the columns of its width; -1 for columns after the fixed part. */
  readonly place: number
  /** Bit of the column in the head; 0 for columns without a bit. */
  readonly bit: number
}

/** A nested row. */
export interface Part {
  readonly name: string
  readonly columns: readonly (Leaf | Part)[]
  /** Bit of the row in the head; 0 if the row is always present. */
  readonly bit: number
}

/** The layout of the records of a family. */
export interface FamilyLayout {
  readonly kind: EventKind
  readonly code: number
  readonly columns: readonly (Leaf | Part)[]
  /** Words of the fixed part that every record has, including the head. */
  readonly words: number
  /** The first integer of 32 bits and the first code, in counts of their width from the start of the record. */
  readonly firstInt: number
  readonly firstByte: number
}

const BITS_MAX = 32
const lists = plainUnit<unknown>('list of rows')

/** The layouts by their codes. Code 0 has no layout. */
export const layouts: readonly (FamilyLayout | undefined)[] = layoutsByCode()

/** The layout of a family that is recorded. */
export function layoutOfFamily(kind: EventKind): FamilyLayout {
  const layout = layouts[recordCodes[kind] ?? PLACE_CODE]
  assert(layout !== undefined, `events of ${kind} are recorded`)
  return layout
}

function inOrder(codes: typeof eventCodes): typeof eventCodes {
  const entries = Object.entries(codes).sort(([, one], [, other]) => {
    // Codes are bytes, so 256 sorts families without a code to the end.
    return (one ?? 256) - (other ?? 256)
  })
  // The object has the same keys as `eventCodes`.
  return Object.fromEntries(entries) as typeof eventCodes
}

function layoutsByCode(): readonly (FamilyLayout | undefined)[] {
  const list: (FamilyLayout | undefined)[] = []
  for (const kind of Object.keys(recordCodes) as EventKind[]) {
    const code = recordCodes[kind]
    if (code === null) continue
    assert(list[code] === undefined, 'codes differ')
    list[code] = familyLayout(kind, code)
  }
  return list
}

/** Counts of the columns of each width that are laid out so far. */
interface Extent {
  doubles: number
  ints: number
  bytes: number
  bits: number
}

/** Lays out the columns of a family in records of a code. */
export function familyLayout(kind: EventKind, code: number): FamilyLayout {
  const extent: Extent = { doubles: 1, ints: 0, bytes: 0, bits: 0 }
  const columns = layColumns(eventFamilies[kind], extent, false)
  assert(extent.bits <= BITS_MAX, `a head has ${BITS_MAX} bits`)
  const firstInt = extent.doubles * 2
  const firstByte = (firstInt + extent.ints) * 4
  return {
    kind,
    code,
    columns,
    firstInt,
    firstByte,
    words: wordsIn(firstByte + extent.bytes),
  }
}

function layColumns(columns: Columns, extent: Extent, isOptional: boolean): (Leaf | Part)[] {
  return Object.entries(columns).map(([name, declared]) => {
    const { unit, columns: inner, absent } = columnOf(declared)
    if (inner !== null && !Array.isArray(absent)) {
      const bit = absent === null ? nextBit(extent) : 0
      return { name, bit, columns: layColumns(inner, extent, isOptional || absent === null) }
    }
    // A list of rows is stored as plain data.
    return layLeaf(name, unit ?? lists, absent, extent, isOptional)
  })
}

function layLeaf(name: string, unit: Unit<unknown>, absent: unknown, extent: Extent, isOptional: boolean): Leaf {
  const { form = 'plain' } = unit
  const leaf = { name, unit, form, absent }
  if (typeof form !== 'string') return { ...leaf, place: next(extent, 'bytes'), bit: 0 }
  if (form === 'flag') return { ...leaf, place: -1, bit: nextBit(extent) }
  const isBehind = isOptional || form === 'text' || form === 'wide' || form === 'plain'
  if (absent !== undefined) return { ...leaf, place: -1, bit: nextBit(extent) }
  if (isBehind) return { ...leaf, place: -1, bit: 0 }
  return { ...leaf, place: next(extent, form === 'int32' ? 'ints' : 'doubles'), bit: 0 }
}

function nextBit(extent: Extent): number {
  return 1 << next(extent, 'bits')
}

/** Returns the next free index of a width. */
function next(extent: Extent, width: keyof Extent): number {
  extent[width] += 1
  return extent[width] - 1
}

/**
 * How records store a column that hand-written code reads or writes. `place`: at a fixed place in every record. `bit`:
 * with a bit that shows whether the column is present, or that is the whole flag. `behind`: after the fixed part,
 * without a bit. `part`: as a nested row.
 */
type ColumnWay = 'place' | 'bit' | 'behind' | 'part'

/**
 * Gives the way of every column of a row, or of the columns with these names, so that a new column does not compile
 * before its way is declared. Use it with `satisfies`, so that the names stay known.
 */
export type ColumnWays<Row, N extends keyof Row = keyof Row> = {
  readonly [Name in N]: ColumnWay
} & { readonly [Name in keyof Row]?: ColumnWay }

type NamesBy<W, Way extends ColumnWay> = {
  [N in keyof W]: W[N] extends Way ? N : never
}[keyof W]

/** Places and bits of columns for hand-written code. */
export interface HandColumns<W> {
  /** Places of columns that every record has, from the start of the record, in counts of their width. */
  readonly places: { readonly [N in NamesBy<W, 'place'>]: number }
  /** Bits of columns that records may leave out. */
  readonly bits: { readonly [N in NamesBy<W, 'bit'>]: number }
}

/**
 * Places and bits of the columns of a family, or of a nested row, for hand-written code. It asserts that each column is
 * stored in the declared way.
 */
export function handColumns<W extends { readonly [N in keyof W]: ColumnWay }>(
  kind: EventKind,
  ways: W,
  part: string | null = null,
): HandColumns<W> {
  const layout = layoutOfFamily(kind)
  const columns = part === null ? layout.columns : partOf(layout, part).columns
  const places: { [name: string]: number } = {}
  const bits: { [name: string]: number } = {}
  for (const [name, way] of Object.entries<ColumnWay>(ways)) {
    const column = columns.find((each) => each.name === name)
    assert(column !== undefined, `rows of ${kind} have a column ${name}`)
    assert(way === wayOf(column), `the column ${name} of ${kind} is held as said, found ${way}`)
    if (way === 'place' && 'unit' in column) places[name] = placeOf(layout, column)
    if (way === 'bit') bits[name] = column.bit
  }
  // The assertion above checks that each name is in the object of its way.
  return { places, bits } as HandColumns<W>
}

function partOf(layout: FamilyLayout, name: string): Part {
  const column = layout.columns.find((each) => each.name === name)
  assert(column !== undefined && !('unit' in column), `rows have a row ${name}`)
  return column
}

function wayOf(column: Leaf | Part): ColumnWay {
  if (column.bit !== 0) return 'bit'
  if (!('unit' in column)) return 'part'
  return column.place >= 0 ? 'place' : 'behind'
}

function placeOf(layout: FamilyLayout, { form, place }: Leaf): number {
  if (typeof form !== 'string') return layout.firstByte + place
  return form === 'int32' ? layout.firstInt + place : place
}
