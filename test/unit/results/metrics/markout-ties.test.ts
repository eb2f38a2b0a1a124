/** Markouts if the book changes exactly at their time: they use the book before the change. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type RunReport, runDocument } from '../../../../src/node.ts'
import { tardisText } from '../../../support/feed-text.ts'

const home = mkdtempSync(join(tmpdir(), 'pitclock-markouts-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const begin = 1_767_603_600_000_000

function row(micros: number, rest: string): string {
  return `${begin + micros},${begin + micros},${rest}`
}

/** The book changes its ask by these prices, each at its time after the start. */
const asks: readonly (readonly [micros: number, price: number])[] = [
  [1_000_000, 60_011],
  [2_000_000, 60_021],
  [5_999_999, 60_031],
  [6_000_000, 60_041],
]

async function figuresOf(order: object): Promise<Readonly<Record<string, number | null>>> {
  const book = [row(0, 'true,bid,60000,1000'), row(0, 'true,ask,60001,1000')]
  let last = 60_001
  for (const [micros, price] of asks) {
    book.push(row(micros, `false,ask,${last},0`), row(micros, `false,ask,${price},1000`))
    last = price
  }
  writeFileSync(join(home, 'book.csv'), tardisText('tardis.incremental_book_L2', book))
  const trades = tardisText('tardis.trades', [row(1_000_000, '1,sell,60000.5,800')])
  writeFileSync(join(home, 'trades.csv'), trades)
  const feed = { instrument: 'BTC-PERPETUAL' }
  const document = {
    version: 1,
    title: 'Markouts at ties',
    start: '2026-01-05T09:00:00Z',
    until: '2026-01-05T09:00:20Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 60_000 },
    accounts: { ann: { deposit: { BTC: 1 } } },
    feeds: [
      { ...feed, format: 'tardis.incremental_book_L2', path: 'book.csv' },
      { ...feed, format: 'tardis.trades', path: 'trades.csv' },
    ],
    steps: [order],
  }
  const run = await runDocument(document, { folder: home })
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  const report: RunReport = run.value
  return report.metrics.accounts[0]?.currencies[0]?.figures ?? {}
}

const bps = (mid: number, price: number): number => ((mid - price) / price) * 10_000

test('a maker filled by a print sees no row of the same time, and none of the time at which it looks', async () => {
  const params = { instrument_name: 'BTC-PERPETUAL', amount: 500, price: 60_000.5 }
  const figures = await figuresOf({ at: '500ms', as: 'ann', call: 'private/buy', params })
  // It was filled at 1 s, when the ask went to 60,011; bids are at 60,000.
  expect(figures['markout_maker_0s']).toBeCloseTo(bps(60_000.5, 60_000.5), 9)
  expect(figures['markout_maker_1s']).toBeCloseTo(bps(60_005.5, 60_000.5), 9)
  // The row a microsecond before counts, that of the very time does not.
  expect(figures['markout_maker_5s']).toBeCloseTo(bps(60_015.5, 60_000.5), 9)
  expect(figures['markout_maker_30s']).toBeNull()
})

test('a taker at the time of a row came after it, and sees the book without its fills', async () => {
  const params = { instrument_name: 'BTC-PERPETUAL', amount: 500, type: 'market' }
  const figures = await figuresOf({ at: '1s', as: 'ann', call: 'private/buy', params })
  expect(figures['markout_taker_0s']).toBeCloseTo(bps(60_005.5, 60_011), 9)
  expect(figures['markout_taker_1s']).toBeCloseTo(bps(60_005.5, 60_011), 9)
  const all = { ...params, amount: 1000 }
  const emptied = await figuresOf({ at: '1s', as: 'ann', call: 'private/buy', params: all })
  expect(emptied['markout_taker_0s']).toBeNull()
})
