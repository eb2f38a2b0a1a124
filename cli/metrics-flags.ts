/** Flags of `pitclock run` for the terms of metrics. */
import type { RunFileOptions } from '../src/node.ts'
import { type Misuse, misuse } from './output.ts'

/** The requested conventions. */
export type MetricsFlags = RunFileOptions['metrics']

const SECOND = 1_000_000
const YEAR = 31_536_000_000_000
const PERIODS_MAX = 1_000_000_000
const DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/
const INDEX = /^[a-z0-9]+_[a-z0-9]+$/

/** Reads the flags; null if one of them is wrong, after printing the mistake. */
export async function readMetricsFlags(flags: {
  readonly period?: string
  readonly periodsPerYear?: string
  readonly riskFree?: string
  readonly benchmark?: string
}): Promise<MetricsFlags | null> {
  const { period, periodsPerYear, riskFree, benchmark } = flags
  const wrong: Misuse[] = []
  const number = (flag: string, text: string, from: number, to: number, words: string): number => {
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN
    if (!(value >= from && value <= to)) wrong.push({ path: flag, expected: words, found: text })
    return value
  }
  let asked: MetricsFlags = {}
  if (period !== undefined) {
    const { parseDuration, micros } = await import('../src/engine.ts')
    const parsed = parseDuration(period)
    if (parsed.ok && parsed.value >= SECOND && parsed.value <= YEAR) {
      asked = { ...asked, every: micros(parsed.value) }
    } else {
      wrong.push({ path: '--period', expected: 'a duration from 1s to 365d', found: period })
    }
  }
  if (periodsPerYear !== undefined) {
    const words = `a number above 0 and up to ${PERIODS_MAX}`
    const bounds = { from: Number.MIN_VALUE, to: PERIODS_MAX, words }
    asked = {
      ...asked,
      periodsPerYear: number('--periods-per-year', periodsPerYear, bounds.from, bounds.to, bounds.words),
    }
  }
  if (riskFree !== undefined) {
    const bounds = { from: -0.5, to: 10, words: 'an annual rate from -0.5 to 10' }
    asked = { ...asked, riskFree: number('--risk-free', riskFree, bounds.from, bounds.to, bounds.words) }
  }
  if (benchmark !== undefined) {
    if (!INDEX.test(benchmark)) {
      const expected = 'the name of an index such as btc_usd'
      wrong.push({ path: '--benchmark', expected, found: benchmark })
    }
    asked = { ...asked, benchmark }
  }
  if (wrong.length === 0) return asked
  misuse(...wrong)
  return null
}
