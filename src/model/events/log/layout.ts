/**
 * The layout of the records of an event log. It follows from the columns that each family declares
 * (`eventFamilies`), so that a new column has its place without a change here.
 *
 * A record is a number of words of eight bytes, little-endian:
 *
 * 1. Its head: an unsigned integer of 32 bits, which holds the code of its family (lowest 8 bits) and the number of
 *    its words, head included (the other 24); then 32 bits of which each answers for a column (see 3).
 * 2. The columns that every record of the family has, by width: doubles and integers of 64 bits in the order of
 *    their declaration, then integers of 32 bits, then codes of one byte, then zeros up to a whole word. A code counts
 *    the words of its list from 1; 0 is null.
 * 3. The columns that a record may leave out, in the order of their declaration, each from a whole word on: texts,
 *    plain data, doubles and integers. A bit of the head says whether the column is there; texts and plain data that
 *    nothing stands for have no bit. A flag is its bit alone, and a row within a row that may be null is one bit
 *    with its columns behind it. Bits are given out in the order of declaration, from the lowest.
 *
 * Rows within rows stand as if their columns were the family's own. Texts: length in bytes as an integer of 32 bits,
 * UTF-8, zeros. Wide integers are decimal text. Plain data is the text of its JSON with the keys of each object
 * sorted; so are lists of rows.
 *
 * A record of code 0 says where the next ones stand, as far as that is not as before: its bits 0, 1, 2 tell whether
 * the time, the cause and the number of the next event follow as doubles. Before the first record all three are 0,
 * and each event has the number behind that of the event before it.
 *
 * Codes and the order of columns are part of the digest: families get codes at the end, columns that runs do not
 * use are declared with what stands for them (`unless`, `sparse`), at the end too. Source: DESIGN 7.
 */
import { assert, plainUnit, type Unit, type UnitForm } from '../../../core/index.ts'
import { type EventKind, eventCodes, eventFamilies } from '../event.ts'
import { type Columns, columnOf } from '../family.ts'
import { wordsIn } from './log-buffer.ts'

/** The name of the layout, which digests begin with. Another layout has another number. */
export const LOG_LAYOUT = 'pitclock event log 2'

/** The code of a record that says where the next ones stand. */
export const PLACE_CODE = 0

/** Bits of such a record. */
export const placeBits = { time: 1, cause: 2, number: 4 } as const

/** The code of each family, in the order of the codes; null for what no log has. */
export const recordCodes: { readonly [K in EventKind]: number | null } = inOrder(eventCodes)

/** True if a log has the events of a family. */
export function isLogged(kind: EventKind): boolean {
  return recordCodes[kind] !== null
}

/** A column of a record. */
export interface Leaf {
  readonly name: string
  readonly unit: Unit<unknown>
  readonly form: UnitForm
  /** Value where a record leaves it out; undefined where there is none. */
  readonly absent: unknown
  /** Its place among the columns of its width; -1 behind them. */
  readonly place: number
  /** Its bit; 0 where it has none. */
  readonly bit: number
}

/** A row within a row. */
export interface Part {
  readonly name: string
  readonly columns: readonly (Leaf | Part)[]
  /** Its bit; 0 where it is always there. */
  readonly bit: number
}

/** How the records of a family are laid out. */
export interface FamilyLayout {
  readonly kind: EventKind
  readonly code: number
  readonly columns: readonly (Leaf | Part)[]
  /** Words of what every record has, head included. */
  readonly words: number
  /** The first integer of 32 bits and the first code, in counts of their width from the start of the record. */
  readonly firstInt: number
  readonly firstByte: number
}

const BITS_MAX = 32
const lists = plainUnit<unknown>('list of rows')

/** The layouts by their codes. Code 0 has none. */
export const layouts: readonly (FamilyLayout | undefined)[] = layoutsByCode()

/** The layout of a family that is recorded. */
export function layoutOfFamily(kind: EventKind): FamilyLayout {
  const layout = layouts[recordCodes[kind] ?? PLACE_CODE]
  assert(layout !== undefined, `events of ${kind} are recorded`)
  return layout
}

function inOrder(codes: typeof eventCodes): typeof eventCodes {
  const entries = Object.entries(codes).sort(([, one], [, other]) => {
    // Codes are bytes: what has none comes last.
    return (one ?? 256) - (other ?? 256)
  })
  // It has the families that it was given.
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

/** How much of a record is laid out. */
interface Extent {
  doubles: number
  ints: number
  bytes: number
  bits: number
}

function familyLayout(kind: EventKind, code: number): FamilyLayout {
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
    // A list of rows is plain data.
    return layLeaf({ name, unit: unit ?? lists, absent }, extent, isOptional)
  })
}

function layLeaf(
  { name, unit, absent }: { readonly name: string; readonly unit: Unit<unknown>; readonly absent: unknown },
  extent: Extent,
  isOptional: boolean,
): Leaf {
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

/** The next place of a width. */
function next(extent: Extent, width: keyof Extent): number {
  extent[width] += 1
  return extent[width] - 1
}

/**
 * How records hold a column that a writer of a family treats by hand: at a place of its own in every record; by a bit, which
 * says if it is there or is all of it; behind the places of every record, without a bit; or as a row within the row.
 */
export type ColumnWay = 'place' | 'bit' | 'behind' | 'part'

/**
 * Says it of every column of a row, or of those of these names, so that a column of theirs that is new does not
 * compile until somebody says it. It is to be `satisfied`, so that names stay known.
 */
export type ColumnWays<Row, N extends keyof Row = keyof Row> = {
  readonly [Name in N]: ColumnWay
} & { readonly [Name in keyof Row]?: ColumnWay }

type NamesBy<W, Way extends ColumnWay> = {
  [N in keyof W]: W[N] extends Way ? N : never
}[keyof W]

/** Where a writer by hand finds columns. */
export interface HandColumns<W> {
  /** Places of columns that every record has, from the start of the record, in counts of their width. */
  readonly places: { readonly [N in NamesBy<W, 'place'>]: number }
  /** Bits of columns that records may leave out. */
  readonly bits: { readonly [N in NamesBy<W, 'bit'>]: number }
}

/** The columns of a family, or of a row within its rows, that a writer treats by hand; it asserts what is said of them. */
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
  // Each name stands where its way says.
  return { places, bits } as HandColumns<W>
}

function partOf({ columns }: FamilyLayout, name: string): Part {
  const column = columns.find((each) => each.name === name)
  assert(column !== undefined && !('unit' in column), `rows have a row ${name}`)
  return column
}

function wayOf(column: Leaf | Part): ColumnWay {
  if (column.bit !== 0) return 'bit'
  if (!('unit' in column)) return 'part'
  return column.place >= 0 ? 'place' : 'behind'
}

function placeOf({ firstInt, firstByte }: FamilyLayout, { form, place }: Leaf): number {
  if (typeof form !== 'string') return firstByte + place
  return form === 'int32' ? firstInt + place : place
}
