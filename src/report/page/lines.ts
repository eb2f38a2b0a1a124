/**
 * Extremes, samples and summaries of lines.
 */
import type { Line } from '../payload.ts'
import { formatTime } from './format.ts'

/** Lowest and highest value of a line, with their times. */
interface Extremes {
  readonly lowest: { readonly time: number; readonly value: number }
  readonly highest: { readonly time: number; readonly value: number }
  readonly first: number
  readonly last: number
}

/** Finds the extremes of a line; null for a line without values. */
export function extremesOf({ time: times, value: values }: Line): Extremes | null {
  let [low, high, first, last] = [-1, -1, -1, -1]
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? Number.NaN
    if (Number.isNaN(value)) continue
    if (first < 0) first = at
    last = at
    if (low < 0 || value < (values[low] ?? 0)) low = at
    if (high < 0 || value > (values[high] ?? 0)) high = at
  }
  if (first < 0) return null
  const at = (row: number): { readonly time: number; readonly value: number } => ({
    time: times[row] ?? 0,
    value: values[row] ?? 0,
  })
  return { lowest: at(low), highest: at(high), first: values[first] ?? 0, last: values[last] ?? 0 }
}

/** A line summarized as a sentence. */
export function summaryOf(label: string, line: Line, format: (value: number) => string): string {
  const found = extremesOf(line)
  if (found === null) return `${label}: no values.`
  return `${label}: begins at ${format(found.first)}, ends at ${format(found.last)}; lowest ${format(found.lowest.value)} at ${formatTime(found.lowest.time)}, highest ${format(found.highest.value)} at ${formatTime(found.highest.time)}.`
}

/** A line with its values changed by a function. */
export function mapped(line: Line, change: (value: number, at: number) => number): Line {
  return { ...line, value: line.value.map(change) }
}

/** The relative distance of a curve below its highest point so far. */
export function drawdownOf(growth: Line): Line {
  let peak = 0
  return mapped(growth, (value) => {
    if (value > peak) peak = value
    return peak > 0 ? value / peak - 1 : 0
  })
}

/** The value of a line at a time: the value of the last point up to it; NaN before the first point. */
export function lineValueAt(line: Line, at: number): number {
  const row = lineRowAt(line.time, at)
  return row < 0 ? Number.NaN : (line.value[row] ?? Number.NaN)
}

/** The last row up to a time, or -1. */
export function lineRowAt(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Indices of at most `most` rows, evenly spaced and including the last one. */
export function sampled(length: number, most: number): readonly number[] {
  if (length <= most) return Array.from({ length }, (_, at) => at)
  return Array.from({ length: most }, (_, at) => Math.round((at * (length - 1)) / (most - 1)))
}

/** True for a line that is always zero. */
export function isFlat(line: Line): boolean {
  return line.value.every((value) => value === 0 || Number.isNaN(value))
}
