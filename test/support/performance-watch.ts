/**
 * Measures the performance of an exchange that a test drives: events as they come, samples as a run
 * takes them, and equity straight from the views.
 */
import { amount, type Micros, micros } from '../../src/core/index.ts'
import {
  allInstruments,
  type Exchange,
  equityOf,
  viewPosition,
  viewWallet,
} from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import {
  type AccountPerformance,
  createPerformance,
  type EquityLookup,
  type Performance,
  type PerformanceOptions,
  restorePerformance,
  type Standing,
} from '../../src/results/index.ts'

/** A performance sink beside an exchange. */
export class PerformanceWatch {
  private readonly exchange: Exchange
  private performance: Performance

  constructor(exchange: Exchange, options: PerformanceOptions = {}) {
    this.exchange = exchange
    this.performance = createPerformance(options)
  }

  readonly equity: EquityLookup = (account, currency) => equityOf(this.exchange, account, currency)

  readonly standing = (...[account, currency]: Parameters<EquityLookup>): Standing => {
    const { equity, sessionFloating, optionsValue } = viewWallet(this.exchange, account, currency)
    const funding = allInstruments(this.exchange)
      .filter(({ settlementCurrency }) => settlementCurrency === currency)
      .reduce((sum, { id }) => sum + viewPosition(this.exchange, account, id).funding, 0n)
    return { equity, floating: sessionFloating, optionsValue, funding: amount(funding) }
  }

  /** Before an input. */
  sample(time: Micros = micros(this.exchange.now)): void {
    this.performance.sample(time, this.equity)
  }

  /** The events of an input. */
  see(events: readonly Event[]): void {
    for (const event of events) this.performance.emit(event)
  }

  /** Goes on with what a snapshot holds. */
  renew(): void {
    const restored = restorePerformance(this.performance.snapshot())
    if (!restored.ok) throw new Error(restored.error.found)
    this.performance = restored.value
  }

  finish(): readonly AccountPerformance[] {
    return this.performance.finish(this.standing)
  }
}
