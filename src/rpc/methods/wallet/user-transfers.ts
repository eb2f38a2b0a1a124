/**
 * private/submit_transfer_to_user, cancel_transfer_by_id. Source: sessions document 6.3. Assumed: a transfer to a user
 * may have a nonce, like transfers between accounts of one owner.
 */
import { defined, z } from '../../../core/index.ts'
import { type Fault, validationStep } from '../../../model/index.ts'
import { rowsOf } from '../../history/index.ts'
import { userTransferOut, type WireTransfer } from '../../wire/index.ts'
import { mainFault } from '../account/owner.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReplyContext } from '../method.ts'
import { decimal, earlier, requestCurrency } from '../params.ts'
import { namedPayment, nonce, paymentsOf, readSum } from './wallet-params.ts'

/** Transfers money from the requesting account to another user, whose address is in the address book. */
const submitTransferToUser = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'submit_transfer',
  params: z.object({
    currency: requestCurrency,
    amount: decimal,
    destination: z.string().describe('an address of the address book'),
    nonce,
  }),
  read: (context, params) => {
    const main = mainFault(context)
    if (main === null && namedPayment(context, 'transfer', params.nonce) !== undefined) {
      return queryOf(null)
    }
    const { sum, fault } = readSum(params.amount)
    return {
      body: {
        kind: 'submit_transfer',
        currency: params.currency,
        destination: params.destination,
        amount: sum,
        nonce: params.nonce ?? null,
      },
      fault: earlier(main, fault),
    }
  },
  reply: (context, params): WireTransfer => {
    const named = namedPayment(context, 'transfer', params.nonce)
    if (named !== undefined) return userTransferOut(context.exchange, named, asker(context))
    return transferNow(context, context.count)
  },
})

/** Cancels a prepared transfer to a user; other transfers cannot be cancelled (12100). */
const cancelTransferById = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'cancel_payment',
  params: z.object({
    currency: requestCurrency,
    id: z.int().min(0).describe('id of the transfer'),
  }),
  read: (context, { currency, id }) => ({
    body: { kind: 'cancel_payment', type: 'transfer', currency, payment: id },
    fault: transferFault(context, id),
  }),
  reply: (context, { id }): WireTransfer => transferNow(context, id),
})

/** The fault of a transfer that the requesting account can see but that is no longer prepared. */
function transferFault(context: ReadContext, id: number): Fault | null {
  const own = asker(context)
  const payment = paymentsOf(context, own, 'transfer').find((each) => each.payment === id)
  const isEnded =
    payment === undefined
      ? rowsOf(context.history.transfers, own).some(({ transfer }) => transfer === id)
      : payment.state !== 'prepared'
  const step = validationStep.instrument
  return isEnded ? { step, refusal: { reason: 'transfer_not_allowed' } } : null
}

/** The current state of a transfer of the requesting account. */
function transferNow(context: ReplyContext, id: number): WireTransfer {
  const own = asker(context)
  const found = paymentsOf(context, own, 'transfer').find(({ payment }) => payment === id)
  const transfer = defined(found, 'a requested transfer is in the history')
  return userTransferOut(context.exchange, transfer, own)
}

/** Methods by their names; a part of the table. */
export const userTransferMethods = {
  'private/submit_transfer_to_user': submitTransferToUser,
  'private/cancel_transfer_by_id': cancelTransferById,
} as const
