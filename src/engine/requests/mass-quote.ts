/**
 * Mass quotes: first the checks of the whole request (`market/request-steps.ts`), then its quotes one after another.
 *
 * A quote is a limit order that lives until it is cancelled, one for each group, instrument and side. It belongs to the
 * market-maker protection of its group, whose margin covers it.
 *
 * Rule: quotes.side-order. Both sides of an instrument are independent: the bid comes first, except if both prices
 * rise. Source: trading.md 6.16 (C34); sessions-blocks-gateways.md 8.2, 8.5, 8.6.
 */

import { NO_SLOT, priceOf, remainingOf } from '../../book/index.ts'
import { type AccountId, assert, defined, lots, type Micros, type Ticks, ticks } from '../../core/index.ts'
import {
  type DirectTerms,
  type MassQuote,
  NO_ORDER,
  type OrderExtras,
  type OrderTerms,
  type PostOnly,
  type QuoteEntry,
  type QuoteSide,
  type Refusal,
  type Side,
  usualTerms,
  validationStep,
} from '../../model/index.ts'
import {
  admit,
  admitRequest,
  announce,
  type Candidate,
  createOrder,
  cutInBook,
  placedCandidate,
  pullOrder,
  type QuotesAsked,
  resetGroup,
  sendOrder,
  stateRefusal,
  termsBefore,
} from '../market/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  eventHeader,
  firstFault,
  forgetParticipant,
  type InstrumentRow,
  type MmpGroup,
  orderAt,
  pass,
  quoteSlot,
  refuse,
  rememberQuote,
  rowOfInstrument,
  sessionAt,
  type Turn,
} from '../state/index.ts'
import { allowsCancels } from './cancel.ts'
import { emitEdited, moveOrder } from './edit.ts'
import { type Handlers, seal } from './handler.ts'

/** Common terms of the quotes of one request. */
interface QuoteRequest {
  readonly group: MmpGroup
  readonly account: AccountId | -1
  readonly session: number
  readonly quoteId: string
  /** Time before which the matching of a waiting side must begin; null for none. */
  readonly validUntil: Micros | null
  /** Null except for direct access. */
  readonly direct: DirectTerms | null
}

/** A side of an entry. */
interface SidePlace {
  readonly entry: QuoteEntry
  readonly side: Side
}

/** A side merged with the resting quote; a field is null if it is unknown. */
interface MergedSide {
  /** Slot of its resting quote, or NO_SLOT. */
  readonly slot: number
  readonly price: Ticks | null
  readonly lots: number | null
}

/** The plan for a side: without lots its quote is cancelled, if there is one. */
interface SidePlan {
  readonly row: InstrumentRow
  readonly slot: number
  readonly price: Ticks
  readonly lots: number
}

/**
 * One side of a quote: it is merged with the resting quote, checked alone, then placed, changed or cancelled. A refused
 * side does not change the resting quote (C34b).
 *
 * Rule: quotes.independent-sides, quotes.priority. A quote keeps its id until it is cancelled or filled. It keeps its
 * place if only its size shrinks or only its set changes. If it is sent again without a change, it keeps its place only
 * over direct access.
 * Source: trading.md 6.10, 6.16 (C34); sessions-blocks-gateways.md 8.6.
 */

const step = validationStep

/** A side whose omitted fields have the values of the resting quote. */
function mergedSide(exchange: Exchange, group: MmpGroup, place: SidePlace): MergedSide {
  const asked = termsOf(place)
  const slot = quoteSlot(exchange, group, { instrument: place.entry.instrument, side: place.side })
  if (slot === NO_SLOT) return { slot, price: asked.price, lots: asked.amount }
  return {
    slot,
    price: asked.price ?? ticks(priceOf(exchange.slots, slot)),
    lots: asked.amount ?? remainingOf(exchange.slots, slot),
  }
}

/**
 * Processes one side; returns true if it was not refused. Events: as for `place_order`, `edit_order` or `cancel_order`,
 * or `quote_refusal`.
 */
function quoteSide(turn: Turn, request: QuoteRequest, place: SidePlace): boolean {
  const { fault } = termsOf(place)
  const result = firstFault(fault, checkSide(turn.exchange, request, place))
  if (!result.ok) {
    refuseSide(turn, request, { ...place, refusal: result.fault.refusal })
    return false
  }
  if (result.plan.lots === 0) cancelQuote(turn, request, place, result.plan.slot)
  else if (result.plan.slot === NO_SLOT) placeQuote(turn, request, place, result.plan)
  else replaceQuote(turn, request, place, result.plan)
  return true
}

/** A side of a quote and its refusal. */
interface RefusedSide extends SidePlace {
  readonly refusal: Refusal
}

/** Emits the refusal of a side. */
function refuseSide(turn: Turn, request: QuoteRequest, refused: RefusedSide): void {
  turn.log.append({
    kind: 'quote_refusal',
    ...eventHeader(turn),
    account: accountRow(turn.exchange, request.account).account.id,
    instrument: refused.entry.instrument,
    side: refused.side,
    group: request.group.membership.group,
    quoteSetId: refused.entry.quoteSetId,
    refusal: refused.refusal,
  })
}

/** Steps 8 to 22 for one side; they check the margin of its group. */
function checkSide(exchange: Exchange, request: QuoteRequest, place: SidePlace): CheckResult<SidePlan> {
  const row = rowOfInstrument(exchange, place.entry.instrument)
  const { slot, price: asked, lots: size } = mergedSide(exchange, request.group, place)
  if (size === null) return refuse(step.parameters, missing(place, 'amount'))
  if (size === 0) {
    // Without a resting quote there is nothing to cancel.
    const closed = slot === NO_SLOT || allowsCancels(row.state) ? null : stateRefusal(row)
    if (closed !== null) return refuse(step.bookState, closed)
    return pass({ row, slot, price: asked ?? ticks(0), lots: 0 })
  }
  if (asked === null) return refuse(step.parameters, missing(place, 'price'))
  const candidate = quoteCandidate(exchange, request, place, {
    row,
    slot,
    price: asked,
    lots: size,
  })
  const found = admit(exchange, candidate)
  return found.ok ? pass({ row, slot, price: found.plan.price, lots: size }) : found
}

/** The quote as input of the steps, with the terms of its side. */
function quoteCandidate(
  exchange: Exchange,
  request: QuoteRequest,
  place: SidePlace,
  { row, slot, price, lots: size }: SidePlan,
): Candidate {
  const { postOnly } = termsOf(place)
  return placedCandidate('quote', {
    row,
    account: request.account,
    session: request.session,
    slot,
    group: request.group,
    filled: filledAt(exchange, slot),
    display: 0,
    extras: null,
    direct: request.direct,
    terms: quoteTerms(place.side, price, size, postOnly),
  })
}

/** A quote is a plain limit order. */
function quoteTerms(side: Side, price: Ticks, size: number, postOnly: PostOnly): OrderTerms {
  return { ...usualTerms, side, price, amount: lots(size), postOnly }
}

function placeQuote(turn: Turn, request: QuoteRequest, place: SidePlace, plan: SidePlan): void {
  const slot = createOrder(turn.exchange, {
    row: plan.row,
    account: request.account,
    price: plan.price,
    session: request.session,
    validUntil: request.validUntil,
    terms: quoteTerms(place.side, plan.price, plan.lots, termsOf(place).postOnly),
    display: lots(0),
    stage: 'entering',
    link: null,
    triggeredBy: NO_ORDER,
    extras: extrasOf(request, place, request.direct),
  })
  rememberQuote(turn.exchange, orderAt(turn.exchange, slot))
  announce(turn, plan.row, slot)
  sendOrder(turn, plan.row, slot, 'placed')
}

function replaceQuote(turn: Turn, request: QuoteRequest, place: SidePlace, plan: SidePlan): void {
  const { row, slot, price } = plan
  const order = orderAt(turn.exchange, slot)
  const before = row.instrument.speedBump > 0 ? termsBefore(turn.exchange, slot) : null
  const keepsPlace = order.stage === 'resting' && keepsPlaceAt(turn.exchange, request, place, plan)
  nameQuote(turn.exchange, request, place, slot)
  order.postOnly = termsOf(place).postOnly
  order.replaced = true
  const amount = lots(filledAt(turn.exchange, slot) + plan.lots)
  if (!keepsPlace) {
    order.validUntil = request.validUntil
    moveOrder(turn, { row, slot, amount, display: lots(0), price }, plan.lots, before)
    return
  }
  const less = remainingOf(turn.exchange.slots, slot) - plan.lots
  if (less > 0) cutInBook(turn, row, slot, less)
  order.amount = amount
  emitEdited(turn, row, slot, true)
}

/** True if a quote keeps its place; an unchanged quote keeps it only over direct access. */
function keepsPlaceAt(
  exchange: Exchange,
  request: QuoteRequest,
  place: SidePlace,
  { slot, price, lots: size }: SidePlan,
): boolean {
  if (price !== priceOf(exchange.slots, slot) || size > remainingOf(exchange.slots, slot)) return false
  const isSame = size === remainingOf(exchange.slots, slot)
  const isSameSet = orderAt(exchange, slot).extras?.quote?.quoteSetId === place.entry.quoteSetId
  return !(isSame && isSameSet && request.direct === null)
}

function cancelQuote(turn: Turn, request: QuoteRequest, place: SidePlace, slot: number): void {
  if (slot === NO_SLOT) return
  nameQuote(turn.exchange, request, place, slot)
  pullOrder(turn, slot, 'user_request')
}

/** A quote takes the ids of the latest request that set it; its owner does not change. */
function nameQuote(exchange: Exchange, request: QuoteRequest, place: SidePlace, slot: number): void {
  const order = orderAt(exchange, slot)
  order.extras = extrasOf(request, place, order.extras?.direct ?? null)
}

function extrasOf(request: QuoteRequest, place: SidePlace, direct: DirectTerms | null): OrderExtras {
  return {
    mmp: request.group.membership,
    quote: { quoteId: request.quoteId, quoteSetId: place.entry.quoteSetId },
    direct,
  }
}

/** The terms of a given side. */
function termsOf({ entry, side }: SidePlace): QuoteSide {
  return (side === 'buy' ? entry.bid : entry.ask) ?? noTerms
}

const noTerms: QuoteSide = { price: null, amount: null, postOnly: 'off', fault: null }

/** The refusal of a side that omits a price or an amount if there is no resting quote. */
function missing(place: SidePlace, what: 'price' | 'amount'): Refusal {
  const param = `${place.side === 'buy' ? 'bid' : 'ask'}.${what}`
  return { reason: 'invalid_params', param, problem: 'required' }
}

/** Filled size of a live quote; 0 if there is no quote. */
function filledAt(exchange: Exchange, slot: number): number {
  if (slot === NO_SLOT) return 0
  return orderAt(exchange, slot).amount - remainingOf(exchange.slots, slot)
}

/** Checks the whole request; only reads. Each quote is checked separately later. */
function checkMassQuote(exchange: Exchange, command: MassQuote): CheckResult<MmpGroup> {
  const asked: QuotesAsked = { command, group: undefined }
  const fault = admitRequest(exchange, 'quotes', asked)
  return fault === null ? pass(defined(asked.group, 'accepted quotes have a group')) : { ok: false, fault }
}

/** Processes the quotes in the order of the list; returns the number of sides that were not refused. */
function commitMassQuote(turn: Turn, command: MassQuote, group: MmpGroup): number {
  const { account, session } = command
  if (turn.exchange.participants.size > 0) forgetParticipant(turn.exchange, account)
  assert(group.account === account, 'a maker quotes in a group of the account')
  assert(group.config !== null, 'a group that accepts quotes has limits')
  const row = sessionAt(turn.exchange, session)
  const request: QuoteRequest = {
    group,
    account,
    session,
    quoteId: command.quoteId,
    validUntil: command.validUntil,
    direct: row?.type === 'direct_access' ? { clientOrderId: null, cancelOnDisconnect: row.cancelOnDisconnect } : null,
  }
  if (command.resetMmp) resetGroup(turn, group, session)
  // The reply of such a request does not wait for orders behind the speed bump.
  if (!command.waits) turn.exchange.openRequest = null
  let accepted = 0
  for (const entry of command.quotes) accepted += quoteInstrument(turn, request, entry)
  assert(accepted <= 2 * command.quotes.length, 'an entry has at most two sides')
  return accepted
}

/** Both sides of an instrument before the first of them is processed. */
interface BothSides {
  readonly bid: MergedSide
  readonly ask: MergedSide
}

/** Processes both sides of an instrument; returns the number of sides that were not refused. */
function quoteInstrument(turn: Turn, request: QuoteRequest, entry: QuoteEntry): number {
  let accepted = 0
  const both: BothSides = {
    bid: mergedSide(turn.exchange, request.group, { entry, side: 'buy' }),
    ask: mergedSide(turn.exchange, request.group, { entry, side: 'sell' }),
  }
  const isCrossed = crosses(entry, both)
  for (const side of sidesInTurn(turn.exchange, entry, both)) {
    if (isCrossed) refuseSide(turn, request, { entry, side, refusal: { reason: 'quote_crossed' } })
    else if (quoteSide(turn, request, { entry, side })) accepted += 1
  }
  return accepted
}

/**
 * True if the bid would be at or above the ask. Omitted fields and sides have the values of the resting quotes (C34d).
 */
function crosses(entry: QuoteEntry, { bid, ask }: BothSides): boolean {
  if ((entry.bid?.fault ?? null) !== null || (entry.ask?.fault ?? null) !== null) return false
  if (bid.price === null || ask.price === null || bid.lots === 0 || ask.lots === 0) return false
  return bid.price >= ask.price
}

/** The given sides in their order: the ask is first if both prices rise. */
function sidesInTurn(exchange: Exchange, entry: QuoteEntry, { bid, ask }: BothSides): readonly Side[] {
  if (entry.bid === null) return entry.ask === null ? [] : ['sell']
  if (entry.ask === null) return ['buy']
  return rises(exchange, bid) && rises(exchange, ask) ? ['sell', 'buy'] : ['buy', 'sell']
}

/** True if a resting quote moves to a higher price. */
function rises(exchange: Exchange, { slot, price }: MergedSide): boolean {
  return slot !== NO_SLOT && price !== null && price > priceOf(exchange.slots, slot)
}

export const massQuoteHandlers: Handlers<'mass_quote'> = {
  mass_quote: seal({ check: checkMassQuote, commit: commitMassQuote }),
}
