/**
 * A feed that is being prepared, and the decisions of the policies about its invalid rows: each is counted and then
 * kept or skipped, or the feed is refused.
 */

import {
  assert,
  defined,
  formatIsoTime,
  formatScaled,
  formatScaledNumber,
  type InputError,
  type Micros,
  micros,
  price9,
} from '../../core/index.ts'
import {
  ceilToGrid,
  floorToGrid,
  type Instrument,
  type MarketKind,
  type MarketRows,
  type PriceGrid,
  rowSide,
  tickAt,
} from '../../model/index.ts'
import { type FeedBatch, rowFlags } from '../batch.ts'
import { type MergedLevels, roundedUnits, type UnitBounds, type UnitScale } from './grid.ts'
import type { Numbering } from './numbering.ts'
import type { OpeningBook } from './opening-book.ts'
import { checkAt, countRows, type FeedPolicies, type FileQuality, type PolicyCheck } from './quality.ts'
import { isOutOfOrder, type Seam } from './seam.ts'

/** One file of a feed. */
interface FeedFileName {
  /** Number of the file among all files of the run's feeds. */
  readonly feed: number
  /** Its name, for messages. */
  readonly name: string
}

/** State of the tick rule after the trades of a feed so far. */
interface PrintRun {
  /** Price of the last trade, in ticks; NaN before the first. */
  last: number
  /** The side of the last trade that moved the price. */
  side: number
}

/** The two recorded clocks. */
export const feedClocks = ['exchange', 'local'] as const

/** The recorded clock that gives the time of rows. */
export type FeedClock = (typeof feedClocks)[number]

/** Use of mark prices: the recorded ones, or prices that the venue computes from the index. */
export const feedMarks = ['recorded', 'computed'] as const

/** Use of mark prices. */
export type FeedMark = (typeof feedMarks)[number]

/**
 * Beginning of a recorded book: at its first snapshot, empty, or with its first message as a snapshot. A feed that must
 * begin at a snapshot but lacks one is refused.
 */
export const feedBeginnings = ['snapshot', 'empty', 'first_message'] as const

/** Beginning of a recorded book. */
export type FeedBeginning = (typeof feedBeginnings)[number]

/** The units of a feed's instrument, and the steps of its tick size; without steps the tick size is constant. */
export type FeedInstrument = Pick<Instrument, 'id' | 'tick9' | 'amountStep9'> &
  Partial<Pick<Instrument, 'tickSteps'>> & {
    /** True if its prices may be 0 or negative: see `hasNegativePrices`. Default: false. */
    readonly mayBeNegative?: boolean
  }

/** A feed and the options for reading it. */
export interface FeedCursorOptions {
  readonly kind: MarketKind
  /** The files in their order. */
  readonly files: readonly FeedFileName[]
  readonly instrument: FeedInstrument
  readonly clock: FeedClock
  readonly policies: FeedPolicies
  /** Use of the mark prices in an index feed. Default: `recorded`. */
  readonly mark?: FeedMark
  /** Beginning of a book. Default: `snapshot`. */
  readonly begin?: FeedBeginning
  /** Start of the time window; null for the first row. */
  readonly from: Micros | null
  /** The last time of the window; null for the last row. */
  readonly to: Micros | null
}

/** Prepared messages, in shared columns. */
export interface Segment {
  readonly feed: number
  readonly rows: MarketRows
  readonly times: Float64Array
  /** The end of each message's rows; they begin at the end of the previous message. */
  readonly ends: Int32Array
  readonly snapshots: Uint8Array
  messages: number
  /** Index of the next message. */
  next: number
}

/** The last message of a batch, which the next file may continue. */
interface LastMessage {
  readonly localTime: number
  readonly flags: number
  /** Number of the message in a book, otherwise -1. */
  readonly number: number
}

/** Facts about the preceding rows. */
export interface Preparation {
  readonly options: FeedCursorOptions
  readonly quality: readonly FileQuality[]
  readonly numbering: Numbering
  readonly seam: Seam
  /** Segments with messages left, in order. */
  readonly segments: Segment[]
  /** The last message, held back while another file may continue it. */
  held: Segment | null
  last: LastMessage | null
  /** True while the following rows may continue the last message of the previous file. */
  mayContinue: boolean
  readonly prints: PrintRun
  /** Levels that were moved onto the grid; null if the policy does not permit that. */
  readonly merged: MergedLevels | null
  /** The market before the window; null once the window has begun. */
  opening: OpeningBook | null
  /** The greatest time so far; in a typed array so that it stays unboxed. */
  readonly greatest: Float64Array
  /**
   * True while rows are used: after a snapshot (from the start for an empty beginning and for feeds other than books),
   * until a gap that the policy skips.
   */
  isTrusted: boolean
  /** True once the book has begun as defined by `begin`. */
  hasBegun: boolean
  /** True once a row after the window was seen. */
  isOver: boolean
  /** Index of the current file; -1 before the first batch. */
  file: number
}

/** A batch that is being prepared. */
export interface Work {
  readonly batch: FeedBatch
  /** The flags of its rows, including findings from preceding rows. */
  readonly flags: Uint8Array
  readonly clock: Float64Array
  readonly side: Uint8Array
  readonly price: Float64Array
  readonly amount: Float64Array
  readonly row: Float64Array
  readonly priceScale: UnitScale & { readonly bounds: UnitBounds }
  readonly amountScale: UnitScale & { readonly bounds: UnitBounds }
  readonly segment: Segment
  readonly quality: FileQuality
  /** True if all prices and amounts are whole units. */
  readonly isExact: boolean
  /** The feed's number before the first row: see `Numbering`. */
  readonly lastNumber: number
  /** Number of rows kept so far. */
  kept: number
}

/** Flag of a row that an earlier file of the feed also has. */
export const REPEATED_ROW = 128

/** The decision about a row: keep it, skip it, or refuse the feed. */
type RowDecision = 'take' | 'leave' | InputError

/** Applies the policies to an invalid row. */
export function judgeRow(prep: Preparation, work: Work, at: number, isBackward: boolean): RowDecision {
  const flag = work.flags[at] as number
  if ((flag & rowFlags.leftOut) !== 0) {
    countRows(work.quality, checkAt.left_out, { rows: 1, row: work.batch.row[at] as number })
    return 'leave'
  }
  const checks: PolicyCheck[] = []
  // A row that an earlier file also has is not out of order. The number of an out-of-order row says nothing about
  // repetition, so only the check `disorder` applies.
  const isFar = isBackward && (flag & REPEATED_ROW) === 0 && isOutOfOrder(prep.seam, work.batch.localTime[at] as number)
  if (isFar) checks.push('disorder')
  else {
    if ((flag & rowFlags.duplicate) !== 0) checks.push('duplicate')
    if (isBackward) checks.push('backward')
  }
  for (const check of checks) {
    const decision = judge(prep, work, check, at)
    if (decision !== 'take') return decision
  }
  if (prep.options.kind === 'trades') {
    const row = work.batch.row[at] as number
    if ((flag & rowFlags.unknownSide) !== 0) {
      countRows(work.quality, checkAt.unknown_side, { rows: 1, row })
    }
    // Missing trades stay missing, whether the policy is to skip or to keep. So the check only counts, unless it fails.
    const decision = (flag & rowFlags.gap) === 0 ? 'take' : judge(prep, work, 'gap', at)
    if (typeof decision === 'object') return decision
  }
  const isOff = isNaNAt(work.price, at) || isNaNAt(work.amount, at)
  const outcome = isOff ? judgeGrid(prep, work, at) : 'take'
  if (outcome !== 'take') return outcome
  const isEmpty = prep.options.kind === 'trades' && work.amount[at] === 0
  return isEmpty ? judge(prep, work, 'empty', at) : 'take'
}

/** Counts a row that a check finds, and applies the policy. */
export function judge(prep: Preparation, work: Work, check: PolicyCheck, at: number): RowDecision {
  const row = work.batch.row[at] as number
  countRows(work.quality, checkAt[check], { rows: 1, row })
  const policy = prep.options.policies[check]
  if (policy === 'keep') return 'take'
  return policy === 'skip' ? 'leave' : faultOf(prep, work, check, at)
}

function judgeGrid(prep: Preparation, work: Work, at: number): RowDecision {
  const { batch, price, amount } = work
  const decision = judge(prep, work, 'off_grid', at)
  if (decision !== 'take') return decision
  const isSell = ((batch.flags[at] as number) & rowFlags.sell) !== 0
  if (isNaNAt(price, at)) {
    const rounding = isSell ? 'up' : 'down'
    const near = roundedUnits(batch.price[at] as number, work.priceScale, rounding)
    price[at] = ontoGrid(prep.options.instrument, near, rounding)
  }
  if (isNaNAt(amount, at)) {
    amount[at] = roundedUnits(batch.amount[at] as number, work.amountScale, 'down')
  }
  if (!isNaNAt(price, at) && !isNaNAt(amount, at)) return 'take'
  const other = prep.options.kind === 'index' ? 'a mark up to 9007199' : 'an amount up to 9 billion'
  return placed(prep, work, at, {
    expected: `a price ${priceRange(prep)}, and ${other}`,
    found: `${decimalOf(batch, 'price', at)} and ${decimalOf(batch, 'amount', at)}`,
  })
}

function priceRange({ options: { kind, instrument } }: Preparation): string {
  const mayBeNegative = instrument.mayBeNegative === true && kind !== 'index'
  return mayBeNegative ? 'from -9007199 to 9007199' : 'above 0 and up to 9007199'
}

/** The tick size at the price of a row, in 1e-9; the base tick for prices outside of all bounds. */
function tickNear(prep: Preparation, work: Work, at: number): number {
  const { instrument } = prep.options
  const near = roundedUnits(work.batch.price[at] as number, work.priceScale, 'down')
  return tickAt(gridOf(instrument), price9((near || 0) * instrument.tick9))
}

/** Moves a whole number of base ticks onto a grid with steps; NaN if the result is out of bounds. */
function ontoGrid(instrument: FeedInstrument, near: number, rounding: 'up' | 'down'): number {
  const grid = gridOf(instrument)
  if (Number.isNaN(near) || grid.tickSteps.length === 0) return near
  const price = price9(near * grid.tick9)
  const moved = rounding === 'up' ? ceilToGrid(grid, price) : floorToGrid(grid, price)
  return moved > 0 ? moved : Number.NaN
}

/** The price grid of a feed: the one of its instrument, which orders also use. */
export function gridOf({ tick9, tickSteps = [] }: FeedInstrument): PriceGrid {
  return { tick9, tickSteps }
}

/** The mistake of a row whose policy is to fail. */
function faultOf(prep: Preparation, work: Work, check: PolicyCheck, at: number): InputError {
  const { instrument } = prep.options
  switch (check) {
    case 'backward':
      return placed(prep, work, at, {
        expected: 'a clock that does not go back',
        found: `${work.clock[at]} after ${prep.greatest[0]}`,
      })
    case 'disorder':
      return placed(prep, work, at, {
        expected: 'rows in order of time in all files of the feed',
        found: `${formatIsoTime(micros(work.batch.localTime[at] as number))} after ${formatIsoTime(micros(prep.seam.last))}`,
        hint: 'list the files under path in order of time; policy: { disorder: keep } gives such rows the time of the rows before them',
      })
    case 'duplicate':
      return placed(prep, work, at, { expected: 'a new row', found: 'a repeated row' })
    case 'gap':
      return placed(prep, work, at, gapWords(work, at))
    case 'off_grid': {
      const isPrice = isNaNAt(work.price, at)
      const isIndex = prep.options.kind === 'index'
      const unit9 = isIndex ? 1 : isPrice ? tickNear(prep, work, at) : instrument.amountStep9
      const column = isPrice ? 'price' : 'amount'
      const found = decimalOf(work.batch, column, at)
      const most = isIndex ? 'up to 9007199' : 'up to 9 billion'
      const range = isPrice ? priceRange(prep) : most
      const expected = `a whole number of ${formatScaled(BigInt(unit9), 9)}, ${range}`
      const path = isIndex && !isPrice ? 'mark' : column
      return { ...placed(prep, work, at, { expected, found }), path }
    }
    case 'empty':
      return placed(prep, work, at, {
        expected: `a trade of at least ${formatScaled(BigInt(instrument.amountStep9), 9)}`,
        found: decimalOf(work.batch, 'amount', at),
      })
    case 'crossed':
    case 'off_book':
    case 'out_of_life':
    case 'cut':
      assert(false, 'the reader or the consumer of a message makes this check')
  }
}

/** The numbers around a gap: the one before it, and the ones in the row after it. */
function gapWords({ batch, flags, lastNumber }: Work, at: number): Pick<InputError, 'expected' | 'found'> {
  const { number, previous } = defined(batch.ids ?? undefined, 'a gap is between numbers')
  let before = lastNumber
  for (let row = 0; row < at; row += 1) {
    const isNew = ((flags[row] as number) & rowFlags.duplicate) === 0
    if (isNew && (number[row] as number) >= 0) before = number[row] as number
  }
  if (batch.kind === 'trades') {
    return { expected: `the number ${before + 1} after ${before}`, found: `${number[at]}` }
  }
  return {
    expected: `a message whose previous number is ${before}`,
    found: `number ${number[at]}, whose previous number is ${previous[at]}`,
  }
}

function decimalOf(batch: FeedBatch, column: 'price' | 'amount', at: number): string {
  return decimalText(batch[column][at] as number, column === 'price' ? batch.priceDecimals : batch.amountDecimals)
}

/** A recorded mantissa as a decimal text. A tape may contain one that is too large for exact integers. */
export function decimalText(mantissa: number, decimals: number): string {
  if (Number.isSafeInteger(mantissa)) return formatScaledNumber(mantissa, decimals)
  return `${mantissa}e-${decimals}`
}

function placed(
  prep: Preparation,
  work: Work,
  at: number,
  words: Pick<InputError, 'expected' | 'found' | 'hint'>,
): InputError {
  const { name } = defined(prep.options.files[prep.file], 'a file has its name')
  return { code: 'ORDER', file: name, line: (work.batch.row[at] as number) + 1, ...words }
}

/** True if a row of a column is not a whole number of units. */
export function isNaNAt(column: Float64Array, at: number): boolean {
  return Number.isNaN(column[at])
}

/**
 * The taker's side of trades without a recorded side: the tick rule. Only this file implements it, for fills, the tape,
 * summaries, tables and strategies.
 *
 * A trade above the previous one bought, one below it sold, and one at the same price has the side of the last trade
 * that moved the price. The first trade of a feed bought. Source: Lee and Ready (1991), "Inferring Trade Direction from
 * Intraday Data", the tick test; applied to recorded trades in the order of the feed, own trades excluded.
 */

/** The state before the first trade. */
export function createPrintRun(): PrintRun {
  return { last: Number.NaN, side: rowSide.buy }
}

/** The taker's side of the next trade, from its flags or its price. */
export function sideOfPrint(run: PrintRun, price: number, flag: number): number {
  if (price > run.last) run.side = rowSide.buy
  else if (price < run.last) run.side = rowSide.sell
  run.last = price
  return (flag & rowFlags.unknownSide) === 0 ? flag & rowFlags.sell : run.side
}

/** Updates the state with the first `rows` trades of a batch, which all have a recorded side. */
export function passPrints(run: PrintRun, rows: number, price: Float64Array, flags: Uint8Array): void {
  for (let at = 0; at < rows; at += 1) sideOfPrint(run, price[at] as number, flags[at] as number)
}
