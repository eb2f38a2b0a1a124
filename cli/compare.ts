/**
 * `pitclock compare`: the settings by which runs differ, and their metrics side by side.
 */
import type { Command } from 'commander'
import type { ComparedFigure, ComparedSetting, MetricsComparison } from '../src/node.ts'
import { six } from './metrics.ts'
import { misuse, printJson, refuseInput } from './output.ts'
import { paint, print } from './print.ts'

interface CompareFlags {
  readonly all?: true
  readonly account?: string
  readonly json?: true
}

/** Maximum number of shown settings, and maximum length of a shown text. */
const SETTINGS_MAX = 24
const TEXT_MAX = 40
/** Width of a line if the output is not a terminal. */
const WIDTH = 120
const HASH = /^[0-9a-f]{64}$/

/** Adds the command. */
export function addCompareCommand(program: Command): void {
  program
    .command('compare')
    .description('Compare two or more runs: show their metrics and the settings that differ.')
    .argument('<run...>', 'run folders')
    .option('--all', 'show every metric and setting, not only the main ones')
    .option('--account <name>', 'show only this account')
    .option('--json', 'print one JSON object with every setting that differs and every metric')
    .addHelpText(
      'after',
      `
Examples:
  pitclock compare runs/a runs/b
  pitclock compare runs/narrow runs/wide runs/wider --account maker --all

Exits with 3 if a folder does not contain a complete run with metrics.`,
    )
    .action(compareCommand)
}

async function compareCommand(folders: readonly string[], flags: CompareFlags): Promise<void> {
  if (folders.length < 2) {
    misuse({ expected: 'at least two run folders', found: String(folders.length) })
    return
  }
  const { compareRuns } = await import('../src/node.ts')
  const result = await compareRuns(folders)
  if (!result.ok) {
    refuseInput({
      hint: 'each folder must be the output of `pitclock run --out`',
      ...result.error,
    })
    return
  }
  const { account } = flags
  const accounts = new Set(result.value.figures.map((figure) => figure.account))
  if (account !== undefined && !accounts.has(account)) {
    const expected = `one of ${[...accounts].join(', ')}`
    misuse({ path: '--account', expected, found: account })
    return
  }
  const isMeant = (of: { readonly account: string }): boolean => account === undefined || of.account === account
  const { figures, deflated } = result.value
  const comparison: MetricsComparison = {
    ...result.value,
    figures: figures.filter(isMeant),
    deflated: deflated.filter(isMeant),
  }
  if (flags.json === true) {
    printJson('compare', { version: 1, ...comparison })
    return
  }
  const usual = flags.all === true ? null : new Set(comparison.leading)
  print(`${linesOf(comparison, usual).join('\n')}\n`)
}

/** Lines of a comparison, for some metrics or (null) all of them. */
function linesOf(comparison: MetricsComparison, usual: ReadonlySet<string> | null): string[] {
  const { runs, differences, is_alike, figures, deflated } = comparison
  const shown = figures.filter(
    ({ metric, label, values }) =>
      usual === null || (label === null && usual.has(metric) && values.some((value) => value !== null)),
  )
  const names = runs.map((_, at) => String(at + 1))
  const titles = new Set(runs.map(({ title }) => title))
  const lines = runs.map(({ run, title, digest }, at) => {
    const own = titles.size === 1 ? [] : [title]
    return [String(at + 1), run, ...own, digest.slice(0, 12)].join('  ')
  })
  if (titles.size === 1) lines.unshift(...titles)
  lines.push('', ...settingLines(names, differences, usual === null ? Infinity : SETTINGS_MAX))
  if (!is_alike) {
    const terms = new Map<string, number[]>()
    for (const [at, { metrics }] of runs.entries()) {
      const index = metrics.benchmark ?? 'no benchmark'
      const text = [metrics.every, `${six(metrics.periods_per_year)} a year`, metrics.risk_free, index].join(', ')
      terms.set(text, [...(terms.get(text) ?? []), at + 1])
    }
    const words = 'the runs computed their metrics with different settings; do not compare their ratios:'
    const groups = [...terms].map(([text, of]) => `${of.join(', ')}  ${text}`)
    lines.push('', paint('yellow', words), ...groups)
  }
  for (const group of groupsOf(shown)) {
    const [first] = group
    if (first === undefined) continue
    const of = [first.account, first.currency, first.instrument].filter((part) => part !== null)
    lines.push('', paint('bold', of.join(' ')), ...grid(names, group))
  }
  for (const { account, currency, best, trials, value, reason } of deflated) {
    const text = value === null ? `none (${reason})` : six(value)
    lines.push('', `deflated Sharpe ratio of ${account} in ${currency}: ${text} (best of ${trials} runs: ${best})`)
  }
  return lines
}

/** Lines of settings by which runs differ. Long texts are shortened here and complete in JSON. */
function settingLines(names: readonly string[], differences: readonly ComparedSetting[], most: number): string[] {
  if (differences.length === 0) return ['settings  identical']
  const left = differences.length - most
  return [
    paint('bold', 'settings that differ'),
    ...columns([
      ['', ...names, ''],
      ...differences.slice(0, most).map(({ setting, values }) => [
        setting,
        ...values.map((value) => {
          const text = value === null ? '-' : String(value)
          if (HASH.test(text)) return text.slice(0, 12)
          return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
        }),
        '',
      ]),
    ]),
    ...(left > 0 ? [`  … and ${left} more (--all shows them)`] : []),
  ]
}

/** Figures grouped by account and by currency or instrument, in their order. */
function groupsOf(figures: readonly ComparedFigure[]): readonly (readonly ComparedFigure[])[] {
  const groups = new Map<string, ComparedFigure[]>()
  for (const figure of figures) {
    const key = JSON.stringify([figure.account, figure.currency, figure.instrument])
    groups.set(key, [...(groups.get(key) ?? []), figure])
  }
  return [...groups.values()]
}

function grid(names: readonly string[], figures: readonly ComparedFigure[]): string[] {
  const rows = figures.map(({ metric, label, unit, currency, values }) => [
    label === null ? metric : `${metric} ${label}`,
    ...values.map((value) => (value === null ? '-' : six(value))),
    unit === 'currency' ? (currency ?? unit) : unit,
  ])
  return columns([['', ...names, ''], ...rows])
}

/**
 * Aligns rows with equal numbers of cells: the first cell left, values right, the unit after them. If the values do not
 * fit into the width of the terminal, the rest follows below, with the first cell and the unit repeated.
 */
function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const [first = 0, last = 0] = [widths[0], widths.at(-1)]
  const room = (process.stdout.columns ?? WIDTH) - first - last - 4
  const blocks: number[][] = [[]]
  let taken = 0
  for (let at = 1; at < widths.length - 1; at += 1) {
    taken += (widths[at] ?? 0) + 2
    if (taken > room && blocks.at(-1)?.length !== 0) {
      blocks.push([])
      taken = (widths[at] ?? 0) + 2
    }
    blocks.at(-1)?.push(at)
  }
  return blocks.flatMap((block, number) => [
    ...(number === 0 ? [] : ['']),
    ...rows.map((row) => {
      const values = block.map((at) => (row[at] ?? '').padStart(widths[at] ?? 0))
      return `  ${(row[0] ?? '').padEnd(first)}  ${values.join('  ')}  ${row.at(-1) ?? ''}`.trimEnd()
    }),
  ])
}
