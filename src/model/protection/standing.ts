/**
 * Permissions, risk limits and product switches of an account, set by the venue's staff or the account's owner.
 *
 * Source: trading.md 7.2, C43; sessions-blocks-gateways.md 8.2, 8.11, 8.14, 8.15; coverage R52, R58, R61.
 */
import type { Instrument } from '../instrument.ts'
import type { SettingsOf } from '../settings/declaration.ts'
import type { InstrumentKind, TradingProduct } from '../words/instruments.ts'

/**
 * Permissions of an account in addition to placing orders. For a subaccount, `member` is the permission of its main
 * account.
 */
export interface Permissions {
  /** True if the account may trade by direct access, as a portfolio of a Member. */
  readonly member: boolean
  readonly mmp: boolean
  readonly massQuotes: boolean
}

/** Initial permissions of an account: everything except direct access. */
export const defaultPermissions: Permissions = { member: false, mmp: true, massQuotes: true }

/**
 * Limits of a portfolio on one price index, in 1e-9 of the amount unit; -1 is explicitly unlimited, null
 * not set (R58).
 */
export interface RiskLimits {
  readonly futurePosition9: number | null
  readonly optionPosition9: number | null
  readonly futureOrder9: number | null
  readonly optionOrder9: number | null
}

const limit = { unit: 'risk_limit', default: null, examples: [5000] } as const

/** Declaration of the limits in a run's settings. */
export const riskLimitSettings: SettingsOf<RiskLimits> = {
  futurePosition9: {
    ...limit,
    key: 'max_future_position',
    says: 'Maximum position in futures',
  },
  optionPosition9: {
    ...limit,
    key: 'max_option_position',
    says: 'Maximum position in options',
  },
  futureOrder9: {
    ...limit,
    key: 'max_future_open_order_size',
    says: 'Maximum open orders in futures',
  },
  optionOrder9: {
    ...limit,
    key: 'max_option_open_order_size',
    says: 'Maximum open orders in options',
  },
}

/** The product group of an instrument. */
export function productOf(instrument: Pick<Instrument, 'kind' | 'detail'>): TradingProduct {
  return instrument.detail.type === 'perpetual' ? 'perpetual' : productsOfKinds[instrument.kind]
}

const productsOfKinds: { readonly [K in InstrumentKind]: TradingProduct } = {
  future: 'futures',
  option: 'options',
  spot: 'spots',
  future_combo: 'future_combos',
  option_combo: 'option_combos',
}
