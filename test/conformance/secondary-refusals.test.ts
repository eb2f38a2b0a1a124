/**
 * Secondaries that are refused at their placement: they end rejected, and the primary stays.
 *
 * Source: trading.md 6.14 (tick checks at placement and again when placed), C19, C31 a, C32 f.
 */
import { describe, expect, test } from 'vitest'
import { defaultConfig, NO_ORDER, type RejectionReason, type Side } from '../../src/model/index.ts'
import { type Market, market, type Setup, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

type Secondary = OrderWords & { readonly side: Side }

const { openOrderLimits } = defaultConfig(start)

function btc(config: Setup['config'] = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: '0.1' }, bob: { BTC: '1000' } },
    index: { btc_usd: '50000' },
    config,
  })
}

const trigger = (source: 'index_price' | 'mark_price', price: string): Partial<Secondary> => ({
  ...{ type: 'stop_market', trigger: { source, price } },
})

interface Case {
  readonly reason: RejectionReason
  readonly words: Partial<Secondary>
  readonly before?: (m: Market) => unknown
  readonly config?: Setup['config']
}

describe('rule order.secondary: refused at the placement (C32 f)', () => {
  const cases: readonly Case[] = [
    { reason: 'price_too_low', words: { price: '49000' } },
    { reason: 'price_too_high', words: { side: 'buy', price: '51000' } },
    { reason: 'not_enough_funds', words: { amount: '900000' } },
    // The first fill of 10 makes a long position of 10.
    { reason: 'reduce_direction', words: { side: 'buy', price: '49000', reduceOnly: true } },
    { reason: 'order_overlap', words: { price: '49990' } },
    { reason: 'post_only', words: { price: '49990', postOnly: 'reject' } },
    {
      reason: 'max_open_orders',
      words: {},
      config: { openOrderLimits: { ...openOrderLimits, future: 1 } },
    },
    {
      reason: 'no_opposite_price',
      words: { side: 'buy', type: 'market_limit' },
    },
    // A stop to sell fires on a fall, and the mark is already at 50000.
    { reason: 'trigger_price_too_high', words: trigger('mark_price', '50000') },
    { reason: 'trigger_price_too_low', words: { side: 'buy', ...trigger('mark_price', '50000') } },
  ]

  test.each(cases)('$reason', ({ reason, words, before = () => {}, config = {} }) => {
    const m = btc(config)
    before(m)
    const secondary: Secondary = { side: 'sell', amount: '100', price: '50100', ...words }
    m.buy('alice', {
      ...{ amount: '100', price: '49990' },
      linked: { type: 'one_triggers_other', secondaries: [secondary] },
    })
    const filled = m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, filled).slice(-2)).toEqual(['done', `2 rejected, ${reason}`])
    expect(filled.events.at(-1)).toMatchObject({ state: 'rejected', successor: NO_ORDER })
    expect(m.depth('buy')).toEqual([['49990', '90']])
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('invalid_trigger_price: the source has no value yet', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '1' }, bob: { BTC: '1' } },
      index: {},
    })
    m.mark('50000')
    const secondary: Secondary = {
      ...{ side: 'sell', amount: '100', ...trigger('index_price', '49000') },
    }
    m.buy('alice', {
      ...{ amount: '100', price: '49990' },
      linked: { type: 'one_triggers_other', secondaries: [secondary] },
    })
    const filled = m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, filled).at(-1)).toBe('2 rejected, invalid_trigger_price')
  })

  test('a refused one does not prevent the next', () => {
    const m = btc()
    const good: Secondary = { side: 'sell', amount: '100', price: '50100' }
    m.buy('alice', {
      ...{ amount: '100', price: '49990' },
      linked: { type: 'one_triggers_other', secondaries: [{ ...good, price: '1' }, good] },
    })
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' })).slice(-3)).toEqual([
      ...['2 rejected, price_too_low', '3 triggered as 5', '5 opened'],
    ])
  })

  test('C26 a reduce-only one is cut to the position after the fill', () => {
    const m = btc()
    const take: Secondary = { side: 'sell', amount: '100', price: '50100', reduceOnly: true }
    m.buy('alice', {
      ...{ amount: '100', price: '49990' },
      linked: { type: 'one_triggers_other', secondaries: [take] },
    })
    expect(storyOf(m, m.sell('bob', { amount: '30', price: '49990' })).slice(-3)).toEqual([
      ...['2 triggered as 4', '4 opened', '4 resized to 30, reduce_only'],
    ])
  })

  test('C24 a post-only one moves inside the spread; a market one rests at the band', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '49980' })
    m.buy('alice', {
      ...{ amount: '100', price: '49970' },
      linked: {
        type: 'one_triggers_other',
        secondaries: [
          { side: 'sell', amount: '100', price: '49980', postOnly: 'slide' },
          { side: 'buy', amount: '100', type: 'market', timeInForce: 'immediate_or_cancel' },
        ],
      },
    })
    m.cancelAll('bob')
    m.buy('bob', { amount: '10', price: '49960' })
    m.sell('bob', { amount: '10', price: '49970', timeInForce: 'immediate_or_cancel' })
    expect(m.openOrders('alice')).toHaveLength(2)
    expect(m.depth('sell')).toEqual([['49980', '100']])
  })
})
