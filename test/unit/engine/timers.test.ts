/** Timers of the exchange: what each kind carries, and the order of all kinds at one instant. */
import { expect, expectTypeOf, test } from 'vitest'
import { createTimerQueue, micros, popDue } from '../../../src/core/index.ts'
import { setTimer, type TimerKind, type TimerTask } from '../../../src/engine/state/index.ts'

/** One timer of each kind, in the order of R02; kinds of one rank share a row. */
const inOrder: readonly (readonly TimerTask[])[] = [
  [
    { kind: 'order_arrival', order: 1 },
    { kind: 'bump_release', order: 2 },
  ],
  [
    { kind: 'mmp_unfreeze', group: 1 },
    { kind: 'quotes_thaw', account: 1 },
  ],
  [{ kind: 'lsp_window', account: 1, group: 'tier_1' }],
  [
    { kind: 'price_grid' },
    { kind: 'delivery_window', instrument: 1 },
    { kind: 'funding_terms', instrument: 1 },
    { kind: 'funding_look' },
  ],
  [{ kind: 'session_end' }, { kind: 'settlement_over', currency: 1 }],
  [{ kind: 'liquidation_round' }],
]

test('timers of one instant run by the rank of their kind, then in the order of their setting', () => {
  const time = micros(1_000)
  const timers = createTimerQueue<TimerTask>()
  for (const row of [...inOrder].reverse()) for (const task of row) setTimer(timers, time, task)
  const run = inOrder.flat().map(() => popDue(timers, time))
  expect(run.map((timer) => timer?.payload)).toEqual(inOrder.flat())
  expect(run.map((timer) => timer?.rank)).toEqual([1, 1, 2, 2, 3, 5, 5, 5, 5, 6, 6, 7])
  expect(popDue(timers, time)).toBeUndefined()
})

test('a timer carries what its kind declares, and a word of no kind is none', () => {
  expectTypeOf<TimerTask<'price_grid'>>().toExtend<{ readonly kind: 'price_grid' }>()
  expectTypeOf<TimerTask<'order_arrival'>['order']>().toEqualTypeOf<number>()
  expectTypeOf<{ readonly kind: 'order_arrival' }>().not.toExtend<TimerTask>()
  expectTypeOf<{ readonly kind: 'unheard_of' }>().not.toExtend<TimerTask>()
  expectTypeOf<TimerTask['kind']>().toEqualTypeOf<TimerKind>()
  expect(new Set(inOrder.flat().map(({ kind }) => kind)).size).toBe(12)
})
