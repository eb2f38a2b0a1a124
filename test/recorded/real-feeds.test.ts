/**
 * The recorded feeds in whole runs: text, tapes, journal and snapshots give one digest, the figures equal those counted
 * from the files by other means, and the tables of a run satisfy the laws of fills.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import marketMaker from '../../scenarios/backtest/market-maker.ts'
import taker from '../../scenarios/backtest/taker.ts'
import { defined, formatInputError } from '../../src/core/index.ts'
import { convertFeed, type RunReport, readTable, runDocument, runFile } from '../../src/host/index.ts'
import { runWithCuts } from '../support/backtest-run.ts'
import { perpetual, recordedFile } from '../support/recorded-feeds.ts'

/** The strategies are objects: a module would be translated again, with the package, for each run. */
const strategies = { maker: marketMaker, taker }
const bookPath = recordedFile(perpetual.folder, perpetual.book)
const tradesPath = recordedFile(perpetual.folder, perpetual.trades)
const facts = golden(perpetual.folder)

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-real-feeds-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function golden(feed: string): Record<string, unknown> {
  const text = readFileSync(recordedFile('golden', 'real-feed-checks.json'), 'utf8')
  return (JSON.parse(text) as Record<string, Record<string, unknown>>)[feed] ?? {}
}

/** The recorded perpetual as a scenario; its paths are relative to `home`. */
function perpetualScenario(
  rest: object,
  [book, trades] = [relative(home, bookPath), relative(home, tradesPath)],
): object {
  const instrument = 'BTC-PERPETUAL'
  // The files come from another venue, which uses another name for the contract.
  const symbol = 'BTCUSD_PERP'
  return {
    version: 1,
    title: 'A real perpetual',
    start: '2024-08-08T23:54:17Z',
    instruments: [{ name: instrument, tick_size: 0.1 }],
    index: { from: 'mid' },
    record: { feed: true },
    feeds: [
      { format: 'tardis.incremental_book_L2', path: book, instrument, symbol },
      { format: 'tardis.trades', path: trades, instrument, symbol },
    ],
    ...rest,
  }
}

/** Both example strategies, each with its own account. */
function bothStrategies(): object {
  const instrument = 'BTC-PERPETUAL'
  return {
    accounts: { maker: { deposit: { BTC: 5 } }, taker: { deposit: { BTC: 5 } } },
    strategies: [
      {
        account: 'maker',
        module: 'maker',
        params: {
          ...{ instrument, half_spread: 2, size: 1000, max_position: 20_000 },
          ...{ skew: 0.5, levels: 2, requote: 1 },
        },
        latency: { feed: '2ms', entry: '5ms', response: '5ms' },
      },
      {
        account: 'taker',
        module: 'taker',
        params: {
          ...{ instrument, size: 500, max_position: 2000 },
          ...{ imbalance: 0.8, hold: '5s', pause: '500ms' },
        },
        latency: { feed: '10ms', entry: '20ms', response: '20ms' },
      },
    ],
  }
}

async function reportOf(run: ReturnType<typeof runFile>): Promise<RunReport> {
  const done = await run
  if (!done.ok) throw new Error(done.error.lines.join('\n'))
  expect(done.value.failures).toEqual([])
  return done.value
}

type Row = Readonly<Record<string, bigint | number | boolean | string | null>>

async function rowsOf(folder: string, table: string): Promise<readonly Row[]> {
  const opened = await readTable(folder, table)
  if (!opened.ok) throw new Error(formatInputError(opened.error))
  const rows: Row[] = []
  for await (const batch of opened.value.batches()) rows.push(...batch)
  await opened.value.close()
  return rows
}

/** The amounts of a packed file in 1e-9, row after row. */
function amountsIn(path: string): readonly bigint[] {
  const lines = gunzipSync(readFileSync(path)).toString('latin1').trimEnd().split('\n')
  return lines.slice(1).map((line) => BigInt(line.slice(line.lastIndexOf(',') + 1)) * 10n ** 9n)
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n)
}

describe('a recorded perpetual under both example strategies', () => {
  let report: RunReport
  let out = ''
  beforeAll(async () => {
    out = join(home, 'both')
    const document = perpetualScenario(bothStrategies())
    const run = runDocument(document, { folder: home, strategies, out, exact: true })
    report = await reportOf(run)
  })

  test('its journal, tapes in place of its files, and snapshots give the same digest', async () => {
    const expected = [report.digest, report.state_hash]
    const feeds = recordedFile(perpetual.folder)
    const journal = await reportOf(runFile(join(out, 'journal.jsonl'), { feeds }))
    expect([journal.digest, journal.state_hash]).toEqual(expected)

    const tapes: [string, string] = ['book.arrow', 'trades.arrow']
    for (const [at, path] of [bookPath, tradesPath].entries()) {
      const converted = await convertFeed(path, join(home, tapes[at] ?? ''), {
        ...{ format: null, symbol: null, columns: null, sha256: null, force: true },
      })
      expect(converted.ok).toBe(true)
    }
    const document = perpetualScenario(bothStrategies(), tapes)
    const taped = await reportOf(runDocument(document, { folder: home, strategies }))
    expect([taped.digest, taped.state_hash]).toEqual(expected)
  })

  test('a run cut by snapshots has the same events', async () => {
    const file = join(home, 'both.yaml')
    // JSON is valid YAML.
    writeFileSync(file, JSON.stringify(perpetualScenario(bothStrategies())))
    // Tables that are written at the end are left out here, so the digest differs from that of the run.
    const whole = await runWithCuts(file, Number.POSITIVE_INFINITY, strategies)
    const cut = await runWithCuts(file, 20_011, strategies)
    expect(cut).toMatchObject({ digest: whole.digest, events: whole.events })
    expect(whole.events).toBe(report.events)
    expect(cut.cuts).toBeGreaterThan(2)
  })

  test('it has the counted rows and messages, and no finding except steps back in time', async () => {
    const [book, trades] = report.feeds
    expect([book?.rows, book?.messages]).toEqual([facts['l2_rows'], facts['event_groups']])
    expect(trades).toMatchObject({ rows: facts['trades'], findings: {} })
    const quality = await rowsOf(out, 'feed_quality')
    const countOf = (feed: number, check: string): number =>
      Number(quality.find((row) => row['feed'] === feed && row['check'] === check)?.['count'])
    expect(countOf(0, 'rows')).toBe(facts['l2_rows'])
    expect(countOf(0, 'messages')).toBe(facts['event_groups'])
    expect(countOf(0, 'backward')).toBe(facts['timestamp_backsteps'])
    expect(countOf(0, 'crossed')).toBe(facts['crossed_after_any_group'])
    expect(countOf(1, 'rows')).toBe(facts['trades'])
    expect(countOf(1, 'gap')).toBe(facts['trade_id_gaps'])
  })

  test('no row of the feed fills more than its size', async () => {
    const sizes = [amountsIn(bookPath), amountsIn(tradesPath)]
    const filled = new Map<string, bigint>()
    for (const fill of await rowsOf(out, 'fills')) {
      if (fill['feed_row'] === null || fill['order_id'] === 0n) continue
      const row = `${fill['feed']}/${fill['feed_row']}`
      filled.set(row, (filled.get(row) ?? 0n) + BigInt(defined(fill['amount'] ?? undefined, 'set')))
    }
    const excess = [...filled].filter(([row, amount]) => {
      const [feed = 0, number = 0] = row.split('/').map(Number)
      return amount > (sizes[feed]?.[number - 1] ?? 0n)
    })
    expect(excess).toEqual([])
    expect(filled.size).toBeGreaterThan(50)
    // Some fills use the full size of their row, so the law is tight.
    const exact = [...filled].filter(([row, amount]) => {
      const [feed = 0, number = 0] = row.split('/').map(Number)
      return amount === sizes[feed]?.[number - 1]
    })
    expect(exact.length).toBeGreaterThan(0)
  })

  test('every fill shows its rule, and all positions sum to zero', async () => {
    const fills = await rowsOf(out, 'fills')
    const own = fills.filter((fill) => fill['order_id'] !== 0n)
    const unexplained = own.filter((fill) => {
      const isOfBook = fill['rule'] === 'book_maker' || fill['rule'] === 'book_taker'
      const hasRow = fill['feed'] !== null && Number(fill['feed_row']) >= 1
      return isOfBook ? hasRow || fill['counter_order_id'] === 0n : !hasRow
    })
    expect(unexplained).toEqual([])
    expect(new Set(own.map((fill) => fill['account']))).toEqual(new Set(['maker', 'taker']))
    const rules = new Set(own.map((fill) => fill['rule']))
    expect(rules).toContain('print_at_price')
    expect(rules).toContain('print_through')
    expect(rules).toContain('level_taken')

    const last = new Map<unknown, Row>()
    for (const fill of fills) last.set(fill['account'], fill)
    const held = [...last.values()].map((fill) => fill['position'] as bigint)
    expect([...last.keys()].sort()).toEqual(['maker', 'market', 'taker'])
    expect(sumOf(held)).toBe(0n)
    const positions = await rowsOf(out, 'positions')
    expect(sumOf(positions.map((row) => row['size'] as bigint))).toBe(0n)
  })
})

describe('a recorded perpetual alone', () => {
  test('ends with the counted book, and its table has every print', async () => {
    const out = join(home, 'alone')
    const replies = join(home, 'replies.jsonl')
    const rest = {
      until: '2024-08-09T00:00:02Z',
      steps: [
        {
          at: '2024-08-09T00:00:02Z',
          call: 'public/get_order_book',
          params: { instrument_name: 'BTC-PERPETUAL', depth: 10_000 },
        },
      ],
    }
    await reportOf(runDocument(perpetualScenario(rest), { folder: home, out, exact: true, replies }))
    const lines = readFileSync(replies, 'utf8').trimEnd().split('\n')
    const { result } = JSON.parse(lines.at(-1) ?? '') as { result: OrderBookReply }
    expect([result.best_bid_price, result.best_bid_amount]).toEqual(facts['final_best_bid'])
    expect([result.best_ask_price, result.best_ask_amount]).toEqual(facts['final_best_ask'])
    expect([result.bids.length, result.asks.length]).toEqual(facts['final_levels'])
    expect(result.bids[0]).toEqual(facts['final_best_bid'])

    const trades = await rowsOf(out, 'trades')
    expect(trades).toHaveLength(Number(facts['trades']))
    expect(new Set(trades.map((trade) => trade['trade_id']))).toEqual(new Set([0n]))
    expect(trades.map((trade) => trade['amount'])).toEqual(amountsIn(tradesPath))
    expect(sumOf(trades.map((trade) => trade['amount'] as bigint))).toBe(
      BigInt(Number(facts['trade_amount_usd'])) * 10n ** 9n,
    )
    const words = ['plus', 'zero_plus', 'minus', 'zero_minus']
    const counted = words.map((word) => trades.filter((row) => row['tick_direction'] === word))
    const rule = 'tick_direction_counts_by_the_0123_rule_first_trade_0'
    const [plus = 0, zeroPlus = 0, minus, zeroMinus] = Object.values(facts[rule] as Record<string, number>)
    // The first trade has no predecessor: the venue calls this no change, and the figures count it as a rise.
    expect(counted.map((rows) => rows.length)).toEqual([plus - 1, zeroPlus + 1, minus, zeroMinus])
  })
})

interface OrderBookReply {
  readonly best_bid_price: number
  readonly best_bid_amount: number
  readonly best_ask_price: number
  readonly best_ask_amount: number
  readonly bids: readonly (readonly number[])[]
  readonly asks: readonly (readonly number[])[]
}
