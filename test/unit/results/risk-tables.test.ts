/**
 * The tables of runs that liquidate accounts: the story of a liquidation, its locks, the use of the liquidity support
 * programme, and figures of performance that add up with all of it.
 */
import { expect, test } from 'vitest'
import { formatInputError } from '../../../src/core/index.ts'
import { nodeSha256 } from '../../../src/host/index.ts'
import type { Event } from '../../../src/model/index.ts'
import { type AccountPerformance, createResultsSink, type TableName } from '../../../src/results/index.ts'
import { advanceRun, createRun, finishRun } from '../../../src/scenario/index.ts'
import { createRowCollector } from '../../support/block-rows.ts'
import type { NaiveRow } from '../../support/naive-columns.ts'
import { PerformanceWatch } from '../../support/performance-watch.ts'
import { sound } from '../scenario/documents.ts'

interface Ended {
  readonly rows: (table: TableName) => readonly NaiveRow[]
  readonly performance: readonly AccountPerformance[]
}

/** A run to its end. The performance itself asserts that its parts add up to the accounts' gains. */
function ended(text: string): Ended {
  const collector = createRowCollector()
  const results = createResultsSink({ sha256: nodeSha256, onBlock: collector.onBlock })
  const events: Event[] = []
  const sink = {
    emit: (event: Event): void => {
      results.emit(event)
      events.push(event)
    },
  }
  const run = createRun(sound(text), { sink, onEquity: (record) => results.recordEquity(record) })
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  expect(finishRun(run).failures.map(formatInputError)).toEqual([])
  results.finish()
  const watch = new PerformanceWatch(run.desk.exchange)
  watch.see(events)
  return {
    rows: (table) => collector.rows.get(table) ?? [],
    performance: watch.finish(),
  }
}

/** Some columns of rows, a line each. */
function lines(rows: readonly NaiveRow[], ...columns: readonly string[]): readonly string[] {
  return rows.map((row) => columns.map((column) => String(row[column] ?? '-')).join(' '))
}

test('a long account is liquidated step by step, and locked meanwhile', () => {
  const { rows, performance } = ended(`version: 1
title: A long account is liquidated
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:00:20Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 100000 }
venue: { marks: index }
accounts:
  ann: { deposit: { BTC: 0.03 }, positions: { BTC-PERPETUAL: { amount: 100000, price: 100000 } } }
  ben: { deposit: { BTC: 10 } }
steps:
  - { at: 100ms, as: ann, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 101000, reduce_only: true } }
  - { at: 200ms, as: ben, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 500000, price: 97900 } }
  - { at: 300ms, call: sim/set_index, params: { index_name: btc_usd, price: 98000 } }
`)
  const story = rows('liquidations')
  expect(lines(story, 'kind', 'round', 'rule', 'route', 'position_before', 'closed')).toEqual([
    'started 1 - - - -',
    'step 1 reduces_delta book 100000000000000 12500000000000',
    'step 2 reduces_delta book 87500000000000 10940000000000',
    'step 3 reduces_delta book 76560000000000 9570000000000',
    'step 4 reduces_delta book 66990000000000 8380000000000',
    'step 5 reduces_delta book 58610000000000 7330000000000',
    'ended 5 - - - -',
  ])
  expect(lines(story.slice(-1), 'outcome', 'margin_balance', 'maintenance_margin')).toEqual(['healthy 5351650 5246343'])
  expect(lines(rows('protections'), 'kind', 'change', 'account', 'group')).toEqual([
    'lock locked ann BTC',
    'lock unlocked ann BTC',
  ])
  const cancelled = rows('orders').filter(({ change }) => change === 'cancelled')
  expect(lines(cancelled, 'account', 'reason', 'origin')).toEqual(['ann autoliquidation -'])
  const placed = rows('orders').filter(({ origin }) => origin === 'liquidation')
  expect(new Set(lines(placed, 'account', 'type', 'time_in_force'))).toEqual(new Set(['ann limit immediate_or_cancel']))
  expect(lines(rows('trades'), 'liquidation')).toEqual(['T', 'T', 'T', 'T', 'T'])
  const paid = rows('fills').filter(({ account }) => account === 'ann')
  expect(paid.every(({ fee, fund_fee }) => Number(fund_fee) > 0 && Number(fund_fee) <= Number(fee))).toBe(true)
  expect(performance.map(({ account }) => account)).toEqual(['ann', 'ben'])
})

test('a participant takes over, its window opens, and traders on the other side close the rest', () => {
  const { rows, performance } = ended(`version: 1
title: A participant takes over
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:10:00Z
instruments: [SOL_USDC-PERPETUAL]
index: { sol_usdc: 100 }
venue: { marks: index }
accounts:
  ann: { deposit: { USDC: 700 }, positions: { SOL_USDC-PERPETUAL: { amount: 100, price: 100 } } }
  ben: { deposit: { USDC: 50000 }, positions: { SOL_USDC-PERPETUAL: { amount: -100, price: 100 } } }
  sam: { deposit: { USDC: 1000 }, lsp: { group_limits: { 2: 20 } } }
steps:
  - { at: 300ms, call: sim/set_index, params: { index_name: sol_usdc, price: 94 } }
`)
  const story = rows('liquidations').slice(0, 7)
  expect(lines(story, 'kind', 'account', 'route', 'closed', 'change', 'position')).toEqual([
    'started ann - - - -',
    // A fifth of an equity of 1,000 USDC is 2.1 SOL at 93.765, a quarter of a percent below the mark.
    'transfer ann lsp - -2100000000 97900000000',
    'transfer sam lsp - 2100000000 2100000000',
    'step ann lsp 2100000000 - -',
    'transfer ann adl - -10400000000 87500000000',
    'transfer ben adl - 10400000000 -89600000000',
    'step ann adl 10400000000 - -',
  ])
  // The counterparty of a deleveraging receives a half of the commission, the fund the rest.
  expect(lines(story.slice(1), 'asked', 'price', 'realized', 'commission')).toEqual([
    '- 93765000000 -13093500000 49226630',
    '- 93765000000 0 0',
    '12500000000 93765000000 - -',
    '- 93765000000 -64844000000 243789000',
    '- 93765000000 64844000000 -121894500',
    '10400000000 93765000000 - -',
  ])
  const start = 1_767_603_600_000_000
  const moments = rows('protections').map((row) => ({
    ...row,
    at: Number(row['time']) - start,
    begins: row['from'] === null ? null : Number(row['from']) - start,
    ends: row['until'] === null ? null : Number(row['until']) - start,
  }))
  expect(lines(moments, 'at', 'kind', 'change', 'account', 'group', 'limit', 'used', 'begins', 'ends')).toEqual([
    '0 lsp admitted sam - - - - -',
    '0 lsp limit_set sam 2 200000000 - - -',
    '1000000 lock locked ann USDC - - - -',
    '1000000 lsp window_opened sam 2 200000000 0 1000000 301000000',
    '1000000 lsp used sam 2 200000000 196906500000 1000000 301000000',
    '7000000 lock unlocked ann USDC - - - -',
    '301000000 lsp window_reset sam 2 200000000 0 - -',
  ])
  const [ann, ben, sam] = performance.map(({ currencies }) => currencies[0])
  expect(ann?.commissions).toBeGreaterThan(1_000_000_000n)
  expect(ben?.commissions).toBeLessThan(-500_000_000n)
  expect(sam).toMatchObject({ commissions: 0n, fills: 0, fees: 0n })
})

test('an option is bought, marked, and delivered', () => {
  const { rows, performance } = ended(`version: 1
title: An option is delivered
start: 2026-01-06T07:00:00Z
until: 2026-01-06T08:00:10Z
instruments: [BTC-6JAN26-100000-C]
index: { btc_usd: 100000 }
venue: { smiles: { btc_usd: { atm: 0.5 } } }
record: { equity: 30m }
accounts:
  ann: { deposit: { BTC: 1 } }
  ben: { deposit: { BTC: 1 } }
steps:
  - { at: 1s, as: ben, call: private/sell, params: { instrument_name: BTC-6JAN26-100000-C, amount: 1, price: 0.005 } }
  - { at: 2s, as: ann, call: private/buy, params: { instrument_name: BTC-6JAN26-100000-C, amount: 1, type: market } }
  - { at: 10m, call: sim/set_index, params: { index_name: btc_usd, price: 101000 } }
`)
  expect(lines(rows('trades'), 'price', 'iv', 'underlying_price')).toEqual(['5000000 1173371418 100000000000000'])
  expect(lines(rows('fills'), 'account', 'premium', 'fee', 'realized')).toEqual([
    'ben 5000000 300000 0',
    'ann -5000000 300000 0',
  ])
  const marks = rows('marks').filter(({ kind }) => kind === 'mark')
  expect(lines(marks.slice(0, 1), 'price', 'source', 'iv', 'underlying_price')).toEqual([
    '2131220 model 500000000 100000000000000',
  ])
  // 1000 / 101000 BTC, of which 0.005 was paid.
  expect(lines(rows('settlements'), 'account', 'type', 'session_profit_loss', 'balance')).toEqual([
    'ann delivery 9900990 1004600990',
    'ben delivery -9900990 994799010',
    '- delivery 0 -',
  ])
  // At the deposit, at 07:30, and at 08:00 when it is delivered.
  const [first, before, after] = rows('equity').filter(({ account }) => account === 'ann')
  expect(first?.['balance']).toBe(1_000_000_000n)
  expect(before?.['balance']).toBe(994_700_000n)
  expect(Number(before?.['options_value'])).toBeGreaterThan(9_900_000)
  expect(before?.['equity']).toBe(994_700_000n + BigInt(before?.['options_value'] ?? 0))
  expect(after).toMatchObject({ equity: 1_004_600_990n, options_value: 0n })
  expect(performance.map(({ currencies }) => currencies[0])).toMatchObject([
    { price: 4_900_990n, fees: 300_000n, total: 4_600_990n, turnover: 5_000_000n },
    { price: -4_900_990n, fees: 300_000n, total: -5_200_990n, turnover: 5_000_000n },
  ])
})
