/**
 * The curve of returns of a wallet: 1 at the first money, multiplied by the relative change of equity, so that deposits
 * and withdrawals do not move it. It also has the drawdowns of the curve, and its returns by the periods of the run's
 * metrics. The first period begins with the run; less than half a period at an end is joined with the neighbouring one.
 */
import type { Fall, Line } from '../payload.ts'
import { LineBuilder, type LineSpan } from './line-builder.ts'

/** Number of drawdowns to keep, the deepest ones. */
const FALLS_MAX = 10
const PLACES = 1e9
const PERIOD_PART_MIN = 0.5

/** The division of time into periods of returns; times are in seconds. */
export interface PeriodTerms {
  readonly every: string
  readonly seconds: number
  /** Beginning of the run. */
  readonly start: number
}

/** A curve under construction. */
export class Growth {
  readonly line: LineBuilder
  readonly #terms: PeriodTerms
  /** Ends of periods, and the value of the curve there. */
  readonly #ends: number[] = []
  readonly #curve: number[] = []
  #value = 1
  /** Equity at the last move of the curve; 0 before the first money. */
  #base = 0
  #begin = Number.NaN
  #boundary = Number.NaN
  #peak = 1
  #peakTime = Number.NaN
  #fall: { valley: number; depth: number } | null = null
  readonly #falls: Fall[] = []

  constructor(span: LineSpan, terms: PeriodTerms) {
    this.line = new LineBuilder(span)
    this.#terms = terms
  }

  /** Moves the curve to the current equity. */
  move(time: number, equity: number): void {
    this.#close(time)
    if (this.#base > 0) this.#value *= Math.max(0, equity) / this.#base
    this.#base = equity
    if (Number.isNaN(this.#begin)) {
      if (equity <= 0) return
      this.#begin = time
      this.#peakTime = time
      const { start, seconds } = this.#terms
      this.#boundary = start + (Math.floor((time - start) / seconds) + 1) * seconds
    }
    // Drawdowns are computed from the rounded values of the line, because a product of doubles may miss the peak by its
    // last digit.
    const value = Math.round(this.#value * PLACES) / PLACES
    this.line.add(time, value)
    this.#follow(time, value)
  }

  /** Sets the equity after a flow of money. The curve keeps its value and continues from there. */
  rebase(time: number, equity: number): void {
    if (Number.isNaN(this.#begin)) this.move(time, equity)
    else this.#base = equity
  }

  /** Ends the curve. */
  finish(until: number): {
    readonly line: Line
    readonly falls: readonly Fall[]
    readonly returns: Line
  } {
    this.#close(until)
    if (until > this.#begin) this.#end(until)
    if (this.#fall !== null) this.#keep(null)
    const falls = this.#falls.toSorted((left, right) => left.depth - right.depth)
    return {
      line: this.line.finish(until),
      falls: falls.slice(0, FALLS_MAX),
      returns: this.#returns(),
    }
  }

  /** Closes the periods that ended before a time. */
  #close(time: number): void {
    while (time > this.#boundary) {
      this.#end(this.#boundary)
      this.#boundary += this.#terms.seconds
    }
  }

  #end(time: number): void {
    this.#ends.push(time)
    this.#curve.push(this.#value)
  }

  /** Returns between ends that are far enough from their neighbours. */
  #returns(): Line {
    const [ends, curve] = [this.#ends, this.#curve]
    const least = PERIOD_PART_MIN * this.#terms.seconds
    if (ends.length > 1 && (ends[0] ?? 0) - this.#begin < least) {
      ends.shift()
      curve.shift()
    }
    if (ends.length > 1 && (ends.at(-1) ?? 0) - (ends.at(-2) ?? 0) < least) {
      ends.splice(-2, 1)
      curve.splice(-2, 1)
    }
    const value = Float64Array.from(curve, (now, at) => {
      const before = at === 0 ? 1 : (curve[at - 1] ?? 0)
      return before > 0 ? Math.round((now / before - 1) * 1e12) / 1e12 : 0
    })
    return { time: Float64Array.from(ends), value, points: ends.length }
  }

  #follow(time: number, value: number): void {
    if (value >= this.#peak) {
      if (this.#fall !== null) this.#keep(time)
      this.#peak = value
      this.#peakTime = time
      return
    }
    const depth = value / this.#peak - 1
    if (this.#fall === null) this.#fall = { valley: time, depth }
    else if (depth < this.#fall.depth) {
      this.#fall.valley = time
      this.#fall.depth = depth
    }
  }

  #keep(recovery: number | null): void {
    if (this.#fall === null) return
    const { valley, depth } = this.#fall
    this.#falls.push({ start: this.#peakTime, valley, recovery, depth })
    this.#fall = null
    if (this.#falls.length < 8 * FALLS_MAX) return
    this.#falls.sort((left, right) => left.depth - right.depth)
    this.#falls.length = FALLS_MAX
  }
}
