/**
 * private/mass_quote: bids and asks of many instruments at once, at most one of each per group.
 *
 * Without `detailed` the reply has the number of refusals instead of a list. It waits for quotes behind the speed bump,
 * unless `wait_for_response` is false: then it lists the sides that were not refused, without orders and trades.
 * Source: trading.md 6.16 (C34).
 */
import { type DecimalInput, type InstrumentId, lots, parseDecimalInput, ticks, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import {
  type Fault,
  type Instrument,
  type QuoteEntry,
  type QuoteSide,
  type Side,
  validationStep,
} from '../../../../model/index.ts'
import {
  errorOf,
  placesOf,
  userTradeOut,
  type VenueError,
  type WireOrder,
  type WireUserTrade,
} from '../../../wire/index.ts'
import { defineMethod, type ReplyContext } from '../../method.ts'
import { decimal, instrumentName, readPrice, readSize, readTime, timestamp, unknownInstrument } from '../../params.ts'
import { postOnlyOf } from '../entry/order-terms.ts'
import { listedInstrument, orderReport } from '../order-reports.ts'

const SCALE = 9

const sideParams = z.object({
  price: decimal.nullish().describe('price; if omitted, the price of the resting quote'),
  amount: decimal.nullish().describe('size; if omitted, the size of the resting quote; 0 cancels it'),
  post_only: z.boolean().default(false).describe('post-only: if the price would trade, it is moved away from the book'),
  reject_post_only: z
    .boolean()
    .default(false)
    .describe('with post_only: a quote that would trade is rejected instead of moved'),
})

const entryParams = z
  .object({
    instrument_name: instrumentName,
    quote_set_id: z.string().describe('id of a set of quotes'),
    bid: sideParams.nullish(),
    ask: sideParams.nullish(),
  })
  .refine(({ bid, ask }) => bid != null || ask != null, 'bid_or_ask_required')

const params = z.object({
  quote_id: z.string().describe("the client's id of the request"),
  mmp_group: z.string().describe('a group that private/set_mmp_config made'),
  quotes: z.array(entryParams).min(1).describe('quotes, one for each instrument'),
  wait_for_response: z.boolean().default(true).describe('a reply with what came of it'),
  detailed: z.boolean().default(false).describe('a report for each quote'),
  valid_until: timestamp.optional(),
})

type WireSide = 'bid' | 'ask'

/** A side of a request. */
export interface WireQuoteSide {
  readonly instrument_name: string
  readonly side: WireSide
}

/** Result of a mass quote. */
export interface MassQuoteResult {
  readonly orders?: readonly WireOrder[]
  readonly trades?: readonly WireUserTrade[]
  readonly errors?: readonly (WireQuoteSide & { readonly error: VenueError })[]
  readonly errors_count?: number
  readonly pending_requests?: readonly WireQuoteSide[]
  readonly pending_requests_count?: number
}

/** Places, changes and cancels quotes of a group. */
const massQuote = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'mass_quote',
  charge: 'mass_quote',
  queue: 'order',
  params,
  read: (context, request) => {
    let fault: Fault | null = null
    const quotes: QuoteEntry[] = []
    for (const { instrument_name, quote_set_id, bid, ask } of request.quotes) {
      const instrument = findInstrument(context.exchange, instrument_name)
      if (instrument === undefined) fault = unknownInstrument
      else {
        quotes.push({
          instrument: instrument.id,
          quoteSetId: quote_set_id,
          bid: bid == null ? null : readSide(instrument, bid),
          ask: ask == null ? null : readSide(instrument, ask),
        })
      }
    }
    const { valid_until } = request
    return {
      body: {
        kind: 'mass_quote',
        quoteId: request.quote_id,
        group: request.mmp_group,
        quotes,
        resetMmp: false,
        waits: request.wait_for_response,
        validUntil: valid_until === undefined ? null : readTime(valid_until),
      },
      fault,
    }
  },
  reply: massQuoteResult,
})

/** Reads a side. A fault refuses only that side. */
function readSide(instrument: Instrument, side: z.output<typeof sideParams>): QuoteSide {
  const postOnly = postOnlyOf(side)
  const price = side.price == null ? null : readPrice(instrument, side.price)
  const amount = side.amount == null ? null : readAmount(instrument, side.amount)
  const sizeFault = amount === null || amount.ok ? null : amount.fault
  const priceFault = price === null || price.ok ? null : price.fault
  return {
    // A value of 0 replaces one that could not be read; its fault refuses the side.
    price: price === null ? null : price.ok ? price.value : ticks(0),
    amount: amount === null ? null : amount.ok ? amount.value : lots(0),
    postOnly,
    // Sizes are checked before prices.
    fault: sizeFault ?? priceFault,
  }
}

/** An amount of 0 cancels; one that is too small is refused. */
function readAmount(instrument: Instrument, amount: DecimalInput): ReturnType<typeof readSize> {
  const exact = parseDecimalInput(amount, SCALE)
  const read = readSize(instrument, { amount })
  if ((exact.ok && exact.value === 0n) || !read.ok || read.value !== 0) return read
  return { ok: false, fault: { step: validationStep.amount, refusal: { reason: 'qty_too_low' } } }
}

function massQuoteResult(context: ReplyContext, request: z.output<typeof params>): MassQuoteResult {
  const { detailed, wait_for_response: waits } = request
  const refused = context.quoted?.refused ?? []
  const errors = refused.map(({ instrument, side, refusal }) => ({
    ...sideOut(context, instrument, side),
    error: errorOf(refusal),
  }))
  const pending = waits ? [] : pendingSides(request, errors)
  if (!detailed) {
    const counts = { errors_count: errors.length }
    return waits ? counts : { ...counts, pending_requests_count: pending.length }
  }
  if (!waits) return { orders: [], trades: [], errors, pending_requests: pending }
  return { orders: ordersOut(context), trades: tradesOut(context), errors }
}

function ordersOut(context: ReplyContext): readonly WireOrder[] {
  const orders = context.quoted?.orders.values() ?? []
  return [...orders].map((order) => orderReport(context, order))
}

/**
 * The trades of the quotes, without the legs of combo trades. A combo trade lists its legs, which are no trades of a
 * quote.
 */
function tradesOut(context: ReplyContext): readonly WireUserTrade[] {
  const { quoted, exchange, history } = context
  if (quoted === undefined) return []
  return quoted.trades.flatMap((trade) => {
    const fill = quoted.orders.has(trade.taker.order) ? trade.taker : trade.maker
    const order = quoted.orders.get(fill.order)
    if (trade.combo !== null || order === undefined) return []
    return [userTradeOut(trade, fill, { order, places: placesOf(exchange, history) })]
  })
}

/** The sides of a request that were not refused. */
function pendingSides({ quotes }: z.output<typeof params>, errors: readonly WireQuoteSide[]): readonly WireQuoteSide[] {
  // A list may contain an instrument twice, of which one is refused.
  const left = [...errors]
  return quotes
    .flatMap((entry) => givenSides(entry))
    .filter(({ instrument_name, side }) => {
      const at = left.findIndex((e) => e.instrument_name === instrument_name && e.side === side)
      if (at >= 0) left.splice(at, 1)
      return at < 0
    })
}

function givenSides({ instrument_name, bid, ask }: z.output<typeof entryParams>): readonly WireQuoteSide[] {
  const sides: WireQuoteSide[] = []
  if (bid != null) sides.push({ instrument_name, side: 'bid' })
  if (ask != null) sides.push({ instrument_name, side: 'ask' })
  return sides
}

function sideOut(context: ReplyContext, instrument: InstrumentId, side: Side): WireQuoteSide {
  const { name } = listedInstrument(context, instrument)
  return { instrument_name: name, side: side === 'buy' ? 'bid' : 'ask' }
}

/** Methods by their names; a part of the table. */
export const massQuoteMethods = {
  'private/mass_quote': massQuote,
} as const
