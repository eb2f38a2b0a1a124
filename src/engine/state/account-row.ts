/**
 * The row of an account: its settings, its live orders and their counts, its liquidations, and the margin state that is
 * more than sums over its holdings.
 */
import {
  cached,
  changing,
  derived,
  fixed,
  listOf,
  liveUnit,
  type OrderId,
  plainUnit,
  type RowOf,
  rowUnit,
  units,
} from '../../core/index.ts'
import { type Account, CURRENCY_SLOTS, type SelfMatchMode, type TriggerSource } from '../../model/index.ts'
import type { HoldingRow, PairRow } from './holding-row.ts'
import type { MmpGroup } from './mmp-group.ts'
import { standingFields } from './standing.ts'

export const liquidationFields = {
  /** The currency whose positions are closed, or `ALL_CURRENCIES` if the account's currencies share their margin. */
  currency: fixed(units.row),
  /** Number of rounds so far. */
  round: changing(units.count),
  /** True if the last round found no counterparty. The event for this is emitted once. */
  isStuck: changing(units.flag),
}

/** A liquidation in progress. */
export interface Liquidation extends RowOf<typeof liquidationFields> {}

/** Represents all currencies of an account that share their margin. */
export const ALL_CURRENCIES = -1

/** Margins in 1e-18 of a currency. */
export interface ExactMargin {
  readonly initial18: bigint
  readonly maintenance18: bigint
}

export const accountRiskFields = {
  /** Pairs of an account under portfolio margin, in the order in which they were created. */
  pairs: derived(fixed(liveUnit<PairRow[]>())),
  /** Exact margins of holdings, and their sums by currency, under cross standard margin; empty under other models. */
  exact: cached(fixed(liveUnit<Map<number, ExactMargin>>()), [
    'exchange.ledger',
    'exchange.margin',
    'instruments.mark',
    'instruments.risk',
  ]),
  exactTotals: cached(fixed(liveUnit<Map<number, ExactMargin>>()), ['accountRisks.exact']),
}

/** Margin of an account that is more than sums over its holdings. */
export interface AccountRisk extends RowOf<typeof accountRiskFields> {}

export const accountFields = {
  /** Replaced when the margin model of the account changes. */
  account: changing(plainUnit<Account>('account')),
  selfMatch: changing(plainUnit<SelfMatchMode>('self-match prevention')),
  /**
   * True if the mode also applies between this account and the other accounts of its main account that set this flag
   * (C27).
   */
  selfMatchExtended: changing(units.flag),
  subaccounts: derived(changing(units.count)),
  firstOrder: cached(changing(units.row), ['exchange.orders']),
  lastOrder: cached(changing(units.row), ['exchange.orders']),
  /** Number of orders in a book or on their way to it. */
  openTotal: derived(changing(units.count)),
  openFuture: derived(changing(units.count)),
  openOption: derived(changing(units.count)),
  openSpot: derived(changing(units.count)),
  /** Number of untriggered trigger orders, plus dormant secondaries that will become trigger orders. */
  openTriggers: derived(fixed(liveUnit<{ [S in TriggerSource]: number }>())),
  /** Number of its holdings. */
  holdings: derived(changing(units.count)),
  /** Its holdings of perpetuals, in the order in which they were created. */
  perpetuals: derived(fixed(liveUnit<HoldingRow[]>())),
  /** The perpetual holdings that may owe or receive funding: open positions whose rate is or was not 0. In no order. */
  fundable: cached(fixed(liveUnit<HoldingRow[]>()), ['exchange.ledger', 'funding.excess', 'holdings.funded']),
  /** Number of dormant secondaries outside spot. `openSpotSecondaries` counts those in spot. */
  openSecondaries: derived(changing(units.count)),
  openSpotSecondaries: derived(changing(units.count)),
  /** Its liquidations in progress. During a liquidation the account cannot place, edit or cancel orders. */
  liquidations: changing(listOf(rowUnit('liquidation', liquidationFields))),
  /** Margin state in addition to its holdings and wallets. */
  risk: derived(changing(liveUnit<AccountRisk>())),
  standing: fixed(rowUnit('settings', standingFields)),
  /**
   * True if the account is being liquidated, or has a lock or a disabled product. Orders of unrestricted accounts skip
   * these checks.
   */
  isRestricted: derived(changing(units.flag)),
  /** Its groups of market-maker protection, in the order of their numbers. */
  mmpGroups: derived(fixed(liveUnit<MmpGroup[]>())),
  /** Its live orders of direct access, by the client's order id. */
  clientOrders: derived(fixed(liveUnit<Map<string, OrderId>>())),
}

/** An account with its settings, its live orders in the order of their creation, and their counts. */
export interface AccountRow extends RowOf<typeof accountFields> {}

/** The wallet row of an account and currency. */
export function walletRowOf(account: number, currency: number): number {
  return account * CURRENCY_SLOTS + currency
}
