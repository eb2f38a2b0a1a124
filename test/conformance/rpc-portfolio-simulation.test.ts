/**
 * Hypothetical margins: of orders (get_margins), and of portfolios (pme/simulate, simulate_portfolio).
 * Source: market.md 6.1 (T64), 6.2, 6.5 (T81-T86); a published reply of February 2026.
 */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const call = { instrument_name: 'BTC-27MAR26-60000-C' } as const
const pme = 'private/pme/simulate'
const portfolio = 'private/simulate_portfolio'

function market(): DeskMarket {
  return deskMarket({
    instruments: ['BTC-PERPETUAL', call.instrument_name, 'ETH-PERPETUAL'],
    index: { btc_usd: 50_000, eth_usd: 1949.34 },
    accounts: { alice: { BTC: 10, ETH: 10 }, bob: { BTC: 10 } },
  })
}

describe('private/get_margins', () => {
  test('T64 the margin that an order needs on each side, and its price band', () => {
    const m = market()
    // 0.2 BTC.
    const margins = m.result('alice', 'private/get_margins', {
      ...{ ...perpetual, amount: 10_000, price: 50_000 },
    })
    const { min_price, max_price } = m.result(null, 'public/ticker', perpetual)
    const fees = {
      ...{ buy_taker_fee: 0.0001, buy_maker_fee: 0 },
      ...{ sell_taker_fee: 0.0001, sell_maker_fee: 0 },
    }
    expect(margins).toEqual({ buy: 0.004002, sell: 0.004002, ...fees, min_price, max_price })
  })

  test('a bought option needs its cost and fee, a sold one its short margin', () => {
    const m = market()
    const { buy, sell } = m.result('alice', 'private/get_margins', {
      ...{ ...call, amount: 1, price: 0.05 },
    })
    expect(buy).toBe(0.0503)
    const { mark_price } = m.result(null, 'public/ticker', call)
    expect(sell).toBeCloseTo(Math.max(0.15 - 10_000 / 50_000, 0.1) + mark_price, 8)
  })

  test('invalid parameters are refused', () => {
    const m = market()
    const of = (params: Json): string => m.refusal('alice', 'private/get_margins', params)
    expect(of({ instrument_name: 'SOL-PERPETUAL', amount: 1, price: 1 })).toBe('13020 not_found')
    expect(of({ ...perpetual, amount: 15, price: 50_000 })).toBe('10027 non_integer_contract_amount')
    expect(of({ ...perpetual, amount: 10 })).toBe('-32602 Invalid params price required')
    for (const amount of [0, -10, 5]) {
      expect(of({ ...perpetual, amount, price: 50_000 })).toBe('10002 qty_too_low')
    }
    for (const price of [0, -1, 1e12]) {
      expect(of({ ...perpetual, amount: 10, price })).toBe('-32602 Invalid params price not_a_price')
    }
  })

  test('F01 the margin of an order beyond all balances is computed too', () => {
    const asked = { ...call, amount: 9_000_000_000, price: 9_007_199 }
    // 9e9 * (9007199 + 0.0003); at no price does the fee reach its cap.
    expect(market().result('alice', 'private/get_margins', asked).buy).toBe(81_064_791_002_700_000)
  })
})

describe('private/pme/simulate', () => {
  test('T83 the matrix of a short perpetual, in the form of an observed reply', () => {
    const m = market()
    m.result(null, 'sim/set_mark', { instrument_name: 'ETH-PERPETUAL', price: 1949.49 })
    const reply = m.result('alice', pme, {
      currency: 'ETH',
      simulated_positions: { 'ETH-PERPETUAL': -1 },
    })
    expect(Object.keys(reply)).toEqual([
      ...['ticker', 'index_price', 'portfolio', 'margins', 'initial_risk_vectors'],
      ...['pre_aggregated_risk_vectors', 'aggregated_risk_vectors', 'model_params'],
    ])
    expect(reply.ticker).toEqual({
      'ETH-PERPETUAL': { index_price: 1949.34, mark_price: 1949.49 },
    })
    expect(reply.index_price).toEqual({ eth_usd: 1949.34 })
    // The nearest whole number of contracts of one USD.
    const size = -1949 / 1949.49
    expect(reply.portfolio.position['ETH-PERPETUAL']).toBeCloseTo(size, 9)
    const { standard, extended } = reply.initial_risk_vectors['ETH-PERPETUAL']
    expect([standard.length, extended.length]).toEqual([27, 8])
    expect(standard[0]).toBeCloseTo(size * (1 - 1 / 0.82), 8)
    expect(standard[26]).toBeCloseTo(size * (1 - 1 / 1.18), 8)
    const counted = reply.aggregated_risk_vectors.eth_eth
    expect(counted.standard[0]).toBeCloseTo(standard[0] * 0.6, 8)
    expect(counted.extended).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(reply.pre_aggregated_risk_vectors.eth_eth.standard).toEqual(standard)
    const { initial_margin_details, initial_margin, maintenance_margin } = reply.margins.eth
    const { risk_matrix_margin, risk_matrix_margin_details } = initial_margin_details
    const worst = -standard[26]
    expect(risk_matrix_margin_details).toMatchObject({
      ...{ correlation_contingency: 0, delta_shock: 0, worst_case: worst },
      worst_case_bucket: { index: 25, source: 'standard', bucket: 9, side: 'right' },
    })
    expect(risk_matrix_margin_details.roll_shock).toBeCloseTo(-size * 0.005, 9)
    expect(risk_matrix_margin).toBeCloseTo(worst - size * 0.005, 9)
    expect(initial_margin).toBeCloseTo(risk_matrix_margin, 9)
    expect(maintenance_margin).toBeCloseTo(0.8 * risk_matrix_margin, 9)
    expect(reply.model_params.currency_pair.eth_usd).toMatchObject({
      ...{ price_range: 0.18, m_inc: 0.000004, max_delta_shock: 0.1 },
    })
    expect(reply.model_params.currency.eth).toMatchObject({ pnl_offset: 0.6 })
  })

  test('positions are added to those of the account, or replace them; other currencies are left out', () => {
    const m = market()
    m.result(null, 'sim/give_position', {
      account: 'alice',
      ...perpetual,
      amount: 5000,
      price: 5e4,
    })
    m.result(null, 'sim/give_position', {
      ...{ account: 'alice', instrument_name: 'ETH-PERPETUAL', amount: 100, price: 1949.34 },
    })
    const positions = (params: Json): Json => m.result('alice', pme, params).portfolio.position
    const simulated_positions = { 'BTC-PERPETUAL': 0.3 }
    expect(positions({ currency: 'BTC', simulated_positions })).toEqual({ 'BTC-PERPETUAL': 0.4 })
    expect(positions({ currency: 'BTC' })).toEqual({ 'BTC-PERPETUAL': 0.1 })
    const alone = { currency: 'BTC', add_positions: false, simulated_positions }
    expect(positions(alone)).toEqual({ 'BTC-PERPETUAL': 0.3 })
    expect(Object.keys(positions({ currency: 'CROSS' }))).toEqual(['BTC-PERPETUAL', 'ETH-PERPETUAL'])
    expect(m.result('bob', pme, { currency: 'BTC' }).margins).toEqual({})
  })

  test('a simulated portfolio has the margins of a real account with portfolio margin', () => {
    const m = market()
    m.result(null, 'sim/create_account', { name: 'carol', margin_model: 'segregated_pm' })
    m.result(null, 'sim/deposit', { account: 'carol', currency: 'BTC', amount: 10 })
    const given = { account: 'carol', price: 50_000 }
    m.result(null, 'sim/give_position', { ...given, ...perpetual, amount: 25_000 })
    m.result(null, 'sim/give_position', { ...given, ...call, amount: -2, price: 0.05 })
    m.result('carol', 'private/buy', { ...perpetual, amount: 10_000, price: 49_500 })
    const summary = m.result('carol', 'private/get_account_summary', { currency: 'BTC' })
    const { btc } = m.result('carol', pme, { currency: 'BTC' }).margins
    expect(btc.initial_margin).toBeCloseTo(summary.initial_margin, 7)
    expect(btc.maintenance_margin).toBeCloseTo(summary.maintenance_margin, 7)
    expect(btc.initial_margin_details.open_orders_margin).toBeGreaterThan(0)
    const simulated = m.result('carol', portfolio, { currency: 'BTC' })
    const same = ['initial_margin', 'maintenance_margin', 'margin_balance', 'equity']
    const projected = ['projected_initial_margin', 'projected_maintenance_margin']
    for (const field of [...same, ...projected, 'projected_delta_total']) {
      expect(simulated[field]).toBeCloseTo(summary[field], field.endsWith('total') ? 5 : 7)
    }
    // Without the call only the perpetual is left: 0.5 BTC, or 0.7 with the order, at 16 % down with a roll of 1 %.
    expect(summary.projected_initial_margin).toBeCloseTo(0.7 * (0.16 / 0.84 + 0.01), 8)
    expect(simulated.delta_total).toBeCloseTo(summary.delta_total, 5)
    expect(simulated.delta_total_map.btc_usd).toBeCloseTo(summary.delta_total_map.btc_usd, 5)
    expect(Object.keys(simulated).sort()).toEqual(Object.keys(summary).sort())
  })

  test('invalid parameters are refused too', () => {
    const m = market()
    expect(m.refusal('alice', pme, { currency: 'DOGE' })).toBe('-32602 Invalid params currency unknown_value')
    const unknown = { currency: 'BTC', simulated_positions: { 'SOL-PERPETUAL': 1 } }
    expect(m.refusal('alice', pme, unknown)).toBe('13020 not_found')
    const wrong = { currency: 'BTC', simulated_positions: { 'BTC-PERPETUAL': 'one' } }
    expect(m.refusal('alice', pme, wrong)).toContain('simulated_positions.BTC-PERPETUAL')
    for (const method of [pme, portfolio]) {
      for (const size of [9_000_000_001, -1e15]) {
        const large = { currency: 'BTC', simulated_positions: { [call.instrument_name]: size } }
        expect(m.refusal('alice', method, large)).toBe(
          `-32602 Invalid params simulated_positions.${call.instrument_name} too_large`,
        )
      }
      const most = { [call.instrument_name]: 9_000_000_000 }
      m.result('alice', method, { currency: 'BTC', simulated_positions: most })
    }
  })
})

describe('Q04 an account under cross_pm is simulated with its own margin model', () => {
  function crossed(): DeskMarket {
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', call.instrument_name, 'ETH-PERPETUAL'],
      index: { btc_usd: 50_000, eth_usd: 2000 },
      accounts: {},
    })
    m.result(null, 'sim/create_account', { name: 'carl', margin_model: 'cross_pm' })
    m.result(null, 'sim/deposit', { account: 'carl', currency: 'BTC', amount: 1 })
    m.result(null, 'sim/deposit', { account: 'carl', currency: 'ETH', amount: 10 })
    return m
  }

  test('Q04 a simulation without changes equals the summary, including coins without a position', () => {
    const m = crossed()
    m.result('carl', 'private/buy', { ...perpetual, amount: 1000, price: 49_990 })
    m.result(null, 'sim/give_position', {
      ...{ account: 'carl', instrument_name: call.instrument_name, amount: -0.1, price: 0.05 },
    })
    for (const currency of ['BTC', 'ETH']) {
      const summary: Json = m.result('carl', 'private/get_account_summary', { currency })
      const asked = { currency, add_positions: true, simulated_positions: {} }
      expect(m.result('carl', portfolio, asked)).toEqual(summary)
      expect(summary.total_initial_margin_usd).toBeGreaterThan(8000)
    }
  })

  test('Q04 pme/simulate stresses the balance of a coin: 16 % of BTC, 18 % of ETH (T80)', () => {
    const m = crossed()
    const { margins } = m.result('carl', pme, { currency: 'CROSS' })
    expect(margins.btc).toMatchObject({ initial_margin: 0.16, maintenance_margin: 0.128 })
    expect(margins.eth).toMatchObject({ initial_margin: 1.8, maintenance_margin: 1.44 })
    expect(margins.btc.initial_margin_details.risk_matrix_margin).toBe(0.16)
    // A short position in the coin removes its risk.
    const hedged = m.result('carl', pme, {
      ...{ currency: 'BTC', simulated_positions: { 'BTC-PERPETUAL': -1 } },
    })
    expect(hedged.margins.btc.initial_margin).toBeLessThan(0.02)
  })
})
