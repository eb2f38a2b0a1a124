/**
 * The row of an account: its settings, its live orders and their counts, its liquidations, and the margin
 * state that is more than sums over its holdings.
 */
import type { OrderId } from '../../core/index.ts'
import {
  type Account,
  CURRENCY_SLOTS,
  type SelfMatchMode,
  type TriggerSource,
} from '../../model/index.ts'
import type { HoldingRow, PairRow } from './holding-row.ts'
import type { MmpGroup } from './mmp-group.ts'
import type { AccountStanding } from './standing.ts'

/** An account with its settings, its live orders in the order of their creation, and their counts. */
export interface AccountRow {
  readonly account: Account
  selfMatch: SelfMatchMode
  /** Whether that holds for all accounts of the same main account that say so too (C27). */
  selfMatchExtended: boolean
  /** How many subaccounts it has. */
  subaccounts: number
  firstOrder: number
  lastOrder: number
  /** Orders in a book or on their way to it. */
  openTotal: number
  openFuture: number
  openOption: number
  openSpot: number
  /** Trigger orders that wait, and dormant secondaries that will be such. */
  readonly openTriggers: { [S in TriggerSource]: number }
  /** Its holdings of perpetuals, in the order in which they arose. */
  readonly perpetuals: HoldingRow[]
  /** Dormant secondaries, those of spot apart. */
  openSecondaries: number
  openSpotSecondaries: number
  /** Its liquidations that are going on; while there is one, it may do nothing by itself. */
  liquidations: Liquidation[]
  /** What margin knows of it beside its holdings and wallets. */
  readonly risk: AccountRisk
  readonly standing: AccountStanding
  /** Its groups of market-maker protection, in the order of their numbers. */
  readonly mmpGroups: MmpGroup[]
  /** Its live orders of direct access by what its client calls them. */
  readonly clientOrders: Map<string, OrderId>
}

/** A liquidation that is going on. */
export interface Liquidation {
  /** The currency whose positions are closed, or `ALL_CURRENCIES` where they share their margin. */
  readonly currency: number
  /** Rounds so far. */
  round: number
  /** Whether the last round found nobody to trade with, which is told once. */
  isStuck: boolean
}

/** Stands for all currencies of an account that share their margin. */
export const ALL_CURRENCIES = -1

/** Margin of an account that is more than sums over its holdings. */
export interface AccountRisk {
  /** Whether all of its currencies share their margin. */
  readonly isCross: boolean
  /** Whether it has portfolio margin. */
  readonly isPortfolio: boolean
  /** Of portfolio margin its pairs, in the order in which they arose. */
  readonly pairs: PairRow[]
  /** Of cross standard margin the exact margins of its holdings and their sums by currency, else empty. */
  readonly exact: Map<number, ExactMargin>
  readonly exactTotals: Map<number, ExactMargin>
}

/** Margins in 1e-18 of a currency. */
export interface ExactMargin {
  readonly initial18: bigint
  readonly maintenance18: bigint
}

/** The wallet row of an account and currency. */
export function walletOf(account: number, currency: number): number {
  return account * CURRENCY_SLOTS + currency
}
