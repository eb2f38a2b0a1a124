/**
 * The recorded feeds, read, merged and applied to a plain book, compared with figures that were counted from them by
 * other means.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { defined, formatInputError, instrumentId } from '../../src/core/index.ts'
import {
  createFeedCursor,
  defaultPolicies,
  type FeedBatch,
  type FeedColumns,
  type FeedCursor,
} from '../../src/feeds/index.ts'
import { type FeedFileOptions, openFeedFile } from '../../src/host/index.ts'
import { type MarketKind, type MarketMessage, rowSide } from '../../src/model/index.ts'
import { batchesOf } from '../support/feed-text.ts'
import { plainRows } from '../support/naive-feed.ts'
import { gapFileOf, optionBookColumns, perpetual, recordedFile } from '../support/recorded-feeds.ts'

function golden(name: string): Record<string, Record<string, unknown>> {
  return JSON.parse(readFileSync(recordedFile('golden', name), 'utf8'))
}

async function read(path: string, change: Partial<FeedFileOptions> = {}): Promise<FeedBatch[]> {
  const anyFile = { format: null, symbol: null, columns: null, sha256: null }
  const opened = await openFeedFile(path, { ...anyFile, ...change })
  if (!opened.ok) throw new Error(formatInputError(opened.error.error))
  const batches: FeedBatch[] = []
  for (;;) {
    const next = await opened.value.next()
    if (!next.ok) throw new Error(formatInputError(next.error.error))
    if (next.value === null) return batches
    batches.push(next.value)
  }
}

function cursorOf(
  kind: MarketKind,
  batches: readonly FeedBatch[],
  grid: { readonly tick9: number; readonly amountStep9: number },
): FeedCursor {
  const cursor = createFeedCursor({
    ...{ kind, files: [{ feed: 0, name: 'feed' }], clock: 'exchange', policies: defaultPolicies },
    ...{ instrument: { id: instrumentId(0), ...grid }, from: null, to: null },
  })
  for (const batch of batches) {
    const added = cursor.addBatch(batch, 0)
    if (!added.ok) throw new Error(formatInputError(added.error))
  }
  cursor.end()
  return cursor
}

/** Levels by price for each side, and a flag that is set if the book was ever crossed after a message. */
class PlainBook {
  readonly bids = new Map<number, number>()
  readonly asks = new Map<number, number>()

  apply({ rows, from, to, snapshot }: MarketMessage): void {
    if (snapshot) {
      this.bids.clear()
      this.asks.clear()
    }
    for (let at = from; at < to; at += 1) {
      const side = rows.side[at] === rowSide.sell ? this.asks : this.bids
      const [price = 0, amount = 0] = [rows.price[at], rows.amount[at]]
      if (amount === 0) side.delete(price)
      else side.set(price, amount)
    }
  }

  /** Price and amount of the best bid and ask. */
  best(): readonly [bid: readonly number[], ask: readonly number[]] {
    const bid = [...this.bids].reduce((a, b) => (b[0] > a[0] ? b : a), [-1, 0] as const)
    const ask = [...this.asks].reduce((a, b) => (b[0] < a[0] ? b : a), [Infinity, 0] as const)
    return [bid, ask]
  }
}

function counts(cursor: FeedCursor): Record<string, number> {
  return Object.fromEntries(cursor.qualityRows().map(({ check, count }) => [check, count]))
}

describe('a recorded perpetual', () => {
  const facts = golden('real-feed-checks.json')[perpetual.folder] ?? {}

  test('the book has the counted rows, messages and last levels', async () => {
    const batches = await read(recordedFile(perpetual.folder, perpetual.book))
    const cursor = cursorOf('book', batches, { tick9: 100_000_000, amountStep9: 100_000_000_000 })
    const book = new PlainBook()
    let crossed = 0
    let first: readonly number[] = []
    for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
      book.apply(next)
      if (first.length === 0) first = [book.bids.size, book.asks.size]
      // The search for the best price is slow here, so only some of the messages are checked.
      if (next.from % 97 !== 0) continue
      const [bid, ask] = book.best()
      if ((bid[0] ?? 0) >= (ask[0] ?? 0)) crossed += 1
    }
    const found = counts(cursor)
    expect([found['rows'], found['messages']]).toEqual([facts['l2_rows'], facts['event_groups']])
    expect([found['backward'], crossed]).toEqual([facts['timestamp_backsteps'], 0])
    expect([found['duplicate'], found['off_grid'], found['before_snapshot']]).toEqual([0, 0, 0])
    expect(first.every((levels) => levels >= Number(facts['snapshot_levels_per_side']))).toBe(true)
    const [bid, ask] = book.best()
    const shown = (best: readonly number[]): number[] => [...[(best[0] ?? 0) / 10, (best[1] ?? 0) * 100]]
    expect(shown(bid)).toEqual(facts['final_best_bid'])
    expect(shown(ask)).toEqual(facts['final_best_ask'])
    expect([book.bids.size, book.asks.size]).toEqual(facts['final_levels'])
  })

  test('the trades have the counted numbers and sums', async () => {
    const batches = await read(recordedFile(perpetual.folder, perpetual.trades))
    const rows = plainRows(batches)
    const grid = { tick9: 100_000_000, amountStep9: 100_000_000_000 }
    const found = counts(cursorOf('trades', batches, grid))
    expect([found['rows'], found['gap']]).toEqual([facts['trades'], facts['trade_id_gaps']])
    expect([found['duplicate'], found['backward'], found['unknown_side']]).toEqual([0, 0, 0])
    const usd = rows.reduce((sum, { amount }) => sum + amount, 0n)
    expect(usd).toBe(BigInt(Number(facts['trade_amount_usd'])) * 1_000_000_000n)
    const coins = rows.reduce((sum, { amount, price }) => sum + Number(amount) / Number(price), 0)
    expect(coins).toBeCloseTo(Number(facts['trade_amount_btc']), 9)
  })

  test('the clock of the recorder never goes back', async () => {
    const batches = await read(recordedFile(perpetual.folder, perpetual.book))
    const times = plainRows(batches).map(({ localTime }) => localTime)
    const steps = times.filter((time, at) => time < (times[at - 1] ?? 0))
    expect(steps.length).toBe(facts['local_timestamp_backsteps'])
  })
})

describe('captured books of options', () => {
  const capture = 'deribit/capture-2021-07-22'
  const grid = { tick9: 100_000, amountStep9: 100_000_000 }

  test('each ends with the best prices of its last ticker', async () => {
    const [head = '', ...lines] = readFileSync(recordedFile(capture, 'option_tickers.csv'), 'utf8').split('\n')
    const names = head.split(',')
    const last = new Map(
      lines.flatMap((line): [string, string[]][] => {
        const cells = line.split(',')
        return cells.length < names.length ? [] : [[cells[2] ?? '', cells]]
      }),
    )
    let messages = 0
    let snapshots = 0
    for (const [symbol, cells] of last) {
      // The book of this option is empty, so the file does not contain it.
      if (symbol === 'ETH-27AUG21-4000-P') continue
      const options = { format: 'csv', columns: optionBookColumns, symbol } as const
      const batches = await read(recordedFile(capture, 'book_l2.csv'), options)
      const cursor = cursorOf('book', batches, grid)
      const book = new PlainBook()
      for (let next = cursor.next(); next !== undefined; next = cursor.next()) book.apply(next)
      const found = counts(cursor)
      expect([found['gap'], found['duplicate'], found['off_grid']]).toEqual([0, 0, 0])
      messages += found['messages'] ?? 0
      snapshots += found['snapshots'] ?? 0
      const cell = (name: string): number => Number(cells[names.indexOf(name)])
      const [bid, ask] = book.best()
      // In a ticker, a side without levels has the price 0.
      const price = (ticks: number | undefined): number => {
        return ticks === undefined || ticks < 0 || ticks === Infinity ? 0 : ticks / 10_000
      }
      expect([symbol, price(bid[0]), (bid[1] ?? 0) / 10]).toEqual([
        ...[symbol, cell('best_bid_price'), cell('best_bid_amount')],
      ])
      expect([symbol, price(ask[0]), (ask[1] ?? 0) / 10]).toEqual([
        ...[symbol, cell('best_ask_price'), cell('best_ask_amount')],
      ])
    }
    const facts = golden('real-feed-checks.json')[capture] ?? {}
    expect(messages + 1).toBe(facts['book_messages'])
    expect(snapshots + 1).toBe(facts['snapshots'])
  })

  test('a broken chain of change ids is reported as a gap at its message', () => {
    const path = recordedFile('deribit/book-gap-2020-06-22/book.BTC-PERPETUAL.raw.jsonl')
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    const { text, lineOfRow } = gapFileOf(lines)
    const columns: FeedColumns = { ...optionBookColumns, local_timestamp: 'line' }
    const batches = batchesOf(text, { format: 'csv', columns })
    const cursor = cursorOf('book', batches, { tick9: 250_000_000, amountStep9: 10_000_000_000 })
    const book = new PlainBook()
    const tops = new Map<number, readonly number[]>()
    for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
      book.apply(next)
      const [bid, ask] = book.best()
      const line = defined(lineOfRow[(next.rows.row[next.from] ?? 0) - 1], 'a row has its line')
      tops.set(line, [(bid[0] ?? 0) / 4, (ask[0] ?? 0) / 4])
    }
    const expected = golden('book-gap.json')['lines'] as unknown as readonly {
      readonly line: number
      readonly best_bid?: number
      readonly best_ask?: number
    }[]
    for (const { line, best_bid: bid, best_ask: ask } of expected) {
      if (bid !== undefined) expect([line, tops.get(line)]).toEqual([line, [bid, ask]])
    }
    const gap = cursor.qualityRows().find(({ check }) => check === 'gap')
    expect([gap?.count, lineOfRow[(gap?.firstRow ?? 0) - 1]]).toEqual([1, 6])
  })
})
