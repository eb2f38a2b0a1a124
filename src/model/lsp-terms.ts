/**
 * Settings of the liquidity support programme. Plain data, part of the configuration of
 * a run.
 *
 * Source: sessions-blocks-gateways.md 7. Values without a public source are named there as choices.
 */
import { MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import { partOfOne } from './risk-terms.ts'
import type { SettingOf, SettingsOf } from './settings/declaration.ts'
import type { LspGroup } from './words/liquidations.ts'

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
    says: 'Window in which a limit is used up',
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
