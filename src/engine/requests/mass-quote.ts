/**
 * Mass quotes: first the checks of the whole request (`market/request-steps.ts`), then its quotes one after another.
 *
 * A quote is a limit order that lives until it is cancelled, one for each group, instrument and side. It belongs to the
 * market-maker protection of its group, whose margin covers it.
 *
 * Rule: quotes.side-order. Both sides of an instrument are independent: the bid comes first, except if both prices
 * rise. Source: trading.md 6.16 (C34); sessions-blocks-gateways.md 8.2, 8.5, 8.6.
 */

import { NO_SLOT, priceOf } from '../../book/index.ts'
import { assert, defined } from '../../core/index.ts'
import type { MassQuote, QuoteEntry, Side } from '../../model/index.ts'
import { admitRequest, type QuotesAsked, resetGroup } from '../market/index.ts'
import {
  type Exchange,
  forgetParticipant,
  type MmpGroup,
  pass,
  sessionAt,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'
import { type MergedSide, mergedSide, type QuoteRequest, quoteSide, refuseSide } from './quote-side.ts'

/** Checks the whole request; only reads. Each quote is checked separately later. */
function checkMassQuote(exchange: Exchange, command: MassQuote): Verdict<MmpGroup> {
  const asked: QuotesAsked = { command, group: undefined }
  const fault = admitRequest(exchange, 'quotes', asked)
  return fault === null ? pass(defined(asked.group, 'accepted quotes have a group')) : { ok: false, fault }
}

/** Processes the quotes in the order of the list; returns the number of sides that were not refused. */
function commitMassQuote(turn: Turn, command: MassQuote, group: MmpGroup): number {
  const { exchange } = turn
  const { account, session } = command
  if (exchange.participants.size > 0) forgetParticipant(exchange, account)
  assert(group.account === account, 'a maker quotes in a group of the account')
  assert(group.config !== null, 'a group that accepts quotes has limits')
  const row = sessionAt(exchange, session)
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
  if (!command.waits) exchange.openRequest = null
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
  const { exchange } = turn
  let accepted = 0
  const both: BothSides = {
    bid: mergedSide(exchange, request.group, { entry, side: 'buy' }),
    ask: mergedSide(exchange, request.group, { entry, side: 'sell' }),
  }
  const isCrossed = crosses(entry, both)
  for (const side of sidesInTurn(exchange, entry, both)) {
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
function rises({ slots }: Exchange, { slot, price }: MergedSide): boolean {
  return slot !== NO_SLOT && price !== null && price > priceOf(slots, slot)
}

export const massQuoteHandlers: Handlers<'mass_quote'> = {
  mass_quote: seal({ check: checkMassQuote, commit: commitMassQuote }),
}
