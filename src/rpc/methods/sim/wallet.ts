/**
 * Controls of wallets: sim/set_wallet_type, set_address, hold_transfers, receive_deposit, move_deposit,
 * move_withdrawal, move_transfer.
 *
 * Source: sessions document 6.2-6.4 (hooks); coverage R64.
 */
import { defined, z } from '../../../core/index.ts'
import { allAccounts, findAccount } from '../../../engine/index.ts'
import {
  type Account,
  addressStatuses,
  addressTypes,
  controlledStates,
  type Fault,
  type PaymentState,
  type PaymentType,
  walletTypes,
} from '../../../model/index.ts'
import {
  depositOut,
  userTransferOut,
  type WireDeposit,
  type WireTransfer,
  type WireWithdrawal,
  withdrawalOut,
} from '../../wire/index.ts'
import { defineMethod, type ReadRequest, type ReplyContext, unreadable, validRequest } from '../method.ts'
import { decimal, earlier, requestCurrency, unknownAccount } from '../params.ts'
import { choiceIn, paymentsOf, readSum } from '../wallet/payments.ts'

const nextState = 'new state'
const accountName = z.string().describe('name of an account')
const text = z.string().min(1).max(256).optional()

/** The fault of a name that belongs to no trader. */
function accountFault(account: Account | undefined): Fault | null {
  return account === undefined || account.house ? unknownAccount : null
}

/** Sets who keeps the wallet of an account: the venue or a third party. */
const setWalletType = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_wallet',
  params: z.object({
    account: accountName,
    type: z.enum(walletTypes).describe('the venue, or a third party'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const fault = accountFault(target)
    if (target === undefined) return { body: unreadable('set_wallet'), fault }
    return { body: { kind: 'set_wallet', target: target.id, wallet: params.type }, fault }
  },
  reply: () => 'ok',
})

/** Changes the state of an address book entry, or whether withdrawals to it need confirmation. */
const setAddress = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_address',
  params: z.object({
    account: accountName,
    currency: requestCurrency,
    type: z.enum(addressTypes).default('withdrawal').describe('type of the address'),
    address: text.describe('address on the chain'),
    network: text.describe('network; for third-party wallets only'),
    tag: text.describe('destination tag; for third-party wallets only'),
    id: text.describe('id of the entry; for third-party wallets only'),
    status: z.enum(addressStatuses).optional().describe('state of the address; unchanged if omitted'),
    requires_confirmation: z
      .boolean()
      .optional()
      .describe('true if withdrawals to the address need confirmation; unchanged if omitted'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const fault = accountFault(target)
    if (target === undefined) return { body: unreadable('set_address'), fault }
    return {
      body: {
        kind: 'set_address',
        target: target.id,
        choice: choiceIn(params),
        status: params.status ?? null,
        needsConfirmation: params.requires_confirmation ?? null,
      },
      fault,
    }
  },
  reply: () => 'ok',
})

/** Sets whether new transfers to other users wait. Transfers that already wait keep waiting. */
const holdTransfers = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'hold_transfers',
  params: z.object({ held: z.boolean().describe('true if transfers to other users wait') }),
  read: (_context, { held }) => validRequest({ kind: 'hold_transfers', held }),
  reply: () => 'ok',
})

/** A deposit with its number for controls. */
export interface WireReceived extends WireDeposit {
  readonly id: number
}

/** A deposit arrives at the newest address of an account; it waits for `sim/move_deposit`, or for its time. */
const receiveDeposit = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'receive_deposit',
  params: z.object({
    account: accountName,
    currency: requestCurrency,
    amount: decimal,
    source_address: text.describe('address of the sender'),
    transaction_id: text.describe('transaction id on the chain'),
    note: text.describe('note of the venue'),
  }),
  read: (context, params) => {
    const target = findAccount(context.exchange, params.account)
    const { sum, fault: sumFault } = readSum(params.amount)
    const fault = earlier(accountFault(target), sumFault)
    if (target === undefined) return { body: unreadable('receive_deposit'), fault }
    return {
      body: {
        kind: 'receive_deposit',
        target: target.id,
        currency: params.currency,
        amount: sum,
        source: params.source_address ?? null,
        transaction: params.transaction_id ?? null,
        note: params.note ?? null,
      },
      fault,
    }
  },
  reply: (context): WireReceived => ({
    id: context.count,
    ...depositOut(paymentNow(context, 'deposit', context.count)),
  }),
})

const paymentId = z.int().min(1).describe('number among the payments of its type')

function readMove(type: PaymentType, id: number, state: PaymentState): ReadRequest {
  return validRequest({ kind: 'move_payment', type, payment: id, state })
}

/** Completes a deposit, rejects it, or marks it as replaced by another. */
const moveDeposit = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'move_payment',
  params: z.object({ id: paymentId, state: z.enum(controlledStates.deposit).describe(nextState) }),
  read: (_context, params) => readMove('deposit', params.id, params.state),
  reply: (context, { id }): WireReceived => ({
    id,
    ...depositOut(paymentNow(context, 'deposit', id)),
  }),
})

/** Confirms, completes, interrupts, rejects or cancels a withdrawal. */
const moveWithdrawal = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'move_payment',
  params: z.object({
    id: paymentId,
    state: z.enum(controlledStates.withdrawal).describe(nextState),
  }),
  read: (_context, params) => readMove('withdrawal', params.id, params.state),
  reply: (context, { id }): WireWithdrawal => withdrawalOut(paymentNow(context, 'withdrawal', id)),
})

/** Confirms a waiting transfer to a user, or ends it otherwise. */
const moveTransfer = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'move_payment',
  params: z.object({ id: paymentId, state: z.enum(controlledStates.transfer).describe(nextState) }),
  read: (_context, params) => readMove('transfer', params.id, params.state),
  reply: (context, { id }): WireTransfer => {
    const payment = paymentNow(context, 'transfer', id)
    return userTransferOut(context.exchange, payment, payment.account)
  },
})

/** The current state of a payment of any account. */
function paymentNow(context: ReplyContext, type: PaymentType, id: number): ReturnType<typeof paymentsOf>[number] {
  const found = allAccounts(context.exchange)
    .flatMap((account) => paymentsOf(context, account.id, type))
    .find(({ payment }) => payment === id)
  return defined(found, 'a moved payment is in the history')
}

/** Controls by their names; a part of the table. */
export const walletControls = {
  'sim/set_wallet_type': setWalletType,
  'sim/set_address': setAddress,
  'sim/receive_deposit': receiveDeposit,
  'sim/move_deposit': moveDeposit,
  'sim/move_withdrawal': moveWithdrawal,
  'sim/move_transfer': moveTransfer,
  'sim/hold_transfers': holdTransfers,
} as const
