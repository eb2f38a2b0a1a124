/**
 * Mapping of the columns of recorded text to their roles, units and words, before that is compared with a header: a
 * format publishes it, or a person describes it (`columns.ts`).
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
  /** The id of a trade: a number that rises, or any text that is its own. */
  tradeId: 8,
  sequence: 9,
  previousSequence: 10,
  /** The exchange, whose name may tell what its ids count. */
  exchange: 11,
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
  /** The only other word beside `snapshotWord`; null where any other means a change. */
  readonly changeWord: string | null
  /** The count that ids of trades give; `by_exchange` where the rows name an exchange that tells. */
  readonly idScope: IdScope | 'by_exchange'
  readonly columns: readonly MappedColumn[]
  /** Columns whose word, or any text where it is null, tells a trade that is left out. */
  readonly leaveOut: readonly { readonly column: string; readonly word: string | null }[]
}

/** The usual words of sides, by what rows tell; rows of an index have none. */
export const sideWords: {
  readonly [K in MarketKind]: Pick<Mapping, 'buyWord' | 'sellWord'>
} = {
  trades: { buyWord: 'buy', sellWord: 'sell' },
  book: { buyWord: 'bid', sellWord: 'ask' },
  index: { buyWord: 'buy', sellWord: 'sell' },
}

/** The mapping that a person described. */
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
