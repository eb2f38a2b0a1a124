/**
 * How trades count in market-maker protection, and the maximum open quantity of a group.
 * Source: trading.md 7.2, 7.3, C40, C43, C45; coverage R11.
 */
import { describe, expect, test } from 'vitest'
import { viewOption } from '../../src/engine/index.ts'
import { idOf, type Market, market, type Outcome } from '../support/harness.ts'
import { mmpEvents, protect, protectedOrder } from '../support/protection-words.ts'

const mmp = { extras: protectedOrder }
const call = 'BTC-27MAR26-50000-C'
const linearCall = 'BTC_USDC-27MAR26-50000-C'
const spread = 'BTC-FS-27MAR26_PERP'
const coin = 1_000_000_000
const tooMuch = { reason: 'other_reject max_quote_quantity' }

/** A maker with portfolio margin and a taker, with instruments of both payoffs. */
function both(): Market {
  return market({
    instruments: {
      ...{ 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {}, 'BTC_USDC-PERPETUAL': {} },
      ...{ [call]: {}, [linearCall]: {}, [spread]: {} },
    },
    models: { maker: 'segregated_pm', taker: 'segregated_pm' },
    accounts: {
      maker: { BTC: '100', USDC: '9000000' },
      taker: { BTC: '100', USDC: '9000000' },
      plain: { BTC: '100', USDC: '9000000' },
    },
    index: { btc_usd: '50000', btc_usdc: '50000' },
  })
}

/** The amounts that the first fill of the maker's sale added to the counters. */
function counted(m: Market, words: { instrument: string; amount: string; price: string }): unknown {
  m.sell('maker', { ...words, ...mmp })
  const [opened] = mmpEvents(m.buy('taker', words))
  const { quantity9, delta9, vega9 } = opened ?? {}
  return { quantity9, delta9, vega9 }
}

describe('Rule: mmp.contributions C40', () => {
  test.each([
    ['an inverse future counts coins at the price of the trade', 'BTC-PERPETUAL', '10000', '40000', 0.25],
    ['a linear future counts its amount', 'BTC_USDC-PERPETUAL', '0.5', '50000', 0.5],
  ])('%s', (_title, instrument, amount, price, coins) => {
    const m = both()
    m.mark(price, instrument)
    protect(m, 'maker', {})
    protect(m, 'maker', { index: 'btc_usdc' })
    expect(counted(m, { instrument, amount, price })).toEqual({
      ...{ quantity9: coins * coin, delta9: -coins * coin, vega9: 0 },
    })
  })

  test('an option in coin counts its amount, its delta minus its price in coin, and its vega', () => {
    const m = both()
    protect(m, 'maker', {})
    const { greeks } = viewOption(m.exchange, m.instrument(call).id) ?? {}
    const mark = m.exchange.instruments[m.instrument(call).id]?.mark ?? 0
    const { delta9 = 0, vega9 = 0 } = greeks ?? {}
    expect(delta9).toBeGreaterThan(500_000_000)
    expect(vega9).toBeGreaterThan(coin)
    expect(mark).toBeGreaterThan(50_000_000)
    expect(counted(m, { instrument: call, amount: '2', price: '0.08' })).toEqual({
      quantity9: 2 * coin,
      delta9: -2 * (delta9 - mark),
      vega9: -2 * vega9,
    })
  })

  test('an option in USDC counts its full delta', () => {
    const m = both()
    protect(m, 'maker', { index: 'btc_usdc' })
    const { greeks } = viewOption(m.exchange, m.instrument(linearCall).id) ?? {}
    const { delta9 = 0, vega9 = 0 } = greeks ?? {}
    expect(counted(m, { instrument: linearCall, amount: '1', price: '4000' })).toEqual({
      ...{ quantity9: coin, delta9: -delta9, vega9: -vega9 },
    })
  })

  test('a spread counts once, at the lowest mark of its legs, with the delta of both legs', () => {
    const m = both()
    m.mark('50500', 'BTC-27MAR26')
    protect(m, 'maker', {})
    // The perpetual trades at its mark, 50,000, and the future at the remaining 50,500. The sold future is 0.990099010
    // of a coin, the bought perpetual 1.
    expect(counted(m, { instrument: spread, amount: '50000', price: '500' })).toEqual({
      ...{ quantity9: coin, delta9: 9_900_990, vega9: 0 },
    })
  })
})

describe('limits of delta and vega', () => {
  test('S090 a delta limit applies to the net change: buying and selling the same amount does not trip it', () => {
    const m = both()
    protect(m, 'maker', { quantity: 100, delta: 1 })
    const words = { amount: '40000', price: '50000' }
    for (const _round of [1, 2]) {
      m.sell('maker', { ...words, ...mmp })
      expect(mmpEvents(m.buy('taker', words)).at(-1)?.change).not.toBe('triggered')
      m.buy('maker', { ...words, ...mmp })
      m.sell('taker', words)
    }
    m.sell('maker', { ...words, ...mmp })
    m.buy('taker', words)
    m.sell('maker', { amount: '10000', price: '50000', ...mmp })
    const last = mmpEvents(m.buy('taker', { amount: '10000', price: '50000' }))
    expect(last).toMatchObject([{ change: 'triggered', trigger: 'delta', delta9: -coin }])
    expect(last[0]?.quantity9).toBe(4.2 * coin)
  })

  test('a vega limit applies in both directions', () => {
    for (const side of ['buy', 'sell'] as const) {
      const m = both()
      protect(m, 'maker', { vega: 10 })
      const words = { instrument: call, amount: '1', price: '0.08' }
      m[side]('maker', { ...words, ...mmp })
      const outcome = side === 'buy' ? m.sell('taker', words) : m.buy('taker', words)
      expect(mmpEvents(outcome).at(-1)).toMatchObject({ change: 'triggered', trigger: 'vega' })
    }
  })

  test('groups are independent: the group of the other index continues', () => {
    const m = both()
    protect(m, 'maker', { quantity: 1 })
    protect(m, 'maker', { quantity: 1, index: 'btc_usdc' })
    const linear = { instrument: 'BTC_USDC-PERPETUAL', amount: '0.1', price: '49000' }
    const other = idOf(m.buy('maker', { ...linear, ...mmp }))
    m.sell('maker', { amount: '50000', price: '50000', ...mmp })
    expect(mmpEvents(m.buy('taker', { amount: '50000', price: '50000' })).at(-1)?.index).toBe('btc_usd')
    expect(m.openOrders('maker').map(({ order }) => order.id)).toEqual([other])
    expect(m.buy('maker', { ...linear, ...mmp }).refusal).toBeNull()
  })
})

describe('Rule: mmp.refusals C43', () => {
  const order = { amount: '10', price: '49000', ...mmp }

  test('an account without the permission', () => {
    const m = both()
    const target = m.account('maker')
    m.send({ kind: 'set_permissions', target, member: null, mmp: false, massQuotes: null })
    expect(m.buy('maker', order).refusal).toEqual({ reason: 'mmp_required' })
    expect(protect(m, 'maker', {}).refusal).toEqual({ reason: 'mmp_required' })
  })

  test('no configuration of the index', () => {
    const m = both()
    protect(m, 'maker', { index: 'btc_usdc' })
    const missing = { reason: 'other_reject mmp_not_configured' }
    expect(m.buy('maker', order).refusal).toEqual(missing)
    const plain = idOf(m.buy('maker', { amount: '10', price: '49000' }))
    expect(m.edit('maker', plain, { amount: '10', mmp: true }).refusal).toEqual(missing)
  })

  test('options under standard margin; futures of the same account are fine', () => {
    const m = both()
    protect(m, 'plain', {})
    const option = { instrument: call, amount: '1', price: '0.05', ...mmp }
    expect(m.buy('plain', option).refusal).toEqual({ reason: 'invalid_args_for_instrument' })
    expect(m.buy('plain', order).refusal).toBeNull()
  })
})

describe('Rule: mmp.max-quote C43', () => {
  const deep = { amount: '25000', price: '50000' }

  test('an order above the maximum is refused, alone or together with open orders', () => {
    const m = both()
    protect(m, 'maker', { maxQuote: 1 })
    expect(m.buy('maker', { amount: '50010', price: '50000', ...mmp }).refusal).toEqual(tooMuch)
    expect(m.buy('maker', { ...deep, ...mmp }).refusal).toBeNull()
    expect(m.buy('maker', { ...deep, ...mmp }).refusal).toBeNull()
    expect(m.buy('maker', { amount: '10', price: '49000', ...mmp }).refusal).toEqual(tooMuch)
  })

  test('each side and each instrument counts separately, and orders without the flag do not count', () => {
    const m = both()
    protect(m, 'maker', { maxQuote: 0.5 })
    m.buy('maker', { ...deep, ...mmp })
    expect(m.sell('maker', { ...deep, price: '50010', ...mmp }).refusal).toBeNull()
    expect(m.buy('maker', { ...deep, instrument: 'BTC-27MAR26', ...mmp }).refusal).toBeNull()
    expect(m.buy('maker', deep).refusal).toBeNull()
  })

  test('an inverse order at a lower price is more coins; options and linear instruments count their amount', () => {
    const m = both()
    for (const index of ['btc_usd', 'btc_usdc']) protect(m, 'maker', { maxQuote: 0.5, index })
    expect(m.buy('maker', { ...deep, price: '49990', ...mmp }).refusal).toEqual(tooMuch)
    const linear = { instrument: 'BTC_USDC-PERPETUAL', price: '40000', ...mmp }
    m.mark('40000', 'BTC_USDC-PERPETUAL')
    expect(m.buy('maker', { ...linear, amount: '0.5' }).refusal).toBeNull()
    expect(m.buy('maker', { ...linear, amount: '0.001' }).refusal).toEqual(tooMuch)
    const option = { instrument: call, price: '0.05', ...mmp }
    expect(m.buy('maker', { ...option, amount: '0.6' }).refusal).toEqual(tooMuch)
    expect(m.buy('maker', { ...option, amount: '0.5' }).refusal).toBeNull()
  })

  test('a spread counts at the lowest mark of its legs', () => {
    const m = both()
    protect(m, 'maker', { maxQuote: 0.5 })
    const words = { instrument: spread, price: '0', ...mmp }
    expect(m.buy('maker', { ...words, amount: '25010' }).refusal).toEqual(tooMuch)
    expect(m.buy('maker', { ...words, amount: '25000' }).refusal).toBeNull()
  })

  test('an edit cannot grow above the maximum, can shrink, and joins the group with its new size', () => {
    const m = both()
    protect(m, 'maker', { maxQuote: 0.5 })
    const id = idOf(m.buy('maker', { amount: '20000', price: '50000', ...mmp }))
    expect(m.edit('maker', id, { amount: '26000' }).refusal).toEqual(tooMuch)
    expect(m.edit('maker', id, { amount: '20000', price: '39990' }).refusal).toEqual(tooMuch)
    expect(m.edit('maker', id, { amount: '25000' }).refusal).toBeNull()
    expect(m.edit('maker', id, { amount: '100' }).refusal).toBeNull()
    const plain = idOf(m.buy('maker', { amount: '25000', price: '50000' }))
    expect(m.edit('maker', plain, { amount: '25000', mmp: true }).refusal).toEqual(tooMuch)
    expect(m.edit('maker', plain, { amount: '24900', mmp: true }).refusal).toBeNull()
  })
})

describe('the flag on edits', () => {
  test('S100 S235 C28 an edit joins or leaves the group, and keeps its place; omitted fields stay', () => {
    const m = both()
    protect(m, 'maker', { quantity: 1 })
    const first = idOf(m.sell('maker', { amount: '1000', price: '50000' }))
    m.sell('plain', { amount: '1000', price: '50000' })
    const joined = m.edit('maker', first, { amount: '1000', mmp: true })
    expect(joined.order?.extras?.mmp).toEqual({ group: 1, index: 'btc_usd', name: null })
    expect(m.edit('maker', first, { amount: '900' }).order?.extras?.mmp).not.toBeNull()
    const fill = m.buy('taker', { amount: '900', price: '50000' })
    expect(fill.trades[0]?.maker.order).toBe(first)
    expect(mmpEvents(fill)).toMatchObject([{ quantity9: 18_000_000 }])
    const second = idOf(m.sell('maker', { amount: '60000', price: '50010', ...mmp }))
    const left = m.edit('maker', second, { amount: '60000', mmp: false })
    expect(left.order?.extras).toBeNull()
    expect(mmpEvents(m.buy('taker', { amount: '60000', price: '50010' }))).toEqual([])
  })

  test('S219 a waiting or linked order cannot be protected', () => {
    const m = both()
    protect(m, 'maker', {})
    const stop = idOf(
      m.sell('maker', {
        ...{ amount: '10', price: '48000', type: 'stop_limit' },
        trigger: { source: 'mark_price', price: '49000' },
      }),
    )
    expect(m.edit('maker', stop, { amount: '10', mmp: true }).refusal).toEqual({
      reason: 'unsupported_arg_combination',
    })
  })
})

describe('Rule: mmp.curtailment S091 C45', () => {
  /** Two bids on the perpetual, one bid on the future and one ask, 0.5 coins each. */
  function quoted(): { readonly m: Market; readonly orders: readonly number[] } {
    const m = both()
    protect(m, 'maker', { quantity: 100, maxQuote: 2 })
    const words = { amount: '25000', price: '50000', ...mmp }
    const placed: Outcome[] = [
      m.buy('maker', words),
      m.buy('maker', words),
      m.buy('maker', { ...words, instrument: 'BTC-27MAR26' }),
      m.sell('maker', { ...words, price: '50010' }),
    ]
    m.buy('maker', { amount: '25000', price: '50000' })
    return { m, orders: placed.map(idOf) }
  }

  function gone(outcome: Outcome): readonly number[] {
    return outcome.events.flatMap((event) =>
      event.kind === 'order' && event.change === 'cancelled' && event.reason === 'mmp_config_curtailment'
        ? [event.order]
        : [],
    )
  }

  test('a lower maximum cancels the newest orders of each instrument and side until the rest fits', () => {
    const { m, orders } = quoted()
    const outcome = protect(m, 'maker', { quantity: 100, maxQuote: 0.5 })
    expect(gone(outcome)).toEqual([orders[1]])
    expect(mmpEvents(outcome)).toMatchObject([{ change: 'configured', cancelled: 1 }])
    expect(gone(protect(m, 'maker', { quantity: 100, maxQuote: 0.4 }))).toEqual([...[orders[3], orders[2], orders[0]]])
    expect(m.openOrders('maker')).toHaveLength(1)
  })

  test('removing the configuration cancels all of them, and the next order finds no configuration', () => {
    const { m, orders } = quoted()
    const outcome = protect(m, 'maker', { interval: 0 })
    expect(gone(outcome)).toEqual(orders)
    expect(mmpEvents(outcome)).toMatchObject([
      { change: 'removed', config: null, cancelled: 4, quantity9: 0, windowStart: null },
    ])
    expect(mmpEvents(protect(m, 'maker', { interval: 0 }))).toEqual([])
    expect(m.buy('maker', { amount: '10', price: '49000', ...mmp }).refusal).toEqual({
      reason: 'other_reject mmp_not_configured',
    })
  })
})
