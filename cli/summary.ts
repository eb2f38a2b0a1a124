/** The summary of runs for people. */
import type { RunReport } from '../src/node.ts'
import { ACCOUNTS_SHOWN_MAX, decimal, performanceLines } from './performance.ts'
import { paint } from './print.ts'
import { withSeparators } from './progress.ts'

/** One line for each of many runs. */
export function summaryLine(report: RunReport, seconds: number): string {
  const good = report.failures.length === 0 && report.status === 'complete'
  const mark = good ? paint('green', '✓') : paint('red', '✗')
  const facts = `${withSeparators(report.requests)} requests, ${withSeparators(report.trades)} trades`
  return `${mark} ${report.title}  ${paint('dim', `${facts}, ${seconds.toFixed(2)} s`)}  ${report.digest.slice(0, 12)}`
}

/** The full summary of a single run. */
export function fullSummary(report: RunReport, seconds: number): string {
  const rate = (number: number): string => withSeparators(Math.round(number / Math.max(seconds, 0.001)))
  const rates = [`${rate(report.requests)} requests/s`, `${rate(report.events)} events/s`]
  const fed = report.feeds.reduce((sum, feed) => sum + feed.rows, 0)
  const feedRate = fed === 0 ? [] : [`${rate(fed)} feed rows/s`]
  const speed = [`${seconds.toFixed(2)} s`, ...feedRate, ...rates].join(', ')
  const lines: [string, string][] = [
    ['virtual time', `${report.from} to ${report.until}`],
    ...feedLines(report),
    ...unusedLines(report),
    ['requests', `${withSeparators(report.requests)} (${withSeparators(report.refused)} refused)`],
    ['trades', withSeparators(report.trades)],
    ['events', withSeparators(report.events)],
    ['expectations', expectations(report)],
    ...unreadLines(report),
    ...faultLines(report),
    ...rowLines(report),
  ]
  if (report.out !== null) lines.push(['written to', report.out])
  lines.push(['digest', report.digest], ['speed', speed])
  if (report.status === 'interrupted') {
    lines.unshift(['status', paint('yellow', 'interrupted; the output is valid up to this point')])
  }
  const body = lines.map(([name, value]) => `  ${paint('dim', name.padEnd(14))} ${value}`)
  const accounts = [...equityLines(report), ...performanceLines(report), ...refusalLines(report)]
  return [paint('bold', report.title), ...body, ...accounts].join('\n')
}

/** Lines about parameters that their strategy never read. */
function unreadLines(report: RunReport): [string, string][] {
  return report.unread_params.map(({ strategy, account, params }) => [
    'parameters',
    `${paint('yellow', `never read: ${params.join(', ')}`)}  ${paint('dim', `${strategy} (${account})`)}`,
  ])
}

/** The number of rows in the tables, if tables were made. */
function rowLines({ tables }: RunReport): [string, string][] {
  if (tables.length === 0) return []
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  return [['rows', `${withSeparators(rows)} in ${tables.filter((table) => table.rows > 0).length} tables`]]
}

/** A line about the effects of faults on demand. */
function faultLines({ faults }: RunReport): [string, string][] {
  if (faults.length === 0) return []
  const reported = faults.map(({ kind, of, count: times }) => `${kind} ${of} ${withSeparators(times)}`)
  return [['faults', paint('yellow', reported.join(', '))]]
}

/** Lines about each recorded file: its rows, and the findings of its checks. */
function feedLines(report: RunReport): [string, string][] {
  return report.feeds.map((feed) => {
    const found = Object.entries(feed.findings).map(([check, times]) => `${check} ${withSeparators(times)}`)
    const odd = found.length === 0 ? '' : `; ${paint('yellow', found.join(', '))}`
    const of = feed.symbol === null ? '' : ` of ${feed.symbol}`
    const rows = `${withSeparators(feed.rows)} rows${of} in ${withSeparators(feed.messages)} messages${odd}`
    // A time window outside of the data, or a file with only a header, would look like a quiet market.
    const none = `; ${paint('yellow', 'none of its rows are within the run')}`
    const read = feed.messages === 0 ? `${rows}${none}` : rows
    return [`${feed.kind} feed`, `${read}  ${paint('dim', feed.path)}`]
  })
}

/** Columns that the reader ignores, each only once for all files. */
function unusedLines({ feeds }: RunReport): [string, string][] {
  const formats = new Map<string, Set<string>>()
  for (const { format, kind, unused_columns: unused } of feeds) {
    const of = format === 'csv' ? `${kind} feeds` : format
    if (unused.length > 0) formats.set(of, new Set([...(formats.get(of) ?? []), ...unused]))
  }
  return [...formats].map(([of, unused]) => ['unused columns', `${[...unused].join(', ')}  ${paint('dim', of)}`])
}

/** Lines about refused requests of strategies, by reason, with one example and a hint. */
function refusalLines(report: RunReport): string[] {
  return report.refusals.flatMap(({ strategy, account, reasons }) => [
    paint('dim', `  refused requests of ${strategy} (${account})`),
    ...reasons.flatMap(({ reason, count: times, example, hint }) => [
      `    ${paint('yellow', reason)} ${withSeparators(times)}`,
      paint('dim', `      ${example.at} ${example.method} ${example.params}`),
      ...(hint === null ? [] : [`      ${hint}`]),
    ]),
  ])
}

/** The equity of the accounts at the end, if there are few accounts. */
function equityLines({ accounts, performance }: RunReport): string[] {
  if (accounts.length === 0 || performance.length > ACCOUNTS_SHOWN_MAX) return []
  const rows = accounts.map(({ account, currency, equity, change }) => {
    const sign = change > 0 ? '+' : ''
    return `  ${account.padEnd(14)} ${`${decimal(equity)} ${currency}`.padStart(20)}  ${paint('dim', `${sign}${decimal(change)}`)}`
  })
  return [paint('dim', '  account                      equity  since deposit'), ...rows]
}

function expectations(report: RunReport): string {
  if (report.failures.length > 0) return paint('red', `${report.failures.length} failed`)
  return report.expectations === 0 ? 'none' : `${withSeparators(report.expectations)} hold`
}
