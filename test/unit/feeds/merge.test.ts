/**
 * The merge of feeds: one published order, and nothing while a feed is starved.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMarketMerge, type FeedBatch, type FeedCursor } from '../../../src/feeds/index.ts'
import { type MarketKind, marketKinds } from '../../../src/model/index.ts'
import { bookCursor, fill } from '../../support/feed-text.ts'

/** A batch of messages of one row each. */
function batchAt(kind: MarketKind, times: readonly number[]): FeedBatch {
  const rows = times.length
  const ones = new Float64Array(rows).fill(10)
  const time = Float64Array.from(times)
  return {
    ...{ kind, rows, time, localTime: time, price: ones, amount: ones },
    flags: new Uint8Array(rows).fill(kind === 'book' ? 12 : 8),
    row: Float64Array.from(times, (_, at) => at + 1),
    ids: null,
    ...{ priceDecimals: 0, amountDecimals: 0 },
  }
}

function cursorOf(kind: MarketKind, feed: number): FeedCursor {
  return bookCursor({ kind, files: [{ feed, name: `${feed}` }] })
}

test('messages come by time, kind, feed and row', () => {
  const times = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 })
  const feeds = fc.array(fc.tuple(fc.constantFrom(...marketKinds), times), { maxLength: 6 })
  fc.assert(
    fc.property(feeds, (given) => {
      const cursors = given.map(([kind], feed) => cursorOf(kind, feed))
      const merge = createMarketMerge(cursors)
      const expected: (readonly number[])[] = []
      for (const [feed, [kind, unsorted]] of given.entries()) {
        const sorted = unsorted.toSorted((left, right) => left - right)
        const cursor = cursors[feed]
        if (cursor === undefined) continue
        if (sorted.length > 0) fill(cursor, [batchAt(kind, sorted)])
        cursor.end()
        for (const [row, time] of sorted.entries()) {
          expected.push([time, marketKinds.indexOf(kind), feed, row + 1])
        }
      }
      expected.sort((left, right) => {
        const at = left.findIndex((value, index) => value !== right[index])
        return at < 0 ? 0 : (left[at] ?? 0) - (right[at] ?? 0)
      })
      const merged: (readonly number[])[] = []
      for (;;) {
        const time = merge.peekTime()
        const next = merge.next()
        if (next === undefined) {
          expect(time).toBe(Number.POSITIVE_INFINITY)
          break
        }
        expect(next.time).toBe(time)
        expect(merge.source).toBe(cursors[next.feed])
        const row = next.rows.row[next.from] ?? 0
        merged.push([next.time, marketKinds.indexOf(next.kind), next.feed, row])
      }
      expect(merged).toEqual(expected)
    }),
    { seed: 11, numRuns: 200 },
  )
})

test('while a feed is starved the merge gives nothing, and names the feed', () => {
  const [trades, book] = [cursorOf('trades', 0), cursorOf('book', 1)]
  const merge = createMarketMerge([trades, book])
  fill(trades, [batchAt('trades', [1, 5])])
  expect([merge.isStarved, merge.next()]).toEqual([true, undefined])
  expect(merge.starved()).toEqual([book])
  fill(book, [batchAt('book', [3])])
  expect([merge.next()?.time, merge.next()?.time]).toEqual([1, 3])
  expect([merge.next(), merge.starved()]).toEqual([undefined, [book]])
  book.end()
  expect([merge.next()?.time, merge.isStarved]).toEqual([5, true])
  trades.end()
  expect([merge.isStarved, merge.peekTime(), merge.next()]).toEqual([...[false, Number.POSITIVE_INFINITY, undefined]])
})
