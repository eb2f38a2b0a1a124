/**
 * Self-match settings of accounts, and settings that cover all accounts of a main account.
 *
 * Source: trading.md 4.9, 6.9 (SB-SMP, KB-ARCH), C18, C27.
 */
import { describe, expect, test } from 'vitest'
import type { SelfMatchMode } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market } from '../support/harness.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

/** Alice with two subaccounts, bob with one. */
function family(): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000' },
  })
  for (const [name, main] of [
    ['alice-1', 'alice'],
    ['alice-2', 'alice'],
    ['bob-1', 'bob'],
  ] as const) {
    m.openAccount(name, main)
    m.deposit(name, 'BTC', '1000')
  }
  return m
}

/** True if a buy of `taker` trades with a sell of `maker`. */
function trades(m: Market, maker: string, taker: string): boolean {
  m.sell(maker, { amount: '10', price: '50000' })
  const order = m.buy(taker, { amount: '10', price: '50000' })
  m.cancelAll(maker)
  m.cancelAll(taker)
  return order.trades.length > 0
}

describe('rule order.self-match: settings of an account (C27)', () => {
  test('are reported, and apply from the next match on, to resting orders too', () => {
    const m = family()
    m.sell('alice', { amount: '10', price: '50000' })
    const set = m.selfTrading('alice', 'cancel_maker')
    expect(kindsOf(set)).toEqual(['self_trading', 'request'])
    expect(set.events[0]).toMatchObject({
      ...{ account: m.account('alice'), mode: 'cancel_maker', extended: false },
    })
    expect(storyOf(m, m.buy('alice', { amount: '10', price: '50000' }))).toEqual([
      ...['2 opened', '1 cancelled, risk_mitigation', 'done'],
    ])
    m.selfTrading('alice', 'reject_taker')
    expect(m.sell('alice', { amount: '10', price: '50000' }).refusal?.reason).toBe('order_overlap')
  })

  test('an account starts with the setting of the run, for itself only', () => {
    for (const selfMatch of ['reject_taker', 'cancel_maker'] as const) {
      const m = market({
        instruments: { 'BTC-PERPETUAL': {} },
        accounts: { alice: rich },
        index: { btc_usd: '50000' },
        config: { selfMatch },
      })
      m.sell('alice', { amount: '10', price: '50000' })
      const order = m.buy('alice', { amount: '10', price: '50000' })
      expect(order.refusal?.reason).toBe(selfMatch === 'reject_taker' ? 'order_overlap' : undefined)
    }
  })

  test('the mode of the aggressor decides, not that of the resting order', () => {
    const decided = (maker: SelfMatchMode, taker: SelfMatchMode): string => {
      const m = family()
      m.selfTrading('alice', maker, true)
      m.selfTrading('alice-1', taker, true)
      m.sell('alice', { amount: '10', price: '50000' })
      const order = m.buy('alice-1', { amount: '10', price: '50000' })
      if (order.refusal !== null) return order.refusal.reason
      return order.trades.length > 0 ? 'trade' : (storyOf(m, order)[1] ?? '')
    }
    expect(decided('cancel_maker', 'reject_taker')).toBe('order_overlap')
    expect(decided('reject_taker', 'cancel_maker')).toBe('1 cancelled, risk_mitigation')
  })
})

describe('rule order.self-match: extended to subaccounts (C27)', () => {
  test('by default accounts of one main account trade with each other', () => {
    const m = family()
    expect(trades(m, 'alice', 'alice-1')).toBe(true)
    expect(trades(m, 'alice-1', 'alice')).toBe(true)
    expect(trades(m, 'alice-1', 'alice-2')).toBe(true)
  })

  test('self-match compares tokens: the number of the main account if extended, otherwise their own', () => {
    const m = family()
    m.selfTrading('alice-1', 'reject_taker', true)
    // Alice-1 now has the number of alice, alice-2 its own. Alice has her own number in both cases.
    expect(trades(m, 'alice', 'alice-1')).toBe(false)
    expect(trades(m, 'alice-1', 'alice')).toBe(false)
    expect(trades(m, 'alice-1', 'alice-2')).toBe(true)
    expect(trades(m, 'alice-2', 'alice-1')).toBe(true)
    m.selfTrading('alice-2', 'reject_taker', true)
    expect(trades(m, 'alice-1', 'alice-2')).toBe(false)
    expect(trades(m, 'alice-2', 'alice-1')).toBe(false)
    m.selfTrading('alice-1', 'reject_taker', false)
    expect(trades(m, 'alice-1', 'alice-2')).toBe(true)
  })

  test('accounts of another main account are not covered', () => {
    const m = family()
    for (const name of ['alice', 'alice-1', 'bob', 'bob-1']) {
      m.selfTrading(name, 'reject_taker', true)
    }
    expect(trades(m, 'bob-1', 'alice-1')).toBe(true)
    expect(trades(m, 'bob-1', 'bob')).toBe(false)
  })

  test('an account never trades with itself, extended or not', () => {
    const m = family()
    expect(trades(m, 'alice-1', 'alice-1')).toBe(false)
    m.selfTrading('alice-1', 'reject_taker', true)
    expect(trades(m, 'alice-1', 'alice-1')).toBe(false)
  })

  test('the dry run includes them: refused before any fill, at entry and at an edit', () => {
    const m = family()
    m.selfTrading('alice-1', 'reject_taker', true)
    m.sell('bob', { amount: '10', price: '50000' })
    m.sell('alice', { amount: '10', price: '50010' })
    const words = { price: '50010' }
    expect(m.buy('alice-1', { ...words, amount: '20' }).refusal?.reason).toBe('order_overlap')
    const bid = idOf(m.buy('alice-1', { amount: '20', price: '49990' }))
    expect(m.edit('alice-1', bid, words).refusal?.reason).toBe('order_overlap')
    expect(m.edit('alice-1', bid, { ...words, amount: '10' }).trades).toHaveLength(1)
  })

  test('C21 fill or kill does not count orders that cancel_maker would cancel', () => {
    const m = family()
    m.selfTrading('alice-1', 'cancel_maker', true)
    m.sell('alice', { amount: '100', price: '50000' })
    m.sell('bob', { amount: '100', price: '50010' })
    const words = { price: '50010', timeInForce: 'fill_or_kill' } as const
    expect(m.buy('alice-1', { ...words, amount: '110' }).order?.state).toBe('cancelled')
    expect(m.openOrders('alice')).toHaveLength(1)
    expect(m.buy('alice-1', { ...words, amount: '100' }).order?.state).toBe('filled')
    expect(m.openOrders('alice')).toEqual([])
  })

  test('a fired trigger order is checked against them', () => {
    const m = family()
    m.selfTrading('alice-1', 'reject_taker', true)
    m.sell('alice', { amount: '10', price: '50000' })
    const trigger = { source: 'mark_price', price: '50100' } as const
    m.buy('alice-1', { amount: '10', type: 'stop_market', trigger })
    expect(storyOf(m, m.mark('50100')).at(-1)).toBe('2 rejected, order_overlap')
  })

  test('a subaccount needs an existing main account', () => {
    const m = family()
    const opened = m.openAccount('alice-3', 'alice')
    expect(opened.events[0]).toMatchObject({ kind: 'account', main: m.account('alice') })
    const [bob] = m.openAccount('carol').events
    expect(bob).toMatchObject({ kind: 'account', main: m.account('carol') })
    expect(m.openAccount('alice-1-1', 'alice-1').refusal?.reason).toBe('invalid_params')
  })
})
