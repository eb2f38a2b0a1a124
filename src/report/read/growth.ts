/**
 * The curve of returns of a wallet: 1 at the first money, multiplied by what equity did since, so that money which
 * comes or leaves does not move it. With it go its falls and its returns of whole periods.
 */
import type { Fall, Line } from '../payload.ts'
import { LineBuilder, type LineSpan } from './line-builder.ts'

/** Falls that are kept, the deepest. */
const FALLS_MAX = 10
const PLACES = 1e9

/** A curve that is being built. */
export class Growth {
  readonly line: LineBuilder
  readonly #seconds: number
  readonly #ends: number[] = []
  readonly #returns: number[] = []
  #value = 1
  /** Equity when the curve was last moved; 0 before the first money. */
  #base = 0
  #begin = Number.NaN
  #boundary = Number.NaN
  #atBoundary = Number.NaN
  #peak = 1
  #peakTime = Number.NaN
  #fall: { valley: number; depth: number } | null = null
  readonly #falls: Fall[] = []

  constructor(span: LineSpan, seconds: number) {
    this.line = new LineBuilder(span)
    this.#seconds = seconds
  }

  /** Moves the curve to what equity is now. */
  move(time: number, equity: number): void {
    this.#close(time)
    if (this.#base > 0) this.#value *= Math.max(0, equity) / this.#base
    this.#base = equity
    if (Number.isNaN(this.#begin)) {
      if (equity <= 0) return
      this.#begin = time
      this.#peakTime = time
      this.#boundary = (Math.floor(time / this.#seconds) + 1) * this.#seconds
      // A run that begins on a boundary begins a whole period.
      if (time % this.#seconds === 0) this.#atBoundary = 1
    }
    this.line.add(time, Math.round(this.#value * PLACES) / PLACES)
    this.#follow(time)
  }

  /** Equity after money came or left: the curve stays, and goes on from there. */
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
    this.#close(until + 1e-6)
    if (this.#fall !== null) this.#keep(null)
    const falls = this.#falls.toSorted((left, right) => left.depth - right.depth)
    const time = Float64Array.from(this.#ends)
    const value = Float64Array.from(this.#returns)
    return {
      line: this.line.finish(until),
      falls: falls.slice(0, FALLS_MAX),
      returns: { time, value, points: time.length },
    }
  }

  /** Closes the periods that ended before a time. */
  #close(time: number): void {
    while (time > this.#boundary) {
      if (this.#atBoundary > 0) {
        this.#ends.push(this.#boundary)
        this.#returns.push(Math.round((this.#value / this.#atBoundary - 1) * 1e12) / 1e12)
      }
      this.#atBoundary = this.#value
      this.#boundary += this.#seconds
    }
  }

  #follow(time: number): void {
    if (this.#value >= this.#peak) {
      if (this.#fall !== null) this.#keep(time)
      this.#peak = this.#value
      this.#peakTime = time
      return
    }
    const depth = this.#value / this.#peak - 1
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
