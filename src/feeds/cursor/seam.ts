/**
 * The transition from one file of a feed to the next: a feed is one stream, however many files contain it.
 *
 * Files are ordered by the recorder's clock. A row of a later file is a repeated row if it equals a remembered row of
 * an earlier file and its time is not after the last of them. Any other row is out of order if it is more than
 * `JITTER_MICROS` behind the recorder's clock, before the first row of the feed, or more than `FILE_JITTER_MICROS`
 * before the beginning of the previous file. If a file ends between two equal rows without ids, the second one may be a
 * copy or a new row; it counts as repeated.
 *
 * Cost: nothing in a feed of one file; otherwise about 20 ns per row, and 2 MB while more files follow.
 */
import { powerOfTen } from '../../core/index.ts'
import { type FeedBatch, rowFlags } from '../batch.ts'

/** The recorder's clock may step back by this much without being out of order. */
const JITTER_MICROS = 60_000_000
/** A file may begin this much before the previous file. */
const FILE_JITTER_MICROS = 1_000_000
/** Number of remembered rows from the end of the earlier files. */
const REMEMBERED_ROWS = 262_144

/** State after the rows of the files so far. */
export interface Seam {
  /** Hashes of the last rows in a ring; empty in a feed of one file. */
  readonly ring: Float64Array
  rows: number
  /** Memory for the computation of a hash. */
  readonly lanes: Int32Array
  /** The recorder's clock at the first row of the feed, of the file and of the previous file; -Infinity without one. */
  first: number
  fileFrom: number
  priorFrom: number
  /** The greatest value of the recorder's clock so far, and its value at the end of the previous file. */
  last: number
  priorLast: number
  /** Number of occurrences of each remembered row, for the current file; null if the file cannot repeat any. */
  repeated: Map<number, number> | null
}

/** The state before the first row. */
export function createSeam(files: number): Seam {
  return {
    ring: new Float64Array(files > 1 ? REMEMBERED_ROWS : 0),
    rows: 0,
    lanes: new Int32Array(2),
    first: Number.NEGATIVE_INFINITY,
    fileFrom: Number.NEGATIVE_INFINITY,
    priorFrom: Number.NEGATIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    priorLast: Number.NEGATIVE_INFINITY,
    repeated: null,
  }
}

/** Begins a file with its first batch. */
export function beginFile(seam: Seam, batch: FeedBatch): void {
  seam.priorFrom = seam.fileFrom
  seam.priorLast = seam.last
  seam.repeated = null
  if (batch.rows === 0) return
  seam.fileFrom = batch.localTime[0] as number
  if (seam.priorFrom === Number.NEGATIVE_INFINITY) seam.first = seam.fileFrom
  if (seam.fileFrom > seam.priorLast) return
  const repeated = new Map<number, number>()
  for (let at = 0; at < Math.min(seam.rows, seam.ring.length); at += 1) {
    const hash = seam.ring[at] as number
    repeated.set(hash, (repeated.get(hash) ?? 0) + 1)
  }
  seam.repeated = repeated
}

/** Remembers the rows of a batch, and calls `onRepeated` for each row that an earlier file also has. */
export function passSeam(seam: Seam, batch: FeedBatch, onRepeated: (at: number) => void): void {
  const { ring, repeated, priorLast } = seam
  for (let at = 0; at < batch.rows && ring.length > 0; at += 1) {
    const hash = hashOfRow(seam.lanes, batch, at)
    if (repeated !== null && (batch.localTime[at] as number) <= priorLast) {
      const times = repeated.get(hash) ?? 0
      if (times > 0) {
        repeated.set(hash, times - 1)
        onRepeated(at)
        continue
      }
    }
    ring[seam.rows % ring.length] = hash
    seam.rows += 1
  }
}

/** Advances the recorder's clock to a message. */
export function noteClock(seam: Seam, localTime: number): void {
  if (localTime > seam.last) seam.last = localTime
}

/** True if a row is further behind the earlier rows than jitter can explain. */
export function isOutOfOrder(seam: Seam, localTime: number): boolean {
  const { first, last, priorFrom } = seam
  const isLaterFile = priorFrom > Number.NEGATIVE_INFINITY
  return (
    localTime < last - JITTER_MICROS || (isLaterFile && localTime < Math.max(first, priorFrom - FILE_JITTER_MICROS))
  )
}

/** Flags that come from the recorded row itself. */
const REPORTED_FLAGS = rowFlags.sell | rowFlags.unknownSide | rowFlags.snapshot
const NANO_DECIMALS = 9
const TWO_32 = 4_294_967_296
const INVERSE_TWO_32 = 2.3283064365386963e-10

/** A hash of all cells of a row, with 52 bits. It does not depend on the decimals of the batch. */
function hashOfRow(lanes: Int32Array, batch: FeedBatch, at: number): number {
  lanes[0] = (batch.flags[at] as number) & REPORTED_FLAGS
  lanes[1] = batch.ids === null ? 0 : (batch.ids.number[at] as number) | 0
  mix(lanes, batch.time[at] as number)
  mix(lanes, batch.localTime[at] as number)
  // The result is rounded, but equal decimals give equal doubles.
  mix(lanes, (batch.price[at] as number) * powerOfTen(NANO_DECIMALS - batch.priceDecimals))
  mix(lanes, (batch.amount[at] as number) * powerOfTen(NANO_DECIMALS - batch.amountDecimals))
  return ((lanes[1] as number) & 0xfffff) * TWO_32 + ((lanes[0] as number) >>> 0)
}

function mix(lanes: Int32Array, value: number): void {
  const high = Math.floor(value * INVERSE_TWO_32)
  const low = value - high * TWO_32
  lanes[0] = Math.imul(Math.imul((lanes[0] as number) ^ low, 0x01000193) ^ high, 0x01000193)
  lanes[1] = Math.imul(Math.imul((lanes[1] as number) ^ low, 0x85ebca6b) ^ high, 0xc2b2ae35)
}
