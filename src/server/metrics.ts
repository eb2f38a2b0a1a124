/**
 * The metrics of a server in the format of Prometheus. They are in a separate registry, so that several servers of one
 * process, and other metrics of the process, stay separate. The package is loaded at the first scrape.
 *
 * Counts are read from the counters of the server at each scrape, so nothing is measured twice.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import { timeOf } from '../engine/index.ts'
import { faultCounts } from '../faults/index.ts'
import type { LiveMarket } from './live-market.ts'
import { type Door, doors, outcomes, type ServerMonitor } from './monitor.ts'
import type { Registry } from './prom-client.ts'

/** The sources of metrics. */
interface Measured {
  readonly monitor: ServerMonitor
  readonly market: LiveMarket
  /** Number of open connections by endpoint. */
  connections(): { readonly [D in Exclude<Door, 'gateway'>]: number }
  /** Bytes that wait for clients to read. */
  queuedBytes(): number
}

/** The metrics of a server. */
export interface Metrics {
  readonly contentType: string
  /** All metrics with their current values. */
  text(): Promise<string>
  /** Stops measuring. */
  close(): void
}

const MICROS_PER_SECOND = 1_000_000
const NANOS_PER_SECOND = 1_000_000_000
/** Milliseconds between two checks of the event loop; the loop is late by the time above that. */
const LOOP_MILLIS = 20
const NANOS_PER_MILLI = 1_000_000
const loopQuantiles = [50, 99, 100] as const

/** The registry of a server, and the package that metrics are made with. */
interface Figures {
  readonly prom: typeof import('./prom-client.ts')
  readonly registry: Registry
}

/** Begins the measurements of a server. */
export async function openMetrics(measured: Measured): Promise<Metrics> {
  const prom = await import('./prom-client.ts')
  const registry = new prom.Registry()
  const figures = { prom, registry }
  const loop = monitorEventLoopDelay({ resolution: LOOP_MILLIS })
  loop.enable()
  addTraffic(figures, measured)
  addMarket(figures, measured.market)
  addFaults(figures, measured.market)
  addLoop(figures, loop)
  return {
    contentType: registry.contentType,
    text: async () => await registry.metrics(),
    close: () => {
      loop.disable()
      registry.clear()
    },
  }
}

function addTraffic(figures: Figures, { monitor, connections, queuedBytes }: Measured): void {
  const { prom, registry } = figures
  new prom.Gauge({
    name: 'pitclock_connections',
    help: 'Open connections; the http count excludes WebSockets.',
    labelNames: ['door'],
    registers: [registry],
    collect() {
      const open = connections()
      for (const door of ['http', 'websocket'] as const) this.set({ door }, open[door])
    },
  })
  new prom.Counter({
    name: 'pitclock_requests_total',
    help: 'Answered requests, by kind of answer.',
    labelNames: ['door', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const door of doors) {
        for (const outcome of outcomes) {
          this.inc({ door, outcome }, monitor.requestsOf(door, outcome))
        }
      }
    },
  })
  addCount(figures, 'pitclock_notifications_total', 'Notifications sent on channels.', () => monitor.notifications)
  addCount(
    figures,
    'pitclock_slow_clients_total',
    'Clients disconnected because they did not read.',
    () => monitor.slowClients,
  )
  addCount(
    figures,
    'pitclock_unknown_parameters_total',
    'Parameters of requests that their method does not have.',
    () => [...monitor.unknownParameters.values()].reduce((sum, each) => sum + each, 0),
  )
  addGauge(figures, 'pitclock_queued_bytes', 'Bytes waiting for clients to read them.', queuedBytes)
}

function addFaults(figures: Figures, market: LiveMarket): void {
  new figures.prom.Counter({
    name: 'pitclock_faults_total',
    help: 'Injected faults that affected a message.',
    labelNames: ['kind', 'of'],
    registers: [figures.registry],
    collect() {
      this.reset()
      for (const { kind, of, count } of faultCounts(market.desk.faults)) this.inc({ kind, of }, count)
    },
  })
}

function addMarket(figures: Figures, market: LiveMarket): void {
  addGauge(
    figures,
    'pitclock_virtual_time_seconds',
    'Time of the exchange, in seconds since the epoch.',
    () => timeOf(market.desk.exchange) / MICROS_PER_SECOND,
  )
  addGauge(
    figures,
    'pitclock_clock_lag_seconds',
    'Virtual seconds by which the market is behind its clock; an idle market checks every 20 ms of real time.',
    () => market.lag.now / MICROS_PER_SECOND,
  )
  addGauge(
    figures,
    'pitclock_clock_lag_max_seconds',
    'Largest number of virtual seconds by which the market was behind its clock since it opened.',
    () => market.lag.most / MICROS_PER_SECOND,
  )
  addGauge(figures, 'pitclock_journal_bytes', 'Bytes of the journal; 0 without a journal.', () => market.journalBytes)
}

function addLoop(figures: Figures, loop: IntervalHistogram): void {
  new figures.prom.Gauge({
    name: 'pitclock_event_loop_lag_seconds',
    help: "Delay of the process's event loop since the first scrape; the quantile 1 is the maximum.",
    labelNames: ['quantile'],
    registers: [figures.registry],
    collect() {
      for (const percent of loopQuantiles) {
        const nanos = loop.percentile(percent) - LOOP_MILLIS * NANOS_PER_MILLI
        this.set({ quantile: String(percent / 100) }, Math.max(0, nanos) / NANOS_PER_SECOND)
      }
    },
  })
}

function addGauge(figures: Figures, name: string, help: string, value: () => number): void {
  new figures.prom.Gauge({
    name,
    help,
    registers: [figures.registry],
    collect() {
      this.set(value())
    },
  })
}

function addCount(figures: Figures, name: string, help: string, count: () => number): void {
  new figures.prom.Counter({
    name,
    help,
    registers: [figures.registry],
    collect() {
      this.reset()
      this.inc(count())
    },
  })
}
