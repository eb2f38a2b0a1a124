/**
 * Sessions in the model: the orders that end with a session, by the table of the interface document and the rules of
 * direct access (sessions document 8.10).
 */
import { assert } from '../../src/core/index.ts'
import type { EventOf } from '../../src/model/index.ts'
import type { Facts, KnownOrder, KnownSession } from './protection-facts.ts'

/** The time without a request after which a WebSocket closes. */
export const INACTIVITY = 600_000_000

/** Follows an event of a session: opened, ended or changed. */
export function followSession(facts: Facts, event: EventOf<'session'>): void {
  const account = event.account < 0 ? null : facts.account(event.account)
  switch (event.change) {
    case 'opened': {
      assert(!facts.sessions.has(event.session), 'a session opens once')
      const isCovering = account !== null && facts.covering.has(account)
      const asked = facts.request(event.cause)
      const covers =
        asked.method === 'sim/connect'
          ? asked.params['cancel_on_disconnect'] === true || (event.type === 'web_socket' && isCovering)
          : isCovering
      assert(event.cancelOnDisconnect === covers, 'a session starts as its account chose')
      facts.sessions.set(event.session, {
        ...{ session: event.session, type: event.type, account, gateway: event.gateway, covers },
        lastInbound: event.time,
      })
      return
    }
    case 'closed':
      close(facts, event)
      return
    default: {
      const known = sessionOf(facts, event.session)
      known.covers = event.change === 'cancel_on_disconnect_on'
    }
  }
}

function sessionOf(facts: Facts, session: number): KnownSession {
  const known = facts.sessions.get(session)
  assert(known !== undefined, 'a session that changes is open')
  return known
}

/** True if an order ends with its session. */
function endsWith(session: KnownSession, how: string, order: KnownOrder): boolean {
  if (order.session !== session.session) return false
  if (session.type === 'direct_access') return session.covers || order.ownsFlag
  return session.covers && how !== 'logout'
}

function close(facts: Facts, event: EventOf<'session'>): void {
  const known = sessionOf(facts, event.session)
  const how = event.how ?? ''
  checkCause(facts, known, event)
  const gone = facts.disconnected
  assert(event.cancelled === gone.length, 'a session tells how many orders ended with it')
  for (const order of gone) {
    assert(endsWith(known, how, order), 'a session takes only what ends with it')
  }
  let left = 0
  for (const order of facts.orders.values()) {
    if (order.session !== known.session) continue
    if (!endsWith(known, how, order)) {
      left += 1
      order.session = 0
      continue
    }
    const { waiting } = order
    assert(waiting !== null, 'a session leaves nothing that ends with it')
    assert(order.isImmediate || waiting.isConverted, 'what waits ends at its release')
  }
  const sorted = gone.every((order, at) => order.created > (gone[at - 1]?.created ?? 0))
  assert(sorted, 'orders end as they were created')
  facts.disconnected = []
  facts.sessions.delete(known.session)
  const kind = known.type === 'direct_access' ? 'direct' : 'socket'
  if (gone.length > 0) facts.note(`${kind} ${how} ended orders`)
  if (left > 0) facts.note(`${kind} ${how} left orders`)
  if (known.type === 'direct_access' && !known.covers && gone.length > 0) {
    facts.note('flag of an order ended it')
  }
  if (known.type === 'direct_access' && known.covers && gone.some((order) => !order.ownsFlag)) {
    facts.note('floor of a session ended orders')
  }
}

/** Checks the cause of a session's end. */
function checkCause(facts: Facts, known: KnownSession, event: EventOf<'session'>): void {
  if (event.how === 'inactivity') {
    assert(known.type === 'web_socket', 'a WebSocket is closed for inactivity')
    assert(event.time === known.lastInbound + INACTIVITY, 'it is inactive after 10 minutes')
    return
  }
  const { method } = facts.request(event.cause)
  const expected = {
    'sim/disconnect': 'disconnect',
    'sim/logout': 'logout',
    'private/logout': 'logout',
    'sim/heartbeat_failure': 'heartbeat_failure',
    'sim/connect': 'displaced',
  }[method]
  assert(event.how === expected, 'a session ends as it was asked to')
}

/**
 * A request arrived over a session. A session that is inactive for too long closes when the clock leaves that instant.
 */
export function noteInbound(facts: Facts, session: number, time: number): void {
  for (const known of facts.sessions.values()) {
    const isWatched = known.type === 'web_socket' && known.covers
    assert(!isWatched || known.lastInbound + INACTIVITY >= time, 'an inactive session is closed')
  }
  const known = facts.sessions.get(session)
  if (known !== undefined) known.lastInbound = time
}
