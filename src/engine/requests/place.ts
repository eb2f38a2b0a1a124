/**
 * Placing an order, alone or with linked orders: the checks in the order of C07, then admission and matching.
 *
 * The plan contains the entry price of the order (post-only may move it, market types take it from the band or the
 * book). The book determines the fills.
 * Source: trading.md 4.1, 6.2, 6.3, 6.13, 6.14, C07, C20, C21, C31, C32.
 */

import { assert, lots, type Ticks } from '../../core/index.ts'
import {
  accepts,
  isTriggerType,
  type LinkedTerms,
  NO_ORDER,
  type PlaceOrder,
  triggerSources,
  validationStep,
} from '../../model/index.ts'
import {
  admit,
  admitRequest,
  announce,
  bumpRefusal,
  checkDormant,
  checkEntry,
  checkTerms,
  checkWaiting,
  createOrder,
  displayOf,
  type Entry,
  extrasOf,
  fundsRefusal,
  isStill,
  liftFreeze,
  newLink,
  type Placed,
  placedCandidate,
  selfMatchRefusal,
  sendLater,
  sendOrder,
  successorExtras,
  waitingPrice,
  wouldWait,
} from '../market/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  forgetParticipant,
  idAt,
  orderAt,
  pass,
  refuse,
  rowOfInstrument,
  stageAt,
  type Turn,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

/** The entry price of an admitted order, null if it waits for a price; for linked orders, the entry price of each. */
type PlacePlan = Ticks | null | LinkedPlan

interface LinkedPlan {
  readonly first: Ticks | null
  /** Entry price of the second order if two orders cancel each other; undefined without a second order. */
  readonly other: Ticks | null | undefined
}

const step = validationStep

/** Checks a placement; only reads. */
function checkPlace(exchange: Exchange, command: PlaceOrder): CheckResult<PlacePlan> {
  if (command.extras !== null && command.extras.direct !== null) {
    return checkDirectPlace(exchange, command)
  }
  const fault = admitRequest(exchange, 'place', command)
  if (fault !== null) return { ok: false, fault }
  const row = rowOfInstrument(exchange, command.instrument)
  const { account, linked, display, session, extras } = command
  const asked: Placed = { row, account, terms: command, display, isRequest: true, session, extras }
  if (linked?.type === 'one_cancels_other') return checkPartners(exchange, asked, linked)
  const own = checkAsked(exchange, asked, checkEntry)
  if (linked === null) return own.ok ? pass(priceOf(own.plan)) : own
  const first = earlier(own, checkSecondaries(exchange, asked, linked))
  return first ?? pass({ first: own.ok ? priceOf(own.plan) : null, other: undefined })
}

/** The entry price of an order; null if it waits. */
function priceOf(entry: Entry | null): Ticks | null {
  return entry === null ? null : entry.price
}

/** Admits the order and its linked orders, and lets them enter. */
function commitPlace(turn: Turn, command: PlaceOrder, plan: PlacePlan): number {
  const { exchange } = turn
  const { linked, account, extras, session } = command
  if (exchange.participants.size > 0) forgetParticipant(exchange, account)
  const row = rowOfInstrument(exchange, command.instrument)
  if (extras !== null) liftFreeze(turn, row, account, extras, session)
  const isLinked = plan !== null && typeof plan !== 'number'
  const price = isLinked ? plan.first : plan
  if (price === null) assert(isTriggerType(command.type), 'a waiting order has a trigger type')
  const slot = createOrder(exchange, {
    row,
    account,
    terms: command,
    price: price ?? waitingPrice(command.type, command.price),
    display: displayOf(command.amount, command.display),
    stage: price === null ? 'untriggered' : 'entering',
    link: null,
    triggeredBy: NO_ORDER,
    session,
    validUntil: command.validUntil,
    extras: extras === null ? null : extrasOf(exchange, row, account, extras),
  })
  const other = isLinked ? plan.other : undefined
  if (linked !== null) return enterLinked(turn, command, { slot, linked, price, other })
  announce(turn, row, slot)
  if (price === null) return 1
  const id = idAt(exchange.orders, slot)
  sendOrder(turn, row, slot, 'placed')
  const isInPlace = stageAt(exchange.orders, slot) !== 'entering' || !isStill(exchange, slot, id)
  assert(isInPlace, 'a placed order rests, waits or has ended')
  return 1
}

/** A linked order that enters, and the prices of both orders. */
interface LinkedEntry {
  readonly slot: number
  readonly linked: LinkedTerms
  readonly price: Ticks | null
  readonly other: Ticks | null | undefined
}

/** Creates the linked orders, emits all orders, and lets them enter. */
function enterLinked(turn: Turn, command: PlaceOrder, of: LinkedEntry): number {
  const row = rowOfInstrument(turn.exchange, command.instrument)
  const created = linkOrders(turn.exchange, command, of.slot, of.linked, of.other)
  announce(turn, row, of.slot)
  for (const secondary of created) announce(turn, row, secondary)
  const [partner] = created
  const enters = of.other !== undefined && of.other !== null
  const waits = partner === undefined || !enters ? null : orderAt(turn.exchange, partner).id
  if (of.price !== null) sendOrder(turn, row, of.slot, 'placed')
  // The second order follows after the first one, which may have ended it.
  if (partner !== undefined && waits !== null && isStill(turn.exchange, partner, waits)) {
    sendLater(turn, row, partner)
  }
  return 1
}

function checkAsked(
  exchange: Exchange,
  asked: Placed,
  checkNow: (exchange: Exchange, asked: Placed) => CheckResult<Entry>,
): CheckResult<Entry | null> {
  return isTriggerType(asked.terms.type) ? checkWaiting(exchange, asked) : checkNow(exchange, asked)
}

/**
 * Checks two orders that cancel each other, step by step; if both fail at the same step, the first one decides (C32b).
 */
function checkPartners(exchange: Exchange, asked: Placed, linked: LinkedTerms): CheckResult<PlacePlan> {
  const [terms] = linked.secondaries
  if (terms === undefined) return refuse(step.parameters, { reason: 'unsupported_arg_combination' })
  const own = checkAsked(exchange, asked, checkTerms)
  const after = asked.terms
  const beside = checkAsked(exchange, { ...asked, terms, display: 0, after }, checkTerms)
  const refused = earlier(own, beside)
  if (refused !== null) return refused
  const first = own.ok ? own.plan : null
  const other = beside.ok ? beside.plan : null
  const plan = { first: priceOf(first), other: priceOf(other) }
  return partnersRefusal(exchange, first, other) ?? pass(plan)
}

/** The check result that refuses at the earlier step, and the first one if the steps are equal; null if both pass. */
function earlier(
  own: CheckResult<unknown>,
  other: CheckResult<unknown>,
): Extract<CheckResult<never>, { readonly ok: false }> | null {
  if (own.ok) return other.ok ? null : other
  return !other.ok && other.fault.step < own.fault.step ? other : own
}

/** Secondaries become active later, so only their own terms and their number are checked now. */
function checkSecondaries(exchange: Exchange, asked: Placed, { secondaries }: LinkedTerms): CheckResult<null> {
  let first: CheckResult<null> = pass(null)
  for (const secondary of secondaries) {
    const shape = checkDormant(exchange, { ...asked, terms: secondary, display: 0 })
    first = earlier(first, shape) ?? first
  }
  if (!first.ok) return first
  const { openTriggers, openSecondaries, openSpotSecondaries } = accountRow(exchange, asked.account)
  const { triggers, secondaries: most } = exchange.config.openOrderLimits
  for (const source of triggerSources) {
    const own = asked.terms.trigger?.source === source ? 1 : 0
    const more = secondaries.filter(({ trigger }) => trigger?.source === source).length
    if (more > 0 && openTriggers[source] + own + more > triggers) {
      return refuse(step.openOrderLimits, { reason: 'no_more_triggers', limit: triggers })
    }
  }
  const open = asked.row.base >= 0 ? openSpotSecondaries : openSecondaries
  if (open + secondaries.length <= most) return first
  return refuse(step.openOrderLimits, { reason: 'no_more_oto_orders', limit: most })
}

/**
 * Checks two orders that enter together: the margin of each and of both, and that neither matches an order of its
 * account.
 */
function partnersRefusal(
  exchange: Exchange,
  first: Entry | null,
  other: Entry | null,
): Extract<CheckResult<never>, { readonly ok: false }> | null {
  const entries = [first, other].filter((entry) => entry !== null)
  for (const entry of entries) {
    const funds = fundsRefusal(exchange, entry, null)
    if (funds !== null) return refuse(step.margin, funds)
  }
  const both = first === null || other === null ? null : fundsRefusal(exchange, first, other)
  if (both !== null) return refuse(step.margin, both)
  let ahead = 0
  for (const entry of entries) {
    const overlap = selfMatchRefusal(exchange, entry)
    if (overlap !== null) return refuse(step.selfMatch, overlap)
    const waiting = bumpRefusal(exchange, entry, false, ahead)
    if (waiting !== null) return refuse(step.speedBump, waiting)
    if (wouldWait(exchange, entry.row, entry.side, entry.price)) ahead += 1
  }
  if (first === null || other === null) return null
  const meet = first.side !== other.side && accepts(first.side, first.price, other.price)
  const { selfMatch } = accountRow(exchange, first.account)
  if (!meet || selfMatch !== 'reject_taker') return null
  return refuse(step.selfMatch, { reason: 'order_overlap' })
}

/** Creates the linked orders of a request and links all of them; returns the slots of the others. */
function linkOrders(
  exchange: Exchange,
  { account, instrument, session }: PlaceOrder,
  slot: number,
  linked: LinkedTerms,
  other: Ticks | null | undefined,
): readonly number[] {
  const row = rowOfInstrument(exchange, instrument)
  const isOco = linked.type === 'one_cancels_other'
  const extras = successorExtras(orderAt(exchange, slot))
  const made = linked.secondaries.map((terms) =>
    createOrder(exchange, {
      row,
      account,
      terms,
      display: lots(0),
      link: newLink({ condition: linked.condition }),
      triggeredBy: NO_ORDER,
      session,
      extras,
      stage: isOco ? (other === null ? 'untriggered' : 'waiting') : 'dormant',
      price: (isOco ? other : null) ?? waitingPrice(terms.type, terms.price),
    }),
  )
  const order = orderAt(exchange, slot)
  const ids = made.map((each) => orderAt(exchange, each).id)
  order.link = newLink({ condition: linked.condition, secondaries: isOco ? [] : ids })
  const isOtoco = linked.type === 'one_triggers_one_cancels_other'
  linkPartners(exchange, isOco ? [slot, ...made] : isOtoco ? made : [])
  for (const each of isOco ? [] : made) {
    const { link } = orderAt(exchange, each)
    if (link !== null) link.primary = order.id
  }
  return made
}

/** Links two orders that cancel each other; the id of the first identifies the link. */
function linkPartners(exchange: Exchange, [first, second]: readonly number[]): void {
  if (first === undefined || second === undefined) return
  const [left, right] = [orderAt(exchange, first), orderAt(exchange, second)]
  for (const [order, partner] of [
    [left, right],
    [right, left],
  ] as const) {
    if (order.link === null) continue
    order.link.pair = left.id
    order.link.partner = partner.id
    if (order.stage === 'dormant') order.link.sibling = partner.id
  }
}

export const placeHandlers: Handlers<'place_order'> = {
  place_order: seal({ check: checkPlace, commit: commitPlace }),
}

/**
 * Admission of a new order of direct access: permission, lock, cancel-only and instrument first
 * (`market/request-steps.ts`), then the steps in the order of the binary gateway (`market/steps.ts`).
 *
 * Source: sessions-blocks-gateways.md 8.5, 8.7; S303.
 */

/** Checks a placement over a session of direct access; only reads. The plan is its entry price. */
function checkDirectPlace(exchange: Exchange, command: PlaceOrder): CheckResult<Ticks> {
  const fault = admitRequest(exchange, 'direct', command)
  if (fault !== null) return { ok: false, fault }
  const row = rowOfInstrument(exchange, command.instrument)
  const candidate = placedCandidate('direct', {
    row,
    account: command.account,
    session: command.session,
    display: command.display,
    extras: command.extras,
    direct: command.extras?.direct ?? null,
    isRequest: true,
    terms: command,
  })
  const found = admit(exchange, candidate)
  return found.ok ? pass(found.plan.price) : found
}
