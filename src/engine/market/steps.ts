/**
 * The validation steps between an order and its book, as one ordered list: each with the ways to the book to which it
 * applies. `request-steps.ts` has the earlier steps, which check a request.
 *
 * Rule: order.validation. Source: trading.md C07; for direct access sessions document 8.5, 8.7.
 */
import type { Ticks } from '../../core/index.ts'
import { type Refusal, type ValidationStep, validationStep } from '../../model/index.ts'
import { type Exchange, refuse, type Verdict } from '../state/index.ts'
import { type Candidate, type Way, ways } from './candidate.ts'
import { sizeRefusal, stateRefusal } from './order-checks.ts'
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
import {
  checkAmount,
  checkBand,
  checkCombination,
  checkDirectTerms,
  checkFunds,
  checkLimits,
  checkLocks,
  checkPostOnly,
  checkPrice,
  checkProtection,
  checkReduceOnly,
  checkSelfMatch,
  checkSpeedBump,
} from './step-checks.ts'
import { triggerRefusal } from './trigger-checks.ts'

type Check = (exchange: Exchange, candidate: Candidate) => Refusal | null

/** A step with the ways to which it applies. */
interface Step {
  readonly step: keyof typeof validationStep
  readonly says: string
  readonly ways: readonly Exclude<Way, 'direct'>[]
  readonly check: Check
  /** Its place in the order of direct access; null if direct access skips it. */
  readonly direct: DirectStep | null
  /** The check for a plain placement; null if the step cannot refuse one and is skipped. */
  readonly plain: PlainCheck | null
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
    plain: plainState,
  },
  {
    step: 'accountLocks',
    says: 'the account is not in liquidation, not locked, and may trade the product',
    ways: ['enter', 'wait', 'edit', 'edit_waiting', 'quote'],
    check: checkLocks,
    direct: { place: 9, at: 'mmp' },
    plain: null,
  },
  {
    step: 'argumentCombination',
    says: 'the request fits the order: advanced terms, market-maker protection, edit of a quote',
    ways: ['enter', 'wait', 'edit', 'edit_waiting'],
    check: checkCombination,
    direct: null,
    plain: null,
  },
  {
    step: 'amount',
    says: 'the size is within its limits, and the visible size of an iceberg is large enough',
    ways: ['enter', 'wait', 'sleep', 'edit', 'edit_waiting', 'quote'],
    check: checkAmount,
    direct: { place: 2, check: (_, { row, amount }) => sizeRefusal(row, amount) },
    plain: plainSize,
  },
  {
    step: 'price',
    says: 'there is a price, and it is a multiple of the tick size',
    ways: ['enter', 'wait', 'sleep', 'edit', 'edit_waiting', 'quote'],
    check: checkPrice,
    direct: { place: 3 },
    plain: plainPrice,
  },
  {
    step: 'triggerPrice',
    says: 'the trigger price is a multiple of the tick size, and the trigger has not fired',
    ways: ['wait', 'sleep', 'edit_waiting'],
    check: triggerRefusal,
    direct: { place: 4, check: checkDirectTerms },
    plain: null,
  },
  {
    step: 'postOnly',
    says: 'a post-only order would not take',
    ways: entering,
    check: checkPostOnly,
    direct: { place: 5 },
    plain: plainPostOnly,
  },
  {
    step: 'priceBand',
    says: 'a new price is within the price band',
    ways: entering,
    check: checkBand,
    direct: { place: 7 },
    plain: plainBand,
  },
  {
    step: 'reduceOnly',
    says: 'there is a position for an order that becomes reduce-only',
    ways: ['enter', 'edit'],
    check: checkReduceOnly,
    direct: null,
    plain: null,
  },
  {
    step: 'openOrderLimits',
    says: 'open orders, untriggered orders, sizes and positions are within their limits',
    ways: ['enter', 'wait', 'edit', 'quote'],
    check: checkLimits,
    direct: { place: 8 },
    plain: plainLimits,
  },
  {
    step: 'mmp',
    says: 'the group of market-maker protection accepts the order',
    ways: entering,
    check: checkProtection,
    direct: { place: 6, at: 'postOnly' },
    plain: null,
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
    plain: plainFunds,
  },
  {
    step: 'selfMatch',
    says: 'the order would not match with an order of the same account',
    ways: ['enter', 'edit', 'quote', 'move'],
    check: checkSelfMatch,
    direct: { place: 11 },
    plain: plainSelfMatch,
  },
  {
    step: 'speedBump',
    says: 'the queue of the speed bump has space',
    ways: entering,
    check: checkSpeedBump,
    direct: { place: 12 },
    plain: null,
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

/** The checks of plain placements, in the order of the list. */
const plainSteps = admissionSteps
  .filter(({ ways: of }) => of.includes('enter'))
  .flatMap(({ step, plain }) => (plain === null ? [] : [{ at: validationStep[step], plain }]))

/** Checks a plain placement by the steps that can refuse it. Its plan is the price at which it enters. */
export function admitPlain(exchange: Exchange, placement: PlainPlacement): Verdict<Ticks> {
  for (const { at, plain } of plainSteps) {
    const refusal = plain(exchange, placement)
    if (refusal !== null) return refuse(at, refusal)
  }
  return { ok: true, plan: placement.price }
}

/**
 * Checks a candidate by the steps that apply to its way, up to and including the step `until`. The first step that
 * refuses decides. The plan is the candidate with the results of the steps.
 */
export function admit(
  exchange: Exchange,
  candidate: Candidate,
  until: ValidationStep = validationStep.speedBump,
): Verdict<Candidate> {
  for (const { at, check } of orders[candidate.way]) {
    if (at > until) continue
    const refusal = check(exchange, candidate)
    if (refusal !== null) return refuse(at, refusal)
    // An edit that post-only forbids cancels its order, so nothing enters.
    if (candidate.postOnlyRefusal !== null && candidate.way === 'edit') break
  }
  return { ok: true, plan: candidate }
}
