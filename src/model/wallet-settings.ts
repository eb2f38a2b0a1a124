/**
 * Settings of wallets. Source: sessions-blocks-gateways.md 6.2-6.4, appendix A.
 */
import { type Amount, type Micros, micros } from '../core/index.ts'
import type { Currency } from './words/currencies.ts'

/** Settings of wallets; times that are null never come, and a control does what they would. */
export interface WalletSettings {
  /** New addresses to withdraw to may be used after so long. */
  readonly addressWait: Micros
  /** Most entries of an address book of one currency and type. */
  readonly addressesMax: number
  /** True if withdrawals to new addresses have to be confirmed. */
  readonly needsConfirmation: boolean
  /** Withdrawals that nobody confirms are cancelled after so long. */
  readonly confirmationTime: Micros | null
  /** Confirmed withdrawals are completed after so long. */
  readonly completionTime: Micros | null
  /** Deposits are completed after so long. */
  readonly depositTime: Micros | null
  /** True if transfers to other users wait for a control. */
  readonly holdsTransfers: boolean
  /** Fees of withdrawals, on top of their amounts; 0 where none is given. */
  readonly fees: { readonly [C in Currency]?: Amount }
}

/** The times and counts that we chose; deposits and withdrawals wait for controls. */
export const defaultWalletSettings: WalletSettings = {
  addressWait: micros(259_200_000_000),
  addressesMax: 100,
  needsConfirmation: true,
  confirmationTime: null,
  completionTime: null,
  depositTime: null,
  holdsTransfers: false,
  fees: {},
}

/** The settings of wallets of a configuration, which names those that are not the usual ones. */
export function walletSettingsOf(config: {
  readonly wallet?: Partial<WalletSettings>
}): WalletSettings {
  return { ...defaultWalletSettings, ...config.wallet }
}
