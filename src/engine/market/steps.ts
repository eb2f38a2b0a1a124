/**
 * The validation steps between an order and its book, as one ordered list: each with the ways to the book to which it
 * applies. `request-steps.ts` has the earlier steps, which check a request.
 *
 * Rule: order.validation. Source: trading.md C07; for direct access sessions document 8.5, 8.7.
 */

import { NO_SLOT, priceOf, remainingOf } from '../../book/index.ts'
import { ticks } from '../../core/index.ts'
import {
  entryTypeOf,
  isOnGrid,
  isTriggerType,
  type Refusal,
  type ValidationStep,
  validationStep,
} from '../../model/index.ts'
import { accountRow, type CheckResult, type Exchange, isMarked, orderAt, refuse } from '../state/index.ts'
import { advancedRefusal } from '../value/index.ts'
import { type Candidate, candidateEntry, type Way, ways } from './candidate.ts'
import { mayMeetOwn } from './dry-run.ts'
import { entryPrice, noMark } from './entry-price.ts'
import { fundsRefusal } from './funds.ts'
import { maxQuoteRefusal, mmpEditRefusal, mmpRefusal } from './mmp-checks.ts'
import { frozenRefusal } from './mmp-freeze.ts'
import {
  accountRefusal,
  bandRefusal,
  icebergRefusal,
  limitRefusal,
  lockRefusal,
  mayBePrice,
  postOnlyPrice,
  productRefusal,
  reduceOnlyRefusal,
  selfMatchRefusal,
  sizeRefusal,
  stateRefusal,
} from './order-checks.ts'
import { riskRefusal } from './risk-limits.ts'
import { triggerRefusal, triggersRefusal } from './trigger-checks.ts'
import { bumpRefusal, wouldWait } from './waiting.ts'

type Check = (exchange: Exchange, candidate: Candidate) => Refusal | null

/** A step with the ways to which it applies. */
interface Step {
  readonly step: keyof typeof validationStep
  readonly says: string
  readonly ways: readonly Exclude<Way, 'direct'>[]
  readonly check: Check
  /** Its place in the order of direct access; null if direct access skips it. */
  readonly direct: DirectStep | null
}

/**
 * Rule: direct.check-order. Direct access checks the same things in another order: the fields of the order before its
 * account, post-only after margin.
 */
interface DirectStep {
  /** From 1 on. */
  readonly place: number
  /** The step whose number a fault gets in direct access, if it is not this step's number. */
  readonly at?: keyof typeof validationStep
  /** The check of direct access, if it differs. */
  readonly check?: Check
}

const entering = ['enter', 'edit', 'quote'] as const

/** The list of steps. Within a way a step runs only if all steps before it pass. */
export const admissionSteps: readonly Step[] = [
  {
    step: 'bookState',
    says: 'the book accepts orders; for a combo, so do the books of its legs',
    ways: ['enter', 'wait', 'edit', 'edit_waiting', 'quote'],
    check: (_, { row }) => stateRefusal(row),
    direct: { place: 1 },
  },
  {
    step: 'accountLocks',
    says: 'the account is not in liquidation, not locked, and may trade the product',
    ways: ['enter', 'wait', 'edit', 'edit_waiting', 'quote'],
    check: checkLocks,
    direct: { place: 9, at: 'mmp' },
  },
  {
    step: 'argumentCombination',
    says: 'the request fits the order: advanced terms, market-maker protection, edit of a quote',
    ways: ['enter', 'wait', 'edit', 'edit_waiting'],
    check: checkCombination,
    direct: null,
  },
  {
    step: 'amount',
    says: 'the size is within its limits, and the visible size of an iceberg is large enough',
    ways: ['enter', 'wait', 'sleep', 'edit', 'edit_waiting', 'quote'],
    check: checkAmount,
    direct: { place: 2, check: (_, { row, amount }) => sizeRefusal(row, amount) },
  },
  {
    step: 'price',
    says: 'there is a price, and it is a multiple of the tick size',
    ways: ['enter', 'wait', 'sleep', 'edit', 'edit_waiting', 'quote'],
    check: checkPrice,
    direct: { place: 3 },
  },
  {
    step: 'triggerPrice',
    says: 'the trigger price is a multiple of the tick size, and the trigger has not fired',
    ways: ['wait', 'sleep', 'edit_waiting'],
    check: triggerRefusal,
    direct: { place: 4, check: checkDirectTerms },
  },
  {
    step: 'postOnly',
    says: 'a post-only order would not take',
    ways: entering,
    check: checkPostOnly,
    direct: { place: 5 },
  },
  {
    step: 'priceBand',
    says: 'a new price is within the price band',
    ways: entering,
    check: checkBand,
    direct: { place: 7 },
  },
  {
    step: 'reduceOnly',
    says: 'there is a position for an order that becomes reduce-only',
    ways: ['enter', 'edit'],
    check: checkReduceOnly,
    direct: null,
  },
  {
    step: 'openOrderLimits',
    says: 'open orders, untriggered orders, sizes and positions are within their limits',
    ways: ['enter', 'wait', 'edit', 'quote'],
    check: checkLimits,
    direct: { place: 8 },
  },
  {
    step: 'mmp',
    says: 'the group of market-maker protection accepts the order',
    ways: entering,
    check: checkProtection,
    direct: { place: 6, at: 'postOnly' },
  },
  {
    step: 'margin',
    says: 'the account has enough funds',
    ways: ['enter', 'edit', 'move'],
    check: checkFunds,
    direct: {
      place: 10,
      check: (exchange, candidate) => checkFunds(exchange, candidate) ?? candidate.postOnlyRefusal,
    },
  },
  {
    step: 'selfMatch',
    says: 'the order would not match with an order of the same account',
    ways: ['enter', 'edit', 'quote', 'move'],
    check: checkSelfMatch,
    direct: { place: 11 },
  },
  {
    step: 'speedBump',
    says: 'the queue of the speed bump has space',
    ways: entering,
    check: checkSpeedBump,
    direct: { place: 12 },
  },
]

/** A check with its place and the step number that an order of checks gives it. */
interface Placement {
  readonly at: ValidationStep
  readonly check: Check
}

/** The steps of a way, in the order in which it runs them. */
function placementsOf(way: Way): readonly Placement[] {
  if (way !== 'direct') {
    return admissionSteps
      .filter((each) => each.ways.includes(way))
      .map(({ step, check }) => ({ at: validationStep[step], check }))
  }
  return admissionSteps
    .flatMap(({ step, check, direct }) => (direct === null ? [] : [{ step, check, ...direct }]))
    .sort((left, right) => left.place - right.place)
    .map(({ step, at = step, check }) => ({ at: validationStep[at], check }))
}

// `ways` contains every way.
const orders = Object.fromEntries(ways.map((way) => [way, placementsOf(way)])) as {
  readonly [W in Way]: readonly Placement[]
}

/**
 * Checks a candidate by the steps that apply to its way, up to and including the step `until`. The first step that
 * refuses decides. The plan is the candidate with the results of the steps.
 */
export function admit(
  exchange: Exchange,
  candidate: Candidate,
  until: ValidationStep = validationStep.speedBump,
): CheckResult<Candidate> {
  for (const { at, check } of orders[candidate.way]) {
    if (at > until) continue
    const refusal = check(exchange, candidate)
    if (refusal !== null) return refuse(at, refusal)
    // An edit that post-only forbids cancels its order, so nothing enters.
    if (candidate.postOnlyRefusal !== null && candidate.way === 'edit') break
  }
  return { ok: true, plan: candidate }
}

/**
 * The checks of the validation steps. Each only reads, except that it may store its results in the candidate.
 *
 * Source: trading.md C07, C20, C23, C24, C28; for direct access sessions document 8.5, 8.7, 8.8.
 */

/** An account in liquidation sends no requests; orders that it caused before continue (R53). */
function checkLocks(exchange: Exchange, { way, row, account, reduceOnly, isRequest }: Candidate): Refusal | null {
  if (!accountRow(exchange, account).isRestricted && exchange.participants.size === 0) return null
  if (way === 'quote') return productRefusal(accountRow(exchange, account).standing, row)
  const locked = isRequest ? lockRefusal(exchange, account) : null
  return locked ?? accountRefusal(exchange, account, reduceOnly, row)
}

/** True for an edit of a live order. */
function isEdit(way: Way): boolean {
  return way === 'edit' || way === 'edit_waiting'
}

function checkCombination(exchange: Exchange, candidate: Candidate): Refusal | null {
  // A quote can only be replaced by another quote (C28).
  if (isEdit(candidate.way) && orderAt(exchange, candidate.slot).extras?.quote != null) {
    return { reason: 'invalid_args_for_instrument' }
  }
  const late = candidate.advanced === null ? null : advancedRefusal(exchange, candidate.row, candidate.advanced)
  if (late !== null) return late
  const isOdd = candidate.mmp === true && (candidate.type !== 'limit' || candidate.linked !== null)
  return isOdd ? { reason: 'unsupported_arg_combination' } : null
}

function checkAmount(_: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, amount, rest, display, isPart } = candidate
  if (isPart) return null
  if (isEdit(way) && rest <= 0) return { reason: 'invalid_amount' }
  // A quote names the size that will rest.
  const size = (way === 'quote' ? sizeRefusal(row, rest) : null) ?? sizeRefusal(row, amount)
  return size ?? icebergRefusal(row, amount, display) ?? placedRefusal(candidate)
}

/** An edit may not remove a part of a secondary that was already placed. */
function placedRefusal({ way, amount, linked }: Candidate): Refusal | null {
  if (way !== 'edit_waiting' || linked === null || linked.link === null) return null
  return amount > linked.link.placed ? null : { reason: 'invalid_amount' }
}

/**
 * Computes the price of an order that is not live. An edit and a quote have their own price, or keep the current one.
 */
function checkPrice(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, limit, type, side, advanced } = candidate
  const waits = way === 'wait' || way === 'sleep' || way === 'edit_waiting'
  if (waits && entryTypeOf(type) !== 'limit') return null
  if (isEdit(way) || way === 'quote') {
    const isPrice = limit === null || isOrderPrice(candidate)
    return isPrice ? null : { reason: 'price_wrong_tick' }
  }
  const entered = entryPrice(exchange, row, { price: limit, side, advanced, type })
  if (!entered.ok) return entered.refusal
  candidate.price = entered.value
  return null
}

/** True if the price in ticks is on the grid of the instrument, and in the range of its prices. */
function isOrderPrice({ row, price }: Candidate): boolean {
  return mayBePrice(row, price) && isOnGrid(row.instrument, price)
}

/** Only futures and spot allow icebergs (20). A client order id may not be used again while its order is live. */
function checkDirectTerms(exchange: Exchange, { row, account, amount, display, direct }: Candidate): Refusal | null {
  const { kind } = row.instrument
  const isAllowed = kind === 'future' || kind === 'spot'
  if (display > 0 && !isAllowed) return { reason: 'iceberg_not_allowed' }
  const iceberg = icebergRefusal(row, amount, display)
  if (iceberg !== null) return iceberg
  const called = direct?.clientOrderId ?? null
  const isTaken = called !== null && accountRow(exchange, account).clientOrders.has(called)
  return isTaken ? { reason: 'duplicate_client_order_id' } : null
}

function checkPostOnly(exchange: Exchange, candidate: Candidate): Refusal | null {
  const adjusted = postOnlyPrice(candidate.row, candidate.side, candidate.price, candidate.postOnly)
  if (adjusted.ok) {
    candidate.price = adjusted.value
    return null
  }
  const isCancelled = candidate.way === 'edit' && adjusted.refusal.reason === 'post_only_reject'
  if (candidate.way !== 'direct' && !isCancelled) return adjusted.refusal
  candidate.postOnlyRefusal = adjusted.refusal
  if (isCancelled) candidate.price = ticks(priceOf(exchange.slots, candidate.slot))
  return null
}

/** Without a mark there is neither a band nor a margin (C20, C23: 10040). */
function checkBand(exchange: Exchange, { row, slot, side, price }: Candidate): Refusal | null {
  if (slot !== NO_SLOT && price === priceOf(exchange.slots, slot)) return null
  return isMarked(row) ? bandRefusal(exchange, row, side, price) : noMark
}

function checkReduceOnly(exchange: Exchange, { row, account, side, reduceOnly, slot }: Candidate): Refusal | null {
  const isNew = reduceOnly && (slot === NO_SLOT || !orderAt(exchange, slot).reduceOnly)
  return isNew ? reduceOnlyRefusal(exchange, row, account, side) : null
}

function checkLimits(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, side, rest, slot, after } = candidate
  if (way === 'wait') return triggersRefusal(exchange, candidate)
  const orders = slot !== NO_SLOT ? 0 : after === null || isTriggerType(after.type) ? 1 : 2
  const limit = limitRefusal(exchange, accountRow(exchange, account), row, orders)
  if (limit !== null || !isLarger(exchange, candidate)) return limit
  return riskRefusal(exchange, { row, account, side, lots: rest, from: slot })
}

/** True if the open size would grow. */
function isLarger(exchange: Exchange, { slot, rest }: Candidate): boolean {
  return slot === NO_SLOT || rest > remainingOf(exchange.slots, slot)
}

function checkProtection(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, session, side, price, rest, slot, extras, mmp, group } = candidate
  const size = { row, side, price, lots: rest, except: slot }
  if (group !== null) {
    const frozen = frozenRefusal(exchange, group, session, false)
    // A quote that does not grow always fits, even if the marks of a spread raised its size in coins.
    const stands = slot !== NO_SLOT && price === priceOf(exchange.slots, slot)
    const grows = !stands || isLarger(exchange, candidate)
    return frozen ?? (grows ? maxQuoteRefusal(exchange, group, size) : null)
  }
  if (way === 'edit') {
    if (mmp !== true && orderAt(exchange, slot).extras === null) return null
    return mmpEditRefusal(exchange, slot, mmp, session, size)
  }
  if (extras === null) return null
  return mmpRefusal(exchange, { row, account, session, extras, side, price, lots: rest })
}

function checkFunds(exchange: Exchange, candidate: Candidate): Refusal | null {
  return fundsRefusal(exchange, candidateEntry(exchange, candidate), null)
}

/**
 * An order of direct access that waits behind the speed bump later cancels the orders of its account that it meets
 * (8.8).
 */
function checkSelfMatch(exchange: Exchange, candidate: Candidate): Refusal | null {
  if (!mayMeetOwn(exchange, accountRow(exchange, candidate.account), candidate)) return null
  const entry = candidateEntry(exchange, candidate)
  const isMetLater =
    candidate.way !== 'move' && candidate.direct !== null && wouldWait(exchange, candidate.row, entry.side, entry.price)
  return isMetLater ? null : selfMatchRefusal(exchange, entry)
}

function checkSpeedBump(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { row, account, side, price, slot } = candidate
  const isWaiting = slot !== NO_SLOT && orderAt(exchange, slot).stage === 'bumped'
  return bumpRefusal(exchange, { row, account, side, price }, isWaiting)
}
