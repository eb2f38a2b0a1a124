import { expect, test } from 'vitest'
import { deskMarket } from '../support/desk-market.ts'

test('smoke', () => {
  const m = deskMarket()
  m.session = 1
  m.result('alice', 'private/enable_cancel_on_disconnect')
  console.log(
    m.ask('alice', 'private/set_mmp_config', {
      index_name: 'btc_usd',
      mmp_group: 'one',
      interval: 10,
      frozen_time: 10,
      quantity_limit: 5,
      max_quote_quantity: 100,
    }),
  )
  const q = (bid: object | null, ask: object | null, more = {}) =>
    m.ask('alice', 'private/mass_quote', {
      quote_id: 'q1',
      mmp_group: 'one',
      detailed: true,
      quotes: [
        {
          instrument_name: 'BTC-PERPETUAL',
          quote_set_id: 's1',
          bid: bid as never,
          ask: ask as never,
        },
      ],
      ...more,
    })
  console.log(JSON.stringify(q({ price: 49000, amount: 1000 }, { price: 51000, amount: 2000 })))
  console.log(JSON.stringify(q({ price: 49100 }, { amount: 1000 })))
  console.log(JSON.stringify(q({ amount: 0 }, { price: 51000.3 })))
  console.log(JSON.stringify(q({ price: 51000, amount: 10 }, { price: 51000 })))
  console.log(JSON.stringify(m.ask('alice', 'private/get_open_orders', {})))
  console.log(
    JSON.stringify(
      m.ask('bob', 'private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 300, price: 51000 }),
    ),
  )
  console.log(
    JSON.stringify(m.ask('alice', 'private/cancel_quotes', { cancel_type: 'all', detailed: true })),
  )
  expect(1).toBe(1)
})
