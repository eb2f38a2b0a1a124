/**
 * Whole backtests: a recorded book from tape and from text, with quality checks, tables and digest on, under a strategy
 * that moves 20 orders every 100 messages, 2 ms from the feed and 5 ms to the exchange.
 *
 * Memory is the peak of a separate process that writes its run folder, at 20 and at 40 million rows: the difference
 * shows how much of a longer feed stays in memory.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineStrategy } from '../../src/backtest/index.ts'
import { runDocument } from '../../src/host/index.ts'
import { median } from './measure.ts'
import { session, writeTape, writeText } from './repeated-feed.ts'
import type { BenchRow } from './row.ts'

const rounds = 3
const tapeTimes = 20
const textTimes = 8
const levels = 10

/** Moves ten bids and ten asks with the mid, every hundredth message. */
const requoter = defineStrategy<{ readonly instrument: string }>(({ instrument }) => {
  const orders = new Map<string, string>()
  let messages = 0
  return {
    onBook: (view, venue) => {
      messages += 1
      if (messages % 100 !== 0 || !view.isTwoSided) return
      const { mid } = view
      for (let level = 0; level < 2 * levels; level += 1) {
        const isBuy = level < levels
        const away = 1 + (level % levels)
        const price = venue.price(instrument, isBuy ? mid - away : mid + away, isBuy ? 'down' : 'up')
        const label = `${level}`
        const order = orders.get(label)
        const quote = { amount: 100, price, post_only: true }
        if (order !== undefined) venue.request('private/edit', { order_id: order, ...quote })
        else {
          const fresh = { instrument_name: instrument, label, ...quote }
          venue.request(isBuy ? 'private/buy' : 'private/sell', fresh)
        }
      }
    },
    onOrder: ({ label, order_id, order_state }) => {
      if (order_state === 'open') orders.set(label, order_id)
      else orders.delete(label)
    },
  }
})

/** Rows a second of whole backtests. */
export async function benchReplay(): Promise<BenchRow[]> {
  return await inFolder(async (folder) => {
    const tapes = tapesIn(folder)
    const texts = { book: join(folder, 'book.csv'), trades: join(folder, 'trades.csv') }
    await writeTape(session.book, tapes.book, tapeTimes)
    await writeTape(session.trades, tapes.trades, tapeTimes)
    await writeText(session.book, texts.book, textTimes)
    await writeText(session.trades, texts.trades, textTimes)
    const rates = { tape: [] as number[], text: [] as number[], idle: [] as number[] }
    for (let round = 0; round <= rounds; round += 1) {
      const rate = {
        tape: await rateOf(tapes, true),
        text: await rateOf(texts, true),
        idle: await rateOf(tapes, false),
      }
      if (round === 0) continue
      for (const name of ['tape', 'text', 'idle'] as const) rates[name].push(rate[name])
    }
    const figure = (name: string, found: readonly number[], target?: string): BenchRow => ({
      name: `${name} (${session.name})`,
      value: median(found),
      unit: 'M rows/s',
      ...(target === undefined ? {} : { target }),
    })
    return [
      figure('backtest from tape, 20 orders every 100 messages', rates.tape, '8'),
      figure('backtest from CSV, the same', rates.text, '2.5'),
      figure('replay from tape, no strategy', rates.idle),
    ]
  })
}

/** Writes tapes of `millions` of rows to a folder. */
export async function writeTapes(folder: string, millions: number): Promise<void> {
  const { book, trades } = tapesIn(folder)
  const once = await writeTape(session.book, book, 1)
  const times = Math.ceil((millions * 1e6) / once)
  await writeTape(session.book, book, times)
  await writeTape(session.trades, trades, times)
}

/** Peak memory in MB of this process, which only runs a backtest of those tapes with tables. */
export async function replayMemory(folder: string): Promise<number> {
  await rateOf(tapesIn(folder), true, join(folder, 'run'))
  return process.resourceUsage().maxRSS / 1024
}

function tapesIn(folder: string): { readonly book: string; readonly trades: string } {
  return { book: join(folder, 'book.arrow'), trades: join(folder, 'trades.arrow') }
}

/** Runs a backtest and returns its millions of rows a second. */
async function rateOf(
  feeds: { readonly book: string; readonly trades: string },
  trades: boolean,
  out: string | null = null,
): Promise<number> {
  const instrument = 'BTC-PERPETUAL'
  const { symbol } = session
  const fed = [
    { format: 'tardis.incremental_book_L2', path: feeds.book, instrument, symbol },
    { format: 'tardis.trades', path: feeds.trades, instrument, symbol },
  ]
  const latency = { feed: '2ms', entry: '5ms', response: '5ms' }
  const document = {
    version: 1,
    title: 'replay',
    start: session.start,
    feeds: fed,
    instruments: [{ name: instrument, tick_size: session.tick }],
    index: { from: 'mid' },
    accounts: { maker: { deposit: { BTC: 1_000 } } },
    ...(trades ? { strategies: [{ account: 'maker', module: 'requoter', params: { instrument }, latency }] } : {}),
  }
  const from = performance.now()
  const run = await runDocument(document, { strategies: { requoter }, out })
  const seconds = (performance.now() - from) / 1000
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  return run.value.feeds.reduce((sum, feed) => sum + feed.rows, 0) / 1e6 / seconds
}

/** A temporary folder that is removed after the work. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'pitclock-replay-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
