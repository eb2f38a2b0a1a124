/**
 * private/move_positions: moves positions, or parts of them, between accounts of one owner, either all of the request
 * or none. The default price is the average price of the position, and there is no fee.
 *
 * Assumed: `direction` is the side of the giving account, which sells its long position; the venue's text says only
 * "source". Source: sessions document 6.1.
 */

import { type AccountId, accountId, amount, type DecimalInput, defined, lots, z } from '../../../../core/index.ts'
import { accountOf, findInstrument } from '../../../../engine/index.ts'
import {
  type EventOf,
  type Fault,
  type Instrument,
  type MovedPosition,
  type Side,
  validationStep,
} from '../../../../model/index.ts'
import { rowsOf } from '../../../history/index.ts'
import { amountOut, balanceOut, priceOut, timeOut, userTransferOut, type WireTransfer } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReadRequest, type ReplyContext } from '../../method.ts'
import {
  count,
  decimal,
  earlier,
  instrumentName,
  paramFault,
  readMoney,
  readPrice9,
  readSize,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { listedInstrument } from '../../trading/order-reports.ts'
import { familyOf, transferFault } from '../owner.ts'

/** A moved position. */
export interface WireMove {
  readonly source_uid: number
  readonly target_uid: number
  readonly instrument_name: string
  readonly direction: Side
  readonly price: number
  readonly amount: number
}

/** A page of transfers, newest first. */
export interface TransferPage {
  readonly data: readonly WireTransfer[]
  /** Total number of records. */
  readonly count: number
}

type Transfer = EventOf<'transfer'>

const uid = z.int().min(0).describe('number of a (sub)account')

/** The venue's examples write the numbers of this method as texts. */
const written = z.union([
  decimal,
  z
    .string()
    .transform((text): DecimalInput => ({ decimal: text }))
    .pipe(decimal),
])

const move = z.object({
  instrument_name: instrumentName,
  amount: written,
  price: written.optional(),
})

/** Moves positions; with `currency`, all of them must settle in that currency. */
const movePositions = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'move_positions',
  charge: 'move_positions',
  params: z.object({
    currency: requestCurrency.optional(),
    source_uid: uid,
    target_uid: uid,
    trades: z.array(move).min(1).describe('positions to move'),
  }),
  read: (context, params): ReadRequest => {
    const isSame = params.source_uid === params.target_uid
    let fault = earlier(
      transferFault(context, params.source_uid, params.target_uid),
      isSame ? paramFault('target_uid', 'same_as_source') : null,
    )
    const positions: MovedPosition[] = []
    for (const [at, trade] of params.trades.entries()) {
      const read = readMove(context, trade, at, params.currency)
      fault = earlier(fault, read.fault)
      if (read.position !== null) positions.push(read.position)
    }
    return {
      body: {
        kind: 'move_positions',
        source: accountId(params.source_uid),
        target: accountId(params.target_uid),
        positions,
      },
      fault,
    }
  },
  reply: (context): readonly WireMove[] =>
    context.moved.map((event) => {
      const instrument = listedInstrument(context, event.instrument)
      return {
        source_uid: event.from.account,
        target_uid: event.to.account,
        instrument_name: instrument.name,
        direction: event.amount > 0 ? 'sell' : 'buy',
        price: priceOut(event.price),
        amount: amountOut(instrument, lots(Math.abs(event.amount))),
      }
    }),
})

function readMove(
  context: ReadContext,
  trade: z.output<typeof move>,
  at: number,
  currency: string | undefined,
): { readonly position: MovedPosition | null; readonly fault: Fault | null } {
  const instrument = findInstrument(context.exchange, trade.instrument_name)
  if (instrument === undefined) return { position: null, fault: unknownInstrument }
  const price = trade.price === undefined ? null : readPrice9(trade.price)
  const size = readSize(instrument, { amount: trade.amount })
  const isPrice = trade.price === undefined || (typeof price === 'number' && price > 0)
  const fault = earlier(
    isMovable(instrument, currency) ? null : unsupported,
    earlier(size.ok ? null : size.fault, isPrice ? null : paramFault(`trades.${at}.price`, 'not_a_price')),
  )
  if (fault !== null || !size.ok) return { position: null, fault }
  return {
    position: { instrument: instrument.id, amount: size.value, price: price ?? null },
    fault: null,
  }
}

/** Only futures and options have positions. */
function isMovable(instrument: Instrument, currency: string | undefined): boolean {
  if (instrument.kind !== 'future' && instrument.kind !== 'option') return false
  return currency === undefined || instrument.settlementCurrency === currency
}

const unsupported: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'invalid_or_unsupported_instrument' },
}

/**
 * private/submit_transfer_to_subaccount, submit_transfer_between_subaccounts and get_transfers: transfers of money
 * between accounts of one owner, which arrive at once, and the list of all transfers, including those to other users.
 *
 * A request with a known nonce returns the transfer of that nonce, whatever its other parameters are. Source: sessions
 * document 6.3.
 */

const NONCE_MIN = 8

const NONCE_MAX = 128

const accountNumber = z.int().min(0).describe('number of an account or a subaccount')

const transferParams = z.object({
  currency: requestCurrency,
  amount: decimal,
  destination: accountNumber,
  nonce: z
    .string()
    .min(NONCE_MIN)
    .max(NONCE_MAX)
    .optional()
    .describe('id of the request; a repeated request with the same id has no effect'),
})

/** Transfers money from the requesting account to another account of the same owner. */
const submitTransferToSubaccount = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'transfer_cash',
  params: transferParams,
  read: (context, params) => readTransfer(context, params, asker(context)),
  reply: (context, params): WireTransfer => transferReply(context, params.nonce),
})

/** Transfers money from `source`, by default the requesting account. */
const submitTransferBetweenSubaccounts = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'transfer_cash',
  params: transferParams.extend({ source: accountNumber.optional() }),
  read: (context, params) => readTransfer(context, params, params.source ?? asker(context)),
  reply: (context, params): WireTransfer => transferReply(context, params.nonce),
})

/** Transfers of the account in a currency. */
const getTransfers = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    count: count(10),
    offset: z.int().min(0).default(0).describe('number of records to skip'),
  }),
  read: () => queryOf(null),
  reply: (context, params): TransferPage => {
    const own = asker(context)
    const all = allTransfers(context, own, params.currency)
    const data = all.toReversed().slice(params.offset, params.offset + params.count)
    return { data, count: all.length }
  },
})

/**
 * Transfers of an account in a currency, by number: transfers to users in their current state, and transfers between
 * accounts of one owner.
 */
function allTransfers(context: ReadContext, own: AccountId, currency: string): readonly WireTransfer[] {
  const users = rowsOf(context.history.payments, own).filter(({ type }) => type === 'transfer')
  const numbers = new Set(users.map(({ payment }) => payment))
  const inside = rowsOf(context.history.transfers, own).filter(({ transfer }) => !numbers.has(transfer))
  return [
    ...users.map((transfer) => userTransferOut(context.exchange, transfer, own)),
    ...inside.map((transfer) => transferOut(context, transfer, own)),
  ]
    .filter((transfer) => transfer.currency === currency)
    .sort((left, right) => left.id - right.id)
}

function readTransfer(context: ReadContext, params: z.output<typeof transferParams>, source: number): ReadRequest {
  if (params.nonce !== undefined && namedTransfer(context, params.nonce) !== undefined) return queryOf(null)
  const money = readMoney(params.amount)
  const isSame = source === params.destination
  const fault: Fault | null = earlier(
    transferFault(context, source, params.destination),
    earlier(
      isSame ? paramFault('destination', 'same_as_source') : null,
      moneyProblem(money) === null ? null : paramFault('amount', moneyProblem(money) ?? ''),
    ),
  )
  return {
    body: {
      kind: 'transfer_cash',
      source: accountId(source),
      target: accountId(params.destination),
      currency: params.currency,
      amount: money ?? amount(0n),
      nonce: params.nonce ?? null,
    },
    fault,
  }
}

function moneyProblem(money: bigint | undefined): string | null {
  if (money === undefined) return 'too_many_decimals'
  return money > 0n ? null : 'not_above_zero'
}

/** The transfer with this nonce among the accounts of the owner. */
function namedTransfer(context: ReadContext, nonce: string): Transfer | undefined {
  const { main } = accountOf(context.exchange, asker(context))
  for (const { id } of familyOf(context.exchange, main)) {
    const found = rowsOf(context.history.transfers, id).find((transfer) => transfer.nonce === nonce)
    if (found !== undefined) return found
  }
  return undefined
}

function transferReply(context: ReplyContext, nonce: string | undefined): WireTransfer {
  const named = nonce === undefined ? undefined : namedTransfer(context, nonce)
  const made = named ?? ownTransfer(context)
  const transfer = defined(made, 'an accepted transfer is in the history')
  return transferOut(context, transfer, transfer.from)
}

/** The transfer that this request made, from any account of the owner. */
function ownTransfer(context: ReplyContext): Transfer | undefined {
  const { main } = accountOf(context.exchange, asker(context))
  for (const { id } of familyOf(context.exchange, main)) {
    const last = rowsOf(context.history.transfers, id).at(-1)
    if (last?.cause === context.cause) return last
  }
  return undefined
}

function transferOut(context: ReadContext, transfer: Transfer, viewer: AccountId): WireTransfer {
  const pays = transfer.from === viewer
  const other = accountOf(context.exchange, pays ? transfer.to : transfer.from)
  const time = timeOut(transfer.time)
  return {
    id: transfer.transfer,
    created_timestamp: time,
    updated_timestamp: time,
    type: 'subaccount',
    currency: transfer.currency,
    amount: balanceOut(transfer.currency, transfer.amount),
    other_side: other.name,
    state: 'confirmed',
    direction: pays ? 'payment' : 'income',
    ...(transfer.nonce === null ? {} : { nonce: transfer.nonce }),
  }
}

/** Methods by their names; a part of the table. */
export const transferMethods = {
  'private/move_positions': movePositions,
  'private/submit_transfer_to_subaccount': submitTransferToSubaccount,
  'private/submit_transfer_between_subaccounts': submitTransferBetweenSubaccounts,
  'private/get_transfers': getTransfers,
} as const
