/**
 * A line that is built point by point, with a maximum number of points.
 *
 * Up to its limit a line keeps every point. Then it is divided into equal spans of time and keeps the first, lowest,
 * highest and last point of each. Drawn at that width or less, the line looks the same. A point replaces an earlier one
 * with the same time, unless they are marks of single events. NaN is a gap. Memory: 64 bytes per span.
 */
import type { Line } from '../payload.ts'

/** The time range of a line, and its maximum number of points. */
export interface LineSpan {
  /** Seconds since 1970. */
  readonly from: number
  readonly until: number
  readonly limit: number
}

/** First, lowest, highest, last point: time and value of each. */
const CELLS = 8
const KEPT = 4

/** A line under construction. Times must not step back. */
export class LineBuilder {
  readonly #span: LineSpan
  readonly #spans: number
  /** All points, or the points of each span; NaN times mark spans without points. */
  #cells: Float64Array
  #isThin = false
  #points = 0
  #lastTime = Number.NaN
  #lastValue = Number.NaN

  constructor(span: LineSpan) {
    this.#span = span
    this.#spans = Math.max(1, Math.floor(span.limit / KEPT))
    this.#cells = new Float64Array(64)
  }

  /** The value of the last point; NaN without points. */
  get last(): number {
    return this.#lastValue
  }

  /** Adds a point. It replaces the previous point if that has the same time. */
  add(time: number, value: number): void {
    if (time !== this.#lastTime || this.#isThin) {
      this.mark(time, value)
      return
    }
    this.#cells[2 * this.#points - 1] = value
    this.#lastValue = value
  }

  /** Adds a separate point, even if another point has the same time. */
  mark(time: number, value: number): void {
    this.#lastTime = time
    this.#lastValue = value
    if (this.#isThin) {
      this.#points += 1
      this.#fold(time, value)
      return
    }
    if (this.#points === this.#span.limit) {
      this.#thin()
      this.#points += 1
      this.#fold(time, value)
      return
    }
    if (2 * this.#points + 2 > this.#cells.length) {
      const wider = new Float64Array(2 * this.#cells.length)
      wider.set(this.#cells)
      this.#cells = wider
    }
    this.#cells[2 * this.#points] = time
    this.#cells[2 * this.#points + 1] = value
    this.#points += 1
  }

  /** Adds a point only if the value has changed. */
  step(time: number, value: number): void {
    if (Object.is(value, this.#lastValue)) return
    this.add(time, value)
  }

  /** Returns the line; with `until` the last value continues to that time. */
  finish(until?: number): Line {
    if (until !== undefined && this.#points > 0 && until > this.#lastTime) {
      this.add(until, this.#lastValue)
    }
    if (!this.#isThin) {
      const time = new Float64Array(this.#points)
      const value = new Float64Array(this.#points)
      for (let at = 0; at < this.#points; at += 1) {
        time[at] = this.#cells[2 * at] ?? 0
        value[at] = this.#cells[2 * at + 1] ?? 0
      }
      return { time, value, points: this.#points }
    }
    return { ...this.#kept(), points: this.#points }
  }

  #thin(): void {
    const all = this.#cells
    const count = this.#points
    this.#cells = new Float64Array(CELLS * this.#spans).fill(Number.NaN)
    this.#isThin = true
    for (let at = 0; at < count; at += 1) this.#fold(all[2 * at] ?? 0, all[2 * at + 1] ?? 0)
  }

  #fold(time: number, value: number): void {
    const { from, until } = this.#span
    const part = until > from ? (time - from) / (until - from) : 0
    const span = Math.min(this.#spans - 1, Math.max(0, Math.floor(part * this.#spans)))
    const at = CELLS * span
    const cells = this.#cells
    if (Number.isNaN(cells[at] ?? 0)) {
      for (let kept = 0; kept < KEPT; kept += 1) {
        cells[at + 2 * kept] = time
        cells[at + 2 * kept + 1] = value
      }
      return
    }
    // A gap is neither lowest nor highest; a number replaces a gap.
    const [lowest, highest] = [cells[at + 3] ?? 0, cells[at + 5] ?? 0]
    if (value < lowest || (Number.isNaN(lowest) && !Number.isNaN(value))) {
      cells[at + 2] = time
      cells[at + 3] = value
    }
    if (value > highest || (Number.isNaN(highest) && !Number.isNaN(value))) {
      cells[at + 4] = time
      cells[at + 5] = value
    }
    cells[at + 6] = time
    cells[at + 7] = value
  }

  #kept(): { readonly time: Float64Array; readonly value: Float64Array } {
    const times: number[] = []
    const values: number[] = []
    for (let at = 0; at < this.#cells.length; at += CELLS) {
      if (Number.isNaN(this.#cells[at] ?? Number.NaN)) continue
      const points = [0, 2, 4, 6].map((cell): readonly [number, number] => [
        this.#cells[at + cell] ?? 0,
        this.#cells[at + cell + 1] ?? 0,
      ])
      points.sort(([left], [right]) => left - right)
      for (const [time, value] of points) {
        if (times.at(-1) === time && Object.is(values.at(-1), value)) continue
        times.push(time)
        values.push(value)
      }
    }
    return { time: Float64Array.from(times), value: Float64Array.from(values) }
  }
}
