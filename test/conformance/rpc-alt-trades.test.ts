/**
 * Trades of the alternative engine on the wire.
 * Source: interface document, Public trade; sessions document 8.1, 8.6; coverage R01.
 */
import { expect, test } from 'vitest'
import { deskMarket, type Json } from '../support/desk-market.ts'

test('S047 S048 R01 trades of the alternative engine alone tell nanoseconds and the number of the match', () => {
  const m = deskMarket({
    instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
    index: { btc_usd: 50_000, eth_usd: 3_000 },
    accounts: { alice: { BTC: 10, ETH: 100 }, bob: { BTC: 10, ETH: 100 } },
  })
  const trade = (instrument_name: string, price: number): Json => {
    const terms = { instrument_name, price, amount: 10 }
    m.result('alice', 'private/buy', terms)
    return m.result('bob', 'private/sell', terms).trades[0]
  }
  const last = (instrument_name: string): Json =>
    m.result(null, 'public/get_last_trades_by_instrument', { instrument_name }).trades[0]
  const eth = trade('ETH-PERPETUAL', 2_990)
  expect(eth.alt_match_id).toBe(1)
  // Every request here comes at a whole millisecond.
  expect(eth.alt_timestamp).toBe(eth.timestamp * 1_000_000)
  expect(JSON.stringify(eth.alt_timestamp)).toBe(`${eth.timestamp}000000`)
  const { alt_match_id, alt_timestamp } = last('ETH-PERPETUAL')
  expect([alt_match_id, alt_timestamp]).toEqual([1, eth.alt_timestamp])
  const btc = trade('BTC-PERPETUAL', 49_900)
  for (const told of [btc, last('BTC-PERPETUAL')]) {
    expect(Object.keys(told).filter((field) => field.startsWith('alt_'))).toEqual([])
  }
  // The engine counts its own matches, and all of them.
  expect(trade('ETH-PERPETUAL', 2_991).alt_match_id).toBe(2)
})
