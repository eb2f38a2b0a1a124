/**
 * Tick direction of public trades. Source: market.md 8 (T102, T103, observed); S025, R65.
 */
import { expect, test } from 'vitest'
import { type Market, market } from '../support/harness.ts'

const rich = { BTC: '1000' }

function directions(m: Market, prices: readonly string[], instrument: string): readonly unknown[] {
  return prices.map((price) => {
    m.sell('bob', { instrument, amount: '10', price })
    return m.buy('alice', { instrument, amount: '10', price }).trades[0]?.tickDirection
  })
}

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '77300' },
  })
}

test('T102 the observed chain', () => {
  const prices = ['77315.5', '77304.5', '77304.5', '77303', '77303', '77303', '77304']
  expect(directions(btc(), prices, 'BTC-PERPETUAL')).toEqual([1, 2, 3, 2, 3, 3, 0])
})

test('T103 the first trade of an instrument is 1, and equal prices before any move keep it', () => {
  const m = btc()
  expect(directions(m, ['77300', '77300', '77300'], 'BTC-PERPETUAL')).toEqual([1, 1, 1])
  expect(directions(m, ['77000', '77002.5'], 'BTC-27MAR26')).toEqual([1, 0])
})

test('S025 a rise is 0, no change after a rise 1, a fall 2, no change after a fall 3', () => {
  const prices = ['77300', '77301', '77301', '77300', '77300', '77305', '77305']
  expect(directions(btc(), prices, 'BTC-PERPETUAL')).toEqual([1, 0, 1, 2, 3, 0, 1])
})

test('R65 each trade of one order is compared with the trade before it', () => {
  const m = btc()
  for (const price of ['77300', '77300', '77301']) m.sell('bob', { amount: '10', price })
  const { trades } = m.buy('alice', { amount: '30', price: '77310' })
  expect(trades.map((trade) => trade.tickDirection)).toEqual([1, 1, 0])
})
