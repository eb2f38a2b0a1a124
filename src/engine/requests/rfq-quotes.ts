/**
 * Quotes of makers on Block RFQs: adding, editing and cancelling them.
 *
 * Rule: rfq.quote. A maker has at most 5 open quotes on a side of an RFQ, 10 in total, each with a distinct label or
 * without one. An all-or-none quote has the amount of the RFQ; any other quote has at least the least amount and at
 * most the amount of the RFQ. A maker's bids must be below its asks. An edit keeps the id, the instruction and the
 * expiry, and loses time priority.
 * Rule: rfq.quote-margin. When a quote is added or edited, the maker must have the margin for the fill of this quote
 * alone; nothing is reserved.
 *
 * Source: sessions-blocks-gateways.md 5.5.
 */

import { assert, micros, type Price9 } from '../../core/index.ts'
import {
  type AddRfqQuote,
  type BlockLeg,
  type CancelRfqQuote,
  type CancelRfqQuotes,
  type EditRfqQuote,
  type Fault,
  type Refusal,
  type RfqQuotedLeg,
  type RfqQuoteName,
  type RfqQuoteTerms,
  type Side,
  validationStep,
} from '../../model/index.ts'
import {
  emitRfqQuote,
  endRfqQuote,
  pullRfqQuotes,
  quotedLegs,
  refreshShown,
  rfqFreezeRefusal,
  rfqQuantityRefusal,
} from '../market/index.ts'
import {
  type CheckResult,
  type Exchange,
  findRfqQuote,
  isTarget,
  noteMobile,
  partyOf,
  pass,
  type RfqQuoteRow,
  type RfqRow,
  refuse,
  rfqAt,
  rowOfInstrument,
  setTimer,
  type Turn,
} from '../state/index.ts'
import { legPrices } from '../value/index.ts'
import { bearsBlock, blockPriceRefusal, checkBlockLocks } from './block-checks.ts'
import { badArgument, type Handlers, seal } from './handler.ts'
import { isSameHedge, orderedLegs, partsOf } from './rfq-accept.ts'
import { settleRfq } from './rfq-execution.ts'
import { priceOfLegs, sizeUnits, structureUnits } from './rfqs.ts'

const step = validationStep

/** Terms of a quote in the units of its RFQ. */
interface QuotePlan {
  readonly rfq: RfqRow
  readonly amount: number
  readonly price: number
  readonly prices: readonly Price9[]
}

/** A side of an RFQ with the maker that quotes it. */
interface QuotedSide {
  readonly rfq: RfqRow
  readonly maker: number
  readonly side: Side
  readonly allOrNone: boolean
  /** The quote to edit; null for a new one. */
  readonly edited: RfqQuoteRow | null
}

/** Checks a new quote; only reads. */
function checkAdd(exchange: Exchange, command: AddRfqQuote): CheckResult<QuotePlan> {
  const { account: maker, side, allOrNone, label, expiresAt } = command
  const quoted = checkQuoted(exchange, maker, command.rfq)
  if (!quoted.ok) return quoted
  const rfq = quoted.plan
  if (expiresAt !== null && expiresAt <= exchange.now) return badArgument('expires_at', 'in_the_past')
  const own = [...rfq.quotes.values()].filter((quote) => quote.maker === maker)
  if (label !== '' && own.some((quote) => quote.label === label)) {
    return badArgument('label', 'duplicate_label')
  }
  const terms = checkTerms(exchange, command, { rfq, maker, side, allOrNone, edited: null })
  if (!terms.ok) return terms
  const { quotesMax, sideQuotesMax } = exchange.config.blockRfqs
  if (own.filter((quote) => quote.side === side).length >= sideQuotesMax) {
    return refuse(step.openOrderLimits, { reason: 'too_many_quotes_per_block_rfq_side' })
  }
  if (own.length >= quotesMax) {
    return refuse(step.openOrderLimits, { reason: 'too_many_quotes_per_block_rfq' })
  }
  return checkOtherQuotes(exchange, terms.plan, { rfq, maker, side, allOrNone, edited: null })
}

/** Adds the quote. Events: `block_rfq_quote` added, then those of a trade that it triggers. Returns its id. */
function commitAdd(turn: Turn, command: AddRfqQuote, plan: QuotePlan): number {
  const { rfq, amount, price, prices } = plan
  assert(turn.exchange.rfqs.open.has(rfq.rfq), 'a new quote is on an open RFQ')
  turn.exchange.rfqs.quoteCount += 1
  const id = turn.exchange.rfqs.quoteCount
  const expiresAt = micros(Math.min(command.expiresAt ?? rfq.expiresAt, rfq.expiresAt))
  const timer =
    expiresAt === rfq.expiresAt
      ? null
      : setTimer(turn.exchange.timers, expiresAt, { kind: 'rfq_quote_expiry', rfq: rfq.rfq, quote: id })
  const quote: RfqQuoteRow = {
    quote: id,
    maker: command.account,
    side: command.side,
    instruction: command.allOrNone ? 'all_or_none' : 'any_part_of',
    label: command.label,
    appName: command.appName,
    createdAt: turn.exchange.now,
    expiresAt,
    timer,
    amount,
    price,
    legPrices: prices,
    updatedAt: turn.exchange.now,
    replaced: false,
  }
  assert(!rfq.quotes.has(id), 'each quote has a unique id')
  rfq.quotes.set(id, quote)
  noteMobile(turn.exchange, command.session, { quote: id })
  emitRfqQuote(turn, { rfq, quote }, { change: 'added', reason: 'user_request' })
  settleRfq(turn, rfq, 'quotes')
  return id
}

/** An edit of an open quote. */
interface EditPlan extends QuotePlan {
  readonly quote: RfqQuoteRow
}

/** Checks an edit; only reads. */
function checkEdit(exchange: Exchange, command: EditRfqQuote): CheckResult<EditPlan> {
  const named = checkNamed(exchange, command.account, command.named)
  if (!named.ok) return named
  const { rfq, quote } = named.plan
  const allOrNone = quote.instruction === 'all_or_none'
  const locks = checkBlockLocks(exchange, partsOf(rfq), [{ account: command.account, role: 'maker' }])
  if (!locks.ok) return locks
  const of: QuotedSide = { rfq, maker: command.account, side: quote.side, allOrNone, edited: quote }
  const terms = checkTerms(exchange, command, of)
  if (!terms.ok) return terms
  const others = checkOtherQuotes(exchange, terms.plan, of)
  return others.ok ? pass({ ...others.plan, quote }) : others
}

/** Changes the quote. Events: `block_rfq_quote` replaced, then those of a trade that it triggers. Returns its id. */
function commitEdit(turn: Turn, _: EditRfqQuote, plan: EditPlan): number {
  const { rfq, quote, amount, price, prices } = plan
  assert(turn.exchange.rfqs.open.has(rfq.rfq), 'a changed quote is on an open RFQ')
  assert(rfq.quotes.get(quote.quote) === quote, 'a changed quote has not ended')
  quote.amount = amount
  quote.price = price
  quote.legPrices = prices
  quote.updatedAt = turn.exchange.now
  quote.replaced = true
  emitRfqQuote(turn, { rfq, quote }, { change: 'replaced', reason: 'user_request' })
  settleRfq(turn, rfq, 'quotes')
  return quote.quote
}

/** An open quote with its RFQ. */
interface NamedQuote {
  readonly rfq: RfqRow
  readonly quote: RfqQuoteRow
}

function checkCancel(exchange: Exchange, { account, named }: CancelRfqQuote): CheckResult<NamedQuote> {
  return checkNamed(exchange, account, named)
}

function commitCancel(turn: Turn, _: CancelRfqQuote, named: NamedQuote): number {
  const { rfq, quote } = named
  assert(rfq.quotes.get(quote.quote) === quote, 'a quote has not ended before it is cancelled')
  endRfqQuote(turn, named.rfq, named.quote, { change: 'cancelled', reason: 'user_request' })
  assert(!rfq.quotes.has(quote.quote), 'a cancelled quote is no longer on its RFQ')
  refreshShown(turn, rfq, 'quotes')
  return quote.quote
}

/** Checks that the account is a maker, and that the RFQ exists if the request names one. */
function checkCancelAll(exchange: Exchange, { account, rfq: number }: CancelRfqQuotes): CheckResult<null> {
  const barred = makerFault(exchange, account)
  if (barred !== null) return { ok: false, fault: barred }
  if (number === null) return pass(null)
  const rfq = exchange.rfqs.rfqs.get(number)
  const isSeen = rfq !== undefined && isTarget(exchange, rfq, account)
  return isSeen ? pass(null) : refuse(step.instrument, { reason: 'not_found' })
}

function commitCancelAll(turn: Turn, { account, rfq }: CancelRfqQuotes): number {
  return pullRfqQuotes(turn, account, rfq, 'user_request')
}

/** Only makers may quote on Block RFQs. */
export function makerFault(exchange: Exchange, account: number): Fault | null {
  if (partyOf(exchange, account).isMaker) return null
  return { step: step.scope, refusal: { reason: 'forbidden' } }
}

/** Checks that a maker may quote an RFQ now. */
function checkQuoted(exchange: Exchange, maker: number, number: number): CheckResult<RfqRow> {
  const barred = makerFault(exchange, maker)
  if (barred !== null) return { ok: false, fault: barred }
  const rfq = exchange.rfqs.rfqs.get(number)
  if (rfq === undefined || !isTarget(exchange, rfq, maker)) {
    return refuse(step.instrument, { reason: 'not_found' })
  }
  if (rfq.state !== 'open') return refuse(step.bookState, { reason: 'already_closed' })
  const locks = checkBlockLocks(exchange, partsOf(rfq), [{ account: maker, role: 'maker' }])
  return locks.ok ? pass(rfq) : locks
}

/** The open quote of a maker that a request names. */
function checkNamed(exchange: Exchange, maker: number, named: RfqQuoteName): CheckResult<NamedQuote> {
  const barred = makerFault(exchange, maker)
  if (barred !== null) return { ok: false, fault: barred }
  const found =
    'quote' in named ? findRfqQuote(exchange, named.quote) : labelled(exchange, maker, named.rfq, named.label)
  if (found !== undefined && found.quote.maker === maker) return pass(found)
  const isOver = 'quote' in named && hasEnded(exchange, maker, named.quote)
  return isOver
    ? refuse(step.bookState, { reason: 'already_closed' })
    : refuse(step.instrument, { reason: 'not_found' })
}

function labelled(exchange: Exchange, maker: number, rfqNumber: number, label: string): NamedQuote | undefined {
  if (label === '' || !exchange.rfqs.open.has(rfqNumber)) return undefined
  const rfq = rfqAt(exchange, rfqNumber)
  const quote = [...rfq.quotes.values()].find((each) => each.maker === maker && each.label === label)
  return quote && { rfq, quote }
}

function hasEnded(exchange: Exchange, maker: number, quote: number): boolean {
  return [...exchange.rfqs.rfqs.values()].some(({ ended }) => ended.get(quote) === maker)
}

/** Checks legs, hedge, amount and prices. */
function checkTerms(exchange: Exchange, terms: RfqQuoteTerms, { rfq, allOrNone }: QuotedSide): CheckResult<QuotePlan> {
  const legs = orderedLegs(rfq, terms.legs)
  if (legs === undefined) return badArgument('legs', 'legs_differ')
  if (terms.hedge !== null && !isSameHedge(rfq.hedge, terms.hedge)) {
    return badArgument('hedge', 'hedge_differs')
  }
  const amount = sizeUnits(rfq, terms.amount9)
  if (amount === undefined || amount <= 0 || amount % rfq.step !== 0) {
    return refuse(step.amount, { reason: 'invalid_amount' })
  }
  if (allOrNone && amount !== rfq.amount) return badArgument('amount', 'all_or_none_amount')
  if (amount > rfq.amount) return badArgument('amount', 'above_rfq_amount')
  if (amount < rfq.least) return refuse(step.amount, { reason: 'qty_too_low' })
  const prices = checkPrices(exchange, rfq, legs, terms.price9)
  return prices.ok ? pass({ rfq, amount, ...prices.plan }) : prices
}

/** Checks that the prices of the legs and of the structure agree. */
function checkPrices(
  exchange: Exchange,
  rfq: RfqRow,
  legs: readonly RfqQuotedLeg[],
  price9: bigint | null,
): CheckResult<Pick<QuotePlan, 'price' | 'prices'>> {
  const given = legs.flatMap(({ price }) => (price === null ? [] : [price]))
  const wanted = price9 === null ? null : structureUnits(rfq, price9)
  if (wanted === undefined) return refuse(step.price, { reason: 'price_wrong_tick' })
  let prices: readonly Price9[] | undefined = given
  if (given.length < legs.length) {
    if (given.length > 0 || wanted === null) return badArgument('legs', 'prices_required')
    prices = spreadPrices(exchange, legs, price9 ?? 0n)
    if (prices === undefined) return badArgument('price', 'leg_prices_required')
  }
  for (const [at, price] of prices.entries()) {
    const leg = legs[at]
    if (leg === undefined) continue
    const row = rowOfInstrument(exchange, leg.instrument)
    const refusal = blockPriceRefusal(exchange, row, price)
    if (refusal !== null) return refuse(step.price, refusal)
  }
  const price = priceOfLegs(rfq, prices)
  if (price === undefined) return refuse(step.price, { reason: 'invalid_price' })
  if (wanted !== null && wanted !== price) return badArgument('price', 'price_differs')
  return pass({ price, prices })
}

/**
 * Prices of the two futures of a spread from the price of the spread, as in private/get_leg_prices; undefined for other
 * structures.
 */
function spreadPrices(
  exchange: Exchange,
  legs: readonly RfqQuotedLeg[],
  price9: bigint,
): readonly Price9[] | undefined {
  const rows = legs.map(({ instrument }) => rowOfInstrument(exchange, instrument))
  const isSpread =
    legs.length === 2 &&
    legs[0]?.side !== legs[1]?.side &&
    legs.every(({ ratio }) => ratio === 1) &&
    rows.every(({ instrument }) => instrument.kind === 'future')
  if (!isSpread) return undefined
  const weighed = rows.map((row, at) => ({ row, ratio: legs[at]?.side === 'buy' ? 1 : -1 }))
  return legPrices(weighed, Number(price9))
}

/** Checks the circumstances of a quote: limits of the maker, the maker's quotes on the other side, margin. */
function checkOtherQuotes(exchange: Exchange, plan: QuotePlan, of: QuotedSide): CheckResult<QuotePlan> {
  const { rfq, maker, side, edited } = of
  const legs = quotedLegs(exchange, rfq, { side, legPrices: plan.prices, amount: plan.amount })
  const bar = quoteBarRefusal(exchange, legs, maker, edited)
  if (bar !== null) return refuse(step.mmp, bar)
  if (!bearsBlock(exchange, legs, { account: maker, role: 'maker' })) {
    return refuse(step.margin, { reason: 'not_enough_funds' })
  }
  const crossed = [...rfq.quotes.values()].some(
    (each) =>
      each.maker === maker &&
      each !== edited &&
      each.side !== side &&
      (side === 'buy' ? plan.price >= each.price : plan.price <= each.price),
  )
  return crossed ? refuse(step.selfMatch, { reason: 'quote_crossed' }) : pass(plan)
}

export const rfqQuotesHandlers: Handlers<
  'add_rfq_quote' | 'edit_rfq_quote' | 'cancel_rfq_quote' | 'cancel_rfq_quotes'
> = {
  add_rfq_quote: seal({ check: checkAdd, commit: commitAdd }),
  edit_rfq_quote: seal({ check: checkEdit, commit: commitEdit }),
  cancel_rfq_quote: seal({ check: checkCancel, commit: commitCancel }),
  cancel_rfq_quotes: seal({ check: checkCancelAll, commit: commitCancelAll }),
}

/**
 * Reasons that prevent quotes on Block RFQs: the maker's protection, because it is frozen or too much is open, and
 * limits on the size of quotes.
 *
 * Rule: rfq.quote-limits. A limit applies to a kind and a currency pair, and bounds each leg; the share of a hedge
 * counts as a future of its pair. An account with any limit on inverse futures may not quote structures with several
 * currencies.
 * Assumed: a limit bounds the size of one quote. Source: sessions-blocks-gateways.md 5.5, 5.11.
 */

/** The refusal of a maker's quote with these legs, or null; `edited` is the quote that they replace. */
function quoteBarRefusal(
  exchange: Exchange,
  legs: readonly BlockLeg[],
  maker: number,
  edited: RfqQuoteRow | null,
): Refusal | null {
  return (
    rfqFreezeRefusal(exchange, maker) ??
    rfqQuantityRefusal(exchange, legs, maker, edited) ??
    limitRefusal(exchange, legs, maker)
  )
}

function limitRefusal(exchange: Exchange, legs: readonly BlockLeg[], maker: number): Refusal | null {
  const { quoteLimits } = partyOf(exchange, maker)
  if (quoteLimits.length === 0) return null
  const sized = legs.map(({ instrument, amount }) => {
    const row = rowOfInstrument(exchange, instrument)
    return { instrument: row.instrument, amount9: amount * row.instrument.amountStep9 }
  })
  const isSpread = new Set(sized.map(({ instrument }) => instrument.baseCurrency)).size > 1
  const isInverseBound = quoteLimits.some(({ kind, pair }) => kind === 'future' && pair.endsWith('_USD'))
  if (isSpread && isInverseBound) return { reason: 'inverse_future_cross_trading' }
  const isBeyond = sized.some(({ instrument, amount9 }) => {
    const pair = `${instrument.baseCurrency}_${instrument.counterCurrency}`
    return quoteLimits.some((limit) => limit.kind === instrument.kind && limit.pair === pair && amount9 > limit.amount9)
  })
  return isBeyond ? { reason: 'account_quote_limit_crossed' } : null
}
