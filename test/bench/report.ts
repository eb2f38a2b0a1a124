/**
 * How figures are printed: a table for people, one JSON object for programs.
 */
import type { ComparedRow } from './against.ts'
import type { BenchRow } from './row.ts'

/**
 * Whether a figure meets its target, or null where it has none: `< 200`, `<= 3000`, `>= 8`, `8`. What could not be
 * measured meets none.
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

/** A line for each figure: what, how much, what it should be, and whether it is. */
export function tableOf(rows: readonly BenchRow[]): string {
  const cells = rows.map((row) => {
    const met = isMet(row)
    const verdict = met === null ? '' : met ? 'met' : 'MISSED'
    return [row.name, figureOf(row.value), row.unit, row.target ?? '', verdict]
  })
  return linesOf([['figure', 'value', 'unit', 'target', ''], ...cells])
}

/** A line for each figure of two builds: what, how much before and now, and the ratio. */
export function comparisonOf(rows: readonly ComparedRow[]): string {
  const cells = rows.map((row) => [
    ...[row.section, row.name, row.unit],
    ...[figureOf(row.old), figureOf(row.new), figureOf(row.ratio)],
  ])
  return linesOf([['section', 'figure', 'unit', 'old', 'new', 'new/old'], ...cells])
}

/** Cells in columns that are as wide as they must be. */
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

/** The figures with their verdicts as one object. */
export function jsonOf(rows: readonly BenchRow[], streams: string): object {
  const { node, v8 } = process.versions
  const figures = rows.map((row) => ({ ...row, met: isMet(row) }))
  return { node, v8, platform: process.platform, arch: process.arch, streams, figures }
}

/** A figure for people; a dash where there is none. */
function figureOf(value: number | null): string {
  if (value === null) return '-'
  const digits = Math.abs(value) >= 100 ? 0 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
