/** Bankruptcy, insurance fund and socialised loss (market.md 3.7), tested on the engine. */

import { describe, expect, test } from 'vitest'
import { type Amount, amount, formatScaled } from '../../src/core/index.ts'
import { defaultConfig, type EventOf } from '../../src/model/index.ts'
import { eventsNamed } from '../support/event-words.ts'
import { type Market, market, start } from '../support/harness.ts'

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

function settled(m: Market): EventOf<'currency_bankruptcy'> | undefined {
  return m
    .wait(toSettlement)
    .events.find((event): event is EventOf<'currency_bankruptcy'> => event.kind === 'currency_bankruptcy')
}

describe('rule bankruptcy.socialised (market.md 3.7)', () => {
  test('T47 the fund pays 0.5 of 0.8; the winners of the day pay the rest in proportion to their profits', () => {
    const m = losing('0.5')
    expect(settled(m)).toMatchObject({
      ...{ currency: 'BTC', loss: coin('0.8'), funded: coin('0.5'), socialized: coin('0.3') },
      ...{ tax: coin('0.3'), taxRate9: 50_000_000, sessionProfitLoss: coin('6'), fund: 0n },
    })
    expect(m.events.filter(({ kind }) => kind === 'bankruptcy')).toMatchObject([
      { account: m.account('cat'), loss: coin('0.8'), sessionProfitLoss: -coin('1.8') },
    ])
    expect(m.events.filter(({ kind }) => kind === 'shared_loss')).toMatchObject([
      { account: m.account('ann'), tax: coin('0.2'), sessionProfitLoss: coin('4') },
      { account: m.account('bea'), tax: coin('0.1'), sessionProfitLoss: coin('2') },
    ])
    expect(balances(m)).toEqual(['4.8', '2.9', '0', '0'])
  })

  test('L02 the rounding account pays what remains when three payers divide a loss', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { ann: { BTC: '1' }, bea: { BTC: '1' }, dan: { BTC: '1' }, cat: { BTC: '1' } },
      index: { btc_usd: '50000' },
      config: { insuranceFund: {} },
    })
    for (const name of ['ann', 'bea', 'dan']) m.give(name, '200000', '40000')
    // A third of a loss of 1 is not a whole number of units.
    m.give('cat', '-400000', '40000')
    const before = m.wallet('house.rounding', 'BTC').balance
    const event = settled(m)
    expect(event).toMatchObject({ loss: coin('1'), socialized: coin('1'), fund: 0n })
    expect(event?.tax).toBe(999_999_999n)
    expect(m.wallet('house.insurance', 'BTC').balance).toBe(0n)
    expect(m.wallet('house.rounding', 'BTC').balance - before).toBe(-1n)
  })

  test('a fund that is large enough pays the whole loss', () => {
    const m = losing('100')
    expect(settled(m)).toMatchObject({ funded: coin('0.8'), socialized: 0n, tax: 0n, taxRate9: 0 })
    expect(balances(m)).toEqual(['5', '3', '0', '99.2'])
  })

  test('a loss that exceeds the profits of the day becomes a negative balance of the fund', () => {
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
    // An overdrawn fund pays nothing on the next day.
    expect(money(m.wallet('ann', 'BTC').balance)).toBe('1')
  })

  test('no winner pays more than its cash: a profit that repaid a debt is no longer available', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { ann: { BTC: '0.01' }, bob: { BTC: '1000' }, cat: { BTC: '1' } },
      index: { btc_usd: '50000' },
      config: { insuranceFund: {} },
    })
    m.give('ann', '10000000', '49975.012493753')
    m.give('cat', '-360000', '40000')
    // The closing trade costs ann a fee of 0.1. She has 0.01 of cash, and her profit of 0.1 pays the rest.
    m.buy('bob', { amount: '10000000', price: '50000' })
    m.sell('ann', { amount: '10000000', price: '50000' })
    expect(money(m.wallet('ann', 'BTC').balance)).toBe('-0.09')
    expect(settled(m)).toMatchObject({ tax: coin('0.01'), sessionProfitLoss: coin('0.01') })
    expect(m.wallet('ann', 'BTC').balance).toBe(0n)
  })

  test('equity is reset to zero: the tax does not include options that the bankrupt account keeps', () => {
    const call = 'BTC-30JAN26-50000-C'
    const m = market({
      instruments: { 'BTC-PERPETUAL': {}, [call]: {} },
      accounts: { ann: { BTC: '1' }, cat: { BTC: '1.1' } },
      index: { btc_usd: '50000' },
      config: { insuranceFund: { BTC: coin('0.5') } },
    })
    m.give('cat', '1', '0.1', call)
    m.mark('0.3', call)
    m.give('cat', '-280000', '40000')
    // The cash of 1 less the loss of 1.4, and an option worth 0.3.
    expect(settled(m)).toMatchObject({ loss: coin('0.1'), funded: coin('0.1'), fund: coin('0.4') })
    expect(m.wallet('cat', 'BTC')).toMatchObject({ balance: -coin('0.3'), equity: 0n })
  })

  test('the house account never goes bankrupt and pays no tax, whatever it holds', () => {
    const m = losing('100')
    settled(m)
    expect(m.wallet('house.positions', 'BTC').balance).toBe(-coin('4.2'))
  })

  test('a winner whose margin is too low after the tax is liquidated in the next round', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { ann: { BTC: '0.06' }, bob: { BTC: '1000' }, cat: { BTC: '1' } },
      index: { btc_usd: '40000' },
      config: { insuranceFund: {}, liquidation: defaultConfig(start).liquidation },
    })
    m.give('ann', '100000', '40000')
    m.give('cat', '-360000', '40000')
    m.wait(toSettlement - 500_000)
    // Between two rounds the index jumps. Ann wins 0.5 and is given another eight coins; cat closes with a loss of 1.8
    // of 1.
    m.index('btc_usd', '50000')
    m.give('ann', '400000', '50000')
    m.sell('bob', { amount: '360000', price: '50000' })
    m.buy('cat', { amount: '360000', price: '50000' })
    expect(m.position('cat').size).toBe(0)
    const { events } = m.wait(1_500_000)
    expect(events.find(({ kind }) => kind === 'shared_loss')).toMatchObject({
      ...{ account: m.account('ann'), tax: coin('0.5'), balance: coin('0.06') },
    })
    // 0.06 of margin for a position of ten coins that needs 0.105.
    expect(events.filter((event) => event.kind === 'liquidation' && event.change === 'started')).toMatchObject([
      { account: m.account('ann'), marginBalance: coin('0.06'), maintenance: coin('0.105') },
    ])
  })

  test('without debts there is no bankruptcy', () => {
    const m = losing('1')
    m.deposit('cat', 'BTC', '1')
    expect(settled(m)).toBeUndefined()
  })
})

describe('rule bankruptcy.seized: an account whose currencies share their margin', () => {
  /** Cat owes BTC and holds USDC. BTC is settled before USDC. */
  function crossed(model: 'cross_sm' | 'cross_pm', usdc: string): Market {
    return market({
      instruments: { 'BTC-PERPETUAL': {}, 'BTC_USDC-PERPETUAL': {}, BTC_USDC: {} },
      accounts: { ann: { BTC: '1' }, cat: { BTC: '1', USDC: usdc } },
      models: { cat: model },
      index: { btc_usd: '50000', btc_usdc: '50000' },
      config: { insuranceFund: { BTC: coin('0.25') } },
    })
  }
  const cash = (m: Market, name: string): string[] =>
    (['BTC', 'USDC'] as const).map((currency) => money(m.wallet(name, currency).balance))
  test.each(['cross_sm', 'cross_pm'] as const)(
    '%s: other currencies of the account pay first, at their indices',
    (model) => {
      const m = crossed(model, '30000')
      m.give('ann', '400000', '40000')
      m.give('cat', '-400000', '40000')
      // Cat loses 2 of 1 BTC: 50000 USD less 30000.
      m.sell('cat', { amount: '0.1', price: '60000', instrument: 'BTC_USDC' })
      m.wait(toSettlement)
      expect(eventsNamed(m.events, 'transfer')).toMatchObject([
        { from: m.account('cat'), currency: 'USDC', amount: 30_000_000_000_000n, nonce: null },
        { to: m.account('cat'), currency: 'BTC', amount: coin('0.6'), toBalance: -coin('0.4') },
      ])
      expect(eventsNamed(m.events, 'bankruptcy')).toMatchObject([
        { account: m.account('cat'), currency: 'BTC', loss: coin('0.4') },
      ])
      // The fund paid its whole 0.25, and 0.6 for the currency that it received.
      expect(eventsNamed(m.events, 'currency_bankruptcy')).toMatchObject([
        { loss: coin('0.4'), funded: coin('0.25'), socialized: coin('0.15'), fund: -coin('0.6') },
      ])
      expect(cash(m, 'cat')).toEqual(['0', '0'])
      expect(cash(m, 'ann')).toEqual(['2.85', '0'])
      expect(cash(m, 'house.insurance')).toEqual(['-0.6', '30000'])
    },
  )

  test('an account that owes more in a currency that is settled later is no winner and pays no tax', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {}, 'BTC_USDC-PERPETUAL': {} },
      accounts: { ann: { BTC: '1' }, bea: { BTC: '0.1' }, cat: { BTC: '1' } },
      models: { bea: 'cross_sm' },
      index: { btc_usd: '50000', btc_usdc: '50000' },
      config: { insuranceFund: {} },
    })
    m.give('ann', '400000', '40000')
    // Bea wins 0.2 BTC and loses 30000 USDC. In all she is 15000 USD below zero.
    m.give('bea', '40000', '40000')
    m.give('bea', '-1', '20000', 'BTC_USDC-PERPETUAL')
    m.give('cat', '-360000', '40000')
    m.wait(toSettlement)
    const shared = eventsNamed(m.events, 'shared_loss').filter(({ currency }) => currency === 'BTC')
    expect(shared).toMatchObject([{ account: m.account('ann'), tax: coin('0.8') }])
    expect(eventsNamed(m.events, 'bankruptcy').map(({ account }) => account)).toContain(m.account('bea'))
  })

  test('spot orders that would sell the seized currency end', () => {
    const m = crossed('cross_sm', '30000')
    m.give('ann', '400000', '40000')
    m.buy('cat', { amount: '0.1', price: '45000', instrument: 'BTC_USDC' })
    m.give('cat', '-400000', '40000')
    m.wait(toSettlement)
    expect(eventsNamed(m.events, 'order cancelled')).toMatchObject([{ reason: 'autoliquidation' }])
    expect(cash(m, 'cat')).toEqual(['0', '0'])
  })

  test('a profit in another currency that is settled later pays too', () => {
    const m = crossed('cross_sm', '10000')
    m.give('ann', '400000', '40000')
    m.give('cat', '-400000', '40000')
    m.give('cat', '1', '30000', 'BTC_USDC-PERPETUAL')
    // 10000 of cash and 20000 of profit.
    m.wait(toSettlement)
    expect(eventsNamed(m.events, 'transfer')[0]).toMatchObject({
      ...{ currency: 'USDC', amount: 30_000_000_000_000n, fromBalance: -20_000_000_000_000n },
    })
    expect(eventsNamed(m.events, 'bankruptcy')).toMatchObject([{ loss: coin('0.4') }])
    expect(cash(m, 'cat')).toEqual(['0', '0'])
  })

  test('an account whose total equity is positive owes nothing and keeps all its currencies', () => {
    const m = crossed('cross_sm', '50001')
    m.give('ann', '400000', '40000')
    m.give('cat', '-400000', '40000')
    m.wait(toSettlement)
    expect(eventsNamed(m.events, 'transfer')).toEqual([])
    expect(eventsNamed(m.events, 'bankruptcy')).toEqual([])
    expect(cash(m, 'cat')).toEqual(['-1', '50001'])
  })
})
