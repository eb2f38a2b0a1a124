/**
 * Law: snapshot, restore, continue equals continue, for a run with waiting, hidden, reduce-only and linked orders: cut
 * at any command it gives the same events, hashes and bytes.
 */

import { describe, expect, test } from 'vitest'
import { apply, createExchange, snapshot } from '../../src/engine/index.ts'
import { expectSameFromEachCut, restored } from '../support/cut-runs.ts'
import { wordOf } from '../support/event-words.ts'
import { idOf, type Market, market } from '../support/harness.ts'

/** A run with live orders of every kind, at each of their stages. */
function everyOrder(): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, BTC_USDC: { routing: 'third_party' } },
    accounts: {
      alice: { BTC: '10', USDC: '1000000' },
      bob: { BTC: '10', USDC: '1000000' },
    },
    index: { btc_usd: '50000', btc_usdc: '50000' },
  })
  m.openAccount('carol', 'bob')
  m.deposit('carol', 'BTC', '5')
  m.selfTrading('carol', 'cancel_maker', true)
  const trigger = { source: 'mark_price', price: '49600' } as const
  const stop = { side: 'sell', amount: '100', type: 'stop_market', trigger } as const
  const profit = { side: 'sell', amount: '100', price: '50400', label: 'profit' } as const
  const far = { source: 'index_price', price: '50300' } as const
  m.sell('bob', { amount: '5000', price: '50010', display: '1000' })
  m.buy('alice', { amount: '1500', price: '50010' })
  m.sell('alice', { amount: '2000', price: '50200', reduceOnly: true })
  m.sell('alice', { amount: '10', type: 'trailing_stop', trigger: { offset: '50' } })
  for (const condition of ['first_hit', 'complete_fill', 'incremental'] as const) {
    const type = 'one_triggers_one_cancels_other'
    const linked = { type, condition, secondaries: [profit, stop] } as const
    m.buy('alice', { amount: '300', price: '49990', linked })
  }
  m.buy('alice', {
    ...{ amount: '300', price: '49980', timeInForce: 'good_til_day' },
    linked: { type: 'one_cancels_other', condition: 'incremental', secondaries: [stop] },
  })
  m.buy('bob', { amount: '70', type: 'take_limit', price: '49700', trigger })
  m.sell('bob', { amount: '100', price: '49990' })
  m.sell('bob', { amount: '450', price: '49990' })
  m.buy('carol', { amount: '100', price: '50400' })
  m.buy('carol', {
    amount: '10',
    type: 'stop_limit',
    price: '50400',
    trigger: far,
    reduceOnly: true,
  })
  m.sell('carol', { amount: '20', type: 'take_market', trigger: far })
  m.buy('alice', { instrument: 'BTC_USDC', amount: '0.5', price: '49900' })
  m.wait(2000)
  const routed = idOf(m.buy('alice', { instrument: 'BTC_USDC', amount: '0.4', type: 'market' }))
  m.sell('bob', { instrument: 'BTC_USDC', amount: '0.2', price: '49900' })
  m.edit('alice', routed, { amount: '0.6' })
  m.mark('49700')
  m.wait(4000)
  m.mark('49600')
  m.index('btc_usd', '50300')
  m.wait(4000)
  m.bookState('locked')
  m.mark(null)
  m.bookState('open')
  m.sell('bob', { amount: '300', price: '49980' })
  m.cancelAll('bob')
  m.wait(23 * 3_600_000_000)
  m.cancelAll('alice')
  return m
}

describe('waiting, hidden, reduce-only and linked orders', () => {
  test('every event of such orders is in the run', () => {
    const kinds = new Set(everyOrder().events.map(wordOf))
    for (const kind of [
      ...['order resized', 'order refreshed', 'order triggered', 'order rejected'],
      ...['order rested', 'order edited', 'order cancelled', 'self_trading'],
      'state',
    ] as const) {
      expect([kind, kinds.has(kind)]).toEqual([kind, true])
    }
  })

  test('a run that is cut at any command continues with the same events and hashes', () => {
    expectSameFromEachCut(everyOrder())
  })

  test('a copy from any command that runs to the end gives the same bytes', () => {
    const { commands, exchange } = everyOrder()
    const none = { emit: (): void => {} }
    const run = createExchange(exchange.config, none)
    for (const [at, command] of commands.entries()) {
      const copy = restored(snapshot(run))
      for (const later of commands.slice(at)) apply(copy, later, none)
      expect([at, Buffer.compare(snapshot(copy), snapshot(exchange))]).toEqual([at, 0])
      apply(run, command, none)
    }
  })
})
