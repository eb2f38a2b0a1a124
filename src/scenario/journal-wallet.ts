/**
 * The settings of wallets as the head of a journal writes them, where they are not the usual ones.
 */
import { amount, formatScaled, type Micros, micros, parseScaled, z } from '../core/index.ts'
import {
  type Currency,
  currencies,
  type ExchangeConfig,
  isCurrency,
  type WalletSettings,
  walletSettingsOf,
} from '../model/index.ts'

const count = z.int().min(0)
const money = z.string().refine((text) => {
  const parsed = parseScaled(text, 9)
  return parsed.ok && parsed.value >= 0n
}, 'an amount of money')

/** Keys of the configuration of a journal that are about wallets. */
export const journalWalletShape = {
  wallet: z
    .strictObject({
      address_micros: count,
      addresses_max: count,
      requires_confirmation: z.boolean(),
      confirmation_micros: count.nullable(),
      completion_micros: count.nullable(),
      deposit_micros: count.nullable(),
      hold_transfers: z.boolean(),
      fees: z.partialRecord(z.enum(currencies), money),
    })
    .optional(),
}

const schema = z.object(journalWalletShape)

/** Settings of wallets as JSON. */
export function encodeJournalWallet(
  config: Pick<ExchangeConfig, 'wallet'>,
): z.input<typeof schema> {
  if (config.wallet === undefined) return {}
  const settings = walletSettingsOf(config)
  const fees: { [C in Currency]?: string } = {}
  for (const currency of currencies) {
    const fee = settings.fees[currency]
    if (fee !== undefined) fees[currency] = formatScaled(fee, 9)
  }
  return {
    wallet: {
      address_micros: settings.addressWait,
      addresses_max: settings.addressesMax,
      requires_confirmation: settings.needsConfirmation,
      confirmation_micros: settings.confirmationTime,
      completion_micros: settings.completionTime,
      deposit_micros: settings.depositTime,
      hold_transfers: settings.holdsTransfers,
      fees,
    },
  }
}

/** The settings of wallets that a journal names. */
export function readJournalWallet({
  wallet,
}: z.output<typeof schema>): Pick<ExchangeConfig, 'wallet'> {
  if (wallet === undefined) return {}
  const fees: { -readonly [C in Currency]?: WalletSettings['fees'][C] } = {}
  for (const [currency, text] of Object.entries(wallet.fees)) {
    const fee = parseScaled(text, 9)
    if (isCurrency(currency) && fee.ok) fees[currency] = amount(fee.value)
  }
  return {
    wallet: {
      addressWait: micros(wallet.address_micros),
      addressesMax: wallet.addresses_max,
      needsConfirmation: wallet.requires_confirmation,
      confirmationTime: timeOf(wallet.confirmation_micros),
      completionTime: timeOf(wallet.completion_micros),
      depositTime: timeOf(wallet.deposit_micros),
      holdsTransfers: wallet.hold_transfers,
      fees,
    },
  }
}

function timeOf(count: number | null): Micros | null {
  return count === null ? null : micros(count)
}
