/**
 * Settings of risk: volatility smiles, portfolio margin, haircuts, liquidation and combos. Plain data, part of the
 * configuration of a run.
 *
 * Source: market.md 6.4-6.6, 7; trading.md C33. Values without a public source are named there as choices.
 */
import type { SettingOf, SettingsOf } from './settings/declaration.ts'
import type { Currency } from './words/currencies.ts'

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

/** Limits on active option combos: above `soft` idle ones are removed, at `hard` no new one is created (C33d). */
export interface ComboLimits {
  readonly soft: number
  readonly hard: number
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
export const partOfOne = { unit: 'parts', scale: 6, max: WHOLE_PPM } as const

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
    says: 'Power of the time scaling of volatility moves, for expiries within 30 days',
  },
  longVegaPower: {
    ...parameter,
    key: 'long_term_vega_power',
    says: 'Power of the time scaling of volatility moves, for later expiries',
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
