/**
 * private/get_deposits, get_current_deposit_address, create_deposit_address. Source: sessions document 6.4.
 */
import { defined, z } from '../../../core/index.ts'
import { viewDepositAddress } from '../../../engine/index.ts'
import { validationStep } from '../../../model/index.ts'
import { depositOut, timeOut, type WireDeposit } from '../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReplyContext } from '../method.ts'
import { requestCurrency } from '../params.ts'
import { pageOldestFirst, pageParams, paymentsOf, type WalletPage } from './wallet-params.ts'

/** An address for deposits. */
export interface WireDepositAddress {
  readonly address: string
  readonly currency: string
  readonly creation_timestamp: number
  readonly type: 'deposit'
}

/** Deposits of the requesting account in a currency. */
const getDeposits = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object(pageParams),
  read: () => queryOf(null),
  reply: (context, params): WalletPage<WireDeposit> => {
    const all = paymentsOf(context, asker(context), 'deposit')
    const own = all.filter(({ currency }) => currency === params.currency)
    return pageOldestFirst(own, params, depositOut)
  },
})

/** The newest deposit address of the requesting account; 11097 if there is none. */
const getCurrentDepositAddress = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency }),
  read: (context, { currency }) => {
    const found = viewDepositAddress(context.exchange, asker(context), currency)
    if (found !== undefined) return queryOf(null)
    const step = validationStep.instrument
    return queryOf({ step, refusal: { reason: 'no_deposit_address' } })
  },
  reply: (context, { currency }): WireDepositAddress => currentAddress(context, currency),
})

/** Creates a deposit address: one per day for Bitcoin, one in total for each other currency. */
const createDepositAddress = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'create_deposit_address',
  params: z.object({ currency: requestCurrency }),
  read: (_context, { currency }) => ({
    body: { kind: 'create_deposit_address', currency },
    fault: null,
  }),
  reply: (context, { currency }): WireDepositAddress => currentAddress(context, currency),
})

function currentAddress(context: ReplyContext, currency: z.output<typeof requestCurrency>): WireDepositAddress {
  const found = viewDepositAddress(context.exchange, asker(context), currency)
  const { address, createdAt } = defined(found, 'the account has an address')
  return { address, currency, creation_timestamp: timeOut(createdAt), type: 'deposit' }
}

/** Methods by their names; a part of the table. */
export const depositMethods = {
  'private/get_deposits': getDeposits,
  'private/get_current_deposit_address': getCurrentDepositAddress,
  'private/create_deposit_address': createDepositAddress,
} as const
