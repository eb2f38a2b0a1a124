/** Prints figures: a table for people, one JSON object for programs. */
import type { ComparedRow } from './against.ts'
import type { BenchRow } from './row.ts'

/**
 * Compares a figure with its target: `< 200`, `<= 3000`, `>= 8`, `8`. Null without a target. A figure that could not be
 * measured fails its target.
 */
export function isMet(row: BenchRow): boolean | null {
  const found = row.target?.match(/^(<=|<|>=)?\s*([\d.,]+)$/)
  if (found === undefined || found === null) return null
  const { value } = row
  if (value === null) return false
  const limit = Number(found[2]?.replaceAll(',', ''))
  if (found[1] === '<') return value < limit
  return found[1] === '<=' ? value <= limit : value >= limit
}

/** A line for each figure: name, value, target, and whether it meets the target. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => {
    const met = isMet(row)
    const result = met === null ? '' : met ? 'met' : 'MISSED'
    return [row.name, figureOf(row.value), row.unit, row.target ?? '', result]
  })
  return linesOf([['figure', 'value', 'unit', 'target', ''], ...cells])
}

/** A line for each figure of two builds: name, both values, and the ratio. */
export function comparisonOf(rows: readonly ComparedRow[]): string {
  const cells = rows.map((row) => [
    ...[row.section, row.name, row.unit],
    ...[figureOf(row.old), figureOf(row.new), figureOf(row.ratio)],
  ])
  return linesOf([['section', 'figure', 'unit', 'old', 'new', 'new/old'], ...cells])
}

/** Cells in columns of the minimal width. */
function linesOf(lines: readonly (readonly string[])[]): string {
  const columns = lines[0] ?? []
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The figures with their results as one object. */
export function jsonOf(rows: readonly BenchRow[], streams: string): object {
  const { node, v8 } = process.versions
  const figures = rows.map((row) => ({ ...row, met: isMet(row) }))
  return { node, v8, platform: process.platform, arch: process.arch, streams, figures }
}

/** A figure for people; a dash for a missing one. */
function figureOf(value: number | null): string {
  if (value === null) return '-'
  const digits = Math.abs(value) >= 100 ? 0 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
