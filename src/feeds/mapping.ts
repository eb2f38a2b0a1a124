/**
 * Maps the columns of recorded text to roles, units and words, before the mapping is compared with a header. A format
 * publishes the mapping, or a user describes it (`columns.ts`).
 */
import type { MarketKind } from '../model/index.ts'
import type { IdScope } from './batch.ts'
import type { FeedColumns } from './columns.ts'

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

/** The name of a role. */
export type RoleName = keyof typeof columnRole

/** All roles. */
// The keys are those of the constant in this file.
export const roleNames = Object.keys(columnRole) as readonly RoleName[]

/** Units of time, with the number of decimal places down to a microsecond. */
export const unitDigits = { s: 6, ms: 3, us: 0, ns: -3 } as const

/** A unit of time; `iso` means texts in ISO 8601. */
export type TimeUnit = keyof typeof unitDigits | 'iso'

/** The use of a column that a mapping names. */
export type MappedColumn = readonly [role: RoleName, name: string]

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

/** The usual words of sides for each kind of rows; rows of an index have no side. */
export const sideWords: {
  readonly [K in MarketKind]: Pick<Mapping, 'buyWord' | 'sellWord'>
} = {
  trades: { buyWord: 'buy', sellWord: 'sell' },
  book: { buyWord: 'bid', sellWord: 'ask' },
  index: { buyWord: 'buy', sellWord: 'sell' },
}

/** The mapping in a user's description. */
export function mappingOfColumns(columns: FeedColumns): Mapping {
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
