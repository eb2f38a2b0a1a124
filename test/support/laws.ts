/**
 * The laws that every run holds, checked around each command: the whole-state audit; cash of a
 * currency changes only by deposits; a refused command changes nothing but counters; events are
 * numbered without gaps, never go back in time, and end with `request_done`; an order never reports
 * another fill than its trades add up to.
 */
import { expect } from 'vitest'
import { sequence } from '../../src/core/index.ts'
import {
  advanceTo,
  apply,
  audit,
  type Exchange,
  stateHash,
  totalCash,
} from '../../src/engine/index.ts'
import {
  type Command,
  currencies,
  currencyIdOf,
  type Event,
  type EventSink,
} from '../../src/model/index.ts'

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
    for (const currency of currencies) {
      this.deposited.set(currency, totalCash(exchange, currencyIdOf(currency)))
    }
  }

  emit(event: Event): void {
    expect(event.number).toBe(this.number + 1)
    expect(event.time).toBeGreaterThanOrEqual(this.time)
    this.number = event.number
    this.time = event.time
    switch (event.kind) {
      case 'trade':
        for (const fill of [event.maker, event.taker]) {
          this.filled.set(fill.order, (this.filled.get(fill.order) ?? 0) + event.amount)
        }
        return
      case 'order_opened':
        expect(event.filled).toBe(0)
        this.filled.set(event.order, 0)
        return
      case 'order_filled':
      case 'order_rested':
      case 'order_edited':
      case 'order_cancelled':
        expect(event.filled).toBe(this.filled.get(event.order) ?? event.filled)
        expect(event.filled).toBeLessThanOrEqual(event.amount)
        expect(event.state === 'filled').toBe(event.filled === event.amount)
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
      if (cash !== deposited) expect(`${currency} ${cash}`).toBe(`${currency} ${deposited}`)
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
  if (done?.kind !== 'request_done') throw new Error('a request ends with request_done')
  expect(done.cause).toBe(command.sequence)
  if (done.outcome === 'refused') {
    expect(events.at(-2)?.kind).toBe('request_refused')
    expect(standingHash(exchange)).toBe(before)
  }
  laws.check(exchange)
  return events
}
