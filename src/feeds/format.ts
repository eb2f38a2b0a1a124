/**
 * Formats of recorded files. Each is one object; its key is the name in scenarios, tapes and flags. Readers, checks and
 * exports use the object and never compare the name.
 *
 * Source: docs.tardis.dev, "Downloadable CSV files", data types; headers as in its sample files.
 */

import { assert, err, ok, type Result } from '../core/index.ts'
import { type MarketKind, marketKinds } from '../model/index.ts'
import type { IdScope } from './batch.ts'
import type { FeedColumns } from './columns.ts'

/** A format whose files all have the same header, which identifies it. */
interface PublishedText {
  readonly columns: 'published'
  readonly header: readonly string[]
  readonly mapping: Mapping
}

/** A format whose columns the user describes for each file. */
interface DescribedText {
  readonly columns: 'described'
}

/** The name of a role. */
export type RoleName = keyof typeof columnRole

/** A unit of time; `iso` means texts in ISO 8601. */
export type TimeUnit = keyof typeof unitDigits | 'iso'

/** The use of a column that a mapping names. */
type MappedColumn = readonly [role: RoleName, name: string]

/** A mapping of columns to their uses. */
export interface Mapping {
  readonly kind: MarketKind
  readonly delimiter: string
  readonly timeUnit: TimeUnit
  readonly localTimeUnit: TimeUnit
  readonly buyWord: string
  readonly sellWord: string
  readonly snapshotWord: string
  /** The only word besides `snapshotWord`; null if any other word means a change. */
  readonly changeWord: string | null
  /** The sequence of trade ids; `by_exchange` if the exchange named in the rows determines it. */
  readonly idScope: IdScope | 'by_exchange'
  readonly columns: readonly MappedColumn[]
  /** Columns that mark trades to skip: by this word, or by any text if the word is null. */
  readonly leaveOut: readonly { readonly column: string; readonly word: string | null }[]
}

/** The roles of columns. */
export const columnRole = {
  skipped: 0,
  symbol: 1,
  time: 2,
  localTime: 3,
  snapshot: 4,
  side: 5,
  price: 6,
  /** The mark price of an index row's instrument. */
  amount: 7,
  /** The id of a trade: an increasing number, or any unique text. */
  tradeId: 8,
  sequence: 9,
  previousSequence: 10,
  /** The exchange, whose name may determine the sequence of trade ids. */
  exchange: 11,
} as const

/** All roles. */
// The keys are those of the constant in this file.
export const roleNames = Object.keys(columnRole) as readonly RoleName[]

/** Units of time, with the number of decimal places down to a microsecond. */
export const unitDigits = { s: 6, ms: 3, us: 0, ns: -3 } as const

/** The usual words of sides for each kind of rows; rows of an index have no side. */
export const sideWords: {
  readonly [K in MarketKind]: Pick<Mapping, 'buyWord' | 'sellWord'>
} = {
  trades: { buyWord: 'buy', sellWord: 'sell' },
  book: { buyWord: 'bid', sellWord: 'ask' },
  index: { buyWord: 'buy', sellWord: 'sell' },
}

/**
 * Exchanges whose trade ids count all trades of a currency. Source: docs.deribit.com, `trade_id`: unique within a
 * currency.
 */
const exchangesOfCurrencyIds: readonly string[] = ['deribit']

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

const textFormatTable = {
  'tardis.trades': tardis(
    'trades',
    ['exchange', 'symbol', 'timestamp', 'local_timestamp', 'id', 'side', 'price', 'amount'],
    [['exchange', 'exchange'], ...tardisTimes, ['tradeId', 'id'], ...tardisValues],
  ),
  'tardis.incremental_book_L2': tardis(
    'book',
    ['exchange', 'symbol', 'timestamp', 'local_timestamp', 'is_snapshot', 'side', 'price', 'amount'],
    [...tardisTimes, ['snapshot', 'is_snapshot'], ...tardisValues],
  ),
  'tardis.derivative_ticker': tardis(
    'index',
    [
      'exchange',
      'symbol',
      'timestamp',
      'local_timestamp',
      'funding_timestamp',
      'funding_rate',
      'predicted_funding_rate',
      'open_interest',
      'last_price',
      'index_price',
      'mark_price',
    ],
    [...tardisTimes, ['price', 'index_price'], ['amount', 'mark_price']],
  ),
  csv: { columns: 'described' },
} as const satisfies Readonly<Record<string, PublishedText | DescribedText>>

/** A format of recorded text. */
export type TextFormat = keyof typeof textFormatTable

/** Names of the text formats, as in scenarios. */
// The keys are those of the constant in this file.
export const textFormats = Object.keys(textFormatTable) as readonly TextFormat[]

/** A format of recorded files; `tape` is the output of `pitclock convert`. */
export type FeedFormat = TextFormat | 'tape'

/** All formats, for checks of user input. */
export const feedFormats: readonly FeedFormat[] = [...textFormats, 'tape']

/** The format of a file with a description of columns but without a named format. */
export const describedFormat: TextFormat = 'csv'

/** A format whose files all have the same header. */
export type PublishedFormat = {
  [F in TextFormat]: (typeof textFormatTable)[F] extends PublishedText ? F : never
}[TextFormat]

/** The layout of a text file according to its user. */
export interface FeedText {
  readonly format: TextFormat
  /** The columns of a file whose format needs a description; null in all other formats. */
  readonly columns: FeedColumns | null
}

/** Returns true if files of a format are read with a description of their columns. */
export function needsColumns(format: FeedFormat): boolean {
  return format !== 'tape' && termsOf(format).columns === 'described'
}

/** The header of a format, or null if each file has a different one. */
export function headerOf(format: PublishedFormat): readonly string[]

export function headerOf(format: TextFormat): readonly string[] | null

export function headerOf(format: TextFormat): readonly string[] | null {
  const terms = termsOf(format)
  return terms.columns === 'published' ? terms.header : null
}

/** Formats that are identified by their header. */
export const publishedFormats: readonly TextFormat[] = textFormats.filter((format) => headerOf(format) !== null)

/** The format with this header line, or undefined. */
export function formatOfHeader(header: string): TextFormat | undefined {
  const line = header.replace(/^\uFEFF/, '').replace(/\r$/, '')
  return publishedFormats.find((format) => headerOf(format)?.join(',') === line)
}

/** The kind of market data in the rows of a file; undefined if its column description lacks the kind. */
export function kindOfText(format: TextFormat, columns: { readonly kind?: unknown } | null): MarketKind | undefined {
  const terms = termsOf(format)
  if (terms.columns === 'published') return terms.mapping.kind
  return marketKinds.find((kind) => kind === columns?.kind)
}

/** The mapping of the columns of a file. */
export function mappingOf({ format, columns }: FeedText): Mapping {
  const terms = termsOf(format)
  if (terms.columns === 'published') return terms.mapping
  assert(columns !== null, `the columns of a file of format ${format} are described`)
  return mappingOfColumns(columns)
}

/**
 * The format from the name or from the mapping of columns; null without both.
 *
 * @example
 * console.log(formatOfFlags('no_such_format', null).ok) // false
 */
export function formatOfFlags(
  named: string | undefined,
  columns: FeedColumns | null,
): Result<FeedFormat | null, string> {
  const format = feedFormats.find((each) => each === named) ?? null
  if (named !== undefined && format === null) {
    return err(`expected one of the formats ${feedFormats.join(', ')}, found ${named}`)
  }
  const isDescribed = format !== null && needsColumns(format)
  if (columns === null && isDescribed) return err(`format ${format} requires columns`)
  if (columns !== null && format !== null && !isDescribed) {
    return err(`expected columns only with format ${describedFormat}, found format ${format}`)
  }
  return ok(columns === null ? format : (format ?? describedFormat))
}

/** The sequence of trade ids in a file with this mapping whose rows name this exchange. */
export function idScopeOf(scope: Mapping['idScope'], exchange: string): IdScope {
  if (scope !== 'by_exchange') return scope
  return exchangesOfCurrencyIds.includes(exchange) ? 'currency' : 'instrument'
}

function termsOf(format: TextFormat): PublishedText | DescribedText {
  return textFormatTable[format]
}

/** A format of Tardis: commas, microseconds, and a word for each of the two kinds of book rows. */
function tardis(kind: MarketKind, header: readonly string[], columns: readonly MappedColumn[]): PublishedText {
  return {
    columns: 'published',
    header,
    mapping: {
      kind,
      delimiter: ',',
      timeUnit: 'us',
      localTimeUnit: 'us',
      ...sideWords[kind],
      snapshotWord: 'true',
      changeWord: 'false',
      idScope: 'by_exchange',
      leaveOut: [],
      columns,
    },
  }
}

/**
 * Maps the columns of recorded text to roles, units and words, before the mapping is compared with a header. A format
 * publishes the mapping, or a user describes it (`columns.ts`).
 */

/** The mapping in a user's description. */
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
    ...sideWords[kind],
    ...words,
    timeUnit: typeof timestamp === 'object' ? timestamp.unit : 'us',
    localTimeUnit: typeof local === 'object' ? local.unit : 'us',
    snapshotWord: typeof snapshot === 'object' ? snapshot.word : 'true',
    changeWord: null,
    idScope: columns.ids ?? 'instrument',
    leaveOut: (columns.leave_out ?? []).map((each) => (typeof each === 'string' ? { column: each, word: null } : each)),
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
