/**
 * What can be listed or said, and is refused with 10033 because it is not computed yet: orders and
 * given positions of options and combos. Source: trading.md C07 (step 10).
 */
import { describe, expect, test } from 'vitest'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { kindsOf, type Market, market } from '../support/harness.ts'

const rich = { BTC: '1000', ETH: '1000', USDC: '1000000' }

/** An option of each settlement, a spread of futures, a spread of options; with their marks. */
const marks = {
  'BTC-27MAR26-50000-C': '0.02',
  'ETH-27MAR26-4000-P': '0.02',
  'BTC_USDC-27MAR26-50000-C': '900',
  'BTC-FS-27MAR26_PERP': '100',
  'BTC-CS-27MAR26-50000_60000': '0.01',
} as const
const names = Object.keys(marks) as readonly (keyof typeof marks)[]

function listed(): Market {
  const m = market({
    instruments: Object.fromEntries(['BTC-PERPETUAL', ...names].map((name) => [name, {}])),
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', eth_usd: '4000', btc_usdc: '50000' },
  })
  for (const name of names) m.mark(marks[name], name)
  return m
}

describe('options and combos are refused, not booked as futures', () => {
  test.each(names)('orders of %s: 10033, and nothing is left of them', (instrument) => {
    const m = listed()
    const order = { instrument, amount: '10', price: marks[instrument] }
    for (const type of ['limit', 'market', 'market_limit'] as const) {
      for (const refused of [
        m.buy('alice', { ...order, type }),
        m.sell('bob', { ...order, type }),
      ]) {
        expect(refused.refusal).toEqual({ reason: 'not_implemented' })
        expect(kindsOf(refused)).toEqual(['request_refused', 'request_done'])
      }
    }
    expect(m.depth('buy', instrument)).toEqual([])
    expect(m.depth('sell', instrument)).toEqual([])
    expect(m.openOrders('alice')).toEqual([])
    expect(m.exchange.holdings).toEqual([])
  })

  test.each(names)('give_position of %s: 10033, and nobody holds it', (instrument) => {
    const m = listed()
    for (const size of ['10', '-10']) {
      const refused = m.give('alice', size, marks[instrument], instrument)
      expect(refused.refusal).toEqual({ reason: 'not_implemented' })
      expect(kindsOf(refused)).toEqual(['request_refused', 'request_done'])
    }
    expect(m.exchange.holdings).toEqual([])
    expect(m.position('alice', instrument).size).toBe(0)
  })

  test('on the wire too, whether or not there is a mark', () => {
    const m = deskMarket({ instruments: ['BTC-PERPETUAL', ...names] })
    for (const instrument_name of names) {
      const order = { instrument_name, amount: 10, price: Number(marks[instrument_name]) }
      const asked: Json = [
        m.refusal('alice', 'private/buy', order),
        m.refusal('bob', 'private/sell', { ...order, type: 'market' }),
        m.refusal(null, 'sim/give_position', { account: 'alice', ...order }),
      ]
      expect([instrument_name, ...new Set(asked)]).toEqual([
        instrument_name,
        '10033 not_implemented',
      ])
      expect(m.result('alice', 'private/get_position', { instrument_name }).size).toBe(0)
    }
  })

  test('listing them, their marks and their books is served', () => {
    const m = deskMarket({ instruments: [...names] })
    for (const instrument_name of names) {
      const price = Number(marks[instrument_name])
      expect(m.result(null, 'sim/set_mark', { instrument_name, price })).toEqual({
        mark_price: price,
      })
      const book = m.result(null, 'public/get_order_book', { instrument_name })
      expect(book).toMatchObject({ state: 'open', bids: [], asks: [], last_price: null })
    }
  })
})
