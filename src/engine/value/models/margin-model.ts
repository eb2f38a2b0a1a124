/**
 * The interface of margin models. The venue has four: margin is that of each position or nets the positions of an
 * index (standard, portfolio), and it is of each currency or of all together in USD (segregated, cross). Each model
 * is an object of its own; `margin-models.ts` has them by their words.
 *
 * Source: market.md 6.1-6.5.
 */
import type { Nano, Price9 } from '../../../core/index.ts'
import type { CrossPart, CrossTotals, HeldSizes } from '../../../margin/index.ts'
import type { Currency, Side } from '../../../model/index.ts'
import type { AccountRow, Exchange, HoldingRow, InstrumentRow } from '../../state/index.ts'
import type { WalletState } from '../wallet-state.ts'

/** Margins of a currency, in nano. */
export interface OwnMargins {
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
}

/** Initial and maintenance margin. */
export type MarginNeed = Pick<OwnMargins, 'initial' | 'maintenance'>

/** Orders opened on an instrument: lots on each side, and the cost of its buys, in nano. */
export interface Opened {
  readonly row: InstrumentRow
  buys: number
  sells: number
  /** Cost of buys of options whose orders reserve a premium, and their size. */
  cost: bigint
  costLots: number
}

/** A position that an account takes over (positive: long) or gives. Its instrument has a mark. */
export interface Moved {
  readonly row: InstrumentRow
  readonly lots: number
  readonly price: Price9
}

/** A holding as margin counts it. */
export interface Counted {
  readonly owner: HoldingRow
  readonly sizes: HeldSizes
}

/** A leg of an order as its margin sees it; `cost` is what it pays of a premium by itself. */
export interface Need {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
  readonly cost: bigint
}

/** Share of a currency in a margin that all currencies share. */
export type SharedPart = CrossPart & { readonly currency: Currency }

/** The margin of all currencies together, in 1e-9 USD. */
export interface SharedMargin {
  /** The currencies that the account has something of. */
  parts(exchange: Exchange, owner: AccountRow): readonly SharedPart[]
  totals(exchange: Exchange, owner: AccountRow): CrossTotals
}

/** A margin model. Money is in nano of the currency asked about, or in 1e-9 USD where all share their margin. */
export interface MarginModelRules {
  /** Null where each currency has a margin of its own. */
  readonly shared: SharedMargin | null
  /** Margins of a currency are sums over its holdings that are kept up to date, and nothing else. */
  readonly isSummed: boolean
  /**
   * Positions of an index are margined together, with what options are worth: then options may be protected as a
   * market maker's, their orders reserve no premium, and an order may be worth relief.
   */
  readonly netsPositions: boolean
  /** Margins of one currency by itself, which bind where each has its own; else the programme alone asks for them. */
  margins(exchange: Exchange, owner: AccountRow, state: WalletState): OwnMargins
  /** True if a currency may need a liquidation, as far as its sums tell at once. */
  isBound(exchange: Exchange, owner: AccountRow, wallet: number): boolean
  /** By how much orders, all together, would raise the initial margin. */
  riseOfOrders(exchange: Exchange, owner: AccountRow, opened: readonly Opened[]): Nano
  /** By how much positions of one currency that change hands, and the money that they win, in nano, would raise it. */
  riseOfMoves(
    exchange: Exchange,
    owner: AccountRow,
    change: { readonly moves: readonly Moved[]; readonly gain: bigint },
  ): bigint
  /** True if an account has so much free of a currency, or of all that share their margin. */
  hasFree(exchange: Exchange, owner: AccountRow, need: { readonly currency: number; readonly rise: Nano }): boolean
  /** The margins of what is kept alone, without what protection holds. */
  projected(exchange: Exchange, owner: AccountRow, kept: readonly Counted[]): MarginNeed
  /** Margin that the legs of an order would need by themselves, in nano of the settlement currency. */
  needOf(exchange: Exchange, owner: AccountRow, legs: readonly Need[]): bigint
}
