/**
 * Positions and account summaries as JSON, held to the golden files of real accounts.
 * Source: market.md 2, 5.2, 5.3; golden inverse-position, linear-perpetual-margin,
 * account-identities.
 */
import { describe, expect, test } from 'vitest'
import { lots, price9, sequence } from '../../src/core/index.ts'
import { commitGivePosition } from '../../src/engine/handlers/controls.ts'
import { rowOfInstrument } from '../../src/engine/state/orders.ts'
import { NO_ACCOUNT } from '../../src/model/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const linear = { instrument_name: 'BTC_USDC-PERPETUAL' }

/** Golden inverse-position: printed by a venue, size = USD. */
const inversePosition = {
  inputs: { size: 185_160, average: 15_000, settlement: 16_025.83, mark: 17_391 },
  expected: { size_currency: 10.646886321, delta: 10.646886321 },
  floating: 0.906961435,
  total: 1.69711368,
}

/** Golden linear-perpetual-margin: a real position of November 2025. */
const linearPosition = {
  inputs: { coins: 0.0001, average: 85_235.5, mark: 85_295.36 },
  expected: {
    ...{ size: 8.529536, floating_profit_loss: 0.005986, total_profit_loss: 0.005986 },
    ...{ initial_margin: 0.170590763, maintenance_margin: 0.085295403 },
    ...{ leverage: 50, delta: 0.0001 },
  },
}

function given(amount: number, price: number, of: RequestParams = perpetual): DeskMarket {
  const m = deskMarket({
    instruments: ['BTC-PERPETUAL', 'BTC_USDC-PERPETUAL', 'BTC-27MAR26-50000-C'],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10 } },
  })
  m.result(null, 'sim/set_mark', { instrument_name: 'BTC-27MAR26-50000-C', price: 0.02 })
  m.result(null, 'sim/give_position', { account: 'alice', ...of, amount, price })
  return m
}

/** Books a position in the option, which no request can do yet: in lots, at a price in 1e-9. */
function holdOption(m: DeskMarket, size: number, price: number): void {
  const { exchange, desk } = m.venue
  const { instrument } = rowOfInstrument(exchange, 2)
  const turn = { exchange, sink: desk.sink, cause: sequence(0) }
  const header = { time: exchange.now, sequence: sequence(0), session: 0, fault: null } as const
  const target = m.venue.exchange.accounts.find(({ account }) => account.name === 'alice')
  if (target === undefined) throw new Error('alice has an account')
  commitGivePosition(
    turn,
    {
      ...{ ...header, kind: 'give_position', account: NO_ACCOUNT, target: target.account.id },
      ...{ instrument: instrument.id, size: lots(size), price: price9(price) },
    },
    rowOfInstrument(exchange, 2),
  )
}

describe('private/get_position', () => {
  test('a flat position, exactly', () => {
    const m = deskMarket()
    expect(m.result('alice', 'private/get_position', perpetual)).toEqual({
      ...{ instrument_name: 'BTC-PERPETUAL', kind: 'future', direction: 'zero' },
      ...{ size: 0, size_currency: 0, average_price: 0, mark_price: 50_000, index_price: 50_000 },
      ...{ delta: 0, initial_margin: 0, maintenance_margin: 0, open_orders_margin: 0 },
      ...{ total_profit_loss: 0, floating_profit_loss: 0, realized_profit_loss: 0, leverage: 50 },
    })
  })

  test('T20 size in coin with 9 decimals', () => {
    const m = given(50, 7440)
    m.result(null, 'sim/set_mark', { ...perpetual, price: 7476.65 })
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position).toMatchObject({ size: 50, size_currency: 0.006687487, delta: 0.006687487 })
  })

  test('a short position has negative sizes', () => {
    const m = given(-50_000, 50_000)
    expect(m.result('alice', 'private/get_position', perpetual)).toMatchObject({
      ...{ direction: 'sell', size: -50_000, size_currency: -1, delta: -1 },
      ...{ initial_margin: 0.02005, maintenance_margin: 0.01005, leverage: 50 },
    })
  })

  test('initial_margin is the position’s own; what open orders add stands beside it', () => {
    const m = given(50_000, 50_000)
    m.result('alice', 'private/buy', { ...perpetual, amount: 50_000, price: 49_000 })
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position).toMatchObject({ initial_margin: 0.02005, maintenance_margin: 0.01005 })
    const summary = m.result('alice', 'private/get_account_summary', { currency: 'BTC' })
    const { initial_margin, open_orders_margin } = position
    expect(open_orders_margin).toBeGreaterThan(0.02)
    expect(summary.initial_margin).toBeCloseTo(initial_margin + open_orders_margin, 8)
  })

  test('an option’s size is in coin, without coin size and without delta', () => {
    const option = { instrument_name: 'BTC-27MAR26-50000-C' }
    const m = given(10, 50_000)
    holdOption(m, -5, 30_000_000)
    const position = m.result('alice', 'private/get_position', option)
    expect(position).toMatchObject({ kind: 'option', direction: 'sell', size: -0.5 })
    expect(position).toMatchObject({ average_price: 0.03, floating_profit_loss: 0.005 })
    expect(position).not.toHaveProperty('size_currency')
    expect(position).not.toHaveProperty('delta')
  })

  test('an instrument that is not listed: 13020', () => {
    const m = deskMarket()
    const missing = { instrument_name: 'ETH-PERPETUAL' }
    expect(m.refusal('alice', 'private/get_position', missing)).toBe('13020 not_found')
    const required = '-32602 Invalid params instrument_name required'
    expect(m.refusal('alice', 'private/get_position')).toBe(required)
  })

  test('golden inverse-position: session profit from settlement, total from the average', () => {
    const { inputs, expected, floating, total } = inversePosition
    const m = given(inputs.size, inputs.average)
    m.result(null, 'sim/set_mark', { ...perpetual, price: inputs.mark })
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position).toMatchObject({ ...expected, average_price: inputs.average })
    expect(position.total_profit_loss).toBeCloseTo(total, 8)
    // No settlement lies in between, so the session began with the position: one given at the
    // settlement price has the session profit.
    const settled = given(inputs.size, inputs.settlement)
    settled.result(null, 'sim/set_mark', { ...perpetual, price: inputs.mark })
    const { floating_profit_loss } = settled.result('alice', 'private/get_position', perpetual)
    expect(floating_profit_loss).toBeCloseTo(floating, 8)
  })

  test('golden linear-perpetual-margin: sizes, profit, margins, leverage to the last digit', () => {
    const { inputs, expected } = linearPosition
    const m = deskMarket({ instruments: [], index: { btc_usdc: 85_000 } })
    m.result(null, 'sim/list_instrument', { ...linear, min_trade_amount: 0.0001 })
    m.result(null, 'sim/give_position', {
      ...{ account: 'alice', ...linear, amount: inputs.coins, price: inputs.average },
    })
    m.result(null, 'sim/set_mark', { ...linear, price: inputs.mark })
    expect(m.result('alice', 'private/get_position', linear)).toMatchObject({
      ...expected,
      ...{ size_currency: inputs.coins, average_price: inputs.average, mark_price: inputs.mark },
    })
  })
})

describe('private/get_positions', () => {
  test('open ones in the order of listing, by currency and kind', () => {
    const m = given(50_000, 50_000)
    m.result(null, 'sim/give_position', { account: 'alice', ...linear, amount: 0.5, price: 1000 })
    const namesOf = (params: RequestParams): Json =>
      m
        .result('alice', 'private/get_positions', params)
        .map((position: Json) => position.instrument_name)
    const both = ['BTC-PERPETUAL', 'BTC_USDC-PERPETUAL']
    expect(namesOf({})).toEqual(both)
    expect(namesOf({ currency: 'any', kind: 'future' })).toEqual(both)
    expect(namesOf({ currency: 'USDC' })).toEqual(['BTC_USDC-PERPETUAL'])
    expect(namesOf({ currency: 'ETH' })).toEqual([])
    expect(namesOf({ kind: 'option' })).toEqual([])
    expect(m.result('bob', 'private/get_positions')).toEqual([])
    const [position] = m.result('alice', 'private/get_positions')
    expect(position).toEqual(m.result('alice', 'private/get_position', perpetual))
  })
})

describe('private/get_account_summary (market.md 5.3)', () => {
  const summaryOf = (m: DeskMarket, currency = 'BTC'): Json =>
    m.result('alice', 'private/get_account_summary', { currency })

  test('money alone, exactly', () => {
    const zero = Object.fromEntries(
      (
        'initial_margin maintenance_margin session_rpl session_upl futures_session_rpl ' +
        'futures_session_upl futures_pl options_session_rpl options_session_upl options_pl ' +
        'options_value total_pl delta_total spot_reserve additional_reserve fee_balance'
      )
        .split(' ')
        .map((field) => [field, 0]),
    )
    expect(summaryOf(deskMarket())).toEqual({
      ...zero,
      ...{ currency: 'BTC', balance: 10, equity: 10, margin_balance: 10, available_funds: 10 },
      ...{ available_withdrawal_funds: 10, margin_model: 'segregated_sm' },
      ...{ portfolio_margining_enabled: false, cross_collateral_enabled: false },
    })
  })

  test('golden account-identities hold with profits of both kinds, up to rounding', () => {
    const m = deskMarket()
    m.result('alice', 'private/buy', { ...perpetual, amount: 33_330, price: 49_990.5 })
    m.result('bob', 'private/sell', { ...perpetual, amount: 20_000, price: 49_990.5 })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_300 })
    m.result('alice', 'private/sell', { ...perpetual, amount: 7770, price: 50_350 })
    m.result('bob', 'private/buy', { ...perpetual, amount: 7770, price: 50_350 })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_177.77 })
    const summary = summaryOf(m)
    expect(summary.session_rpl).toBeGreaterThan(0)
    expect(summary.session_upl).toBeGreaterThan(0)
    const close = (left: number, right: number): void => {
      expect(Math.abs(left - right)).toBeLessThan(2e-8)
    }
    const futures = summary.futures_session_rpl + summary.futures_session_upl
    close(summary.session_upl, summary.futures_session_upl + summary.options_session_upl)
    close(summary.session_rpl, summary.futures_session_rpl + summary.options_session_rpl)
    close(summary.margin_balance, summary.balance + futures)
    close(summary.equity, summary.margin_balance + summary.options_value)
    close(summary.available_funds, summary.margin_balance - summary.initial_margin)
    close(summary.available_withdrawal_funds, summary.balance - summary.initial_margin)
    close(summary.total_pl, summary.futures_pl + summary.options_pl)
    const { delta } = m.result('alice', 'private/get_position', perpetual)
    close(summary.delta_total, delta)
  })

  test('T62 a session loss lowers what can be withdrawn, never below zero, cut not rounded', () => {
    const m = given(-50_000, 50_000)
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 50_011 })
    const summary = summaryOf(m)
    expect(summary.session_upl).toBeLessThan(0)
    const exact = 10 + (50_000 / 50_011 - 1) - (50_000 / 50_011) * (0.02 + (50_000 / 50_011) * 5e-5)
    expect(summary.available_withdrawal_funds).toBe(Math.floor(exact * 1e8) / 1e8)
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 5000 })
    const poor = given(50_000, 50_000)
    poor.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 4000 })
    expect(summaryOf(poor).available_withdrawal_funds).toBe(0)
    expect(summaryOf(poor).available_funds).toBeLessThan(0)
  })

  test('a spot order reserves what it gives', () => {
    const m = deskMarket({
      ...{ instruments: ['BTC_USDC'], index: { btc_usdc: 50_000 } },
      accounts: { alice: { USDC: 100_000 } },
    })
    m.result('alice', 'private/buy', { instrument_name: 'BTC_USDC', amount: 1, price: 49_900 })
    const summary = summaryOf(m, 'USDC')
    expect(summary).toMatchObject({ balance: 100_000, spot_reserve: 49_900, equity: 100_000 })
    expect(summary.available_withdrawal_funds).toBe(50_100)
  })

  test('extended names the account; another currency is -32602', () => {
    const m = deskMarket()
    const extended = { currency: 'BTC', extended: true }
    expect(m.result('alice', 'private/get_account_summary', extended)).toMatchObject({
      ...{ username: 'alice', system_name: 'alice', type: 'main', id: expect.any(Number) },
    })
    const asked = (params: RequestParams): string =>
      m.refusal('alice', 'private/get_account_summary', params)
    expect(asked({})).toBe('-32602 Invalid params currency required')
    expect(asked({ currency: 'SOL' })).toBe('-32602 Invalid params currency unknown_value')
  })
})
