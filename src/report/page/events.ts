/** Events that the account did not request, the quality of the recorded files, and all figures. */
import type { Grid } from '../payload.ts'
import { element, note, section, tableOf } from './dom.ts'
import { capital, digits, formatCount, formatTime, wordsText } from './format.ts'
import { textOf } from './headline.ts'
import type { View } from './view.ts'

const times: ReadonlySet<string> = new Set(['time', 'until'])

/** A list as a table. If the list was shortened, the caption has the total number of rows. */
export function gridTable(title: string, grid: Grid): HTMLElement {
  const { columns, rows, total } = grid
  // Columns without any value are omitted.
  const used = columns.map((_, at) => at).filter((at) => rows.some((row) => hasCell(row[at])))
  const isNumber = (at: number): boolean => rows.every((row) => typeof (row[at] ?? 0) === 'number')
  const cells = rows.map((row) => used.map((at) => cellText(columns[at] ?? '', row[at] ?? null)))
  const heads = used.map((at) => capital(wordsText(columns[at] ?? '')))
  const numeric = used.flatMap((at, place) => (isNumber(at) ? [place] : []))
  const caption = total > rows.length ? `${title}: first ${rows.length} of ${formatCount(total)}` : title
  return tableOf(caption, heads, cells, undefined, numeric)
}

function hasCell(cell: string | number | null | undefined): boolean {
  return cell !== null && cell !== undefined && cell !== ''
}

function cellText(column: string, cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'string') return cell
  return times.has(column) ? formatTime(cell) : digits(cell, 9)
}

/** Liquidations and protections, each with its reason. */
export function eventSection({ account }: View): HTMLElement | null {
  if (account === null) return null
  const { liquidations, protections, protectionCounts } = account
  const parts = [
    liquidations.total === 0 ? note('No liquidations.') : gridTable('Liquidation rounds', liquidations),
    protections.total === 0
      ? note('No protection was triggered.')
      : gridTable('Protections by reason', protectionCounts),
    protections.total === 0
      ? null
      : element(
          'details',
          {},
          element('summary', {}, `All ${formatCount(protections.total)} protection events`),
          gridTable('Protections', protections),
        ),
  ]
  return section('events', 'Liquidations and protections', ...parts)
}

/** Counts that are not faults. */
const plain: ReadonlySet<string> = new Set(['rows', 'messages', 'snapshots'])

/** Findings of the checks of recorded files. */
export function qualitySection(view: View): HTMLElement | null {
  const { quality } = view.run
  if (quality.rows.length === 0) return null
  const [check, number] = [quality.columns.indexOf('check'), quality.columns.indexOf('count')]
  const found = quality.rows.filter((row) => Number(row[number] ?? 0) > 0)
  const faults = found.filter((row) => !plain.has(String(row[check])))
  const clean = quality.rows.length - found.length
  return section(
    'quality',
    'Feed quality',
    note(
      faults.length === 0
        ? 'The checks of the recorded files found no problems.'
        : `${faults.length} checks found problems; the policy column shows how each one was handled.`,
    ),
    gridTable('Counts by check', { ...quality, rows: found, total: found.length }),
    note(`${clean} more checks have a count of zero.`),
  )
}

/** Every figure of the account, and the conventions of their computation. */
export function figureSection({ account, run }: View): HTMLElement | null {
  if (account === null || account.figures.length === 0) return null
  const rows = account.figures.map((row) => [
    wordsText(row.metric),
    row.label === null ? '' : wordsText(row.label),
    row.currency ?? row.instrument ?? '',
    row.value === null ? `n/a: ${wordsText(row.reason ?? '')}` : textOf(row),
  ])
  return section(
    'figures',
    'All metrics',
    element(
      'details',
      {},
      element('summary', {}, `${rows.length} metrics of ${account.name}`),
      tableOf('Metrics', ['Metric', 'Label', 'Currency', 'Value'], rows, true, [3]),
    ),
    run.conventions.length === 0
      ? null
      : element(
          'details',
          {},
          element('summary', {}, 'How the metrics are computed'),
          element('ul', {}, ...run.conventions.map((line) => element('li', {}, line))),
        ),
  )
}
