/**
 * public/get_trade_volumes. Source: market.md 8; coverage R63.
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { trade } from '../support/settled-day.ts'

const first = 1_767_603_600_000
const [minute, day] = [60_000, 86_400_000]

const names = ['BTC-PERPETUAL', 'BTC-6JAN26', 'BTC-FS-6JAN26_PERP', 'ETH-PERPETUAL']

function traded(m: DeskMarket, after: number, instrument_name: string, amount: number, price: number) {
  m.venue.at(new Date(first + after).toISOString())
  trade(m, { buyer: 'bob', seller: 'alice', instrument_name, amount, price })
}

const volumes = (m: DeskMarket, extended?: boolean): Json =>
  m.result(null, 'public/get_trade_volumes', extended === undefined ? {} : { extended })

describe('R63 public/get_trade_volumes', () => {
  test('the day matches that of tickers; the week and the month go back further', () => {
    const m = deskMarket({ instruments: names, index: { btc_usd: 50_000, eth_usd: 2500 } })
    traded(m, minute, 'BTC-PERPETUAL', 5000, 50_000)
    traded(m, 5 * day, 'BTC-PERPETUAL', 10_000, 50_000)
    traded(m, 8.5 * day, 'BTC-PERPETUAL', 2500, 50_000)
    const [bitcoin, ether] = volumes(m, true)
    expect(bitcoin).toEqual({
      ...{ currency: 'BTC', calls_volume: 0, puts_volume: 0, spot_volume: 0 },
      ...{ calls_volume_7d: 0, puts_volume_7d: 0, spot_volume_7d: 0 },
      ...{ calls_volume_30d: 0, puts_volume_30d: 0, spot_volume_30d: 0 },
      ...{ futures_volume: 0.05, futures_volume_7d: 0.25, futures_volume_30d: 0.35 },
    })
    expect(ether).toMatchObject({ currency: 'ETH', futures_volume: 0, futures_volume_30d: 0 })
    const { stats } = m.result(null, 'public/ticker', { instrument_name: 'BTC-PERPETUAL' })
    expect(stats.volume).toBe(bitcoin.futures_volume)
    expect(Object.keys(volumes(m)[0])).toHaveLength(5)
  })

  test('trades of a combo count as trades of its legs, and delivered instruments still count', () => {
    const m = deskMarket({ instruments: names, index: { btc_usd: 50_000, eth_usd: 2500 } })
    // 1000 USD of each leg.
    traded(m, minute, 'BTC-FS-6JAN26_PERP', 1000, 0)
    const legs = ['BTC-PERPETUAL', 'BTC-6JAN26'].map(
      (instrument_name) => m.result(null, 'public/ticker', { instrument_name }).stats.volume,
    )
    expect(legs).toEqual([0.02, 0.02])
    expect(volumes(m)[0].futures_volume).toBe(0.04)
    m.venue.at(new Date(first + 23.5 * 3_600_000).toISOString())
    expect(m.result(null, 'public/ticker', { instrument_name: 'BTC-6JAN26' }).state).toBe('delivered')
    expect(volumes(m)[0].futures_volume).toBe(0.04)
    m.venue.at(new Date(first + day + 2 * minute).toISOString())
    expect(volumes(m, true)[0]).toMatchObject({ futures_volume: 0, futures_volume_7d: 0.04 })
  })
})
