/**
 * A taker trades on a Block RFQ: immediately, or by a trigger that waits for quotes.
 *
 * Rule: rfq.accept. Legs, hedge and amount must equal those of the RFQ. It cannot trade before the grace time ends.
 * Without quotes for the whole amount a fill_or_kill is refused; a good_til_cancelled creates a trigger, one for each
 * side.
 *
 * Source: sessions-blocks-gateways.md 5.7, 5.8.
 */
import { assert } from '../../core/index.ts'
import {
  type AcceptBlockRfq,
  type BlockLeg,
  type CancelRfqTrigger,
  type RfqLeg,
  validationStep,
} from '../../model/index.ts'
import { cancelTrigger, emitRfq } from '../market/index.ts'
import {
  type CheckResult,
  type Exchange,
  isMobileSession,
  pass,
  type RfqRow,
  type RfqTrigger,
  refuse,
  type Turn,
} from '../state/index.ts'
import { checkBlockLocks } from './block-checks.ts'
import { badArgument, type Handlers, seal } from './handler.ts'
import { type FillPlan, fillRfq, planFill } from './rfq-execution.ts'
import { checkOwnRfq, sizeUnits, structureUnits } from './rfqs.ts'

const step = validationStep

/** An acceptance; `plan` is null if it becomes a trigger. */
interface AcceptPlan {
  readonly rfq: RfqRow
  readonly limit: number
  readonly plan: FillPlan | null
}

/** Checks an acceptance; only reads. */
function checkAccept(exchange: Exchange, command: AcceptBlockRfq): CheckResult<AcceptPlan> {
  const own = checkOwnRfq(exchange, command.account, command.rfq)
  if (!own.ok) return own
  const rfq = own.plan
  if (exchange.now < rfq.graceUntil) {
    return refuse(step.bookState, { reason: 'other_reject grace_period' })
  }
  const locks = checkBlockLocks(exchange, partsOf(rfq), [{ account: command.account, role: 'taker' }])
  if (!locks.ok) return locks
  if (orderedLegs(rfq, command.legs) === undefined) return badArgument('legs', 'legs_differ')
  if (command.hedge !== null && !isSameHedge(rfq.hedge, command.hedge)) return badArgument('hedge', 'hedge_differs')
  if (sizeUnits(rfq, command.amount9) !== rfq.amount) return badArgument('amount', 'expected the whole amount')
  const limit = structureUnits(rfq, command.price9)
  if (limit === undefined) return refuse(step.price, { reason: 'price_wrong_tick' })
  const plan = planFill(exchange, rfq, { side: command.side, limit })
  if (plan === 'poor') {
    return refuse(step.margin, { reason: 'side_not_enough_funds', problem: 'self' })
  }
  if (plan !== 'none') return pass({ rfq, limit, plan })
  if (command.rests) return pass({ rfq, limit, plan: null })
  return refuse(step.fillOrKill, { reason: 'not_fully_filled' })
}

/** Trades, or creates a trigger. Returns the number of blocks. */
function commitAccept(turn: Turn, command: AcceptBlockRfq, of: AcceptPlan): number {
  const { rfq, limit, plan } = of
  const { side, session } = command
  const isMobile = isMobileSession(turn.exchange, session)
  assert(turn.exchange.rfqs.open.has(rfq.rfq), 'an accepted RFQ is open')
  if (plan !== null) {
    fillRfq(turn, rfq, { plan, reason: 'user_request', session, isMobile })
    return new Set(rfq.trades.map(({ block }) => block)).size
  }
  for (const trigger of waitingTriggers(rfq)) {
    if (trigger.side === side) cancelTrigger(turn, rfq, trigger, 'replaced')
  }
  const waiting: RfqTrigger = { side, price: limit, state: 'untriggered', reason: null }
  rfq.triggers = [
    ...rfq.triggers.filter((each) => each.side !== side || each.state === 'cancelled').slice(-2),
    isMobile ? { ...waiting, mobile: true } : waiting,
  ]
  const own = waitingTriggers(rfq).filter((each) => each.side === side)
  assert(own.length === 1, 'each side has at most one trigger')
  emitRfq(turn, rfq, { change: 'trigger_placed', reason: 'user_request', side, price: limit })
  return 0
}

/** Checks that the account has an RFQ with a waiting trigger; only reads. */
function checkCancelTrigger(exchange: Exchange, command: CancelRfqTrigger): CheckResult<RfqRow> {
  const own = checkOwnRfq(exchange, command.account, command.rfq)
  if (!own.ok) return own
  const isWaiting = waitingTriggers(own.plan).length > 0
  return isWaiting ? own : refuse(step.instrument, { reason: 'not_found' })
}

function commitCancelTrigger(turn: Turn, _: CancelRfqTrigger, rfq: RfqRow): number {
  const waiting = waitingTriggers(rfq)
  assert(waiting.length > 0, 'a trigger waits before it is cancelled')
  for (const trigger of waiting) cancelTrigger(turn, rfq, trigger, 'user_request')
  assert(waitingTriggers(rfq).length === 0, 'no trigger waits after all were cancelled')
  return waiting.length
}

/** Legs of a request in the order of the RFQ; undefined if they differ. */
export function orderedLegs<Leg extends RfqLeg>({ legs }: RfqRow, given: readonly Leg[]): readonly Leg[] | undefined {
  if (given.length !== legs.length) return undefined
  const ordered = legs.map(({ instrument, side, ratio }) =>
    given.find((leg) => leg.instrument === instrument && leg.side === side && leg.ratio === ratio),
  )
  const found = ordered.filter((leg) => leg !== undefined)
  return found.length === legs.length ? found : undefined
}

/** True if a hedge equals the hedge of an RFQ. */
export function isSameHedge(own: BlockLeg | null, given: BlockLeg): boolean {
  return (
    own !== null &&
    own.instrument === given.instrument &&
    own.side === given.side &&
    own.price === given.price &&
    own.amount === given.amount
  )
}

/** Legs and hedge of an RFQ. */
export function partsOf({ legs, hedge }: RfqRow): readonly Pick<BlockLeg, 'instrument'>[] {
  return hedge === null ? legs : [...legs, hedge]
}

function waitingTriggers(rfq: RfqRow): RfqRow['triggers'] {
  return rfq.triggers.filter(({ state }) => state === 'untriggered')
}

export const rfqAcceptHandlers: Handlers<'accept_block_rfq' | 'cancel_rfq_trigger'> = {
  accept_block_rfq: seal({ check: checkAccept, commit: commitAccept }),
  cancel_rfq_trigger: seal({ check: checkCancelTrigger, commit: commitCancelTrigger }),
}
