/**
 * Options in accounts: positions, summaries and the transaction log.
 * Source: market.md 5.1 (T60), 5.2, 5.3 (T63), 5.4, 7 (T100).
 */
import { describe, expect, test } from 'vitest'
import { defined } from '../../src/core/index.ts'
import { findInstrument, viewOption } from '../../src/engine/index.ts'
import type { Greeks9 } from '../../src/pricing/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const call = { instrument_name: 'BTC-27MAR26-60000-C' }
const near = { instrument_name: 'BTC-5JAN26-40000-C' }
const linear = { instrument_name: 'BTC_USDC-27MAR26-60000-C' }

function market(start = '2026-01-05T09:00:00Z', instruments: readonly string[] = []): DeskMarket {
  return deskMarket({
    start,
    instruments: ['BTC-PERPETUAL', call.instrument_name, linear.instrument_name, ...instruments],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10, USDC: 100_000 } },
    config: { priceBands: false },
  })
}

/** Alice buys from Bob, or sells to him if the amount is negative. */
function trade(m: DeskMarket, of: Json, amount: number, price: number): Json {
  const [first, second] = amount > 0 ? ['sell', 'buy'] : ['buy', 'sell']
  const order = { ...of, amount: Math.abs(amount), price }
  m.result('bob', `private/${first}`, order)
  return m.result('alice', `private/${second}`, order)
}

/** The public greeks of an option, for one coin. */
function greeksOf(m: DeskMarket, name: string): Greeks9 {
  const { exchange } = m.venue
  const id = defined(findInstrument(exchange, name), 'it is listed').id
  return defined(viewOption(exchange, id)?.greeks ?? undefined, 'its forward is known')
}

const positionOf = (m: DeskMarket, of: Json): Json => m.result('alice', 'private/get_position', of)
const summaryOf = (m: DeskMarket, currency = 'BTC'): Json =>
  m.result('alice', 'private/get_account_summary', { currency })

function logOf(m: DeskMarket, currency = 'BTC', query?: string): Json {
  const span = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }
  const params = { currency, ...span, ...(query === undefined ? {} : { query }) }
  return m.result('alice', 'private/get_transaction_log', params).logs
}

describe('positions of options (market.md 5.2)', () => {
  test('T60 average, realized and total profit, and the value of an option', () => {
    const m = market()
    trade(m, call, 2, 0.05)
    trade(m, call, 1, 0.08)
    trade(m, call, -1, 0.07)
    m.result(null, 'sim/set_mark', { ...call, price: 0.06 })
    expect(positionOf(m, call)).toMatchObject({
      ...{ kind: 'option', direction: 'buy', size: 2, average_price: 0.06, mark_price: 0.06 },
      ...{ realized_profit_loss: 0.01, total_profit_loss: 0, average_price_usd: 3000 },
    })
    expect(summaryOf(m)).toMatchObject({ options_value: 0.12, options_session_rpl: 0.01 })
  })

  test('greeks are those of the whole position, and only options have them', () => {
    const m = market()
    trade(m, call, -2, 0.05)
    const position = positionOf(m, call)
    const { delta9, vega9, theta9 } = greeksOf(m, call.instrument_name)
    expect(position.delta).toBeCloseTo((-2 * delta9) / 1e9, 4)
    expect(position.vega).toBeCloseTo((-2 * vega9) / 1e9, 4)
    expect(position.theta).toBeCloseTo((-2 * theta9) / 1e9, 4)
    for (const field of ['size_currency', 'leverage', 'estimated_liquidation_price']) {
      expect(position).not.toHaveProperty(field)
    }
    const future = positionOf(m, { instrument_name: 'BTC-PERPETUAL' })
    for (const field of ['gamma', 'vega', 'theta', 'average_price_usd']) {
      expect(future).not.toHaveProperty(field)
    }
  })

  test('T100 option.delta-decay: an expiring option’s delta decays in its last half hour, public greeks do not', () => {
    const m = market('2026-01-05T07:20:00Z', [near.instrument_name])
    m.result(null, 'sim/set_mark', { ...near, price: 0.3 })
    trade(m, near, 1, 0.3)
    const full = greeksOf(m, near.instrument_name).delta9
    expect(positionOf(m, near).delta).toBeCloseTo(full / 1e9, 4)
    m.venue.at('2026-01-05T07:44:59.999Z')
    const half = positionOf(m, near)
    const now = greeksOf(m, near.instrument_name).delta9
    expect(half.delta).toBeCloseTo(now / 2e9, 3)
    const { delta_total, options_delta, options_value } = summaryOf(m)
    expect(options_delta).toBe(half.delta)
    // A delta of 1.0 and a mark of 0.3 give a net delta of 0.35.
    expect(delta_total).toBeCloseTo(options_delta - options_value / 2, 4)
  })
})

test('T100 delta 1.0 and mark 0.3, 15 minutes into the window: delta 0.5, net delta 0.35', () => {
  const deep = { instrument_name: 'BTC-5JAN26-35000-C' }
  const m = market('2026-01-05T07:20:00Z', [deep.instrument_name])
  expect(m.result(null, 'public/ticker', deep)).toMatchObject({
    mark_price: 0.3,
    greeks: { delta: 1 },
  })
  trade(m, deep, 1, 0.3)
  m.venue.at('2026-01-05T07:44:59.999Z')
  expect(positionOf(m, deep).delta).toBe(0.5)
  expect(summaryOf(m)).toMatchObject({ options_delta: 0.5, delta_total: 0.35 })
  expect(m.result(null, 'public/ticker', deep).greeks.delta).toBe(1)
})

describe('summaries with options (market.md 5.3)', () => {
  test('T63 delta_total is the delta of futures and options minus option value; the map omits that value', () => {
    const m = market()
    const perpetual = { account: 'alice', instrument_name: 'BTC-PERPETUAL', price: 50_000 }
    m.result(null, 'sim/give_position', { ...perpetual, amount: 50_000 })
    trade(m, call, -2, 0.05)
    const { delta_total, delta_total_map, options_delta, options_value } = summaryOf(m)
    expect(options_value).toBeLessThan(0)
    expect(delta_total).toBeCloseTo(1 + options_delta - options_value, 4)
    expect(delta_total_map.btc_usd).toBeCloseTo(1 + options_delta, 4)
  })

  test('golden account-identities hold with options too', () => {
    const m = market()
    trade(m, call, 2, 0.05)
    m.result(null, 'sim/set_mark', { ...call, price: 0.06 })
    const summary = summaryOf(m)
    const { equity, margin_balance, options_value, options_pl, total_pl, futures_pl } = summary
    expect(options_value).toBe(0.12)
    expect(equity).toBeCloseTo(margin_balance + options_value, 8)
    expect(total_pl).toBeCloseTo(futures_pl + options_pl, 8)
    expect(options_pl).toBe(0.02)
    expect(summary.session_upl).toBeCloseTo(summary.futures_session_upl + summary.options_session_upl, 8)
    expect(summary.options_gamma_map.btc_usd).toBe(summary.options_gamma)
    expect(summary.options_vega_map.btc_usd).toBe(summary.options_vega)
    expect(summary.options_theta_map.btc_usd).toBe(summary.options_theta)
  })

  test('the projected delta leaves out the nearest expiry, options too', () => {
    const m = market('2026-01-05T07:20:00Z', [near.instrument_name])
    m.result(null, 'sim/set_mark', { ...near, price: 0.2 })
    trade(m, near, 1, 0.2)
    expect(summaryOf(m).delta_total).toBeGreaterThan(0)
    expect(summaryOf(m).projected_delta_total).toBe(0)
  })
})

describe('options in the log (market.md 5.4)', () => {
  test('a fill pays its premium and its fee; cashflow is the premium', () => {
    const m = market()
    trade(m, call, 2, 0.05)
    const [row] = logOf(m, 'BTC', 'trade')
    expect(row).toMatchObject({
      ...{ type: 'trade', side: 'open buy', amount: 2, contracts: 2, position: 2, price: 0.05 },
      ...{ cashflow: -0.1, commission: 0.0006, change: -0.1006, balance: 9.8994 },
    })
    expect(logOf(m, 'BTC', 'option open')).toHaveLength(1)
  })

  test('a fill that reverses a position has two rows, which split premium and fee by size', () => {
    const m = market()
    trade(m, call, -0.3, 0.05)
    trade(m, call, 1, 0.04)
    const [opened, closed] = logOf(m, 'BTC', 'trade buy')
    expect(closed).toMatchObject({
      ...{ side: 'close buy', amount: 0.3, position: 0, cashflow: -0.012, commission: 0.00009 },
    })
    expect(opened).toMatchObject({
      ...{ side: 'open buy', amount: 0.7, position: 0.7, cashflow: -0.028, commission: 0.00021 },
    })
    expect(closed.balance).toBeCloseTo(opened.balance - opened.change, 8)
  })

  test('a delivery pays the value of the option less its fee', () => {
    const m = market('2026-01-05T07:20:00Z', [near.instrument_name])
    trade(m, near, 1, 0.2)
    m.venue.at('2026-01-05T08:00:01Z')
    const [row] = logOf(m, 'BTC', 'delivery')
    expect(row).toMatchObject({
      ...{ type: 'delivery', side: 'long', amount: 1, position: 0, settlement_price: 50_000 },
      ...{ cashflow: 0.2, commission: 0, change: 0.2, session_rpl: 0, session_upl: 0 },
    })
  })

  test('an option given by a scenario is paid for', () => {
    const m = market()
    m.result(null, 'sim/give_position', { account: 'alice', ...linear, amount: 1, price: 2_500 })
    const [row] = logOf(m, 'USDC')
    expect(row).toMatchObject({
      ...{ type: 'correction', info: 'given_position', change: -2_500, balance: 97_500 },
      ...{ instrument_name: linear.instrument_name, side: 'open buy', position: 1 },
    })
  })
})
