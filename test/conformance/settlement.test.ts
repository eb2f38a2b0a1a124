/** Daily settlement and delivery at 08:00 UTC (market.md 3.5, 3.6, 1.5), tested on the engine. */

import { describe, expect, test } from 'vitest'
import { formatScaled, price9 } from '../../src/core/index.ts'
import { viewIndex, viewMarket } from '../../src/engine/index.ts'
import { eventsNamed } from '../support/event-words.ts'
import { idOf, type Market, market, type Outcome, priceText } from '../support/harness.ts'

const second = 1_000_000
const hour = 3_600 * second
/** The clock starts at 09:00 UTC. */
const toSettlement = 23 * hour

const money = (nano: bigint): string => formatScaled(nano, 9)

/** Alice buys from bob, and both have enough funds. */
function traded(size: string, price: string, names: readonly string[] = ['BTC-PERPETUAL']): Market {
  const m = market({
    instruments: Object.fromEntries(names.map((name) => [name, {}])),
    accounts: { alice: { BTC: '10' }, bob: { BTC: '10' } },
    index: { btc_usd: price },
  })
  m.sell('bob', { amount: size, price })
  m.buy('alice', { amount: size, price })
  return m
}

const balance = (m: Market, account: string): string => money(m.wallet(account, 'BTC').balance)

describe('rule settlement.daily (market.md 3.6)', () => {
  test('S032 session profit becomes cash at the mark at 08:00:00.000000, and the next session starts from it', () => {
    const m = traded('10000', '50000')
    const fee = '0.0001'
    m.index('btc_usd', '52000')
    expect(money(m.wallet('alice', 'BTC').sessionFloating)).toBe('0.007692308')
    m.wait(toSettlement - 1)
    expect(balance(m, 'alice')).toBe('9.9999')
    const settled = m.wait(1)
    expect(eventsNamed(settled.events, 'settlement')).toMatchObject([
      ...[
        { account: m.account('alice'), position: 1000, sessionProfitLoss: 7_692_308n },
        { account: m.account('bob'), position: -1000, sessionProfitLoss: -7_692_308n },
      ].map((part) => ({ ...part, type: 'settlement', profitLoss: 0n, fee: 0n, funding: 0n })),
    ])
    expect(balance(m, 'alice')).toBe('10.007592308')
    expect(balance(m, 'bob')).toBe('9.992307692')
    expect(money(m.wallet('house.fees', 'BTC').balance)).toBe(fee)
    const position = m.position('alice')
    expect([position.size, position.floating, position.realized]).toEqual([1000, 0n, 0n])
    expect([position.averagePrice, position.total].map(String)).toEqual(['50000000000000', '7692308'])
    expect(priceText(position.settlementPrice)).toBe('52000')
    expect(m.wallet('alice', 'BTC').equity).toBe(m.wallet('alice', 'BTC').balance)
  })

  test('S111 S112 R40 the record of the instrument sums its holders, and its position is the open interest', () => {
    const m = traded('10000', '50000')
    m.index('btc_usd', '52000')
    m.sell('alice', { amount: '4000', price: '52000' })
    m.buy('bob', { amount: '4000', price: '52000' })
    const [record] = eventsNamed(m.wait(toSettlement).events, 'instrument_settlement')
    expect(record).toMatchObject({
      ...{ type: 'settlement', position: 600, funding: 0n, currency: 'BTC' },
      ...{ mark: 52_000_000_000_000, index: 52_000_000_000_000 },
      ...{ profitLoss: 0n, sessionProfitLoss: 0n },
    })
  })

  test('R39 a record per remaining future and perpetual, even without open interest; none for spot and options', () => {
    const m = traded('100', '50000', [...['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC_USDC', 'BTC-27MAR26-50000-C']])
    const records = eventsNamed(m.wait(toSettlement).events, 'instrument_settlement')
    expect(records.map(({ instrument, type, position }) => [instrument, type, position])).toEqual([
      [0, 'settlement', 10],
      [1, 'settlement', 0],
    ])
  })

  test('T46 three holders: +6, +6, -11, and -1 with house.rounding', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { ann: { BTC: '1' }, bea: { BTC: '1' }, cat: { BTC: '1' } },
      index: { btc_usd: '30000' },
    })
    for (const name of ['ann', 'bea']) {
      m.sell('cat', { amount: '10', price: '30000', postOnly: 'slide' })
      m.buy(name, { amount: '10', price: '30000' })
    }
    m.index('btc_usd', '30000.5')
    const settled = eventsNamed(m.wait(toSettlement).events, 'settlement')
    expect(settled.map(({ sessionProfitLoss }) => Number(sessionProfitLoss))).toEqual([6, 6, -11])
    expect(m.wallet('house.rounding', 'BTC').balance).toBe(-1n)
  })

  test('books enter `settlement` and return; locked ones stay locked, and inactive ones are settled too', () => {
    const m = traded('100', '50000', ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-26JUN26'])
    m.bookState('locked', 'BTC-27MAR26')
    m.bookState('inactive', 'BTC-26JUN26')
    const outcome = m.wait(toSettlement)
    const states = eventsNamed(outcome.events, 'state')
    expect(states.map(({ instrument, state }) => [instrument, state])).toEqual([
      ...[0, 1].map((instrument) => [instrument, 'settlement']),
      ...[
        [0, 'open'],
        [1, 'locked'],
      ],
    ])
    expect(eventsNamed(outcome.events, 'instrument_settlement')).toHaveLength(3)
  })

  test('during a settlement that takes time requests are refused: 10041 (R23)', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '1' } },
      index: { btc_usd: '50000' },
      config: { settlementTime: 50_000 as never },
    })
    m.wait(toSettlement)
    const order = { amount: '100', price: '49900' }
    expect(m.buy('alice', order).refusal).toEqual({ reason: 'settlement_in_progress' })
    m.wait(49_999)
    expect(m.buy('alice', order).refusal).toEqual({ reason: 'settlement_in_progress' })
    m.wait(1)
    expect(m.buy('alice', order).refusal).toBeNull()
  })

  test('an instrument listed during a settlement opens with the other books', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '1' } },
      index: { btc_usd: '50000' },
      config: { settlementTime: 50_000 as never },
    })
    m.wait(toSettlement)
    m.list('BTC-27MAR26')
    const order = { amount: '100', price: '49900', instrument: 'BTC-27MAR26' }
    expect(m.buy('alice', order).refusal).toEqual({ reason: 'settlement_in_progress' })
    m.wait(50_000)
    expect(m.buy('alice', order).refusal).toBeNull()
  })

  test('a halted book delays the settlement of its currency, but not of other currencies (market.md 1.5)', () => {
    const m = traded('10000', '50000', ['BTC-PERPETUAL', 'BTC-6JAN26', 'ETH-PERPETUAL'])
    m.give('alice', '1000', '50000', 'BTC-6JAN26')
    m.index('eth_usd', '3000')
    m.bookState('halted', 'BTC-6JAN26')
    const atEight = m.wait(toSettlement)
    expect(eventsNamed(atEight.events, 'instrument_settlement').map(({ instrument }) => instrument)).toEqual([2])
    m.index('btc_usd', '51000')
    m.wait(hour)
    const opened = m.bookState('open', 'BTC-6JAN26')
    expect(eventsNamed(opened.events, 'instrument_settlement')).toMatchObject([
      // The future is delivered at the price fixed at 08:00. The perpetual settles at its current mark.
      { instrument: 1, type: 'delivery', mark: 50_000_000_000_000 },
      { instrument: 0, type: 'settlement', mark: 51_000_000_000_000 },
    ])
    expect(viewMarket(m.exchange, m.instrument('BTC-6JAN26').id).state).toBe('delivered')
  })

  test('an instrument listed after its expiration during a delayed settlement is delivered at the next 08:00', () => {
    const m = traded('10000', '50000')
    m.bookState('halted')
    m.wait(toSettlement + hour)
    m.list('BTC-6JAN26')
    m.give('alice', '1000', '50000', 'BTC-6JAN26')
    const opened = eventsNamed(m.bookState('open').events, 'instrument_settlement')
    expect(opened.map(({ instrument, type }) => [instrument, type])).toEqual([
      ...[
        [0, 'settlement'],
        [1, 'settlement'],
      ],
    ])
    const next = eventsNamed(m.wait(23 * hour).events, 'settlement')
    expect(next.filter(({ type }) => type === 'delivery').map(({ position }) => position)).toEqual([...[-100, 100]])
  })
})

describe('a delivery that waits for a halted book (market.md 1.5)', () => {
  test('its instrument no longer trades, and neither its price nor its mark moves', () => {
    const m = traded('10000', '50000', ['BTC-6JAN26', 'BTC-PERPETUAL'])
    const order = idOf(m.buy('alice', { amount: '100', price: '49900' }))
    m.bookState('halted', 'BTC-PERPETUAL')
    const atEight = m.wait(toSettlement)
    expect(eventsNamed(atEight.events, 'order cancelled')).toMatchObject([{ order, reason: 'expiry' }])
    expect(eventsNamed(atEight.events, 'instrument_settlement')).toEqual([])
    m.index('btc_usd', '61000')
    const view = viewMarket(m.exchange, m.instrument().id)
    expect([view.state, priceText(view.mark), priceText(view.estimatedDelivery)]).toEqual([
      ...['settlement', '50000', '50000'],
    ])
    expect(m.buy('alice', { amount: '100', price: '50000' }).refusal).toEqual({
      reason: 'settlement_in_progress',
    })
    expect(m.mark('70000').refusal).toEqual({ reason: 'book_closed' })
    const opened = m.bookState('open', 'BTC-PERPETUAL')
    expect(eventsNamed(opened.events, 'settlement').slice(0, 2)).toMatchObject([
      { type: 'delivery', sessionProfitLoss: 0n },
      { type: 'delivery', sessionProfitLoss: 0n },
    ])
    expect(viewMarket(m.exchange, m.instrument().id).deliveredAt).toBe(m.exchange.now)
  })
})

describe('rule settlement.delivery (market.md 3.5, 3.6)', () => {
  test('options before futures, each by ascending id (step 4)', () => {
    const m = traded('100', '50000', ['BTC-6JAN26', 'BTC-6JAN26-50000-C'])
    const delivered = eventsNamed(m.wait(toSettlement).events, 'instrument_settlement')
    expect(delivered.map(({ instrument }) => instrument)).toEqual([1, 0])
  })

  test('without any index an expiring instrument is delivered at the mark that was set', () => {
    const m = market({
      instruments: { 'BTC-6JAN26': {} },
      accounts: { alice: { BTC: '10' }, bob: { BTC: '10' } },
      index: {},
    })
    m.mark('50000')
    m.sell('bob', { amount: '10000', price: '50000' })
    m.buy('alice', { amount: '10000', price: '50000' })
    m.mark('51000')
    expect(eventsNamed(m.wait(toSettlement).events, 'settlement')).toMatchObject([
      { type: 'delivery', position: 1000, mark: 51_000_000_000_000 },
      { type: 'delivery', position: -1000 },
    ])
    expect(m.position('alice').size).toBe(0)
  })

  test('a sample that is due when the index first gets a value counts', () => {
    const m = market({ instruments: { 'BTC-6JAN26': {} }, accounts: {}, index: {} })
    m.wait(toSettlement - hour / 2)
    m.index('btc_usd', '100000')
    m.wait(2 * second)
    m.index('btc_usd', '109000')
    // (100000 + 449 * 109000) / 450
    expect(eventsNamed(m.wait(hour / 2).events, 'delivery_price')).toMatchObject([
      { price: 108_980_000_000_000, samples: 450 },
    ])
  })

  /** From 07:30 on the index is 60000 + k at sample k. */
  function climbing(m: Market, samples: number): void {
    m.wait(toSettlement - hour / 2 - 2 * second)
    for (let k = 0; k < samples; k += 1) {
      m.index('btc_usd', String(60_000 + k))
      m.wait(4 * second)
    }
  }

  test('T39 T40 450 samples from 07:30:00 to 07:59:56; the estimate is the mean so far', () => {
    const m = traded('1000', '60000', ['BTC-6JAN26'])
    m.index('btc_usd', '60000')
    climbing(m, 150)
    expect(priceText(viewIndex(m.exchange, 'btc_usd')?.estimatedDelivery ?? price9(0))).toBe('60074.5')
    for (let k = 150; k < 450; k += 1) {
      m.index('btc_usd', String(60_000 + k))
      m.wait(4 * second)
    }
    const [fixed] = eventsNamed(m.wait(2 * second).events, 'delivery_price')
    expect(fixed).toMatchObject({ index: 'btc_usd', price: 60_224_500_000_000, samples: 450 })
    const view = viewMarket(m.exchange, m.instrument().id)
    expect([view.state, priceText(view.deliveryPrice)]).toEqual(['delivered', '60224.5'])
  })

  test('S095 its orders end without a reason, and its positions become cash at the delivery price', () => {
    const m = traded('10000', '50000', ['BTC-6JAN26'])
    const order = idOf(m.buy('alice', { amount: '100', price: '49900' }))
    m.index('btc_usd', '55000')
    const outcome = m.wait(toSettlement)
    expect(eventsNamed(outcome.events, 'order cancelled')).toMatchObject([{ order, reason: 'expiry' }])
    expect(eventsNamed(outcome.events, 'settlement')).toMatchObject([
      { type: 'delivery', position: 1000, sessionProfitLoss: 18_181_818n, fee: 0n },
      { type: 'delivery', position: -1000, sessionProfitLoss: -18_181_818n, fee: 0n },
    ])
    expect(m.position('alice').size).toBe(0)
    expect(balance(m, 'alice')).toBe('10.018081818')
    expect(m.buy('alice', { amount: '100', price: '55000' }).refusal?.reason).toBe('book_closed')
    expect(m.bookState('open').refusal).toMatchObject({ param: 'state' })
    expect(m.give('alice', '100', '55000').refusal).not.toBeNull()
    // The instrument has nothing to settle on the next day.
    expect(eventsNamed(m.wait(24 * hour).events, 'instrument_settlement')).toEqual([])
  })

  test('delivery fees: 0.025 % after more than a week of life, none for daily and weekly ones (market.md 4)', () => {
    for (const [name, days, fee] of [
      ['BTC-30JAN26', 25, '0.00005'],
      ['BTC-9JAN26', 4, '0'],
    ] as const) {
      const m = traded('10000', '50000', [name])
      m.wait(toSettlement)
      const outcome = m.wait((days - 1) * 24 * hour)
      const settled = eventsNamed(outcome.events, 'settlement').filter(({ type }) => type === 'delivery')
      expect(settled.map((event) => money(event.fee))).toEqual([fee, fee])
    }
  })

  test('all instruments of one expiry have one delivery price, whatever their marks were', () => {
    const m = traded('1000', '50000', ['BTC-6JAN26'])
    m.mark('50123.5')
    const outcome = m.wait(toSettlement)
    expect(eventsNamed(outcome.events, 'mark')).toMatchObject([{ price: 50_000_000_000_000, source: 'delivery' }])
  })

  test('an index without a sample delivers at its current value; without any index only the state changes', () => {
    const m = market({
      instruments: { 'BTC-6JAN26': {}, 'ETH-6JAN26': {} },
      accounts: {},
      index: {},
    })
    m.wait(toSettlement - 1)
    m.index('btc_usd', '50000')
    const outcome = m.wait(1)
    expect(eventsNamed(outcome.events, 'delivery_price')).toEqual([])
    expect(eventsNamed(outcome.events, 'instrument_settlement')).toMatchObject([
      { instrument: 0, type: 'delivery', mark: 50_000_000_000_000 },
    ])
    expect(eventsNamed(outcome.events, 'state').map(({ state }) => state)).toEqual([
      ...['settlement', 'delivered', 'settlement', 'delivered'],
    ])
  })
})

describe('rule instruments.schedule (market.md 1.6)', () => {
  test('futures of the schedule are listed at the start and at each 08:00', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: {},
      index: { btc_usd: '50000' },
      config: { listedFutures: ['BTC', 'ETH_USDC'] },
    })
    const names = (outcome: Pick<Outcome, 'events'>): string[] =>
      eventsNamed(outcome.events, 'instrument').map(({ instrument }) => instrument.name)
    const listed = m.exchange.instruments.map(({ instrument }) => instrument.name)
    expect(listed.filter((name) => name.startsWith('BTC-'))).toEqual([
      ...['BTC-6JAN26', 'BTC-7JAN26', 'BTC-8JAN26', 'BTC-9JAN26', 'BTC-16JAN26', 'BTC-23JAN26'],
      ...['BTC-30JAN26', 'BTC-27FEB26', 'BTC-27MAR26', 'BTC-26JUN26', 'BTC-25SEP26', 'BTC-25DEC26'],
      'BTC-PERPETUAL',
    ])
    expect(names(m.wait(toSettlement))).toEqual(['BTC-10JAN26', 'ETH_USDC-10JAN26'])
    const delivered = m.exchange.instruments.filter(({ deliveredAt }) => deliveredAt !== null)
    expect(delivered.map(({ instrument }) => instrument.name)).toEqual([...['BTC-6JAN26', 'ETH_USDC-6JAN26']])
  })
})
