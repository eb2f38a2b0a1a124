/**
 * Settings of a run that rules depend on. Plain data, part of the journal's head.
 */
import { type Amount, amount, type Micros, micros } from '../core/index.ts'
import { type BlockSettings, defaultBlockSettings } from './block-settings.ts'
import type { HistoryLimits } from './history-limits.ts'
import type { FundingTerms } from './instrument.ts'
import type { FeeProfile } from './instruments/fee-profiles.ts'
import { defaultRateLimits, type RateLimitTerms } from './protection/rate-limits.ts'
import type { RiskLimits } from './protection/standing.ts'
import { defaultRfqSettings, type RfqSettings } from './rfq-settings.ts'
import {
  type ComboLimits,
  defaultComboLimits,
  defaultHaircutsPpm,
  defaultLiquidation,
  defaultLsp,
  type LiquidationTerms,
  type LspTerms,
  type PortfolioTerms,
  type Smile,
} from './risk-terms.ts'
import type { WalletSettings } from './wallet-settings.ts'
import type { SelfMatchMode } from './words/accounts.ts'
import type { Currency } from './words/currencies.ts'
import type { MatchingEngine } from './words/instruments.ts'
import type { markModes } from './words/trades.ts'

/**
 * Limits on live orders of one account (C36): orders in a book or on their way to it, in all and by
 * kind; trigger orders of one source, secondaries of that sort included; dormant secondaries of
 * futures, and as many of spot (C31, C32).
 */
export interface OpenOrderLimits {
  readonly total: number
  readonly future: number
  readonly option: number
  readonly spot: number
  readonly triggers: number
  readonly secondaries: number
}

/** Settings of an exchange. */
export interface ExchangeConfig {
  /** The clock at creation. */
  readonly start: Micros
  /** True if orders outside the price band are refused. */
  readonly priceBands: boolean
  /** Self-match mode that accounts start with. */
  readonly selfMatch: SelfMatchMode
  readonly openOrderLimits: OpenOrderLimits
  /** Marks of futures and perpetuals: the venue's mark price, or simply that of their index. */
  readonly marks: (typeof markModes)[number]
  /**
   * Pairs whose dated futures are listed by the venue's schedule (market.md 1.6), at the start and at
   * each 08:00, as written in names: `BTC`, `BTC_USDC`.
   */
  readonly listedFutures: readonly string[]
  /** Pairs whose options are listed likewise, with strikes around the index, from its first value on. */
  readonly listedOptions: readonly string[]
  /** Whose rates instruments have when they are listed; what a person overrides goes on top. */
  readonly feeProfile: FeeProfile
  /** Dampers of all perpetuals instead of those of the catalogue, or null. */
  readonly fundingDampers: FundingTerms['dampers'] | null
  /** How long books stay in the state `settlement`; 0 settles in one instant (R23). */
  readonly settlementTime: Micros
  /** Insurance fund at the start, by currency (market.md 3.7). */
  readonly insuranceFund: { readonly [C in Currency]?: Amount }
  /** Where the volatilities of options start, by price index; `flatSmile` for the others. */
  readonly smiles: { readonly [priceIndex: string]: Smile }
  /** Parameters of portfolio margin, by price index, instead of the venue's. */
  readonly portfolioTerms: { readonly [priceIndex: string]: PortfolioTerms }
  /** Share of positive equity that cross margin takes as initial margin, in parts per million. */
  readonly haircutsPpm: { readonly [C in Currency]?: number }
  readonly liquidation: LiquidationTerms
  readonly lsp: LspTerms
  readonly comboLimits: ComboLimits
  /** Which engine matches the derivatives of a price index, where it is not the venue's own choice (8.1). */
  readonly engines: { readonly [priceIndex: string]: MatchingEngine }
  /** Bases whose books are on the gateway pair of real-world assets; those of `defaultRwaBases` where it is left out. */
  readonly rwaBases?: readonly string[]
  /** True if orders that would match wait at all (R09). */
  readonly speedBumps: boolean
  /** Most orders that wait on a gateway pair: of one Member, and in all (8.8). */
  readonly bumpLimits: { readonly member: number; readonly queue: number }
  readonly rateLimits: RateLimitTerms
  /** Limits of all portfolios, by price index (R58). */
  readonly riskLimits: { readonly [priceIndex: string]: RiskLimits }
  readonly blockTrades: BlockSettings
  /** Settings of wallets; what is not given is the default. */
  readonly wallet?: Partial<WalletSettings>
  readonly blockRfqs: RfqSettings
  /** True if each change of a visible price level is an event. */
  readonly bookEvents: boolean
  /** Tells the visible levels of closed books to strategies, and to nobody else; runs without strategies leave it out. */
  readonly closedBookEvents?: true
  /** True if results are told recorded trades, which public queries see in any case. */
  readonly printEvents: boolean
  /** How much queries can look back to; what is not given is the default. */
  readonly historyLimits?: Partial<HistoryLimits>
}

const hundredCoin = amount(100_000_000_000n)
const millionUnits = amount(1_000_000_000_000_000n)

/** The venue's defaults. */
export function defaultConfig(start: Micros): ExchangeConfig {
  return {
    start,
    priceBands: true,
    selfMatch: 'reject_taker',
    openOrderLimits: {
      total: 10_000,
      future: 2_000,
      option: 8_000,
      spot: 200,
      triggers: 100,
      secondaries: 100,
    },
    marks: 'venue',
    listedFutures: [],
    listedOptions: [],
    feeProfile: 'default',
    fundingDampers: null,
    settlementTime: micros(0),
    insuranceFund: {
      BTC: hundredCoin,
      ETH: hundredCoin,
      USDC: millionUnits,
      USDT: millionUnits,
    },
    smiles: {},
    portfolioTerms: {},
    haircutsPpm: defaultHaircutsPpm,
    liquidation: defaultLiquidation,
    lsp: defaultLsp,
    comboLimits: defaultComboLimits,
    engines: {},
    speedBumps: true,
    bumpLimits: { member: 100, queue: 10_000 },
    rateLimits: defaultRateLimits,
    riskLimits: {},
    blockTrades: defaultBlockSettings,
    blockRfqs: defaultRfqSettings,
    bookEvents: false,
    printEvents: false,
  }
}
