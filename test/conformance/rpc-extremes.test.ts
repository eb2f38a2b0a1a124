/**
 * Sizes and prices at the ends of the numeric range, without bands: a request is refused or computed, and never throws.
 * Source: trading.md C09 (10009, 10021); DESIGN 3 (prices up to 9,007,199).
 */
import { describe, expect, test } from 'vitest'
import { scaledProfits, scenarioTable } from '../../src/margin/index.ts'
import { defaultPortfolioTerms } from '../../src/model/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const call = { instrument_name: 'BTC-27MAR26-60000-C' }
const linear = { instrument_name: 'BTC_USDC-27MAR26-60000-C' }
const straddle = { instrument_name: 'BTC-STRD-27MAR26-60000' }
const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const most = 9_000_000_000
const highest = 9_007_199

function market(margin_model = 'segregated_sm'): DeskMarket {
  const m = deskMarket({
    instruments: ['BTC-PERPETUAL', 'BTC-27MAR26-60000-C', 'BTC-27MAR26-60000-P'].concat([
      ...[linear.instrument_name, straddle.instrument_name],
    ]),
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: {},
    config: { priceBands: false },
  })
  m.result(null, 'sim/create_account', { name: 'alice', margin_model })
  m.result(null, 'sim/deposit', { account: 'alice', currency: 'BTC', amount: 1_000_000 })
  return m
}

describe.each(['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'])('%s', (model) => {
  test.each<readonly [string, Json, Json]>([
    ['an option at the highest price', call, { amount: most, price: highest }],
    ['a combo at the highest price', straddle, { amount: most, price: highest }],
    ['an inverse perpetual at the lowest price', perpetual, { amount: most, price: 0.5 }],
  ])('an order whose cost exceeds the range of amounts is refused: %s', (_title, instrument, order) => {
    const m = market(model)
    for (const side of ['buy', 'sell']) {
      const refused = m.refusal('alice', `private/${side}`, { ...instrument, ...order })
      expect(refused).toBe('10009 not_enough_funds')
    }
  })
})

describe('controls', () => {
  const give = (m: DeskMarket, position: Json): string =>
    m.refusal(null, 'sim/give_position', { account: 'alice', ...position })

  test('a position is given only if its cost is in the range of amounts', () => {
    const m = market()
    const refused = '10021 invalid_amount'
    expect(give(m, { ...call, amount: most, price: highest })).toBe(refused)
    expect(give(m, { ...linear, amount: -most, price: highest })).toBe(refused)
    expect(give(m, { ...perpetual, amount: -most, price: 0.001 })).toBe(refused)
    // The premium of a given option may fill a balance up to its limit of 9 billion units.
    expect(give(m, { ...linear, amount: 1e9, price: 9.5 })).toBe(refused)
    m.result(null, 'sim/give_position', { account: 'alice', ...linear, amount: 1e9, price: 9 })
    m.venue.wait('2s')
  })

  test('no mark and no index moves positions beyond the range of amounts', () => {
    const m = market()
    const beyond = '-32602 Invalid params price too low or too high for the open positions'
    const given = { account: 'alice', ...linear, amount: -most, price: 0.5 }
    m.result(null, 'sim/give_position', given)
    const index = { index_name: 'btc_usdc', price: highest }
    expect(m.refusal(null, 'sim/set_index', index)).toBe(beyond)
    expect(m.refusal(null, 'sim/set_mark', { ...linear, price: highest })).toBe(beyond)
    m.result(null, 'sim/set_index', { index_name: 'btc_usdc', price: 100_000 })
  })

  test('A2 a mark stays in the range in which the ledger can value the positions, also at delivery', () => {
    const m = deskMarket({
      start: '2026-01-05T07:00:00Z',
      instruments: ['BTC-5JAN26'],
      index: { btc_usd: 0.0001 },
      accounts: {},
      config: { priceBands: false },
    })
    const future = { instrument_name: 'BTC-5JAN26' }
    m.result(null, 'sim/create_account', { name: 'alice' })
    m.result(null, 'sim/give_position', { account: 'alice', ...future, amount: 3000, price: 0.01 })
    m.venue.wait('59m')
    // The mean of the index is now close to the delivery price: 3000 USD would be worth 30 million BTC.
    expect(m.result(null, 'public/ticker', future).mark_price).toBe(0.01)
    m.venue.wait('2m')
    expect(m.result(null, 'public/get_delivery_prices', { index_name: 'btc_usd' }).data).toMatchObject([
      { delivery_price: 0.0001 },
    ])
    const [settled] = m.result('alice', 'private/get_settlement_history_by_instrument', future).settlements
    expect(settled).toMatchObject({ type: 'delivery', mark_price: 0.01 })
  })

  test('if marks of legs exceed all prices, the combo’s mark is clamped to the end of the range', () => {
    const m = market()
    m.result(null, 'sim/set_mark', { ...call, price: highest })
    m.result(null, 'sim/set_mark', { instrument_name: 'BTC-27MAR26-60000-P', price: highest })
    const { mark_price } = m.result(null, 'public/ticker', straddle)
    expect(mark_price).toBeGreaterThan(9_000_000)
    expect(mark_price).toBeLessThanOrEqual(highest)
  })
})

describe('A2 products beyond the safe integers do not throw', () => {
  test('a price in USD over a tiny index', () => {
    const m = market()
    m.result(null, 'sim/set_index', { index_name: 'btc_usdc', price: 0.0001 })
    const order = { ...linear, amount: 0.1, price: 9_000_000, advanced: 'usd' }
    expect(m.refusal('alice', 'private/sell', order)).toBe('10031 invalid_args_for_instrument')
  })

  test('leg prices at the highest mark', () => {
    const m = market()
    const future = { instrument_name: 'BTC-27MAR26' }
    m.result(null, 'sim/list_instrument', future)
    m.result(null, 'sim/set_mark', { ...future, price: highest })
    const legs = [
      { ...perpetual, amount: 10, direction: 'sell' },
      { ...future, amount: 10, direction: 'buy' },
    ]
    const priced = m.result('alice', 'private/get_leg_prices', { legs, price: 9_000_000 })
    expect(priced.legs.map(({ price }: Json) => price)).toEqual([7197.5, 9_007_197.5])
  })

  test('the spot leg of a block whose cost exceeds a machine integer', () => {
    const m = market()
    m.result(null, 'sim/list_instrument', { instrument_name: 'BTC_USDC' })
    const trades = [{ instrument_name: 'BTC_USDC', price: highest, amount: most, direction: 'buy' }]
    const terms = { timestamp: 1767603600000, nonce: 'n', role: 'maker', trades }
    expect(m.refusal('alice', 'private/verify_block_trade', terms)).toBe('10009 not_enough_funds self')
  })

  test('the profit of an option in a scenario of portfolio margin', () => {
    const table = scenarioTable(defaultPortfolioTerms('btc_usd'))
    const changes9 = table.scenarios.map((_, at) => (at % 2 === 0 ? 1 : -1) * Number.MAX_SAFE_INTEGER)
    const profits9 = [...scaledProfits(table, changes9, true)]
    expect(Math.max(...profits9)).toBe(Number.MAX_SAFE_INTEGER)
    expect(Math.min(...profits9)).toBe(Number.MIN_SAFE_INTEGER)
    expect(profits9.every(Number.isSafeInteger)).toBe(true)
  })
})

test('a main account sees the positions of its subaccounts, and no others', () => {
  const m = market()
  const method = 'private/get_positions'
  const idOf = (account: string): number =>
    m.result(account, 'private/get_account_summary', { currency: 'BTC', extended: true }).id
  for (const [name, main] of [
    ['desk', 'alice'],
    ['bob', ''],
  ] as const) {
    m.result(null, 'sim/create_account', main === '' ? { name } : { name, main })
    m.result(null, 'sim/give_position', { account: name, ...perpetual, amount: 10, price: 50_000 })
  }
  expect(m.result('alice', method)).toEqual([])
  const subaccount_id = idOf('desk')
  expect(m.result('alice', method, { subaccount_id })).toEqual(m.result('desk', method))
  expect(m.refusal('alice', method, { subaccount_id: idOf('bob') })).toBe('13021 forbidden')
  expect(m.refusal('desk', method, { subaccount_id: idOf('alice') })).toBe('13021 forbidden')
})
