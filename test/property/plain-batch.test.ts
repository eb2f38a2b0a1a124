/**
 * Law: preparing a batch in one walk gives the same result as preparing it message by message: the same columns,
 * messages and counts, and the same state for the next batch.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instrumentId, micros } from '../../src/core/index.ts'
import type { FeedBatch } from '../../src/feeds/batch.ts'
import type { FeedCursorOptions, Preparation } from '../../src/feeds/cursor/judgement.ts'
import { createPreparation, prepareBatch, prepareMessages, workOf } from '../../src/feeds/cursor/preparation.ts'
import { defaultPolicies } from '../../src/feeds/index.ts'
import { type MarketKind, marketKinds } from '../../src/model/index.ts'
import { askedRuns, unreached } from '../support/property-runs.ts'

const runs = askedRuns(400)

/**
 * Rows that are mostly plain: about one in thirty has an unusual flag, a clock that goes back, or a price off the grid.
 */
const rowArbitrary = fc.record({
  step: fc.oneof({ weight: 60, arbitrary: fc.nat({ max: 3 }) }, { weight: 1, arbitrary: fc.constant(-2) }),
  flags: fc.oneof(
    { weight: 40, arbitrary: fc.constantFrom(0, 1, 8, 9) },
    { weight: 3, arbitrary: fc.constantFrom(12, 13) },
    { weight: 1, arbitrary: fc.constantFrom(2, 16, 32, 24) },
  ),
  price: fc.oneof(
    { weight: 60, arbitrary: fc.integer({ min: 1, max: 50 }).map((ticks) => ticks * 5) },
    { weight: 1, arbitrary: fc.constant(7) },
  ),
  amount: fc.nat({ max: 4 }).map((lots) => lots * 10),
})

const streamArbitrary = fc.record({
  kind: fc.constantFrom(...marketKinds),
  begin: fc.constantFrom('snapshot' as const, 'empty' as const, 'first_message' as const),
  from: fc.option(
    fc.nat({ max: 30 }).map((time) => micros(100 + time)),
    { freq: 4 },
  ),
  to: fc.option(
    fc.nat({ max: 60 }).map((time) => micros(120 + time)),
    { freq: 4 },
  ),
  batches: fc.array(fc.array(rowArbitrary, { minLength: 1, maxLength: 20 }), { maxLength: 5 }),
})
type Stream = typeof streamArbitrary extends fc.Arbitrary<infer T> ? T : never

function batchesOf({ kind, batches }: Stream): FeedBatch[] {
  let time = 100
  let row = 0
  return batches.map((rows) => {
    const times = rows.map(({ step }) => {
      time += step
      return time
    })
    const numbers = rows.map(() => {
      row += 1
      return row
    })
    return {
      kind: kind as MarketKind,
      rows: rows.length,
      time: Float64Array.from(times),
      localTime: Float64Array.from(times),
      flags: Uint8Array.from(rows, ({ flags }, at) => (at === 0 ? flags | 8 : flags)),
      price: Float64Array.from(rows, ({ price }) => price),
      amount: Float64Array.from(rows, ({ amount }) => amount),
      row: Float64Array.from(numbers),
      ids: null,
      priceDecimals: 1,
      amountDecimals: 0,
    }
  })
}

/** The public part of a preparation: for a segment its messages and rows. */
function seen(prep: Preparation): unknown {
  const { quality, segments, greatest, isTrusted, hasBegun, isOver } = prep
  const shown = segments.map(({ feed, rows, times, ends, snapshots, messages }) => {
    const kept = ends[messages - 1] ?? 0
    return {
      feed,
      rows: [rows.side, rows.price, rows.amount, rows.row].map((column) => [...column.subarray(0, kept)]),
      times: [...times.subarray(0, messages)],
      ends: [...ends.subarray(0, messages)],
      snapshots: [...snapshots.subarray(0, messages)],
    }
  })
  return { quality, shown, greatest, isTrusted, hasBegun, isOver }
}

test('a plain batch is prepared like any other', () => {
  const reached = new Map<string, number>()
  const note = (word: string): void => {
    reached.set(word, (reached.get(word) ?? 0) + 1)
  }
  fc.assert(
    fc.property(streamArbitrary, (stream) => {
      const { kind, begin, from, to } = stream
      const options: FeedCursorOptions = {
        kind,
        files: [{ feed: 1, name: 'a.csv' }],
        instrument: { id: instrumentId(1), tick9: 500_000_000, amountStep9: 10_000_000_000 },
        clock: 'exchange',
        policies: { ...defaultPolicies, off_grid: 'skip' },
        begin,
        from,
        to,
      }
      const prep = createPreparation(options)
      const twin = createPreparation(options)
      for (const batch of batchesOf(stream)) {
        const before = prep.segments.length
        expect(prepareBatch(prep, batch, 0)).toEqual(prepareTwin(twin, batch))
        expect(seen(prep)).toEqual(seen(twin))
        const made = prep.segments[before]
        note(made !== undefined && made.ends[made.messages - 1] === batch.rows ? 'whole' : 'part')
      }
    }),
    { numRuns: runs, endOnFailure: false },
  )
  expect(unreached(['whole', 'part'], reached)).toEqual([])
})

/** Message by message. */
function prepareTwin(prep: Preparation, batch: FeedBatch): ReturnType<typeof prepareMessages> {
  if (prep.isOver) return null
  const work = workOf(prep, batch, 0)
  const fault = prepareMessages(prep, work)
  if (fault === null && work.segment.messages > 0) prep.segments.push(work.segment)
  return fault
}
