/**
 * Values that hold from one time to the next: prices of indices and marks, and funding rates with their sum over time.
 *
 * A series is bounded. Once it has twice the limit, its older part is thinned to one value per minute, the last of that
 * minute, and to at most half the limit; the oldest values are dropped first. So the newer part answers for every
 * moment and the older part for whole minutes.
 */
import { divFloor, divHalfAwayBig, type Micros } from '../../core/index.ts'
import { countUntil } from './windows.ts'

/** Values, each with the time from which it holds. Times rise. */
export interface Series {
  /**
   * The earliest time that the series covers: the time of its first value once older ones were dropped, 0 until then.
   */
  knownFrom: number
  times: number[]
  values: number[]
}

/** Rates, each with the time from which it holds and the sum of rate x microseconds until that time. */
export interface RateSeries extends Series {
  sums: bigint[]
}

const MICROS_PER_MINUTE = 60_000_000
const MICROS_PER_HOUR = 3_600_000_000

/** A series without values. */
export function createSeries(): Series {
  return { knownFrom: 0, times: [], values: [] }
}

/** A series of rates without values. */
export function createRateSeries(): RateSeries {
  return { knownFrom: 0, times: [], values: [], sums: [] }
}

/** A value with the time from which it holds. */
interface Step {
  readonly time: Micros
  readonly value: number
}

/**
 * Adds a value that holds from a time on. The time must not be before the last one; a second value of the same time
 * replaces the first.
 */
export function addValue(series: Series, step: Step, limit: number): void {
  if (isReplaced(series, step)) return
  series.times.push(step.time)
  series.values.push(step.value)
  thin(series, limit)
}

/** `addValue` for a rate. */
export function addRate(series: RateSeries, step: Step, limit: number): void {
  if (isReplaced(series, step)) return
  series.sums.push(sumUntil(series, step.time))
  series.times.push(step.time)
  series.values.push(step.value)
  const kept = thin(series, limit)
  if (kept !== null) series.sums = pick(series.sums, kept)
}

/**
 * Like `addRate`, but keeps only the last value of each hour, and the first value of all. Values and sums at whole
 * hours are exact, because an hour includes its last instant and excludes its first.
 */
export function addHourly(series: RateSeries, step: Step, limit: number): void {
  const last = series.times.length - 1
  const time = series.times[last] ?? 0
  const isSameHour = last > 0 && hourOf(time) === hourOf(step.time)
  if (!isSameHour || time === step.time) {
    addRate(series, step, limit)
    return
  }
  series.sums[last] = sumUntil(series, step.time)
  series.times[last] = step.time
  series.values[last] = step.value
}

/** The mean rate from one time to another; undefined if the series has no rate before the end. */
export function meanBetween(series: RateSeries, from: number, to: number): bigint | undefined {
  const start = Math.max(from, series.times[0] ?? to)
  if (start >= to) return undefined
  const sum = sumUntil(series, to) - sumUntil(series, start)
  return divHalfAwayBig(sum, BigInt(to - start))
}

/** Replaces the last value if it has the same time; true if so. */
function isReplaced(series: Series, step: Step): boolean {
  const last = series.times.length - 1
  if (series.times[last] !== step.time) return false
  series.values[last] = step.value
  return true
}

/**
 * Thins a series that is twice as long as its limit. Returns the positions that stay, or null if it thinned nothing.
 */
function thin(series: Series, limit: number): readonly number[] | null {
  if (series.times.length < limit * 2) return null
  const kept = keptOf(series.times, limit)
  series.values = pick(series.values, kept)
  series.times = pick(series.times, kept)
  if (kept[0] !== 0) series.knownFrom = series.times[0] ?? 0
  return kept
}

/** The value in force at a time, or undefined before the first value. */
export function valueAt(series: Series, time: number): number | undefined {
  return series.values[countUntil(series.times, time) - 1]
}

/**
 * The sum of rate x microseconds from the beginning to a time. A time before the first rate returns the sum until the
 * first rate, so that the time adds nothing; that sum is 0 unless older rates were dropped.
 */
export function sumUntil(series: RateSeries, time: number): bigint {
  const at = countUntil(series.times, time) - 1
  const from = series.times[at]
  const sum = series.sums[at]
  if (from === undefined || sum === undefined) return series.sums[0] ?? 0n
  return sum + BigInt(series.values[at] ?? 0) * BigInt(time - from)
}

/** Positions of the entries that stay: the newest `limit` entries, and the last entry of each earlier minute. */
function keptOf(times: readonly number[], limit: number): readonly number[] {
  const older = times.length - limit
  const minutes: number[] = []
  for (let at = 0; at < older; at += 1) {
    const isLast = minuteOf(times[at]) !== minuteOf(times[at + 1])
    if (isLast) minutes.push(at)
  }
  const kept = minutes.slice(Math.max(0, minutes.length - Math.floor(limit / 2)))
  for (let at = older; at < times.length; at += 1) kept.push(at)
  return kept
}

/** The number of the hour that a time belongs to. An hour includes its end and excludes its start. */
function hourOf(time: number): number {
  return divFloor(time - 1, MICROS_PER_HOUR)
}

function minuteOf(time: number | undefined): number {
  return divFloor(time ?? 0, MICROS_PER_MINUTE)
}

function pick<T>(list: readonly T[], kept: readonly number[]): T[] {
  return kept.map((at) => list[at] as T)
}
