/**
 * The summary of runs that people read.
 */
import type { RunReport } from '../src/node.ts'
import { paint } from './output.ts'
import { count } from './progress.ts'

/** One line of a run among many. */
export function summaryLine(report: RunReport, seconds: number): string {
  const good = report.failures.length === 0 && report.status === 'complete'
  const mark = good ? paint('green', '✓') : paint('red', '✗')
  const facts = `${count(report.requests)} requests, ${count(report.trades)} trades`
  return `${mark} ${report.title}  ${paint('dim', `${facts}, ${seconds.toFixed(2)} s`)}  ${report.digest.slice(0, 12)}`
}

/** The full summary of a single run. */
export function fullSummary(report: RunReport, seconds: number): string {
  const rate = Math.round(report.requests / Math.max(seconds, 0.001))
  const rows = report.tables.reduce((sum, table) => sum + table.rows, 0)
  const lines: [string, string][] = [
    ['virtual time', `${report.from} to ${report.until}`],
    ['requests', `${count(report.requests)} (${count(report.refused)} refused)`],
    ['trades', count(report.trades)],
    ['events', count(report.events)],
    ['expectations', expectations(report)],
    ['rows', `${count(rows)} in ${report.tables.filter((table) => table.rows > 0).length} tables`],
  ]
  if (report.out !== null) lines.push(['written to', report.out])
  lines.push(
    ['digest', report.digest],
    ['speed', `${seconds.toFixed(2)} s, ${count(rate)} requests/s`],
  )
  if (report.status === 'interrupted') {
    lines.unshift(['status', paint('yellow', 'interrupted; what is written is valid up to here')])
  }
  const body = lines.map(([name, value]) => `  ${paint('dim', name.padEnd(14))} ${value}`)
  return [paint('bold', report.title), ...body, ...positionLines(report)].join('\n')
}

/** Where the accounts stand at the end; a long list is cut and says so. */
function positionLines(report: RunReport): string[] {
  const shown = report.accounts.slice(0, SHOWN_MAX)
  if (shown.length === 0) return []
  const rows = shown.map(({ account, currency, equity, change }) => {
    const sign = change > 0 ? '+' : ''
    return `  ${account.padEnd(14)} ${`${equity} ${currency}`.padStart(20)}  ${paint('dim', `${sign}${change}`)}`
  })
  const rest = report.accounts.length - shown.length
  const more = rest > 0 ? [paint('dim', `  … and ${count(rest)} more in the equity table`)] : []
  return [paint('dim', '  account                      equity  since deposit'), ...rows, ...more]
}

const SHOWN_MAX = 12

function expectations(report: RunReport): string {
  if (report.failures.length > 0) return paint('red', `${report.failures.length} failed`)
  return report.expectations === 0 ? 'none' : `${count(report.expectations)} hold`
}
