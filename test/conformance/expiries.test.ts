/**
 * Which expiries are listed at a given time.
 *
 * Source: market.md 1.6 (T13-T16); T13 is a real list.
 */
import { expect, test } from 'vitest'
import { labelOfExpiry, type Micros, microsOfMillis, parseIsoTime } from '../../src/core/index.ts'
import { listedExpiries } from '../../src/engine/day/schedule.ts'

function at(text: string): Micros {
  const time = parseIsoTime(text)
  if (!time.ok) throw new Error(text)
  return time.value
}

test.each([
  [
    'T13 before 08:00 the expiry of the day is still listed (observed)',
    microsOfMillis(1_779_263_453_953),
    '20MAY26 21MAY26 22MAY26 23MAY26 29MAY26 5JUN26 26JUN26 31JUL26 25SEP26 25DEC26 26MAR27',
  ],
  [
    'T14 at 08:00 the next day takes its place',
    at('2026-05-20T08:00:00Z'),
    '21MAY26 22MAY26 23MAY26 24MAY26 29MAY26 5JUN26 26JUN26 31JUL26 25SEP26 25DEC26 26MAR27',
  ],
  [
    'T15 on the eve of a Friday one more week is listed',
    at('2026-05-21T08:00:00Z'),
    '22MAY26 23MAY26 24MAY26 25MAY26 29MAY26 5JUN26 12JUN26 26JUN26 31JUL26 25SEP26 25DEC26 26MAR27',
  ],
  [
    'T16 on the eve of a quarter one more of every class is listed',
    at('2026-09-24T08:00:00Z'),
    '25SEP26 26SEP26 27SEP26 28SEP26 2OCT26 9OCT26 16OCT26 30OCT26 27NOV26 25DEC26 26MAR27 25JUN27 24SEP27',
  ],
])('%s', (_title, now, labels) => {
  expect(listedExpiries(now).map(labelOfExpiry).join(' ')).toBe(labels)
})
