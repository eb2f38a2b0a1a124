/**
 * Checks the settings of the exchange and of metrics in a file against their declarations: numbers and durations within
 * their bounds, indices that an instrument follows.
 */
import { micros, nearest } from '../../../core/index.ts'
import { type Fields, lspLimits, readSettings, type SettingFault } from '../../../model/index.ts'
import { type Findings, meant, nodeAt, type Path, report, reportKey, textAt } from '../located.ts'
import type { Schedule } from '../schedule.ts'
import { fileSettings, settingSections } from '../sections/settings.ts'

/** Checks all settings; `indices` are the indices that instruments of the file or of its steps may follow. */
export function checkSettings(findings: Findings, { start }: Schedule, indices: ReadonlySet<string>): void {
  const { root } = findings
  // A setting of an index that no instrument follows would be ignored silently.
  const unknownIndex = (index: string): ReturnType<typeof unknown> | undefined =>
    indices.has(index) ? undefined : unknown(index, indices)
  for (const section of settingSections) {
    const reading = { place: 'file', start, path: [section], unknownIndex } as const
    const given = nodeAt(root, [section])?.value
    reportFaults(findings, readSettings(fileSettings[section], given, reading).faults)
  }
  const benchmark = textAt(nodeAt(root, ['record', 'metrics']), 'benchmark')
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
