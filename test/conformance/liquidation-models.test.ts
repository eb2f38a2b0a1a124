/**
 * Liquidations of options, and of accounts with portfolio and cross margin (market.md 6.4-6.6, 3.7).
 */

import { describe, expect, test } from 'vitest'
import { formatScaled } from '../../src/core/index.ts'
import { underMargined } from '../../src/engine/index.ts'
import { accountRow } from '../../src/engine/state/index.ts'
import { poolsOf, stateOfPool } from '../../src/engine/value/index.ts'
import { type Currency, defaultConfig, type Event, type EventOf, type MarginModel } from '../../src/model/index.ts'
import { eventsNamed } from '../support/event-words.ts'
import { type Market, market, money, start } from '../support/harness.ts'

const second = 1_000_000
const config = { liquidation: defaultConfig(start).liquidation }
const CALL = 'BTC-30JAN26-110000-C'
const PUT = 'BTC-30JAN26-90000-P'

/** Alice with the margin model of the test, and other accounts. BTC is at 100000. */
function venue(
  model: MarginModel,
  deposits: Readonly<Partial<Record<Currency, string>>>,
  instruments: readonly string[] = ['BTC-PERPETUAL', CALL, PUT],
): Market {
  const m = market({
    instruments: Object.fromEntries(instruments.map((name) => [name, {}])),
    accounts: { bob: { BTC: '1000' } },
    index: { btc_usd: '100000' },
    config,
  })
  m.send({
    ...{ kind: 'open_account', name: 'alice', marginModel: model, main: null },
    feePpm: 1_000_000,
  })
  for (const [currency, text] of Object.entries(deposits)) {
    m.deposit('alice', currency as Currency, text)
  }
  return m
}

const steps = (events: readonly Event[]): readonly EventOf<'liquidation_step'>[] =>
  eventsNamed(events, 'liquidation_step')

describe('rule liquidation.pick: options (market.md 6.6 step 3)', () => {
  test('a short strangle: futures first, then the short option with the largest margin', () => {
    const m = venue('segregated_sm', { BTC: '0.4' })
    m.give('alice', '-1', '0.02', CALL)
    m.give('alice', '-1', '0.02', PUT)
    m.give('alice', '1000', '100000')
    m.mark('0.12', CALL)
    m.mark('0.03', PUT)
    m.buy('bob', { amount: '2000', price: '99000' })
    m.sell('bob', { amount: '1', price: '0.125', instrument: CALL })
    // The options need 0.195 + 0.105 of margin. The balance is 0.44 less their value, which is -0.15.
    expect(m.wait(second).events.filter((event) => event.kind === 'liquidation' && event.change === 'started')).toEqual(
      [],
    )
    m.mark('0.3', CALL)
    m.sell('bob', { amount: '1', price: '0.31', instrument: CALL })
    const first = m.wait(second).events
    // The future hedges a part of the call and is still closed first.
    expect(steps(first)).toMatchObject([{ rule: 'largest_future', asked: 13, closed: 13 }])
    m.wait(60 * second)
    const rules = steps(m.events).map(({ rule, instrument }) => [rule, instrument])
    const call = m.instrument(CALL).id
    expect(rules).toContainEqual(['largest_option', call])
    expect(m.position('alice').size).toBe(0)
  })

  test('the liquidation fee of an option goes to the fund, except for the usual trading fee', () => {
    const m = venue('segregated_sm', { BTC: '0.2' })
    m.give('alice', '-1', '0.02', CALL)
    m.mark('0.2', CALL)
    m.sell('bob', { amount: '1', price: '0.21', instrument: CALL })
    const [trade] = eventsNamed(m.wait(second).events, 'trade')
    // 0.19 % of 0.2 BTC, of which the usual fee is 0.03 %. One round closes 0.1 or an eighth, rounded up to a lot.
    expect(trade).toMatchObject({ liquidation: 'T', amount: 2 })
    expect(money(trade?.taker.fee ?? 0n)).toBe('0.00038')
    expect(money(trade?.taker.fundFee ?? 0n)).toBe('0.00032')
  })

  test('if only long options and a debt are left, the options are sold', () => {
    const m = venue('segregated_sm', { BTC: '0.3' })
    m.give('alice', '-1', '0.02', CALL)
    m.give('alice', '1', '0.3', PUT)
    m.mark('0.3', PUT)
    m.mark('0.06', CALL)
    m.sell('bob', { amount: '1', price: '0.06', instrument: CALL })
    m.buy('bob', { amount: '1', price: '0.29', instrument: PUT })
    m.wait(60 * second)
    const rules = steps(m.events).map(({ rule, instrument }) => [rule, instrument])
    expect(rules).toContainEqual(['largest_option', m.instrument(CALL).id])
    expect(eventsNamed(m.events, 'liquidation ended')).toHaveLength(1)
    expect(m.wallet('alice', 'BTC').balance >= 0n).toBe(true)
  })
})

describe('rule liquidation.pick: long options of several currencies (market.md 6.4)', () => {
  test('values are compared in USD if currencies share their margin', () => {
    const other = 'BTC_USDC-30JAN26-110000-C'
    const m = venue('cross_sm', { BTC: '0.1' }, [CALL, other])
    m.index('btc_usdc', '100000')
    m.give('alice', '1', '0.2', CALL)
    m.give('alice', '0.1', '1000', other)
    m.mark('0.2', CALL)
    m.mark('1000', other)
    // 20000 USD of one currency and 100 USD of the other, against a debt of 10100 USD.
    expect(steps(m.wait(second).events)).toMatchObject([{ rule: 'largest_option', instrument: m.instrument(CALL).id }])
  })
})

describe('rule liquidation.close-out position.transfer (market.md 6.6 step 6)', () => {
  test('options of an account with negative equity go to the fund at their marks', () => {
    const m = venue('segregated_sm', { BTC: '0.2' })
    m.give('alice', '-1', '0.02', CALL)
    m.give('alice', '0.5', '0.02', PUT)
    m.mark('0.5', CALL)
    m.mark('0.01', PUT)
    const events = m.wait(second).events
    expect(eventsNamed(events, 'position_transfer')).toMatchObject([
      { reason: 'close_out', amount: -10, price: 500_000_000, commission: 0n },
      { reason: 'close_out', amount: 5, price: 10_000_000 },
    ])
    const fund = { account: m.account('house.insurance') }
    expect(eventsNamed(events, 'position_transfer').map(({ to }) => to)).toMatchObject([
      { ...fund, premium: 500_000_000n, position: -10 },
      { ...fund, premium: -5_000_000n, position: 5 },
    ])
    expect(steps(events)).toMatchObject([
      { rule: 'close_out', route: 'fund', asked: 10, closed: 10 },
      { rule: 'close_out', route: 'fund', asked: 5, closed: 5 },
    ])
    expect(eventsNamed(m.wait(second).events, 'liquidation ended')).toMatchObject([{ outcome: 'flat' }])
    // 0.2 + 0.02 - 0.01 - 0.5 + 0.005.
    expect(money(m.wallet('alice', 'BTC').balance)).toBe('-0.285')
    m.wait(23 * 3600 * second)
    expect(eventsNamed(m.events, 'bankruptcy')).toMatchObject([{ loss: 285_000_000n }])
    expect(m.wallet('alice', 'BTC').balance).toBe(0n)
  })
})

describe('rule liquidation.round: portfolio and cross margin', () => {
  test('segregated_pm: one currency at a time, by the risk of its matrix', () => {
    const m = venue('segregated_pm', { BTC: '0.2' })
    m.give('alice', '100000', '100000')
    m.buy('bob', { amount: '100000', price: '96000' })
    m.index('btc_usd', '97000')
    expect(eventsNamed(m.wait(second).events, 'liquidation started')).toEqual([])
    m.index('btc_usd', '93500')
    const events = m.wait(second).events
    expect(eventsNamed(events, 'liquidation started')).toMatchObject([{ currency: 'BTC', round: 1 }])
    expect(steps(events)).toMatchObject([{ rule: 'reduces_delta', route: 'book' }])
  })

  test.each(['cross_sm', 'cross_pm'] as const)('%s: the whole account at once, with figures in USD', (model) => {
    const m = venue(model, { USDC: '15000', BTC: '0.01' })
    m.give('alice', '300000', '100000')
    m.give('alice', '-0.1', '0.02', CALL)
    m.mark('0.02', CALL)
    m.buy('bob', { amount: '1000000', price: '95000' })
    const resting = m.buy('alice', { amount: '10', price: '99000' })
    m.index('btc_usd', '95500')
    const events = m.wait(second).events
    const [started] = eventsNamed(events, 'liquidation started')
    expect(started).toMatchObject({ currency: 'USD', account: m.account('alice') })
    expect((started?.maintenance ?? 0n) > (started?.marginBalance ?? 0n)).toBe(true)
    if (resting.order !== undefined) {
      expect(eventsNamed(events, 'order cancelled')).toMatchObject([{ reason: 'autoliquidation' }])
    }
    expect(steps(events)).toMatchObject([{ rule: 'reduces_delta', instrument: 0 }])
    expect(m.sell('alice', { amount: '10', price: '99000' }).refusal).toEqual({
      reason: 'account_locked',
    })
    m.deposit('alice', 'USDC', '100000')
    expect(eventsNamed(m.wait(second).events, 'liquidation ended')).toMatchObject([{ outcome: 'healthy' }])
  })

  test('cross_sm: a negative balance in one currency is no debt while the others are worth more', () => {
    const m = venue('cross_sm', { USDC: '50000' })
    m.give('alice', '100000', '100000')
    m.index('btc_usd', '95000')
    m.wait(23 * 3600 * second)
    expect(m.wallet('alice', 'BTC').balance < 0n).toBe(true)
    expect(eventsNamed(m.events, 'bankruptcy')).toEqual([])
  })

  test.each(['segregated_pm', 'cross_sm', 'cross_pm'] as const)(
    '%s: an account with a debt but no position is not liquidated',
    (model) => {
      const m = venue(model, { BTC: '0.1' })
      m.give('alice', '100000', '100000')
      m.give('alice', '-100000', '80000')
      expect(m.wallet('alice', 'BTC').marginBalance < 0n).toBe(true)
      m.index('btc_usd', '101000')
      m.wait(second)
      m.index('btc_usd', '99000')
      m.wait(60 * second)
      expect(m.events.filter(({ kind }) => kind.startsWith('liquidation'))).toEqual([])
      m.wait(23 * 3600 * second)
      expect(eventsNamed(m.events, 'bankruptcy')).toHaveLength(1)
      expect(m.wallet('alice', 'BTC').balance).toBe(0n)
    },
  )

  test('segregated_sm: an account with a debt is liquidated even though its long options need no margin', () => {
    const m = venue('segregated_sm', { BTC: '0.01' })
    m.buy('bob', { amount: '1', price: '0.025', instrument: PUT })
    m.give('alice', '1', '0.03', PUT)
    m.mark('0.03', PUT)
    const events = m.wait(second).events
    expect(eventsNamed(events, 'liquidation started')).toMatchObject([
      { currency: 'BTC', marginBalance: -20_000_000n, initial: 0n, maintenance: 0n },
    ])
    expect(steps(events)).toMatchObject([{ rule: 'largest_option', asked: 2, closed: 2 }])
    m.wait(60 * second)
    expect(eventsNamed(m.events, 'liquidation ended')).toMatchObject([{ outcome: 'healthy' }])
    expect(m.wallet('alice', 'BTC').balance >= 0n).toBe(true)
  })

  test('a move of an index alone can make the collateral of a cross account insufficient', () => {
    const m = venue('cross_sm', { BTC: '0.02' })
    m.list('ETH_USDC-PERPETUAL')
    m.index('eth_usdc', '2000')
    m.give('alice', '10', '2000', 'ETH_USDC-PERPETUAL')
    // A position of 20000 USDC needs 200 USD of margin, and 0.02 BTC are worth 2000 USD.
    expect(eventsNamed(m.wait(second).events, 'liquidation started')).toEqual([])
    m.index('btc_usd', '9000')
    expect(eventsNamed(m.wait(second).events, 'liquidation started')).toHaveLength(1)
  })

  test('an account that becomes insolvent through a liquidation is liquidated in the same round', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { other: { BTC: '100000' }, weak: { BTC: '1' }, buyer: { BTC: '0.35' } },
      models: { weak: 'cross_sm', buyer: 'cross_sm' },
      index: { btc_usd: '50000' },
      config: { ...config, priceBands: false },
    })
    m.give('weak', '400000', '50000')
    m.give('buyer', '10000', '50000')
    // The buyer of the position of weak spends its margin on it.
    m.buy('buyer', { amount: '300000', price: '70000' })
    m.wait(2 * second)
    m.index('btc_usd', '44500')
    m.wait(2 * second)
    const started = m.events.flatMap((event) =>
      event.kind === 'liquidation' && event.change === 'started' ? [event] : [],
    )
    expect(started.map(({ account }) => account)).toEqual([m.account('weak'), m.account('buyer')])
    expect(new Set(started.map(({ time }) => time)).size).toBe(1)
  })
})

describe('rule liquidation.round: funding under every model (market.md 6.6, 6.4)', () => {
  /** Alice is long 100000 USD. The test sets the mark through `premium`, and the mark sets her funding. */
  function paying(model: MarginModel, deposit: string, mark: string): Market {
    const m = venue(model, { BTC: deposit }, ['BTC-PERPETUAL'])
    m.give('alice', '200000', '100000')
    m.mark(mark)
    m.wait(10 * second)
    return m
  }

  test.each([
    ['cross_sm', '0.0163'],
    ['segregated_pm', '0.3145'],
    ['cross_pm', '0.3050'],
  ] as const)('%s: an account that funding alone ruins is found at the next full minute', (model, deposit) => {
    const m = paying(model, deposit, '100400')
    expect(eventsNamed(m.events, 'liquidation started')).toEqual([])
    const alice = m.account('alice')
    for (let minute = 0; minute < 480; minute += 1) {
      m.wait(60 * second - 10 * second)
      if (underMargined(m.exchange, alice).length > 0) break
      m.wait(10 * second)
    }
    m.wait(60 * second)
    expect(eventsNamed(m.events, 'liquidation started')).toMatchObject([{ account: alice }])
  })

  test('a cross account whose perpetual settles in a currency that it owes is checked repeatedly', () => {
    const m = venue('cross_sm', { USDC: '5000' }, ['BTC-PERPETUAL'])
    m.give('alice', '200000', '100000')
    m.mark('100400')
    // A profit of 0.00797 and 5000 USDC cover the maintenance margin of 0.02 BTC until funding has used up the rest.
    m.wait(10 * second)
    expect(eventsNamed(m.events, 'liquidation started')).toEqual([])
    const alice = m.account('alice')
    let minutes = 0
    while (underMargined(m.exchange, alice).length === 0 && minutes < 24 * 60 * 5) {
      m.wait(60 * second)
      minutes += 1
    }
    expect(minutes).toBeGreaterThan(1)
    m.wait(60 * second)
    expect(eventsNamed(m.events, 'liquidation started')).toMatchObject([{ account: alice }])
  })
})

describe('D2 a margin balance exactly at the maintenance margin', () => {
  const perpetual = 'BTC_USDC-PERPETUAL'

  /**
   * An account whose margin balance exceeds its maintenance margin by the given number of 1e-9 USDC; only its cash
   * changes.
   */
  function balanced(model: MarginModel, spare: bigint): Market {
    const m = market({
      instruments: { [perpetual]: {} },
      accounts: { bob: { USDC: '1000' } },
      models: { alice: model },
      index: { btc_usdc: '100000', usdc_usd: '1' },
      config,
    })
    m.openAccount('alice', null, model)
    m.deposit('alice', 'USDC', '2500')
    m.give('alice', '2', '100000')
    m.index('btc_usdc', '99000')
    leave(m, spare)
    return m
  }

  /** Sets the cash so that the account has this much above its maintenance margin. */
  function leave(m: Market, spare: bigint): void {
    const { marginBalance, maintenance } = stateOf(m)
    const missing = maintenance - marginBalance + spare
    if (missing > 0n) m.deposit('alice', 'USDC', formatScaled(missing, 9))
    const { marginBalance: left, maintenance: needed } = stateOf(m)
    expect(left - needed).toBe(spare)
  }

  function stateOf(m: Market): ReturnType<typeof stateOfPool> {
    const account = accountRow(m.exchange, m.account('alice'))
    const [pool] = poolsOf(m.exchange, account)
    if (pool === undefined) throw new Error('an account with a position has a pool')
    return stateOfPool(m.exchange, pool)
  }

  const reported = (events: readonly Event[]): readonly string[] =>
    events.flatMap((event) => (event.kind === 'liquidation' ? [event.change] : []))

  const models = ['segregated_sm', 'cross_sm', 'segregated_pm', 'cross_pm'] as const

  test.each(models)('starts no liquidation; one unit less does: %s', (model) => {
    expect(reported(balanced(model, 1n).wait(3 * second).events)).toEqual([])
    expect(reported(balanced(model, 0n).wait(3 * second).events)).toEqual([])
    expect(reported(balanced(model, -1n).wait(3 * second).events)).toEqual(['started'])
  })

  test.each(models)('ends a running liquidation; one unit less does not: %s', (model) => {
    for (const spare of [-1n, 0n, 1n]) {
      // No account takes the position, so the liquidation waits.
      const m = balanced(model, -1n)
      m.wait(second)
      leave(m, spare)
      expect(reported(m.wait(3 * second).events)).toEqual(spare < 0n ? [] : ['ended'])
    }
  })
})

test.each(['halted', 'locked', 'settlement', 'inactive'] as const)(
  'D22 a close-out also takes over options whose book is %s',
  (state) => {
    const m = venue('segregated_sm', { BTC: '0.2' })
    m.give('alice', '-1', '0.02', CALL)
    m.give('alice', '0.5', '0.02', PUT)
    m.bookState(state, CALL)
    m.mark('0.5', CALL)
    m.mark('0.01', PUT)
    const { events } = m.wait(second)
    expect(eventsNamed(events, 'position_transfer')).toMatchObject([
      { reason: 'close_out', instrument: m.instrument(CALL).id, amount: -10 },
      { reason: 'close_out', instrument: m.instrument(PUT).id, amount: 5 },
    ])
  },
)
