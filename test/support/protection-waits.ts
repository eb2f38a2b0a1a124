/**
 * The speed bump in the model: the waiting orders, their release times and order of release, and the replies that wait
 * with them.
 */
import { assert } from '../../src/core/index.ts'
import type { EventOf } from '../../src/model/index.ts'
import type { Facts, KnownOrder, Sent } from './protection-facts.ts'
import { confirmTrip, curtail } from './protection-groups.ts'

/** The delay of an order that would match: 10 ms. */
export const BUMP = 10_000

/** Follows an event of a waiting order. */
export function followBump(facts: Facts, event: EventOf<'bump'>): void {
  const order = facts.orders.get(event.order)
  assert(order !== undefined, 'what waits is live')
  switch (event.change) {
    case 'queued':
    case 'restarted':
      queue(facts, order, event)
      return
    case 'converted':
      convert(facts, order, event)
      return
    case 'released':
      release(facts, order, event)
      return
    case 'withdrawn':
      assert(order.waiting !== null, 'what is withdrawn waited')
      assert(!order.waiting.isConverted, 'what is to end at its release waits for it')
      leave(facts, order)
      facts.withdrawn = order.id
      facts.note('withdrawn')
  }
}

function queue(facts: Facts, order: KnownOrder, event: EventOf<'bump'>): void {
  const sent = facts.request(event.cause)
  const instrument = facts.instrument(order.instrument)
  assert(instrument.traded.waits, 'only instruments with a speed bump make orders wait')
  assert(event.releaseAt === event.time + BUMP, 'an order waits for 10 ms from its submission')
  assert(crosses(facts, order), 'what waits would match')
  const { waiting } = order
  assert((waiting !== null) === (event.change === 'restarted'), 'an amend makes it wait anew')
  if (waiting !== null) take(facts, order.id)
  facts.edited.delete(order.id)
  const listed = waiting === null ? order.before : waiting.listed
  order.waiting = { releaseAt: event.releaseAt, isConverted: false, listed }
  facts.queue.push(order.id)
  if (!order.isDirect && isHeld(sent)) {
    sent.waitsFor.add(order.id)
    facts.note('reply held')
  }
  facts.note(event.change === 'restarted' ? 'restarted' : listed === null ? 'queued' : 'queued by an amend')
}

/** True if the reply to a request waits for the orders that it puts behind the bump. */
function isHeld({ isDirect, doneAt, method, params }: Sent): boolean {
  const waits = method !== 'private/mass_quote' || params['wait_for_response'] !== false
  return !isDirect && doneAt === null && waits
}

/** True if an order rests on the other side at the price of an order, or at a better one. */
function crosses(facts: Facts, order: KnownOrder): boolean {
  for (const other of facts.orders.values()) {
    if (other.instrument !== order.instrument || other.side === order.side) continue
    if (other.waiting !== null || other.isUntriggered) continue
    const meets = order.side === 'buy' ? other.price <= order.price : other.price >= order.price
    if (meets) return true
  }
  return false
}

function convert(facts: Facts, order: KnownOrder, event: EventOf<'bump'>): void {
  const { waiting, group } = order
  assert(waiting !== null && !waiting.isConverted, 'what waits is converted once')
  assert(!order.isImmediate, 'what ends at its release in any case stays as it is')
  assert(event.releaseAt === waiting.releaseAt, 'a cancel does not change when it is released')
  if (event.reason === 'mmp_trigger') {
    assert(group !== null, 'only protected orders go with a group')
    confirmTrip(facts, group)
  }
  const sent = facts.requests.get(event.cause)
  if (event.reason === 'mmp_config_curtailment' && sent !== undefined) curtail(facts, order, sent)
  // The answer to a cancel of one order is known at its release.
  if (sent?.method === 'private/cancel') {
    sent.waitsFor.add(order.id)
    facts.note('reply of a cancel held')
  }
  waiting.isConverted = true
  facts.note(`converted by ${event.reason}`)
}

function release(facts: Facts, order: KnownOrder, event: EventOf<'bump'>): void {
  const { waiting } = order
  assert(waiting !== null, 'what is released waited')
  assert(event.time === waiting.releaseAt, 'it is released exactly 10 ms after its submission')
  assert(facts.queue[0] === order.id, 'first in, first out')
  assertGone(facts)
  if (waiting.isConverted) facts.note('released as immediate')
  leave(facts, order)
  facts.released = order.id
  if (order.isImmediate || waiting.isConverted) facts.ending = order.id
  facts.note('released')
}

function leave(facts: Facts, order: KnownOrder): void {
  take(facts, order.id)
  facts.edited.delete(order.id)
  order.waiting = null
  order.before = null
  for (const sent of facts.requests.values()) {
    if (!sent.waitsFor.delete(order.id) || sent.waitsFor.size > 0) continue
    sent.dueAt = facts.now
  }
}

function take({ queue }: Facts, order: number): void {
  const at = queue.indexOf(order)
  assert(at >= 0, 'a waiting order is in the queue')
  queue.splice(at, 1)
}

/** An order that was to end at its release must not rest after it. */
export function assertGone(facts: Facts): void {
  assert(!facts.orders.has(facts.ending), 'a converted order never rests')
  facts.ending = 0
}

/** No order waits after its release time. */
export function assertNobodyLate(facts: Facts, time: number): void {
  const first = facts.orders.get(facts.queue[0] ?? 0)
  assert(first?.waiting == null || first.waiting.releaseAt >= time, 'nobody waits for longer')
}

/** A request completes at its own instant, or when the last of its orders is released. */
export function followDone(facts: Facts, event: EventOf<'request'>): void {
  const sent = facts.request(event.cause)
  assert(sent.doneAt === null, 'a request is done once')
  sent.doneAt = event.time
  assert(sent.waitsFor.size === 0, 'a reply waits for all orders of its request')
  assert(event.time === (sent.dueAt ?? sent.time), 'a reply comes at the release and not before')
  if (sent.dueAt !== null) facts.note('held reply answered')
}

/** Every due request has been answered. */
export function assertAnswered(facts: Facts): void {
  for (const sent of facts.requests.values()) {
    const isDue = sent.doneAt === null && sent.waitsFor.size === 0
    assert(!isDue, 'a request whose orders wait no more is answered')
    assert(sent.doneAt === null ? sent.replies === 0 : sent.replies === 1, 'each is answered once')
    if (sent.doneAt !== null) facts.requests.delete(sent.sequence)
  }
}
