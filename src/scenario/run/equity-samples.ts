/**
 * Samples of equity: the rows that a run writes to `equity` while it goes on.
 *
 * A sample is taken at every 08:00 UTC, after what is settled then, and where the run asks for it at the
 * whole multiples of a duration since the epoch, so that 1h falls on whole hours. At one time there is one
 * sample. It is taken when all before its time is done and before any input of its time: timers of the
 * exchange that are due then run first. None is taken at the start, before there is anything to see.
 *
 * A request that moves the clock itself (`sim/advance`) is not interrupted: times that it leaves behind
 * give one sample together, with the time at which it arrives.
 * An account that holds and owes nothing in a currency has no row, but in the first sample after it held or owed
 * something: that row is zero, so that the last row of every account is what it has.
 *
 * Watchers look at a run at times of their own in the same manner: the exchange is brought there, and no further. At
 * one time they look in their order, before the sample.
 *
 * Neither changes anything: timers would have run at the same times in the same order without it.
 */
import {
  type AccountId,
  amount,
  assert,
  dayBoundaryAfter,
  divFloor,
  type Micros,
  micros,
} from '../../core/index.ts'
import {
  advanceTo,
  type Exchange,
  eventCountOf,
  type StandingView,
  timeOf,
  visitStandings,
} from '../../engine/index.ts'
import type { Currency } from '../../model/index.ts'
import type { EquityRecord } from '../../results/index.ts'
import type { Desk } from '../../rpc/index.ts'

/** Takes a row of `equity`. */
export type EquityConsumer = (record: EquityRecord) => void

/** Looks at a run at times of its own choosing. */
export interface RunWatcher {
  /** The next time at which it wants to look, or infinity. */
  next(): number
  /** The exchange stands at that time, or later where a request moved its clock beyond it. */
  look(time: Micros, exchange: Exchange): void
}

/** Where the samples of a run stand: plain data, for snapshots. */
export interface SamplePosition {
  /** Everything up to here has been sampled. */
  readonly until: number
  /** The state that was sampled last, by its time and number of events; -1 before the first. */
  readonly time: number
  readonly number: number
  /** Whose rows of that sample were not zero. */
  readonly shown: readonly (readonly [AccountId, Currency])[]
}

/** The samples of a run; only this file writes them. */
export interface EquitySamples {
  readonly desk: Desk
  readonly every: Micros | null
  /** Null takes no samples. */
  readonly record: EquityConsumer | null
  readonly watchers: readonly RunWatcher[]
  position: SamplePosition
  next: number
}

/** Samples from where the clock of the desk stands, or from where they were saved. */
export function createEquitySamples(
  desk: Desk,
  of: {
    readonly every: Micros | null
    readonly record: EquityConsumer | null
    readonly watchers: readonly RunWatcher[]
    readonly position?: SamplePosition
  },
): EquitySamples {
  const position = of.position ?? { until: timeOf(desk.exchange), time: -1, number: -1, shown: [] }
  const { every, record, watchers } = of
  return { desk, every, record, watchers, position, next: nextSample(position.until, every) }
}

/** Takes every sample that is due at or before `time`, lets watchers look, and moves the clock there. */
export function sampleUntil(samples: EquitySamples, time: number): void {
  for (;;) {
    const sample = samples.record === null ? Number.POSITIVE_INFINITY : samples.next
    let look = Number.POSITIVE_INFINITY
    let watcher: RunWatcher | undefined
    for (const each of samples.watchers) {
      const next = each.next()
      if (next >= look) continue
      look = next
      watcher = each
    }
    if (Math.min(sample, look) > time) return
    if (watcher !== undefined && look <= sample) lookAt(samples.desk, watcher, look)
    else sampleAt(samples, sample)
  }
}

function lookAt({ exchange, sink }: Desk, watcher: RunWatcher, due: number): void {
  if (due > timeOf(exchange)) advanceTo(exchange, micros(due), sink)
  watcher.look(timeOf(exchange), exchange)
  assert(watcher.next() > due, 'a watcher that has looked waits')
}

function sampleAt(samples: EquitySamples, due: number): void {
  const { exchange, sink } = samples.desk
  if (due >= timeOf(exchange)) advanceTo(exchange, micros(due), sink)
  const until = Math.max(due, timeOf(exchange))
  samples.next = nextSample(until, samples.every)
  samples.position = { ...samples.position, until }
  sampleNow(samples)
}

/** Takes a sample of the state as it is, unless that was the last one. */
export function sampleNow(samples: EquitySamples): void {
  const { desk, record } = samples
  const now = timeOf(desk.exchange)
  const eventCount = eventCountOf(desk.exchange)
  const { time, number, until, shown } = samples.position
  if (record === null || (time === now && number === eventCount)) return
  const position = { until, time: now, number: eventCount }
  samples.position = { ...position, shown: recordStandings(samples, record, shown) }
}

/** Records where every account stands, then zero for those that stood somewhere and no longer do; returns the first. */
function recordStandings(
  { desk: { exchange } }: EquitySamples,
  record: EquityConsumer,
  before: SamplePosition['shown'],
): SamplePosition['shown'] {
  const now = timeOf(exchange)
  const eventCount = eventCountOf(exchange)
  const gone = new Map(before.map((whose) => [whose.join(' '), whose]))
  const shown: (readonly [AccountId, Currency])[] = []
  const write = (standing: StandingView): void =>
    record({
      time: now,
      number: eventCount,
      account: standing.account,
      currency: standing.currency,
      balance: standing.balance,
      equity: standing.equity,
      optionsValue: standing.optionsValue,
      floatingProfit: standing.floating,
      realizedProfit: standing.realized,
      initialMargin: standing.initialMargin,
      maintenanceMargin: standing.maintenanceMargin,
    })
  visitStandings(exchange, (standing) => {
    const whose = [standing.account, standing.currency] as const
    shown.push(whose)
    gone.delete(whose.join(' '))
    write(standing)
  })
  for (const [account, currency] of gone.values()) write({ account, currency, ...nothing })
  return shown
}

const none = amount(0n)
const nothing: Omit<StandingView, 'account' | 'currency'> = {
  balance: none,
  equity: none,
  optionsValue: none,
  floating: none,
  realized: none,
  initialMargin: none,
  maintenanceMargin: none,
}

/** The first time after `time` at which a sample is due. */
function nextSample(time: number, every: Micros | null): number {
  const session = dayBoundaryAfter(micros(time))
  if (every === null) return session
  return Math.min(session, (divFloor(time, every) + 1) * every)
}
