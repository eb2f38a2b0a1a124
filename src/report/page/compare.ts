/** Several runs side by side: their curves in one chart, their figures in one table. */
import type { Account, Run, Wallet } from '../payload.ts'
import { colourOfRun, dashOfRun } from './colours.ts'
import { element, note, section, tableOf } from './dom.ts'
import { capital, figure, percent, wordsText } from './format.ts'
import { drawdownOf, mapped } from './lines.ts'
import type { ChartSpec, Series } from './plot.ts'
import { figureOf, type View } from './view.ts'

interface Side {
  readonly run: Run
  readonly account: Account | null
  readonly wallet: Wallet | null
}

/** The comparison, or null for a single run. */
export function compareSection(view: View): HTMLElement | null {
  const { report } = view
  if (report.runs.length < 2) return null
  const sides = report.runs.map((run) => sideOf(run, view))
  return section(
    'compare',
    'Side by side',
    report.alike
      ? null
      : element(
          'p',
          { class: 'warning' },
          'The runs use different metric conventions, so their ratios are not comparable.',
        ),
    curveChart(view, sides, 'growth'),
    curveChart(view, sides, 'drawdown'),
    figureTable(sides, report.leading),
    ...report.deflated
      .filter(({ account }) => account === view.account?.name)
      .map(({ currency, best, trials, value, reason }) =>
        note(
          `Deflated Sharpe ratio in ${currency}: ${value === null ? `n/a (${wordsText(reason ?? '')})` : percent(value)}, the probability that the best of ${trials} runs, ${best}, has a true Sharpe ratio above the one expected from luck.`,
        ),
      ),
  )
}

/** The account with the same name in another run, and its wallet in the same currency. */
function sideOf(run: Run, { account, wallet }: View): Side {
  const same = run.accounts.find(({ name }) => name === account?.name) ?? null
  const own = same?.wallets.find(({ currency }) => currency === wallet?.currency) ?? null
  return { run, account: same, wallet: own }
}

function curveChart(view: View, sides: readonly Side[], what: 'growth' | 'drawdown'): HTMLElement | null {
  const from = Math.min(...sides.map(({ run }) => run.from))
  const until = Math.max(...sides.map(({ run }) => run.until))
  const series = sides.flatMap(({ run, wallet }, at): readonly Series[] => {
    if (wallet === null) return []
    const line = what === 'growth' ? mapped(wallet.growth, (value) => value - 1) : drawdownOf(wallet.growth)
    const dash = dashOfRun(at)
    return [
      {
        label: run.name,
        colour: colourOfRun(at),
        line,
        shape: 'step',
        ...(dash.length === 0 ? {} : { dash }),
      },
    ]
  })
  if (series.length === 0) return null
  const texts =
    what === 'growth'
      ? ['Cumulative return', 'Cumulative return of each run; deposits and withdrawals do not change it.']
      : ['Drawdowns', 'Fall of each curve from its highest point so far.']
  const spec: ChartSpec = {
    id: `chart-compare-${what}`,
    title: texts[0] ?? '',
    about: texts[1] ?? '',
    series,
    format: (value) => percent(value),
    height: what === 'growth' ? 300 : 160,
    span: { min: from, max: until },
    withZero: true,
  }
  return view.chart(spec)
}

function figureTable(sides: readonly Side[], leading: readonly string[]): HTMLElement {
  const currency = sides.find(({ wallet }) => wallet !== null)?.wallet?.currency ?? null
  const rows = leading.flatMap((metric) => {
    // Figures of orders have no currency.
    const figures = sides.map(({ account }) => figureOf(account, metric, currency) ?? figureOf(account, metric, null))
    if (figures.every((row) => row === null)) return []
    const cells = figures.map((row) => {
      if (row === null) return ''
      if (row.value === null) return `n/a (${wordsText(row.reason ?? '')})`
      return figure(row.value, row.unit, row.currency)
    })
    return [[capital(wordsText(metric)), ...cells]]
  })
  const heads = ['Metric', ...sides.map(({ run }) => run.name)]
  const numeric = sides.map((_, at) => at + 1)
  return tableOf(`Metrics${currency === null ? '' : ` in ${currency}`}`, heads, rows, true, numeric)
}
