/**
 * Instruments: the specification of something that can be traded, in integers.
 *
 * All kinds of instruments of the venue have this shape. The facts of a particular kind, such as options and combos,
 * are in `detail`, so that books, orders and the ledger do not depend on them.
 *
 * Source: market.md 1.2, 1.3 and 2; interface document, "Amount units".
 */
import type { InstrumentId, Lots, Micros, Price9 } from '../core/index.ts'
import type { Currency } from './words/currencies.ts'
import type {
  GatewayPair,
  InstrumentKind,
  MatchingEngine,
  OptionRight,
  Payoff,
  ProductGroup,
  SettlementPeriod,
} from './words/instruments.ts'

/** From `above` upward the grid has steps of `tick9`, a multiple of the base tick. */
export interface TickStep {
  readonly above: Price9
  readonly tick9: number
}

/** A leg of a combo: a signed ratio of another instrument. */
export interface ComboLeg {
  readonly instrumentName: string
  readonly ratio: number
}

/** The facts that only one kind of instrument has. */
export type InstrumentDetail =
  | { readonly type: 'perpetual' }
  | { readonly type: 'future' }
  | { readonly type: 'option'; readonly right: OptionRight; readonly strike: Price9 }
  | { readonly type: 'spot' }
  | { readonly type: 'combo'; readonly code: string; readonly legs: readonly ComboLeg[] }

/**
 * Standard margin of futures and perpetuals: rate = base + slope * size, both for initial and
 * maintenance margin. Rates are parts per million; the slope is parts per billion for each coin of
 * size (`per: 'coin'`) or for each 1,000,000 quote units of notional (`per: 'million_quote'`).
 * Source: market.md 6.1.
 */
export interface MarginTerms {
  readonly initialPpm: number
  readonly maintenancePpm: number
  readonly slopePpb: number
  readonly per: 'coin' | 'million_quote'
}

/**
 * How the venue computes the mark price of a future or perpetual: the index plus an average premium, limited to
 * `clampPpm` of the index (market.md 3.2).
 */
export interface MarkTerms {
  /**
   * Size whose average price is used on each side of the book: 1e-9 coin for inverse contracts, 1e-9 quote units for
   * linear ones; 0 uses the middle of the best prices, as dated futures do.
   */
  readonly impact9: number
  readonly clampPpm: number
}

/** Funding of a perpetual: rates are for 8 hours, in 1e-8. */
// Source: market.md 3.3.
export interface FundingTerms {
  /** Premiums up to this rate are free of funding from a time on; in the order of time, the first from 0. */
  readonly dampers: readonly { readonly from: Micros; readonly rate8: number }[]
  readonly cap8: number
}

/** The specification of an instrument. Only its steps can change during its life. Rates are counts of 1e-9. */
export interface InstrumentSpec {
  readonly name: string
  readonly kind: InstrumentKind
  readonly payoff: Payoff
  readonly detail: InstrumentDetail
  /** Symbol of the underlying. It need not be a currency that accounts can hold. */
  readonly baseCurrency: string
  readonly quoteCurrency: string
  readonly counterCurrency: string
  /** Currency of profit, margin and fees; for spot the quote currency. */
  readonly settlementCurrency: Currency
  readonly priceIndex: string
  readonly productGroup: ProductGroup
  readonly settlementPeriod: SettlementPeriod | null
  /** Base book tick in 1e-9 quote units. */
  readonly tick9: number
  readonly tickSteps: readonly TickStep[]
  /** Amount step in 1e-9 of the amount unit (USD for inverse futures, otherwise base coin). */
  readonly amountStep9: number
  /** Contract size in 1e-9 of the amount unit. */
  readonly contractSize9: number
  /** Smallest order, in amount steps. */
  readonly minTradeLots: Lots
  /** Sizes of orders are multiples of this number of amount steps; omitted if every whole number of steps is valid. */
  readonly stepLots?: Lots
  /** Steps at the time of listing; omitted if the instrument was never rescaled. */
  readonly listedSteps?: {
    readonly tickSteps: readonly TickStep[]
    readonly minTradeLots: Lots
  }
  readonly makerFee9: number
  readonly takerFee9: number
  readonly blockFee9: number
  readonly liquidationFee9: number
  /** Fee rate of a delivery at expiry; 0 for perpetuals and for weekly and daily expiries. */
  readonly deliveryFee9: number
  readonly maxLeverage: number
  readonly margin: MarginTerms
  /** Half width of the price band in parts per million of the mark, for options of the underlying; 0 for no band. */
  readonly bandPpm: number
  /** Null except for futures and perpetuals. */
  readonly mark: MarkTerms | null
  /** Null except for perpetuals. */
  readonly funding: FundingTerms | null
  /**
   * Travel time of an order to the third-party exchange that matches a spot pair; null if the venue matches the pair
   * itself.
   */
  // Source: R37.
  readonly routeDelay: Micros | null
  /** The venue's engine that matches the instrument; it never changes within a run (8.1). */
  readonly engine: MatchingEngine
  /** The gateway pair of the book, if the alternative engine matches the instrument. */
  readonly gateway: GatewayPair
  /** Delay of an order that would match; 0 for no delay. */
  // Source: trading.md 6.11, R09.
  readonly speedBump: Micros
  readonly creation: Micros
  readonly expiration: Micros
}

/** An instrument as listed in a run. */
export interface Instrument extends InstrumentSpec {
  readonly id: InstrumentId
}
