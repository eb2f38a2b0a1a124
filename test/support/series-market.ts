/**
 * Random markets as scenarios that record everything, and their tables: books of simulated accounts, and a recorded
 * book with snapshots, crossed messages, an empty side and prints of unknown sides.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { formatInputError } from '../../src/core/index.ts'
import { nodeSha256, openRunFeeds } from '../../src/host/index.ts'
import { createResultsSink, restoreResultsSink } from '../../src/results/index.ts'
import {
  advanceRun,
  closeRun,
  createRun,
  finishRun,
  parseScenario,
  type RunHooks,
  restoreRun,
  type Scenario,
  snapshotRun,
} from '../../src/scenario/index.ts'
import { createRowCollector } from './block-rows.ts'
import { tardisText } from './feed-text.ts'
import type { NaiveRow } from './naive-columns.ts'

/** Start of all of these markets, in microseconds. */
export const seriesStart = 1_767_603_600_000_000
/** Inputs are at multiples of this, samples at some of these multiples. */
const GRID_MICROS = 50_000
const until = '2026-01-05T09:00:12.345Z'

/** The series that these markets record. */
export const askedSeries = ', quotes: 100ms, book_snapshot: { depth: 3, every: 250ms }, bars: [500ms, 5s]'
const record = `record: { book: true, feed: true${askedSeries} }\n`

/** One input; the steps of a market are in the order of `at`. */
interface Deed {
  readonly at: number
  readonly kind: 'limit' | 'limit' | 'market' | 'cancel' | 'row' | 'print' | 'snapshot'
  readonly instrument: number
  readonly isBuy: boolean
  readonly isFirst: boolean
  readonly offset: number
  readonly size: number
}

/** The inputs of a market. */
export const deedsArbitrary: fc.Arbitrary<readonly Deed[]> = fc
  .array(
    fc.record({
      at: fc.integer({ min: 0, max: 240 }),
      kind: fc.constantFrom('limit', 'limit', 'limit', 'market', 'cancel', 'row', 'row', 'print', 'snapshot'),
      instrument: fc.integer({ min: 0, max: 3 }),
      isBuy: fc.boolean(),
      isFirst: fc.boolean(),
      offset: fc.integer({ min: -4, max: 8 }),
      size: fc.integer({ min: 0, max: 20 }),
    }),
    { minLength: 10, maxLength: 120, size: 'max' },
  )
  .map((deeds) => deeds.toSorted((left, right) => left.at - right.at)) as never

interface Terms {
  readonly name: string
  readonly middle: number
  readonly tick: number
  readonly amount: number
}

const closedInstruments: readonly Terms[] = [
  { name: 'BTC-PERPETUAL', middle: 60000, tick: 0.5, amount: 10 },
  { name: 'BTC_USDC-PERPETUAL', middle: 60000, tick: 1, amount: 0.001 },
  { name: 'BTC-30JAN26-60000-C', middle: 0.05, tick: 0.0005, amount: 0.1 },
  { name: 'BTC-FS-30JAN26_PERP', middle: 0, tick: 0.5, amount: 10 },
]

/** A market of two accounts in four instruments: inverse, linear, an option, a spread whose price may be negative. */
export function closedMarket(deeds: readonly Deed[]): string {
  return `version: 1
title: A random market of accounts
start: 2026-01-05T09:00:00Z
until: ${until}
venue: { price_bands: false, speed_bump: false, self_match: cancel_maker }
${record}instruments: [BTC-PERPETUAL, BTC_USDC-PERPETUAL, BTC-30JAN26, BTC-30JAN26-60000-C]
index: { btc_usd: 60000, btc_usdc: 60000 }
accounts:
  first: { deposit: { BTC: 1000, USDC: 10000000 } }
  second: { deposit: { BTC: 1000, USDC: 10000000 } }
steps:
  - { at: 0ms, as: first, call: private/create_combo, params: { trades: [{ instrument_name: BTC-30JAN26, direction: buy, amount: 10 }, { instrument_name: BTC-PERPETUAL, direction: sell, amount: 10 }] } }
${deeds.flatMap((deed) => requestOf(deed, closedInstruments)).join('')}`
}

function requestOf(
  { at, kind, instrument, isBuy, isFirst, offset, size }: Deed,
  instruments: readonly Terms[],
): readonly string[] {
  const { name, middle, tick, amount } = instruments[instrument % instruments.length] as Terms
  const head = `  - { at: ${at * (GRID_MICROS / 1000)}ms, as: ${isFirst ? 'first' : 'second'}, call: `
  if (kind === 'cancel') return [`${head}private/cancel_all }\n`]
  if (kind !== 'limit' && kind !== 'market') return []
  const price = middle + (isBuy ? -offset : offset) * tick
  const sized = decimalText((size + 1) * amount)
  const terms = kind === 'limit' ? `price: ${decimalText(price)}` : 'type: market'
  // A refused request changes nothing, which is fine here.
  return [
    `${head}private/${isBuy ? 'buy' : 'sell'}, params: { instrument_name: ${name}, amount: ${sized}, ${terms} } }\n`,
  ]
}

/** A recorded market with simulated orders in it, and the folder of its feeds. */
export function recordedMarket(deeds: readonly Deed[]): {
  readonly text: string
  readonly folder: string
} {
  const folder = mkdtempSync(join(tmpdir(), 'pitclock-series-'))
  const book: string[] = []
  const trades: string[] = []
  const lineOf = (at: number, cells: string): string => {
    const time = seriesStart + at * GRID_MICROS
    return `${time},${time},${cells}`
  }
  for (const [side, sign] of [
    ['bid', -1],
    ['ask', 1],
  ] as const) {
    for (const at of [1, 2, 3, 4]) {
      book.push(lineOf(0, `true,${side},${60000 + sign * at * 0.5},${at * 100}`))
    }
  }
  for (const [number, { at, kind, isBuy, offset, size }] of deeds.entries()) {
    const price = 60000 + (isBuy ? -offset : offset) * 0.5
    const side = isBuy ? 'bid' : 'ask'
    if (kind === 'row') book.push(lineOf(at + 1, `false,${side},${price},${size * 10}`))
    else if (kind === 'snapshot') {
      book.push(lineOf(at + 1, `true,${side},${price},${(size + 1) * 10}`))
    } else if (kind === 'print') {
      const taker = size % 3 === 0 ? 'unknown' : isBuy ? 'sell' : 'buy'
      trades.push(lineOf(at + 1, `${number},${taker},${price},${(size + 1) * 10}`))
    }
  }
  writeFileSync(join(folder, 'book.csv'), tardisText('tardis.incremental_book_L2', book))
  writeFileSync(join(folder, 'trades.csv'), tardisText('tardis.trades', trades))
  const own = deeds.flatMap((deed) => requestOf(deed, closedInstruments.slice(0, 1)))
  const text = `version: 1
title: A random recorded market
start: 2026-01-05T09:00:00Z
until: ${until}
venue: { price_bands: false, self_match: cancel_maker }
${record}instruments: [BTC-PERPETUAL]
index: { btc_usd: 60000 }
accounts:
  first: { deposit: { BTC: 1000 } }
  second: { deposit: { BTC: 1000 } }
feeds:
  - { format: tardis.incremental_book_L2, path: book.csv, instrument: BTC-PERPETUAL, policy: { crossed: ${deeds.length % 2 === 0 ? 'keep' : 'skip'} } }
  - { format: tardis.trades, path: trades.csv, instrument: BTC-PERPETUAL }
steps:
${own.length === 0 ? '  []\n' : own.join('')}`
  return { text, folder }
}

/** Tables of a run with its digest. */
export interface RecordedTables {
  readonly rows: ReadonlyMap<string, readonly NaiveRow[]>
  readonly digest: string
  readonly hashes: readonly string[]
  readonly cuts: number
}

/**
 * Runs a scenario with its tables. With `cutEvery`, it discards the run and its results after that many items and
 * continues from their snapshots.
 */
export async function tablesOf(
  text: string,
  of: { readonly folder?: string; readonly cutEvery?: number; readonly series?: boolean } = {},
): Promise<RecordedTables> {
  const { folder = '.', cutEvery = Number.POSITIVE_INFINITY, series = true } = of
  const parsed = parseScenario(text, 'series.yaml')
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  const scenario = parsed.value
  const collected = createRowCollector()
  const options = { sha256: nodeSha256, onBlock: collected.onBlock }
  let results = createResultsSink(options)
  const hooks = (): RunHooks => ({
    ...{ sink: results, onEquity: results.recordEquity },
    ...(series ? { series: results } : {}),
  })
  let feeds = await feedsOf(scenario, folder)
  let run = createRun(scenario, hooks(), { market: feeds.market, seats: null })
  let cuts = 0
  for (;;) {
    const state = advanceRun(run, cutEvery)
    if (state === 'done') break
    if (state === 'failed') throw new Error(JSON.stringify(run.loop.fault))
    if (state === 'starved') {
      const filled = await feeds.refill()
      if (!filled.ok) throw new Error(formatInputError(filled.error.error))
      continue
    }
    const saved = snapshotRun(run)
    const rows = restoreResultsSink(results.snapshot(), options)
    if (!saved.ok || !rows.ok) throw new Error('a run between two things has a snapshot')
    results = rows.value
    await feeds.close()
    feeds = await feedsOf(scenario, folder)
    const parts = { market: feeds.market, seats: null }
    const restored = restoreRun(saved.value, scenario, { hooks: hooks(), parts })
    if (!restored.ok) throw new Error(restored.error)
    run = restored.value
    cuts += 1
  }
  finishRun(run)
  const { digest, tables } = closeRun(run, results)
  await feeds.close()
  return {
    rows: collected.rows,
    digest,
    hashes: tables.map(({ name, hash }) => `${name} ${hash}`),
    cuts,
  }
}

async function feedsOf(scenario: Scenario, folder: string) {
  const opened = await openRunFeeds(scenario.feeds, [folder])
  if (!opened.ok) throw new Error(opened.error.map(({ error }) => formatInputError(error)).join())
  return opened.value
}

function decimalText(value: number): string {
  return String(Number(value.toFixed(9)))
}
