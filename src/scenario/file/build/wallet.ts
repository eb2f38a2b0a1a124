/**
 * The settings of wallets of a file in which nothing is wrong; what it leaves out is the venue's own.
 */
import { type Amount, amount, type DecimalInput } from '../../../core/index.ts'
import {
  type Currency,
  currencies,
  defaultWalletSettings,
  type ExchangeConfig,
  type WalletSettings,
} from '../../../model/index.ts'
import type { ScenarioShape } from '../format.ts'
import { durationOf, scaledOf } from './values.ts'

type Wallet = NonNullable<ScenarioShape['venue']>['wallet']

/** Settings of wallets, where the file has any. */
export function walletOf(wallet: Wallet): Pick<ExchangeConfig, 'wallet'> {
  if (wallet === undefined) return {}
  const usual = defaultWalletSettings
  const settings: WalletSettings = {
    addressWait: durationOf(wallet.address_wait) ?? usual.addressWait,
    addressesMax: usual.addressesMax,
    needsConfirmation: wallet.requires_confirmation ?? usual.needsConfirmation,
    confirmationTime: durationOf(wallet.confirmation_time) ?? null,
    completionTime: durationOf(wallet.completion_time) ?? null,
    depositTime: durationOf(wallet.deposit_time) ?? null,
    holdsTransfers: wallet.hold_transfers ?? usual.holdsTransfers,
    fees: feesOf(wallet.fees ?? {}),
  }
  return { wallet: settings }
}

function feesOf(
  fees: { readonly [C in Currency]?: DecimalInput | undefined },
): WalletSettings['fees'] {
  const found: { -readonly [C in Currency]?: Amount } = {}
  for (const currency of currencies) {
    const fee = fees[currency]
    if (fee !== undefined) found[currency] = amount(scaledOf(fee, 9))
  }
  return found
}
