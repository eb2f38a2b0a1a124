/**
 * The row of an account: its settings, its live orders and their counts, its liquidations, and the margin
 * state that is more than sums over its holdings.
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
  /** The currency whose positions are closed, or `ALL_CURRENCIES` where they share their margin. */
  currency: fixed(units.row),
  /** Rounds so far. */
  round: changing(units.count),
  /** The last round found nobody to trade with, which is told once. */
  isStuck: changing(units.flag),
}

/** A liquidation that is going on. */
export interface Liquidation extends RowOf<typeof liquidationFields> {}

/** Stands for all currencies of an account that share their margin. */
export const ALL_CURRENCIES = -1

/** Margins in 1e-18 of a currency. */
export interface ExactMargin {
  readonly initial18: bigint
  readonly maintenance18: bigint
}

export const accountRiskFields = {
  /** Pairs of an account under portfolio margin, in the order in which they arose. */
  pairs: derived(fixed(liveUnit<PairRow[]>())),
  /** Exact margins of holdings and their sums by currency under cross standard margin, else empty. */
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
  /** Another one once its margin model changed. */
  account: changing(plainUnit<Account>('account')),
  selfMatch: changing(plainUnit<SelfMatchMode>('self-match prevention')),
  /** Its mode holds for all accounts of the same main account that say so too (C27). */
  selfMatchExtended: changing(units.flag),
  subaccounts: derived(changing(units.count)),
  firstOrder: cached(changing(units.row), ['exchange.orders']),
  lastOrder: cached(changing(units.row), ['exchange.orders']),
  /** Orders in a book or on their way to it. */
  openTotal: derived(changing(units.count)),
  openFuture: derived(changing(units.count)),
  openOption: derived(changing(units.count)),
  openSpot: derived(changing(units.count)),
  /** Trigger orders that wait, and dormant secondaries that will be such. */
  openTriggers: derived(fixed(liveUnit<{ [S in TriggerSource]: number }>())),
  /** How many holdings it has. */
  holdings: derived(changing(units.count)),
  /** Its holdings of perpetuals, in the order in which they arose. */
  perpetuals: derived(fixed(liveUnit<HoldingRow[]>())),
  /** Those of them that funding may be due of, in no order: open positions whose funding runs or ran. */
  fundable: cached(fixed(liveUnit<HoldingRow[]>()), ['exchange.ledger', 'funding.excess', 'holdings.funded']),
  /** Dormant secondaries, those of spot apart. */
  openSecondaries: derived(changing(units.count)),
  openSpotSecondaries: derived(changing(units.count)),
  /** Its liquidations that are going on; while there is one, it may do nothing by itself. */
  liquidations: changing(listOf(rowUnit('liquidation', liquidationFields))),
  /** Margin state beyond its holdings and wallets. */
  risk: derived(changing(liveUnit<AccountRisk>())),
  standing: fixed(rowUnit('settings', standingFields)),
  /** It is being liquidated, or something of it is locked or switched off; orders of others need not look. */
  isRestricted: derived(changing(units.flag)),
  /** Its groups of market-maker protection, in the order of their numbers. */
  mmpGroups: derived(fixed(liveUnit<MmpGroup[]>())),
  /** Its live orders of direct access by what its client calls them. */
  clientOrders: derived(fixed(liveUnit<Map<string, OrderId>>())),
}

/** An account with its settings, its live orders in the order of their creation, and their counts. */
export interface AccountRow extends RowOf<typeof accountFields> {}

/** The wallet row of an account and currency. */
export function walletRowOf(account: number, currency: number): number {
  return account * CURRENCY_SLOTS + currency
}
