/**
 * The initial margin that market-maker protection reserves.
 * Source: trading.md 7.3.
 */
import { describe, expect, test } from 'vitest'
import { marginsOf } from '../../src/engine/index.ts'
import type { currencies, MarginModel } from '../../src/model/index.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { type Market, market } from '../support/harness.ts'
import { protect, protectedOrder } from '../support/protection-words.ts'

/** One BTC and 60,000 USDC, without haircuts, at 50,000. */
function rich(model: MarginModel = 'segregated_sm'): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC_USDC-PERPETUAL': {}, 'ETH-PERPETUAL': {} },
    models: { maker: model },
    accounts: { maker: { BTC: '1', USDC: '60000' } },
    index: { btc_usd: '50000', btc_usdc: '50000', eth_usd: '2500' },
    config: { haircutsPpm: {} },
  })
}

function initial(m: Market, currency: (typeof currencies)[number]): number {
  return Number(marginsOf(m.exchange, m.account('maker'), currency).initial) / 1e9
}

/** The largest maximum quote quantity: available funds divided by 3 %. */
const mostOf = { segregated_sm: 33.3333, segregated_pm: 33.3333, cross_sm: 73.3333, cross_pm: 68 }

describe('Rule: mmp.margin', () => {
  test.each([
    ['segregated_sm', 0.3, 15_000],
    ['segregated_pm', 0.3, 15_000],
    // 0.3 BTC are 15,000 USD, and so are 15,000 USDC. Both are reserved, one for each currency.
    ['cross_sm', 0.6, 30_000],
    // Collateral in coin has a risk too: 16 % of it.
    ['cross_pm', 0.76, 38_000],
  ] as const)('%s: 3 % of the maximum quote quantity, in coin or in coin at the index', (model, btc, usdc) => {
    const m = rich(model)
    const before = [initial(m, 'BTC'), initial(m, 'USDC')]
    expect(before).toEqual(model === 'cross_pm' ? [0.16, 8000] : [0, 0])
    expect(protect(m, 'maker', { maxQuote: 10 }).refusal).toBeNull()
    expect(protect(m, 'maker', { maxQuote: 10, index: 'btc_usdc' }).refusal).toBeNull()
    expect([initial(m, 'BTC'), initial(m, 'USDC')]).toEqual([btc, usdc])
    protect(m, 'maker', { interval: 0 })
    protect(m, 'maker', { interval: 0, index: 'btc_usdc' })
    expect([initial(m, 'BTC'), initial(m, 'USDC')]).toEqual(before)
  })

  test('T84 a simulated portfolio includes it: quotes for 2 coins add 0.06 of initial margin', () => {
    const m = deskMarket({ accounts: { alice: { BTC: 10 }, bob: { BTC: 10 } } })
    const account = { name: 'desk', margin_model: 'segregated_pm' }
    m.result(null, 'sim/create_account', account)
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 1 })
    m.result('desk', 'private/set_mmp_config', {
      ...{ index_name: 'btc_usd', interval: 1, frozen_time: 1, max_quote_quantity: 2 },
    })
    const simulate = (add: boolean): Json =>
      m.result('desk', 'private/pme/simulate', {
        ...{ currency: 'BTC', add_positions: add, simulated_positions: { 'BTC-PERPETUAL': 1 } },
      }).margins.btc
    const [bare, held] = [simulate(false), simulate(true)]
    expect(bare.initial_margin_details.mmp_margin).toBe(0)
    expect(held.initial_margin_details.mmp_margin).toBe(0.06)
    expect(held.initial_margin - bare.initial_margin).toBeCloseTo(0.06, 9)
    expect(held.maintenance_margin).toBe(bare.maintenance_margin)
    const summary = m.result('desk', 'private/get_account_summary', { currency: 'BTC' })
    expect(summary).toMatchObject({ initial_margin: 0.06, projected_initial_margin: 0.06 })
  })

  test('each group reserves its own margin; that of a linear group follows its index', () => {
    const m = rich()
    protect(m, 'maker', { maxQuote: 10 })
    protect(m, 'maker', { maxQuote: 10, name: 'wide' })
    expect(initial(m, 'BTC')).toBe(0.6)
    protect(m, 'maker', { maxQuote: 1, index: 'btc_usdc' })
    m.index('btc_usdc', '60000')
    expect(initial(m, 'USDC')).toBe(1800)
  })

  test.each(['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'] as const)(
    '%s: a configuration whose margin exceeds the funds is refused, one that needs no more margin passes',
    (model) => {
      const m = rich(model)
      const most = mostOf[model]
      expect(protect(m, 'maker', { maxQuote: most + 0.0001 }).refusal).toEqual({
        reason: 'not_enough_funds',
      })
      expect(m.exchange.mmpGroups).toEqual([])
      expect(protect(m, 'maker', { maxQuote: most }).refusal).toBeNull()
      expect(protect(m, 'maker', { maxQuote: most, quantity: 5 }).refusal).toBeNull()
    },
  )

  test.each(['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'] as const)(
    '%s: it reduces the funds available for orders',
    (model) => {
      const m = rich(model)
      const order = { amount: '1000', price: '50000', extras: protectedOrder }
      const most = mostOf[model]
      protect(m, 'maker', { maxQuote: most })
      expect(m.buy('maker', order).refusal).toEqual({ reason: 'not_enough_funds' })
      protect(m, 'maker', { maxQuote: most - 1 })
      expect(m.buy('maker', order).refusal).toBeNull()
    },
  )
})

describe('Rule: mmp.config', () => {
  const wrong = (param: string): object => ({ refusal: { reason: 'invalid_params', param } })

  test.each([
    ['an index that nothing follows', { index: 'sol_usd' }, 'index_name'],
    ['a name of no index', { index: 'all' }, 'index_name'],
    ['a delta limit that is not below the quantity limit', { quantity: 1, delta: 1 }, 'delta_limit'],
    ['a quantity limit above 500 BTC', { quantity: 500.0001 }, 'quantity_limit'],
    ['above 5,000 ETH', { index: 'eth_usd', quantity: 5000.0001 }, 'quantity_limit'],
    ['an interval above 3,600 seconds', { interval: 3601 }, 'interval'],
    ['a frozen time above 3,600 seconds', { frozenTime: 3601 }, 'frozen_time'],
  ])('C43 refused: %s', (_title, words, param) => {
    const m = rich()
    expect(protect(m, 'maker', words)).toMatchObject(wrong(param))
    expect(m.exchange.mmpGroups).toEqual([])
  })

  test.each([
    [{ quantity: 500, delta: 499.9999 }],
    [{ delta: 700 }],
    [{ index: 'eth_usd', quantity: 5000, maxQuote: 0 }],
    [{ interval: 3600, frozenTime: 3600 }],
  ])('accepted: %j', (words) => {
    expect(protect(rich(), 'maker', { maxQuote: 0, ...words }).refusal).toBeNull()
  })

  test('C43 an account has 16 named groups, each bound to one index; a removed one makes room', () => {
    const m = rich()
    const name = (at: number): object => ({ name: `group ${at}`, maxQuote: 0 })
    for (let at = 1; at <= 16; at += 1) expect(protect(m, 'maker', name(at)).refusal).toBeNull()
    expect(protect(m, 'maker', name(17))).toMatchObject(wrong('mmp_group'))
    expect(protect(m, 'maker', name(16)).refusal).toBeNull()
    expect(protect(m, 'maker', { maxQuote: 0 }).refusal).toBeNull()
    expect(protect(m, 'maker', { ...name(1), index: 'btc_usdc' })).toMatchObject(wrong('mmp_group'))
    protect(m, 'maker', { ...name(1), interval: 0 })
    expect(protect(m, 'maker', { ...name(1), index: 'btc_usdc' }).refusal).toBeNull()
    expect(protect(m, 'maker', name(17))).toMatchObject(wrong('mmp_group'))
  })

  test('a configuration replaces the previous one as a whole, and an event reports a difference', () => {
    const m = rich()
    protect(m, 'maker', { quantity: 5, delta: 1, vega: 100, maxQuote: 2 })
    const again = protect(m, 'maker', { quantity: 5, delta: 1, vega: 100, maxQuote: 2 })
    expect(again.events.map(({ kind }) => kind)).toEqual(['request'])
    protect(m, 'maker', { vega: 50, maxQuote: 1 })
    expect(m.exchange.mmpGroups[0]?.config).toMatchObject({
      ...{ quantity9: null, delta9: null, vega9: 50_000_000_000, maxQuote9: 1_000_000_000 },
    })
  })
})
