/**
 * The liquidity support programme and auto-deleveraging (sessions-blocks-gateways.md 7; R54).
 */

import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { viewLspUsage } from '../../src/engine/index.ts'
import { type Currency, defaultConfig, type Event, type ExchangeConfig, type LspGroup } from '../../src/model/index.ts'
import { eventsNamed, wordOf } from '../support/event-words.ts'
import { idOf, type Market, market, money, type Outcome, priceText, start } from '../support/harness.ts'

const second = 1_000_000
const usual = defaultConfig(start)
const PERPETUAL = 'BTC_USDC-PERPETUAL'

type Accounts = Readonly<Record<string, Readonly<Partial<Record<Currency, string>>>>>

/**
 * Alice is long 2 BTC at 50000 on 3000 USDC; a fall to 49000 leaves her 1000 of a maintenance margin of
 * 990. One round closes 0.25 BTC.
 */
function programme(accounts: Accounts, config: Partial<ExchangeConfig> = {}): Market {
  const m = market({
    instruments: { [PERPETUAL]: {} },
    accounts: { alice: { USDC: '3000' }, ...accounts },
    index: { btc_usdc: '50000' },
    config: { liquidation: usual.liquidation, ...config },
  })
  m.give('alice', '2', '50000')
  return m
}

function enter(
  m: Market,
  account: string,
  limitsPpm: { readonly [G in LspGroup]?: number } = {},
  enabled = true,
): Outcome {
  return m.send({ kind: 'set_lsp_participant', target: m.account(account), enabled, limitsPpm })
}

/** The mark falls until alice is liquidated, and the first round runs. */
function fall(m: Market, to = '48980'): readonly Event[] {
  m.index('btc_usdc', to)
  return m.wait(second).events
}

const usageOf = (m: Market, account: string) => viewLspUsage(m.exchange, m.account(account))

/** Account, amount and price of each transferred position. */
function transfers(events: readonly Event[]): (readonly [string, string, number, string])[] {
  return eventsNamed(events, 'position_transfer').map(({ reason, to, amount, price }) => {
    return [reason, String(to.account), amount, priceText(price)]
  })
}

describe('rule lsp.assign (sessions 7.3)', () => {
  test('R54 S165 a participant takes over the part of the round at a price below the mark of a long position', () => {
    const m = programme({ pat: { USDC: '100000' } })
    enter(m, 'pat')
    const events = fall(m)
    expect(events.map(wordOf)).toEqual([
      ...['liquidation started', 'lsp', 'position_transfer', 'lsp'],
      ...['liquidation_step', 'request'],
    ])
    // 48980 less 0.25 %. The capacity is 15 % of 100000, which is 15000; 0.25 BTC cost 12214.3875.
    const [transfer] = eventsNamed(events, 'position_transfer')
    expect(transfer).toMatchObject({ reason: 'lsp', amount: 250, commissionToTarget: 0n })
    expect(priceText(transfer?.price ?? (0 as never))).toBe('48857.55')
    // 2.5 of 10,000 of 12214.3875, to 1e-8.
    expect(money(transfer?.commission ?? 0n)).toBe('3.05359688')
    expect(transfer?.from).toMatchObject({ account: m.account('alice'), position: 1750 })
    expect(transfer?.to).toMatchObject({ account: m.account('pat'), position: 250 })
    expect(money(transfer?.from.realized ?? 0n)).toBe('-285.6125')
    const fund = (usual.insuranceFund.USDC ?? 0n) + (transfer?.commission ?? 0n)
    expect(m.wallet('house.insurance', 'USDC').balance).toBe(fund)
    expect(eventsNamed(events, 'liquidation_step')).toMatchObject([
      { route: 'lsp', position: 2000, asked: 250, closed: 250, price: 48_857_550_000_000 },
    ])
    expect(eventsNamed(events, 'lsp')).toMatchObject([
      { change: 'window_opened', group: 'tier_1', used: 0n, limitPpm: 150_000 },
      { change: 'used', used: 12_214_387_500_000n },
    ])
  })

  test('several participants share by their capacities, and the largest gets the lots left over', () => {
    const m = programme({ pat: { USDC: '200000' }, pam: { USDC: '100000' }, pip: { USDC: '0' } })
    for (const name of ['pam', 'pat', 'pip']) enter(m, name)
    const [pat, pam] = [String(m.account('pat')), String(m.account('pam'))]
    expect(transfers(fall(m))).toEqual([
      ['lsp', pat, 167, '48857.55'],
      ['lsp', pam, 83, '48857.55'],
    ])
  })

  test('amounts above the capacity go to accounts on the opposite side, and then to the book', () => {
    const m = programme({ pat: { USDC: '20000' }, bea: { USDC: '20000' }, bob: { USDC: '100000' } })
    enter(m, 'pat')
    // Bea is short 0.1 BTC with a profit.
    m.give('bea', '-0.1', '50500')
    m.buy('bob', { amount: '1', price: '48900' })
    const events = fall(m)
    // 15 % of 20000 pay for 0.061 BTC. Bea takes 0.1, and the rest is sold.
    expect(transfers(events)).toEqual([
      ['lsp', String(m.account('pat')), 61, '48857.55'],
      ['adl', String(m.account('bea')), 100, '48857.55'],
    ])
    expect(eventsNamed(events, 'trade')).toMatchObject([{ amount: 89, liquidation: 'T' }])
    expect(eventsNamed(events, 'liquidation_step')).toMatchObject([
      { route: 'lsp', position: 2000, asked: 250, closed: 61 },
      { route: 'adl', position: 1939, asked: 189, closed: 100 },
      { route: 'book', position: 1839, asked: 89, closed: 89 },
    ])
    expect(m.position('bea').size).toBe(0)
    // The counterparty gets half of the commission of 1.22143875, rounded to 1.22143880.
    const [, adl] = eventsNamed(events, 'position_transfer')
    expect(money(adl?.commission ?? 0n)).toBe('1.22143875')
    expect(money(adl?.commissionToTarget ?? 0n)).toBe('0.610719375')
  })

  test('rule adl.rank adl closes the most leveraged profit first', () => {
    const m = programme({ bea: { USDC: '20000' }, ben: { USDC: '2000' }, cat: { USDC: '20000' } })
    m.openAccount('pat')
    enter(m, 'pat')
    m.give('bea', '-0.1', '50500')
    m.give('ben', '-0.1', '50500')
    m.give('cat', '-0.1', '51000')
    const ids = ['ben', 'cat', 'bea'].map((name) => String(m.account(name)))
    expect(transfers(fall(m)).map(([, account, amount]) => [account, amount])).toEqual([
      [ids[0], 100],
      [ids[1], 100],
      [ids[2], 50],
    ])
  })

  test('rule adl.rank a cross account’s leverage includes its whole equity (market.md 6.4)', () => {
    const m = programme({ bea: { USDC: '20000' } })
    m.send({
      ...{ kind: 'open_account', name: 'cora', marginModel: 'cross_sm', main: null },
      feePpm: 1_000_000,
    })
    m.index('btc_usd', '50000')
    m.deposit('cora', 'BTC', '10')
    m.openAccount('pat')
    enter(m, 'pat')
    // Both have the same profit. Cora has 500000 USD of other collateral and hardly any USDC.
    m.give('bea', '-0.2', '50500')
    m.give('cora', '-0.2', '50500')
    expect(transfers(fall(m)).map(([, account, amount]) => [account, amount])).toEqual([
      [String(m.account('bea')), 200],
      [String(m.account('cora')), 50],
    ])
  })

  test('a short position is closed above the mark', () => {
    const m = programme({ pat: { USDC: '1000000' }, sue: { USDC: '3000' } })
    enter(m, 'pat')
    m.give('sue', '-2', '50000')
    m.index('btc_usdc', '51050')
    const [transfer] = eventsNamed(m.wait(second).events, 'position_transfer')
    expect(priceText(transfer?.price ?? (0 as never))).toBe('51177.625')
    expect(transfer).toMatchObject({ amount: -250, to: { position: -250 } })
  })

  test('without participants a liquidation goes only to the book', () => {
    const m = programme({ bea: { USDC: '20000' }, bob: { USDC: '100000' } })
    m.give('bea', '-0.1', '50500')
    m.buy('bob', { amount: '1', price: '48900' })
    expect(eventsNamed(fall(m), 'liquidation_step')).toMatchObject([{ route: 'book', closed: 250 }])
  })

  test('the liquidated account and others of the same main account take over nothing', () => {
    const m = programme({ pat: { USDC: '100000' } })
    m.openAccount('alice_2', 'alice')
    m.deposit('alice_2', 'USDC', '1000000')
    enter(m, 'alice_2')
    enter(m, 'pat')
    expect(transfers(fall(m)).map(([, account]) => account)).toEqual([String(m.account('pat'))])
  })

  test('dated futures and inverse perpetuals are not part of the programme', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '0.05' }, pat: { USDC: '1000000', BTC: '100' } },
      index: { btc_usd: '50000' },
      config: { liquidation: usual.liquidation },
    })
    enter(m, 'pat')
    m.give('alice', '100000', '50000')
    m.index('btc_usd', '49200')
    expect(eventsNamed(m.wait(second).events, 'liquidation_step')).toMatchObject([{ route: 'book' }])
  })
})

describe('R54 accounts with portfolio margin (sessions 7.1)', () => {
  test.each([
    [true, 'book'],
    [false, 'lsp'],
  ] as const)('with options listed on the pair: %s, to %s', (hasOptions, route) => {
    const m = programme({ pat: { USDC: '100000' }, bob: { USDC: '100000' } })
    if (hasOptions) m.list('BTC_USDC-30JAN26-50000-C')
    m.send({
      ...{ kind: 'open_account', name: 'pia', marginModel: 'segregated_pm', main: null },
      feePpm: 1_000_000,
    })
    m.deposit('pia', 'USDC', '3000')
    m.deposit('alice', 'USDC', '100000')
    m.give('pia', '0.3', '50000')
    m.buy('bob', { amount: '1', price: '42000' })
    enter(m, 'pat')
    m.index('btc_usdc', '42500')
    const [step] = eventsNamed(m.wait(second).events, 'liquidation_step')
    expect(step).toMatchObject({ account: m.account('pia'), route })
  })
})

describe('rule lsp.window (sessions 7.2)', () => {
  test('S158 S159 S160 S161 S319 the first assignment opens the window, which resets in one step', () => {
    const m = programme({ pat: { USDC: '300000' } })
    enter(m, 'pat')
    const group = (name: string) => usageOf(m, 'pat')?.find((each) => each.group === name)
    expect(group('tier_1')).toMatchObject({
      limitPpm: 150_000,
      used: 0n,
      windowStart: null,
      windowEnd: null,
    })
    fall(m, '48800')
    const opened = start + second
    expect(group('tier_1')).toMatchObject({
      ...{ windowStart: opened, windowEnd: opened + 300 * second },
    })
    const used = group('tier_1')?.used ?? 0n
    // 0.25 BTC at 48678.
    expect(used).toBe(12_169_500_000_000n)
    m.wait(second)
    expect((group('tier_1')?.used ?? 0n) > used).toBe(true)
    expect(group('tier_1')).toMatchObject({
      ...{ windowStart: opened, windowEnd: opened + 300 * second },
    })
    m.deposit('alice', 'USDC', '100000')
    m.wait(299 * second - 1)
    expect((group('tier_1')?.used ?? 0n) > used).toBe(true)
    const reset = m.wait(1).events
    expect(eventsNamed(reset, 'lsp')).toMatchObject([
      { change: 'window_reset', used: 0n, windowStart: null, windowEnd: null },
    ])
    expect(group('tier_1')).toMatchObject({ used: 0n, windowStart: null, windowEnd: null })
  })

  test('L03 S156 S157 S162 groups: all groups of the venue, including those whose limit is 0', () => {
    const m = programme({ pat: { USDC: '300000' } })
    enter(m, 'pat', { tier_1: 50_000, rwa: 0, tier_6: 9_000_000 })
    expect(usageOf(m, 'pat')?.map(({ group, limitPpm }) => [group, limitPpm])).toEqual([
      ['tier_1', 50_000],
      ['tier_2', 100_000],
      ['tier_3', 100_000],
      ['tier_4', 100_000],
      ['tier_5', 100_000],
      // A participant never holds more than twice its equity.
      ['tier_6', 2_000_000],
      ['rwa', 0],
    ])
    expect(usageOf(m, 'alice')).toBeUndefined()
  })

  test('D6 the timer of an old window does not end a newer one', () => {
    const config = { lsp: { ...usual.lsp, cooldown: micros(10 * second) } }
    const m = programme({ pat: { USDC: '100000' } }, config)
    enter(m, 'pat')
    // The account leaves the programme with no position to reduce, and joins again.
    fall(m, '48600')
    m.give('pat', '-0.25', '48600')
    enter(m, 'pat', {}, false)
    expect(m.exchange.participants.size).toBe(0)
    enter(m, 'pat')
    const opened = eventsNamed(m.wait(3 * second).events, 'lsp')
    expect(opened[0]).toMatchObject({ change: 'window_opened', windowEnd: start + 12 * second })
    m.deposit('alice', 'USDC', '100000')
    expect(eventsNamed(m.wait(8 * second - 1).events, 'lsp')).toEqual([])
    expect(eventsNamed(m.wait(1).events, 'lsp')).toMatchObject([{ change: 'window_reset' }])
  })

  test('within a window the limit can be used up; the next assignment opens a new window', () => {
    const config = { lsp: { ...usual.lsp, cooldown: micros(10 * second) } }
    const m = programme({ pat: { USDC: '100000' } }, config)
    enter(m, 'pat')
    fall(m, '48600')
    // 15 % of 100030.375 less 12119.625 pay for another 0.0595 BTC at 48478.5.
    const next = m.wait(9 * second).events
    expect(transfers(next).map(([, , amount]) => amount)).toEqual([59])
    const later = m.wait(second).events
    expect(eventsNamed(later, 'lsp').map(({ change }) => change)).toEqual([
      ...['window_reset', 'window_opened', 'used'],
    ])
  })

  test('a participant holds at most twice its equity', () => {
    const m = programme({ pat: { USDC: '10000' } })
    enter(m, 'pat', { tier_1: 2_000_000 })
    m.give('pat', '0.3', '50000')
    // 2 x 9694 less 14694, at 48857.55.
    expect(transfers(fall(m)).map(([, , amount]) => amount)).toEqual([96])
  })
})

describe('rule lsp.reduce-only (sessions 7.1)', () => {
  test('a reduce-only participant only reduces; after its removal too, until its position is zero', () => {
    const m = programme({ pat: { USDC: '100000' }, bob: { USDC: '100000' } })
    const order = idOf(m.buy('pat', { amount: '0.1', price: '49900' }))
    const entered = enter(m, 'pat')
    expect(eventsNamed(entered.events, 'order cancelled')).toMatchObject([{ order, reason: 'position_locked' }])
    const refusal = { reason: 'other_reject lsp_reduce_only' }
    expect(m.buy('pat', { amount: '0.1', price: '49900' }).refusal).toEqual(refusal)
    fall(m)
    expect(m.position('pat').size).toBe(250)
    enter(m, 'pat', {}, false)
    expect(m.sell('pat', { amount: '0.1', price: '49500' }).refusal).toEqual(refusal)
    const reducing = { amount: '0.25', price: '48980', reduceOnly: true }
    const placed = idOf(m.sell('pat', reducing))
    expect(m.edit('pat', placed, { reduceOnly: false }).refusal).toEqual(refusal)
    m.buy('bob', { amount: '0.25', price: '48980' })
    expect(m.position('pat').size).toBe(0)
    expect(m.buy('pat', { amount: '0.1', price: '48900' }).refusal).toBeNull()
    expect(m.exchange.participants.size).toBe(0)
  })
})

describe('rule lsp.auto-disable (sessions 7.4)', () => {
  test('others take over if a participant lacks the margin; five failures in ten minutes disable it', () => {
    // At a hundred times its equity a participant still has capacity when it lacks the margin of 2 %.
    const config = { lsp: { ...usual.lsp, capacityFactor: 100 } }
    const m = programme({ pat: { USDC: '180' }, pam: { USDC: '1000' } }, config)
    enter(m, 'pat', { tier_1: 100_000_000 })
    enter(m, 'pam', { tier_1: 5_000_000 })
    const [pat, pam] = [m.account('pat'), m.account('pam')]
    const first = fall(m, '48000')
    const reported = eventsNamed(first, 'lsp').map(({ account, change }) => [account, change])
    // 18000 and 5000 of capacity for 0.25 BTC at 47880: 195 and 54 lots, and one more for pat. Later pam takes the rest
    // of her capacity, which has grown by 6.48.
    expect(reported).toEqual([
      [pat, 'failed'],
      [pam, 'window_opened'],
      [pam, 'used'],
      [pam, 'used'],
    ])
    expect(transfers(first)).toEqual([
      ['lsp', String(pam), 54, '47880'],
      ['lsp', String(pam), 51, '47880'],
    ])
    const later = m.wait(4 * second).events
    const changes = eventsNamed(later, 'lsp').filter(({ account }) => account === pat)
    expect(changes.map(({ change }) => change)).toEqual([...['failed', 'failed', 'failed', 'failed', 'disabled']])
    m.wait(second)
    expect(eventsNamed(m.events, 'lsp').filter(({ change }) => change === 'failed')).toHaveLength(5)
    // It is still a participant, but can only reduce.
    expect(usageOf(m, 'pat')).toBeDefined()
    expect(m.buy('pat', { amount: '0.001', price: '48000' }).refusal).toEqual({
      reason: 'other_reject lsp_reduce_only',
    })
  })

  test('failures that are further apart do not add up', () => {
    const lsp = { ...usual.lsp, capacityFactor: 100, failureWindow: micros(2 * second) }
    const m = programme({ pat: { USDC: '180' } }, { lsp })
    enter(m, 'pat', { tier_1: 100_000_000 })
    fall(m, '48000')
    const later = m.wait(20 * second).events
    expect(eventsNamed(later, 'lsp').map(({ change }) => change)).not.toContain('disabled')
  })

  test.each([
    ['just before the window begins', 2 * second - 1, false],
    ['where the window begins', 2 * second, false],
    ['just within the window', 2 * second + 1, true],
  ])('D3 of three failures the first is %s', (_, failureWindow, isDisabled) => {
    const lsp = { ...usual.lsp, capacityFactor: 100, failures: 3 }
    const config = { lsp: { ...lsp, failureWindow: micros(failureWindow) } }
    const m = programme({ pat: { USDC: '180' } }, config)
    enter(m, 'pat', { tier_1: 100_000_000 })
    fall(m, '48000')
    const { events } = m.wait(2 * second)
    const changes = eventsNamed(events, 'lsp').map(({ change }) => change)
    expect(changes).toEqual(['failed', 'failed', ...(isDisabled ? ['disabled'] : [])])
  })

  test('D23 a change of a participant resets its count of failures', () => {
    const config = { lsp: { ...usual.lsp, capacityFactor: 100 } }
    const m = programme({ pat: { USDC: '180' } }, config)
    enter(m, 'pat', { tier_1: 100_000_000 })
    fall(m, '48000')
    const changes = (events: readonly Event[]): readonly string[] =>
      eventsNamed(events, 'lsp').map(({ change }) => change)
    expect(changes(m.wait(3 * second).events)).toEqual(['failed', 'failed', 'failed'])
    enter(m, 'pat', { tier_1: 100_000_000 })
    expect(changes(m.wait(4 * second).events)).toEqual(['failed', 'failed', 'failed', 'failed'])
    expect(changes(m.wait(second).events)).toEqual(['failed', 'disabled'])
  })
})

describe('D8 accounts that may not take over', () => {
  test.each([
    ['positions', 'segregated_sm'],
    ['portfolio_margin', 'segregated_pm'],
  ] as const)('an account locked by staff: %s', (lock, model) => {
    const m = programme({ pam: { USDC: '100000' } })
    m.openAccount('pat', null, model)
    m.deposit('pat', 'USDC', '100000')
    for (const name of ['pat', 'pam']) enter(m, name)
    const locking = { kind: 'lock_account', target: m.account('pat'), lock } as const
    expect(m.send({ ...locking, locked: true }).refusal).toBeNull()
    const first = transfers(fall(m, '48600')).map(([, account]) => account)
    expect(first).toEqual([String(m.account('pam'))])
    m.send({ ...locking, locked: false })
    const next = transfers(m.wait(second).events).map(([, account]) => account)
    expect(next).toContain(String(m.account('pat')))
  })

  test('an account under liquidation, even if it has capacity', () => {
    const m = programme({ pat: { USDC: '100000' }, pam: { USDC: '100000' } })
    enter(m, 'pat')
    enter(m, 'pam')
    // Its BTC is a separate pool.
    m.list('BTC-PERPETUAL')
    m.index('btc_usd', '50000')
    m.deposit('pat', 'BTC', '0.05')
    m.give('pat', '100000', '50000', 'BTC-PERPETUAL')
    m.index('btc_usd', '49000')
    m.wait(second)
    expect(m.exchange.accounts[m.account('pat')]?.liquidations).toHaveLength(1)
    expect(transfers(fall(m)).map(([, account]) => account)).toEqual([String(m.account('pam'))])
  })
})
