/**
 * The performance of accounts on small markets, computed by hand: profit and its parts, fees, turnover, drawdown, the
 * funnel of orders, and snapshots.
 */
import { describe, expect, test } from 'vitest'
import {
  accountId,
  amount,
  defined,
  encodeSections,
  encodeValue,
  instrumentId,
  lots,
  price9,
  sequence,
} from '../../../../src/core/index.ts'
import {
  currencyIdOf,
  type Event,
  type Fill,
  houseAccountNames,
  makeTradeId,
  marketAccountName,
  NO_ORDER,
  specFromName,
} from '../../../../src/model/index.ts'
import {
  type AccountPerformance,
  type CurrencyPerformance,
  createMetrics,
  restoreMetrics,
} from '../../../../src/results/index.ts'
import { idOf, type Market, market, money, type Setup, start } from '../../../support/harness.ts'
import { changeOf } from '../../../support/order-change.ts'
import { PerformanceWatch, performanceAt } from '../../../support/performance-watch.ts'
import { ReplayMarket } from '../../../support/replay-market.ts'

/** A measured market: each step is sampled like in a run. */
class Measured {
  readonly market: Market
  readonly watch: PerformanceWatch
  private seen = 0

  constructor(setup: Setup) {
    this.market = market(setup)
    this.watch = new PerformanceWatch(this.market.exchange)
    this.watch.see(houseOpenings())
    this.catchUp()
  }

  /** One input after `wait` microseconds. */
  step(act: (market: Market) => unknown, wait = 0): void {
    if (wait > 0) this.market.wait(wait)
    this.watch.sample()
    act(this.market)
    this.catchUp()
  }

  of(account: string): AccountPerformance {
    const found = this.watch.finish().find((one) => one.account === account)
    return defined(found, 'the account is there')
  }

  private catchUp(): void {
    this.watch.see(this.market.events.slice(this.seen))
    this.seen = this.market.events.length
  }
}

const nothing = {
  ...{ equity: amount(0n), floating: amount(0n), funding: amount(0n) },
  optionsValue: amount(0n),
}

function houseOpenings(): Event[] {
  return houseAccountNames.map((name, id) => opening(id, name, true))
}

function opening(id: number, name: string, house: boolean): Event {
  return {
    ...{ kind: 'account', time: start, number: id + 1, cause: sequence(0) },
    ...{ account: accountId(id), name, marginModel: 'segregated_sm', house, main: accountId(id) },
    feePpm: 1_000_000,
  }
}

const perpetual: Setup = {
  instruments: { 'BTC-PERPETUAL': { maker_commission: '-0.0001', taker_commission: '0.0005' } },
  accounts: { ann: { BTC: '1' }, bob: { BTC: '10' } },
  index: { btc_usd: '60000' },
}

/** The money of one currency as decimal texts. */
function texts(of: CurrencyPerformance | undefined): object {
  const { price, funding, fees, total, turnover, drawdown } = defined(of, 'the currency is there')
  const parts = { price, funding, fees, total, turnover, drawdown }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, money(value)]))
}

describe('an inverse long of 1,000 USD from 60,000 to 61,000', () => {
  function roundTrip(): Measured {
    const m = new Measured(perpetual)
    m.step((at) => at.sell('bob', { amount: '1000', price: '60000' }))
    m.step((at) => at.buy('ann', { amount: '1000', price: '60000' }))
    m.step((at) => at.index('btc_usd', '61000'), 1_500_000)
    m.step((at) => at.buy('bob', { amount: '1000', price: '61000' }), 1_500_000)
    m.step((at) => at.sell('ann', { amount: '1000', price: '61000' }))
    return m
  }

  test('earns 1000/60000 - 1000/61000 BTC less 5 basis points of both notionals', () => {
    const ann = roundTrip().of('ann')
    // 0.000273224043…; fees 0.00000833 + 0.00000820; notionals 0.016666667 + 0.016393443. The first
    // fee is a fall from 0, and a larger one than that of the second from the peak.
    expect(texts(ann.currencies[0])).toEqual({
      ...{ price: '0.000273224', funding: '0', fees: '0.00001653', total: '0.000256694' },
      ...{ turnover: '0.03306011', drawdown: '0.00000833' },
    })
    expect(ann.currencies).toMatchObject([{ currency: 'BTC', fills: 2, makerFills: 0 }])
    expect(ann.instruments).toMatchObject([{ instrument: 'BTC-PERPETUAL', bought: 100, sold: 100, position: 0 }])
  })

  test('costs the maker as much, who gets a rebate', () => {
    const [btc] = roundTrip().of('bob').currencies
    expect(texts(btc)).toMatchObject({ price: '-0.000273224', fees: '-0.00000331' })
    expect(money(defined(btc, 'BTC').makerFees)).toBe('-0.00000331')
    expect(btc).toMatchObject({ fills: 2, makerFills: 2 })
    expect(btc?.makerTurnover).toBe(btc?.turnover)
  })

  test('continues from a snapshot after any step to the same figures', () => {
    const plain = roundTrip().watch.finish()
    const split = new Measured(perpetual)
    for (const act of [
      (at: Market) => at.sell('bob', { amount: '1000', price: '60000' }),
      (at: Market) => at.buy('ann', { amount: '1000', price: '60000' }),
    ]) {
      split.step(act)
      split.watch.renew()
    }
    split.step((at) => at.index('btc_usd', '61000'), 1_500_000)
    split.watch.renew()
    split.step((at) => at.buy('bob', { amount: '1000', price: '61000' }), 1_500_000)
    split.watch.renew()
    split.step((at) => at.sell('ann', { amount: '1000', price: '61000' }))
    expect(split.watch.finish()).toEqual(plain)
  })
})

describe('parts of the profit', () => {
  test('an open position counts at the mark', () => {
    const m = new Measured(perpetual)
    m.step((at) => at.sell('bob', { amount: '1000', price: '60000' }))
    m.step((at) => at.buy('ann', { amount: '1000', price: '60000' }))
    m.step((at) => at.index('btc_usd', '61000'))
    const ann = m.of('ann')
    expect(texts(ann.currencies[0])).toMatchObject({ price: '0.000273224', fees: '0.00000833' })
    expect(ann.instruments).toMatchObject([{ position: 100 }])
  })

  test('a given position that reduces another realizes its profit', () => {
    const m = new Measured(perpetual)
    m.step((at) => at.give('ann', '1000', '60000'))
    m.step((at) => at.give('ann', '-400', '61000'))
    m.step((at) => at.index('btc_usd', '61000'))
    const ann = m.of('ann')
    expect(texts(ann.currencies[0])).toMatchObject({ price: '0.000273224', turnover: '0' })
    expect(ann.instruments).toMatchObject([{ bought: 0, sold: 0, position: 60 }])
  })

  test('spot moves both currencies, and a buyer pays its fee in coin', () => {
    const m = new Measured({
      instruments: { BTC_USDC: { maker_commission: '0', taker_commission: '0.001' } },
      accounts: { ann: { USDC: '100000' }, bob: { BTC: '2' } },
      index: { btc_usdc: '50000' },
    })
    m.step((at) => at.sell('bob', { amount: '0.5', price: '50000' }))
    m.step((at) => at.buy('ann', { amount: '0.5', price: '50000' }))
    const { currencies, instruments } = m.of('ann')
    const byName = new Map(currencies.map((one) => [one.currency, one]))
    expect(texts(byName.get('BTC'))).toMatchObject({ price: '0.5', fees: '0.0005', turnover: '0' })
    expect(texts(byName.get('USDC'))).toMatchObject({
      ...{ price: '-25000', fees: '0', total: '-25000', turnover: '25000' },
    })
    expect(instruments).toMatchObject([{ instrument: 'BTC_USDC', sold: 0, position: 0 }])
  })
})

describe('drawdown', () => {
  /** Ann holds 6,000 USD long from 60,000 without fees; `prices` are held for `hold` each. */
  function drawdownOf(prices: readonly string[], hold: number): CurrencyPerformance {
    const free = { maker_commission: '0', taker_commission: '0' }
    const m = new Measured({ ...perpetual, instruments: { 'BTC-PERPETUAL': free } })
    m.step((at) => at.sell('bob', { amount: '6000', price: '60000' }))
    m.step((at) => at.buy('ann', { amount: '6000', price: '60000' }))
    for (const price of prices) m.step((at) => at.index('btc_usd', price), hold)
    m.step((at) => at.index('btc_usd', '60000'), hold)
    return defined(m.of('ann').currencies[0], 'BTC')
  }

  test('is the fall from the peak on the grid, in money and as a share of the peak of equity', () => {
    // Profit 0.1 - 6000 / price: 0.004 at 62,500, -0.025 at 48,000: a fall of 0.029 from 1.004.
    const { drawdown, drawdownPpb } = drawdownOf(['62500', '48000', '62500'], 2_000_000)
    expect(money(drawdown)).toBe('0.029')
    expect(drawdownPpb).toBe(28_884_462)
  })

  test('does not include prices between two points of the grid', () => {
    const { drawdown } = drawdownOf(['48000', '60000'], 100_000)
    expect(money(drawdown)).toBe('0')
  })

  test('counts neither deposits nor withdrawals', () => {
    const m = new Measured(perpetual)
    m.step((at) => at.deposit('ann', 'BTC', '5'), 2_000_000)
    m.step((at) => at.deposit('ann', 'BTC', '-4'), 2_000_000)
    m.step((at) => at.give('ann', '10', '60000'), 2_000_000)
    m.step((at) => at.index('btc_usd', '60000'), 2_000_000)
    const [btc] = m.of('ann').currencies
    expect(btc).toMatchObject({ drawdown: 0n, drawdownPpb: 0, total: 0n })
    expect(money(defined(btc, 'BTC').deposits)).toBe('2')
  })
})

describe('the funnel of orders', () => {
  test('counts placed, refused, edited, cancelled, filled and remaining orders', () => {
    const m = new Measured(perpetual)
    const ids: number[] = []
    m.step((at) => {
      const whole = at.sell('ann', { amount: '100', price: '60010' })
      const part = at.sell('ann', { amount: '100', price: '60020' })
      const resting = at.sell('ann', { amount: '100', price: '60030' })
      const gone = at.sell('ann', { amount: '100', price: '60040' })
      ids.push(...[whole, part, resting, gone].map(idOf))
      at.edit('ann', idOf(gone), { price: '60050' })
      at.cancel('ann', idOf(gone))
      at.edit('ann', idOf(resting), { price: '30000' })
    })
    m.step((at) => at.buy('bob', { amount: '150', price: '60020' }))
    m.step((at) => at.sell('ann', { amount: '1000000000', price: '60060' }))
    m.step((at) => at.buy('ann', { amount: '10', price: '59000', postOnly: 'reject' }))
    m.step((at) => at.sell('ann', { amount: '50', price: '59990', timeInForce: 'immediate_or_cancel' }))
    const { orders } = m.of('ann')
    expect({ ...orders, refused: [...orders.refused], cancelled: [...orders.cancelled] }).toEqual({
      ...{ opened: 6, edited: 1, filled: 1, filledPartly: 1, resting: 3 },
      refused: [['not_enough_funds', 1]],
      editsRefused: new Map([['price_too_low', 1]]),
      cancelled: [
        ['user_request', 1],
        ['time_in_force', 1],
      ],
      triggers: { placed: 0, fired: 0, rejected: 0, cancelled: 0 },
    })
    expect(new Set(ids).size).toBe(4)
  })

  test('an order that was filled in part is counted once, whether it ends or rests', () => {
    const m = new Measured(perpetual)
    m.step((at) => {
      const order = idOf(at.sell('ann', { amount: '100', price: '60010' }))
      at.buy('bob', { amount: '10', price: '60010' })
      at.buy('bob', { amount: '10', price: '60010' })
      at.cancel('ann', order)
      at.sell('ann', { amount: '100', price: '60010' })
      at.buy('bob', { amount: '10', price: '60010' })
      at.buy('bob', { amount: '90', price: '60010' })
    })
    expect(m.of('ann').orders).toMatchObject({ opened: 2, filled: 1, filledPartly: 1, resting: 0 })
  })
})

describe('orders that wait', () => {
  const stop = { type: 'stop_limit', state: 'untriggered', form: 'mark_price_sell' } as const

  test('are counted as triggers, their orders as orders, and all cancels by reason', () => {
    const metrics = createMetrics()
    for (const event of houseOpenings()) metrics.emit(event)
    metrics.emit(opening(houseAccountNames.length, 'ann', false))
    const events = [
      changeOf('opened', 1, stop),
      changeOf('opened', 2, stop),
      changeOf('opened', 3, stop),
      changeOf('opened', 4, { ...stop, type: 'limit', form: 'secondary' }),
      changeOf('opened', 5, stop),
      changeOf('edited', 5, stop),
      changeOf('triggered', 1, { ...stop, state: 'triggered' }),
      changeOf('opened', 6, {}),
      changeOf('filled', 6, { filled: 4 }),
      changeOf('resized', 6, { filled: 4, reason: 'reduce_only' }),
      changeOf('rejected', 2, { ...stop, state: 'rejected', reason: 'book_closed' }),
      changeOf('cancelled', 3, { ...stop, state: 'cancelled', reason: 'user_request' }),
      changeOf('cancelled', 4, {
        ...{ form: 'secondary', state: 'cancelled', reason: 'oto_primary_closed' },
      }),
      changeOf('opened', 7, {}),
      changeOf('refreshed', 7, {}),
      changeOf('cancelled', 7, { state: 'cancelled', reason: 'user_request' }),
    ]
    for (const event of events) metrics.emit(event)
    const [ann] = performanceAt(metrics, start, () => nothing)
    expect(ann?.orders).toEqual({
      ...{ opened: 2, edited: 1, filled: 0, filledPartly: 1, resting: 1 },
      ...{ refused: new Map(), editsRefused: new Map() },
      cancelled: new Map([
        ['user_request', 2],
        ['oto_primary_closed', 1],
      ]),
      triggers: { placed: 5, fired: 1, rejected: 1, cancelled: 2 },
    })
  })
})

test('the hidden part of an iceberg fills as a taker, the displayed part as a maker', () => {
  const spec = specFromName('BTC-PERPETUAL', { creation: start })
  if (!spec.ok) throw new Error(spec.error)
  const header = { time: start, number: 4, cause: sequence(1) }
  const fillOf = (account: number, rule: Fill['rule']): Fill => ({
    ...{
      account: accountId(account),
      order: NO_ORDER,
      side: rule === 'book_taker' ? 'buy' : 'sell',
    },
    ...{ rule, aheadBefore: lots(0), aheadAfter: lots(0), source: null, fee: amount(7n) },
    ...{
      feeCurrency: 'BTC',
      fundFee: amount(0n),
      realized: amount(0n),
      premium: amount(0n),
      balance: amount(0n),
      baseBalance: amount(0n),
      position: lots(0),
      remaining: lots(0),
    },
  })
  const tradeBy = (rule: Fill['rule']): Event => ({
    ...{ kind: 'trade', ...header, trade: makeTradeId(currencyIdOf('BTC'), 1), tradeSeq: 1 },
    ...{ instrument: instrumentId(0), price: price9(50_000_000_000_000), amount: lots(10) },
    ...{ side: 'buy', tickDirection: 1, altMatch: 0, index: price9(1), mark: price9(1) },
    ...{ liquidation: 'none', option: null, combo: null, legs: [], block: null, rfq: null },
    ...{ maker: fillOf(4, rule), taker: fillOf(5, 'book_taker') },
  })
  const metrics = createMetrics()
  for (const event of [
    ...houseOpenings(),
    ...[opening(4, 'ann', false), opening(5, 'bob', false)],
    { kind: 'instrument', ...header, instrument: { ...spec.value, id: instrumentId(0) } },
    ...[tradeBy('book_maker'), tradeBy('hidden')],
  ] as const) {
    metrics.emit(event)
  }
  // The fees equal the loss of equity.
  const [ann, bob] = performanceAt(metrics, start, () => ({
    ...nothing,
    equity: amount(-14n),
  }))
  const turnover = 2n * 2_000_000n
  expect(ann?.currencies).toMatchObject([
    { fills: 2, makerFills: 1, makerFees: 7n, takerFees: 7n, turnover, makerTurnover: 2_000_000n },
  ])
  expect(bob?.currencies).toMatchObject([
    { fills: 2, makerFills: 0, makerFees: 0n, takerFees: 14n, turnover, makerTurnover: 0n },
  ])
})

describe('a snapshot', () => {
  test('is refused if it is damaged, of another version or of other data', () => {
    const bytes = createMetrics().snapshot()
    expect(restoreMetrics(bytes).ok).toBe(true)
    expect(restoreMetrics(bytes.slice(1))).toMatchObject({ error: { found: 'damaged data' } })
    for (const other of [null, [], { version: 1 }, { version: 2, accounts: [] }]) {
      const sections = new Map([['metrics', encodeValue(other)]])
      expect(restoreMetrics(encodeSections('PITCLOCK METRICS', 4, sections))).toMatchObject({
        error: { found: 'other data' },
      })
    }
  })

  test('is not taken after the end, and nothing follows the end', () => {
    const metrics = createMetrics()
    expect(performanceAt(metrics, start, () => nothing)).toEqual([])
    expect(() => metrics.snapshot()).toThrow('no snapshot')
    const [event] = houseOpenings()
    expect(() => metrics.emit(defined(event, 'an event'))).toThrow('no event follows')
  })
})

describe('fills from recorded liquidity', () => {
  test('count like all others, and the recorded market gains exactly the loss of the account', () => {
    const m = new ReplayMarket()
    const watch = new PerformanceWatch(m.exchange)
    m.report('book', [
      ['buy', 100_000, 100],
      ['sell', 100_010, 100],
    ])
    m.order('own', { side: 'buy', price: 100_000, lots: 50 })
    m.order('own', { side: 'sell', price: 100_000, lots: 5 })
    m.report('trades', [['sell', 100_000, 120]])
    watch.see(m.events)
    const accounts = watch.finish()
    expect(accounts.map(({ account }) => account)).toEqual(['own', 'other'])
    const own = accounts[0]
    expect(own?.instruments).toMatchObject([{ bought: 20, sold: 5, position: 15 }])
    expect(own?.orders).toMatchObject({ opened: 2, filled: 1, filledPartly: 1, resting: 1 })
    const btc = defined(own?.currencies[0], 'BTC')
    expect(btc).toMatchObject({ fills: 2, makerFills: 1 })
    const name = m.exchange.accounts.find(({ account }) => account.name === marketAccountName)
    const id = defined(name, 'the recorded market has an account').account.id
    expect(watch.equity(id, 'BTC') + btc.price).toBe(0n)
  })
})
