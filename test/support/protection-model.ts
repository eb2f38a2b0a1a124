/**
 * An independent model of protections: it follows requests, replies and events, tracks orders, groups, sessions and
 * waits, and throws if an event or reply breaks a law.
 *
 * - While a group is frozen, none of its orders or quotes is accepted, and only orders that were already waiting fill.
 * - After the fill that trips a group, none of its orders fills, and no other order fills before they are cancelled.
 * - The events of a window are a recount of its trades.
 * - An order that would match waits exactly 10 ms, first in first out, and so does its JSON-RPC reply; an order that is
 *   to be cancelled meanwhile never rests.
 * - The end of a session keeps exactly the orders that it must keep.
 * - JSON-RPC neither changes nor lists orders of direct access, nor new orders that wait.
 */
import { assert } from '../../src/core/index.ts'
import type { Event, EventOf, OrderChanged } from '../../src/model/index.ts'
import {
  Facts,
  isFrozenFor,
  type KnownGroup,
  type KnownOrder,
  leftOf,
  type Sent,
  tradedOf,
} from './protection-facts.ts'
import {
  assertOfIndex,
  assertSettled,
  checkGroupEvent,
  checkGroups,
  checkReset,
  countFill,
  curtail,
  pullMember,
} from './protection-groups.ts'
import { followSession, noteInbound } from './protection-sessions.ts'
import { assertAnswered, assertGone, assertNobodyLate, followBump, followDone } from './protection-waits.ts'

/** Follows a run. */
export class ProtectionModel {
  readonly facts = new Facts()

  /** The next request starts now. */
  send(request: Omit<Sent, 'waitsFor' | 'dueAt' | 'doneAt' | 'replies' | 'isDirect'>): Sent {
    const { facts } = this
    facts.now = request.time
    facts.withdrawn = 0
    assertGone(facts)
    assertNobodyLate(facts, request.time + 1)
    checkGroups(facts)
    if (request.account !== null) noteInbound(facts, request.session, request.time)
    const isDirect = facts.sessions.get(request.session)?.type === 'direct_access'
    const sent: Sent = {
      ...request,
      ...{ isDirect, waitsFor: new Set(), dueAt: null, doneAt: null, replies: 0 },
    }
    facts.requests.set(request.sequence, sent)
    return sent
  }

  /** All events of a request have arrived. */
  settle(): void {
    const { facts } = this
    assertSettled(facts)
    assertGone(facts)
    checkGroups(facts)
    assertAnswered(facts)
    assert(facts.edited.size === 0, 'an amend of what waits makes it wait anew or enter its book')
    assert(facts.disconnected.length === 0, 'orders end with a session that ends')
  }

  emit(event: Event): void {
    const { facts } = this
    assertNobodyLate(facts, event.time)
    facts.now = event.time
    // An order that is withdrawn while it waits ends at once.
    if (event.kind !== 'order' || event.change !== 'cancelled') facts.withdrawn = 0
    switch (event.kind) {
      case 'account':
        facts.accounts.set(event.account, event.name)
        return
      case 'instrument': {
        const { id, name, tick9, amountStep9 } = event.instrument
        const own = { id, traded: tradedOf(name), tick: BigInt(tick9), step: BigInt(amountStep9) }
        facts.instruments.set(id, own)
        return
      }
      case 'order':
        changeOrder(facts, event)
        return
      case 'trade':
        trade(facts, event)
        return
      case 'bump':
        followBump(facts, event)
        return
      case 'mmp':
        checkGroupEvent(facts, event)
        return
      case 'session':
        followSession(facts, event)
        return
      case 'standing':
        standing(facts, event)
        return
      case 'refusal':
        refused(facts, event.cause, event.refusal.reason)
        return
      case 'quote_refusal':
        quoteRefused(facts, event)
        return
      case 'request':
        assertSettled(facts)
        done(facts, event)
    }
  }
}

function openOrder(facts: Facts, event: OrderChanged): void {
  const sent = facts.requests.get(event.cause)
  const parent = facts.fired.get(event.triggeredBy)
  const account = facts.account(event.account)
  const isQuote = sent !== undefined && parent === undefined && isQuoting(sent)
  const isDirect = parent === undefined && sent?.isDirect === true
  const session = parent === undefined ? (sent?.session ?? 0) : parent.session
  const flags = sent?.params['flags']
  const ownsFlag = isDirect && Array.isArray(flags) && flags.includes('cancel_on_disconnect')
  facts.created += 1
  const order: KnownOrder = {
    ...{ id: event.order, created: facts.created, account, instrument: event.instrument },
    ...{ side: event.side, price: BigInt(event.price), amount: event.amount, filled: 0 },
    ...{ isDirect, session, isQuote, ownsFlag },
    clientId: isDirect && !isQuote ? String(sent?.params['client_order_id']) : null,
    isImmediate: ['immediate_or_cancel', 'fill_or_kill'].includes(event.timeInForce),
    group: parent === undefined && sent !== undefined ? groupOf(facts, sent, event.instrument) : null,
    isUntriggered: event.state === 'untriggered',
    ...{ waiting: null, isExempt: false, before: null },
  }
  assert(event.session === session, 'an order is of the session that it came over')
  assert((event.extras?.direct != null) === isDirect, 'an order is of its origin')
  checkMembership(facts, order, event)
  if (sent !== undefined) assertAccepted(facts, order.group, sent)
  assert(!(isDirect && facts.locked.has(account)), 'a locked portfolio takes no direct access')
  facts.orders.set(order.id, order)
}

function fire(facts: Facts, event: OrderChanged): void {
  const order = facts.orders.get(event.order)
  assert(order !== undefined, 'what fires is live')
  facts.orders.delete(event.order)
  facts.fired.set(event.order, order)
  facts.note('fired')
}

function isQuoting({ method }: Sent): boolean {
  return method.endsWith('mass_quote')
}

/** The group that an order of a request belongs to. */
function groupOf(facts: Facts, sent: Sent, instrument: number): KnownGroup | null {
  const { params, account } = sent
  if (isQuoting(sent)) {
    const name = params['mmp_group'] ?? params['mmp_group_id']
    const group = typeof name === 'number' ? facts.groupNumbered(name) : facts.groupNamed(account ?? '', String(name))
    assert(group !== undefined, 'quotes are of a group that there is')
    return group
  }
  const flags = params['flags']
  const isProtected = params['mmp'] === true || (Array.isArray(flags) && flags.includes('mmp'))
  if (!isProtected) return null
  const { index } = facts.instrument(instrument).traded
  const group = facts.group(account ?? '', index, null)
  assert(group?.config != null, 'protected orders are of a group that is configured')
  return group
}

function checkMembership(facts: Facts, order: KnownOrder, event: OrderChanged): void {
  const { group } = order
  assert(event.extras?.mmp?.group === group?.number, 'an order is of the group that it asked for')
  if (group !== null) assertOfIndex(facts.instrument(order.instrument), group)
}

/** A frozen group accepts nothing; a flag of direct access ends the freeze first. */
function assertAccepted(facts: Facts, group: KnownGroup | null, sent: Sent): void {
  if (group === null) return
  const { isDirect } = sent
  const isFrozen = isFrozenFor(group, { isDirect, resets: false, time: facts.now })
  assert(!isFrozen, 'nothing of a frozen group is accepted')
  if (group.freeze?.isFree === true) facts.note('accepted over JSON-RPC after a reset')
}

function editOrder(facts: Facts, event: OrderChanged): void {
  const order = facts.orders.get(event.order)
  assert(order !== undefined, 'what is edited is live')
  const sent = facts.requests.get(event.cause)
  const { instrument } = order
  if (event.kind === 'order' && event.change === 'edited' && sent !== undefined) {
    assert(sent.isDirect === order.isDirect, 'what is edited is of the same origin')
    order.before = order.waiting === null ? { price: order.price, amount: BigInt(order.amount) } : null
    const switched = sent.params['mmp']
    const { index } = facts.instrument(instrument).traded
    const own = facts.group(order.account, index, null)
    if (!isQuoting(sent)) {
      if (switched === true) order.group = order.group ?? own ?? null
      if (switched === false) order.group = null
    }
    assertAccepted(facts, order.group, sent)
    if (order.waiting !== null) facts.edited.add(order.id)
  }
  order.price = BigInt(event.price)
  order.amount = event.amount
  checkMembership(facts, order, event)
}

function cancelOrder(facts: Facts, event: OrderChanged): void {
  const order = facts.orders.get(event.order)
  assert(order !== undefined, 'what is cancelled is live')
  assert(order.waiting === null, 'what waits is not cancelled')
  const isEnd = event.reason === 'time_in_force' || facts.withdrawn !== order.id
  assert(isEnd, 'what waits is not taken back')
  facts.orders.delete(event.order)
  const sent = facts.requests.get(event.cause)
  switch (event.reason) {
    case 'mmp_trigger':
      pullMember(facts, order)
      return
    case 'mmp_config_curtailment':
      curtail(facts, order, facts.request(event.cause))
      return
    case 'cancel_on_disconnect':
      facts.disconnected.push(order)
      return
    case 'portfolio_locked':
      assert(order.isDirect, 'a lock ends direct access alone')
      facts.note('locked with orders')
      return
    case 'user_request':
      assert(sent?.account === order.account, 'only its owner cancels an order')
      assert(sent.isDirect === order.isDirect, 'what is cancelled is of the same origin')
      return
    default:
      facts.note(`cancelled, ${event.reason}`)
  }
}

function trade(facts: Facts, event: EventOf<'trade'>): void {
  assertSettled(facts)
  const maker = facts.orders.get(event.maker.order)
  const taker = facts.orders.get(event.taker.order)
  assert(maker !== undefined && taker !== undefined, 'live orders meet')
  assert(maker.waiting === null && taker.waiting === null, 'what waits does not trade')
  const { waits } = facts.instrument(event.instrument).traded
  assert(!waits || taker.id === facts.released, 'what takes has waited')
  if (maker.isQuote) facts.note('quote filled')
  for (const order of [maker, taker]) {
    order.filled += event.amount
    if (leftOf(order) === 0) facts.orders.delete(order.id)
  }
  for (const order of [maker, taker]) countFill(facts, order, event)
}

function standing(facts: Facts, event: EventOf<'standing'>): void {
  const account = event.account < 0 ? '' : facts.account(event.account)
  facts.note(`${event.protection} ${event.change}`)
  if (event.protection !== 'portfolio_lock') return
  if (event.change === 'off') {
    facts.locked.delete(account)
    return
  }
  facts.locked.add(account)
  for (const order of facts.orders.values()) {
    if (order.account !== account || !order.isDirect) continue
    assert(order.waiting !== null, 'a lock leaves no direct access but what waits')
    assert(order.isImmediate || order.waiting.isConverted, 'what waits ends at its release')
  }
}

/** A refusal because of a freeze needs a freeze. */
function refused(facts: Facts, cause: number, reason: string): void {
  facts.note(`refused, ${reason}`)
  const sent = facts.request(cause)
  const isFloor = reason === 'mmp_min_freeze_time_not_elapsed'
  if (!isFloor && reason !== 'mmp_trigger') return
  facts.note(`refused, ${reason} of ${sent.method}`)
  const groups = [...facts.groups.values()].filter((group) => group.account === sent.account)
  assert(
    groups.some((group) => isBarring(facts, group, sent, isFloor)),
    'a freeze refuses',
  )
}

function isBarring(facts: Facts, group: KnownGroup, sent: Sent, isFloor: boolean): boolean {
  const { freeze } = group
  if (freeze === null) return false
  if (isFloor) return sent.isDirect && facts.now < freeze.since + 1_000_000
  return isFrozenFor(group, { isDirect: sent.isDirect, resets: false, time: facts.now })
}

function quoteRefused(facts: Facts, event: EventOf<'quote_refusal'>): void {
  const { reason } = event.refusal
  facts.note(`quote refused, ${reason}`)
  const group = facts.groupNumbered(event.group)
  assert(group !== undefined, 'a quote is of a group that there is')
  if (reason !== 'mmp_trigger' && reason !== 'mmp_min_freeze_time_not_elapsed') return
  const { isDirect } = facts.request(event.cause)
  const isFrozen = isFrozenFor(group, { isDirect, resets: false, time: facts.now })
  assert(isFrozen, 'a freeze refuses quotes')
}

/** A request that succeeded had its effect. */
function done(facts: Facts, event: EventOf<'request'>): void {
  const sent = facts.request(event.cause)
  if (event.outcome === 'done' && sent.dueAt === null) {
    if (sent.method === 'private/reset_mmp') checkReset(facts, sent)
    const enables = sent.method === 'private/enable_cancel_on_disconnect'
    const sets = enables || sent.method === 'private/disable_cancel_on_disconnect'
    if (sets && sent.params['scope'] === 'account') {
      if (enables) facts.covering.add(sent.account ?? '')
      else facts.covering.delete(sent.account ?? '')
    }
  }
  followDone(facts, event)
}

function changeOrder(facts: Facts, event: OrderChanged): void {
  switch (event.change) {
    case 'opened':
      openOrder(facts, event)
      return
    case 'edited':
    case 'resized':
      editOrder(facts, event)
      return
    case 'triggered':
    case 'rejected':
      fire(facts, event)
      return
    case 'cancelled':
      cancelOrder(facts, event)
      return
    default:
      return
  }
}
