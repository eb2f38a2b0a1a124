/**
 * public/get_expirations in every form. Source: S194-S198; market.md 1.6; coverage R41.
 */
import { describe, expect, test } from 'vitest'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { settledDay } from '../support/settled-day.ts'

const m = deskMarket({
  instruments: [
    'BTC-PERPETUAL',
    'BTC-27MAR26',
    'BTC-6JAN26',
    'BTC-27MAR26-50000-C',
    'BTC-27MAR26-60000-C',
    'BTC-30JAN26-50000-P',
    'ETH-27MAR26',
    'BTC_USDC-PERPETUAL',
    'SOL_USDC-PERPETUAL',
    'SOL_USDC-9JAN26-200-C',
    'BTC_USDC',
    'BTC-FS-27MAR26_PERP',
  ],
})

const method = 'public/get_expirations'
const ask = (currency: string, kind: string, currency_pair?: string): Json =>
  m.result(null, method, {
    ...{ currency, kind },
    ...(currency_pair === undefined ? {} : { currency_pair }),
  })

const btc = {
  future: ['6JAN26', '27MAR26', 'PERPETUAL'],
  option: ['30JAN26', '27MAR26'],
}

describe('one currency', () => {
  test('S195 S197 labels in the order of time, the perpetual last, each once', () => {
    expect(ask('BTC', 'any')).toEqual(btc)
    expect(ask('BTC', 'future')).toEqual({ future: btc.future })
    expect(ask('BTC', 'option')).toEqual({ option: btc.option })
  })

  test('R41 without instruments the list is empty; spot and combos have no expirations', () => {
    expect(ask('USDT', 'any')).toEqual({ future: [], option: [] })
    expect(ask('ETH', 'any')).toEqual({ future: ['27MAR26'], option: [] })
    expect(ask('USDC', 'any')).toEqual({ future: ['PERPETUAL'], option: ['9JAN26'] })
  })

  test('S196 by currency pair; R41 an unknown one has empty lists', () => {
    expect(ask('USDC', 'any', 'btc_usdc')).toEqual({ future: ['PERPETUAL'], option: [] })
    expect(ask('USDC', 'any', 'sol_usdc')).toEqual({ future: ['PERPETUAL'], option: ['9JAN26'] })
    expect(ask('any', 'any', 'doge_usd')).toEqual({ future: [], option: [] })
    expect(ask('ETH', 'future', 'btc_usd')).toEqual({ future: [] })
  })
})

describe('several currencies', () => {
  test('any merges all currencies', () => {
    expect(ask('any', 'any')).toEqual({
      future: ['6JAN26', '27MAR26', 'PERPETUAL'],
      option: ['9JAN26', '30JAN26', '27MAR26'],
    })
  })

  test('S198 grouped by settlement currency in lower case, without currencies that have no instruments', () => {
    expect(ask('grouped', 'any')).toEqual({
      btc,
      eth: { future: ['27MAR26'], option: [] },
      usdc: { future: ['PERPETUAL'], option: ['9JAN26'] },
    })
    expect(ask('grouped', 'option')).toEqual({
      btc: { option: btc.option },
      usdc: { option: ['9JAN26'] },
    })
    expect(ask('grouped', 'future', 'eth_usd')).toEqual({ eth: { future: ['27MAR26'] } })
  })
})

test('a delivered instrument no longer has an expiration', () => {
  const late = settledDay()
  const { future } = late.result(null, method, { currency: 'BTC', kind: 'future' })
  expect(future).toEqual(['27MAR26', 'PERPETUAL'])
})

test.each([
  [{ kind: 'any' }, 'currency required'],
  [{ currency: 'BTC' }, 'kind required'],
  [{ currency: 'DOGE', kind: 'any' }, 'currency unknown_value'],
  [{ currency: 'btc', kind: 'any' }, 'currency unknown_value'],
  [{ currency: 'BTC', kind: 'spot' }, 'kind unknown_value'],
  [{ currency: 'BTC', kind: 'any', currency_pair: 5 }, 'currency_pair wrong_type'],
])('S194 R44 %j is refused', (params, problem) => {
  expect(m.refusal(null, method, params)).toBe(`-32602 Invalid params ${problem}`)
})
