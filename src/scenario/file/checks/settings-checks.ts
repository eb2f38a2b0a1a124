/**
 * Checks the settings of the exchange and of metrics in a file against their declarations: numbers and durations within
 * their bounds, indices that an instrument follows.
 */

import { type DecimalInput, micros, nearest, parseDecimalInput, powerOfTen } from '../../../core/index.ts'
import { type Fields, lspLimits, readSettings, type SettingFault } from '../../../model/index.ts'
import {
  describe,
  type Findings,
  type Located,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
  textAt,
} from '../located.ts'
import type { Schedule } from '../schedule.ts'
import { fileSettings, settingSections } from '../sections/settings.ts'

/** Checks all settings; `indices` are the indices that instruments of the file or of its steps may follow. */
export function checkSettings(findings: Findings, { start }: Schedule, indices: ReadonlySet<string>): void {
  // A setting of an index that no instrument follows would be ignored silently.
  const unknownIndex = (index: string): ReturnType<typeof unknown> | undefined =>
    indices.has(index) ? undefined : unknown(index, indices)
  for (const section of settingSections) {
    const reading = { place: 'file', start, path: [section], unknownIndex } as const
    const given = nodeAt(findings.root, [section])?.value
    reportFaults(findings, readSettings(fileSettings[section], given, reading).faults)
  }
  const benchmark = textAt(nodeAt(findings.root, ['record', 'metrics']), 'benchmark')
  if (benchmark === undefined || indices.has(benchmark)) return
  const expected = 'an index with a price in this file'
  const hint = meant(nearest(benchmark, indices))
  report(findings, ['record', 'metrics', 'benchmark'], { expected, ...hint })
}

/** Checks the settings of an account at its path, and its limits in the liquidity support programme. */
export function checkAccountSettings(findings: Findings, path: Path): void {
  const limits = [...path, 'lsp']
  checkFields(findings, fileSettings['accounts.NAME'], path)
  checkFields(findings, { limits: lspLimits }, limits)
}

function checkFields(findings: Findings, fields: Fields, path: Path): void {
  const given = nodeAt(findings.root, path)?.value
  const reading = { place: 'file', start: micros(0), path } as const
  reportFaults(findings, readSettings(fields, given, reading).faults)
}

function unknown(index: string, indices: ReadonlySet<string>): Pick<SettingFault, 'expected' | 'hint'> {
  const expected = 'the index of an instrument of this file'
  return { expected, ...meant(nearest(index, indices)) }
}

function reportFaults(findings: Findings, faults: readonly SettingFault[]): void {
  for (const { path, expected, words, isKey, hint } of faults) {
    const mistake = { expected, ...(words === undefined ? {} : { found: words }), hint }
    if (isKey === true) reportKey(findings, path, mistake)
    else report(findings, path, mistake)
  }
}

/**
 * Checks the decimals of a file: the number of digits of prices, money and sizes, and values that must be positive or
 * nonzero.
 */

const SCALE = 9

/** Reports a decimal that is invalid for its kind. The schema reports values that are not decimals. */
export function checkDecimal(findings: Findings, path: Path, node: Located, sort: 'price' | 'money' | 'size'): void {
  if (!isWrittenDecimal(node.value)) return
  const scaled = parseDecimalInput(node.value, SCALE)
  if (!scaled.ok) {
    const expected = 'a number with up to 9 decimals'
    report(findings, path, { expected, found: describe(node.value) })
  } else if (sort === 'price' && scaled.value <= 0n) {
    report(findings, path, { expected: 'a price above 0' })
  } else if (sort === 'price' && scaled.value > BigInt(Number.MAX_SAFE_INTEGER)) {
    report(findings, path, { expected: 'a price up to 9007199' })
  } else if (sort === 'size' && scaled.value === 0n) {
    report(findings, path, { expected: 'an amount other than 0' })
  }
}

/** Reports a decimal that is not a fraction between 0 and 1, or that has too many decimals. */
export function checkFraction(findings: Findings, path: Path, node: Located, decimals: number): void {
  if (!isWrittenDecimal(node.value)) return
  const scaled = parseDecimalInput(node.value, decimals)
  if (scaled.ok && scaled.value >= 0n && scaled.value <= BigInt(powerOfTen(decimals))) return
  const expected = `a fraction between 0 and 1 with up to ${decimals} decimals`
  report(findings, path, { expected, found: describe(node.value) })
}

/** True if a value is a number in decimal notation. */
export function isWrittenDecimal(value: unknown): value is DecimalInput {
  if (typeof value === 'number') return true
  return typeof value === 'object' && value !== null && 'decimal' in value
}
