/**
 * Placing orders that wait for a price: refusals, fields, and limits on their number.
 *
 * Source: trading.md 6.13, C02, C31 a, b, f, j; coverage R08; S205, S214.
 */
import { describe, expect, test } from 'vitest'
import { price9 } from '../../src/core/index.ts'
import { defaultConfig, formOfId, numberOfId, type OpenOrderLimits, type TriggerSource } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market, priceOf, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000', ETH: '1000', USDC: '1000' }

function btc(limits: Partial<OpenOrderLimits> = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', eth_usd: '3000' },
    config: { openOrderLimits: { ...defaultConfig(start).openOrderLimits, ...limits } },
  })
}

/** The last price becomes 50000. */
function traded(): Market {
  const m = btc()
  m.sell('bob', { amount: '10', price: '50000' })
  m.buy('alice', { amount: '10', price: '50000' })
  return m
}

const low = { reason: 'trigger_price_too_low' } as const
const high = { reason: 'trigger_price_too_high' } as const

describe('rule order.trigger: the condition must not hold already (C31 a)', () => {
  const sources = ['index_price', 'mark_price', 'last_price'] as const
  const cases = [
    ['stop_limit', 'buy', '50000.5', '50000', low],
    ['stop_market', 'buy', '50000.5', '49999.5', low],
    ['stop_limit', 'sell', '49999.5', '50000', high],
    ['stop_market', 'sell', '49999.5', '50000.5', high],
    ['take_limit', 'buy', '49999.5', '50000', high],
    ['take_market', 'buy', '49999.5', '50000.5', high],
    ['take_limit', 'sell', '50000.5', '50000', low],
    ['take_market', 'sell', '50000.5', '49999.5', low],
  ] as const

  test.each(cases)('%s %s waits at %s of 50000, not at %s', (type, side, good, bad, refusal) => {
    for (const source of sources) {
      const m = traded()
      const words = (price: string): OrderWords => {
        return { amount: '10', price: '50000', type, trigger: { source, price } }
      }
      expect(m[side]('alice', words(bad)).refusal).toEqual(refusal)
      expect(m[side]('alice', words(good)).order).toMatchObject({ state: 'untriggered', type })
    }
  })

  test('each source is compared with its own value', () => {
    const m = traded()
    m.index('btc_usd', '50100')
    m.mark('50200')
    const buy = (source: TriggerSource, price: string) =>
      m.buy('alice', { amount: '10', type: 'stop_market', trigger: { source, price } }).refusal
    // Last 50000, index 50100, mark 50200.
    expect([buy('last_price', '50000'), buy('last_price', '50000.5')]).toEqual([low, null])
    expect([buy('index_price', '50100'), buy('index_price', '50100.5')]).toEqual([low, null])
    expect([buy('mark_price', '50200'), buy('mark_price', '50200.5')]).toEqual([low, null])
  })

  test('a source without a value: 11036, for stops and for trailing stops', () => {
    const bare = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: rich },
      index: {},
    })
    for (const source of sources) {
      const stop = { amount: '10', type: 'stop_market', trigger: { source, price: '1' } } as const
      const trailing = { ...stop, type: 'trailing_stop', trigger: { source, offset: '1' } } as const
      const refusal = { reason: 'invalid_trigger_price' }
      expect(bare.buy('alice', stop).refusal).toEqual(refusal)
      expect(bare.sell('alice', trailing).refusal).toEqual(refusal)
    }
    // The index and the mark have values before the first trade.
    const m = btc()
    const stop = { amount: '10', type: 'stop_market' } as const
    expect(m.buy('alice', { ...stop, trigger: { price: '51000' } }).refusal).toMatchObject({
      reason: 'invalid_trigger_price',
    })
  })

  test('10044 for a trigger price off the grid at that price, or an offset of zero', () => {
    const name = 'SOL_USDC-PERPETUAL'
    const m = market({
      instruments: { [name]: { tick_size: '0.0001' } },
      tickSteps: { [name]: [{ above: price9(5_000_000), tick9: 500_000 }] },
      accounts: { alice: rich },
      index: { sol_usdc: '0.02' },
    })
    const at = (price: string) =>
      m.buy('alice', {
        ...{ amount: '1', type: 'stop_market' },
        trigger: { source: 'mark_price', price },
      }).refusal
    const wrong = { reason: 'trigger_price_wrong_tick' }
    expect([at('0.0201'), at('0.0205')]).toEqual([wrong, null])
    const trailing = (offset: string) =>
      m.buy('alice', {
        ...{ amount: '1', type: 'trailing_stop' },
        trigger: { source: 'mark_price', offset },
      }).refusal
    // An offset is a whole number of the finest tick.
    expect([trailing('0'), trailing('0.0001')]).toEqual([wrong, null])
  })

  test('a stop-limit needs its limit price: 10023, on the grid: 10043', () => {
    const m = btc()
    const trigger = { source: 'mark_price', price: '51000' } as const
    const words = { amount: '10', type: 'stop_limit', trigger } as const
    expect(m.buy('alice', words).refusal).toEqual({ reason: 'invalid_price' })
    expect(m.buy('alice', { ...words, price: '0' }).refusal).toEqual({ reason: 'price_wrong_tick' })
  })
})

describe('rule order.trigger: an order that waits', () => {
  test('opens untriggered, with its trigger, in no book and without margin (C31 f)', () => {
    const m = btc()
    const placed = m.buy('alice', {
      // Alice cannot pay for it, and it is outside the band: neither is checked before it fires.
      ...{ amount: '900000000', price: '90000', type: 'stop_limit', label: 'far' },
      trigger: { source: 'mark_price', price: '60000' },
    })
    expect(kindsOf(placed)).toEqual(['order opened', 'request'])
    expect(placed.order).toMatchObject({
      ...{ state: 'untriggered', type: 'stop_limit', price: priceOf('90000'), label: 'far' },
      ...{ filled: 0, rested: false, triggeredBy: 0, successor: 0, reason: null },
      trigger: { source: 'mark_price', price: priceOf('60000'), offset: 0, reference: 0 },
    })
    expect([m.depth('buy'), m.wallet('alice', 'BTC').initialMargin]).toEqual([[], 0n])
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('orders of market types show no price', () => {
    const m = btc()
    for (const type of ['stop_market', 'take_market'] as const) {
      const price = type === 'stop_market' ? '51000' : '49000'
      const trigger = { source: 'index_price', price } as const
      const placed = m.buy('alice', { amount: '10', type, trigger })
      expect(placed.order).toMatchObject({ type, price: 0, trigger: { price: priceOf(price) } })
    }
  })

  test('is cancelled by its id, with user_request', () => {
    const m = btc()
    const trigger = { source: 'mark_price', price: '51000' } as const
    const order = idOf(m.buy('alice', { amount: '10', type: 'stop_market', trigger }))
    const cancelled = m.cancel('alice', order)
    expect(storyOf(m, cancelled)).toEqual(['1 cancelled, user_request', 'done'])
    expect(cancelled.order).toMatchObject({ state: 'cancelled', trigger: { source: 'mark_price' } })
    expect(storyOf(m, m.index('btc_usd', '51000')).at(-1)).toBe('done')
  })

  test('a cancelled trailing stop no longer follows its source', () => {
    const m = btc()
    const trigger = { source: 'mark_price', offset: '10' } as const
    const order = idOf(m.buy('alice', { amount: '10', type: 'trailing_stop', trigger }))
    expect(m.cancel('bob', order).refusal).toEqual({ reason: 'not_owner_of_order' })
    m.cancel('alice', order)
    expect(m.cancel('alice', order).refusal).toEqual({ reason: 'not_open_order' })
    expect(storyOf(m, m.index('btc_usd', '51000')).at(-1)).toBe('done')
  })
})

describe('C02 R08 ids of orders that wait', () => {
  test('one counter with all orders; the prefix shows source and side', () => {
    const m = traded()
    const ids = [m.buy('alice', { amount: '10', price: '49000' })]
    for (const source of ['index_price', 'mark_price', 'last_price'] as const) {
      const type = 'stop_market'
      ids.push(m.buy('alice', { amount: '10', type, trigger: { source, price: '51000' } }))
      ids.push(m.sell('alice', { amount: '10', type, trigger: { source, price: '49000' } }))
      const trailing = { source, offset: '100' }
      ids.push(m.sell('bob', { amount: '10', type: 'trailing_stop', trigger: trailing }))
    }
    const found = ids.map(idOf).map((id) => [numberOfId(id), formOfId(id)])
    // Orders 1 and 2 made the last price.
    expect(found).toEqual([
      [3, 'ordinary'],
      [4, 'index_price_buy'],
      [5, 'index_price_sell'],
      [6, 'index_price_sell'],
      [7, 'mark_price_buy'],
      [8, 'mark_price_sell'],
      [9, 'mark_price_sell'],
      [10, 'last_price_buy'],
      [11, 'last_price_sell'],
      [12, 'last_price_sell'],
    ])
  })
})

describe('rule order.trigger: the limit for each source (C31 j, C36)', () => {
  const stop = (source: TriggerSource, instrument = 'BTC-PERPETUAL'): OrderWords => {
    const price = instrument === 'BTC-PERPETUAL' ? '51000' : '3100'
    return { instrument, amount: '10', type: 'stop_market', trigger: { source, price } }
  }

  test('over all instruments, for each source and each account separately', () => {
    const m = btc({ triggers: 2 })
    const refusal = { reason: 'no_more_triggers', limit: 2 }
    expect(m.buy('alice', stop('mark_price')).refusal).toBeNull()
    expect(m.buy('alice', stop('mark_price', 'ETH-PERPETUAL')).refusal).toBeNull()
    for (const name of ['BTC-PERPETUAL', 'ETH-PERPETUAL']) {
      expect(m.buy('alice', stop('mark_price', name)).refusal).toEqual(refusal)
    }
    expect(m.buy('alice', stop('index_price')).refusal).toBeNull()
    expect(m.buy('bob', stop('mark_price')).refusal).toBeNull()
  })

  test('an order that fired or was cancelled makes room', () => {
    const m = btc({ triggers: 1 })
    m.buy('alice', stop('mark_price'))
    m.index('btc_usd', '51000')
    const trigger = { source: 'mark_price', price: '52000' } as const
    const next = m.buy('alice', { amount: '10', type: 'stop_market', trigger })
    expect(next.refusal).toBeNull()
    m.cancel('alice', idOf(next))
    expect(m.buy('alice', { amount: '10', type: 'stop_market', trigger }).refusal).toBeNull()
  })

  test('they count in no other limit, and other orders do not count in theirs', () => {
    const m = btc({ triggers: 1, total: 1, future: 1 })
    expect(m.buy('alice', { amount: '10', price: '49000' }).refusal).toBeNull()
    expect(m.buy('alice', stop('mark_price')).refusal).toBeNull()
    expect(m.buy('alice', stop('index_price')).refusal).toBeNull()
  })

  test('secondaries that are trigger orders count too, each for its source', () => {
    const m = btc({ triggers: 2 })
    const secondary = { ...stop('mark_price'), side: 'buy' } as const
    const oto = (count: number): OrderWords => ({
      ...{ amount: '10', price: '49000' },
      linked: { type: 'one_triggers_other', secondaries: Array(count).fill(secondary) },
    })
    expect(m.buy('alice', oto(3)).refusal).toEqual({ reason: 'no_more_triggers', limit: 2 })
    const placed = m.buy('alice', oto(1))
    expect(placed.refusal).toBeNull()
    expect(m.buy('alice', stop('mark_price')).refusal).toBeNull()
    expect(m.buy('alice', stop('mark_price')).refusal?.reason).toBe('no_more_triggers')
    m.cancel('alice', idOf(placed))
    expect(m.buy('alice', stop('mark_price')).refusal).toBeNull()
  })

  test('100 per source by default', () => {
    const m = btc()
    for (let count = 0; count < 100; count += 1) {
      expect(m.buy('alice', stop('mark_price')).refusal).toBeNull()
    }
    expect(m.buy('alice', stop('mark_price')).refusal).toEqual({
      ...{ reason: 'no_more_triggers', limit: 100 },
    })
  })
})
