/** The figures of a run: every declared metric of every account, with its value or the reason for a missing value. */
import { type AccountId, defined, scaledToNumber } from '../../core/index.ts'
import { inventoryMetrics, orderMetrics, orderReasons, profitMetrics } from './account-metrics.ts'
import { type Drawdown, deepest } from './drawdowns.ts'
import type { Figure, MetricDeclarations, MetricUnit } from './figure.ts'
import type { MeasuredRun } from './metrics.ts'
import type { AccountPerformance, CurrencyPerformance } from './performance.ts'
import * as ratios from './ratios.ts'
import {
  equityMetrics,
  type MonthReturn,
  type ReturnInput,
  type ReturnTerms,
  returnInputOf,
  returnMetrics,
} from './return-metrics.ts'
import type { Series } from './series.ts'
import { type AccountState, rowsBy, type State, termsAt } from './state.ts'
import { tradingMetrics } from './trading-metrics.ts'

/** A figure by its name. */
export interface NamedFigure {
  readonly metric: string
  /** The counted reason, or the month of the return; otherwise null. */
  readonly label: string | null
  readonly unit: MetricUnit
  readonly figure: Figure
  /** The exact value in nano for money that adds up; otherwise null. */
  readonly exact: bigint | null
}

/** Figures of an account in one currency, or in USD over all currencies. */
export interface CurrencyFigures {
  readonly currency: string
  readonly figures: readonly NamedFigure[]
  /** True if the time is under 30 days, so that annual ratios say little. */
  readonly isShort: boolean
  /** The deepest drawdowns first. */
  readonly drawdowns: readonly Drawdown[]
  readonly months: readonly MonthReturn[]
  readonly series: Series
}

/** Figures of an account in one instrument. */
interface InstrumentFigures {
  readonly instrument: string
  readonly id: number
  readonly figures: readonly NamedFigure[]
}

/** Figures of one account. */
export interface AccountFigures {
  readonly account: string
  readonly id: AccountId
  /** USD comes last, if all prices of its money are known. */
  readonly currencies: readonly CurrencyFigures[]
  readonly instruments: readonly InstrumentFigures[]
  readonly orders: readonly NamedFigure[]
}

/** Maximum number of drawdowns in the list. */
const DRAWDOWNS_MAX = 5
const DAYS_MIN = 30
const MICROS_PER_DAY = 86_400_000_000
const USD = 'USD'
const MONTH_METRIC = 'month_return'

/** All figures, in the order in which the accounts were opened. */
export function figuresOf({ state, accounts }: MeasuredRun, terms: ReturnTerms): readonly AccountFigures[] {
  const owners = state.accounts.filter(({ house }) => !house)
  return owners.map((account, at) => {
    const own = defined(accounts[at], 'every account has its earnings')
    const fills = own.currencies.reduce((sum, one) => sum + one.fills, 0)
    return {
      account: account.name,
      id: account.id,
      currencies: currenciesOf(state, account, own, terms),
      instruments: rowsBy(account, 'heldRank').map((inventory) => {
        const { name, amountStep9 } = termsAt(state, inventory.instrument)
        const lot = scaledToNumber(BigInt(amountStep9), 9)
        return {
          instrument: name,
          id: inventory.instrument,
          figures: figures(inventoryMetrics, { inventory, lot }),
        }
      }),
      orders: [
        ...figures(orderMetrics, { orders: own.orders, fills }),
        ...Object.entries(orderReasons).flatMap(([metric, countsOf]) =>
          [...countsOf(own.orders)].map(
            ([label, figure]): NamedFigure => ({
              metric,
              label,
              unit: 'count',
              figure,
              exact: null,
            }),
          ),
        ),
      ],
    }
  })
}

function currenciesOf(
  state: State,
  account: AccountState,
  own: AccountPerformance,
  terms: ReturnTerms,
): readonly CurrencyFigures[] {
  const names = [...account.series.keys()].filter((name) => name !== USD)
  const ordered = account.series.has(USD) ? [...names, USD] : names
  return ordered.map((currency) => {
    const series = defined(account.series.get(currency), 'the series has a name')
    const earned = own.currencies.find((one) => one.currency === currency) ?? null
    const input = returnInputOf(state, account, currency, series, terms)
    return {
      currency,
      isShort: daysOf(series) < DAYS_MIN,
      drawdowns: deepest(input.drawdowns, DRAWDOWNS_MAX),
      months: input.months,
      series,
      figures: [
        ...(earned === null ? [] : exactFigures(earned)),
        ...equityFigures(input, earned),
        ...figures(returnMetrics, input),
        ...(earned === null ? [] : tradingFigures(account, earned, input)),
        ...input.months.map(
          ({ month, value }): NamedFigure => ({
            metric: MONTH_METRIC,
            label: month,
            unit: 'part',
            figure: value,
            exact: null,
          }),
        ),
      ],
    }
  })
}

function tradingFigures(
  account: AccountState,
  earned: CurrencyPerformance,
  input: ReturnInput,
): readonly NamedFigure[] {
  const wallet = account.wallets.get(earned.currency) ?? null
  const isAnnual = ratios.isAnnual(input.sample)
  return figures(tradingMetrics, { earned, wallet, days: daysOf(input.series), isAnnual })
}

/** Days from the first money to the end. */
function daysOf({ start, times }: Series): number {
  return start < 0 ? 0 : ((times.at(-1) ?? start) - start) / MICROS_PER_DAY
}

/** Equity, flow and profit. In USD they depend on the indices at their times, so only those in a currency are exact. */
function equityFigures(input: ReturnInput, earned: CurrencyPerformance | null): readonly NamedFigure[] {
  const all = figures(equityMetrics, input)
  if (earned === null) return all
  const sums = new Map([
    ['equity_end', earned.equity],
    ['net_flow', earned.deposits],
    ['net_profit', earned.total],
  ])
  return all.map((each) => {
    const exact = sums.get(each.metric)
    return exact === undefined ? each : { ...each, figure: scaledToNumber(exact, 9), exact }
  })
}

function exactFigures(earned: CurrencyPerformance): readonly NamedFigure[] {
  return Object.entries(profitMetrics).map(([metric, { of }]): NamedFigure => {
    const exact = of(earned)
    return { metric, label: null, unit: 'currency', figure: scaledToNumber(exact, 9), exact }
  })
}

function figures<Input>(declared: MetricDeclarations<Input>, input: Input): readonly NamedFigure[] {
  return Object.entries(declared).map(([metric, { unit, of }]) => ({
    metric,
    label: null,
    unit,
    figure: of(input),
    exact: null,
  }))
}
