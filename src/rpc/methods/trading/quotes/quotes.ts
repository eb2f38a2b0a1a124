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
  anyQuote,
  type Fault,
  type Instrument,
  type QuoteEntry,
  type QuoteFilter,
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
import { defineMethod, type ReadContext, type ReplyContext } from '../../method.ts'
import {
  anyInstrumentKind,
  decimal,
  instrumentName,
  kindsOf,
  paramFault,
  readPrice,
  readSize,
  readTime,
  requestCurrency,
  timestamp,
  unknownInstrument,
} from '../../params.ts'
import { cancelReport } from '../cancels/cancels.ts'
import { postOnlyOf } from '../entry/order-terms.ts'
import { listedInstrument, orderReport } from '../order-reports.ts'

interface ReadFilter {
  readonly part: Partial<QuoteFilter>
  readonly fault: Fault | null
}

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
    return {
      body: {
        kind: 'mass_quote',
        quoteId: request.quote_id,
        group: request.mmp_group,
        quotes,
        resetMmp: false,
        waits: request.wait_for_response,
        validUntil: request.valid_until === undefined ? null : readTime(request.valid_until),
      },
      fault,
    }
  },
  reply: massQuoteResult,
})

/** Reads a side. A fault refuses only that side. */
function readSide(instrument: Instrument, side: z.output<typeof sideParams>): QuoteSide {
  const postOnly = postOnlyOf(side.post_only, side.reject_post_only)
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
  const refused = context.quoted?.refused ?? []
  const errors = refused.map(({ instrument, side, refusal }) => ({
    ...sideOut(context, instrument, side),
    error: errorOf(refusal),
  }))
  const pending = request.wait_for_response ? [] : pendingSides(request, errors)
  if (!request.detailed) {
    const counts = { errors_count: errors.length }
    return request.wait_for_response ? counts : { ...counts, pending_requests_count: pending.length }
  }
  if (!request.wait_for_response) return { orders: [], trades: [], errors, pending_requests: pending }
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
    return [userTradeOut(trade, fill, order, placesOf(exchange, history))]
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

/**
 * private/cancel_quotes: cancels quotes by the criterion `cancel_type`, and returns their number, or with `detailed`
 * the quotes. Only the parameter of that criterion is required, and all others are ignored (C35).
 *
 * Source: trading.md 6.16 (C35), C12.
 */

const cancelParams = z.object({
  cancel_type: z
    .enum(['delta', 'quote_set_id', 'instrument', 'instrument_kind', 'currency', 'currency_pair', 'all'])
    .describe('criterion of the cancelled quotes'),
  min_delta: decimal.optional().describe('smallest absolute delta, inclusive'),
  max_delta: decimal.optional().describe('largest absolute delta, inclusive'),
  quote_set_id: z.string().optional().describe('id of a set of quotes'),
  instrument_name: instrumentName.optional(),
  kind: anyInstrumentKind.optional(),
  currency: requestCurrency.optional(),
  currency_pair: z.string().optional().describe('a price index such as btc_usd'),
  detailed: z.boolean().default(false).describe('true to list the quotes in the result'),
  freeze_quotes: z.boolean().default(false).describe('true to refuse new quotes for a second'),
})

/** Cancels quotes of the account. */
const cancelQuotes = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'cancel_quotes',
  queue: 'cancel',
  params: cancelParams,
  read: (context, request) => {
    const { part, fault } = filterOf(context, request)
    return {
      body: {
        kind: 'cancel_quotes',
        filter: { ...anyQuote, ...part },
        freeze: request.freeze_quotes,
      },
      fault,
    }
  },
  reply: cancelReport,
})

function filterOf(context: ReadContext, request: z.output<typeof cancelParams>): ReadFilter {
  switch (request.cancel_type) {
    case 'all':
      return { part: {}, fault: null }
    case 'delta':
      return deltaFilter(request)
    case 'quote_set_id':
      return given(request.quote_set_id, 'quote_set_id', (quoteSetId) => ({ quoteSetId }))
    case 'instrument':
      return instrumentFilter(context, request.instrument_name)
    case 'instrument_kind':
      return given(request.kind, 'kind', (kind) => ({ kinds: kindsOf(kind) }))
    case 'currency':
      return given(request.currency, 'currency', (currency) => ({ currencies: [currency] }))
    case 'currency_pair':
      return given(request.currency_pair, 'currency_pair', (pair) => ({ pair }))
  }
}

function given<T>(value: T | undefined, param: string, part: (value: T) => Partial<QuoteFilter>): ReadFilter {
  if (value === undefined) return { part: {}, fault: paramFault(param, 'required') }
  return { part: part(value), fault: null }
}

function instrumentFilter(context: ReadContext, name: string | undefined): ReadFilter {
  if (name === undefined) return { part: {}, fault: paramFault('instrument_name', 'required') }
  const instrument = findInstrument(context.exchange, name)
  if (instrument === undefined) return { part: {}, fault: unknownInstrument }
  return { part: { instrument: instrument.id }, fault: null }
}

/** The filter by a range of delta sizes; the lower end must not be above the upper one. */
function deltaFilter(request: z.output<typeof cancelParams>): ReadFilter {
  if (request.min_delta === undefined || request.max_delta === undefined) {
    const param = request.min_delta === undefined ? 'min_delta' : 'max_delta'
    return { part: {}, fault: paramFault(param, 'required') }
  }
  const min9 = readDelta(request.min_delta)
  const max9 = readDelta(request.max_delta)
  if (min9 === undefined || max9 === undefined) {
    const param = min9 === undefined ? 'min_delta' : 'max_delta'
    return { part: {}, fault: paramFault(param, 'invalid') }
  }
  const part = { delta: { min9, max9 } }
  return { part, fault: min9 > max9 ? paramFault('min_delta', 'above_max_delta') : null }
}

function readDelta(input: DecimalInput): number | undefined {
  const read = parseDecimalInput(input, SCALE)
  if (!read.ok || read.value < 0n || read.value > BigInt(Number.MAX_SAFE_INTEGER)) return undefined
  return Number(read.value)
}

/** Methods by their names; a part of the table. */
export const quoteMethods = {
  'private/mass_quote': massQuote,
  'private/cancel_quotes': cancelQuotes,
} as const
