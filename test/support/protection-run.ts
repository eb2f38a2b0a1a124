/**
 * A run of protections: intents become requests to a desk, and the laws of `laws.ts` and of the model are checked
 * around every request.
 */

import { assert, defined, micros } from '../../src/core/index.ts'
import { advanceTo, openOrders, stateHash } from '../../src/engine/index.ts'
import { findMethod, venueMethods } from '../../src/gateways/index.ts'
import { anyOrder, type Event, type EventSink } from '../../src/model/index.ts'
import { createDesk, type Desk, orderIdOut, submit, type VenueReply } from '../../src/rpc/index.ts'
import { Laws, standingHash } from './laws.ts'
import { type KnownOrder, leftOf } from './protection-facts.ts'
import type { Intent } from './protection-intents.ts'
import { ProtectionModel } from './protection-model.ts'
import { type Asked, prelude } from './protection-prelude.ts'
import { requestOf } from './protection-requests.ts'
import { timeOf } from './protection-times.ts'
import { accountNames, headScenario, type SentRequest } from './protection-world.ts'

const scenario = headScenario()
const lister = defined(findMethod('private/get_open_orders'), 'open orders can be listed')

/** A filter between the desk and the laws, with which a test plants a defect; null drops an event. */
export type Lie = (event: Event) => Event | null

/** The record of a run: its requests with their refusals, and its events. */
export interface ProtectionRun {
  readonly sent: readonly (SentRequest & { readonly error: number | null })[]
  readonly events: readonly Event[]
  readonly seen: ReadonlyMap<string, number>
  /** The state at its end. */
  readonly hash: string
  /** Messages to sessions of direct access. */
  readonly reported: ReportedSessions
}

/**
 * Messages to sessions of direct access, as a desk stores them, without credentials and inbound numbers, which come
 * from requests.
 */
export type ReportedSessions = Omit<Desk['history']['messages'], 'credentials' | 'inbound'>

/** The messages that a desk sent to its sessions. */
export function reportedBy({ history }: Pick<Desk, 'history'>): ReportedSessions {
  const { credentials, inbound, ...reported } = history.messages
  assert(credentials.size === 0 && inbound.size === 0, 'these runs log on without credentials')
  return reported
}

/** Thrown for a broken law; holds the requests that led to it. */
export class BrokenLaw extends Error {
  readonly sent: ProtectionRun['sent']

  constructor(cause: unknown, sent: ProtectionRun['sent']) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'BrokenLaw'
    this.sent = sent
  }
}

/**
 * Takes the steps of a run, then waits for a second, so that no order waits at its end. With `forcesRare` no request
 * takes the straight path.
 */
export function runProtections(
  intents: readonly Intent[],
  lie: Lie = (event) => event,
  forcesRare = false,
): ProtectionRun {
  const run = new Run(lie)
  run.desk.exchange.orders.forcesRare = forcesRare
  try {
    for (const asked of prelude) run.ask(asked, 0)
    for (const intent of intents) run.step(intent)
    run.finish()
  } catch (error) {
    throw new BrokenLaw(error, run.sent)
  }
  const { sent, events, model, desk } = run
  const hash = stateHash(desk.exchange)
  return { sent, events, seen: model.facts.seen, hash, reported: reportedBy(desk) }
}

class Run {
  readonly sent: (SentRequest & { error: number | null })[] = []
  readonly events: Event[] = []
  readonly model = new ProtectionModel()
  readonly desk: Desk
  private readonly laws = new Laws()
  private now = 0

  constructor(lie: Lie) {
    const sink: EventSink = {
      emit: (event) => {
        this.events.push(event)
        const reported = lie(event)
        if (reported === null) return
        this.laws.emit(reported)
        this.model.emit(reported)
      },
    }
    const { config, setup, start } = scenario
    this.desk = createDesk({ config, controls: true, methods: venueMethods }, sink)
    for (const { method, account, params } of setup) {
      const sequence = this.desk.exchange.lastSequence + 1
      this.model.send({ sequence, time: start, method, account, session: 0, params: {} })
      submit(this.desk, { time: start, method, params, account, session: 0 }, (reply) => {
        this.replied(sequence, reply)
        assert(reply.ok, 'the set-up passes')
      })
    }
    this.now = start
  }

  step(intent: Intent): void {
    const { facts } = this.model
    const time = timeOf(facts, this.now, intent.wait)
    // Due timers run first, because they change the orders that a request can name.
    advanceTo(this.desk.exchange, micros(time), this.desk.sink)
    facts.now = time
    const asked = requestOf(facts, intent, (order) => this.nameOf(order))
    this.ask(asked, time - this.now)
  }

  ask(asked: Asked, wait: number): void {
    const { desk, model } = this
    const { exchange } = desk
    this.now += wait
    const time = micros(this.now)
    advanceTo(exchange, time, desk.sink)
    const { method, account, session, params } = asked
    const sequence = exchange.lastSequence + 1
    const sent = { ...asked, at: this.now - scenario.start, error: null as number | null }
    this.sent.push(sent)
    model.send({ sequence, time, method, account, session, params })
    // The first request over a WebSocket opens it, even if the request fails.
    const isOver = session === 0 || model.facts.sessions.has(session)
    const before = isOver && this.sent.length % 4 === 0 ? standingHash(exchange) : null
    const listed = method === 'private/get_open_orders' ? this.expectedList(account) : null
    submit(desk, { time, method, params, account, session }, (reply) => {
      this.replied(sequence, reply)
      if (reply.ok) {
        if (listed !== null) assertListed(reply.result, listed)
        return
      }
      sent.error = reply.error.code
      // A direct-access cancel that converts an order gets a reject, but has changed the order.
      const done = this.events.at(-1)
      const isRefused = done?.kind === 'request' && done.outcome === 'refused'
      if (before !== null && isRefused) {
        assert(standingHash(exchange) === before, 'a refused request changes nothing')
      }
    })
    this.settle()
  }

  finish(): void {
    const { model } = this
    this.ask({ method: 'public/get_time', account: null, session: 0, params: {} }, 1_000_000)
    assert(model.facts.queue.length === 0, 'nothing waits for ever')
    assert(model.facts.requests.size === 0, 'every request is answered')
    assert(this.desk.pending.size === 0, 'the desk owes nobody a reply')
  }

  private settle(): void {
    const { model, desk, laws } = this
    model.settle()
    laws.check(desk.exchange)
    this.compareOrders()
    this.compareLists()
  }

  private replied(sequence: number, reply: VenueReply): void {
    const request = this.model.facts.requests.get(sequence)
    assert(request !== undefined, 'a request that was not answered is known')
    request.replies += 1
    assert(request.replies === 1, 'a request is answered once')
    assert(reply.usOut === request.doneAt, 'a reply comes when its request is done')
  }

  /**
   * Compares the JSON-RPC listings of each account; it reads them without a request, because a request emits an event.
   */
  private compareLists(): void {
    const { exchange, history } = this.desk
    for (const [account, name] of this.model.facts.accounts) {
      if (!accountNames.some((each) => each === name)) continue
      const context = { exchange, history, account, session: 0 }
      const result = lister.reply(context as never, { kind: 'any', type: 'all' })
      assertListed(result, this.expectedList(name))
    }
  }

  /** The model and the engine have the same live orders with the same remaining sizes. */
  private compareOrders(): void {
    const { exchange } = this.desk
    const { facts } = this.model
    let count = 0
    for (const [id] of facts.accounts) {
      // Ids in events are ids of accounts of the engine.
      for (const { order, filled } of openOrders(exchange, id as never, anyOrder)) {
        count += 1
        const known = facts.orders.get(order.id)
        assert(known !== undefined, 'an order of the engine is known')
        assert(leftOf(known) === order.amount - filled, 'what is left of an order is known')
      }
    }
    assert(count === facts.orders.size, 'an order that is known is live')
  }

  private nameOf(order: KnownOrder): string {
    const row = this.desk.exchange.instruments[order.instrument]
    assert(row !== undefined, 'an order is of an instrument')
    return orderIdOut(row.instrument, order.id as Parameters<typeof orderIdOut>[1])
  }

  /**
   * The JSON-RPC listing of an account: no orders of direct access, and of a waiting order only its previous version.
   */
  private expectedList(account: string | null): ReadonlyMap<string, number> {
    const { facts } = this.model
    const list = new Map<string, number>()
    for (const order of facts.orders.values()) {
      if (order.account !== account) continue
      const { waiting, isDirect } = order
      if (isDirect) {
        facts.note('direct access was not listed')
        continue
      }
      if (waiting !== null && waiting.listed === null) {
        facts.note('what waits was not listed')
        continue
      }
      if (waiting !== null) facts.note('what waits was listed as it was')
      list.set(this.nameOf(order), Number(waiting?.listed?.price ?? order.price) / 1e9)
    }
    return list
  }
}

/** A listing must name exactly the expected orders, at their prices. */
function assertListed(result: unknown, expected: ReadonlyMap<string, number>): void {
  assert(Array.isArray(result), 'open orders are a list')
  for (const { order_id, price } of result as readonly { order_id: string; price: number }[]) {
    assert(expected.get(order_id) === price, `${order_id} is listed at its price`)
  }
  assert(result.length === expected.size, 'every order that is to be seen is listed')
}
