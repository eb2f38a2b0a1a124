/**
 * The transaction log of an account: rows of trades, settlements, deposits and bankruptcies, with the balance after
 * each. Source: market.md 5.4; coverage R38, R63.
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { dayInstruments, settledAt, settledDay, trade } from '../support/settled-day.ts'

const [perpetual, delivered] = dayInstruments
const log = 'private/get_transaction_log'
const first = 1_767_603_600_000
const always = { currency: 'BTC', start_timestamp: 0, end_timestamp: 4_000_000_000_000 }

function logOf(m: DeskMarket, account: string, params: RequestParams = {}): Json {
  return m.result(account, log, { ...always, ...params }).logs
}

/** The row of the newest trade, after the row before it if two are requested. */
function newest(m: DeskMarket, account: string, count: number): Json {
  return logOf(m, account, { count })
}

describe('rows of trades', () => {
  test('a taker’s opening fill, exactly', () => {
    const m = deskMarket()
    trade(m, {
      ...{ buyer: 'bob', seller: 'alice', instrument_name: perpetual },
      ...{ amount: 50_000, price: 50_000 },
    })
    expect(newest(m, 'bob', 1)).toEqual([
      {
        ...{ id: 4, user_seq: 2, user_id: 5, username: 'bob', timestamp: first + 2 },
        ...{ type: 'trade', side: 'open buy', currency: 'BTC', instrument_name: perpetual },
        ...{ amount: 50_000, contracts: 5000, position: 50_000 },
        ...{ price: 50_000, price_currency: 'USD', mark_price: 50_000, index_price: 50_000 },
        ...{ trade_id: '1', order_id: '2', user_role: 'taker', fee_role: 'taker' },
        ...{ commission: 0.0005, cashflow: 0, change: -0.0005, balance: 9.9995, equity: 9.9995 },
        ...{ interest_pl: 0, total_interest_pl: 0, profit_as_cashflow: false, info: null },
        ...{ fee_balance: 0 },
      },
    ])
    expect(newest(m, 'alice', 1)).toMatchObject([
      {
        ...{ side: 'open sell', position: -50_000, user_role: 'maker', fee_role: 'maker' },
        ...{ commission: 0, change: 0, balance: 10, order_id: '1' },
      },
    ])
  })

  test('a closing fill: cashflow is the realized profit, which is not cash yet', () => {
    const m = deskMarket()
    const of = { instrument_name: perpetual, amount: 50_000 }
    trade(m, { buyer: 'bob', seller: 'alice', ...of, price: 50_000 })
    trade(m, { buyer: 'alice', seller: 'bob', ...of, amount: 20_000, price: 50_100 })
    const [row] = newest(m, 'bob', 1)
    expect(row).toMatchObject({ side: 'close sell', position: 30_000, amount: 20_000 })
    // 20,000 / 50,000 - 20,000 / 50,100.
    expect(row).toMatchObject({ cashflow: 0.000798403, change: 0, balance: 9.9995 })
    expect(row.equity).toBeGreaterThan(row.balance)
  })

  test('a fill that reverses a position has two rows, which share the fee by size', () => {
    const m = deskMarket()
    const of = { instrument_name: perpetual, price: 50_000 }
    trade(m, { buyer: 'bob', seller: 'alice', ...of, amount: 30_000 })
    const before = newest(m, 'alice', 1)[0].balance
    trade(m, { buyer: 'alice', seller: 'bob', ...of, amount: 100_000 })
    const [open, close] = newest(m, 'alice', 2)
    expect(close).toMatchObject({
      ...{ side: 'close buy', amount: 30_000, contracts: 3000, position: 0 },
      ...{ commission: 0.0003, change: -0.0003 },
    })
    expect(open).toMatchObject({
      ...{ side: 'open buy', amount: 70_000, contracts: 7000, position: 70_000 },
      ...{ commission: 0.0007, change: -0.0007, cashflow: 0, trade_id: close.trade_id },
    })
    expect(close.balance).toBeCloseTo(before - 0.0003, 8)
    expect(open.balance).toBeCloseTo(before - 0.001, 8)
    expect([open.user_seq, open.id - close.id]).toEqual([close.user_seq + 1, 1])
  })

  test('funding paid by a fill, and that of the session', () => {
    const m = deskMarket()
    const of = { instrument_name: perpetual, amount: 50_000, price: 50_000 }
    trade(m, { buyer: 'bob', seller: 'alice', ...of })
    m.result(null, 'sim/set_mark', { instrument_name: perpetual, price: 50_100 })
    m.venue.wait('1h')
    trade(m, { buyer: 'bob', seller: 'alice', ...of })
    m.venue.wait('1h')
    trade(m, { buyer: 'bob', seller: 'alice', ...of })
    const [third, second] = newest(m, 'bob', 2)
    // 0.2 % above the index, less 0.025 %, for an eighth of the period, on 1 BTC.
    expect(second.interest_pl).toBeCloseTo(-0.00175 / 8, 8)
    expect(second.total_interest_pl).toBe(second.interest_pl)
    expect(third.interest_pl).toBeCloseTo((-0.00175 / 8) * 2, 8)
    expect(third.total_interest_pl).toBeCloseTo(second.interest_pl + third.interest_pl, 9)
    expect(newest(m, 'alice', 1)[0].interest_pl).toBe(-third.interest_pl)
    // A settlement row shows the funding since the last row and that of the session. The next session starts at zero.
    m.result(null, 'sim/advance', { to: settledAt })
    const [settled] = logOf(m, 'bob', { query: 'settlement' })
    expect(settled.interest_pl).toBeLessThan(third.interest_pl)
    expect(settled.total_interest_pl).toBeCloseTo(third.total_interest_pl + settled.interest_pl, 9)
    trade(m, { buyer: 'bob', seller: 'alice', ...of })
    const [next] = newest(m, 'bob', 1)
    expect(next.total_interest_pl).toBe(next.interest_pl)
    expect(next.interest_pl).toBeGreaterThan(third.interest_pl)
  })

  test('the hidden part of an iceberg is a maker fill that pays the taker fee', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', {
      ...{ instrument_name: perpetual, amount: 5000, display_amount: 1000, price: 50_000 },
    })
    m.result('bob', 'private/buy', { instrument_name: perpetual, amount: 5000, price: 50_000 })
    const roles = logOf(m, 'alice', { query: 'trade' }).map(({ user_role, fee_role, commission }: Json) => [
      user_role,
      fee_role,
      commission > 0,
    ])
    expect(roles).toContainEqual(['maker', 'taker', true])
    expect(roles).toContainEqual(['maker', 'maker', false])
  })

  test('F06 a spot fill has a row in each of its currencies, with the amount that moved', () => {
    const m = deskMarket({
      ...{ instruments: ['BTC_USDC'], index: { btc_usdc: 50_000 } },
      accounts: { alice: { BTC: 1 }, bob: { USDC: 100_000 } },
    })
    const spot = { instrument_name: 'BTC_USDC', amount: 0.5, price: 50_000 }
    trade(m, { buyer: 'bob', seller: 'alice', ...spot })
    expect(newest(m, 'bob', 1)).toMatchObject([
      { side: 'close buy', currency: 'BTC', change: 0.5, balance: 0.5, amount: 0.5 },
    ])
    expect(logOf(m, 'bob', { currency: 'USDC', count: 1 })).toMatchObject([
      { side: 'close buy', change: -25_000, balance: 75_000, amount: 25_000, contracts: 5000 },
    ])
    expect(newest(m, 'alice', 1)).toMatchObject([
      { side: 'close sell', change: -0.5, balance: 0.5, price_currency: 'USDC' },
    ])
  })
})

describe('rows of other cash flows', () => {
  const m = settledDay()

  test('deposits and withdrawals', () => {
    const desk = deskMarket()
    desk.result(null, 'sim/deposit', { account: 'bob', currency: 'BTC', amount: -2.5 })
    expect(logOf(desk, 'bob')).toMatchObject([
      { type: 'withdrawal', amount: 2.5, change: -2.5, balance: 7.5, equity: 7.5, side: null },
      { type: 'deposit', amount: 10, change: 10, balance: 10, instrument_name: null },
    ])
  })

  test('a settlement, exactly', () => {
    expect(logOf(m, 'bob', { query: 'settlement' })).toEqual([
      {
        ...{ id: 11, user_seq: 5, user_id: 5, username: 'bob', timestamp: settledAt },
        ...{ type: 'settlement', side: 'short', currency: 'BTC', instrument_name: perpetual },
        ...{ amount: 50_000, contracts: 5000, position: -50_000 },
        ...{ price: 45_000, price_currency: 'USD', mark_price: 45_000, index_price: 45_000 },
        ...{ settlement_price: 45_000, session_rpl: 0, session_upl: 0.111111111 },
        ...{ commission: 0, cashflow: 0.111111111, change: 0.111111111 },
        ...{ balance: 10.08838989, equity: 10.08838989 },
        ...{ interest_pl: 0, total_interest_pl: 0, profit_as_cashflow: false, info: null },
        ...{ fee_balance: 0 },
      },
    ])
  })

  test('a delivery ends the position', () => {
    expect(logOf(m, 'bob', { query: 'delivery' })).toMatchObject([
      {
        ...{ type: 'delivery', side: 'long', instrument_name: delivered, amount: 10_000 },
        ...{ position: 0, change: -0.022621424, settlement_price: 45_000 },
      },
    ])
  })

  test('a debt that was covered, and the part that a winner paid', () => {
    expect(newest(m, 'carol', 1)).toMatchObject([
      { type: 'correction', info: 'bankruptcy', change: 0.066666667, balance: 0, equity: 0 },
    ])
    expect(newest(m, 'bob', 1)).toMatchObject([{ type: 'correction', info: 'socialized_loss', change: -0.016666667 }])
  })

  test('each balance is the previous one plus the change', () => {
    for (const account of ['alice', 'bob', 'carol']) {
      let balance = 0
      for (const row of logOf(m, account).toReversed()) {
        expect(row.balance).toBeCloseTo(balance + row.change, 7)
        balance = row.balance
      }
      const summary = m.result(account, 'private/get_account_summary', { currency: 'BTC' })
      expect(balance).toBe(summary.balance)
    }
  })
})

describe('filters and pages', () => {
  const m = settledDay()

  test('a row must match all words of the query', () => {
    const count = (query: string): number => logOf(m, 'bob', { query }).length
    expect(logOf(m, 'bob')).toHaveLength(6)
    expect([count('trade'), count('maker'), count('taker')]).toEqual([2, 1, 1])
    expect([count('trade open sell'), count('open, buy'), count('close')]).toEqual([1, 1, 0])
    expect([count('deposit'), count('correction'), count('future')]).toEqual([1, 1, 4])
    expect([count(perpetual), count('  '), count('nothing')]).toEqual([2, 6, 0])
  })

  test('times are inclusive, newest first', () => {
    const at = (start: number, end: number): Json =>
      logOf(m, 'bob', { start_timestamp: start, end_timestamp: end }).map(({ type }: Json) => type)
    expect(at(settledAt, settledAt)).toEqual(['correction', 'settlement', 'delivery'])
    expect(at(first, first)).toEqual(['deposit'])
    expect(at(settledAt + 1, settledAt + 1000)).toEqual([])
  })

  test('a continuation leads to the next page; it is null at the end', () => {
    const page = m.result('bob', log, { ...always, count: 4 })
    expect(page.logs).toHaveLength(4)
    expect(page.continuation).toBe(page.logs[3].id)
    const rest = m.result('bob', log, { ...always, count: 4, continuation: page.continuation })
    expect(rest.continuation).toBeNull()
    expect([...page.logs, ...rest.logs]).toEqual(logOf(m, 'bob'))
  })

  test('a main account reads the log of its subaccount, and of no other account', () => {
    const desk = deskMarket()
    desk.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
    desk.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 3 })
    const { id } = desk.result('desk', 'private/get_account_summary', {
      ...{ currency: 'BTC', extended: true },
    })
    expect(logOf(desk, 'alice', { subaccount_id: id })).toMatchObject([{ username: 'desk' }])
    const asked = { ...always, subaccount_id: id }
    expect(desk.refusal('bob', log, asked)).toBe('13021 forbidden')
    expect(desk.refusal('alice', log, { ...always, subaccount_id: 999 })).toBe('13021 forbidden')
  })

  test.each([
    [{ count: 0 }, 'count too_small'],
    [{ count: 251 }, 'count too_large'],
    [{ count: 1.5 }, 'count wrong_type'],
    [{ continuation: 'none' }, 'continuation wrong_type'],
    [{ continuation: 0 }, 'continuation too_small'],
    [{ currency: 'DOGE' }, 'currency unknown_value'],
    [{ currency: null }, 'currency required'],
    [{ start_timestamp: null }, 'start_timestamp required'],
    [{ end_timestamp: null }, 'end_timestamp required'],
    [{ start_timestamp: 5, end_timestamp: 4 }, 'start_timestamp start_after_end'],
    [{ query: 5 }, 'query wrong_type'],
  ])('R38 %j is refused', (params, problem) => {
    expect(m.refusal('bob', log, { ...always, ...params })).toBe(`-32602 Invalid params ${problem}`)
  })

  test('a listed currency without entries has an empty log', () => {
    const page = { logs: [], continuation: null }
    expect(m.result('bob', log, { ...always, currency: 'SOL' })).toEqual(page)
  })

  test('a request without an account is refused', () => {
    expect(m.refusal(null, log, always)).toContain('13009')
  })
})

test('N4 rows of options have no funding: interest_pl is null', () => {
  const call = 'BTC-30JAN26-50000-C'
  const m = deskMarket({ instruments: [call], index: { btc_usd: 50_000 } })
  trade(m, { buyer: 'bob', seller: 'alice', instrument_name: call, amount: 1, price: 0.05 })
  const [row] = newest(m, 'bob', 1)
  expect(row).toMatchObject({ type: 'trade', instrument_name: call, interest_pl: null })
  expect(row).not.toHaveProperty('total_interest_pl')
})
