/**
 * Settings of risk: volatility smiles, portfolio margin, haircuts, liquidation and combos. Plain data, part of the
 * configuration of a run.
 *
 * Source: market.md 6.4-6.6, 7; trading.md C33. Values without a public source are named there as choices.
 */

import { MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import type { SettingOf, SettingsOf } from './settings/declaration.ts'
import type { Currency } from './words/currencies.ts'
import type { LspGroup } from './words/liquidations.ts'

/**
 * A volatility smile v(k) = atm + skew k + curvature k^2 with k = ln(strike / forward); counts of 1e-9, so that
 * 600,000,000 is 60 % (market.md 7). Options start with it.
 */
export interface Smile {
  readonly atm9: number
  readonly skew9: number
  readonly curvature9: number
}

/** Parameters of portfolio margin for the instruments of one price index (market.md 6.5). */
export interface PortfolioTerms {
  /** Parameters are plain numbers, as the venue publishes them: 0.16 is 16 %. */
  readonly priceRange: number
  readonly volatilityUp: number
  readonly volatilityDown: number
  readonly shortVegaPower: number
  readonly longVegaPower: number
  readonly minVolatilityForShockUp: number
  readonly extendedTableFactor: number
  /** USD. */
  readonly extendedDampener: number
  readonly deltaShockIncrease: number
  /** USD. */
  readonly deltaShockThreshold: number
  readonly deltaShockMax: number
  readonly minAnnualisedMove: number
  readonly annualisedMoveRisk: number
  readonly pnlOffset: number
  /** USD. */
  readonly pnlOffsetMax: number
}

/** Terms of the liquidation of accounts below their maintenance margin (market.md 6.6). */
export interface LiquidationTerms {
  /** False disables liquidations. */
  readonly enabled: boolean
  /** Share of a position that one round closes, in parts per million. */
  readonly chunkPpm: number
}

/** Limits on active option combos: above `soft` idle ones become inactive, at `hard` no new one is created (C33d). */
export interface ComboLimits {
  readonly soft: number
  readonly hard: number
}

/** Limits of the liquidity support programme (sessions-blocks-gateways.md 7). */
export interface LspTerms {
  /** Length of the fixed window in which a group's limit is used up. */
  readonly cooldown: Micros
  /** Largest notional of a participant, as a multiple of its equity. */
  readonly capacityFactor: number
  /** Limit of each group in parts per million of a participant's equity. */
  readonly limitsPpm: { readonly [G in LspGroup]: number }
  /** Distance of transfer prices from the mark, against the liquidated side, in parts per million. */
  readonly spreadPpm: number
  readonly adlSpreadPpm: number
  /** Share of the notional that the liquidated account pays, in parts per million. */
  readonly commissionPpm: number
  /** Number of failures within the window that disables a participant. */
  readonly failures: number
  readonly failureWindow: Micros
}

/** The default smile of an index. */
export const flatSmile: Smile = { atm9: 600_000_000, skew9: 0, curvature9: 0 }

const commonTerms = {
  shortVegaPower: 0.3,
  longVegaPower: 0.13,
  minVolatilityForShockUp: 0.5,
  extendedTableFactor: 1,
  deltaShockThreshold: 20_000_000,
  deltaShockMax: 0.1,
} as const

/** BTC as in the venue's documentation. */
const bitcoinTerms: PortfolioTerms = {
  ...commonTerms,
  priceRange: 0.16,
  volatilityUp: 0.5,
  volatilityDown: 0.25,
  extendedDampener: 100_000,
  deltaShockIncrease: 0.00005,
  minAnnualisedMove: 0.01,
  annualisedMoveRisk: 0.075,
  pnlOffset: 0,
  pnlOffsetMax: 0,
}

/** ETH as seen on a live account. */
const etherTerms: PortfolioTerms = {
  ...commonTerms,
  priceRange: 0.18,
  volatilityUp: 0.4,
  volatilityDown: 0.25,
  extendedDampener: 200_000,
  deltaShockIncrease: 0.000004,
  minAnnualisedMove: 0.005,
  annualisedMoveRisk: 0.05,
  pnlOffset: 0.6,
  pnlOffsetMax: 20_000_000,
}

/**
 * Default terms of an index: those of ETH for its indices, otherwise those of BTC. Assumed: no others are published.
 */
export function defaultPortfolioTerms(priceIndex: string): PortfolioTerms {
  return priceIndex.startsWith('eth_') || priceIndex.startsWith('steth_') ? etherTerms : bitcoinTerms
}

const WHOLE_PPM = 1_000_000

/** A share of a whole, as a fraction with up to 6 decimals. */
const partOfOne = { unit: 'parts', scale: 6, max: WHOLE_PPM } as const

/** The declaration of haircuts (market.md 6.4). */
export const haircutSetting: SettingOf<{ readonly [C in Currency]?: number }> = {
  key: 'haircuts',
  by: 'currency',
  each: { ...partOfOne, key: null, says: 'A haircut' },
  default: { STETH: 75_000, USDT: 20_000, USYC: 50_000, USDE: 50_000, PAXG: 100_000 },
  says: 'Fraction of positive equity that cross margin takes as initial margin, by currency',
  examples: [{ USDT: 0.02 }],
}

const bend = { unit: 'parts', scale: 9, min: -100_000_000_000, max: 100_000_000_000 } as const

/** The declaration of smiles. */
export const smileSettings: SettingsOf<Smile> = {
  atm9: {
    key: 'atm',
    unit: 'parts',
    scale: 9,
    noun: 'volatility',
    min: 10_000_000,
    max: 5_000_000_000,
    says: 'Volatility at the forward price, a fraction: 0.6 is 60 %',
    examples: [0.6],
  },
  skew9: { ...bend, key: 'skew', noun: 'skew', default: 0, says: 'Slope of the volatility in k' },
  curvature9: {
    ...bend,
    key: 'curvature',
    noun: 'curvature',
    default: 0,
    says: 'Slope of the volatility in k squared',
  },
}

const parameter = {
  unit: 'double',
  scale: 9,
  min: 0n,
  max: 1_000_000_000_000_000_000_000n,
  examples: [0.16],
} as const

/** The declaration of portfolio margin, in the names of the venue's model parameters. */
export const portfolioSettings: SettingsOf<PortfolioTerms> = {
  priceRange: {
    key: 'price_range',
    unit: 'double',
    scale: 4,
    noun: 'range',
    min: 1n,
    max: 9_999n,
    says: 'Largest price move in both directions',
    examples: [0.16],
  },
  volatilityUp: {
    ...parameter,
    key: 'volatility_range_up',
    says: 'Upward move of the volatilities',
  },
  volatilityDown: {
    ...parameter,
    key: 'volatility_range_down',
    says: 'Downward move of the volatilities',
  },
  shortVegaPower: {
    ...parameter,
    key: 'short_term_vega_power',
    says: 'Exponent of the time to expiry that scales volatility moves, for expiries within 30 days',
  },
  longVegaPower: {
    ...parameter,
    key: 'long_term_vega_power',
    says: 'Exponent of the time to expiry that scales volatility moves, for later expiries',
  },
  minVolatilityForShockUp: {
    ...parameter,
    key: 'min_volatility_for_shock_up',
    says: 'Volatilities below this value move up as if they had this value',
  },
  extendedTableFactor: {
    ...parameter,
    key: 'extended_table_factor',
    says: 'Multiplier of the moves in the extended table',
  },
  extendedDampener: {
    ...parameter,
    key: 'extended_dampener',
    says: 'Dampener of losses in the extended table, in USD',
  },
  deltaShockIncrease: {
    ...parameter,
    key: 'm_inc',
    says: 'Growth rate of the delta shock above its threshold',
  },
  deltaShockThreshold: {
    ...parameter,
    key: 'delta_total_liq_shock_threshold',
    says: 'Delta above which the delta shock grows, in USD',
  },
  deltaShockMax: { ...parameter, key: 'max_delta_shock', says: 'Maximum delta shock' },
  minAnnualisedMove: {
    ...parameter,
    key: 'min_annualised_move',
    says: 'Minimum move of the roll shock',
  },
  annualisedMoveRisk: {
    ...parameter,
    key: 'annualised_move_risk',
    says: 'Annual move of the roll shock',
  },
  pnlOffset: {
    ...parameter,
    key: 'pnl_offset',
    says: 'Share of profits that offsets losses of other pairs',
  },
  pnlOffsetMax: {
    ...parameter,
    key: 'max_offsetable_pnl',
    says: 'Maximum profit that offsets losses of other pairs, in USD',
  },
}

/** Declaration of the settings of liquidations, with the venue's values as defaults. */
export const liquidationSettings: SettingsOf<LiquidationTerms> = {
  enabled: {
    key: 'enabled',
    unit: 'flag',
    default: true,
    says: 'True if accounts are liquidated',
  },
  chunkPpm: {
    ...partOfOne,
    key: 'chunk',
    min: 1,
    default: 125_000,
    says: 'Fraction of a position that one round closes, with up to 6 decimals',
    examples: [0.125],
  },
}

/** The declaration of limits on combos (C33). */
export const comboSettings: SettingsOf<ComboLimits> = {
  soft: {
    key: 'soft',
    unit: 'count',
    upTo: 'hard',
    default: 1_000,
    says: 'Number of active option combos above which idle combos are removed',
  },
  hard: {
    key: 'hard',
    unit: 'count',
    default: 1_500,
    says: 'Number of active option combos at which no new combo can be created',
  },
}

/**
 * Settings of the liquidity support programme. Plain data, part of the configuration of
 * a run.
 *
 * Source: sessions-blocks-gateways.md 7. Values without a public source are named there as choices.
 */

/** One year; windows usually last minutes. */
const WINDOW_MAX = 365 * MICROS_PER_DAY

/** More than any leverage; times a million it is still a safe integer. */
const CAPACITY_MAX = 1000

/** Limits of the groups of the programme, for all participants or for one. */
export const lspLimits: SettingOf<LspTerms['limitsPpm']> = {
  key: 'group_limits',
  journal: 'limits',
  by: 'lsp_group',
  each: {
    key: null,
    unit: 'parts',
    scale: 6,
    percent: true,
    noun: 'percentage of equity',
    max: 1_000_000_000,
    says: 'A limit',
    examples: [15],
  },
  default: {
    tier_1: 150_000,
    tier_2: 100_000,
    tier_3: 100_000,
    tier_4: 100_000,
    tier_5: 100_000,
    tier_6: 100_000,
    rwa: 100_000,
  },
  says: 'Limits by group, in percent of equity',
  examples: [{ '1': 15, rwa: 10 }],
}

/** Declaration of the settings of the programme. */
export const lspSettings: SettingsOf<LspTerms> = {
  cooldown: {
    key: 'cooldown',
    unit: 'micros',
    min: 1,
    max: WINDOW_MAX,
    default: micros(300_000_000),
    says: 'Window of a limit; its end restores the limit',
  },
  capacityFactor: {
    key: 'capacity_factor',
    unit: 'count',
    max: CAPACITY_MAX,
    default: 2,
    says: 'Largest notional of a participant, as a multiple of its equity',
  },
  limitsPpm: lspLimits,
  spreadPpm: {
    ...partOfOne,
    key: 'spread',
    default: 2_500,
    says: 'Distance from the mark price at which participants take over positions',
    examples: [0.0025],
  },
  adlSpreadPpm: {
    ...partOfOne,
    key: 'adl_spread',
    default: 2_500,
    says: 'Distance from the mark price at which automatic deleveraging transfers positions',
    examples: [0.0025],
  },
  commissionPpm: {
    ...partOfOne,
    key: 'commission',
    default: 250,
    says: 'Fraction of the notional that the liquidated account pays',
    examples: [0.00025],
  },
  failures: {
    key: 'failures',
    unit: 'count',
    min: 1,
    default: 5,
    says: 'Number of failures that disables a participant',
  },
  failureWindow: {
    key: 'failure_window',
    unit: 'micros',
    min: 1,
    max: WINDOW_MAX,
    default: micros(600_000_000),
    says: 'Time window of these failures',
  },
}

/** Name of a group at the venue: the number of a tier, or `rwa`. */
export function lspGroupName(group: LspGroup): string {
  return group.replace('tier_', '')
}

const groupOfBase: ReadonlyMap<string, LspGroup> = new Map(
  (
    [
      ['tier_1', 'BTC ETH'],
      ['tier_2', 'SOL XRP'],
      ['tier_3', 'DOGE BNB HYPE ADA'],
      ['tier_4', 'AVAX LINK LTC BCH DOT TRX UNI NEAR'],
      ['tier_5', 'ALGO TON TRUMP'],
      ['rwa', 'PAXG'],
    ] as const
  ).flatMap(([group, bases]) => bases.split(' ').map((base) => [base, group] as const)),
)

/** The group of a base symbol (sessions-blocks-gateways.md 7.3). */
export function lspGroupOf(base: string): LspGroup {
  return groupOfBase.get(base) ?? 'tier_6'
}
