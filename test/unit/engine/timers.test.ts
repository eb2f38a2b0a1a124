/** Timers of the exchange: the payload of each kind, and the order of all kinds at one instant. */
import { expect, expectTypeOf, test } from 'vitest'
import { createTimerQueue, micros, popDue } from '../../../src/core/index.ts'
import { setTimer, type TimerKind, type TimerTask } from '../../../src/engine/state/index.ts'

/** The rank and a timer of every kind, in the order of R02. */
const known: { readonly [K in TimerKind]: readonly [rank: number, task: TimerTask<K>] } = {
  order_arrival: [1, { kind: 'order_arrival', order: 1 }],
  bump_release: [1, { kind: 'bump_release', order: 2 }],
  mmp_unfreeze: [2, { kind: 'mmp_unfreeze', group: 1 }],
  quotes_thaw: [2, { kind: 'quotes_thaw', account: 1 }],
  lsp_window: [3, { kind: 'lsp_window', account: 1, group: 'tier_1' }],
  block_signature: [4, { kind: 'block_signature', signature: 'one' }],
  block_approval: [4, { kind: 'block_approval', block: 'one' }],
  block_listing: [4, { kind: 'block_listing', block: 'one' }],
  address_ready: [4, { kind: 'address_ready', entry: 1 }],
  payment_due: [4, { kind: 'payment_due', payment: 'deposit 1' }],
  rfq_grace: [4, { kind: 'rfq_grace', rfq: 1 }],
  rfq_expiry: [4, { kind: 'rfq_expiry', rfq: 1 }],
  rfq_quote_expiry: [4, { kind: 'rfq_quote_expiry', rfq: 1, quote: 2 }],
  price_grid: [5, { kind: 'price_grid' }],
  delivery_window: [5, { kind: 'delivery_window', instrument: 1 }],
  funding_terms: [5, { kind: 'funding_terms', instrument: 1 }],
  index_stale: [5, { kind: 'index_stale', index: 'btc_usd' }],
  option_listing: [5, { kind: 'option_listing' }],
  funding_look: [5, { kind: 'funding_look' }],
  day_end: [6, { kind: 'day_end' }],
  settlement_over: [6, { kind: 'settlement_over', currency: 1 }],
  liquidation_round: [7, { kind: 'liquidation_round' }],
}
const inOrder = Object.values(known)

test('timers of one instant run by the rank of their kind, then in the order of their setting', () => {
  const time = micros(1_000)
  const timers = createTimerQueue<TimerTask>()
  const set = [...inOrder].reverse()
  for (const [, task] of set) setTimer(timers, time, task)
  const ranked = [...set].sort(([left], [right]) => left - right)
  const run = inOrder.map(() => popDue(timers, time))
  expect(run.map((timer) => [timer?.rank, timer?.payload])).toEqual(ranked)
  expect(popDue(timers, time)).toBeUndefined()
})

test('a timer carries what its kind declares, and an unknown word is no kind', () => {
  expectTypeOf<TimerTask<'price_grid'>>().toExtend<{ readonly kind: 'price_grid' }>()
  expectTypeOf<TimerTask<'order_arrival'>['order']>().toEqualTypeOf<number>()
  expectTypeOf<{ readonly kind: 'order_arrival' }>().not.toExtend<TimerTask>()
  expectTypeOf<{ readonly kind: 'unheard_of' }>().not.toExtend<TimerTask>()
  expectTypeOf<TimerTask['kind']>().toEqualTypeOf<TimerKind>()
  for (const [kind, [, task]] of Object.entries(known)) expect(task.kind).toBe(kind)
})
