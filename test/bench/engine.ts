/**
 * The speed of `apply`: warm, against another order book of the npm registry, and cold.
 *
 * The engine runs as a run does: every event goes into the log, its digest and the tables with their hashes, with
 * the SHA-256 of the platform, and nothing to disk. Every pass must reach the outcome of its stream.
 */
import { OrderBook, Side } from 'nodejs-order-book'
import { audit } from '../../src/engine/index.ts'
import { nodeSha256 } from '../../src/host/sha256.ts'
import { createResultsSink } from '../../src/results/index.ts'
import { applyStream, countLogged, expectOutcome, type Market, openMarket, type TradeCounter } from './market.ts'
import { type Contender, median, rotate, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'
import { COMMAND_WORDS, type OrderStream, streamCommand } from './stream.ts'

const rounds = 7
const coldPasses = 3
const million = 1_000_000

/** A market and the counter of its trades. */
export interface CountedMarket {
  readonly market: Market
  readonly trades: TradeCounter
}

/** Opens a market whose events go into the log, its digest and, unless they are left out, the tables. */
export function openCounted({ tables = true } = {}): CountedMarket {
  const onBlock = tables ? (): void => undefined : null
  const trades = countLogged((onLog) => createResultsSink({ sha256: nodeSha256, onBlock, onLog }))
  return { market: openMarket(trades), trades }
}

/** Seconds of the first pass in this process. */
export function firstPass(stream: OrderStream): number {
  const { market, trades } = openCounted()
  const seconds = secondsOf(() => applyStream(market, stream.words))
  expectOutcome(trades.outcome(market), stream.outcome)
  return seconds
}

/** Speed of the engine on the growing stream; `coldPass` gives the seconds of a new process. */
export function benchEngine(stream: OrderStream, coldPass: () => number): BenchRow[] {
  const commands = stream.words.length / COMMAND_WORDS
  // One market stays open throughout. V8 forgets the shapes of a dead exchange's objects, and would have to compile the
  // code again for the next one.
  const standing = openCounted()
  const contenders = [engineContender(stream, true), engineContender(stream, false), peerContender(stream)]
  const [own = [], logged = [], peer = []] = rotate(contenders as Contender<unknown>[], rounds)
  const cold = Array.from({ length: coldPasses }, coldPass)
  audit(standing.market.exchange)
  const warm = median(own)
  return [
    {
      name: 'apply, growing stream',
      unit: 'M commands/s',
      target: '>= 1.5',
      value: commands / warm / million,
    },
    {
      name: 'apply, growing stream, digest without tables',
      unit: 'M commands/s',
      target: '>= 1.9',
      value: commands / median(logged) / million,
    },
    {
      name: 'apply against npm nodejs-order-book',
      unit: 'x',
      target: '>= 8',
      value: median(own.map((seconds, round) => (peer[round] ?? Number.NaN) / seconds)),
    },
    {
      name: 'npm nodejs-order-book',
      value: commands / median(peer) / million,
      unit: 'M commands/s',
    },
    {
      name: 'apply, first pass of a process against warm',
      unit: 'x',
      target: '>= 0.5',
      value: warm / median(cold),
    },
  ]
}

function engineContender(stream: OrderStream, tables: boolean): Contender<CountedMarket> {
  return {
    name: tables ? 'engine' : 'engine without tables',
    prepare: () => openCounted({ tables }),
    run: ({ market }) => applyStream(market, stream.words),
    check: ({ market, trades }) => {
      expectOutcome(trades.outcome(market), stream.outcome)
      audit(market.exchange)
    },
  }
}

/** The peer gets its ids as strings, which are made before the clock starts. */
function peerContender(stream: OrderStream): Contender<OrderBook> {
  const { words } = stream
  const ids = Array.from({ length: words.length / COMMAND_WORDS + 1 }, (_, id) => String(id))
  return {
    name: 'nodejs-order-book',
    prepare: () => new OrderBook(),
    run: (book) => {
      for (let at = 0; at < words.length; at += COMMAND_WORDS) {
        const first = words[at] as number
        const id = ids[words[at + 1] as number] as string
        const side = first >> 8 === 0 ? Side.BUY : Side.SELL
        const size = words[at + 3] as number
        const kind = first & 255
        if (kind === streamCommand.cancel) book.cancel(id)
        else if (kind === streamCommand.market) book.market({ side, size })
        else book.limit({ id, side, size, price: words[at + 2] as number })
      }
    },
    check: (book) => {
      const { asks, bids } = book.snapshot()
      const resting = [...asks, ...bids].reduce((sum, level) => sum + level.orders.length, 0)
      if (resting === stream.outcome.resting) return
      throw new RangeError(`expected ${stream.outcome.resting} resting orders, found ${resting}`)
    },
  }
}
