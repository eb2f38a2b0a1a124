/**
 * The interface of margin models. The venue has four: margin is computed for each position or nets the positions of an
 * index (standard, portfolio), and for each currency or for all currencies together in USD (segregated, cross). Each
 * model is a separate object; `margin-models.ts` lists them by name.
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
  /** Cost and size of the buys of options whose orders reserve a premium. */
  cost: bigint
  costLots: number
}

/** A position that an account receives (positive: long) or gives away. Its instrument has a mark. */
export interface Moved {
  readonly row: InstrumentRow
  readonly lots: number
  readonly price: Price9
}

/** A holding with the sizes for which margin is computed. */
export interface Counted {
  readonly owner: HoldingRow
  readonly sizes: HeldSizes
}

/** A leg of an order for a margin computation. `cost` is the premium that the leg itself pays. */
export interface Need {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
  readonly cost: bigint
}

/** Contribution of a currency to a margin that all currencies share. */
export type SharedPart = CrossPart & { readonly currency: Currency }

/** The margin of all currencies together, in 1e-9 USD. */
export interface SharedMargin {
  /** The currencies in which the account has an amount, a reserve or a margin. */
  parts(exchange: Exchange, owner: AccountRow): readonly SharedPart[]
  totals(exchange: Exchange, owner: AccountRow): CrossTotals
}

/**
 * A margin model. Money is in nano of the currency in question, or in 1e-9 USD if all currencies share their margin.
 */
export interface MarginModelRules {
  /** Null if each currency has its own margin. */
  readonly shared: SharedMargin | null
  /** True if the margins of a currency are stored sums over its holdings and contain nothing more. */
  readonly isSummed: boolean
  /**
   * True if the positions of an index share one margin, and the value of options counts. Then options may be protected
   * as a market maker's, their orders reserve no premium, and an order may reduce margin.
   */
  readonly netsPositions: boolean
  /**
   * Margins of one currency by itself. They decide if each currency has its own margin; otherwise only the liquidity
   * support programme uses them.
   */
  margins(exchange: Exchange, owner: AccountRow, state: WalletState): OwnMargins
  /**
   * True if a currency may need a liquidation. It is a cheap test, so it may be true without need. Cross models return
   * false, because they are liquidated as a whole.
   */
  isBound(exchange: Exchange, owner: AccountRow, wallet: number): boolean
  /** Increase of the initial margin by orders, all together. */
  riseOfOrders(exchange: Exchange, owner: AccountRow, opened: readonly Opened[]): Nano
  /**
   * Increase of the initial margin by positions of one currency that change hands, and by the money gained with them,
   * in nano.
   */
  riseOfMoves(
    exchange: Exchange,
    owner: AccountRow,
    change: { readonly moves: readonly Moved[]; readonly gain: bigint },
  ): bigint
  /** True if an account has `rise` available in a currency, or in all currencies that share their margin. */
  hasFree(exchange: Exchange, owner: AccountRow, need: { readonly currency: number; readonly rise: Nano }): boolean
  /** The margins of only the kept holdings, without the margin held for market-maker protection. */
  projected(exchange: Exchange, owner: AccountRow, kept: readonly Counted[]): MarginNeed
  /** Margin that the legs of an order would need by themselves, in nano of the settlement currency. */
  needOf(exchange: Exchange, owner: AccountRow, legs: readonly Need[]): bigint
}
