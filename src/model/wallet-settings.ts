/**
 * Settings of wallets. Source: sessions-blocks-gateways.md 6.2-6.4, appendix A.
 */
import { type Amount, MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import type { Currency } from './words/currencies.ts'

/** A year. */
const WAIT_MAX = 365 * MICROS_PER_DAY
/** A billion units. */
const FEE_MAX = 1_000_000_000_000_000_000n

/** Settings of wallets. A time that is null never passes; a control must take that step. */
export interface WalletSettings {
  /** Time until a new withdrawal address can be used. */
  readonly addressWait: Micros
  /** Largest number of entries of an address book for one currency and type. */
  readonly addressesMax: number
  /** True if withdrawals to new addresses need a confirmation. */
  readonly needsConfirmation: boolean
  /** Time after which unconfirmed withdrawals are cancelled. */
  readonly confirmationTime: Micros | null
  /** Time after which confirmed withdrawals complete. */
  readonly completionTime: Micros | null
  /** Time after which deposits complete. */
  readonly depositTime: Micros | null
  /** True if transfers to other users wait for a control. */
  readonly holdsTransfers: boolean
  /** Fees of withdrawals in addition to their amounts; 0 for omitted currencies. */
  readonly fees: { readonly [C in Currency]?: Amount }
}

/** The declaration: the times and counts are our choice; deposits and withdrawals wait for controls. */
export const walletSettings: SettingsOf<WalletSettings> = {
  addressWait: {
    key: 'address_wait',
    unit: 'micros',
    max: WAIT_MAX,
    default: micros(3 * MICROS_PER_DAY),
    says: 'How long new withdrawal addresses wait',
    examples: ['72h'],
  },
  addressesMax: {
    key: null,
    journal: 'addresses_max',
    unit: 'count',
    default: 100,
    says: 'Maximum number of address book entries per currency and type',
  },
  needsConfirmation: {
    key: 'requires_confirmation',
    unit: 'flag',
    default: true,
    says: 'True if withdrawals to new addresses need confirmation',
  },
  confirmationTime: {
    key: 'confirmation_time',
    unit: 'micros',
    min: 1,
    max: WAIT_MAX,
    default: null,
    says: 'Time after which an unconfirmed withdrawal is cancelled',
    examples: ['72h'],
    otherwise: 'never',
  },
  completionTime: {
    key: 'completion_time',
    unit: 'micros',
    min: 1,
    max: WAIT_MAX,
    default: null,
    says: 'Time from the confirmation of a withdrawal until its completion',
    examples: ['72h'],
    otherwise: 'a control completes it',
  },
  depositTime: {
    key: 'deposit_time',
    unit: 'micros',
    min: 1,
    max: WAIT_MAX,
    default: null,
    says: 'Time until a deposit is completed',
    examples: ['72h'],
    otherwise: 'a control completes it',
  },
  holdsTransfers: {
    key: 'hold_transfers',
    unit: 'flag',
    default: false,
    says: 'True if transfers to other users wait',
  },
  fees: {
    key: 'fees',
    by: 'currency',
    each: { key: null, unit: 'money', max: FEE_MAX, says: 'A fee' },
    default: {},
    says: 'Withdrawal fees, in addition to the amounts',
    otherwise: '0',
    examples: [{ BTC: 0.0001 }],
  },
}

const defaultWalletSettings: WalletSettings = defaultsOf(walletSettings)

/** The wallet settings of a configuration, which contains only those that differ from the defaults. */
export function walletSettingsOf(config: { readonly wallet?: Partial<WalletSettings> }): WalletSettings {
  return { ...defaultWalletSettings, ...config.wallet }
}
