/**
 * The steps of validation between an order and its book, as one ordered list: each with the ways to the book
 * that it applies to. A step reads; it may write what it finds into the candidate, and nothing else.
 *
 * Rule: order.validation. Source: trading.md C07; for direct access sessions document 8.5, 8.7.
 */
import { NO_SLOT, priceOf, remainingOf } from '../../book/index.ts'
import { type Ticks, ticks } from '../../core/index.ts'
import {
  entryTypeOf,
  isOnGrid,
  isTriggerType,
  type Refusal,
  type ValidationStep,
  validationStep,
} from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  isMarked,
  orderAt,
  refuse,
  type Verdict,
} from '../state/index.ts'
import { advancedRefusal } from '../value/index.ts'
import { type Candidate, entryOf, type Way, ways } from './candidate.ts'
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
import {
  type PlainCheck,
  type PlainPlacement,
  plainBand,
  plainFunds,
  plainLimits,
  plainPostOnly,
  plainPrice,
  plainSelfMatch,
  plainSize,
  plainState,
} from './plain-placement.ts'
import { riskRefusal } from './risk-limits.ts'
import { triggerRefusal, triggersRefusal } from './trigger-checks.ts'
import { bumpRefusal, wouldWait } from './waiting.ts'

type Check = (exchange: Exchange, candidate: Candidate) => Refusal | null

/** A step with the ways that it applies to. */
interface Step {
  readonly step: keyof typeof validationStep
  readonly says: string
  readonly ways: readonly Exclude<Way, 'direct'>[]
  readonly check: Check
  /** Its place in the order of direct access; null where that does not look at it. */
  readonly direct: DirectStep | null
  /** The same of a plain placement; null where it finds nothing against one, which leaves it out. */
  readonly plain: PlainCheck | null
}

/**
 * Rule: direct.check-order. Direct access looks at the same things in another order: its fields before its account,
 * post-only after margin.
 */
interface DirectStep {
  /** From 1 on. */
  readonly place: number
  /** The number under which a fault of its message counts among the others; that of the step where none is given. */
  readonly at?: keyof typeof validationStep
  /** Where it looks otherwise. */
  readonly check?: Check
}

const entering = ['enter', 'edit', 'quote'] as const

/** The list. Within a way a later step is looked at only where all before it pass. */
export const admissionSteps: readonly Step[] = [
  {
    step: 'bookState',
    says: 'the book, and of a combo those of its legs, take orders',
    ways: ['enter', 'wait', 'edit', 'quote'],
    check: (_, { row }) => stateRefusal(row),
    direct: { place: 1 },
    plain: plainState,
  },
  {
    step: 'accountLocks',
    says: 'the account is not liquidated, locked, or without the product',
    ways: ['enter', 'wait', 'edit', 'quote'],
    check: checkLocks,
    direct: { place: 9, at: 'mmp' },
    plain: null,
  },
  {
    step: 'argumentCombination',
    says: 'what is asked for fits the order: advanced terms, protection, an edit of a quote',
    ways: ['enter', 'wait', 'edit'],
    check: checkCombination,
    direct: null,
    plain: null,
  },
  {
    step: 'amount',
    says: 'the size is within its bounds, and an iceberg shows enough of it',
    ways: ['enter', 'wait', 'sleep', 'edit', 'quote'],
    check: checkAmount,
    direct: { place: 2, check: (_, { row, amount }) => sizeRefusal(row, amount) },
    plain: plainSize,
  },
  {
    step: 'price',
    says: 'there is a price, and it is on the grid',
    ways: ['enter', 'wait', 'sleep', 'edit', 'quote'],
    check: checkPrice,
    direct: { place: 3 },
    plain: plainPrice,
  },
  {
    step: 'triggerPrice',
    says: 'the trigger is on the grid, and has not fired',
    ways: ['wait', 'sleep'],
    check: triggerRefusal,
    direct: { place: 4, check: checkDirectTerms },
    plain: null,
  },
  {
    step: 'postOnly',
    says: 'a post-only order takes nothing',
    ways: entering,
    check: checkPostOnly,
    direct: { place: 5 },
    plain: plainPostOnly,
  },
  {
    step: 'priceBand',
    says: 'a price that is new is within the band',
    ways: entering,
    check: checkBand,
    direct: { place: 7 },
    plain: plainBand,
  },
  {
    step: 'reduceOnly',
    says: 'an order that becomes reduce-only has a position to reduce',
    ways: ['enter', 'edit'],
    check: checkReduceOnly,
    direct: null,
    plain: null,
  },
  {
    step: 'openOrderLimits',
    says: 'open orders, waiting triggers, sizes and positions are within their limits',
    ways: ['enter', 'wait', 'edit', 'quote'],
    check: checkLimits,
    direct: { place: 8 },
    plain: plainLimits,
  },
  {
    step: 'mmp',
    says: 'its group of market-maker protection takes it',
    ways: entering,
    check: checkProtection,
    direct: { place: 6, at: 'postOnly' },
    plain: null,
  },
  {
    step: 'margin',
    says: 'the account can afford it',
    ways: ['enter', 'edit', 'move'],
    check: checkFunds,
    direct: {
      place: 10,
      check: (exchange, candidate) => checkFunds(exchange, candidate) ?? candidate.postOnlyRefusal,
    },
    plain: plainFunds,
  },
  {
    step: 'selfMatch',
    says: 'it meets no order of its own account',
    ways: ['enter', 'edit', 'quote', 'move'],
    check: checkSelfMatch,
    direct: { place: 11 },
    plain: plainSelfMatch,
  },
  {
    step: 'speedBump',
    says: 'the queue of the speed bump has room for it',
    ways: entering,
    check: checkSpeedBump,
    direct: { place: 12 },
    plain: null,
  },
]

/** A check at the place, and under the number, that an order of checks gives it. */
interface Placement {
  readonly at: ValidationStep
  readonly check: Check
}

/** The steps of a way, in the order in which it looks at them. */
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

// `ways` has each of them.
const orders = Object.fromEntries(ways.map((way) => [way, placementsOf(way)])) as {
  readonly [W in Way]: readonly Placement[]
}

/** The checks of plain placements, in the order of the list. */
const plainSteps = admissionSteps
  .filter(({ ways: of }) => of.includes('enter'))
  .flatMap(({ step, plain }) => (plain === null ? [] : [{ at: validationStep[step], plain }]))

/** Checks a plain placement by the steps that may find something against it; its plan is the price it enters at. */
export function admitPlain(exchange: Exchange, placement: PlainPlacement): Verdict<Ticks> {
  for (const { at, plain } of plainSteps) {
    const refusal = plain(exchange, placement)
    if (refusal !== null) return refuse(at, refusal)
  }
  return { ok: true, plan: placement.price }
}

/**
 * Checks a candidate by the steps that apply to its way, from one to another, both included; the first that
 * refuses decides. The plan is the candidate, with what the steps found.
 */
export function admit(
  exchange: Exchange,
  candidate: Candidate,
  from: ValidationStep = validationStep.bookState,
  until: ValidationStep = validationStep.speedBump,
): Verdict<Candidate> {
  for (const { at, check } of orders[candidate.way]) {
    if (at < from || at > until) continue
    const refusal = check(exchange, candidate)
    if (refusal !== null) return refuse(at, refusal)
    // An edit that post-only forbids cancels its order: nothing enters.
    if (candidate.postOnlyRefusal !== null && candidate.way === 'edit') break
  }
  return { ok: true, plan: candidate }
}

/** While an account is liquidated it sends nothing; what it set off before goes on (R53). */
function checkLocks(
  exchange: Exchange,
  { way, row, account, reduceOnly, isRequest }: Candidate,
): Refusal | null {
  if (!accountRow(exchange, account).isRestricted && exchange.participants.size === 0) return null
  if (way === 'quote') return productRefusal(accountRow(exchange, account).standing, row)
  const locked = isRequest ? lockRefusal(exchange, account) : null
  return locked ?? accountRefusal(exchange, account, { reduceOnly, row })
}

function checkCombination(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, advanced, mmp, slot, type, linked } = candidate
  // Another quote replaces a quote (C28).
  if (way === 'edit' && orderAt(exchange, slot).extras?.quote != null) {
    return { reason: 'invalid_args_for_instrument' }
  }
  const late = advanced === null ? null : advancedRefusal(exchange, row, advanced)
  if (late !== null) return late
  const isOdd = mmp === true && (type !== 'limit' || linked !== null)
  return isOdd ? { reason: 'unsupported_arg_combination' } : null
}

function checkAmount(
  _: Exchange,
  { way, row, amount, rest, display, isPart }: Candidate,
): Refusal | null {
  if (isPart) return null
  if (way === 'edit' && rest <= 0) return { reason: 'invalid_amount' }
  // A quote is sent with the size that is to rest.
  const size = (way === 'quote' ? sizeRefusal(row, rest) : null) ?? sizeRefusal(row, amount)
  return size ?? icebergRefusal(row, { lots: amount, display })
}

/** Finds the price of an order that is not live; an edit and a quote name theirs, or keep what they have. */
function checkPrice(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, limit, type, side, advanced } = candidate
  if (way === 'edit' || way === 'quote') {
    const isPrice = limit === null || isOrderPrice(candidate)
    return isPrice ? null : { reason: 'price_wrong_tick' }
  }
  if ((way === 'wait' || way === 'sleep') && entryTypeOf(type) !== 'limit') return null
  const entered = entryPrice(exchange, row, { price: limit, side, advanced, type })
  if (!entered.ok) return entered.refusal
  candidate.price = entered.value
  return null
}

/** The price in ticks stands on the grid of the instrument, where its prices may be. */
function isOrderPrice({ row, price }: Candidate): boolean {
  return mayBePrice(row, price) && isOnGrid(row.instrument, price)
}

/** Only futures and spot show a part of themselves (20); a name that lives is not given again. */
function checkDirectTerms(
  exchange: Exchange,
  { row, account, amount, display, direct }: Candidate,
): Refusal | null {
  const { kind } = row.instrument
  const isAllowed = kind === 'future' || kind === 'spot'
  if (display > 0 && !isAllowed) return { reason: 'iceberg_not_allowed' }
  const iceberg = icebergRefusal(row, { lots: amount, display })
  if (iceberg !== null) return iceberg
  const called = direct?.clientOrderId ?? null
  const isTaken = called !== null && accountRow(exchange, account).clientOrders.has(called)
  return isTaken ? { reason: 'duplicate_client_order_id' } : null
}

function checkPostOnly(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, side, price, postOnly, slot } = candidate
  const adjusted = postOnlyPrice(row, { side, price, postOnly })
  if (adjusted.ok) {
    candidate.price = adjusted.value
    return null
  }
  const isCancelled = way === 'edit' && adjusted.refusal.reason === 'post_only_reject'
  if (way !== 'direct' && !isCancelled) return adjusted.refusal
  candidate.postOnlyRefusal = adjusted.refusal
  if (isCancelled) candidate.price = ticks(priceOf(exchange.slots, slot))
  return null
}

/** Without a mark there is neither band nor margin (C20, C23: 10040). */
function checkBand(exchange: Exchange, { row, slot, side, price }: Candidate): Refusal | null {
  if (slot !== NO_SLOT && price === priceOf(exchange.slots, slot)) return null
  return isMarked(row) ? bandRefusal(exchange, row, { side, price }) : noMark
}

function checkReduceOnly(
  exchange: Exchange,
  { row, account, side, reduceOnly, slot }: Candidate,
): Refusal | null {
  const isNew = reduceOnly && (slot === NO_SLOT || !orderAt(exchange, slot).reduceOnly)
  return isNew ? reduceOnlyRefusal(exchange, row, { account, side }) : null
}

function checkLimits(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, side, rest, slot, after } = candidate
  if (way === 'wait') return triggersRefusal(exchange, candidate)
  const orders = slot !== NO_SLOT ? 0 : after === null || isTriggerType(after.type) ? 1 : 2
  const limit = limitRefusal(exchange, accountRow(exchange, account), { row, orders })
  if (limit !== null || !isLarger(exchange, candidate)) return limit
  return riskRefusal(exchange, { row, account, side, lots: rest, from: slot })
}

/** More would be open than is. */
function isLarger(exchange: Exchange, { slot, rest }: Candidate): boolean {
  return slot === NO_SLOT || rest > remainingOf(exchange.slots, slot)
}

function checkProtection(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, session, side, price, rest, slot, extras, mmp, group } = candidate
  const size = { row, side, price, lots: rest, except: slot }
  if (group !== null) {
    const frozen = frozenRefusal(exchange, group, { session, resets: false })
    // A quote that does not grow always fits, even if the marks of a spread raised its size in coins.
    const stands = slot !== NO_SLOT && price === priceOf(exchange.slots, slot)
    const grows = !stands || isLarger(exchange, candidate)
    return frozen ?? (grows ? maxQuoteRefusal(exchange, group, size) : null)
  }
  if (way === 'edit') {
    if (mmp !== true && orderAt(exchange, slot).extras === null) return null
    return mmpEditRefusal(exchange, { slot, mmp, session, size })
  }
  if (extras === null) return null
  return mmpRefusal(exchange, { row, account, session, extras, side, price, lots: rest })
}

function checkFunds(exchange: Exchange, candidate: Candidate): Refusal | null {
  return fundsRefusal(exchange, entryOf(exchange, candidate), null)
}

/** An order of direct access that waits behind the speed bump cancels what it then meets of its own (8.8). */
function checkSelfMatch(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { way, row, account, direct } = candidate
  if (!mayMeetOwn(exchange, accountRow(exchange, account), candidate)) return null
  const entry = entryOf(exchange, candidate)
  const isMetLater = way !== 'move' && direct !== null && wouldWait(exchange, row, entry)
  return isMetLater ? null : selfMatchRefusal(exchange, entry)
}

function checkSpeedBump(exchange: Exchange, candidate: Candidate): Refusal | null {
  const { row, account, side, price, slot } = candidate
  const isWaiting = slot !== NO_SLOT && orderAt(exchange, slot).stage === 'bumped'
  return bumpRefusal(exchange, { row, account, side, price }, isWaiting)
}
