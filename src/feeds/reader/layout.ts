/**
 * The layout of a file: what each of its columns is for, found by comparing its header with its format.
 */
import { err, type InputError, nearest, ok, type Result } from '../../core/index.ts'
import type { MarketKind } from '../../model/index.ts'
import type { FeedColumns } from '../columns.ts'
import { type TextFormat, tardisFormats } from '../format.ts'

/** What a column is for. */
export const columnRole = {
  skipped: 0,
  symbol: 1,
  time: 2,
  localTime: 3,
  snapshot: 4,
  side: 5,
  price: 6,
  /** Of an index the mark price of its instrument. */
  amount: 7,
  /** The id of a trade: a number that rises, or any text. */
  tradeId: 8,
  sequence: 9,
  previousSequence: 10,
} as const

/** The name of a role. */
export type RoleName = keyof typeof columnRole

/** All roles. */
// The keys of a constant of this file.
export const roleNames = Object.keys(columnRole) as readonly RoleName[]

/** Units of time, and the decimal places that a microsecond has in them. */
export const unitDigits = { s: 6, ms: 3, us: 0, ns: -3 } as const

/** A unit of time; `iso` stands for texts of ISO 8601. */
export type TimeUnit = keyof typeof unitDigits | 'iso'

/** What the columns of a file are for, and the words in them. */
export interface FeedLayout {
  readonly kind: MarketKind
  readonly delimiter: string
  /** Names of the columns, as in the header. */
  readonly names: readonly string[]
  /** The place of the column of a role, from 0; -1 where there is none. */
  readonly at: Readonly<Record<RoleName, number>>
  readonly timeUnit: TimeUnit
  readonly localTimeUnit: TimeUnit
  readonly buyWord: string
  readonly sellWord: string
  readonly snapshotWord: string
  /** The only other word beside `snapshotWord`; null where any other means a change. */
  readonly changeWord: string | null
}

/** How a text file is laid out, as the person who names it says. */
export interface FeedText {
  readonly format: TextFormat
  /** The mapping of a file of format `csv`; null in all other formats. */
  readonly columns: FeedColumns | null
}

/** What a mapping says before it is compared with a header. */
interface Mapping extends Omit<FeedLayout, 'names' | 'at'> {
  readonly columns: readonly (readonly [role: RoleName, name: string])[]
}

/** The delimiter of a file. */
export function delimiterOf(text: FeedText): string {
  return text.columns?.delimiter ?? ','
}

/** The layout of a file with this header, or what is wrong with the header. */
export function layoutOf(
  text: FeedText,
  header: readonly string[],
  file: string,
): Result<FeedLayout, InputError> {
  const mapping = mappingOf(text)
  if (text.format !== 'csv') {
    const expected = tardisFormats[text.format].header.join(',')
    const found = header.join(',')
    if (found !== expected) {
      return err({ file, line: 1, expected: `the header ${expected}`, found: shortened(found) })
    }
  }
  const at = Object.fromEntries(roleNames.map((role) => [role, -1]))
  const taken = new Map<string, RoleName>()
  for (const [role, name] of mapping.columns) {
    const column = header.indexOf(name)
    if (column < 0) return err(missingColumn(name, header, file))
    const found = header.lastIndexOf(name) !== column ? 'two of them' : taken.get(name)
    if (found !== undefined) {
      const expected = 'a column of its own for each use'
      return err({ file, line: 1, path: name, expected, found: `${found}` })
    }
    taken.set(name, role)
    at[role] = column
  }
  const { columns: _, ...rest } = mapping
  // Every role has just been given a place, or -1.
  return ok({ ...rest, names: header, at: at as Record<RoleName, number> })
}

function mappingOf({ format, columns }: FeedText): Mapping {
  if (columns !== null) return mappingOfColumns(columns)
  if (format === 'csv') throw new RangeError('a file of format csv has a mapping')
  const { kind } = tardisFormats[format]
  return {
    kind,
    delimiter: ',',
    timeUnit: 'us',
    localTimeUnit: 'us',
    ...wordsOf(kind),
    snapshotWord: 'true',
    changeWord: 'false',
    columns: tardisColumns[kind],
  }
}

const tardisTimes = [
  ['symbol', 'symbol'],
  ['time', 'timestamp'],
  ['localTime', 'local_timestamp'],
] as const

const tardisValues = [
  ['side', 'side'],
  ['price', 'price'],
  ['amount', 'amount'],
] as const

const tardisColumns: { readonly [K in MarketKind]: Mapping['columns'] } = {
  trades: [...tardisTimes, ['tradeId', 'id'], ...tardisValues],
  book: [...tardisTimes, ['snapshot', 'is_snapshot'], ...tardisValues],
  index: [...tardisTimes, ['price', 'index_price'], ['amount', 'mark_price']],
}

function mappingOfColumns(columns: FeedColumns): Mapping {
  const { kind, timestamp, local_timestamp: local, side, is_snapshot: snapshot } = columns
  const optional: readonly (readonly [RoleName, string | undefined])[] = [
    ['symbol', columns.symbol],
    ['localTime', local === undefined ? undefined : nameOf(local)],
    ['side', side === undefined || kind === 'index' ? undefined : nameOf(side)],
    ['amount', kind === 'index' ? columns.mark : columns.amount],
    ['snapshot', snapshot === undefined || kind !== 'book' ? undefined : nameOf(snapshot)],
    [kind === 'trades' ? 'tradeId' : 'sequence', columns.sequence],
    ['previousSequence', kind === 'trades' ? undefined : columns.previous_sequence],
  ]
  const words = typeof side === 'object' ? { buyWord: side.buy, sellWord: side.sell } : {}
  return {
    kind,
    delimiter: columns.delimiter ?? ',',
    ...wordsOf(kind),
    ...words,
    timeUnit: typeof timestamp === 'object' ? timestamp.unit : 'us',
    localTimeUnit: typeof local === 'object' ? local.unit : 'us',
    snapshotWord: typeof snapshot === 'object' ? snapshot.word : 'true',
    changeWord: null,
    columns: [
      ['time', nameOf(timestamp)],
      ['price', columns.price],
      ...optional.flatMap(([role, name]) => (name === undefined ? [] : [[role, name] as const])),
    ],
  }
}

function nameOf(column: string | { readonly column: string }): string {
  return typeof column === 'string' ? column : column.column
}

function wordsOf(kind: MarketKind): { readonly buyWord: string; readonly sellWord: string } {
  return kind === 'book'
    ? { buyWord: 'bid', sellWord: 'ask' }
    : { buyWord: 'buy', sellWord: 'sell' }
}

function missingColumn(name: string, header: readonly string[], file: string): InputError {
  const meant = nearest(name, header)
  return {
    file,
    line: 1,
    expected: `a column ${name}`,
    found: shortened(header.join(',')),
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  }
}

const FOUND_LENGTH_MAX = 200

/** A text for a message, cut where it is too long to read. */
export function shortened(text: string): string {
  return text.length <= FOUND_LENGTH_MAX ? text : `${text.slice(0, FOUND_LENGTH_MAX)}…`
}
