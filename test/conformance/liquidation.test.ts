/**
 * Liquidations of futures under segregated standard margin, step by step (market.md 6.6; R02, R53).
 */

import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { advanceTo, fork, stateHash } from '../../src/engine/index.ts'
import { defaultConfig, type Event } from '../../src/model/index.ts'
import { eventsNamed, wordOf } from '../support/event-words.ts'
import { idOf, type Market, market, money, start } from '../support/harness.ts'

const second = 1_000_000

const config = { liquidation: defaultConfig(start).liquidation }

/** Alice is long 2 BTC at 50000 with 0.05 BTC. At 49273.24 her maintenance margin exceeds her balance (T76). */
function longs(deposit = '0.05'): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: deposit }, bob: { BTC: '1000' } },
    index: { btc_usd: '50000' },
    config,
  })
  m.give('alice', '100000', '50000')
  return m
}

const kinds = (events: readonly Event[]): string[] => events.map(wordOf).filter((word) => word !== 'request')

describe('rule liquidation.round (market.md 6.6)', () => {
  test('T76 an account with exactly enough margin is not liquidated; at a price one cent lower it is', () => {
    const m = longs()
    m.index('btc_usd', '49273.25')
    expect(m.wallet('alice', 'BTC').equity > m.wallet('alice', 'BTC').maintenanceMargin).toBe(true)
    expect(kinds(m.wait(5 * second).events)).toEqual([])
    m.index('btc_usd', '49273.24')
    expect(kinds(m.wait(1 * second).events)).toEqual(['liquidation started', 'liquidation_step'])
  })

  test('each second a round closes an eighth at the edge of the band, until the margin is enough', () => {
    const m = longs()
    m.buy('bob', { amount: '20000', price: '49200' })
    m.index('btc_usd', '49200')
    const first = m.wait(second).events
    expect(kinds(first)).toEqual([
      ...['liquidation started', 'order opened', 'trade', 'order filled', 'order filled'],
      'liquidation_step',
    ])
    const [started] = eventsNamed(first, 'liquidation started')
    expect(started).toMatchObject({ account: m.account('alice'), currency: 'BTC', round: 1 })
    // 0.05 - 100000 * (1 / 49200 - 1 / 50000), and 2.032520325 * (1 % + 0.005 % * 2.032520325).
    expect(money(started?.marginBalance ?? 0n)).toBe('0.017479675')
    expect(money(started?.maintenance ?? 0n)).toBe('0.02053176')
    const [order] = eventsNamed(first, 'order opened')
    expect(order).toMatchObject({
      ...{ type: 'limit', timeInForce: 'immediate_or_cancel', liquidation: true, side: 'sell' },
      // T88 12.5 % of the position, at the lower edge of the band: 1.5 % below the mark.
      ...{ amount: 1250, price: 48_462_000_000_000 },
    })
    expect(eventsNamed(first, 'liquidation_step')).toMatchObject([
      {
        ...{ round: 1, rule: 'reduces_delta', route: 'book', position: 10000, asked: 1250 },
        ...{ closed: 1250, price: 48_462_000_000_000, marginBalance: started?.marginBalance },
      },
    ])
    const second1 = m.wait(second).events
    expect(eventsNamed(second1, 'liquidation_step')).toMatchObject([
      { round: 2, position: 8750, asked: 1094, closed: 750 },
    ])
  })

  test.each([
    ['100000', 12_500],
    ['12340', 1550],
    ['70', 10],
  ])('T88 for %s USD one round orders %i', (size, chunk) => {
    const m = longs('0')
    m.give('alice', `${Number(size) - 100_000}`, '50000')
    m.index('btc_usd', '40000')
    const [step] = eventsNamed(m.wait(second).events, 'liquidation_step')
    expect((step?.asked ?? 0) * 10).toBe(chunk)
  })

  test('T57 S043 the liquidated side pays the liquidation rate, and the fund gets the surcharge', () => {
    const m = longs()
    m.buy('bob', { amount: '20000', price: '49000' })
    m.index('btc_usd', '49000')
    const [trade] = eventsNamed(m.wait(second).events, 'trade')
    expect(trade).toMatchObject({ amount: 1250, liquidation: 'T', price: 49_000_000_000_000 })
    expect(money(trade?.taker.fee ?? 0n)).toBe('0.00191327')
    expect(money(trade?.taker.fundFee ?? 0n)).toBe('0.00178572')
    expect(trade?.maker.fee).toBe(0n)
    expect(money(m.wallet('house.insurance', 'BTC').balance)).toBe('100.00178572')
  })

  test('an account whose margin is enough again is released', () => {
    const m = longs()
    m.index('btc_usd', '49270')
    expect(kinds(m.wait(second).events)).toContain('liquidation started')
    m.deposit('alice', 'BTC', '0.1')
    const ended = m.wait(second).events
    expect(eventsNamed(ended, 'liquidation ended')).toMatchObject([{ outcome: 'healthy', round: 1 }])
    expect(m.buy('alice', { amount: '10', price: '49000' }).refusal).toBeNull()
    expect(kinds(m.wait(10 * second).events)).toEqual([])
  })

  test('a mark that recovers before the round saves the account', () => {
    const m = longs()
    m.wait(second / 4)
    m.index('btc_usd', '49000')
    m.wait(second / 4)
    m.index('btc_usd', '50000')
    expect(kinds(m.wait(second).events)).toEqual([])
  })

  test('a request at a full second comes after the round of that second', () => {
    const m = longs()
    m.wait(second)
    m.index('btc_usd', '49000')
    m.wait(0)
    expect(kinds(m.wait(second - 1).events)).toEqual([])
    expect(kinds(m.wait(1).events)).toContain('liquidation started')
  })

  test('L04 S085 every open order of the account is cancelled, in all currencies, including orders that wait', () => {
    const m = longs('0.06')
    m.list('ETH-PERPETUAL')
    m.index('eth_usd', '2000')
    m.deposit('alice', 'ETH', '10')
    const resting = idOf(m.buy('alice', { amount: '10', price: '49500' }))
    const trigger = { price: '51000', source: 'mark_price' } as const
    const stop = idOf(m.buy('alice', { amount: '10', type: 'stop_market', trigger }))
    const other = idOf(m.buy('alice', { amount: '1', price: '1990', instrument: 'ETH-PERPETUAL' }))
    m.index('btc_usd', '49000')
    const events = m.wait(second).events
    const cancelled = eventsNamed(events, 'order cancelled')
    expect(cancelled.map(({ order, reason }) => [order, reason])).toEqual([
      [resting, 'autoliquidation'],
      [stop, 'autoliquidation'],
      [other, 'autoliquidation'],
    ])
    expect(m.openOrders('alice')).toEqual([])
    expect(eventsNamed(events, 'liquidation started')).toMatchObject([{ currency: 'BTC' }])
  })

  test('a liquidation trades with orders of the same owner, whatever their self-match mode', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '0.05' }, bob: { BTC: '1000' } },
      index: { btc_usd: '50000' },
      config,
    })
    m.openAccount('alice-1', 'alice')
    m.deposit('alice-1', 'BTC', '10')
    for (const name of ['alice', 'alice-1']) m.selfTrading(name, 'reject_taker', true)
    m.give('alice', '100000', '50000')
    const own = idOf(m.buy('alice-1', { amount: '20000', price: '49250' }))
    m.buy('bob', { amount: '20000', price: '49200' })
    m.index('btc_usd', '49200')
    const { events } = m.wait(second)
    expect(eventsNamed(events, 'order cancelled')).toMatchObject([{ order: own, reason: 'risk_mitigation' }])
    expect(eventsNamed(events, 'liquidation_step')).toMatchObject([{ route: 'book', closed: 1250 }])
  })

  test('D05 its trades are marked with T only, because its orders never rest', () => {
    const m = longs()
    m.buy('bob', { amount: '20000', price: '49200' })
    m.index('btc_usd', '49200')
    const { events } = m.wait(10 * second)
    const words = eventsNamed(events, 'trade').map(({ liquidation }) => liquidation)
    expect(new Set(words)).toEqual(new Set(['T']))
    expect(eventsNamed(events, 'order rested').filter(({ liquidation }) => liquidation)).toEqual([])
  })

  test('rule liquidation.lock R53 an account under liquidation cannot place, edit or cancel orders', () => {
    const m = longs('0.06')
    m.list('ETH-PERPETUAL')
    m.index('eth_usd', '2000')
    m.deposit('alice', 'ETH', '10')
    const other = { amount: '1', price: '1990', instrument: 'ETH-PERPETUAL' }
    const order = idOf(m.buy('alice', other))
    m.index('btc_usd', '49000')
    m.wait(second)
    const locked = { reason: 'account_locked' }
    expect(m.buy('alice', other).refusal).toEqual(locked)
    expect(m.cancelAll('alice').refusal).toEqual(locked)
    // The lock cancels all orders, so that no order is left that its owner could not edit or cancel.
    expect(m.edit('alice', order, { price: '1980' }).refusal).toEqual({ reason: 'already_closed' })
    expect(m.cancel('alice', order).refusal).toEqual({ reason: 'not_open_order' })
    expect(m.openOrders('alice')).toEqual([])
  })

  test('rule liquidation.pick the position that reduces delta goes first, even if another one is larger', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
      accounts: { alice: { BTC: '0.09' }, bob: { BTC: '1000' } },
      index: { btc_usd: '50000' },
      config,
    })
    // 4 BTC long, 3 BTC short: 1 BTC long in all.
    m.give('alice', '200000', '50000')
    m.give('alice', '-150000', '50000', 'BTC-27MAR26')
    m.index('btc_usd', '48500')
    const [step] = eventsNamed(m.wait(second).events, 'liquidation_step')
    expect(step).toMatchObject({ rule: 'reduces_delta', instrument: 0 })
    const n = market({
      instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
      accounts: { alice: { BTC: '0.03' }, bob: { BTC: '1000' } },
      index: { btc_usd: '50000' },
      config,
    })
    // The long and the short position are equal, so no position reduces the delta.
    n.give('alice', '200000', '50000')
    n.give('alice', '-200000', '50000', 'BTC-27MAR26')
    const [other] = eventsNamed(n.wait(second).events, 'liquidation_step')
    expect(other).toMatchObject({ rule: 'largest_future', instrument: 0 })
  })

  test('rule liquidation.close a liquidation tries an empty book each second and reports one failure', () => {
    const m = longs()
    m.index('btc_usd', '49000')
    expect(eventsNamed(m.wait(second).events, 'liquidation_step')).toMatchObject([{ round: 1, asked: 1250, closed: 0 }])
    expect(kinds(m.wait(3 * second).events)).toEqual([])
    m.buy('bob', { amount: '10', price: '49000' })
    expect(eventsNamed(m.wait(second).events, 'liquidation_step')).toMatchObject([{ round: 5, asked: 1250, closed: 1 }])
    expect(eventsNamed(m.wait(second).events, 'liquidation_step')).toMatchObject([{ closed: 0 }])
  })

  test('an account without positions is released and keeps its debt until 08:00', () => {
    const m = longs()
    m.buy('bob', { amount: '200000', price: '47000' })
    m.index('btc_usd', '47700')
    const events = m.wait(600 * second).events
    expect(m.position('alice').size).toBe(0)
    expect(eventsNamed(events, 'liquidation ended')).toMatchObject([{ outcome: 'flat' }])
    expect(m.wallet('alice', 'BTC').balance < 0n || m.wallet('alice', 'BTC').equity < 0n).toBe(true)
    expect(kinds(m.wait(10 * second).events)).toEqual([])
  })

  test('an account that funding alone ruins is found at the next full minute', () => {
    const m = longs('0.0205')
    // With a mark 0.2 % below the index shorts pay: alice is long and receives, bob pays.
    m.openAccount('carol')
    m.deposit('carol', 'BTC', '0.0206')
    m.give('carol', '-100000', '50000')
    m.mark('50000')
    m.index('btc_usd', '50300')
    // A premium of -0.6 % is a rate of -0.5 % for 8 hours. Carol has 0.0004 above her margin of 0.0202. She pays
    // 0.009940358 in 8 hours, so the 0.0004 last 1158.9 seconds.
    m.wait(3_600 * second)
    const [started] = eventsNamed(m.events, 'liquidation started')
    expect(started).toMatchObject({ account: m.account('carol'), time: start + 1_200 * second })
    expect(eventsNamed(m.events, 'liquidation started')).toHaveLength(1)
  })

  test('a snapshot in the middle of a liquidation continues in the same way', () => {
    const m = longs()
    m.buy('bob', { amount: '20000', price: '49100' })
    m.index('btc_usd', '49100')
    m.wait(second)
    const copy = fork(m.exchange)
    expect(stateHash(copy)).toBe(stateHash(m.exchange))
    const events: Event[] = []
    const until = micros(m.exchange.now + 5 * second)
    advanceTo(copy, until, { emit: (event) => events.push(event) })
    const expected = m.wait(5 * second).events.filter(({ kind }) => kind !== 'request')
    expect(events).toEqual(expected)
    expect(kinds(events)).toContain('liquidation_step')
  })
})
