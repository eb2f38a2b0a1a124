/**
 * Wallets: who keeps that of an account, and how long addresses, deposits and withdrawals take.
 */
import { z } from '../../../core/index.ts'
import { currencies, walletTypes } from '../../../model/index.ts'
import { decimal } from './decimals.ts'

const duration = z
  .string()
  .meta({ examples: ['72h'] })
  .optional()

/** Who keeps the wallet of an account. */
export const accountWallet = z
  .enum(walletTypes)
  .optional()
  .meta({
    description: 'Who keeps its wallet: the venue, or a third party; else legacy.',
    examples: ['third_party'],
  })

/** Settings of wallets. */
export const walletFormat = {
  wallet: z
    .strictObject({
      address_wait: duration.meta({
        description: 'How long new addresses to withdraw to wait; else 72h.',
      }),
      requires_confirmation: z
        .boolean()
        .optional()
        .meta({ description: 'Whether withdrawals to new addresses are confirmed; else so.' }),
      confirmation_time: duration.meta({
        description: 'After how long a withdrawal that nobody confirms is cancelled; else never.',
      }),
      completion_time: duration.meta({
        description: 'After how long a confirmed withdrawal is completed; else by a control.',
      }),
      deposit_time: duration.meta({
        description: 'After how long a deposit is completed; else by a control.',
      }),
      hold_transfers: z
        .boolean()
        .optional()
        .meta({ description: 'Whether transfers to other users wait; else not.' }),
      fees: z
        .partialRecord(z.enum(currencies), decimal.meta({ type: 'number', minimum: 0 }))
        .optional()
        .meta({
          description: 'Fees of withdrawals, on top of their amounts; else 0.',
          examples: [{ BTC: 0.0001 }],
        }),
    })
    .optional()
    .meta({ description: 'Settings of wallets.', examples: [{ address_wait: '1h' }] }),
}
