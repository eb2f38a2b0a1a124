/**
 * Bankruptcy, insurance fund and socialised loss (market.md 3.7), at the engine's face.
 */
import { describe, expect, test } from 'vitest'
import { type Amount, amount, formatScaled } from '../../src/core/index.ts'
import type { EventOf } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'

const toSettlement = 23 * 3_600_000_000
const coin = (text: string): Amount => amount(BigInt(Math.round(Number(text) * 1e9)))
const money = (nano: bigint): string => formatScaled(nano, 9)

/**
 * From 40000 to 50000 an inverse contract earns 0.000005 BTC for each USD: ann and bea win 4 and 2, cat
 * loses 1.8 of a balance of 1.
 */
function losing(fund: string): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { ann: { BTC: '1' }, bea: { BTC: '1' }, cat: { BTC: '1' } },
    index: { btc_usd: '50000' },
    config: { insuranceFund: { BTC: coin(fund) } },
  })
  m.give('ann', '800000', '40000')
  m.give('bea', '400000', '40000')
  m.give('cat', '-360000', '40000')
  return m
}

const balances = (m: Market): string[] =>
  ['ann', 'bea', 'cat', 'house.insurance'].map((name) => money(m.wallet(name, 'BTC').balance))

function settled(m: Market): EventOf<'bankruptcy_settled'> | undefined {
  return m
    .wait(toSettlement)
    .events.find(
      (event): event is EventOf<'bankruptcy_settled'> => event.kind === 'bankruptcy_settled',
    )
}

describe('rule bankruptcy.socialised (market.md 3.7)', () => {
  test('T47 the fund pays 0.5 of 0.8, the winners of the day the rest by their profits', () => {
    const m = losing('0.5')
    expect(settled(m)).toMatchObject({
      ...{ currency: 'BTC', loss: coin('0.8'), funded: coin('0.5'), socialized: coin('0.3') },
      ...{ tax: coin('0.3'), taxRate9: 50_000_000, sessionProfitLoss: coin('6'), fund: 0n },
    })
    expect(m.events.filter(({ kind }) => kind === 'account_bankrupt')).toMatchObject([
      { account: m.account('cat'), loss: coin('0.8'), sessionProfitLoss: -coin('1.8') },
    ])
    expect(m.events.filter(({ kind }) => kind === 'loss_shared')).toMatchObject([
      { account: m.account('ann'), tax: coin('0.2'), sessionProfitLoss: coin('4') },
      { account: m.account('bea'), tax: coin('0.1'), sessionProfitLoss: coin('2') },
    ])
    expect(balances(m)).toEqual(['4.8', '2.9', '0', '0'])
  })

  test('a fund that is large enough pays alone', () => {
    const m = losing('100')
    expect(settled(m)).toMatchObject({ funded: coin('0.8'), socialized: 0n, tax: 0n, taxRate9: 0 })
    expect(balances(m)).toEqual(['5', '3', '0', '99.2'])
  })

  test('what the profits of the day do not cover stands as a negative balance of the fund', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { ann: { BTC: '1' }, cat: { BTC: '1' } },
      index: { btc_usd: '50000' },
      config: { insuranceFund: {} },
    })
    m.give('ann', '20000', '40000')
    m.give('cat', '-360000', '40000')
    expect(settled(m)).toMatchObject({
      ...{ loss: coin('0.8'), funded: 0n, socialized: coin('0.8'), tax: coin('0.1') },
      ...{ taxRate9: 1_000_000_000, fund: -coin('0.7') },
    })
    // An overdrawn fund has nothing to give the next day.
    expect(money(m.wallet('ann', 'BTC').balance)).toBe('1')
  })

  test('no winner pays more than the cash there is: profit that paid a debt of its own is spent', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { ann: { BTC: '0.01' }, bob: { BTC: '1000' }, cat: { BTC: '1' } },
      index: { btc_usd: '50000' },
      config: { insuranceFund: {} },
    })
    m.give('ann', '10000000', '49975.012493753')
    m.give('cat', '-360000', '40000')
    // Closing costs ann a fee of 0.1, of which she has 0.01; her profit of 0.1 pays the rest.
    m.buy('bob', { amount: '10000000', price: '50000' })
    m.sell('ann', { amount: '10000000', price: '50000' })
    expect(money(m.wallet('ann', 'BTC').balance)).toBe('-0.09')
    expect(settled(m)).toMatchObject({ tax: coin('0.01'), sessionProfitLoss: coin('0.01') })
    expect(m.wallet('ann', 'BTC').balance).toBe(0n)
  })

  test('the house is neither bankrupt nor taxed, whatever it holds', () => {
    const m = losing('100')
    settled(m)
    expect(m.wallet('house.positions', 'BTC').balance).toBe(-coin('4.2'))
  })

  test('without debts there is no bankruptcy', () => {
    const m = losing('1')
    m.deposit('cat', 'BTC', '1')
    expect(settled(m)).toBeUndefined()
  })
})
