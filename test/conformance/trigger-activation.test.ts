/**
 * The order that a fired trigger order becomes, and the reasons to refuse it.
 *
 * Source: trading.md 6.13, C19, C20, C21, C23, C24, C26, C27, C31 f.
 */
import { describe, expect, test } from 'vitest'
import { defaultConfig, type ExchangeConfig, type RejectionReason } from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, priceOf, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

function btc(config: Partial<ExchangeConfig> = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: '0.1' }, bob: { BTC: '1000' } },
    index: { btc_usd: '50000' },
    config,
  })
}

const rise = { source: 'index_price', price: '50100' } as const

function stop(words: Partial<OrderWords> = {}): OrderWords {
  return { amount: '100', type: 'stop_limit', price: '50000', trigger: rise, ...words }
}

/** Moves the index to the trigger price and returns the events. */
function fire(m: Market): { readonly story: readonly string[]; readonly outcome: Outcome } {
  const outcome = m.index('btc_usd', '50100')
  const story = storyOf(m, outcome)
  return { story: story.slice(story.indexOf('done') + 1), outcome }
}

describe('rule order.activation: the resulting order', () => {
  test('a stop-limit rests at its own price, and only then needs margin (C31 f)', () => {
    const m = btc()
    m.buy('alice', stop())
    expect(m.wallet('alice', 'BTC').initialMargin).toBe(0n)
    expect(fire(m).story).toEqual(['1 triggered as 2', '2 opened'])
    expect(m.depth('buy')).toEqual([['50000', '100']])
    expect(m.wallet('alice', 'BTC').initialMargin).toBeGreaterThan(0n)
  })

  test('or matches up to that price, depending on the gap', () => {
    const m = btc()
    m.sell('bob', { amount: '30', price: '50090' })
    m.sell('bob', { amount: '100', price: '50120' })
    m.buy('alice', stop({ price: '50110' }))
    const { story, outcome } = fire(m)
    expect(story).toEqual([
      ...['3 triggered as 4', '4 opened', 'trade 30 at 50090, 1 with 4'],
      ...['1 filled 30 of 30', '4 filled 30 of 100'],
    ])
    expect(outcome.trades[0]?.taker.rule).toBe('book_taker')
    expect(m.depth('buy')).toEqual([['50110', '70']])
  })

  test('a stop-market is a market order: it trades up to the current band, and rests there (C20)', () => {
    const m = btc()
    m.sell('bob', { amount: '30', price: '50845' })
    m.sell('bob', { amount: '30', price: '50852' })
    m.buy('alice', stop({ type: 'stop_market' }))
    // 1.5 % above 50100 is 50851.5.
    expect(fire(m).story).toEqual([
      ...['3 triggered as 4', '4 opened', 'trade 30 at 50845, 1 with 4'],
      ...['1 filled 30 of 30', '4 filled 30 of 100', '4 rested'],
    ])
    expect(m.depth('buy')).toEqual([['50851.5', '70']])
    expect(m.openOrders('alice')[0]?.order).toMatchObject({ type: 'market' })
  })

  test('an iceberg shows its visible part once it rests', () => {
    const m = btc()
    const waits = m.buy('alice', stop({ amount: '5000', display: '1000' }))
    expect(waits.order).toMatchObject({ display: 100, shown: 100 })
    fire(m)
    expect(m.depth('buy')).toEqual([['50000', '1000']])
  })

  test('C21 immediate or cancel, fill or kill', () => {
    for (const [timeInForce, trades] of [
      ['immediate_or_cancel', ['trade 30 at 50000, 1 with 3', '1 filled 30 of 30']],
      ['fill_or_kill', []],
    ] as const) {
      const m = btc()
      m.sell('bob', { amount: '30', price: '50000' })
      m.buy('alice', stop({ timeInForce }))
      expect(fire(m).story).toEqual([...['2 triggered as 3', '3 opened', ...trades, '3 cancelled, time_in_force']])
    }
  })

  test('C21 a good-til-day order ends with the session even after it has fired', () => {
    const m = btc()
    m.buy('alice', stop({ timeInForce: 'good_til_day' }))
    fire(m)
    expect(storyOf(m, m.wait(23 * 3_600_000_000))).toEqual(['2 cancelled, settlement', 'done'])
  })

  test('C24 post-only moves inside the current spread', () => {
    const m = btc()
    m.buy('alice', stop({ price: '50010', postOnly: 'slide' }))
    m.sell('bob', { amount: '10', price: '50005' })
    const { outcome } = fire(m)
    expect(outcome.events.at(-1)).toMatchObject({ price: priceOf('50004.5'), postOnly: 'slide' })
    expect(outcome.trades).toEqual([])
  })

  test('C26 reduce-only is cut to the current position', () => {
    const m = btc()
    m.give('alice', '-100', '50000')
    m.buy('alice', stop({ amount: '300', reduceOnly: true }))
    m.give('alice', '30', '50000')
    expect(fire(m).story).toEqual(['1 triggered as 2', '2 opened', '2 resized to 70, reduce_only'])
    expect(m.depth('buy')).toEqual([['50000', '70']])
  })

  test('C27 cancel_maker cancels the account’s own resting order', () => {
    const m = btc({ selfMatch: 'cancel_maker' })
    m.sell('alice', { amount: '10', price: '50000' })
    m.buy('alice', stop())
    expect(fire(m).story).toEqual(['2 triggered as 3', '3 opened', '1 cancelled, risk_mitigation'])
  })

  test('a later cancel covers only the new order', () => {
    const m = btc()
    m.buy('alice', stop())
    fire(m)
    expect(m.cancelAll('alice').count).toBe(1)
    expect(m.openOrders('alice')).toEqual([])
  })
})

describe('rule order.activation: reasons to refuse it (C19, C31 f)', () => {
  const { openOrderLimits } = defaultConfig(start)
  const limited = { openOrderLimits: { ...openOrderLimits, future: 1 } }
  type Case = readonly [
    reason: RejectionReason,
    words: Partial<OrderWords>,
    before?: (m: Market) => unknown,
    config?: Partial<ExchangeConfig>,
  ]
  const cases: readonly Case[] = [
    ['reduce_direction', { reduceOnly: true }],
    ['reduce_direction', { reduceOnly: true }, (m) => m.give('alice', '10', '50000')],
    ['not_enough_funds', { amount: '1000000' }],
    ['order_overlap', { price: '50010' }, (m) => m.sell('alice', { amount: '10', price: '50010' })],
    ['post_only', { price: '50010', postOnly: 'reject' }, (m) => m.sell('bob', { amount: '10', price: '50010' })],
    ['max_open_orders', {}, (m) => m.buy('alice', { amount: '10', price: '49000' }), limited],
    ['book_closed', {}, (m) => m.bookState('settlement')],
    ['book_closed', {}, (m) => m.bookState('locked')],
    ['book_closed', {}, (m) => m.bookState('halted')],
    // 1.5 % above 50100 is 50851.5.
    ['price_too_high', { price: '50852' }],
  ]

  test.each(cases.map((each) => [each[0], each] as const))('%s', (_reason, each) => {
    const [reason, words, before = () => {}, config = {}] = each
    const m = btc(config)
    const order = idOf(m.buy('alice', stop(words)))
    before(m)
    const depth = [m.depth('buy'), m.depth('sell')]
    const { outcome } = fire(m)
    const after = outcome.events.slice(-1)
    expect(after).toMatchObject([
      {
        kind: 'order',
        change: 'rejected',
        order,
        state: 'rejected',
        reason,
        filled: 0,
        successor: 0,
      },
    ])
    expect(outcome.events.at(-2)?.kind).toBe('request')
    expect([m.depth('buy'), m.depth('sell')]).toEqual(depth)
    expect(m.cancel('alice', order).refusal?.reason).toBe('not_open_order')
  })

  test('price_too_low, for a sell', () => {
    const m = btc()
    // 1.5 % below 50100 is 49348.5.
    for (const price of ['49348', '49348.5']) {
      m.sell('alice', stop({ type: 'take_limit', price }))
    }
    expect(fire(m).story).toEqual(['1 rejected, price_too_low', '2 triggered as 3', '3 opened'])
  })

  test('post_only if no price is left inside the band (11021)', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '50000' })
    const far = { source: 'index_price', price: '52000' } as const
    m.sell('alice', stop({ type: 'take_limit', postOnly: 'slide', trigger: far }))
    // The band of sells then starts at 51220. One tick above the bid is 50000.5.
    expect(storyOf(m, m.index('btc_usd', '52000')).at(-1)).toBe('2 rejected, post_only')
  })

  test('the first failing step decides: closed book, post-only, band, direction, limits, funds', () => {
    const m = btc(limited)
    m.sell('bob', { amount: '10', price: '50090' })
    const all: Partial<OrderWords> = {
      ...{ amount: '1000000', price: '60000', postOnly: 'reject', reduceOnly: true },
    }
    m.sell('alice', { amount: '10', price: '50095' })
    for (const words of [
      all,
      { ...all, postOnly: 'off' },
      { ...all, postOnly: 'off', price: '50095' },
      { ...all, postOnly: 'off', price: '50095', reduceOnly: false },
    ] as const) {
      m.buy('alice', stop(words))
    }
    expect(fire(m).story).toEqual([
      '3 rejected, post_only',
      '4 rejected, price_too_high',
      '5 rejected, reduce_direction',
      '6 rejected, max_open_orders',
    ])
  })

  test('C07 funds are checked before own orders', () => {
    const m = btc()
    m.sell('alice', { amount: '10', price: '50010' })
    m.buy('alice', stop({ amount: '1000000', price: '50010' }))
    expect(fire(m).story).toEqual(['2 rejected, not_enough_funds'])
  })

  test('the limit of trigger orders is not checked again, and the fired order makes room', () => {
    const m = btc({ openOrderLimits: { ...openOrderLimits, triggers: 1 } })
    m.buy('alice', stop())
    expect(fire(m).story).toEqual(['1 triggered as 2', '2 opened'])
    const next = stop({ trigger: { source: 'index_price', price: '50200' } })
    expect(m.buy('alice', next).refusal).toBeNull()
  })

  test('a refused one does not prevent the next', () => {
    const m = btc()
    m.buy('alice', stop({ amount: '1000000' }))
    m.buy('alice', stop())
    expect(fire(m).story).toEqual(['1 rejected, not_enough_funds', '2 triggered as 3', '3 opened'])
  })
})
