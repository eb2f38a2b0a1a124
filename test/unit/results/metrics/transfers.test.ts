/** Options, and transfers without a trade, in the figures of accounts, event by event. */
import { describe, expect, test } from 'vitest'
import {
  type AccountId,
  type Amount,
  accountId,
  amount,
  instrumentId,
  lots,
  micros,
  price9,
  sequence,
} from '../../../../src/core/index.ts'
import {
  currencyIdOf,
  type EventOf,
  type Fill,
  houseAccountNames,
  insuranceAccount,
  makeTradeId,
  NO_ORDER,
  specFromName,
  type Trade,
} from '../../../../src/model/index.ts'
import { type CurrencyPerformance, createMetrics, type Metrics, restoreMetrics } from '../../../../src/results/index.ts'
import { performanceAt } from '../../../support/performance-watch.ts'

const time = micros(1_767_600_000_000_000)
const header = { time, number: 1, cause: sequence(0) }
const [ann, bob] = [houseAccountNames.length, houseAccountNames.length + 1].map((id) => accountId(id)) as [
  AccountId,
  AccountId,
]
const [option, perpetual] = [instrumentId(0), instrumentId(1)]

/** The performance after the openings of the house, two traders with 1000 each, an option and a perpetual. */
function opened(): Metrics {
  const metrics = createMetrics()
  for (const [id, name] of [...houseAccountNames, 'ann', 'bob'].entries()) {
    const account = accountId(id)
    metrics.emit({
      ...{ kind: 'account', ...header, account, name, marginModel: 'segregated_sm' },
      ...{ house: id < houseAccountNames.length, main: account, feePpm: 1_000_000 },
    })
  }
  for (const [id, name] of ['BTC-27MAR26-100000-C', 'BTC-PERPETUAL'].entries()) {
    const spec = specFromName(name, { creation: time })
    if (!spec.ok) throw new Error(spec.error)
    const instrument = { ...spec.value, id: instrumentId(id) }
    metrics.emit({ kind: 'instrument', ...header, instrument })
  }
  for (const account of [ann, bob]) {
    metrics.emit({
      ...{ kind: 'cash', ...header, account, currency: 'BTC' },
      ...{ change: money(1000), balance: money(1000) },
    })
  }
  return metrics
}

function money(nano: number): Amount {
  return amount(BigInt(nano))
}

function fillOf(account: AccountId, side: 'buy' | 'sell', premium: number): Fill {
  return {
    ...{ account, order: NO_ORDER, side, rule: side === 'buy' ? 'book_taker' : 'book_maker' },
    ...{ aheadBefore: lots(0), aheadAfter: lots(0), source: null, fee: money(3) },
    // The realized profit of an option fill is reported, and moves no money.
    ...{ feeCurrency: 'BTC', realized: money(77), premium: money(premium), fundFee: money(0) },
    ...{ balance: money(0), baseBalance: money(0) },
    ...{ position: lots(side === 'buy' ? 1 : -1), remaining: lots(0) },
  }
}

/** Ann buys an option of bob. */
function optionTrade(change: Partial<Trade> = {}): Trade {
  return {
    ...{ kind: 'trade', ...header, trade: makeTradeId(currencyIdOf('BTC'), 1), tradeSeq: 1 },
    ...{ instrument: option, price: price9(2000), amount: lots(1), side: 'buy' },
    ...{ tickDirection: 0, altMatch: 0, index: price9(1), mark: price9(1), liquidation: 'none' },
    ...{
      option: { volatility9: 1, forward: price9(1) },
      combo: null,
      legs: [],
      block: null,
      rfq: null,
    },
    ...{ maker: fillOf(bob, 'sell', 200), taker: fillOf(ann, 'buy', -200) },
    ...change,
  }
}

/** Figures of both at the end: their equity, and the value of their options. */
function figuresOf(
  metrics: Metrics,
  ended: readonly { readonly equity: number; readonly options?: number }[],
): readonly (CurrencyPerformance | undefined)[] {
  const accounts = performanceAt(metrics, time, (account) => {
    const { equity = 0, options = 0 } = ended[account === ann ? 0 : 1] ?? {}
    return {
      ...{ equity: money(equity), floating: money(0), funding: money(0) },
      optionsValue: money(options),
    }
  })
  return accounts.map(({ currencies }) => currencies[0])
}

function transferred(change: Partial<EventOf<'position_transfer'>>): EventOf<'position_transfer'> {
  return {
    ...{ kind: 'position_transfer', ...header, reason: 'adl', instrument: perpetual },
    ...{ price: price9(1), amount: lots(5), commission: money(8), commissionToTarget: money(4) },
    from: {
      account: ann,
      realized: money(-30),
      premium: money(0),
      balance: money(0),
      position: lots(0),
    },
    to: {
      account: bob,
      realized: money(12),
      premium: money(0),
      balance: money(0),
      position: lots(-2),
    },
    ...{ fromBase: money(0), toBase: money(0) },
    ...change,
  }
}

describe('an option', () => {
  test('is worth its mark, for which a premium was paid', () => {
    const metrics = opened()
    metrics.emit(optionTrade())
    const restored = restoreMetrics(metrics.snapshot())
    if (!restored.ok) throw new Error(restored.error.found)
    for (const one of [metrics, restored.value]) {
      const ended = [
        { equity: 1047, options: 250 },
        { equity: 947, options: -250 },
      ]
      expect(figuresOf(one, ended)).toMatchObject([
        { price: 50n, fees: 3n, total: 47n, turnover: 200n },
        { price: -50n, fees: 3n, total: -53n, turnover: 200n },
      ])
    }
  })

  test('delivers cash; a settlement of its session moves none', () => {
    const metrics = opened()
    metrics.emit(optionTrade())
    for (const type of ['settlement', 'delivery'] as const) {
      metrics.emit({
        ...{ kind: 'settlement', ...header, type, account: ann, instrument: option },
        ...{ currency: 'BTC', position: lots(1), index: price9(1), mark: price9(1) },
        ...{ profitLoss: money(9), sessionProfitLoss: money(310), funding: money(0) },
        ...{ fee: money(type === 'delivery' ? 2 : 0), balance: money(0) },
      })
    }
    const [bought] = figuresOf(metrics, [{ equity: 1105 }, { equity: 947, options: -250 }])
    expect(bought).toMatchObject({ price: 110n, deliveryFees: 2n, fees: 5n, total: 105n })
  })
})

test('the trade of a combo counts by its legs', () => {
  const metrics = opened()
  const leg = { trade: makeTradeId(currencyIdOf('BTC'), 2), tradeSeq: 1, instrument: option }
  metrics.emit(
    optionTrade({
      legs: [{ ...leg, price: price9(2000), amount: lots(1), side: 'buy' }],
      price: price9(-5),
    }),
  )
  metrics.emit(optionTrade())
  const [bought] = figuresOf(metrics, [{ equity: 797 }, { equity: 1197 }])
  expect(bought).toMatchObject({ fills: 1, turnover: 200n, takerFees: 3n })
})

test('a position that changes hands realizes, costs its commission, and pays a part of that on', () => {
  const metrics = opened()
  metrics.emit(transferred({}))
  expect(figuresOf(metrics, [{ equity: 962 }, { equity: 1016 }])).toMatchObject([
    { price: -30n, fees: 8n, commissions: 8n, total: -38n },
    { price: 12n, fees: -4n, commissions: -4n, total: 16n },
  ])
})

test('an option that the fund takes over brings its premium', () => {
  const metrics = opened()
  metrics.emit(
    transferred({
      ...{ reason: 'close_out', instrument: option, commission: money(0) },
      commissionToTarget: money(0),
      from: {
        account: ann,
        realized: money(5),
        premium: money(-90),
        balance: money(0),
        position: lots(0),
      },
      to: {
        account: insuranceAccount,
        realized: money(0),
        premium: money(90),
        balance: money(0),
        position: lots(-1),
      },
    }),
  )
  const [gave] = figuresOf(metrics, [{ equity: 910 }, { equity: 1000 }])
  expect(gave).toMatchObject({ price: -90n, fees: 0n, total: -90n })
})

test('money from another account counts as a deposit', () => {
  const metrics = opened()
  metrics.emit({
    ...{ kind: 'transfer', ...header, from: ann, to: bob, currency: 'BTC' },
    ...{ transfer: 1, nonce: null, amount: money(400) },
    ...{ fromBalance: money(600), toBalance: money(1400) },
  })
  expect(figuresOf(metrics, [{ equity: 600 }, { equity: 1400 }])).toMatchObject([
    { deposits: 600n, total: 0n },
    { deposits: 1400n, total: 0n },
  ])
})

describe('coins of a spot pair that change hands', () => {
  test.each([
    ['bought', -2, 200_000, -10_000_000],
    ['sold', 2, -200_000, 10_000_000],
  ])('%s: coins and the money for them are gains and losses of both', (_, moved, coins, paid) => {
    const metrics = opened()
    const spec = specFromName('BTC_USDC', { creation: time })
    if (!spec.ok) throw new Error(spec.error)
    const instrument = { ...spec.value, id: instrumentId(2) }
    // Two steps of 0.0001 BTC at 50 USDC.
    expect(instrument.amountStep9).toBe(100_000)
    metrics.emit({ kind: 'instrument', ...header, instrument })
    const side = { realized: money(0), premium: money(0), balance: money(0), position: lots(0) }
    metrics.emit(
      transferred({
        ...{ reason: 'allocation', instrument: instrument.id, amount: lots(moved) },
        ...{ price: price9(50_000_000_000), commission: money(0), commissionToTarget: money(0) },
        ...{ from: { account: ann, ...side }, to: { account: bob, ...side } },
      }),
    )
    const accounts = performanceAt(metrics, time, (account, currency) => {
      const sign = account === ann ? 1 : -1
      const equity = currency === 'BTC' ? 1000 + sign * coins : sign * paid
      return {
        ...{ equity: money(equity), floating: money(0), funding: money(0) },
        optionsValue: money(0),
      }
    })
    const gains = accounts.map(({ currencies }) =>
      currencies.map(({ currency, price, total }) => [currency, price, total]),
    )
    const of = (sign: number): readonly unknown[] => [
      ['BTC', money(sign * coins), money(sign * coins)],
      ['USDC', money(sign * paid), money(sign * paid)],
    ]
    expect(gains.map((each) => each.toSorted())).toEqual([of(1), of(-1)])
  })
})
