/**
 * Trades of the alternative engine in replies.
 * Source: interface document, Public trade; sessions document 8.1, 8.6; coverage R01.
 */
import { describe, expect, test } from 'vitest'
import { BlockMarket, usualTrade } from '../support/block-market.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { RfqVenue } from '../support/rfq-venue.ts'

test('S047 S048 R01 only trades of the alternative engine show nanoseconds and the match number', () => {
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
  // Every request here arrives at a full millisecond.
  expect(eth.alt_timestamp).toBe(eth.timestamp * 1_000_000)
  expect(JSON.stringify(eth.alt_timestamp)).toBe(`${eth.timestamp}000000`)
  const { alt_match_id, alt_timestamp } = last('ETH-PERPETUAL')
  expect([alt_match_id, alt_timestamp]).toEqual([1, eth.alt_timestamp])
  const btc = trade('BTC-PERPETUAL', 49_900)
  for (const reported of [btc, last('BTC-PERPETUAL')]) {
    expect(Object.keys(reported).filter((field) => field.startsWith('alt_'))).toEqual([])
  }
  // The engine has one counter for all its matches.
  expect(trade('ETH-PERPETUAL', 2_991).alt_match_id).toBe(2)
})

describe('S47 a trade outside the books of the alternative engine has no such fields', () => {
  const perpetual = 'ETH-PERPETUAL'
  const altOf = (trade: Json): readonly string[] => Object.keys(trade).filter((field) => field.startsWith('alt_'))
  const tape = (m: DeskMarket, instrument_name: string): Json[] =>
    m.result(null, 'public/get_last_trades_by_instrument', { instrument_name }).trades

  function match(m: DeskMarket, [buyer, seller]: readonly [string, string]): Json {
    const terms = { instrument_name: perpetual, price: 2_490, amount: 10 }
    m.result(buyer, 'private/buy', terms)
    return m.result(seller, 'private/sell', terms).trades[0]
  }

  test('a block trade, which uses no match number', () => {
    const m = new BlockMarket()
    for (const account of ['maker', 'taker']) {
      m.result(null, 'sim/deposit', { account, currency: 'ETH', amount: 1_000 })
    }
    const trades = [{ ...usualTrade, instrument_name: perpetual, price: 2_500 }]
    expect(m.trade({ trades }).trades.flatMap(altOf)).toEqual([])
    expect(tape(m, perpetual).flatMap(altOf)).toEqual([])
    expect(match(m, ['maker', 'taker']).alt_match_id).toBe(1)
  })

  test('a Block RFQ', () => {
    const m = new RfqVenue()
    for (const account of ['taker', 'alpha']) {
      m.result(null, 'sim/deposit', { account, currency: 'ETH', amount: 10_000 })
    }
    const leg = { instrument_name: perpetual, direction: 'buy' }
    const of = { amount: 200_000, legs: [{ ...leg, ratio: 1, price: 2_500 }] }
    m.create({ legs: [{ ...leg, amount: 200_000 }] })
    m.quote('alpha', of)
    m.grace().accept({ ...of, legs: [{ ...leg, ratio: 1 }], price: 2_500 })
    expect(tape(m, perpetual)).toHaveLength(1)
    expect(tape(m, perpetual).flatMap(altOf)).toEqual([])
    expect(match(m, ['taker', 'alpha']).alt_match_id).toBe(1)
  })

  test('a leg of a combo whose book is on the main engine', () => {
    const legs = [perpetual, 'ETH-27MAR26']
    const m = deskMarket({
      instruments: legs,
      index: { eth_usd: 2_500 },
      accounts: { alice: { ETH: 1_000 }, bob: { ETH: 1_000 } },
    })
    const combo = 'ETH-FS-27MAR26_PERP'
    m.result(null, 'sim/list_instrument', { instrument_name: combo, engine: 'main' })
    const terms = { instrument_name: combo, price: 1, amount: 10 }
    m.result('alice', 'private/buy', terms)
    m.result('bob', 'private/sell', terms)
    for (const name of [...legs, combo]) {
      expect(tape(m, name)).toHaveLength(1)
      expect(tape(m, name).flatMap(altOf)).toEqual([])
    }
    expect(match(m, ['alice', 'bob']).alt_match_id).toBe(1)
  })
})
