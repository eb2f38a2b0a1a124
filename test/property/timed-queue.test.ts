/** The ring behind the latencies compared with a plain list: appending, reading, taking and dropping. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  appendTimed,
  createTimedQueue,
  dropUntil,
  firstTime,
  itemAt,
  takeFirst,
  timeAt,
  timedCount,
} from '../../src/backtest/strategy/timed-queue.ts'

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('append'), by: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('take'), by: fc.constant(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop'), by: fc.nat(20) }) },
)

test('a queue of times is a list in the order of appending', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 400 }), (actions) => {
      const queue = createTimedQueue<string>()
      const list: { readonly time: number; readonly item: string }[] = []
      let time = 0
      let first = 0
      for (const [index, { kind, by }] of actions.entries()) {
        if (kind === 'append') {
          time += by
          appendTimed(queue, time, `item ${index}`)
          list.push({ time, item: `item ${index}` })
        } else if (kind === 'take' && list.length > 0) {
          expect(takeFirst(queue)).toBe(list.shift()?.item)
          first += 1
        } else if (kind === 'drop') {
          const gone = list.splice(0, by).length
          first += gone
          dropUntil(queue, first)
        }
        expect(timedCount(queue)).toBe(list.length)
        expect(firstTime(queue)).toBe(list[0]?.time ?? Number.POSITIVE_INFINITY)
      }
      for (const [place, entry] of list.entries()) {
        expect(timeAt(queue, first + place)).toBe(entry.time)
        expect(itemAt(queue, first + place)).toBe(entry.item)
      }
    }),
    { seed: 7, numRuns: 200 },
  )
})
