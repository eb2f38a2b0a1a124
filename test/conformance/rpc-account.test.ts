/**
 * Positions and account summaries as JSON, compared with the golden files of observed accounts.
 * Source: market.md 2, 5.2, 5.3; golden inverse-position, linear-perpetual-margin, account-identities.
 */
import { describe, expect, test } from 'vitest'
import { lots, price9, sequence } from '../../src/core/index.ts'
import { commitGivePosition } from '../../src/engine/requests/controls.ts'
import { rowOfInstrument } from '../../src/engine/state/orders.ts'
import { logOf, NO_ACCOUNT } from '../../src/model/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { expectClose, expectIdentities } from '../support/account-identities.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { settledAt, settledDay } from '../support/settled-day.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const linear = { instrument_name: 'BTC_USDC-PERPETUAL' }
const btc = { currency: 'BTC' }

/** Golden inverse-position: printed by the venue, size = USD. */
const inversePosition = {
  inputs: { size: 185_160, average: 15_000, settlement: 16_025.83, mark: 17_391 },
  expected: { size_currency: 10.646886321, delta: 10.646886321 },
  floating: 0.906961435,
  total: 1.69711368,
}

/** Golden linear-perpetual-margin: an observed position of November 2025. */
const linearPosition = {
  inputs: { coins: 0.0001, average: 85_235.5, mark: 85_295.36 },
  expected: {
    ...{ size: 8.529536, floating_profit_loss: 0.005986, total_profit_loss: 0.005986 },
    ...{ initial_margin: 0.170590763, maintenance_margin: 0.085295403 },
    ...{ leverage: 50, delta: 0.0001 },
  },
}

const REALIZED_USD = 152930
const REALIZED = [
  ['buy', 'sell', 50_000],
  ['sell', 'buy', 49473.0],
] as const

/** Coins of a future with this initial margin: 2 %, and 0.005 % for each coin. */
function sizeOfMargin(margin: number): number {
  return (Math.sqrt(0.02 * 0.02 + 4 * 5e-5 * margin) - 0.02) / (2 * 5e-5)
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

/** Books a position in the option, which no request can do yet. The size is in lots, the price in 1e-9. */
function holdOption(m: DeskMarket, size: number, price: number): void {
  const { exchange, desk } = m.venue
  const { instrument } = rowOfInstrument(exchange, 2)
  const turn = { exchange, log: logOf(desk.sink), cause: sequence(0) }
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
      ...{ realized_funding: 0, interest_value: 0, settlement_price: 0 },
      estimated_liquidation_price: null,
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

  test('initial_margin covers the position; the margin of open orders is a separate field', () => {
    const m = given(50_000, 50_000)
    m.result('alice', 'private/buy', { ...perpetual, amount: 50_000, price: 49_000 })
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position).toMatchObject({ initial_margin: 0.02005, maintenance_margin: 0.01005 })
    const summary = m.result('alice', 'private/get_account_summary', { currency: 'BTC' })
    const { initial_margin, open_orders_margin } = position
    expect(open_orders_margin).toBeGreaterThan(0.02)
    expect(summary.initial_margin).toBeCloseTo(initial_margin + open_orders_margin, 8)
  })

  test('the size of an option is in coin, and the delta is the position’s', () => {
    const option = { instrument_name: 'BTC-27MAR26-50000-C' }
    const m = given(10, 50_000)
    holdOption(m, -5, 30_000_000)
    const position = m.result('alice', 'private/get_position', option)
    expect(position).toMatchObject({ kind: 'option', direction: 'sell', size: -0.5 })
    expect(position).toMatchObject({ average_price: 0.03, floating_profit_loss: 0.005 })
    expect(position).not.toHaveProperty('size_currency')
    expect(position).not.toHaveProperty('leverage')
    expect(position.delta).toBeLessThan(0)
    expect(position).toMatchObject({ average_price_usd: 1500, floating_profit_loss_usd: 250 })
  })

  test('an instrument that is not listed: 13020', () => {
    const m = deskMarket()
    const missing = { instrument_name: 'ETH-PERPETUAL' }
    expect(m.refusal('alice', 'private/get_position', missing)).toBe('13020 not_found')
    const required = '-32602 Invalid params instrument_name required'
    expect(m.refusal('alice', 'private/get_position')).toBe(required)
  })

  test('golden inverse-position: sizes in coin, total profit from the average', () => {
    const { inputs, expected, total } = inversePosition
    const m = given(inputs.size, inputs.average)
    m.result(null, 'sim/set_mark', { ...perpetual, price: inputs.mark })
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position).toMatchObject({ ...expected, average_price: inputs.average })
    expect(position.total_profit_loss).toBeCloseTo(total, 8)
  })

  test('golden inverse-position through a settlement: the session starts at the settlement price', () => {
    const { inputs, expected, floating, total } = inversePosition
    const m = given(inputs.size, inputs.average)
    // The mark equals the index, so no funding is paid.
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: inputs.settlement })
    m.result(null, 'sim/advance', { to: settledAt })
    m.result(null, 'sim/set_mark', { ...perpetual, price: inputs.mark })
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position).toMatchObject({
      ...{ ...expected, average_price: inputs.average, settlement_price: inputs.settlement },
    })
    // The sample was printed by a venue that rounds its prices before it shows them.
    expect(position.floating_profit_loss).toBeCloseTo(floating, 8)
    expect(position.total_profit_loss).toBeCloseTo(total, 8)
    // The profit of the position until the settlement became cash.
    const cash = m.result('alice', 'private/get_account_summary', btc)
    const settled = inputs.size / inputs.average - inputs.size / inputs.settlement
    expect(cash.balance).toBeCloseTo(10 + settled, 8)
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
  test('open positions in the order of listing, by currency and kind', () => {
    const m = given(50_000, 50_000)
    m.result(null, 'sim/give_position', { account: 'alice', ...linear, amount: 0.5, price: 1000 })
    const namesOf = (params: RequestParams): Json =>
      m.result('alice', 'private/get_positions', params).map((position: Json) => position.instrument_name)
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

  test('an account with money only, exactly', () => {
    const zero = Object.fromEntries(
      (
        'initial_margin maintenance_margin session_rpl session_upl futures_session_rpl ' +
        'futures_session_upl futures_pl options_session_rpl options_session_upl options_pl ' +
        'options_value total_pl delta_total spot_reserve additional_reserve fee_balance ' +
        'projected_initial_margin projected_maintenance_margin projected_delta_total locked_balance ' +
        'options_delta options_gamma options_vega options_theta estimated_liquidation_ratio'
      )
        .split(' ')
        .map((field) => [field, 0]),
    )
    expect(summaryOf(deskMarket())).toEqual({
      ...zero,
      ...{ currency: 'BTC', balance: 10, equity: 10, margin_balance: 10, available_funds: 10 },
      ...{ available_withdrawal_funds: 10, margin_model: 'segregated_sm' },
      ...{ portfolio_margining_enabled: false, cross_collateral_enabled: false },
      ...{ delta_total_map: {}, estimated_liquidation_ratio_map: {} },
      ...{ options_gamma_map: {}, options_vega_map: {}, options_theta_map: {} },
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
    expectIdentities(summary)
    const { delta } = m.result('alice', 'private/get_position', perpetual)
    expect(summary.delta_total).toBeCloseTo(delta, 6)
    expect(summary.delta_total_map).toEqual({ btc_usd: delta })
  })

  test('golden account-identities hold after a settlement, with a session’s profit again', () => {
    const m = settledDay()
    const instrument_name = 'BTC-PERPETUAL'
    m.result('alice', 'private/sell', { instrument_name, amount: 20_010, price: 45_010 })
    m.result('bob', 'private/buy', { instrument_name, amount: 20_010, price: 45_010 })
    m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 45_678.9 })
    m.venue.wait('3h')
    for (const account of ['alice', 'bob', 'carol']) {
      const summary = m.result(account, 'private/get_account_summary', btc)
      expect(summary.session_upl).not.toBe(0)
      expectIdentities(summary)
    }
    // The profit since the opening no longer equals that of the session.
    const summary = m.result('bob', 'private/get_account_summary', btc)
    expect(summary.total_pl).not.toBeCloseTo(summary.session_upl, 4)
  })

  test('funding is part of the session’s realized profit and of equity (market.md 5.3)', () => {
    const m = given(50_000, 50_000)
    m.result(null, 'sim/set_mark', { ...perpetual, price: 50_100 })
    m.venue.wait('1h')
    const position = m.result('alice', 'private/get_position', perpetual)
    expect(position.realized_funding).toBeLessThan(-0.0002)
    expect(position.realized_profit_loss).toBe(position.realized_funding)
    const summary = m.result('alice', 'private/get_account_summary', btc)
    expectClose(summary.futures_session_rpl, position.realized_funding)
    expect(summary.balance).toBe(10)
    expectIdentities(summary)
  })

  /**
   * An account with the observed figures: a position with realized profit, one with unrealized profit, and a short
   * option. The mark of the future is solved so that `initial` or the total delta has the wanted value.
   */
  function observed(wanted: { readonly initial: number } | { readonly delta: number }): DeskMarket {
    const option = { instrument_name: 'BTC-27MAR26-90000-C' }
    const future = { instrument_name: 'BTC-27MAR26' }
    const m = deskMarket({
      instruments: ['BTC-PERPETUAL', future.instrument_name, option.instrument_name],
      accounts: { alice: { BTC: 100 }, bob: { BTC: 100 } },
    })
    const alice = { account: 'alice' }
    m.result(null, 'sim/give_position', { ...alice, ...option, amount: -1, price: 0.0021 })
    m.result(null, 'sim/set_mark', { ...option, price: 0.0086 })
    // This many USD lose 0.03258105 BTC between these prices. A maker pays no fee.
    for (const [maker, taker, price] of REALIZED) {
      const order = { ...perpetual, amount: REALIZED_USD, price }
      m.result('alice', `private/${maker}`, order)
      m.result('bob', `private/${taker}`, order)
    }
    const before = summaryOf(m)
    const size =
      'delta' in wanted
        ? wanted.delta - before.delta_total_map.btc_usd
        : sizeOfMargin(wanted.initial - before.initial_margin)
    const amount = Math.round(size * 5000) * 10
    const mark = amount / size
    const price = 1 / (1 / mark + 0.05921555 / amount)
    const rounded = (value: number): number => Math.round(value * 1e9) / 1e9
    m.result(null, 'sim/give_position', { ...alice, ...future, amount, price: rounded(price) })
    m.result(null, 'sim/set_mark', { ...future, price: rounded(mark) })
    const missing = rounded(302.60065765 - summaryOf(m).balance)
    m.result(null, 'sim/deposit', { ...alice, currency: 'BTC', amount: missing })
    return m
  }

  test('B08 T62 an account with the observed figures shows the published summary', () => {
    const summary = summaryOf(observed({ initial: 1.24669592 }))
    const given = {
      ...{ balance: 302.60065765, futures_session_rpl: -0.03258105 },
      ...{ futures_session_upl: 0.05921555, options_session_upl: -0.0065 },
      ...{ options_value: -0.0086, initial_margin: 1.24669592 },
    }
    const published = {
      ...{ session_upl: 0.05271555, equity: 302.61869215, margin_balance: 302.62729214 },
      ...{ available_funds: 301.38059622, available_withdrawal_funds: 301.35396172 },
    }
    for (const [name, value] of Object.entries({ ...given, ...published })) {
      expect([name, Math.abs(summary[name] - value) < 1.5e-8]).toEqual([name, true])
    }
    expectIdentities(summary)
  })

  test('B08 T63 delta_total is the delta of futures and options minus option value; the map omits that value', () => {
    // The delta of futures and options is 32.613978 - 1.01962.
    const summary = summaryOf(observed({ delta: 31.594358 }))
    expect(summary.options_value).toBe(-0.0086)
    expect(summary.options_delta).toBeLessThan(0)
    expect(summary.delta_total).toBe(31.602958)
    expect(summary.delta_total_map.btc_usd).toBeCloseTo(31.594358, 6)
    // With futures only, both values are equal.
    const m = given(50_000, 50_000)
    m.result(null, 'sim/give_position', { account: 'alice', ...linear, amount: 0.5, price: 50_000 })
    expect(m.result('alice', 'private/get_account_summary', btc)).toMatchObject({
      ...{ delta_total: 1, delta_total_map: { btc_usd: 1 } },
    })
    const usdc = m.result('alice', 'private/get_account_summary', { currency: 'USDC' })
    expect(usdc.delta_total_map).toEqual({ btc_usdc: 0.5 })
  })

  test('projected figures leave out positions and orders of the nearest expiry', () => {
    const m = deskMarket({ instruments: ['BTC-PERPETUAL', 'BTC-6JAN26', 'BTC-27MAR26'] })
    for (const [instrument_name, amount] of [
      ['BTC-PERPETUAL', 50_000],
      ['BTC-6JAN26', 20_000],
      ['BTC-27MAR26', -10_000],
    ] as const) {
      const position = { account: 'alice', instrument_name, amount, price: 50_000 }
      m.result(null, 'sim/give_position', position)
    }
    m.result('alice', 'private/buy', {
      ...{ instrument_name: 'BTC-6JAN26', amount: 10_000, price: 49_000 },
    })
    const summary = m.result('alice', 'private/get_account_summary', btc)
    const of = (instrument_name: string): Json => m.result('alice', 'private/get_position', { instrument_name })
    const near = of('BTC-6JAN26')
    expect(near.open_orders_margin).toBeGreaterThan(0)
    expectClose(
      summary.projected_initial_margin,
      summary.initial_margin - near.initial_margin - near.open_orders_margin,
    )
    expectClose(summary.projected_maintenance_margin, summary.maintenance_margin - near.maintenance_margin)
    expect([summary.delta_total, summary.projected_delta_total]).toEqual([1.2, 0.8])
  })

  test('T62 a session loss lowers the withdrawable amount, never below zero, truncated instead of rounded', () => {
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

  test('a spot order reserves the currency that it pays', () => {
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
    const asked = (params: RequestParams): string => m.refusal('alice', 'private/get_account_summary', params)
    expect(asked({})).toBe('-32602 Invalid params currency required')
    expect(asked({ currency: 'DOGE' })).toBe('-32602 Invalid params currency unknown_value')
  })
})

describe('private/get_account_summaries (R63)', () => {
  const method = 'private/get_account_summaries'

  test('V3 every listed currency, each with its own summary', () => {
    const m = given(50_000, 50_000)
    const { summaries, ...rest } = m.result('alice', method)
    expect(rest).toEqual({})
    const listed = summaries.map(({ currency }: Json) => currency)
    const known = m.result(null, 'public/get_currencies').map(({ currency }: Json) => currency)
    expect(listed).toEqual(known)
    for (const summary of summaries) {
      const { currency } = summary
      expect(summary).toEqual(m.result('alice', 'private/get_account_summary', { currency }))
    }
  })

  test('V3 a currency that the account holds has its balance; extended names the account', () => {
    const m = deskMarket()
    m.result(null, 'sim/deposit', { account: 'alice', currency: 'SOL', amount: 12.5 })
    const reply = m.result('alice', method, { extended: true })
    expect(reply).toMatchObject({ username: 'alice', type: 'main' })
    const balances = reply.summaries.filter(({ balance }: Json) => balance === 12.5)
    expect(balances.map(({ currency }: Json) => currency)).toEqual(['SOL'])
    expect(m.result('bob', method).summaries).toHaveLength(12)
  })

  test('a main account can request the summaries of its subaccount', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 3 })
    const { id } = m.result('desk', method, { extended: true })
    const { summaries } = m.result('alice', method, { subaccount_id: id })
    expect(summaries[0]).toMatchObject({ currency: 'BTC', balance: 3 })
    expect(m.refusal('bob', method, { subaccount_id: id })).toBe('13021 forbidden')
    expect(m.refusal('alice', method, { extended: 1 })).toBe('-32602 Invalid params extended wrong_type')
  })
})
