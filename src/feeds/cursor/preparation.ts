/**
 * Prepares batches of recorded rows for the engine: assigns times, converts to units of the instrument, checks, cuts to
 * the time window, and groups rows into messages. A whole batch is prepared at once.
 *
 * - The time of a message is the greatest time that the clock has shown so far, including its own rows.
 * - Rows of a book before its first snapshot are skipped; if the policy for gaps is `skip`, so are rows between a gap
 *   and the next snapshot.
 * - A kept price off the grid never becomes better than it was recorded: in a book a bid is rounded down and an ask up;
 *   a print is rounded towards the side that it came from (down for a buying taker, up for a selling one), so that it
 *   never trades through more orders than it did. Amounts are rounded down.
 *
 * Every batch gets new columns, because consumers may keep messages.
 *
 * Cost of a row: about 20 ns and 25 bytes, 35 ns if its batch needs a decision. Cost of a message: 20 ns and 13 bytes.
 */

import { assert, defined, type InputError, type Micros, ticks } from '../../core/index.ts'
import { isOnGrid, type MarketMessage, type MarketRows, sourceOf } from '../../model/index.ts'
import { type FeedBatch, rowFlags } from '../batch.ts'
import {
  amountBounds,
  clearMerged,
  createMergedLevels,
  markBounds,
  mergeLevel,
  priceBounds,
  toUnits,
  unitScale,
} from './grid.ts'
import {
  createPrintRun,
  decimalText,
  type FeedCursorOptions,
  gridOf,
  isNaNAt,
  judge,
  judgeRow,
  type Preparation,
  passPrints,
  REPEATED_ROW,
  type Segment,
  sideOfPrint,
  type Work,
} from './judgement.ts'
import { createNumbering, markNumbers } from './numbering.ts'
import { applyToOpening, clearOpeningBook, createOpeningBook, forgetRows, openingRows } from './opening-book.ts'
import { checkAt, countRows, createFileQuality } from './quality.ts'
import { beginFile, createSeam, noteClock, passSeam } from './seam.ts'

/** A feed before its first row. */
export function createPreparation(options: FeedCursorOptions): Preparation {
  return {
    options,
    quality: options.files.map(() => createFileQuality()),
    numbering: createNumbering(),
    seam: createSeam(options.files.length),
    segments: [],
    held: null,
    last: null,
    mayContinue: false,
    prints: createPrintRun(),
    merged: options.kind === 'book' && options.policies.off_grid === 'keep' ? createMergedLevels() : null,
    opening: options.from === null ? null : createOpeningBook(),
    greatest: new Float64Array(1),
    isTrusted: options.kind !== 'book' || options.begin === 'empty',
    hasBegun: options.kind !== 'book' || options.begin === 'empty',
    isOver: false,
    file: -1,
  }
}

/** Prepares a batch of a file. The error names a row that a policy refuses. */
export function prepareBatch(prep: Preparation, batch: FeedBatch, file: number): InputError | null {
  assert(batch.kind === prep.options.kind, 'a feed has rows of one kind')
  assert(file >= prep.file && file < prep.options.files.length, 'files come in their order')
  if (prep.isOver || batch.rows === 0) return null
  if (file > prep.file) {
    beginFile(prep.seam, batch)
    if (prep.opening !== null) forgetRows(prep.opening)
    prep.mayContinue = prep.last !== null
    prep.file = file
  }
  const work = workOf(prep, batch, file)
  const isPlain = !prep.mayContinue && work.isExact && preparePlain(prep, work)
  const fault = isPlain ? null : prepareMessages(prep, work)
  if (fault !== null) return fault
  noteClock(prep.seam, batch.localTime[batch.rows - 1] as number)
  noteLast(prep, work)
  if (!prep.mayContinue || work.segment.messages > 0 || prep.isOver) releaseHeld(prep)
  if (work.segment.messages > 0) prep.segments.push(work.segment)
  if (file + 1 < prep.options.files.length && !prep.isOver) holdLast(prep)
  return null
}

/** Prepares a batch of any kind message by message. */
export function prepareMessages(prep: Preparation, work: Work): InputError | null {
  const { batch, flags } = work
  for (let at = 0; at < batch.rows && !prep.isOver; ) {
    const end = messageEnd(flags, at, batch.rows)
    const isContinued = prep.mayContinue && goesOn(prep, batch, at)
    const fault = prepareMessage(prep, work, { from: at, to: end, isContinued })
    if (fault !== null) return fault
    if (prep.mayContinue) prep.mayContinue = !isContinued && isRepeatedAll(flags, at, end)
    at = end
  }
  return null
}

/** True if rows continue the last message of the previous file. */
function goesOn({ last }: Preparation, { localTime, flags, ids, kind }: FeedBatch, at: number): boolean {
  if (last === null || last.localTime !== localTime[at]) return false
  const number = ids === null || kind === 'trades' ? -1 : (ids.number[at] as number)
  const isSameSort = (((flags[at] as number) ^ last.flags) & rowFlags.snapshot) === 0
  return isSameSort && (number < 0 || last.number === number)
}

function isRepeatedAll(flags: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (((flags[at] as number) & rowFlags.duplicate) === 0) return false
  return true
}

/** Stores the last message of a batch for a following file. */
function noteLast(prep: Preparation, { batch, flags }: Work): void {
  const at = batch.rows - 1
  if (((flags[at] as number) & rowFlags.duplicate) !== 0 && prep.last !== null) return
  prep.last = {
    localTime: batch.localTime[at] as number,
    flags: batch.flags[at] as number,
    number: batch.ids === null || batch.kind === 'trades' ? -1 : prep.numbering.last,
  }
}

/** Holds the last message back, because the next file may continue it. */
function holdLast(prep: Preparation): void {
  const segment = prep.held === null ? prep.segments.at(-1) : undefined
  if (segment === undefined) return
  const last = segment.messages - 1
  const [from, to] = [last === 0 ? 0 : (segment.ends[last - 1] as number), segment.ends[last] as number]
  prep.held = {
    feed: segment.feed,
    rows: rowsBetween(segment.rows, from, to),
    times: segment.times.slice(last, last + 1),
    ends: Int32Array.of(to - from),
    snapshots: segment.snapshots.slice(last, last + 1),
    messages: 1,
    next: 0,
  }
  segment.messages = last
  if (last === 0) prep.segments.pop()
}

function releaseHeld(prep: Preparation): void {
  if (prep.held !== null) prep.segments.push(prep.held)
  prep.held = null
}

/** Adds the rows of a message that a later file continues to the held rows. */
function continueHeld(held: Segment, work: Work, from: number, time: number): Segment {
  const more = rowsBetween(work.segment.rows, from, work.kept)
  // `sourceOf` combines the file and the row into one number, so an offset names the later file.
  const offset = sourceOf(work.segment.feed - held.feed, 0)
  return {
    ...held,
    rows: {
      side: Uint8Array.of(...held.rows.side, ...more.side),
      price: Float64Array.of(...held.rows.price, ...more.price),
      amount: Float64Array.of(...held.rows.amount, ...more.amount),
      row: Float64Array.of(...held.rows.row, ...more.row.map((row) => row + offset)),
    },
    times: Float64Array.of(time),
    ends: Int32Array.of((held.ends[0] as number) + more.row.length),
  }
}

function rowsBetween(rows: MarketRows, from: number, to: number): MarketRows {
  return {
    side: rows.side.slice(from, to),
    price: rows.price.slice(from, to),
    amount: rows.amount.slice(from, to),
    row: rows.row.slice(from, to),
  }
}

/** Releases all messages, because no file follows. */
export function endFiles(prep: Preparation): void {
  openWindow(prep)
  releaseHeld(prep)
}

/** Releases the market before the window as its first message. */
function openWindow(prep: Preparation): void {
  const { opening, options, file } = prep
  if (opening === null) return
  prep.opening = null
  if (!opening.isKnown) return
  const rows = openingRows(opening)
  prep.segments.push({
    feed: defined(options.files[Math.max(0, file)], 'a file has its name').feed,
    rows,
    times: Float64Array.of(options.from ?? 0),
    ends: Int32Array.of(rows.row.length),
    snapshots: Uint8Array.of(options.kind === 'book' ? 1 : 0),
    messages: 1,
    next: 0,
  })
}

/** A batch before its preparation: prices and amounts in units, nothing more. */
export function workOf(prep: Preparation, batch: FeedBatch, file: number): Work {
  const { kind, instrument, clock, files } = prep.options
  const { mayBeNegative = false } = instrument
  const { rows } = batch
  const price = new Float64Array(rows)
  const amount = new Float64Array(rows)
  const priceUnit = kind === 'index' ? 1 : instrument.tick9
  const amountUnit = kind === 'index' ? 1 : instrument.amountStep9
  const priceScale = {
    ...unitScale(batch.priceDecimals, priceUnit),
    bounds: priceBounds(priceUnit, mayBeNegative && kind !== 'index'),
  }
  const amountScale = {
    ...unitScale(batch.amountDecimals, amountUnit),
    bounds: kind === 'index' ? markBounds(mayBeNegative) : amountBounds(amountUnit),
  }
  const areTicks = toUnits(batch.price, price, { ...priceScale, rows })
  const isExact = (kind === 'index' || leaveGrid(prep, price)) && areTicks
  // Unwanted recorded mark prices stay 0, as if the rows had none.
  const isWanted = kind !== 'index' || prep.options.mark !== 'computed'
  const areExact = !isWanted || toUnits(batch.amount, amount, { ...amountScale, rows })
  const side = new Uint8Array(rows)
  const row = new Float64Array(rows)
  const messages = countMessages(batch.flags, rows)
  const lastNumber = prep.numbering.last
  const flags = flagsOf(prep, batch)
  return {
    // Written out instead of spread, so that all objects have one shape and loops over them stay fast.
    batch,
    flags,
    side,
    price,
    amount,
    row,
    priceScale,
    amountScale,
    isExact: isExact && areExact,
    lastNumber,
    kept: 0,
    clock: clock === 'exchange' ? batch.time : batch.localTime,
    segment: {
      feed: defined(files[file], 'a file has its name').feed,
      rows: { side, price, amount, row },
      times: new Float64Array(messages),
      ends: new Int32Array(messages),
      snapshots: new Uint8Array(messages),
      messages: 0,
      next: 0,
    },
    quality: defined(prep.quality[file], 'a file has its counts'),
  }
}

/** Replaces prices between the steps of a tick size by NaN; returns true if there were none. */
function leaveGrid(prep: Preparation, price: Float64Array): boolean {
  const grid = gridOf(prep.options.instrument)
  if (grid.tickSteps.length === 0) return true
  let areOn = true
  for (let at = 0; at < price.length; at += 1) {
    if (isNaNAt(price, at) || isOnGrid(grid, ticks(price[at] as number))) continue
    price[at] = Number.NaN
    areOn = false
  }
  return areOn
}

/** The flags of a batch, including those of rows that follow a gap or repeat an earlier row. */
function flagsOf(prep: Preparation, batch: FeedBatch): Uint8Array {
  const isAlone = prep.options.files.length === 1
  if (batch.ids === null && isAlone) return batch.flags
  const flags = batch.flags.slice(0, batch.rows)
  passSeam(prep.seam, batch, (at) => {
    flags[at] = (flags[at] as number) | rowFlags.duplicate | REPEATED_ROW
  })
  if (batch.ids !== null) markNumbers(prep.numbering, { ...batch, ids: batch.ids }, flags)
  return flags
}

/** Rows of a message from `from` up to `to`. */
interface Rows {
  readonly from: number
  readonly to: number
  /** True if they continue the last message of the previous file. */
  readonly isContinued: boolean
}

function prepareMessage(prep: Preparation, work: Work, rows: Rows): InputError | null {
  const { batch, flags, segment, quality } = work
  const { kind, from, to } = prep.options
  const found = { rows: rows.to - rows.from, row: batch.row[rows.from] as number }
  const time = greatestTime(work.clock, rows, prep.greatest[0] as number)
  if (to !== null && time > to) {
    openWindow(prep)
    prep.isOver = true
    const behind = { ...found, rows: batch.rows - rows.from }
    countRows(quality, checkAt.rows, behind)
    countRows(quality, checkAt.outside_window, behind)
    return missingSnapshot(prep)
  }
  countRows(quality, checkAt.rows, found)
  const isFirst = !prep.hasBegun && prep.options.begin === 'first_message'
  const isWhole = isFirst || ((flags[rows.from] as number) & rowFlags.snapshot) !== 0
  // A repeated or continued message does not replace the book.
  const isRepeated = prep.options.policies.duplicate === 'skip' && isRepeatedAll(flags, rows.from, rows.to)
  const snapshot = isWhole && !rows.isContinued && !isRepeated
  if (kind === 'book' && !rows.isContinued && !isRepeated) {
    const gap = prepareTrust(prep, work, rows.from, snapshot)
    if (gap !== null) return gap
  }
  const keptBefore = work.kept
  if (prep.isTrusted) {
    const fault = takeRows(prep, work, rows)
    if (fault !== null) return fault
  } else {
    countRows(quality, checkAt.before_snapshot, found)
  }
  prep.greatest[0] = time
  noteClock(prep.seam, batch.localTime[rows.from] as number)
  const message = { rows: segment.rows, from: keptBefore, to: work.kept, snapshot }
  if (prep.opening !== null) {
    if (from !== null && time < from) {
      countRows(quality, checkAt.outside_window, found)
      if (work.kept > keptBefore || snapshot) applyToOpening(prep.opening, kind, message)
      work.kept = keptBefore
      return null
    }
    openWindow(prep)
  }
  if (rows.isContinued && prep.held !== null) {
    prep.held = continueHeld(prep.held, work, keptBefore, time)
    work.kept = keptBefore
  } else if (work.kept > keptBefore || snapshot) {
    addMessage(work, time, snapshot, found.row)
  }
  return null
}

/** The fault of a book that has ended or left its window without a snapshot to begin with. */
export function missingSnapshot(prep: Preparation): InputError | null {
  if (prep.hasBegun) return null
  const file = prep.quality.findIndex(({ counts }) => (counts[checkAt.before_snapshot] ?? 0) > 0)
  const quality = prep.quality[file]
  if (quality === undefined) return null
  const rows = prep.quality.reduce((sum, { counts }) => sum + (counts[checkAt.before_snapshot] ?? 0), 0)
  return {
    code: 'ORDER',
    file: defined(prep.options.files[file], 'a file has its name').name,
    line: (quality.firstRows[checkAt.before_snapshot] ?? 0) + 1,
    expected: 'a snapshot at which the book begins',
    found: `${rows} rows and no snapshot`,
    hint: 'mark the rows of a snapshot in the column is_snapshot, with true or the word that columns give; begin: empty starts with an empty book, and begin: first_message uses the first message as a snapshot',
  }
}

function addMessage(work: Work, time: number, snapshot: boolean, row: number): void {
  const at = work.segment.messages
  work.segment.times[at] = time
  work.segment.ends[at] = work.kept
  work.segment.snapshots[at] = snapshot ? 1 : 0
  work.segment.messages = at + 1
  countRows(work.quality, checkAt.messages, { rows: 1, row })
  if (snapshot) countRows(work.quality, checkAt.snapshots, { rows: 1, row })
}

/** Marks a book as trusted at a snapshot, and as not trusted at a gap if the policy is to skip. */
function prepareTrust(prep: Preparation, work: Work, at: number, snapshot: boolean): InputError | null {
  if (snapshot) {
    if (prep.merged !== null) clearMerged(prep.merged)
    prep.isTrusted = true
    prep.hasBegun = true
  }
  if (((work.flags[at] as number) & rowFlags.gap) === 0) return null
  const decision = judge(prep, work, 'gap', at)
  if (decision === 'take') return null
  if (decision !== 'leave') return decision
  prep.isTrusted = false
  if (prep.opening !== null) clearOpeningBook(prep.opening)
  return null
}

/**
 * Moves the kept rows of a message to the front of the columns. A usual row costs four loads, four comparisons and four
 * stores.
 */
function takeRows(prep: Preparation, work: Work, rows: Rows): InputError | null {
  const { batch, clock, flags, side, price, amount, row } = work
  const { row: numbers } = batch
  const { merged } = prep
  const isTrades = prep.options.kind === 'trades'
  let greatest = prep.greatest[0] as number
  let kept = work.kept
  for (let at = rows.from; at < rows.to; at += 1) {
    const flag = flags[at] as number
    const time = clock[at] as number
    const isOdd = time < greatest || (flag & oddFlags) !== 0 || (isTrades && amount[at] === 0)
    if (isOdd || isNaNAt(price, at) || isNaNAt(amount, at)) {
      prep.greatest[0] = greatest
      const decision = judgeRow(prep, work, at, time < greatest)
      if (decision === 'leave') continue
      if (decision !== 'take') return decision
    }
    if (time > greatest) greatest = time
    side[kept] = isTrades ? sideOfPrint(prep.prints, price[at] as number, flag) : flag & rowFlags.sell
    price[kept] = price[at] as number
    amount[kept] =
      merged === null
        ? (amount[at] as number)
        : mergeLevel(
            merged,
            side[kept] as number,
            price[kept] as number,
            divided(batch.price[at] as number, batch.priceDecimals),
            amount[at] as number,
          )
    row[kept] = numbers[at] as number
    kept += 1
  }
  work.kept = kept
  return null
}

/** A recorded decimal as a double, which no other decimal with the same number of digits has. */
function divided(mantissa: number, decimals: number): number {
  return Number(decimalText(mantissa, decimals))
}

function messageEnd(flags: Uint8Array, from: number, rows: number): number {
  let at = from + 1
  while (at < rows && ((flags[at] as number) & rowFlags.first) === 0) at += 1
  return at
}

function countMessages(flags: Uint8Array, rows: number): number {
  let messages = 1
  for (let row = 1; row < rows; row += 1) messages += ((flags[row] as number) >> 3) & 1
  return messages
}

function greatestTime(clock: Float64Array, rows: Rows, least: number): number {
  let greatest = least
  for (let at = rows.from; at < rows.to; at += 1) {
    const time = clock[at] as number
    if (time > greatest) greatest = time
  }
  return greatest
}

/** A message of a segment, as an object. */
export function messageAt(options: FeedCursorOptions, segment: Segment, at: number): MarketMessage {
  return {
    kind: options.kind,
    // Times come from safe integers that are not negative.
    time: segment.times[at] as Micros,
    instrument: options.instrument.id,
    feed: segment.feed,
    snapshot: segment.snapshots[at] === 1,
    uncross: options.policies.crossed === 'skip',
    offBook: options.policies.off_book,
    rows: segment.rows,
    from: at === 0 ? 0 : (segment.ends[at - 1] as number),
    to: segment.ends[at] as number,
  }
}

/**
 * Prepares batches that need no decisions, as most do: times do not step back, prices and amounts are whole ticks and
 * lots, no row is invalid, all rows are inside the time window, and the book has begun. One walk over the rows prepares
 * them. The result, including counts, equals the one that the general path above computes for any batch.
 */

/** Flags that require a decision about a row. */
const oddFlags = rowFlags.unknownSide | rowFlags.gap | rowFlags.duplicate | rowFlags.leftOut

/**
 * Prepares a batch whose prices and amounts are all whole units. Returns false if a decision is needed; then only
 * columns have changed that will be written again.
 */
function preparePlain(prep: Preparation, work: Work): boolean {
  if (prep.opening !== null || !prep.isTrusted || !prep.hasBegun || prep.merged !== null) return false
  const { amount, batch, clock, flags, side, segment } = work
  const { rows } = batch
  const { times, ends, snapshots } = segment
  const isTrades = prep.options.kind === 'trades'
  let last = prep.greatest[0] as number
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
  if ((odd & oddFlags) !== 0 || (prep.options.to !== null && last > prep.options.to)) return false
  if (isTrades) passPrints(prep.prints, rows, work.price, flags)
  times[messages] = last
  ends[messages] = rows
  segment.messages = messages + 1
  work.row.set(batch.row.subarray(0, rows))
  work.kept = rows
  prep.greatest[0] = last
  const row = batch.row[0] as number
  countRows(work.quality, checkAt.rows, { rows, row })
  countRows(work.quality, checkAt.messages, { rows: segment.messages, row })
  if (firstSnapshot >= 0) {
    const found = { rows: snapshotsFound, row: batch.row[firstSnapshot] as number }
    countRows(work.quality, checkAt.snapshots, found)
  }
  return true
}
