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
