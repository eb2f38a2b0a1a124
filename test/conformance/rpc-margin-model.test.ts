/**
 * private/change_margin_model: accepted changes and their replies. After a change the state equals that of an account
 * which always had the model. Rule: margin.change-model. Source: the venue's page of the method; market.md 6.
 */
import { describe, expect, test } from 'vitest'
import { auditCopy } from '../../src/engine/index.ts'
import { marginModels } from '../../src/model/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const method = 'private/change_margin_model'
const call = 'BTC-30JAN26-50000-C'

/** Alice has a long perpetual, a short call and an open order. */
function market(): DeskMarket {
  const m = deskMarket({
    instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC', call],
    index: { btc_usd: 50_000, eth_usd: 2_500, btc_usdc: 50_000, usdc_usd: 1 },
  })
  const give = (instrument_name: string, amount: number, price: number): Json =>
    m.result(null, 'sim/give_position', { account: 'alice', instrument_name, amount, price })
  give('BTC-PERPETUAL', 100_000, 50_000)
  give(call, -2, 0.05)
  m.result('alice', 'private/buy', {
    ...{ instrument_name: 'BTC-PERPETUAL', amount: 10_000, price: 49_000 },
  })
  return m
}

const summaryOf = (m: DeskMarket): Json => m.result('alice', 'private/get_account_summary', { currency: 'BTC' })

describe('private/change_margin_model', () => {
  test('V12 each model can follow each other, with the same state as if the account had always had it', () => {
    for (const first of marginModels) {
      for (const margin_model of marginModels) {
        const m = market()
        m.result('alice', method, { margin_model: first })
        const result: Json = m.result('alice', method, { margin_model })
        const summary = summaryOf(m)
        expect(summary.margin_model).toBe(margin_model)
        const [btc] = result
        expect(result.map(({ currency }: Json) => currency)).toContain('usde')
        expect(btc.new_state.available_balance).toBeCloseTo(summary.available_funds, 6)
        expect(btc.new_state.initial_margin_rate).toBeCloseTo(summary.initial_margin / summary.margin_balance, 5)
        auditCopy(m.venue.exchange)
        // Marks and fills continue.
        m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 49_200 })
        m.result('bob', 'private/sell', {
          ...{ instrument_name: 'BTC-PERPETUAL', amount: 10_000, price: 49_000 },
        })
        auditCopy(m.venue.exchange)
      }
    }
  })

  test('accounts can change to cross margin in any order', () => {
    const m = market()
    for (const account of ['bob', 'alice']) m.result(account, method, { margin_model: 'cross_sm' })
    auditCopy(m.venue.exchange)
  })

  test('V12 a dry run has the same reply and changes nothing', () => {
    const m = market()
    const before = summaryOf(m)
    const trial: Json = m.result('alice', method, { margin_model: 'cross_pm', dry_run: true })
    expect(summaryOf(m)).toEqual(before)
    const change: Json = m.result('alice', method, { margin_model: 'cross_pm' })
    expect(change).toEqual(trial)
    expect(change[0].old_state.available_balance).toBeCloseTo(before.available_funds, 6)
  })

  test('V12 margin.change-model the margin must suffice, for a dry run too: below, at and above', () => {
    const cases = [
      ['99999', true],
      ['100000', true],
      ['100010', false],
    ] as const
    for (const [amount, isTaken] of cases) {
      const m = deskMarket({ index: { btc_usd: 50_000, eth_usd: 2_500 }, accounts: {} })
      m.result(null, 'sim/create_account', { name: 'alice', margin_model: 'cross_sm' })
      // Of 1 BTC at 50,000 a position of 100,000 USD needs 0.04. The account also has 2 ETH.
      m.result(null, 'sim/deposit', { account: 'alice', currency: 'BTC', amount: 0.0402 })
      m.result(null, 'sim/deposit', { account: 'alice', currency: 'ETH', amount: 2 })
      const size = Math.floor(Number(amount) / 10) * 10
      const given = {
        account: 'alice',
        instrument_name: 'BTC-PERPETUAL',
        amount: size,
        price: 50_000,
      }
      m.result(null, 'sim/give_position', given)
      for (const dry_run of [true, false]) {
        const asked = { margin_model: 'segregated_sm', dry_run }
        if (isTaken) m.result('alice', method, asked)
        else expect(m.refusal('alice', method, asked)).toBe('10009 not_enough_funds')
      }
    }
  })

  test('V12 option orders bar only a change between standard and portfolio margin', () => {
    const m = market()
    const order = { instrument_name: call, amount: 1, price: 0.01 }
    const { order: placed } = m.result('alice', 'private/buy', order)
    expect(m.refusal('alice', method, { margin_model: 'cross_pm' })).toContain('-32602')
    m.result('alice', method, { margin_model: 'cross_sm' })
    m.result('alice', 'private/cancel', { order_id: placed.order_id })
    m.result('alice', method, { margin_model: 'cross_pm' })
  })

  test('V12 only a main account can name another account, one of its subaccounts', () => {
    const m = market()
    m.result('alice', 'private/create_subaccount')
    const id: number = m.result('alice', 'private/get_subaccounts').at(-1).id
    m.result('alice', method, { user_id: id, margin_model: 'cross_pm' })
    expect(m.result('alice', 'private/get_subaccounts').at(-1).margin_model).toBe('cross_pm')
    const main: number = m.result('alice', 'private/get_subaccounts')[0].id
    const asked = { user_id: main, margin_model: 'cross_pm' }
    expect(m.refusal('alice_1', method, asked)).toBe('13021 forbidden')
    expect(m.refusal('bob', method, { ...asked, user_id: id })).toBe('13021 forbidden')
    expect(m.refusal('bob', method, { ...asked, user_id: 10_000 })).toBe('13021 forbidden')
  })

  test('V12 a change makes an event; a dry run and the current model make none', () => {
    const reported: string[] = []
    const m = deskMarket({
      sink: {
        emit: (event) => {
          if (event.kind === 'standing') reported.push(`${event.protection} ${event.group}`)
        },
      },
    })
    m.result('alice', method, { margin_model: 'segregated_sm' })
    m.result('alice', method, { margin_model: 'cross_sm', dry_run: true })
    m.result('alice', method, { margin_model: 'cross_sm' })
    expect(reported).toEqual(['margin_model cross_sm'])
  })
})
