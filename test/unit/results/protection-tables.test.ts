/** One query over the tables of a run explains why a quote was pulled. */
import { expect, test } from 'vitest'
import { formatInputError } from '../../../src/core/index.ts'
import { nodeSha256 } from '../../../src/host/index.ts'
import { createResultsSink, type TableName } from '../../../src/results/index.ts'
import { advanceRun, createRun, finishRun } from '../../../src/scenario/index.ts'
import { createRowCollector } from '../../support/block-rows.ts'
import type { NaiveRow } from '../../support/naive-columns.ts'
import { sound } from '../scenario/documents.ts'

function tablesOf(text: string): (table: TableName) => readonly NaiveRow[] {
  const collector = createRowCollector()
  const results = createResultsSink({ sha256: nodeSha256, onBlock: collector.onBlock })
  const run = createRun(sound(text), { sink: results })
  expect(advanceRun(run, Number.POSITIVE_INFINITY)).toBe('done')
  expect(finishRun(run).failures.map(formatInputError)).toEqual([])
  results.finish()
  return (table) => collector.rows.get(table) ?? []
}

/** The causes of cancelled orders: the rows of `protections` with the same cause and account. */
function whyPulled(rows: ReturnType<typeof tablesOf>): readonly object[] {
  return rows('orders')
    .filter(({ change }) => change === 'cancelled')
    .flatMap(({ order_id, reason, cause, account }) =>
      rows('protections')
        .filter((row) => row['cause'] === cause && row['account'] === account)
        .map((row) => ({ order_id, reason, kind: row['kind'], change: row['change'], row })),
    )
}

const market = `
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:00:10Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 100000 }
accounts:
  ann: { deposit: { BTC: 10 } }
  ben: { deposit: { BTC: 10 } }
`

test('names for a market maker the group, the limit that was reached, and the traded sums of the window', () => {
  const rows = tablesOf(`version: 1
title: A market maker is pulled
${market}steps:
  - { at: 1ms, as: ann, call: private/set_mmp_config, params: { index_name: btc_usd, interval: 5, frozen_time: 2, quantity_limit: 0.01, max_quote_quantity: 1 } }
  - { at: 2ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 99500, mmp: true } }
  - { at: 3ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 99000, mmp: true } }
  - { at: 4ms, as: ben, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 99500 } }
`)
  const changes = rows('protections').filter(({ kind }) => kind === 'mmp')
  expect(changes.map(({ change }) => change)).toEqual([...['configured', 'window_opened', 'triggered', 'unfrozen']])
  const [, trip] = whyPulled(rows) as readonly { readonly [part: string]: unknown }[]
  expect(trip).toMatchObject({
    ...{ order_id: 2n, reason: 'mmp_trigger', kind: 'mmp', change: 'triggered' },
    row: {
      ...{ account: 'ann', group: 'btc_usd', mmp_group: 1, index_name: 'btc_usd' },
      ...{ trigger: 'quantity', quantity_limit: 10_000_000n, delta_limit: null },
      ...{ interval: 5_000_000n, frozen_time: 2_000_000n, cancelled: 1, instrument: null },
      // 1,000 USD at 99,500.
      quantity: 10_050_251n,
    },
  })
  const triggered = changes[2] as NaiveRow
  expect(Number(triggered['until']) - Number(triggered['time'])).toBe(2_000_000)
  const own = rows('orders').filter(({ account }) => account === 'ann')
  expect(new Set(own.map(({ mmp_group }) => mmp_group))).toEqual(new Set([1]))
})

test('names for a session how it ended, and how many orders ended with it', () => {
  const rows = tablesOf(`version: 1
title: A session ends
${market}steps:
  - { at: 1ms, as: ann, session: 7, call: private/enable_cancel_on_disconnect, params: { scope: connection } }
  - { at: 2ms, as: ann, session: 7, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 99500 } }
  - { at: 3ms, call: sim/disconnect, params: { session: 7 } }
`)
  expect(whyPulled(rows)).toMatchObject([
    {
      ...{ order_id: 1n, reason: 'cancel_on_disconnect', kind: 'session', change: 'closed' },
      row: { session: 7n, session_kind: 'web_socket', reason: 'disconnect', cancelled: 1 },
    },
  ])
  expect(rows('orders').map(({ session, origin }) => [session, origin])).toEqual([
    [7n, null],
    [7n, null],
  ])
})

test('names the kind of a lock by staff, and the bucket of a rate limit', () => {
  const rows = tablesOf(`version: 1
title: Locks and limits
${market}venue: { rate_limits: { trading: { rate: 0, burst: 1 } } }
steps:
  - { at: 1ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 99500 } }
  - { at: 2ms, as: ann, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1000, price: 99500 }, expect: { error: { code: 10028 } } }
  - { at: 3ms, call: sim/lock_positions, params: { account: ann } }
`)
  expect(whyPulled(rows)).toMatchObject([
    {
      ...{ reason: 'position_locked', kind: 'position_lock', change: 'on' },
      row: { cancelled: 1, until: null },
    },
  ])
  const [limit] = rows('protections')
  expect(limit).toMatchObject({ kind: 'rate_limit', change: 'acted', group: 'trading' })
})
