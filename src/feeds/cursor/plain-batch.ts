/**
 * Batches in which nothing has to be decided, as most are: times that do not go back, whole ticks and lots, no odd
 * row, inside the time window, of a book that has begun. They are prepared in one walk over the rows; what
 * comes of them, counts included, is what `preparation.ts` makes of any batch.
 */
import { rowFlags } from '../batch.ts'
import type { Preparation, Work } from './judgement.ts'
import { passPrints } from './print-side.ts'
import { checkAt, countRows } from './quality.ts'

/** Flags that need a decision about a row of a message. */
export const oddFlags = rowFlags.unknownSide | rowFlags.gap | rowFlags.duplicate | rowFlags.leftOut

/**
 * Prepares a batch whose prices and amounts are all whole units, or returns false where something has to be decided;
 * then only columns that are written again have changed.
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
  // The times of a batch do not fall, so that all of them are inside the window where the last is.
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
