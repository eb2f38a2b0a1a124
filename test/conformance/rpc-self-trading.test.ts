/**
 * private/set_self_trading_config in requests and replies: its parameters, the fields that show it, and its effect.
 * Source: trading.md 4.9, 6.9 (C27).
 */
import { describe, expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const bid = { ...perpetual, amount: 10, price: 49_500 }
const method = 'private/set_self_trading_config'
const wrong = '-32602 Invalid params '

function set(m: DeskMarket, account: string, mode: string, extended = false): void {
  const params = { mode, extended_to_subaccounts: extended }
  expect(m.result(account, method, params)).toBe('ok')
}

/** Alice with two subaccounts, each with money. */
function family(): DeskMarket {
  const m = deskMarket()
  for (const name of ['one', 'two']) {
    m.result(null, 'sim/create_account', { name, main: 'alice' })
    m.result(null, 'sim/deposit', { account: name, currency: 'BTC', amount: 10 })
  }
  return m
}

describe('its parameters', () => {
  test.each([
    [{ extended_to_subaccounts: true }, `${wrong}mode required`],
    [{ mode: 'reject_taker' }, `${wrong}extended_to_subaccounts required`],
    [{ mode: 'off', extended_to_subaccounts: false }, `${wrong}mode unknown_value`],
    [{ mode: 'reject_taker', extended_to_subaccounts: 1 }, `${wrong}extended_to_subaccounts wrong_type`],
    [
      {
        ...{ mode: 'cancel_maker', extended_to_subaccounts: false },
        block_rfq_self_match_prevention: 1,
      },
      `${wrong}block_rfq_self_match_prevention wrong_type`,
    ],
  ])('%j', (params: RequestParams, expected) => {
    const m = deskMarket()
    expect(m.refusal('alice', method, params)).toBe(expected)
  })

  test('block_rfq_self_match_prevention stays unchanged if it is omitted', () => {
    const m = deskMarket()
    const shown = (): Json =>
      m.result('alice', 'private/get_account_summary', { currency: 'BTC', extended: true })
        .block_rfq_self_match_prevention
    const params = { mode: 'cancel_maker', extended_to_subaccounts: false }
    expect(shown()).toBe(false)
    m.result('alice', method, { ...params, block_rfq_self_match_prevention: true })
    expect(shown()).toBe(true)
    m.result('alice', method, params)
    expect(shown()).toBe(true)
    m.result('alice', method, { ...params, block_rfq_self_match_prevention: false })
    expect(shown()).toBe(false)
  })
})

test('the extended account summary shows it', () => {
  const m = deskMarket()
  const shown = (): Json => {
    const summary = m.result('alice', 'private/get_account_summary', {
      ...{ currency: 'BTC', extended: true },
    })
    return [summary.self_trading_reject_mode, summary.self_trading_extended_to_subaccounts]
  }
  expect(shown()).toEqual(['reject_taker', false])
  set(m, 'alice', 'cancel_maker', true)
  expect(shown()).toEqual(['cancel_maker', true])
  const plain = m.result('alice', 'private/get_account_summary', { currency: 'BTC' })
  expect(plain).not.toHaveProperty('self_trading_reject_mode')
})

describe('C27 the taker’s setting decides', () => {
  test('cancel_maker ends the resting order, reject_taker refuses the incoming one', () => {
    const m = deskMarket()
    m.result('alice', 'private/sell', bid)
    expect(m.refusal('alice', 'private/buy', bid)).toBe('10003 order_overlap')
    set(m, 'alice', 'cancel_maker')
    const { order, trades } = m.result('alice', 'private/buy', bid)
    expect([order.order_state, trades]).toEqual(['open', []])
    expect(m.result('alice', 'private/get_order_state', { order_id: '1' })).toMatchObject({
      ...{ order_state: 'cancelled', cancel_reason: 'risk_mitigation' },
    })
    set(m, 'alice', 'reject_taker')
    expect(m.refusal('alice', 'private/sell', bid)).toBe('10003 order_overlap')
  })

  test('subaccounts trade with each other unless both are extended', () => {
    const meets = (one: boolean, two: boolean): Json => {
      const m = family()
      set(m, 'one', 'reject_taker', one)
      set(m, 'two', 'reject_taker', two)
      m.result('one', 'private/sell', bid)
      const reply = m.ask('two', 'private/buy', bid)
      return reply.ok ? reply.result.order.order_state : reply.error.message
    }
    expect(meets(false, false)).toBe('filled')
    expect(meets(true, false)).toBe('filled')
    expect(meets(false, true)).toBe('filled')
    expect(meets(true, true)).toBe('order_overlap')
  })

  test('the setting covers orders of the main account too', () => {
    const m = family()
    set(m, 'alice', 'cancel_maker', true)
    set(m, 'one', 'reject_taker', true)
    m.result('one', 'private/sell', bid)
    expect(m.result('alice', 'private/buy', bid).trades).toEqual([])
    expect(m.refusal('one', 'private/sell', bid)).toBe('10003 order_overlap')
  })
})
