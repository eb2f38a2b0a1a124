/**
 * Live orders and waiting fills as records, compared with maps and lists of objects: they grow, reuse slots, drop
 * finished entries, and come back from snapshots.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addOrder,
  arrivalIn,
  createdAtIn,
  createLiveOrders,
  type LiveOrder,
  liveOrdersUnit,
  notePartFilled,
  removeLiveOrder,
  setArrival,
  slotOf,
  triggerIn,
} from '../../../../src/results/metrics/live-orders.ts'
import {
  awaitMarkouts,
  createMarkouts,
  createWaitingFills,
  type MarkedFill,
  markoutHorizons,
  takeMarkouts,
  waitingFillsUnit,
} from '../../../../src/results/metrics/markouts.ts'
import { viewsOf } from '../../../support/performance-watch.ts'

const change = fc.record({
  kind: fc.constantFrom('add', 'add', 'part', 'reprice', 'remove'),
  order: fc.integer({ min: 1, max: 400 }),
  mid: fc.integer({ min: 1, max: 9 }).map((half) => half / 2),
})

test('live orders equal those of a map, also from a snapshot', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 600, size: 'max' }), (changes) => {
      let live = createLiveOrders()
      const naive = new Map<number, LiveOrder & { isPartly: boolean }>()
      for (const [at, { kind, order, mid }] of changes.entries()) {
        const known = naive.get(order)
        if (kind === 'add' && known === undefined) {
          const added = {
            order,
            account: at,
            instrument: 1,
            createdAt: at,
            arrival: 0,
            trigger: mid,
          }
          addOrder(live, added)
          naive.set(order, { ...added, isPartly: false })
        } else if (kind === 'part') {
          expect(notePartFilled(live, order)).toBe(known?.isPartly === false)
          if (known !== undefined) naive.set(order, { ...known, isPartly: true })
        } else if (kind === 'reprice' && known !== undefined) {
          setArrival(live, slotOf(live, order), mid)
          naive.set(order, { ...known, arrival: mid })
        } else if (kind === 'remove') {
          expect(removeLiveOrder(live, order)).toBe(known?.isPartly === true)
          naive.delete(order)
        }
        if (at % 97 === 0) live = liveOrdersUnit.load(liveOrdersUnit.save(live))
      }
      for (let order = 1; order <= 400; order += 1) {
        const slot = slotOf(live, order)
        const known = naive.get(order)
        expect(slot >= 0).toBe(known !== undefined)
        if (known === undefined) continue
        const found = [createdAtIn(live, slot), arrivalIn(live, slot), triggerIn(live, slot)]
        expect(found).toEqual([known.createdAt, known.arrival, known.trigger])
      }
      const saved = liveOrdersUnit.save(live)
      expect(liveOrdersUnit.save(liveOrdersUnit.load(saved))).toEqual(saved)
    }),
    { numRuns: 50 },
  )
})

test('markouts are taken in order at each horizon, after any drops', () => {
  const gap = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 40_000_000 }))
  const step = fc.record({ gap, buys: fc.boolean(), isMaker: fc.boolean(), isLook: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 400, size: 'max' }), (steps) => {
      let waiting = createWaitingFills()
      const wallets = [{ maker: createMarkouts(), taker: createMarkouts() }]
      const naive = { maker: createMarkouts(), taker: createMarkouts() }
      const lists = markoutHorizons.map((): MarkedFill[] => [])
      let time = 1_000
      for (const [at, { gap: passed, buys, isMaker, isLook }] of steps.entries()) {
        time += passed
        const views = { ...viewsOf(), midOf: () => (at % 5 === 0 ? 0 : 100 + (at % 7)) }
        if (!isLook) {
          const price = 100 + (at % 3)
          const fill = { time, price, weight: at, wallet: 0, instrument: 0, buys, isMaker }
          awaitMarkouts(waiting, fill)
          for (const list of lists) list.push(fill)
          continue
        }
        takeMarkouts(waiting, wallets, views, time)
        for (const [which, horizon] of markoutHorizons.entries()) {
          const list = lists[which] ?? []
          for (let fill = list[0]; fill !== undefined; fill = list[0]) {
            if (fill.time + horizon > time) break
            list.shift()
            const mid = views.midOf()
            if (mid <= 0) continue
            const { weights, sums } = fill.isMaker ? naive.maker : naive.taker
            const moved = ((mid - fill.price) / fill.price) * 10_000
            weights[which] = (weights[which] ?? 0) + fill.weight
            sums[which] = (sums[which] ?? 0) + fill.weight * (fill.buys ? moved : -moved)
          }
        }
        const due = lists.flatMap(([fill], which) =>
          fill === undefined ? [] : [fill.time + (markoutHorizons[which] ?? 0)],
        )
        expect(waiting.due).toBe(Math.min(...due))
        if (at % 13 === 0) waiting = waitingFillsUnit.load(waitingFillsUnit.save(waiting))
      }
      expect(wallets).toEqual([naive])
    }),
    { numRuns: 100 },
  )
})
