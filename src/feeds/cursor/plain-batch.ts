/**
 * Prepares batches that need no decisions, as most do: times do not step back, prices and amounts are whole ticks and
 * lots, no row is invalid, all rows are inside the time window, and the book has begun. One walk over the rows prepares
 * them. The result, including counts, equals the one that `preparation.ts` computes for any batch.
 */
import { rowFlags } from '../batch.ts'
import type { Preparation, Work } from './judgement.ts'
import { passPrints } from './print-side.ts'
import { checkAt, countRows } from './quality.ts'

/** Flags that require a decision about a row. */
export const oddFlags = rowFlags.unknownSide | rowFlags.gap | rowFlags.duplicate | rowFlags.leftOut

/**
 * Prepares a batch whose prices and amounts are all whole units. Returns false if a decision is needed; then only
 * columns have changed that will be written again.
 */
export function preparePlain(prep: Preparation, work: Work): boolean {
  const { opening, isTrusted, hasBegun, greatest, merged, options } = prep
  if (opening !== null || !isTrusted || !hasBegun || merged !== null) return false
  const { amount, batch, clock, flags, side, segment } = work
  const { rows } = batch
  const { times, ends, snapshots } = segment
  const isTrades = options.kind === 'trades'
  let last = greatest[0] as number
  let odd = 0
  let messages = 0
  let snapshotsFound = 0
  let firstSnapshot = -1
  for (let at = 0; at < rows; at += 1) {
    const flag = flags[at] as number
    const time = clock[at] as number
    if (time < last || (isTrades && amount[at] === 0)) return false
    odd |= flag
    if (at === 0 || (flag & rowFlags.first) !== 0) {
      if (at > 0) {
        times[messages] = last
        ends[messages] = at
        messages += 1
      }
      const isSnapshot = (flag & rowFlags.snapshot) !== 0
      snapshots[messages] = isSnapshot ? 1 : 0
      if (isSnapshot) {
        snapshotsFound += 1
        if (firstSnapshot < 0) firstSnapshot = at
      }
    }
    side[at] = flag & rowFlags.sell
    last = time
  }
  // The times of a batch do not decrease, so all of them are inside the window if the last one is.
  if ((odd & oddFlags) !== 0 || (options.to !== null && last > options.to)) return false
  if (isTrades) passPrints(prep.prints, { rows, price: work.price, flags })
  times[messages] = last
  ends[messages] = rows
  segment.messages = messages + 1
  work.row.set(batch.row.subarray(0, rows))
  work.kept = rows
  greatest[0] = last
  const row = batch.row[0] as number
  countRows(work.quality, checkAt.rows, { rows, row })
  countRows(work.quality, checkAt.messages, { rows: segment.messages, row })
  if (firstSnapshot >= 0) {
    const found = { rows: snapshotsFound, row: batch.row[firstSnapshot] as number }
    countRows(work.quality, checkAt.snapshots, found)
  }
  return true
}
