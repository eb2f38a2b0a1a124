/**
 * sim/direct/mass_quote: MassQuoteRequest (130). An omitted side stays unchanged, and an amount of 0 cancels it.
 *
 * Source: sessions document 8.5, 8.6, 8.7; S304, S325.
 */
import {
  type DecimalInput,
  defined,
  type Lots,
  lots,
  type OrderId,
  type Price9,
  parseDecimalInput,
  ticks,
  z,
} from '../core/index.ts'
import { findInstrument, isQueued, type OrderView } from '../engine/index.ts'
import {
  type Fault,
  type Instrument,
  type OrderChanged,
  type QuoteEntry,
  type QuoteSide,
  type Reason,
  type Refusal,
  type Side,
  validationStep,
} from '../model/index.ts'
import {
  type DirectFill,
  decimal,
  defineMethod,
  instrumentName,
  type ReadContext,
  type ReadRequest,
  type ReplyContext,
  readPrice,
  readSize,
  unknownInstrument,
} from '../rpc/index.ts'
import { answerFields, type DirectAnswer, messageHead } from './answers.ts'
import { wideNumber } from './fields.ts'
import { type MessageRecord, messageJson } from './message-json.ts'
import { groupNumber, mayReset, readPostOnly, replaceFlags } from './order-arguments.ts'
import { type FillRecord, fillRecord } from './order-replies.ts'
import { versionOf } from './posting.ts'
import { rejectError } from './refusals.ts'

const SCALE = 9

const sideFlags = z.array(z.enum(replaceFlags)).default([])

const entryParams = z.object({
  instrument_name: instrumentName,
  bid_price: decimal.optional(),
  bid_amount: decimal.optional().describe('new bid size; 0 cancels the bid'),
  ask_price: decimal.optional(),
  ask_amount: decimal.optional().describe('new ask size; 0 cancels the ask'),
  bid_flags: sideFlags,
  ask_flags: sideFlags,
})

const params = z.object({
  quote_id: wideNumber.describe("the client's id of the request: a whole number"),
  mmp_group_id: groupNumber,
  ...messageHead,
  quotes: z.array(entryParams).min(1).describe('quotes, one per instrument'),
  flags: z
    .array(z.enum(['reset_mmp']))
    .default([])
    .describe('flags of the protocol'),
})

/** States of a side: 0 to 8. */
export type QuoteStatus =
  | 'inactive'
  | 'unmodified'
  | 'qty_reduced'
  | 'updated'
  | 'filled'
  | 'canceled_by_request'
  | 'canceled_by_mmp'
  | 'canceled_by_self_match'
  | 'speed_bumped'

/** One side of a quote in a response. */
export interface DirectQuoteSide {
  readonly order_id: string | null
  readonly price: number | null
  readonly amount: number
  readonly filled_amount: number
  readonly status: QuoteStatus
  readonly reject_reason: Reason | null
  readonly fills: readonly DirectFill[]
}

/** 230: quotes were placed, changed or rejected. */
export interface MassQuoteResponse extends DirectAnswer {
  readonly message: 'MassQuoteResponse'
  readonly quote_id: string
  readonly mmp_group_id: number
  readonly quotes: readonly {
    readonly instrument_name: string
    readonly bid: DirectQuoteSide
    readonly ask: DirectQuoteSide
  }[]
}

/** Places, changes and cancels quotes of a group over a session of direct access. */
const directMassQuote = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'direct_access',
  command: 'mass_quote',
  charge: 'trading',
  direct: 'MassQuoteRequest',
  params,
  read: readMassQuote,
  reply: (context, asked): MassQuoteResponse =>
    messageJson<MassQuoteResponse>(
      'MassQuoteResponse',
      {
        ...answerFields(context, asked),
        quoteId: asked.quote_id,
        mmpGroupId: asked.mmp_group_id,
        quotes: asked.quotes.map(({ instrument_name }) => quoteRecord(context, instrument_name)),
      },
      versionOf(context.history, context.session),
    ),
})

function readMassQuote(context: ReadContext, asked: z.output<typeof params>): ReadRequest {
  let fault: Fault | null = null
  const quotes: QuoteEntry[] = []
  for (const entry of asked.quotes) {
    const instrument = findInstrument(context.exchange, entry.instrument_name)
    if (instrument === undefined) {
      fault = unknownInstrument
      continue
    }
    quotes.push({
      instrument: instrument.id,
      quoteSetId: '',
      bid: readSide(instrument, entry.bid_price, entry.bid_amount, entry.bid_flags),
      ask: readSide(instrument, entry.ask_price, entry.ask_amount, entry.ask_flags),
    })
  }
  const resetMmp = asked.flags.includes('reset_mmp') && mayReset(context)
  return {
    body: {
      kind: 'mass_quote',
      quoteId: asked.quote_id,
      group: asked.mmp_group_id,
      quotes,
      resetMmp,
      waits: false,
      validUntil: null,
    },
    fault,
  }
}

/** Reads one side; null if the side is omitted. A fault refuses only this side, except a fault of its amount. */
function readSide(
  instrument: Instrument,
  askedPrice: DecimalInput | undefined,
  amount: DecimalInput | undefined,
  flags: readonly string[],
): QuoteSide | null {
  if (askedPrice === undefined && amount === undefined) return null
  const price = askedPrice === undefined ? null : readPrice(instrument, askedPrice)
  const size = amount === undefined ? null : readAmount(instrument, amount)
  const { postOnly, fault } = readPostOnly(flags)
  const sizeFault = size === null || size.ok ? null : size.fault
  const priceFault = price === null || price.ok ? null : price.fault
  return {
    price: price === null ? null : price.ok ? price.value : ticks(0),
    amount: size === null ? null : size.ok ? size.value : lots(0),
    postOnly,
    fault: sizeFault ?? fault ?? priceFault,
  }
}

/** Reads an amount. 0 cancels, and an amount that is too small is a fault. */
function readAmount(instrument: Instrument, amount: DecimalInput): ReturnType<typeof readSize> {
  const exact = parseDecimalInput(amount, SCALE)
  const read = readSize(instrument, { amount })
  if ((exact.ok && exact.value === 0n) || !read.ok || read.value !== 0) return read
  return { ok: false, fault: { step: validationStep.amount, refusal: { reason: 'qty_too_low' } } }
}

/** Both sides of a quote as a record. */
function quoteRecord(
  context: ReplyContext,
  name: string,
): NonNullable<MessageRecord<'MassQuoteResponse'>['quotes']>[number] {
  const found = findInstrument(context.exchange, name)
  const instrument = defined(found, 'a quote on an unlisted instrument is rejected')
  const bid = sideRecord(context, instrument, 'buy')
  const ask = sideRecord(context, instrument, 'sell')
  return {
    instrumentId: instrument,
    bidOrderId: bid.order,
    bidPrice: bid.price,
    bidQty: bid.amount,
    bidFilledQty: bid.filled,
    bidStatus: bid.status,
    bidRejectReason: bid.reason,
    bidFills: bid.fills,
    askOrderId: ask.order,
    askPrice: ask.price,
    askQty: ask.amount,
    askFilledQty: ask.filled,
    askStatus: ask.status,
    askRejectReason: ask.reason,
    askFills: ask.fills,
  }
}

/** One side of a quote in the engine's units. */
interface SideRecord {
  readonly order: OrderId | null
  readonly price: Price9 | null
  readonly amount: Lots
  readonly filled: Lots
  readonly status: QuoteStatus
  readonly reason: Reason | null
  readonly fills: readonly FillRecord[]
}

function sideRecord(context: ReplyContext, instrument: Instrument, side: Side): SideRecord {
  const { exchange, quoted } = context
  const isMeant = (each: Pick<OrderChanged, 'instrument' | 'side'>): boolean =>
    each.instrument === instrument.id && each.side === side
  const refused = quoted?.refused.find(isMeant)
  const reason = refused === undefined ? null : reasonOf(context, refused.refusal)
  const order = [...(quoted?.orders.values() ?? [])].filter(isMeant).at(-1)
  if (order === undefined) {
    const stood = [...(quoted?.before.values() ?? [])].find((view) => isMeant(view.order))
    if (stood === undefined) return { ...noSide, reason }
    const status = isQueued(exchange, stood.order.id) ? 'speed_bumped' : 'unmodified'
    return { ...liveSide(stood), status, reason }
  }
  const fills = (quoted?.trades ?? []).filter(({ taker, combo }) => taker.order === order.order && combo === null)
  return {
    order: order.order,
    price: order.price,
    amount: lots(order.amount - order.filled),
    filled: lots(fills.reduce((sum, { amount }) => sum + amount, 0)),
    status: statusOf(context, order),
    reason,
    fills: fills.map(fillRecord),
  }
}

/** A quote that did not change, or that waits, even if it will be cancelled when it is released. */
function liveSide({ order, price, filled }: OrderView): Omit<SideRecord, 'status' | 'reason'> {
  const left = lots(order.amount - filled)
  return { order: order.id, price, amount: left, filled: lots(0), fills: [] }
}

const noSide: SideRecord = {
  order: null,
  price: null,
  amount: lots(0),
  filled: lots(0),
  status: 'inactive',
  reason: null,
  fills: [],
}

function statusOf(context: ReplyContext, order: OrderChanged): QuoteStatus {
  if (isQueued(context.exchange, order.order)) return 'speed_bumped'
  if (order.state === 'filled') return 'filled'
  if (order.kind !== 'order' || order.change !== 'cancelled')
    return changeOf(order, context.quoted?.before.get(order.order))
  if (order.reason === 'mmp_trigger') return 'canceled_by_mmp'
  return order.reason === 'risk_mitigation' ? 'canceled_by_self_match' : 'canceled_by_request'
}

/** The change of a live quote. A quote at the same price keeps its place in the queue, unless its size grew. */
function changeOf(order: OrderChanged, before: OrderView | undefined): QuoteStatus {
  if (before === undefined || before.price !== order.price) return 'updated'
  const left = order.amount - order.filled
  const stood = before.order.amount - before.filled
  if (left > stood) return 'updated'
  return left === stood ? 'unmodified' : 'qty_reduced'
}

/** A side of a quote is refused with the reasons of orders. */
function reasonOf(context: ReplyContext, refusal: Refusal): Reason {
  const { code, message } = rejectError('NewOrderReject', refusal.reason, versionOf(context.history, context.session))
  return { code, name: message }
}

/** Methods by their names; a part of the table. */
export const directQuoteMethods = {
  'sim/direct/mass_quote': directMassQuote,
} as const
