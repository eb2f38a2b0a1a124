/**
 * Samples of equity: the rows that a run writes to `equity`.
 *
 * A run takes a sample at every 08:00 UTC, after the settlement. On request it also takes samples at whole multiples of
 * a duration since the epoch, so that 1h falls on whole hours. There is at most one sample per time. It is taken after
 * all earlier work and before any input with its time; timers of the exchange that are due at its time run first.
 *
 * If money comes to an account without a row in its currency, or with zero in the last row, the account gets a row at
 * that time, before anything except controls happens. So each series begins with the incoming money.
 *
 * Samples do not interrupt a request that moves the clock itself (`sim/advance`): all skipped times together give one
 * sample, with the time at which the clock arrives. An account that holds and owes nothing in a currency has no row,
 * except one row of zeros in the first sample after it held or owed something. So the last row of every account shows
 * its current state.
 *
 * Watchers read a run in the same way, at times that they choose: the exchange is advanced to that time and no further.
 * At one time they read in their order, before the sample.
 *
 * Neither samples nor watchers change results: without them, timers would run at the same times in the same order.
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

/** Receives a row of `equity`. */
export type EquityConsumer = (record: EquityRecord) => void

/** Reads a run at times that it chooses. */
export interface RunWatcher {
  /** The next time at which it reads the run, or Infinity. */
  next(): number
  /** Called with the exchange at that time, or later if a request moved the clock beyond it. */
  look(time: Micros, exchange: Exchange): void
}

/** Position of the samples of a run: plain data, for snapshots. */
export interface SamplePosition {
  /** Samples are complete up to this time. */
  readonly until: number
  /** Time and event count of the last sampled state; -1 before the first sample. */
  readonly time: number
  readonly number: number
  /** Currencies of accounts whose last row was not zero. */
  readonly shown: readonly Whose[]
  /** Currencies of accounts that received money since the last input. */
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
  /** Null for a run without samples. */
  readonly record: EquityConsumer | null
  readonly watchers: readonly RunWatcher[]
  position: Pick<SamplePosition, 'until' | 'time' | 'number'>
  next: number
  readonly shown: Wallets
  /** Filled by `fundingSink`. */
  readonly funded: Wallets
}

/** The terms of the equity samples of a run. */
interface SampleTerms {
  readonly every: Micros | null
  readonly record: EquityConsumer | null
  readonly watchers: readonly RunWatcher[]
  readonly funded: Wallets
  readonly position?: SamplePosition | undefined
}

/** Samples that begin at the clock of the request router, or continue from a saved position. */
export function createEquitySamples(desk: Desk, of: SampleTerms): EquitySamples {
  const { every, record, watchers, funded, position: from } = of
  const position = from ?? { until: timeOf(desk.exchange), time: -1, number: -1 }
  const shown: Wallets = new Map()
  for (const whose of from?.shown ?? []) shown.set(keyOf(...whose), whose)
  for (const whose of from?.funded ?? []) funded.set(keyOf(...whose), whose)
  const next = nextSample(position.until, every)
  return { desk, every, record, watchers, position, next, shown, funded }
}

/** The position of the samples, for snapshots. */
export function samplePosition(samples: EquitySamples): SamplePosition {
  const { until, time, number } = samples.position
  return { until, time, number, shown: [...samples.shown.values()], funded: [...samples.funded.values()] }
}

/** A sink that records which accounts receive money. */
export function fundingSink(funded: Wallets): EventSink {
  const note = (...whose: Whose): void => {
    funded.set(keyOf(...whose), whose)
  }
  return sinkOf({
    cash: ({ account, currency }) => note(account, currency),
    transfer: ({ to, currency }) => note(to, currency),
  })
}

/** Records rows for accounts that received money in a currency and had no row or a zero row in it. */
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

/** The time of the next sample or look of a watcher. */
export function nextReading({ record, next, watchers }: EquitySamples): number {
  let least = record === null ? Number.POSITIVE_INFINITY : next
  for (const watcher of watchers) least = Math.min(least, watcher.next())
  return least
}

/** Takes every sample that is due at or before `time`, calls watchers, and moves the clock to each of these times. */
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

/** Takes a sample of the current state, unless the last sample shows the same state. */
export function sampleNow(samples: EquitySamples): void {
  const now = timeOf(samples.desk.exchange)
  const eventCount = eventCountOf(samples.desk.exchange)
  const { time, number, until } = samples.position
  if (samples.record === null || (time === now && number === eventCount)) return
  samples.position = { until, time: now, number: eventCount }
  recordStandings(samples, samples.record)
}

/**
 * Records a row for every account and currency in which it holds or owes something, then zero rows for those in which
 * it no longer does.
 */
function recordStandings(samples: EquitySamples, record: EquityConsumer): void {
  const gone = new Map(samples.shown)
  samples.shown.clear()
  samples.funded.clear()
  visitStandings(samples.desk.exchange, (standing) => {
    const key = keyOf(standing.account, standing.currency)
    samples.shown.set(key, [standing.account, standing.currency])
    gone.delete(key)
    record(rowOf(samples.desk.exchange, standing))
  })
  for (const [account, currency] of gone.values()) {
    record(rowOf(samples.desk.exchange, { account, currency, ...nothing }))
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
