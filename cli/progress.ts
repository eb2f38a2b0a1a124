/**
 * Progress on stderr: on a terminal a line that is rewritten at most ten times a second, otherwise a plain line every
 * thirty seconds. The first half second has no output.
 */
import type { RunProgress } from '../src/node.ts'
import { printable } from './print.ts'

const FIRST_MS = 500
const TERMINAL_MS = 100
const PLAIN_MS = 30_000

/** Shows the progress of one run. */
export interface ProgressLine {
  show(progress: RunProgress): void
  clear(): void
}

/** Creates the progress line of a run that begins now. */
export function progressLine(title: string, quiet: boolean): ProgressLine {
  const terminal = process.stderr.isTTY === true
  const begun = performance.now()
  let next = begun + (terminal ? FIRST_MS : PLAIN_MS)
  let shown = false
  return {
    show(progress): void {
      const now = performance.now()
      if (quiet || now < next) return
      next = now + (terminal ? TERMINAL_MS : PLAIN_MS)
      const text = printable(`${title}: ${describeProgress(progress, (now - begun) / 1000)}`)
      const width = process.stderr.columns ?? 80
      process.stderr.write(terminal ? `\r${text.slice(0, width - 1)}\u001b[K` : `${text}\n`)
      shown = terminal
    },
    clear(): void {
      if (shown) process.stderr.write('\r\u001b[K')
    },
  }
}

/**
 * Rows of the feeds (if there are feeds), requests, their rate, the virtual clock, and the remaining time estimated
 * from virtual time.
 */
export function describeProgress(progress: RunProgress, seconds: number): string {
  const { rows, requests } = progress
  const rate = Math.round((rows + requests) / seconds)
  const rowsRead = rows > 0 ? [`${withSeparators(rows)} rows`] : []
  const parts = [...rowsRead, `${withSeparators(requests)} requests`, `${withSeparators(rate)}/s`, progress.clock]
  const { fraction } = progress
  if (fraction !== null && fraction > 0.01) {
    const left = (seconds / fraction) * (1 - fraction)
    parts.push(`${Math.floor(fraction * 100)} %`, `${Math.ceil(left)} s left`)
  }
  return parts.join('  ')
}

/** A whole number with separators. */
export function withSeparators(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
