/**
 * The result tables: one constant for each, with the name, type, unit and meaning of every column in their order. Row
 * types, column arrays, digests and Arrow fields all derive from these constants.
 *
 * Conventions:
 * - `time` is virtual time in microseconds, `event` the number of the event, `cause` the sequence of the request that
 *   caused it. Rows are in the order of their events.
 * - Prices, amounts and money are integers of 10^-9 (`scale: 9`). Amounts are in the instrument's amount unit (USD for
 *   inverse futures, otherwise the base coin), money in the named currency.
 * - Order and trade ids are numbers that count within a settlement currency, named by `currency`; the wire shows the
 *   same number after a prefix.
 * - `instrument` and `account` are the names for `instrument_id` (as on the wire) and `account_id`. They are `derived`:
 *   looked up when a table is read or written, and neither stored nor hashed, because `instruments` and `accounts` are
 *   hashed.
 *
 * A change of a table's columns or of a vocabulary's codes increases its `version`.
 */
import type { ColumnType } from './column-schema.ts'
import { blockTable, rfqTables } from './tables/block-tables.ts'
import { moneyTables, walletTable } from './tables/money-tables.ts'
import { riskTables } from './tables/risk-tables.ts'
import { metricTable, seriesTables } from './tables/series-tables.ts'
import { standingTables } from './tables/standing-tables.ts'
import { tradingTables } from './tables/trading-tables.ts'

/** All result tables by name. */
export const tableSchemas = {
  instruments: standingTables.instruments,
  accounts: standingTables.accounts,
  trades: tradingTables.trades,
  orders: tradingTables.orders,
  fills: tradingTables.fills,
  positions: standingTables.positions,
  equity: standingTables.equity,
  cash: standingTables.cash,
  given_positions: standingTables.given_positions,
  rejects: tradingTables.rejects,
  marks: moneyTables.marks,
  states: standingTables.states,
  funding_rates: moneyTables.funding_rates,
  funding: moneyTables.funding,
  settlements: moneyTables.settlements,
  liquidations: riskTables.liquidations,
  protections: riskTables.protections,
  blocks: blockTable,
  wallet: walletTable,
  rfqs: rfqTables.rfqs,
  rfq_quotes: rfqTables.rfq_quotes,
  feed_quality: standingTables.feed_quality,
  metrics: metricTable,
  book: tradingTables.book,
  quotes: seriesTables.quotes,
  book_snapshots: seriesTables.book_snapshots,
  bars: seriesTables.bars,
} as const

/** The name of a result table. */
export type TableName = keyof typeof tableSchemas

type SchemaColumn<Name extends TableName> = (typeof tableSchemas)[Name]['columns'][number]

/** The stored columns of a table, by name. */
export type StoredColumn<Name extends TableName> = Extract<SchemaColumn<Name>, { readonly derivedFrom: null }>

/** A value of a column in its exact form; null only in a nullable column. */
type ExactCell<Type extends ColumnType, Word extends string> = {
  readonly int64: bigint
  readonly time: bigint
  readonly int32: number
  readonly float64: number
  readonly boolean: boolean
  readonly dictionary: Word
  readonly utf8: string
}[Type]

/** A row of a table in its exact form, including derived columns. */
export type ExactRow<Name extends TableName> = {
  readonly [C in SchemaColumn<Name> as C['name']]:
    | ExactCell<C['type'], C['words'][number]>
    | (C['nullable'] extends true ? null : never)
}

/** The names of all tables in the order above. The keys of an object have the type string, so a cast is needed. */
export const tableNames = /* @__PURE__ */ Object.keys(tableSchemas) as readonly TableName[]

/** The wire id of the first listed instrument; ids within a run count from 0. */
export const WIRE_INSTRUMENT_ID_MIN = 1000
