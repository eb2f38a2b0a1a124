/**
 * The schedule of expiries: the dates for which futures and options of a pair are listed.
 *
 * Four days, three Fridays, three last Fridays of a month and four of a quarter. A date of two classes is listed once
 * and counts for both classes. A class whose first date is tomorrow has one more date, because its next one is listed a
 * day early.
 * Source: market.md 1.6, T13-T16.
 */

import {
  assert,
  civilOf,
  dayBoundaryAtOrBefore,
  divFloor,
  isLastFridayOfMonth,
  MICROS_PER_DAY,
  type Micros,
  micros,
  weekdayOf,
} from '../../core/index.ts'

const FRIDAY = 5

const DAYS_PER_WEEK = 7

const DAYS = 4

const WEEKS = 3

const MONTHS = 3

const QUARTERS = 4

/** A class of expiries: the Fridays that belong to it, and the number of listed ones. */
interface ExpiryClass {
  readonly has: (friday: Micros) => boolean
  readonly count: number
}

const classes: readonly ExpiryClass[] = [
  { has: () => true, count: WEEKS },
  { has: isLastFridayOfMonth, count: MONTHS },
  { has: isQuarterEnd, count: QUARTERS },
]

/** Every expiry that is listed at `now`, ascending. At 08:00 the list changes to the one of the new trading day. */
export function listedExpiries(now: Micros): readonly Micros[] {
  const start = dayBoundaryAtOrBefore(now)
  const listed = new Set<Micros>()
  for (let day = 1; day <= DAYS; day += 1) listed.add(daysAfter(start, day))
  for (const { has, count } of classes) {
    for (const expiry of expiriesOf(start, has, count)) listed.add(expiry)
  }
  return [...listed].sort((left, right) => left - right)
}

function expiriesOf(start: Micros, has: ExpiryClass['has'], count: number): readonly Micros[] {
  const tomorrow = daysAfter(start, 1)
  const expiries: Micros[] = []
  let friday = fridayAfter(start)
  while (expiries.length < (expiries[0] === tomorrow ? count + 1 : count)) {
    if (has(friday)) expiries.push(friday)
    friday = daysAfter(friday, DAYS_PER_WEEK)
  }
  assert(expiries.length >= count, 'a class is complete')
  return expiries
}

/** The first Friday after the start of a trading day. */
function fridayAfter(start: Micros): Micros {
  const weekday = weekdayOf(start)
  return daysAfter(start, weekday < FRIDAY ? FRIDAY - weekday : FRIDAY + DAYS_PER_WEEK - weekday)
}

function isQuarterEnd(friday: Micros): boolean {
  return civilOf(friday).month % 3 === 0 && isLastFridayOfMonth(friday)
}

function daysAfter(time: Micros, days: number): Micros {
  return micros(time + days * MICROS_PER_DAY)
}

/**
 * Strikes that the schedule lists. Prices are counts of 1e-9.
 *
 * An expiration begins with ten strikes on each side of the money. At each 08:00 the schedule adds the strikes that are
 * missing among the nearest five on each side. It never removes one. The distance between strikes depends on the time
 * to expiry at that moment: the longer, the wider.
 * Source: market.md 1.6. Assumed: the money is the multiple of that distance that is nearest to the index, halves round
 * up, and is a strike itself. Strikes that are added later, with less time left, may therefore be closer together.
 */

const SIDE_AT_FIRST = 10

const SIDE_LATER = 5

const UNIT = 1_000_000_000

/** Upper bounds in days to expiry for the distances of strikes in USD: up to 2, up to 14, up to 60, more. */
const daysOfSteps = [2, 14, 60] as const

const stepsOfBase: ReadonlyMap<string, readonly number[]> = new Map([
  ['BTC', [500, 1000, 2000, 5000]],
  ['ETH', [25, 50, 100, 250]],
])

/** For all other bases: 2.5 % of the index, rounded to the nearest of these times a power of ten. */
const SHARE_OF_INDEX = 40

const mantissas = [1, 2, 5, 10] as const

/** Distance of the strikes of a base coin, at an index price and with this time left (microseconds). */
export function strikeStep9(base: string, index9: number, left: number): number {
  assert(index9 > 0, 'strikes follow an index')
  const steps = stepsOfBase.get(base)
  if (steps === undefined) return roundStep9(index9)
  const class_ = daysOfSteps.findIndex((days) => left <= days * MICROS_PER_DAY)
  const step = steps.at(class_)
  assert(step !== undefined, 'each class has a step')
  return step * UNIT
}

/**
 * Rounds to the nearest of 1, 2 and 5 times a power of ten, and to the larger of two equally near ones; at least 1e-9.
 */
function roundStep9(index9: number): number {
  let power = 1
  while (power * 10 * SHARE_OF_INDEX <= index9) power *= 10
  const awayFrom = (step: number): number => Math.abs(step * SHARE_OF_INDEX - index9)
  let nearest = power
  for (const mantissa of mantissas) {
    if (awayFrom(mantissa * power) <= awayFrom(nearest)) nearest = mantissa * power
  }
  return nearest
}

/** Further strikes to list for an expiration, ascending. */
export function strikesToList(listed: ReadonlySet<number>, index9: number, step9: number): readonly number[] {
  const money = divFloor(2 * index9 + step9, 2 * step9) * step9
  const side = listed.size === 0 ? SIDE_AT_FIRST : SIDE_LATER
  const strikes: number[] = []
  for (let at = -side; at <= side; at += 1) {
    const strike = money + at * step9
    if (strike > 0 && !listed.has(strike)) strikes.push(strike)
  }
  return strikes
}
