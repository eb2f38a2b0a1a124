/**
 * Expiries that are listed at a time, from the rules of market.md 1.6 (T13 to T16): it walks day by day and checks
 * each. The oracle of `listedExpiries`.
 */
const DAY = 86_400_000_000
const EIGHT = 28_800_000_000

/** A day counted from 1970-01-01, a Thursday. */
interface Calendar {
  readonly month: number
  readonly day: number
}

function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function monthLength(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Subtracts years and months until the day remains. */
function calendarOf(dayNumber: number): Calendar {
  let left = dayNumber
  let year = 1970
  while (left >= (isLeap(year) ? 366 : 365)) {
    left -= isLeap(year) ? 366 : 365
    year += 1
  }
  let month = 1
  while (left >= monthLength(year, month)) {
    left -= monthLength(year, month)
    month += 1
  }
  return { month, day: left + 1 }
}

function isFriday(dayNumber: number): boolean {
  return dayNumber % 7 === 1
}

function isLastFriday(dayNumber: number): boolean {
  return isFriday(dayNumber) && calendarOf(dayNumber).month !== calendarOf(dayNumber + 7).month
}

function isQuarterEnd(dayNumber: number): boolean {
  return isLastFriday(dayNumber) && calendarOf(dayNumber).month % 3 === 0
}

/** The next `count` days of a class after a day, one more if the first is tomorrow. */
function nextDays(today: number, count: number, belongs: (dayNumber: number) => boolean): readonly number[] {
  const found: number[] = []
  const wanted = (): number => (found[0] === today + 1 ? count + 1 : count)
  for (let each = today + 1; found.length < wanted(); each += 1) {
    if (belongs(each)) found.push(each)
  }
  return found
}

/** Listed expiries at a time in microseconds, ascending. */
export function naiveExpiries(now: number): readonly number[] {
  const today = Math.floor((now - EIGHT) / DAY)
  const days = new Set([
    ...[1, 2, 3, 4].map((ahead) => today + ahead),
    ...nextDays(today, 3, isFriday),
    ...nextDays(today, 3, isLastFriday),
    ...nextDays(today, 4, isQuarterEnd),
  ])
  return [...days].sort((a, b) => a - b).map((dayNumber) => dayNumber * DAY + EIGHT)
}
