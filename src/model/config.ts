/** Settings of a run that rules depend on. They are plain data in the head of the journal. */
import { type Amount, amount, checkArgument, type Micros, micros } from '../core/index.ts'
import { type BlockSettings, blockSettings, type RfqSettings, rfqSettings } from './block-and-rfq-settings.ts'
import { type HistoryLimits, historySettings } from './history-limits.ts'
import type { FundingTerms } from './instrument.ts'
import { defaultRwaBases } from './instruments/matching.ts'
import { type RateLimitTerms, rateSettings } from './protection/rate-limits.ts'
import { type RiskLimits, riskLimitSettings } from './protection/standing.ts'
import {
  type ComboLimits,
  comboSettings,
  defaultPortfolioTerms,
  haircutSetting,
  type LiquidationTerms,
  type LspTerms,
  liquidationSettings,
  lspSettings,
  type PortfolioTerms,
  portfolioSettings,
  type Smile,
  smileSettings,
} from './risk-terms.ts'
import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import { type WalletSettings, walletSettings } from './wallet-settings.ts'
import { type SelfMatchMode, selfMatchModes } from './words/accounts.ts'
import { type Currency, settlementCurrencies } from './words/currencies.ts'
import { type FeeProfile, feeProfiles, type MatchingEngine, matchingEngines } from './words/instruments.ts'
import { markModes } from './words/trades.ts'

/**
 * Limits on live orders of one account (C36): orders in a book or on their way to it, in total and by kind; trigger
 * orders with one trigger source, including secondaries of that source; dormant secondaries of futures, and the same
 * number for spot (C31, C32).
 */
export interface OpenOrderLimits {
  readonly total: number
  readonly future: number
  readonly option: number
  readonly spot: number
  readonly triggers: number
  readonly secondaries: number
}

/** Settings of an exchange. Each has its declaration in `venueSettings`. */
export interface ExchangeConfig {
  /** The clock at creation. */
  readonly start: Micros
  /** True if orders outside the price band are refused. */
  readonly priceBands: boolean
  /** Self-match mode of new accounts. */
  readonly selfMatch: SelfMatchMode
  readonly openOrderLimits: OpenOrderLimits
  /** Marks of futures and perpetuals: the venue's mark price, or the price of their index. */
  readonly marks: (typeof markModes)[number]
  /**
   * Pairs whose dated futures the engine lists by the venue's schedule, at the start and at each 08:00. Pairs are
   * written as in names of instruments: `BTC`, `BTC_USDC`.
   */
  // Source: market.md 1.6.
  readonly listedFutures: readonly string[]
  /**
   * Pairs whose options the engine lists by the venue's schedule, with strikes around the index, from the first value
   * of the index on.
   */
  readonly listedOptions: readonly string[]
  /** The fee profile that sets the rates of new instruments. Rates given by the run override it. */
  readonly feeProfile: FeeProfile
  /** Dampers of all perpetuals in place of those of the catalogue, or null. */
  readonly fundingDampers: FundingTerms['dampers'] | null
  /** Time that books stay in the state `settlement`; 0 settles in one instant. */
  // Source: R23.
  readonly settlementTime: Micros
  /** Insurance fund at the start, by currency. */
  // Source: market.md 3.7.
  readonly insuranceFund: { readonly [C in Currency]?: Amount }
  /** Initial volatilities of options by price index; other indices start with `flatSmile`. */
  readonly smiles: { readonly [priceIndex: string]: Smile }
  /** Parameters of portfolio margin by price index, in place of the venue's. */
  readonly portfolioTerms: { readonly [priceIndex: string]: PortfolioTerms }
  /** Share of positive equity that cross margin takes as initial margin, in parts per million. */
  readonly haircutsPpm: { readonly [C in Currency]?: number }
  readonly liquidation: LiquidationTerms
  readonly lsp: LspTerms
  readonly comboLimits: ComboLimits
  /** Matching engine for the derivatives of a price index, in place of the venue's choice (8.1). */
  readonly engines: { readonly [priceIndex: string]: MatchingEngine }
  /** Bases whose books are on the gateway pair of real-world assets (8.1). */
  readonly rwaBases: readonly string[]
  /** False disables the speed bump for all orders. */
  // Source: R09.
  readonly speedBumps: boolean
  /** Largest number of orders that wait on a gateway pair: of one Member, and in total (8.8). */
  readonly bumpLimits: { readonly member: number; readonly queue: number }
  readonly rateLimits: RateLimitTerms
  /** Limits of all portfolios, by price index. */
  // Source: R58.
  readonly riskLimits: { readonly [priceIndex: string]: RiskLimits }
  readonly blockTrades: BlockSettings
  /** Settings of wallets; missing settings have their default. */
  readonly wallet?: Partial<WalletSettings>
  readonly blockRfqs: RfqSettings
  /** True if each change of a visible price level is an event. */
  readonly bookEvents: boolean
  /** Sends the visible levels of closed books to strategies only. Runs without strategies omit it. */
  readonly closedBookEvents?: true
  /** True if results include recorded trades. Public queries always include them. */
  readonly printEvents: boolean
  /** Limits of the histories that queries read; missing limits have their default. */
  readonly historyLimits?: Partial<HistoryLimits>
}

/**
 * Settings with a declaration. The start comes from the run's clock, and `closedBookEvents` from the strategies of the
 * run.
 */
type VenueSettings = Omit<ExchangeConfig, 'start' | 'closedBookEvents'>

const hundredCoin = amount(100_000_000_000n)
const millionUnits = amount(1_000_000_000_000_000n)
/** The largest value of a 64-bit integer in the tables. */
const MONEY_MAX = 9_223_372_036_854_775_807n
const HOUR = micros(3_600_000_000)

const openOrderSettings: SettingsOf<OpenOrderLimits> = {
  total: { key: 'total', unit: 'count', default: 10_000, says: 'Total' },
  future: { key: 'future', unit: 'count', default: 2_000, says: 'Futures and perpetuals' },
  option: { key: 'option', unit: 'count', default: 8_000, says: 'Options' },
  spot: { key: 'spot', unit: 'count', default: 200, says: 'Spot' },
  triggers: {
    key: 'triggers',
    unit: 'count',
    default: 100,
    says: 'Trigger orders with the same trigger source',
  },
  secondaries: {
    key: 'secondaries',
    unit: 'count',
    default: 100,
    says: 'Secondary orders that are not yet placed',
  },
}

const damperSettings: SettingsOf<FundingTerms['dampers'][number]> = {
  from: {
    key: 'from',
    unit: 'moment',
    says: 'Start time in ISO 8601 with its offset; the first entry must not start after the run',
    examples: ['2019-01-01T00:00:00Z'],
  },
  rate8: {
    key: 'rate',
    unit: 'parts',
    scale: 8,
    max: 100_000_000,
    says: 'Premium that causes no funding, a fraction with up to 8 decimals',
    examples: [0.0005],
  },
}

const bumpSettings: SettingsOf<ExchangeConfig['bumpLimits']> = {
  member: { key: 'member', unit: 'count', default: 100, says: 'Per Member' },
  queue: { key: 'queue', unit: 'count', default: 10_000, says: 'Total' },
}

/**
 * The settings of an exchange, in the order of journals. The fields of `venue:` in scenario files, the settings that
 * programs may give, the heads of journals and the guide of scenarios follow from this list.
 */
export const venueSettings: SettingsOf<VenueSettings> = {
  priceBands: {
    key: 'price_bands',
    unit: 'flag',
    default: true,
    says: 'True if orders outside the price band are rejected',
  },
  selfMatch: {
    key: 'self_match',
    unit: 'word',
    words: selfMatchModes,
    default: 'reject_taker',
    says: 'Effect on orders that would match with an order of the same account',
    examples: ['reject_taker'],
  },
  openOrderLimits: {
    key: 'open_order_limits',
    fields: openOrderSettings,
    says: 'Maximum open orders per account: in total, by kind, trigger orders per source, and secondary orders that are not yet placed',
    examples: [{ total: 100 }],
  },
  marks: {
    key: 'marks',
    unit: 'word',
    words: markModes,
    default: 'venue',
    says: "Mark price of futures and perpetuals: the venue's mark price, or the index price",
    examples: ['index'],
  },
  listedFutures: {
    key: 'listed_futures',
    items: { key: null, unit: 'pair', of: 'futures', says: 'A pair' },
    default: [],
    says: "Pairs whose dated futures the venue's schedule lists",
    otherwise: 'none',
    examples: [['BTC', 'ETH_USDC']],
  },
  listedOptions: {
    key: 'listed_options',
    items: { key: null, unit: 'pair', of: 'options', says: 'A pair' },
    default: [],
    says: "Pairs whose options the venue's schedule lists, with strikes around the first index price",
    otherwise: 'none',
    examples: [['BTC', 'SOL_USDC']],
  },
  feeProfile: {
    key: 'fees',
    unit: 'word',
    words: feeProfiles,
    default: 'default',
    says: 'Fee profile of the instruments',
    examples: ['aug_2026'],
  },
  fundingDampers: {
    key: 'funding_dampers',
    items: { key: null, fields: damperSettings, says: 'A damper' },
    default: null,
    rising: 'from',
    says: 'Funding dampers of all perpetuals, in the order of time',
    examples: [[{ from: '2019-01-01T00:00:00Z', rate: 0.0005 }]],
  },
  settlementTime: {
    key: 'settlement_time',
    unit: 'micros',
    max: HOUR,
    default: micros(0),
    says: 'How long books stay closed at 08:00 UTC, at most 1h; by default, settlement takes no time. Cash changes at 08:00:00 in both cases',
    otherwise: null,
    examples: ['50ms'],
  },
  insuranceFund: {
    key: 'insurance_fund',
    by: 'currency',
    currencies: settlementCurrencies,
    each: { key: null, unit: 'money', max: MONEY_MAX, says: 'Money', examples: [0.5] },
    default: { BTC: hundredCoin, ETH: hundredCoin, USDC: millionUnits, USDT: millionUnits },
    says: 'Balance of the insurance fund at the start, by currency',
    examples: [{ BTC: 0.5 }],
  },
  smiles: {
    key: 'smiles',
    by: 'index',
    each: {
      key: null,
      fields: smileSettings,
      says: 'atm + skew k + curvature k^2, with k = ln(strike / forward)',
    },
    default: {},
    says: 'Initial volatility smile of options, by index',
    otherwise: '60 % at every strike',
    examples: [{ btc_usd: { atm: 0.55, skew: -0.1, curvature: 0.3 } }],
  },
  portfolioTerms: {
    key: 'portfolio_margin',
    by: 'index',
    each: { key: null, fields: portfolioSettings, says: 'Parameters of an index' },
    usual: defaultPortfolioTerms,
    default: {},
    says: "Portfolio margin parameters by index, with the names of the venue's model_params",
    otherwise: "the venue's values",
    examples: [{ btc_usd: { price_range: 0.2 } }],
  },
  haircutsPpm: haircutSetting,
  liquidation: {
    key: 'liquidation',
    fields: liquidationSettings,
    says: 'Liquidation of accounts below their maintenance margin',
  },
  lsp: { key: 'lsp', fields: lspSettings, says: 'Liquidity support programme' },
  comboLimits: {
    key: 'combo_limits',
    fields: comboSettings,
    says: 'Limits on active option combos: above `soft`, idle combos are removed; at `hard`, no new combo can be created',
    examples: [{ soft: 10, hard: 20 }],
  },
  engines: {
    key: 'engines',
    by: 'index',
    each: { key: null, unit: 'word', words: matchingEngines, says: 'An engine' },
    default: {},
    says: 'Matching engine of the derivatives of a price index',
    otherwise: 'BTC on main, others on alt',
    examples: [{ eth_usd: 'main' }],
  },
  rwaBases: {
    key: 'rwa_bases',
    items: { key: null, unit: 'base', says: 'A base' },
    default: defaultRwaBases,
    isLean: true,
    says: 'Base currencies whose books use the gateway pair RWA',
    otherwise: 'metals, oil, stock indices and stocks such as XAU and TSLA',
    examples: [['XAU', 'TSLA']],
  },
  speedBumps: {
    key: 'speed_bump',
    journal: 'speed_bumps',
    unit: 'flag',
    default: true,
    says: 'True if orders that would trade wait on the alternative engine: 10 ms, except on the largest perpetuals',
  },
  bumpLimits: {
    key: 'bump_limits',
    fields: bumpSettings,
    says: 'Maximum number of waiting orders on a gateway pair: per Member, and in total',
    examples: [{ member: 2 }],
  },
  rateLimits: {
    key: 'rate_limits',
    fields: rateSettings,
    shorthand: 'enabled',
    verbatim: true,
    says: "Limits of the request rates; no limits by default. Omitted values are the venue's",
    otherwise: null,
    examples: [true, { trading: { rate: 5, burst: 20 } }],
  },
  riskLimits: {
    key: 'risk_limits',
    by: 'index',
    anyIndex: true,
    each: { key: null, fields: riskLimitSettings, verbatim: true, says: 'Limits on an index' },
    default: {},
    says: 'Limits on the orders and positions of portfolios on the alternative engine, by price index',
    otherwise: null,
    examples: [{ eth_usd: { max_future_position: 50_000 } }],
  },
  blockTrades: {
    key: 'block_trades',
    fields: blockSettings,
    absent: 'usual',
    says: 'Settings of block trades',
    examples: [{ signature_window: '1m' }],
  },
  blockRfqs: {
    key: 'block_rfqs',
    fields: rfqSettings,
    absent: 'usual',
    says: 'Settings of Block RFQs',
    examples: [{ expiry: '1m' }],
  },
  wallet: {
    key: 'wallet',
    fields: walletSettings,
    absent: 'whole',
    says: 'Settings of wallets',
    examples: [{ address_wait: '1h' }],
  },
  bookEvents: {
    key: 'book',
    section: 'record',
    journal: 'book_events',
    unit: 'flag',
    default: false,
    says: 'Every change of a price level',
    otherwise: null,
  },
  printEvents: {
    key: 'feed',
    section: 'record',
    journal: 'print_events',
    unit: 'flag',
    default: false,
    says: 'Every recorded trade',
    otherwise: null,
  },
  historyLimits: {
    key: 'history_limits',
    fields: historySettings,
    absent: 'partial',
    says: 'Minimum number of records that queries can return, each from 1; for the defaults, see src/rpc/README.md',
    examples: [{ trades: 1_000_000 }],
  },
}

/** The seed of a run without another one. */
export const DEFAULT_SEED = '0'

/**
 * Returns the default configuration.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * console.log(defaultConfig(micros(0)).priceBands) // true
 */
export function defaultConfig(start: Micros): ExchangeConfig {
  checkArgument('defaultConfig: start', start, 'number')
  return { start, ...defaultsOf(venueSettings) }
}
