/**
 * The library without files: a backtest through the browser entry point, driven by hand, and the same one as a document
 * with strategies as objects.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { stateHash } from '../../src/engine.ts'
import { createFeedReader, type FeedCursor, type FeedFormat } from '../../src/feeds.ts'
import {
  advanceRun,
  closeRun,
  createResultsSink,
  createRun,
  defineStrategy,
  finishRun,
  formatInputError,
  type InputError,
  openMarket,
  openSeats,
  parseScenario,
  pureSha256,
  type Result,
  type RunDigest,
  type RunOutcome,
  type Scenario,
} from '../../src/index.ts'
import { runDocument } from '../../src/node.ts'
import { repository } from '../support/repository.ts'

const folder = join(repository, 'data/recorded-market')
const names = ['incremental_book_L2.csv.gz', 'trades.csv.gz'] as const
/** The files that a browser would have fetched. */
const texts = names.map((name) => new Uint8Array(gunzipSync(readFileSync(join(folder, name)))))

interface Params {
  readonly size: number
  readonly below: number
}

/** Keeps one bid below the mid, and sells its fills at the market. */
const dipper = defineStrategy<Params>(({ size, below }) => {
  let isAsked = false
  const instrument_name = 'BTC-PERPETUAL'
  return {
    onBook: (view, venue) => {
      if (isAsked || !view.isTwoSided) return
      const price = venue.price(instrument_name, view.mid - below, 'down')
      venue.request('private/buy', { instrument_name, amount: size, price, label: 'dip' })
      isAsked = true
    },
    onFill: (fill, venue) => {
      if (fill.direction !== 'buy') return
      const amount = fill.amount
      venue.request('private/sell', { instrument_name, amount, type: 'market' })
    },
    onOrder: (order) => {
      if (order.label === 'dip' && order.order_state !== 'open') isAsked = false
    },
  }
})

const instrument = 'BTC-PERPETUAL'
const document = {
  version: 1,
  title: 'A backtest without files',
  start: '2026-01-05T09:00:00Z',
  until: '2026-01-05T09:20:00Z',
  instruments: [instrument],
  index: { from: 'mid' },
  accounts: { ann: { deposit: { BTC: 1 } } },
  feeds: [
    { format: 'tardis.incremental_book_L2', path: names[0], instrument },
    { format: 'tardis.trades', path: names[1], instrument },
  ],
  strategies: [
    {
      ...{ account: 'ann', module: 'dipper', params: { size: 100, below: 1 } },
      latency: { feed: '2ms', entry: '5ms', response: '5ms' },
    },
  ],
}

function unwrap<T>(result: Result<T, InputError | readonly InputError[]>): T {
  if (result.ok) return result.value
  throw new Error([result.error].flat().map(formatInputError).join('\n'))
}

/** Pushes a recorded text into its cursor piece by piece, as the run asks for it. */
function pusherOf(
  { format, cursor }: { readonly format: FeedFormat; readonly cursor: FeedCursor },
  text: Uint8Array,
  pieceBytes: number,
): () => void {
  if (format === 'tape') throw new Error('a tape is no text')
  const reader = createFeedReader({
    ...{ format, symbol: null, columns: null, file: 'pushed' },
    parseRecord: (line, delimiter) => ({ ok: true, value: line.split(delimiter) }),
  })
  let at = 0
  return () => {
    while (cursor.isStarved) {
      const piece = text.subarray(at, at + pieceBytes)
      at += piece.length
      const isOver = piece.length === 0
      const batches = unwrap(isOver ? reader.end() : reader.push(piece))
      for (const batch of batches) unwrap(cursor.addBatch(batch, 0))
      if (!isOver) continue
      cursor.endFile(0, reader.totals)
      cursor.end()
    }
  }
}

interface HandMade {
  readonly outcome: RunOutcome
  readonly digest: RunDigest
  readonly state: string
}

/** Opens the parts of a run, drives it to its end and closes it, all by hand. */
function runByHand(scenario: Scenario, pieceBytes: number): HandMade {
  const market = openMarket(scenario.feeds)
  const refills = scenario.feeds.map(({ format }, at) => {
    const [cursor, text] = [market?.cursors[at], texts[at]]
    if (cursor === undefined || text === undefined) throw new Error('every feed has its text')
    return pusherOf({ format, cursor }, text, pieceBytes)
  })
  const seats = unwrap(
    openSeats(
      scenario.strategies.map(({ account, module, params, latency }) => ({
        ...{ name: module, account, params, latency, definition: dipper },
      })),
    ),
  )
  const results = createResultsSink({ sha256: pureSha256, onBlock: null })
  const hooks = { sink: results, onEquity: results.recordEquity }
  const run = createRun(scenario, hooks, { market, seats })
  for (let state = advanceRun(run, 1000); state !== 'done'; state = advanceRun(run, 1000)) {
    if (state === 'failed') throw new Error('the run failed')
    if (state === 'starved') for (const refill of refills) refill()
  }
  const outcome = finishRun(run)
  return { outcome, digest: closeRun(run, results), state: stateHash(run.desk.exchange) }
}

describe('a backtest without files', () => {
  const scenario = unwrap(parseScenario(JSON.stringify(document), 'made here'))

  test('U06 is the run, to the digest, that a document with the strategy as an object is', async () => {
    const made = runByHand(scenario, 65_536)
    const run = await runDocument(document, { folder, strategies: { dipper } })
    if (!run.ok) throw new Error(run.error.lines.join('\n'))
    const { state_hash, events, trades, requests, tables, digest } = run.value
    expect(made.state).toBe(state_hash)
    expect(made.outcome.counts).toMatchObject({ events, trades, requests })
    expect(made.digest).toEqual({ digest, tables })
    expect(made.outcome.failures).toEqual([])
    // It did trade, on both sides.
    expect(trades).toBeGreaterThan(4)
    expect(run.value.performance.find(({ account }) => account === 'ann')).toMatchObject({
      currencies: [{ currency: 'BTC' }],
    })
  })

  test('does not depend on how its bytes are cut', () => {
    const [first, second] = [9_973, 1 << 20].map((bytes) => runByHand(scenario, bytes))
    expect(first).toEqual(second)
  })

  test('a strategy that no object is given for is looked for as a module', async () => {
    const run = await runDocument(document, { folder })
    expect(run.ok ? [] : run.error.lines).toEqual([
      expect.stringMatching(
        /^the document:1:\d+: strategies\.0\.module: expected a module \(\.ts, \.mts, \.js, \.mjs\), found dipper/,
      ),
    ])
  })

  test('a run does not begin without the market and the seats of its scenario', () => {
    expect(() => createRun(scenario, {})).toThrow('expected the market of all feeds')
    const market = openMarket(scenario.feeds)
    expect(() => createRun(scenario, {}, { market, seats: null })).toThrow('expected a seat for each strategy')
  })
})
