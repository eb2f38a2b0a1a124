/**
 * The laws of every run, checked around each command: the whole-state audit passes; only deposits change the cash of a
 * currency; a refused command changes only counters and causes nothing; a request ends once, and only its consequences
 * follow; and the laws of events (`EventLaws` of the property-test kit) and of the venue's money.
 */
import { assert, sequence } from '../../src/core/index.ts'
import { advanceTo, apply, audit, type Exchange, stateHash, totalCash } from '../../src/engine/index.ts'
import { type Command, currencies, currencyIdOf, type Event, type EventSink, NO_ORDER } from '../../src/model/index.ts'
import { continuedRun, EventLaws } from '../../src/rpc/index.ts'
import { MoneyLaws } from './money-laws.ts'

/**
 * The hash of a state without the clock, the last sequence, the event count, the counters of rate limits and the times
 * of the sessions' last requests.
 */
export function standingHash(exchange: Exchange): string {
  const { start } = exchange.config
  return stateHash({
    ...exchange,
    now: start,
    lastSequence: sequence(0),
    eventCount: 0,
    sessions: new Map([...exchange.sessions].map(([session, row]) => [session, { ...row, lastInbound: start }])),
    rates: { buckets: new Map(), minutes: new Map(), moves: new Map() },
  })
}

/** Accumulates the events of a run, to compare its state with them. */
export class Laws implements EventSink {
  private readonly events = new EventLaws()
  private readonly money = new MoneyLaws()
  private readonly deposited = new Map<string, bigint>()

  /** Continues with a restored exchange; its state stands for all earlier events. */
  continueFrom(exchange: Exchange): void {
    this.money.continueFrom(exchange)
    this.events.continueFrom(continuedRun(exchange))
    for (const currency of currencies) {
      this.deposited.set(currency, totalCash(exchange, currencyIdOf(currency)))
    }
  }

  emit(event: Event): void {
    this.events.emit(event)
    this.money.emit(event)
    if (event.kind === 'cash') {
      const { currency, change } = event
      this.deposited.set(currency, (this.deposited.get(currency) ?? 0n) + change)
    }
  }

  /** Throws if the state breaks a law. */
  check(exchange: Exchange): void {
    audit(exchange)
    this.money.check(exchange)
    for (const currency of currencies) {
      const cash = totalCash(exchange, currencyIdOf(currency))
      const deposited = this.deposited.get(currency) ?? 0n
      if (cash !== deposited) assert(false, `${currency}: cash ${cash}, deposited ${deposited}`)
    }
  }
}

/**
 * Applies a command and checks every law around it. Returns its events, those of timers first. If no refusal is
 * expected, the state before the command need not be kept, which saves half of the time.
 */
export function applyLawfully(exchange: Exchange, command: Command, laws: Laws, mayBeRefused = true): readonly Event[] {
  const events: Event[] = []
  const sink: EventSink = {
    emit(event) {
      events.push(event)
      laws.emit(event)
    },
  }
  advanceTo(exchange, command.time, sink)
  const before = mayBeRefused ? standingHash(exchange) : ''
  apply(exchange, command, sink)
  assertOneRequest(events, command)
  if (mayBeRefused && events.some(({ kind }) => kind === 'refusal')) {
    assert(standingHash(exchange) === before, 'a refused command changes nothing but counters')
  }
  laws.check(exchange)
  return events
}

/** A request ends once, its consequences follow that end, and a refused request has no consequences. */
function assertOneRequest(events: readonly Event[], command: Command): void {
  const ends = events.flatMap((event, at) => (event.kind === 'request' ? [at] : []))
  const [end = -1] = ends
  const done = events[end]
  assert(ends.length === 1 && done?.kind === 'request', 'a request is done once')
  assert(done.cause === command.sequence, 'events carry the sequence of their request')
  const after = events.slice(end + 1)
  if (done.outcome === 'refused') {
    assert(events[end - 1]?.kind === 'refusal', 'a refusal says why')
    assert(after.every(isLevel), 'a refused request sets nothing off')
  }
  for (const event of after) {
    assert(event.cause === command.sequence, 'what is set off has the same cause')
    assert(event.time === command.time || command.kind === 'advance_time', 'and the same time')
    assert('order' in event || isOfFill(event) || isLevel(event), 'orders alone are set off')
  }
  const first = after.find((event) => !isLevel(event))
  assert(first === undefined || isTurn(first), 'what is set off begins with an order at its turn')
}

/** A trade, or the funding of its two sides up to that time. */
function isOfFill({ kind }: Event): boolean {
  return kind === 'trade' || kind === 'funding'
}

function isLevel(event: Event): boolean {
  return event.kind === 'level'
}

/** A fired trigger order, a dormant secondary, or an order that is placed for one of them. */
function isTurn(event: Event): boolean {
  if (
    (event.kind === 'order' && event.change === 'triggered') ||
    (event.kind === 'order' && event.change === 'rejected')
  )
    return true
  return 'links' in event && event.links.primary !== NO_ORDER
}
