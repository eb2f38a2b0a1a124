/**
 * private/withdraw, cancel_withdrawal, get_withdrawals. Source: sessions document 6.4.
 */
import { defined, z } from '../../../core/index.ts'
import { isEndedPayment, validationStep, withdrawalPriorities } from '../../../model/index.ts'
import { type WireWithdrawal, withdrawalOut } from '../../wire/index.ts'
import { mainFault } from '../account/owner.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../method.ts'
import { decimal, earlier, requestCurrency } from '../params.ts'
import { placeParams } from './address-book.ts'
import {
  namedPayment,
  nonce,
  pageOldestFirst,
  pageParams,
  paymentsOf,
  readSum,
  type WalletPage,
} from './wallet-params.ts'

/**
 * Requests a withdrawal to an address of the address book; with a nonce used before, it returns the withdrawal of that
 * nonce.
 */
const withdraw = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'withdraw',
  params: z.object({
    currency: requestCurrency,
    address: z.string().describe('an address of the address book'),
    ...placeParams,
    amount: decimal,
    priority: z.enum(withdrawalPriorities).default('high').describe('priority of the withdrawal'),
    nonce,
  }),
  read: (context, params) => {
    const main = mainFault(context)
    if (main === null && namedPayment(context, 'withdrawal', params.nonce) !== undefined) {
      return queryOf(null)
    }
    const { sum, fault } = readSum(params.amount)
    return {
      body: {
        kind: 'withdraw',
        currency: params.currency,
        address: params.address,
        network: params.network ?? null,
        tag: params.tag ?? null,
        amount: sum,
        priority: params.priority,
        nonce: params.nonce ?? null,
      },
      fault: earlier(main, fault),
    }
  },
  reply: (context, params): WireWithdrawal => {
    const named = namedPayment(context, 'withdrawal', params.nonce)
    return named === undefined ? withdrawalNow(context, context.count) : withdrawalOut(named)
  },
})

/** Cancels a withdrawal that is not completed. */
const cancelWithdrawal = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'cancel_payment',
  params: z.object({
    currency: requestCurrency,
    id: z.int().min(0).describe('id of the withdrawal'),
  }),
  read: (context, { currency, id }) => {
    const known = paymentsOf(context, asker(context), 'withdrawal').find(
      (each) => each.payment === id && each.currency === currency,
    )
    const isEnded = known !== undefined && isEndedPayment('withdrawal', known.state)
    const step = validationStep.instrument
    return {
      body: { kind: 'cancel_payment', type: 'withdrawal', currency, payment: id },
      fault: isEnded ? { step, refusal: { reason: 'already_closed' } } : null,
    }
  },
  reply: (context, { id }): WireWithdrawal => withdrawalNow(context, id),
})

/** Withdrawals of the requesting account in a currency. */
const getWithdrawals = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object(pageParams),
  read: () => queryOf(null),
  reply: (context, params): WalletPage<WireWithdrawal> => {
    const all = paymentsOf(context, asker(context), 'withdrawal')
    const own = all.filter(({ currency }) => currency === params.currency)
    return pageOldestFirst(own, params, withdrawalOut)
  },
})

/** The current state of a withdrawal of the requesting account. */
function withdrawalNow(context: ReplyContext, id: number): WireWithdrawal {
  const found = paymentsOf(context, asker(context), 'withdrawal').find(({ payment }) => payment === id)
  return withdrawalOut(defined(found, 'a requested withdrawal is in the history'))
}

/** Methods by their names; a part of the table. */
export const withdrawalMethods = {
  'private/withdraw': withdraw,
  'private/cancel_withdrawal': cancelWithdrawal,
  'private/get_withdrawals': getWithdrawals,
} as const
