/**
 * Measures the performance of an exchange that a test drives: it takes the events, samples like a run, and reads equity
 * from the views.
 */
import { type AccountId, amount, type Micros, micros, price9 } from '../../src/core/index.ts'
import { allInstruments, type Exchange, equityOf, viewPosition, viewWallet } from '../../src/engine/index.ts'
import type { Currency, Event } from '../../src/model/index.ts'
import {
  type AccountPerformance,
  createMetrics,
  type Metrics,
  type MetricsViews,
  restoreMetrics,
} from '../../src/results/index.ts'

type StandingOf = MetricsViews['standingOf']

const zero = amount(0n)
const noStanding = { equity: zero, floating: zero, funding: zero, optionsValue: zero }

/** Views of an exchange without prices and books; `standingOf` gives the money of each account. */
export function viewsOf(
  standingOf: StandingOf = () => noStanding,
  equityNow: MetricsViews['equityOf'] = (...of) => standingOf(...of).equity,
): MetricsViews {
  return {
    standingOf,
    equityOf: equityNow,
    marginsOf: (account, currency) => {
      const equity = equityNow(account, currency)
      return { equity, marginBalance: equity, initial: zero, maintenance: zero }
    },
    greeksOf: () => ({ delta: zero, gamma: zero, vega: zero, theta: zero }),
    liquidationPriceOf: () => null,
    usdPriceOf: () => price9(0),
    indexPriceOf: () => price9(0),
    midOf: () => 0,
    queueAheadOf: () => -1,
  }
}

/** Ends metrics over events made by hand, with this money of each account. */
export function performanceAt(metrics: Metrics, time: Micros, standingOf: StandingOf): readonly AccountPerformance[] {
  return metrics.finish(time, viewsOf(standingOf)).accounts
}

/** The metrics of an exchange. */
export class PerformanceWatch {
  private readonly exchange: Exchange
  private readonly views: MetricsViews
  private metrics: Metrics = createMetrics()

  constructor(exchange: Exchange) {
    this.exchange = exchange
    this.views = viewsOf(this.standing, (...of) => equityOf(exchange, ...of))
  }

  equity(account: AccountId, currency: Currency): bigint {
    return this.views.equityOf(account, currency)
  }

  private readonly standing: StandingOf = (account, currency) => {
    const { equity, sessionFloating, optionsValue } = viewWallet(this.exchange, account, currency)
    const funding = allInstruments(this.exchange)
      .filter(({ settlementCurrency }) => settlementCurrency === currency)
      .reduce((sum, { id }) => sum + viewPosition(this.exchange, account, id).funding, 0n)
    return { equity, floating: sessionFloating, optionsValue, funding: amount(funding) }
  }

  /** Samples before an input. */
  sample(time: Micros = micros(this.exchange.now)): void {
    this.metrics.input(time, this.views)
  }

  /** Takes the events of an input. */
  see(events: readonly Event[]): void {
    for (const event of events) this.metrics.emit(event)
  }

  /** Saves the metrics and restores them. */
  renew(): void {
    const restored = restoreMetrics(this.metrics.snapshot())
    if (!restored.ok) throw new Error(restored.error.found)
    this.metrics = restored.value
  }

  finish(): readonly AccountPerformance[] {
    return this.metrics.finish(micros(this.exchange.now), this.views).accounts
  }
}
