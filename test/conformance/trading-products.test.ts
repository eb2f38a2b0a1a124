/** Trading products that an owner disables for its accounts. Source: trading.md 4.1, 4.9. */
import { describe, expect, test } from 'vitest'
import { assert } from '../../src/core/index.ts'
import { restore, snapshot, stateHash } from '../../src/engine/index.ts'
import { type TradingProduct, tradingProducts } from '../../src/model/index.ts'
import { DeskMarket, type Json } from '../support/desk-market.ts'

const method = 'private/set_disabled_trading_products'
const future = 'BTC-27MAR26'
const option = 'BTC-27MAR26-50000-C'

function family(): DeskMarket {
  const m = new DeskMarket({
    instruments: ['BTC-PERPETUAL', future, option, 'BTC_USDC'],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
  })
  m.ask(null, 'sim/create_account', { name: 'alice_1', main: 'alice' })
  m.ask(null, 'sim/deposit', { account: 'alice_1', currency: 'BTC', amount: 10 })
  m.ask(null, 'sim/deposit', { account: 'alice_1', currency: 'USDC', amount: 100_000 })
  m.ask(null, 'sim/set_mark', { instrument_name: option, price: 0.05 })
  return m
}

function idOf(m: DeskMarket, name: string): number {
  return m.result(name, 'private/get_account_summary', { currency: 'BTC', extended: true }).id
}

const orders: readonly (readonly [TradingProduct, Json])[] = [
  ['perpetual', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_900 }],
  ['futures', { instrument_name: future, amount: 10, price: 49_900 }],
  ['options', { instrument_name: option, amount: 0.1, price: 0.05 }],
  ['spots', { instrument_name: 'BTC_USDC', amount: 0.01, price: 49_900 }],
]
const denied = { code: 11042, message: 'permission_denied' }

describe('disabled trading products', () => {
  test('D10 account.products each disabled product refuses its own instruments with 11042, and no others', () => {
    for (const product of tradingProducts) {
      const m = family()
      const user_id = idOf(m, 'alice_1')
      expect(m.result('alice', method, { user_id, trading_products: [product] })).toBe('ok')
      for (const [own, order] of orders) {
        const reply = m.ask('alice_1', 'private/buy', order)
        expect(reply.error ?? null, `${product} ${own}`).toEqual(own === product ? denied : null)
        expect(m.ask('bob', 'private/buy', order).error?.code).not.toBe(11042)
      }
    }
  })

  test('D10 open orders stay, cannot be edited, and can be cancelled; an empty list allows all products', () => {
    const m = family()
    const user_id = idOf(m, 'alice_1')
    const [, perpetual] = orders[0] as (typeof orders)[0]
    const order_id = m.result('alice_1', 'private/buy', perpetual).order.order_id
    m.result('alice', method, { user_id, trading_products: ['perpetual', 'options'] })
    expect(m.result('alice_1', 'private/get_open_orders', {})).toHaveLength(1)
    const change = { order_id, amount: 20 }
    expect(m.ask('alice_1', 'private/edit', change).error).toEqual(denied)
    const stop = { ...perpetual, type: 'stop_limit', trigger: 'last_price', trigger_price: 60_000 }
    expect(m.ask('alice_1', 'private/buy', stop).error).toEqual(denied)
    m.result('alice_1', 'private/cancel', { order_id })
    m.result('alice', method, { user_id, trading_products: [] })
    expect(m.ask('alice_1', 'private/buy', perpetual).ok).toBe(true)
  })

  test('D10 only a main account changes the list, for its own accounts', () => {
    const m = family()
    const own = idOf(m, 'alice_1')
    const wanted = { trading_products: ['options'] }
    expect(m.ask('alice_1', method, { user_id: own, ...wanted }).error.code).toBe(13012)
    for (const user_id of [idOf(m, 'bob'), 0, 9_999]) {
      expect(m.ask('alice', method, { user_id, ...wanted }).error.code).toBe(13021)
    }
    expect(m.result('alice', method, { user_id: idOf(m, 'alice'), ...wanted })).toBe('ok')
    const wrong = { user_id: own, trading_products: ['bonds'] }
    expect(m.ask('alice', method, wrong).error.data.param).toBe('trading_products.0')
    expect(m.ask('alice', method, { user_id: own }).error.code).toBe(-32602)
  })

  test('D10 the list is part of the state: in the hash, and in snapshots', () => {
    const hashes = new Set<string>()
    for (const products of [[], ...tradingProducts.map((each) => [each]), ['spots', 'options']]) {
      const m = family()
      m.result('alice', method, { user_id: idOf(m, 'alice_1'), trading_products: products })
      const { exchange } = m.venue
      hashes.add(String(stateHash(exchange)))
      const restored = restore(snapshot(exchange))
      assert(restored.ok, 'a snapshot of a venue restores')
      const again = restored.value
      expect(stateHash(again)).toEqual(stateHash(exchange))
      const row = again.accounts.find(({ account }) => account.name === 'alice_1')
      expect([...(row?.standing.disabledProducts ?? [])].sort()).toEqual([...products].sort())
    }
    expect(hashes.size).toBe(tradingProducts.length + 2)
  })
})
