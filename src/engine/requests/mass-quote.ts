/**
 * Mass quotes: what refuses a whole request, in the order of C07, and its quotes one after another.
 *
 * A quote is a limit order that stands until it is cancelled, one for each group, instrument and side; it
 * belongs to the market-maker protection of its group, whose margin stands for it.
 *
 * Rule: quotes.request, quotes.side-order. Both sides of an instrument are independent: the bid is first, but where
 * both prices rise. Source: trading.md 6.16 (C34); sessions-blocks-gateways.md 8.2, 8.5, 8.6.
 */

import { NO_SLOT, priceOf } from '../../book/index.ts'
import { assert } from '../../core/index.ts'
import {
  type Fault,
  type InstrumentKind,
  type MassQuote,
  type QuoteEntry,
  type Refusal,
  type Side,
  validationStep,
} from '../../model/index.ts'
import {
  accountRefusal,
  frozenRefusal,
  lockRefusal,
  resetGroup,
  sizeRefusal,
} from '../market/index.ts'
import {
  type Exchange,
  forgetParticipant,
  isDirect,
  type MmpGroup,
  pass,
  refuse,
  sessionAt,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { modelOf } from '../value/index.ts'
import { portfolioFault, routingFault } from './direct-checks.ts'
import { type Handlers, seal } from './handler.ts'
import {
  type MergedSide,
  mergedSide,
  type QuoteRequest,
  quoteSide,
  refuseSide,
} from './quote-side.ts'
import { approvalRefusal, disconnectRefusal, isFrozen } from './quote-standing.ts'

/** Most bids and most asks of a request, and most instruments of one by direct access. */
const SIDES_MAX = 100
const DIRECT_MAX = 15

const step = validationStep

/** Checks what concerns the whole request; reads only. Its quotes are looked at one by one. */
function checkMassQuote(exchange: Exchange, command: MassQuote): Verdict<MmpGroup> {
  const { account, session, validUntil } = command
  const shape = shapeRefusal(exchange, command)
  if (shape !== null) return refuse(step.parameters, shape)
  const astray = isDirect(exchange, session) ? directFault(exchange, command) : null
  if (astray !== null) return { ok: false, fault: astray }
  if (validUntil !== null && exchange.now >= validUntil) {
    return refuse(step.validUntil, { reason: 'timed_out' })
  }
  const barred =
    lockRefusal(exchange, account) ??
    accountRefusal(exchange, account, { reduceOnly: false, row: null }) ??
    disconnectRefusal(exchange, session) ??
    approvalRefusal(exchange, command)
  if (barred !== null) return refuse(step.accountLocks, barred)
  const group = findGroup(exchange, command)
  if (group === undefined) {
    return refuse(step.argumentCombination, { reason: 'other_reject unknown_mmp_group' })
  }
  const unfit = groupRefusal(exchange, command, group)
  if (unfit !== null) return refuse(step.argumentCombination, unfit)
  const size = isDirect(exchange, session) ? directSizeFault(exchange, command) : null
  if (size !== null) return refuse(step.amount, size)
  if (command.quotes.some(({ instrument }) => isFrozen(exchange, account, instrument))) {
    return refuse(step.mmp, { reason: 'quotes_frozen' })
  }
  const frozen = frozenRefusal(exchange, group, { session, resets: command.resetMmp })
  return frozen === null ? pass(group) : refuse(step.mmp, frozen)
}

/** Takes the quotes in the order of the list; returns how many sides were not refused. */
function commitMassQuote(turn: Turn, command: MassQuote, group: MmpGroup): number {
  const { exchange } = turn
  const { account, session } = command
  if (exchange.participants.size > 0) forgetParticipant(exchange, account)
  assert(group.account === account, 'a maker quotes in a group of its own')
  assert(group.config !== null, 'a group that takes quotes has limits')
  const row = sessionAt(exchange, session)
  const request: QuoteRequest = {
    group,
    account,
    session,
    quoteId: command.quoteId,
    validUntil: command.validUntil,
    direct:
      row?.type === 'direct_access'
        ? { clientOrderId: null, cancelOnDisconnect: row.cancelOnDisconnect }
        : null,
  }
  if (command.resetMmp) resetGroup(turn, group, session)
  // Its reply then waits for no order behind the speed bump.
  if (!command.waits) exchange.openRequest = null
  let accepted = 0
  for (const entry of command.quotes) accepted += quoteInstrument(turn, request, entry)
  assert(accepted <= 2 * command.quotes.length, 'an entry has two sides at most')
  return accepted
}

/** Both sides of an instrument as they are before the first of them is taken. */
interface BothSides {
  readonly bid: MergedSide
  readonly ask: MergedSide
}

/** Takes both sides of an instrument; returns how many were not refused. */
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
 * True if the bid would stand at the ask or above it, with what was left out as it rests, a whole side too (C34d).
 */
function crosses(entry: QuoteEntry, { bid, ask }: BothSides): boolean {
  if ((entry.bid?.fault ?? null) !== null || (entry.ask?.fault ?? null) !== null) return false
  if (bid.price === null || ask.price === null || bid.lots === 0 || ask.lots === 0) return false
  return bid.price >= ask.price
}

/** The sides that are given, in their order: the ask is first where both prices rise. */
function sidesInTurn(
  exchange: Exchange,
  entry: QuoteEntry,
  { bid, ask }: BothSides,
): readonly Side[] {
  if (entry.bid === null) return entry.ask === null ? [] : ['sell']
  if (entry.ask === null) return ['buy']
  return rises(exchange, bid) && rises(exchange, ask) ? ['sell', 'buy'] : ['buy', 'sell']
}

/** True if a quote that rests is to rest at a higher price. */
function rises({ slots }: Exchange, { slot, price }: MergedSide): boolean {
  return slot !== NO_SLOT && price !== null && price > priceOf(slots, slot)
}

/** Too many quotes, or of more than one index (C34e). */
function shapeRefusal(exchange: Exchange, { quotes, session }: MassQuote): Refusal | null {
  if (isDirect(exchange, session)) {
    if (quotes.length > DIRECT_MAX) return { reason: 'too_many_quotes' }
    const isTwice = new Set(quotes.map(({ instrument }) => instrument)).size < quotes.length
    return isTwice ? { reason: 'duplicate_instrument' } : null
  }
  const bids = quotes.filter(({ bid }) => bid !== null).length
  const asks = quotes.filter(({ ask }) => ask !== null).length
  if (bids > SIDES_MAX || asks > SIDES_MAX) return wrongQuotes('too_many')
  const [first] = quotes
  const index = first === undefined ? undefined : indexOf(exchange, first.instrument)
  const isMixed = quotes.some(({ instrument }) => indexOf(exchange, instrument) !== index)
  return isMixed ? wrongQuotes('mixed_indexes') : null
}

/** A group of quotes of the account: JSON-RPC names it, direct access knows its number. */
function findGroup(exchange: Exchange, { account, group }: MassQuote): MmpGroup | undefined {
  return exchange.mmpGroups.find(({ account: owner, membership, blockRfq, config }) => {
    if (owner !== account || blockRfq || membership.name === null) return false
    if (typeof group === 'number') return membership.group === group
    return membership.name === group && config !== null
  })
}

/** A group without limits takes no quotes; those of an index are futures, options and combos of it. */
function groupRefusal(
  exchange: Exchange,
  { account, quotes, session }: MassQuote,
  { config, membership }: MmpGroup,
): Refusal | null {
  if (config === null) return { reason: 'mmp_group_disabled' }
  if (quotes.some(({ instrument }) => indexOf(exchange, instrument) !== membership.index)) {
    const isDirectly = isDirect(exchange, session)
    return isDirectly
      ? { reason: 'invalid_or_unsupported_instrument' }
      : wrongQuotes('index_not_of_group')
  }
  const owner = exchange.accounts[account]
  const mayQuoteOptions = owner !== undefined && modelOf(owner).netsPositions
  const isUnfit = quotes.some(({ instrument }) => {
    const kind = exchange.instruments[instrument]?.instrument.kind
    return kind === undefined || kind === 'spot' || (isOfOptions(kind) && !mayQuoteOptions)
  })
  return isUnfit ? { reason: 'invalid_args_for_instrument' } : null
}

function isOfOptions(kind: InstrumentKind): boolean {
  return kind === 'option' || kind === 'option_combo'
}

/** Direct access asks first whether the portfolio may trade, and whether the session reaches the books. */
function directFault(exchange: Exchange, { account, session, quotes }: MassQuote): Fault | null {
  const barred = portfolioFault(exchange, account, { isAlgo: false })
  if (barred !== null) return barred
  for (const { instrument } of quotes) {
    const astray = routingFault(exchange, session, exchange.instruments[instrument])
    if (astray !== null) return astray
  }
  return null
}

/** By direct access an amount that is none refuses the whole request (8.6). */
function directSizeFault(exchange: Exchange, { quotes }: MassQuote): Refusal | null {
  for (const { instrument, bid, ask } of quotes) {
    const row = exchange.instruments[instrument]
    for (const side of [bid, ask]) {
      if (row === undefined || side === null) continue
      if (side.fault?.step === step.amount) return side.fault.refusal
      const size = side.amount === null || side.amount === 0 ? null : sizeRefusal(row, side.amount)
      if (size !== null) return size
    }
  }
  return null
}

function indexOf(exchange: Exchange, instrument: number): string | undefined {
  return exchange.instruments[instrument]?.instrument.priceIndex
}

function wrongQuotes(problem: string): Refusal {
  return { reason: 'invalid_params', param: 'quotes', problem }
}

export const massQuoteHandlers: Handlers<'mass_quote'> = {
  mass_quote: seal({ check: checkMassQuote, commit: commitMassQuote }),
}
