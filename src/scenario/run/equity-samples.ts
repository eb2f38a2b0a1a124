/**
 * Samples of equity: the rows that a run writes to `equity` while it goes on.
 *
 * A sample is taken at every 08:00 UTC, after what is settled then, and where the run asks for it at the
 * whole multiples of a duration since the epoch, so that 1h falls on whole hours. At one time there is one
 * sample. It is taken when all before its time is done and before any input of its time: timers of the
 * exchange that are due then run first.
 *
 * Where money comes to an account that has no row in its currency, or zero in its last, it gets a row at that time, before
 * anything but controls happens: each series begins with the money that came in.
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
import { type AccountId, amount, assert, dayBoundaryAfter, divFloor, type Micros, micros } from '../../core/index.ts'
import {
  advanceTo,
  type Exchange,
  eventCountOf,
  type StandingView,
  timeOf,
  visitStandings,
} from '../../engine/index.ts'
import { type Currency, type EventSink, sinkOf } from '../../model/index.ts'
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
  /** Whose last rows were not zero. */
  readonly shown: readonly Whose[]
  /** Whose money came in since the last input. */
  readonly funded: readonly Whose[]
}

/** A currency of an account. */
type Whose = readonly [AccountId, Currency]

/** Currencies of accounts by a key of both. */
export type Wallets = Map<string, Whose>

/** The samples of a run; only this file writes them. */
export interface EquitySamples {
  readonly desk: Desk
  readonly every: Micros | null
  /** Null takes no samples. */
  readonly record: EquityConsumer | null
  readonly watchers: readonly RunWatcher[]
  position: Pick<SamplePosition, 'until' | 'time' | 'number'>
  next: number
  readonly shown: Wallets
  /** Filled by `fundingSink`. */
  readonly funded: Wallets
}

/** Samples from where the clock of the desk stands, or from where they were saved. */
export function createEquitySamples(
  desk: Desk,
  of: {
    readonly every: Micros | null
    readonly record: EquityConsumer | null
    readonly watchers: readonly RunWatcher[]
    readonly funded: Wallets
    readonly position?: SamplePosition
  },
): EquitySamples {
  const { every, record, watchers, funded, position: from } = of
  const position = from ?? { until: timeOf(desk.exchange), time: -1, number: -1 }
  const shown: Wallets = new Map()
  for (const whose of from?.shown ?? []) shown.set(keyOf(...whose), whose)
  for (const whose of from?.funded ?? []) funded.set(keyOf(...whose), whose)
  const next = nextSample(position.until, every)
  return { desk, every, record, watchers, position, next, shown, funded }
}

/** Where the samples stand, for snapshots. */
export function samplePosition({ position, shown, funded }: EquitySamples): SamplePosition {
  const { until, time, number } = position
  return { until, time, number, shown: [...shown.values()], funded: [...funded.values()] }
}

/** Notes to whom money comes. */
export function fundingSink(funded: Wallets): EventSink {
  const note = (...whose: Whose): void => {
    funded.set(keyOf(...whose), whose)
  }
  return sinkOf({
    cash: ({ account, currency }) => note(account, currency),
    transfer: ({ to, currency }) => note(to, currency),
  })
}

/** Records those whose money came in and who had no row, or zero, as they stand now. */
export function sampleFunded({ desk: { exchange }, record, shown, funded }: EquitySamples): void {
  if (funded.size === 0) return
  for (const key of shown.keys()) funded.delete(key)
  if (funded.size > 0 && record !== null) {
    visitStandings(exchange, (standing) => {
      const whose = funded.get(keyOf(standing.account, standing.currency))
      if (whose === undefined) return
      shown.set(keyOf(...whose), whose)
      record(rowOf(exchange, standing))
    })
  }
  funded.clear()
}

function keyOf(account: AccountId, currency: Currency): string {
  return `${account} ${currency}`
}

/** Takes every sample that is due at or before `time`, lets watchers look, and moves the clock there. */
export function sampleEquityUntil(samples: EquitySamples, time: number): void {
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
  assert(watcher.next() > due, 'a watcher waits after a look')
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
  const { time, number, until } = samples.position
  if (record === null || (time === now && number === eventCount)) return
  samples.position = { until, time: now, number: eventCount }
  recordStandings(samples, record)
}

/** Records where every account stands, then zero for those that stood somewhere and no longer do. */
function recordStandings(samples: EquitySamples, record: EquityConsumer): void {
  const { desk, shown, funded } = samples
  const { exchange } = desk
  const gone = new Map(shown)
  shown.clear()
  funded.clear()
  visitStandings(exchange, (standing) => {
    const key = keyOf(standing.account, standing.currency)
    shown.set(key, [standing.account, standing.currency])
    gone.delete(key)
    record(rowOf(exchange, standing))
  })
  for (const [account, currency] of gone.values()) {
    record(rowOf(exchange, { account, currency, ...nothing }))
  }
}

function rowOf(exchange: Exchange, standing: StandingView): EquityRecord {
  return {
    time: timeOf(exchange),
    number: eventCountOf(exchange),
    account: standing.account,
    currency: standing.currency,
    balance: standing.balance,
    equity: standing.equity,
    optionsValue: standing.optionsValue,
    floatingProfit: standing.floating,
    realizedProfit: standing.realized,
    initialMargin: standing.initialMargin,
    maintenanceMargin: standing.maintenanceMargin,
  }
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
