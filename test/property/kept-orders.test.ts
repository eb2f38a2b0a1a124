/** Law: the history stores the last event of each order like a map of events, whichever orders come and go. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type OrderId, orderId } from '../../src/core/index.ts'
import { simulate } from '../../src/engine/index.ts'
import { blankOrder, type OrderChanged, sinkOf } from '../../src/model/index.ts'
import { KeptOrders } from '../../src/rpc/history/kept-orders.ts'
import { commandsOf, configOf, intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { askedRuns } from '../support/property-runs.ts'

/** Labels of several lengths, so that a new record of an order may not fit its old place. */
const labels = ['', 'a', 'grid-7', 'ж'.repeat(30)]

test('places of deleted orders are reused by records of other lengths', () => {
  const orders = new KeptOrders()
  const before = process.memoryUsage().arrayBuffers
  const count = 20_000
  for (let round = 0; round <= 8; round += 1) {
    const label = 'x'.repeat(8 * round)
    for (let order = 1; order <= count; order += 1) orders.set(labelled(order, label))
    for (let order = 1; order <= count; order += 1) orders.delete(orderId(order))
  }
  const bytes = process.memoryUsage().arrayBuffers - before
  // Places of 16 and of 24 words for each order, which are 320 bytes. Memory that is freed elsewhere only lowers the
  // figure.
  expect(bytes).toBeLessThan(350 * count)
})

test('stored orders equal a map of events', () => {
  const intents = fc.array(intentArbitrary, { maxLength: 160, size: 'max' })
  const choices = fc.infiniteStream(fc.nat(99))
  fc.assert(
    fc.property(worldArbitrary, intents, choices, (world, steps, chance) => {
      const [kept, map] = [new KeptOrders(), new Map<OrderId, OrderChanged>()]
      const next = (): number => chance.next().value
      const order = (event: OrderChanged): void => {
        const reported = { ...event, label: labels[next() % labels.length] ?? '' }
        kept.set(reported)
        map.set(reported.order, reported)
        if (next() >= 20) return
        const gone = [...map.keys()][next() % map.size]
        if (gone === undefined) return
        kept.delete(gone)
        map.delete(gone)
      }
      simulate(configOf(world), commandsOf(world, steps), sinkOf({ order }))
      expect(kept.values()).toEqual([...map.values()])
      for (const [id, event] of map) {
        expect([kept.get(id), kept.accountOf(id)]).toEqual([event, event.account])
      }
      for (const id of map.keys()) kept.delete(id)
      expect(kept.values()).toEqual([])
      for (const id of map.keys()) expect([kept.has(id), kept.get(id)]).toEqual([false, undefined])
    }),
    { numRuns: askedRuns(25, 1, 3) },
  )
})

test('long records have room', () => {
  const orders = new KeptOrders()
  for (let round = 1; round <= 3; round += 1) {
    for (let order = 1; order <= 2000; order += 1) {
      orders.set(labelled(order, 'x'.repeat((order % 7) * round * 20)))
    }
    expect(orders.get(orderId(1006))?.label).toBe('x'.repeat((1006 % 7) * round * 20))
    expect(orders.values()).toHaveLength(2000)
    for (let order = 1; order <= 2000; order += 1) orders.delete(orderId(order))
  }
})

function labelled(order: number, label: string): OrderChanged {
  return { ...blankOrder(), order: orderId(order), label }
}
