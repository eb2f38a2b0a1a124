/** Searches in lists whose times rise: entries at the searched time count as before it. */
import { expect, test } from 'vitest'
import { countUntil, recordsUntil } from '../../../../src/rpc/history/index.ts'

test.each([
  [0, 0],
  [1, 1],
  [2, 3],
  [3, 3],
  [4, 4],
  [5, 4],
])('up to %d the list has %d entries', (time, count) => {
  const times = [1, 2, 2, 4]
  expect(countUntil(times, time)).toBe(count)
  expect(
    recordsUntil(
      times.map((each) => ({ time: each })),
      time,
    ),
  ).toBe(count)
})
