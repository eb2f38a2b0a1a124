/**
 * The history as plain data for snapshots, and back: maps as lists of entries.
 */
import type { AccountId, InstrumentId, Micros, OrderId } from '../../core/index.ts'
import type {
  Currency,
  DeliveryPriceFixed,
  EventOf,
  HistoryLimits,
  Instrument,
  OrderChanged,
  TapeTrade,
} from '../../model/index.ts'
import type { Candle } from './candles.ts'
import { type CutsState, restoreCuts, snapshotCuts } from './cuts.ts'
import type { History, UserTrade } from './history.ts'
import type { Interest, Transaction } from './log/transactions.ts'
import type { RateSeries, Series } from './series.ts'
import { restoreMessages, type SessionMessagesState, snapshotMessages } from './session-messages.ts'
import type { AccountSettlement, PublicSettlement } from './settlements.ts'

type Entries<K, V> = readonly (readonly [K, V])[]

/** A history as plain data. */
export interface HistoryState {
  readonly limits: HistoryLimits
  readonly instruments: Entries<InstrumentId, Instrument>
  readonly houses: readonly AccountId[]
  readonly opened: Entries<AccountId, Micros>
  readonly trades: Entries<InstrumentId, readonly TapeTrade[]>
  readonly userTrades: Entries<AccountId, readonly UserTrade[]>
  readonly orders: Entries<OrderId, OrderChanged>
  readonly ended: readonly OrderId[]
  readonly candles: Entries<InstrumentId, readonly Candle[]>
  readonly settlements: Entries<Currency, readonly PublicSettlement[]>
  readonly accountSettlements: Entries<AccountId, readonly AccountSettlement[]>
  readonly deliveries: Entries<string, readonly DeliveryPriceFixed[]>
  readonly indices: Entries<string, Series>
  readonly marks: Entries<InstrumentId, Series>
  readonly funding: Entries<InstrumentId, RateSeries>
  readonly transactions: Entries<AccountId, readonly Transaction[]>
  readonly counts: Entries<AccountId, number>
  readonly interest: Entries<AccountId, Entries<InstrumentId, Interest>>
  readonly count: number
  readonly transfers: Entries<AccountId, readonly EventOf<'transfer'>[]>
  readonly messages: SessionMessagesState
  readonly cuts: CutsState
}

/** The history as plain data for a snapshot. */
export function snapshotHistory(history: History): HistoryState {
  const { settlements, transactions } = history
  return {
    limits: history.limits,
    instruments: [...history.instruments],
    houses: [...history.houses],
    opened: [...history.opened],
    trades: [...history.trades],
    userTrades: [...history.userTrades],
    orders: [...history.orders],
    ended: history.ended,
    candles: [...history.candles],
    settlements: [...settlements.byCurrency],
    accountSettlements: [...settlements.byAccount],
    deliveries: [...settlements.deliveries],
    indices: [...history.indices],
    marks: [...history.marks],
    funding: [...history.funding],
    transactions: [...transactions.rows],
    counts: [...transactions.counts],
    interest: [...transactions.interest].map(([account, own]) => [account, [...own]] as const),
    count: transactions.count,
    transfers: [...history.transfers],
    messages: snapshotMessages(history.messages),
    cuts: snapshotCuts(history.cuts),
  }
}

/** The history of a snapshot. */
export function restoreHistory(state: HistoryState): History {
  return {
    limits: state.limits,
    instruments: new Map(state.instruments),
    houses: new Set(state.houses),
    opened: new Map(state.opened),
    trades: listsOf(state.trades),
    userTrades: listsOf(state.userTrades),
    orders: new Map(state.orders),
    ended: [...state.ended],
    candles: new Map(state.candles.map(([key, list]) => [key, list.map((each) => ({ ...each }))])),
    settlements: {
      byCurrency: listsOf(state.settlements),
      byAccount: listsOf(state.accountSettlements),
      deliveries: listsOf(state.deliveries),
    },
    indices: new Map(state.indices.map(([key, series]) => [key, seriesOf(series)])),
    marks: new Map(state.marks.map(([key, series]) => [key, seriesOf(series)])),
    funding: new Map(
      state.funding.map(([key, series]) => [key, { ...seriesOf(series), sums: [...series.sums] }]),
    ),
    transactions: {
      limit: state.limits.transactions,
      rows: listsOf(state.transactions),
      counts: new Map(state.counts),
      interest: new Map(
        state.interest.map(([account, own]) => [
          account,
          new Map(own.map(([instrument, interest]) => [instrument, { ...interest }])),
        ]),
      ),
      count: state.count,
    },
    transfers: listsOf(state.transfers),
    messages: restoreMessages(state.messages),
    cuts: restoreCuts(state.cuts),
  }
}

function listsOf<K, T>(entries: Entries<K, readonly T[]>): Map<K, T[]> {
  return new Map(entries.map(([key, list]) => [key, [...list]]))
}

function seriesOf({ knownFrom, times, values }: Series): Series {
  return { knownFrom, times: [...times], values: [...values] }
}
