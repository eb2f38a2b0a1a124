/** The time of single commands on the growing stream, warm. The figures include about 50 ns for the clock itself. */
import { instrumentId } from '../../src/core/index.ts'
import { apply } from '../../src/engine/index.ts'
import { openCounted } from './engine.ts'
import { commandAt, expectOutcome } from './market.ts'
import { collectGarbage, median, percentile } from './measure.ts'
import type { BenchRow } from './row.ts'
import { COMMAND_WORDS, type OrderStream } from './stream.ts'

const passes = 5

/** Percentiles of the time of one command; the median pass of each. */
export function benchLatency(stream: OrderStream): BenchRow[] {
  const runs = Array.from({ length: passes }, () => timesOf(stream))
  const row = (name: string, share: number): BenchRow => ({
    name: `one command, ${name}`,
    value: Math.round(median(runs.map((times) => percentile(times, share)))),
    unit: 'ns',
  })
  return [row('p50', 0.5), { ...row('p99', 0.99), target: '<= 3000' }, row('p99.9', 0.999)]
}

function timesOf(stream: OrderStream): Float64Array {
  const { market, trades } = openCounted()
  const { exchange, sink } = market
  const { words } = stream
  const times = new Float64Array(words.length / COMMAND_WORDS)
  const book = instrumentId(0)
  collectGarbage()
  for (let at = 0; at < words.length; at += COMMAND_WORDS) {
    const command = commandAt(market, words, { at, id: words[at + 1] as number, book })
    const from = performance.now()
    apply(exchange, command, sink)
    times[at / COMMAND_WORDS] = (performance.now() - from) * 1e6
  }
  expectOutcome(trades.outcome(market), stream.outcome)
  return times.sort()
}
