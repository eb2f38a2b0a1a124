/**
 * The laws that every run holds, checked around each command: the whole-state audit; cash of a
 * currency changes only by deposits; a refused command changes nothing but counters; events are
 * numbered without gaps (a level's event has the number of the event before it), never go back in
 * time, and end with `request_done`; an order never reports another fill than its trades add up to.
 */
import { assert, sequence } from '../../src/core/index.ts'
import {
  advanceTo,
  allAccounts,
  apply,
  audit,
  type Exchange,
  openOrders,
  stateHash,
  totalCash,
} from '../../src/engine/index.ts'
import {
  type Command,
  currencies,
  currencyIdOf,
  type Event,
  type EventSink,
  type OrderFilter,
} from '../../src/model/index.ts'

const anyOrder: OrderFilter = { label: null, currency: null, instrument: null, kind: null }

/** The hash of a state with clock, last sequence and event count left out. */
export function standingHash(exchange: Exchange): string {
  return stateHash({
    ...exchange,
    now: exchange.config.start,
    lastSequence: sequence(0),
    eventCount: 0,
  })
}

/** What the events of a run add up to, to hold its state against. */
export class Laws implements EventSink {
  private readonly filled = new Map<number, number>()
  private readonly deposited = new Map<string, bigint>()
  private number = 0
  private time = 0

  /** Continues at an exchange that was restored: what happened before is taken from its state. */
  continueFrom(exchange: Exchange): void {
    this.number = exchange.eventCount
    this.time = exchange.now
    for (const { id } of allAccounts(exchange)) {
      for (const { order, filled } of openOrders(exchange, id, anyOrder)) {
        this.filled.set(order.id, filled)
      }
    }
    for (const currency of currencies) {
      this.deposited.set(currency, totalCash(exchange, currencyIdOf(currency)))
    }
  }

  emit(event: Event): void {
    const counts = event.kind === 'level_changed' ? 0 : 1
    assert(event.number === this.number + counts, 'events are numbered without gaps')
    assert(event.time >= this.time, 'events never go back in time')
    this.number = event.number
    this.time = event.time
    switch (event.kind) {
      case 'trade':
        for (const fill of [event.maker, event.taker]) {
          this.filled.set(fill.order, (this.filled.get(fill.order) ?? 0) + event.amount)
        }
        return
      case 'order_opened':
        assert(event.filled === 0, 'an order opens unfilled')
        this.filled.set(event.order, 0)
        return
      case 'order_filled':
      case 'order_rested':
      case 'order_edited':
      case 'order_cancelled':
        assert(
          event.filled === this.filled.get(event.order),
          'the fills of an order are its trades',
        )
        assert(event.filled <= event.amount, 'an order is not filled beyond its amount')
        assert(
          (event.state === 'filled') === (event.filled === event.amount),
          'an order is filled when nothing is left',
        )
        return
      case 'cash_posted':
        this.deposited.set(
          event.currency,
          (this.deposited.get(event.currency) ?? 0n) + event.change,
        )
    }
  }

  /** Throws where the state breaks a law. */
  check(exchange: Exchange): void {
    audit(exchange)
    for (const currency of currencies) {
      const cash = totalCash(exchange, currencyIdOf(currency))
      const deposited = this.deposited.get(currency) ?? 0n
      if (cash !== deposited) assert(false, `${currency}: cash ${cash}, deposited ${deposited}`)
    }
  }
}

/** Applies a command and checks every law around it. Returns its events, timers' first. */
export function applyLawfully(exchange: Exchange, command: Command, laws: Laws): readonly Event[] {
  const events: Event[] = []
  const sink: EventSink = {
    emit(event) {
      events.push(event)
      laws.emit(event)
    },
  }
  advanceTo(exchange, command.time, sink)
  const before = standingHash(exchange)
  apply(exchange, command, sink)
  const done = events.at(-1)
  assert(done?.kind === 'request_done', 'a request ends with request_done')
  assert(done.cause === command.sequence, 'events carry the sequence of their request')
  if (done.outcome === 'refused') {
    assert(events.at(-2)?.kind === 'request_refused', 'a refusal says why')
    assert(standingHash(exchange) === before, 'a refused command changes nothing but counters')
  }
  laws.check(exchange)
  return events
}
