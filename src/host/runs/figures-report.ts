/**
 * The metrics of a run: the values that they need from the exchange, their rows, and their form in summaries and JSON.
 */

import {
  type AccountId,
  type Amount,
  amount,
  formatIsoTime,
  type InstrumentId,
  instrumentId,
  type Micros,
  micros,
  price9,
} from '../../core/index.ts'
import {
  allInstruments,
  type Exchange,
  equityOf,
  estimatedLiquidation,
  eventCountOf,
  findInstrument,
  marginsOf,
  midOf,
  queueAheadOf,
  timeOf,
  usdPrice,
  viewIndex,
  viewPosition,
  viewRisk,
  viewWallet,
} from '../../engine/index.ts'
import type { Currency, LiquidationCurrency } from '../../model/index.ts'
import {
  type AccountFigures,
  type CurrencyFigures,
  conventionsOf,
  durationText,
  figuresOf,
  type MeasuredRun,
  type MetricsTerms,
  type MetricsViews,
  type NamedFigure,
  periodsPerYearOf,
  type ResultsSink,
} from '../../results/index.ts'
import type { ManifestMetrics } from '../manifest.ts'

/** Figures by name; null for a missing value, whose reason has the same name. */
export interface FigureRecord {
  readonly figures: Readonly<Record<string, number | null>>
  readonly reasons: Readonly<Record<string, string>>
}

/** Metrics of an account in one currency, or in USD over all currencies. */
export interface CurrencyMetrics extends FigureRecord {
  readonly currency: string
  /** True if the time is under 30 days, so that annual ratios say little. */
  readonly is_short: boolean
  /** The five deepest drawdowns, deepest first; `recovery` is null while the curve is still below its peak. */
  readonly drawdowns: readonly {
    readonly start: string
    readonly valley: string
    readonly recovery: string | null
    readonly depth: number
  }[]
  /** Returns by month, as `2026-01`. */
  readonly months: Readonly<Record<string, number>>
  /** A point at the end of each period; `flow` is the money that came in during the period. */
  readonly series: {
    readonly start: string | null
    readonly time: readonly string[]
    readonly equity: readonly number[]
    readonly flow: readonly number[]
    readonly return: readonly number[]
  }
}

/** Metrics of one account. */
export interface AccountMetrics {
  readonly account: string
  readonly currencies: readonly CurrencyMetrics[]
  readonly instruments: readonly (FigureRecord & { readonly instrument: string })[]
  readonly orders: FigureRecord
}

/** The metrics of a run, with their conventions. */
export interface MetricsReport {
  readonly conventions: readonly string[]
  /** The period of the returns, such as `1d`. */
  readonly every: string
  readonly periods_per_year: number
  readonly risk_free: number
  readonly benchmark: string | null
  readonly accounts: readonly AccountMetrics[]
}

/** The views of an exchange that metrics use. */
export function metricsViews(exchange: Exchange): MetricsViews {
  return {
    equityOf: (account, currency) => equityOf(exchange, account, currency),
    standingOf: (account, currency) => {
      const { equity, sessionFloating, optionsValue } = viewWallet(exchange, account, currency)
      const funding = fundingOf(exchange, account, currency)
      return { equity, floating: sessionFloating, optionsValue, funding }
    },
    marginsOf: (account, currency) => marginsOf(exchange, account, currency),
    greeksOf: (account, instrument) => {
      const risk = viewRisk(exchange, viewPosition(exchange, account, instrument))
      const { gamma, vega, theta } = risk.greeks ?? noGreeks
      return { delta: risk.netDelta, gamma, vega, theta }
    },
    liquidationPriceOf: (account, instrument) => estimatedLiquidation(exchange, account, instrument),
    usdPriceOf: (currency) => usdPrice(exchange, currency),
    indexPriceOf: (name) => viewIndex(exchange, name)?.price ?? price9(0),
    midOf: (instrument) => midOf(exchange, instrument),
    queueAheadOf: (order) => queueAheadOf(exchange, order),
  }
}

/** Funding of the current session, over all positions of an account in a currency. */
function fundingOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  let sum = 0n
  for (const { id, funding, settlementCurrency } of allInstruments(exchange)) {
    if (funding === null || settlementCurrency !== currency) continue
    sum += viewPosition(exchange, account, id).funding
  }
  return amount(sum)
}

/**
 * The instruments that a request to place orders or quotes names and that have a mid price, each followed by that price
 * in 1e-9. Null without such an instrument.
 */
export function arrivalMids(exchange: Exchange, method: string, params: unknown): number[] | null {
  if (!placingMethods.has(method)) return null
  let mids: number[] | null = null
  for (const name of instrumentsNamed(params)) {
    const instrument = typeof name === 'string' ? findInstrument(exchange, name) : undefined
    const mid = instrument === undefined ? 0 : midOf(exchange, instrument.id)
    if (instrument === undefined || mid <= 0) continue
    mids ??= []
    mids.push(instrument.id, mid)
  }
  return mids
}

const placingMethods: ReadonlySet<string> = new Set([
  'private/buy',
  'private/sell',
  'private/mass_quote',
  'sim/direct/new_order',
  'sim/direct/mass_quote',
])

/** The instruments that a request names, directly or in its list of quotes. The request has not been checked yet. */
function instrumentsNamed(params: unknown): readonly unknown[] {
  if (!isObject(params)) return []
  const quotes = params['quotes']
  if (!Array.isArray(quotes)) return [params['instrument_name']]
  return quotes.map((quote: unknown) => (isObject(quote) ? quote['instrument_name'] : undefined))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

/** Summarizes the measurements and writes each figure to the table. */
export function reportMetrics(
  measured: MeasuredRun,
  exchange: Exchange,
  terms: MetricsTerms,
  results: ResultsSink,
): MetricsReport {
  const { benchmarkName: benchmark, every } = measured.state
  const periodsPerYear = periodsPerYearOf(terms, every)
  const found = figuresOf(measured, { periodsPerYear, riskFree: terms.riskFree })
  const at = { time: timeOf(exchange), number: eventCountOf(exchange) }
  for (const account of found) recordFigures(account, at.time, at.number, results)
  return {
    conventions: conventionsOf({ ...terms, every: micros(every) }, benchmark),
    every: durationText(every),
    periods_per_year: periodsPerYear,
    risk_free: terms.riskFree,
    benchmark,
    accounts: found.map(accountOut),
  }
}

/** The conventions in the form of the manifest. */
export function metricsTermsOut(report: MetricsReport): ManifestMetrics {
  return {
    every: report.every,
    periods_per_year: report.periods_per_year,
    risk_free: report.risk_free,
    benchmark: report.benchmark,
  }
}

const noGreeks = { gamma: amount(0n), vega: amount(0n), theta: amount(0n) }

function recordFigures(
  { id: account, currencies, instruments, orders }: AccountFigures,
  time: Micros,
  number: number,
  results: ResultsSink,
): void {
  const record = (
    currency: LiquidationCurrency | null,
    instrument: InstrumentId | null,
    figures: readonly NamedFigure[],
  ): void => {
    // Written out field by field: a run has hundreds of figures for each account, and spreads would use nine times the
    // memory.
    for (const { metric, label, unit, figure, exact } of figures) {
      const of = { time, number, account, currency, instrument, metric, label, unit, figure, exact }
      results.recordMetric(of)
    }
  }
  // Series exist for currencies and for USD.
  for (const each of currencies) record(each.currency as LiquidationCurrency, null, each.figures)
  for (const { id, figures } of instruments) record(null, instrumentId(id), figures)
  record(null, null, orders)
}

function accountOut({ account, currencies, instruments, orders }: AccountFigures): AccountMetrics {
  return {
    account,
    currencies: currencies.map(currencyOut),
    instruments: instruments.map(({ instrument, figures }) => ({
      instrument,
      ...figuresOut(figures),
    })),
    orders: figuresOut(orders),
  }
}

function currencyOut(of: CurrencyFigures): CurrencyMetrics {
  return {
    currency: of.currency,
    ...figuresOut(of.figures),
    is_short: of.isShort,
    drawdowns: of.drawdowns.map(({ start, valley, recovery, depth }) => ({
      start: iso(start),
      valley: iso(valley),
      recovery: recovery === null ? null : iso(recovery),
      depth,
    })),
    months: Object.fromEntries(of.months.map(({ month, value }) => [month, value])),
    series: {
      start: of.series.start < 0 ? null : iso(of.series.start),
      time: of.series.times.map(iso),
      equity: of.series.equities,
      flow: of.series.flows,
      return: of.series.returns,
    },
  }
}

/**
 * Figures without a label. Figures with a label appear in other places: months in a separate field, reasons in the
 * performance.
 */
function figuresOut(all: readonly NamedFigure[]): FigureRecord {
  const figures: Record<string, number | null> = {}
  const reasons: Record<string, string> = {}
  for (const { metric, label, figure } of all) {
    if (label !== null) continue
    figures[metric] = typeof figure === 'number' ? figure : null
    if (typeof figure !== 'number') reasons[metric] = figure
  }
  return { figures, reasons }
}

function iso(time: number): string {
  return formatIsoTime(micros(time))
}
