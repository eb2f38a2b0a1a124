/**
 * Settings of risk: volatility smiles, portfolio margin, haircuts, liquidation, the liquidity support
 * programme and combos. Plain data, part of the configuration of a run.
 *
 * Source: market.md 6.4-6.6, 7; trading.md C33; sessions-blocks-gateways.md 7. Values without a public
 * source are named there as choices.
 */
import { type Micros, micros } from '../core/index.ts'
import type { Currency } from './words/currencies.ts'

/**
 * A volatility smile v(k) = atm + skew k + curvature k^2 with k = ln(strike / forward); counts of 1e-9,
 * so that 600,000,000 is 60 % (market.md 7). Options start on it.
 */
export interface Smile {
  readonly atm9: number
  readonly skew9: number
  readonly curvature9: number
}

/** Parameters of portfolio margin for the instruments of one price index (market.md 6.5). */
export interface PortfolioTerms {
  /** Parameters are plain numbers as published: 0.16 is 16 %. */
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

/** How accounts below their maintenance margin are closed out (market.md 6.6). */
export interface LiquidationTerms {
  /** True if there are liquidations at all. */
  readonly enabled: boolean
  /** Share of a position that one round takes, in parts per million. */
  readonly chunkPpm: number
}

/**
 * Groups of instruments that a participant of the liquidity support programme has a limit for. The wire
 * calls the tiers by their numbers alone; here they have names, because records are never keyed by numbers.
 */
export const lspGroups = [
  'tier_1',
  'tier_2',
  'tier_3',
  'tier_4',
  'tier_5',
  'tier_6',
  'rwa',
] as const
export type LspGroup = (typeof lspGroups)[number]

/** Limits of the liquidity support programme (sessions-blocks-gateways.md 7). */
export interface LspTerms {
  /** Length of the fixed window in which a group's limit is used up. */
  readonly cooldown: Micros
  /** Notional that a participant may hold, in times of its equity. */
  readonly capacityFactor: number
  /** Limit of each group in parts per million of a participant's equity. */
  readonly limitsPpm: { readonly [G in LspGroup]: number }
  /** Prices of transfers lie this far from the mark, against the liquidated side, in parts per million. */
  readonly spreadPpm: number
  readonly adlSpreadPpm: number
  /** Share of the notional that the liquidated account pays, in parts per million. */
  readonly commissionPpm: number
  /** A participant that fails so often within the time is disabled. */
  readonly failures: number
  readonly failureWindow: Micros
}

/** How many option combos may be active: above `soft` idle ones go, at `hard` none is created (C33d). */
export interface ComboLimits {
  readonly soft: number
  readonly hard: number
}

/** The smile of an index that a run does not name. */
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
 * Terms of an index that a run does not name: those of ETH for its indices, else those of BTC. Assumed:
 * no others are published.
 */
export function defaultPortfolioTerms(priceIndex: string): PortfolioTerms {
  return priceIndex.startsWith('eth_') || priceIndex.startsWith('steth_')
    ? etherTerms
    : bitcoinTerms
}

/** Share of positive equity that cross margin takes as initial margin, in parts per million (market.md 6.4). */
export const defaultHaircutsPpm: { readonly [C in Currency]?: number } = {
  STETH: 75_000,
  USDT: 20_000,
  USYC: 50_000,
  USDE: 50_000,
  PAXG: 100_000,
}

/** The venue's liquidations. */
export const defaultLiquidation: LiquidationTerms = { enabled: true, chunkPpm: 125_000 }

/** The venue's defaults of the programme. */
export const defaultLsp: LspTerms = {
  cooldown: micros(300_000_000),
  capacityFactor: 2,
  limitsPpm: {
    tier_1: 150_000,
    tier_2: 100_000,
    tier_3: 100_000,
    tier_4: 100_000,
    tier_5: 100_000,
    tier_6: 100_000,
    rwa: 100_000,
  },
  spreadPpm: 2_500,
  adlSpreadPpm: 2_500,
  commissionPpm: 250,
  failures: 5,
  failureWindow: micros(600_000_000),
}

/** The limits of C33. */
export const defaultComboLimits: ComboLimits = { soft: 1_000, hard: 1_500 }

/** A group in the words of the venue: the number of a tier, or `rwa`. */
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
