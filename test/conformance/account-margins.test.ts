/**
 * Margins of accounts, tested on the engine: options, legs of combos and the four margin models of the venue.
 *
 * Marks equal the index unless a test pins them. Price bands are off.
 * Source: market.md 6, 6.1, 6.2, 6.4, 6.5 (T70, T73, T79, T80, T83, T86); R56.
 */
import { describe, expect, test } from 'vitest'
import { formatScaled, lots, price9 } from '../../src/core/index.ts'
import {
  type AccountMargins,
  estimatedLiquidation,
  findAccount,
  marginForOrder,
  marginsOf,
  simulatePortfolio,
  underMargined,
} from '../../src/engine/index.ts'
import type { Currency, MarginModel } from '../../src/model/index.ts'
import { type Market, market, money } from '../support/harness.ts'

const call = 'BTC-27MAR26-65000-C'
const put = 'BTC-27MAR26-55000-P'
const perpetual = 'BTC-PERPETUAL'
const refusal = { reason: 'not_enough_funds' }

/** Alice has the margin model of the test. Bob makes the market. */
function venue(
  model: MarginModel,
  deposits: Readonly<Partial<Record<Currency, string>>>,
  index: Readonly<Record<string, string>> = { btc_usd: '60000' },
): Market {
  return market({
    instruments: { [call]: {}, [put]: {}, [perpetual]: {}, 'ETH-PERPETUAL': {}, BTC_USDC: {} },
    accounts: { alice: deposits, bob: { BTC: '1000', USDC: '1000000', ETH: '1000' } },
    models: { alice: model },
    index,
    config: { priceBands: false },
  })
}

function margins(m: Market, currency: Currency = 'BTC', name = 'alice'): AccountMargins {
  return marginsOf(m.exchange, m.account(name), currency)
}

describe('rule margin.option: segregated_sm', () => {
  test('T70 T73 a short option needs margin, a long one does not', () => {
    const m = venue('segregated_sm', { BTC: '10' })
    m.mark('0.0299', call)
    m.mark('0.025', put)
    m.give('alice', '-1', '0.0299', call)
    expect(money(margins(m).initial)).toBe('0.1299')
    expect(money(margins(m).maintenance)).toBe('0.1049')
    m.give('alice', '-2', '0.025', put)
    expect(money(margins(m).initial)).toBe('0.3799')
    expect(money(margins(m).maintenance)).toBe('0.3049')
    m.give('alice', '3', '0.0299', call)
    expect(money(margins(m).initial)).toBe('0.25')
    // 10 + 0.0299 + 0.05 - 0.0897 of cash; options are worth 2 * 0.0299 - 2 * 0.025.
    const { marginBalance, equity, optionsValue } = margins(m)
    expect([marginBalance, equity, optionsValue].map((value) => formatScaled(value, 9))).toEqual([
      ...['9.9902', '10', '0.0098'],
    ])
  })

  test('the margin follows the forward even if the mark does not move', () => {
    const m = venue('segregated_sm', { BTC: '10' })
    m.mark('0.0299', call)
    m.give('alice', '-1', '0.0299', call)
    m.index('btc_usd', '63000')
    // 0.15 - 2000 / 63000 is 0.118253968.
    expect(money(margins(m).initial)).toBe('0.148153968')
  })

  test('an open sell order needs the margin of the position that it would open', () => {
    const m = venue('segregated_sm', { BTC: '0.1299' })
    m.mark('0.0299', call)
    m.give('alice', '0.5', '0.0001', call)
    // One of the two lots closes the position. The other lot needs 0.1299, more than half of the balance.
    expect(m.sell('alice', { amount: '1', price: '0.03', instrument: call }).refusal).toBeNull()
    expect(money(margins(m).initial)).toBe('0.06495')
    expect(m.sell('alice', { amount: '1', price: '0.03', instrument: call }).refusal).toEqual(refusal)
  })

  test('an open buy order reserves its price times its amount and the fee until it ends', () => {
    const m = venue('segregated_sm', { BTC: '0.0603' })
    m.mark('0.03', call)
    // Two lots at 0.03 with fees of 0.0003 each cost 0.0606, which exceeds the balance. One lot costs 0.0303.
    expect(m.buy('alice', { amount: '2', price: '0.03', instrument: call }).refusal).toEqual(refusal)
    const order = m.buy('alice', { amount: '1', price: '0.03', instrument: call }).order?.order
    // Only cross_sm shows the reserve as a separate figure (Q02).
    expect(money(margins(m).additionalReserve)).toBe('0')
    expect(money(margins(m).initial)).toBe('0.0303')
    expect(money(margins(m).available)).toBe('0.03')
    if (order === undefined) throw new Error('the order rests')
    m.edit('alice', order, { amount: '0.5' })
    expect(money(margins(m).initial)).toBe('0.01515')
    m.sell('bob', { amount: '0.5', price: '0.03', instrument: call })
    expect(margins(m).additionalReserve).toBe(0n)
    expect(margins(m).initial).toBe(0n)
    expect(money(margins(m).marginBalance)).toBe('0.04515')
  })

  test('an order that only reduces a position is never refused', () => {
    const m = venue('segregated_sm', { BTC: '0.2' })
    m.mark('0.0299', call)
    m.give('alice', '-1', '0.0299', call)
    m.mark('0.3', call)
    expect(underMargined(m.exchange, m.account('alice'))).toEqual([{ account: m.account('alice'), currency: 'BTC' }])
    const words = { amount: '1', price: '0.3', instrument: call }
    expect(m.buy('alice', { ...words, amount: '1.1' }).refusal).toEqual(refusal)
    expect(m.buy('alice', { ...words, amount: '0.5' }).refusal).toBeNull()
    expect(m.buy('alice', { ...words, reduceOnly: true }).refusal).toBeNull()
  })

  test.each(['segregated_sm', 'cross_sm'] as const)(
    '%s: an option sold short can be bought back, whatever its premium',
    (model) => {
      const m = venue(model, { BTC: '0.14' })
      m.mark('0.03', call)
      m.give('alice', '-1', '0.03', call)
      m.mark('0.045', call)
      // The position needs 0.145 of the 0.17, and the premium reserves 0.05 more.
      const words = { price: '0.05', instrument: call }
      expect(m.buy('alice', { ...words, amount: '1.1' }).refusal).toEqual(refusal)
      const order = m.buy('alice', { ...words, amount: '0.6' }).order?.order
      if (order === undefined) throw new Error('the order rests')
      expect(m.buy('alice', { ...words, amount: '0.5' }).refusal).toEqual(refusal)
      expect(m.buy('alice', { ...words, amount: '0.4' }).refusal).toBeNull()
      expect(m.edit('alice', order, { amount: '0.7' }).refusal).toEqual(refusal)
      expect(m.edit('alice', order, { price: '0.06' }).refusal).toBeNull()
    },
  )

  test('cross_sm: an order whose margin exceeds the range of amounts is refused, even for the richest account', () => {
    const m = venue('cross_sm', { BTC: '1000000' })
    m.mark('0.03', call)
    const words = { price: '9007199', instrument: call }
    expect(m.buy('alice', { ...words, amount: '20' }).refusal).toEqual(refusal)
  })

  test('T76 an estimated liquidation price', () => {
    const m = venue('segregated_sm', { BTC: '0.05' }, { btc_usd: '50000' })
    m.give('alice', '100000', '50000', perpetual)
    const { id } = m.instrument(perpetual)
    const price = estimatedLiquidation(m.exchange, m.account('alice'), id)
    expect(Math.round((price ?? 0) / 1e7) / 100).toBe(49_273.24)
  })
})

test('T77 an estimated liquidation price of a short', () => {
  const m = venue('segregated_sm', { BTC: '1' }, { btc_usd: '50000' })
  m.give('alice', '-100000', '50000', perpetual)
  const price = estimatedLiquidation(m.exchange, m.account('alice'), m.instrument(perpetual).id)
  expect(Math.round((price ?? 0) / 1e7) / 100).toBe(98_994.95)
})

describe('rule margin.cross: cross_sm, all currencies in USD', () => {
  test('T79 coin, a stable coin with a haircut, and a perpetual', () => {
    const index = { btc_usd: '60000', usdt_usd: '0.9992' }
    const m = venue('cross_sm', { BTC: '1', USDT: '10000' }, index)
    m.give('alice', '100000', '60000', perpetual)
    const { usd, initial } = margins(m)
    expect(usd === null ? null : formatScaled(usd.initial, 9)).toBe('2208.173333333')
    expect(usd === null ? null : formatScaled(usd.maintenance, 9)).toBe('1008.333333333')
    expect(usd === null ? null : formatScaled(usd.marginBalance, 9)).toBe('69992')
    expect(formatScaled(initial, 9)).toBe('0.036802889')
    const { available } = margins(m, 'USDT')
    expect(formatScaled((available * 9_992n + 5_000n) / 10_000n, 9)).toBe('67783.826666667')
  })

  test('T78 a stable coin alone: its haircut is the initial margin', () => {
    const m = venue('cross_sm', { USDT: '55.00055' }, { usdt_usd: '0.9992' })
    expect(formatScaled((margins(m, 'USDT').initial + 500n) / 1000n, 6)).toBe('1.100011')
  })

  test('one currency is margin for another: an account that holds only BTC trades a perpetual of ETH', () => {
    const m = venue('cross_sm', { BTC: '0.1' }, { btc_usd: '60000', eth_usd: '3000' })
    // 6,000 USD cover 100 coins at 2.04 %, but not another 100.
    const words = { amount: '200000', price: '3000', instrument: 'ETH-PERPETUAL' }
    expect(m.buy('alice', words).refusal).toBeNull()
    expect(m.buy('alice', words).refusal).toEqual(refusal)
  })

  test('R56 additional reserve: what open buys of options cost', () => {
    const m = venue('cross_sm', { BTC: '1' })
    m.mark('0.03', call)
    m.buy('alice', { amount: '1', price: '0.03', instrument: call })
    expect(money(margins(m).additionalReserve)).toBe('0.0303')
    expect(formatScaled(margins(m).usd?.initial ?? 0n, 9)).toBe('1818')
  })
})

describe('rule margin.portfolio: segregated_pm, matrices of a pair', () => {
  test('T83 a short perpetual of ETH', () => {
    const m = venue('segregated_pm', { ETH: '10' }, { eth_usd: '3000' })
    m.give('alice', '-3000', '3000', 'ETH-PERPETUAL')
    // One coin: 0.18 / 1.18 and a roll of 0.005.
    expect(formatScaled(margins(m, 'ETH').initial, 9)).toBe('0.157542373')
    expect(formatScaled(margins(m, 'ETH').maintenance, 9)).toBe('0.126033898')
  })

  test('an option with its hedge needs less margin than both alone, and equity includes options', () => {
    const m = venue('segregated_pm', { BTC: '10' })
    m.mark('0.0299', call)
    m.give('alice', '-1', '0.0299', call)
    const alone = margins(m).initial
    m.give('alice', '20000', '60000', perpetual)
    expect(margins(m).initial).toBeLessThan(alone)
    expect(margins(m).marginBalance).toBe(margins(m).equity)
    expect(margins(m).additionalReserve).toBe(0n)
  })

  test('open orders count with the worse side, and so does the check of a new order', () => {
    const m = venue('segregated_pm', { BTC: '0.2' })
    // 0.2 of 1 coin at 16 % down: 0.190476190 and 0.01 of roll is 0.2004 for each coin.
    const words = { price: '60000', instrument: perpetual }
    expect(m.buy('alice', { ...words, amount: '60000' }).refusal).toEqual(refusal)
    expect(m.buy('alice', { ...words, amount: '30000' }).refusal).toBeNull()
    expect(formatScaled(margins(m).initial, 9)).toBe('0.100238095')
    expect(margins(m).maintenance).toBe(0n)
    // The other side of the book needs less than this side, so its order adds no margin.
    expect(m.sell('alice', { ...words, price: '60001', amount: '30000' }).refusal).toBeNull()
    expect(formatScaled(margins(m).initial, 9)).toBe('0.100238095')
    expect(m.buy('alice', { ...words, amount: '30000' }).refusal).toEqual(refusal)
  })

  test('a position of 18,000,000 USDC counts in full', () => {
    const m = market({
      instruments: { 'SOL_USDC-PERPETUAL': {} },
      accounts: { alice: { USDC: '4000000' } },
      models: { alice: 'segregated_pm' },
      index: { sol_usdc: '200' },
      config: { priceBands: false },
    })
    const words = { price: '200', instrument: 'SOL_USDC-PERPETUAL' }
    // 16 % and a roll of 1 %: 34 USDC for each coin.
    expect(m.buy('alice', { ...words, amount: '120000' }).refusal).toEqual(refusal)
    m.give('alice', '90000', '200', 'SOL_USDC-PERPETUAL')
    expect(formatScaled(margins(m, 'USDC').initial, 9)).toBe('3060000')
    expect(formatScaled(margins(m, 'USDC').maintenance, 9)).toBe('2448000')
  })

  test('T86 the answer of pme/simulate for a short call', () => {
    const m = venue('segregated_pm', { BTC: '1' })
    m.mark('0.0299', call)
    const { id } = m.instrument(call)
    const positions = [{ instrument: id, lots: -10 }]
    const [pair] = simulatePortfolio(m.exchange, {
      ...{ account: m.account('alice'), currency: 'BTC', add: true, positions },
    })
    expect(pair?.cells).toHaveLength(35)
    expect(pair?.risk.cell).toBe(24)
    expect(pair?.margin.initial).toBeGreaterThan(0n)
    expect(margins(m).initial).toBe(0n)
    m.give('alice', '-1', '0.0299', call)
    expect(margins(m).initial).toBe(pair?.margin.initial)
    expect(margins(m).maintenance).toBe(pair?.margin.maintenance)
  })
})

describe('rule margin.cross-portfolio: cross_pm, matrices of all pairs in USD', () => {
  test('T80 coins move with their indices: 16 % of BTC and 18 % of ETH', () => {
    const index = { btc_usd: '60000', eth_usd: '3000', usdt_usd: '0.9999' }
    const m = venue('cross_pm', { BTC: '0.00001', ETH: '0.0001', USDT: '23.61869' }, index)
    const { usd } = margins(m)
    // 0.096 and 0.054 of risk; 0.472326563 of haircut.
    expect(formatScaled(usd?.haircut ?? 0n, 9)).toBe('0.472326563')
    expect(formatScaled(usd?.initial ?? 0n, 9)).toBe('0.622326563')
    expect(formatScaled(usd?.maintenance ?? 0n, 9)).toBe('0.12')
  })

  test('T80 the margin of an observed account, to the last digit', () => {
    // A quarter of a coin at this index gives its risk part: 16 % of 2.08728655625 USD.
    const m = venue('cross_pm', { BTC: '0.25', USDT: '23.61869' }, { btc_usd: '8.349146225', usdt_usd: '0.9999' })
    const { usd } = margins(m)
    expect(formatScaled(usd?.haircut ?? 0n, 9)).toBe('0.472326563')
    expect(formatScaled((usd?.initial ?? 0n) - (usd?.haircut ?? 0n), 9)).toBe('0.333965849')
    expect(formatScaled(usd?.initial ?? 0n, 9)).toBe('0.806292412')
    // 0.2671726792, rounded to nine decimals.
    expect(formatScaled(usd?.maintenance ?? 0n, 9)).toBe('0.267172679')
  })

  test('a short perpetual of one coin hedges the coin', () => {
    const m = venue('cross_pm', { BTC: '1' })
    const before = margins(m).usd?.initial ?? 0n
    m.give('alice', '-60000', '60000', perpetual)
    // The margin is the roll, 1 % of a coin, and the rounding of a cell to 1e-9 coin, in USD.
    expect(formatScaled(margins(m).usd?.initial ?? 0n, 9)).toBe('600.000024')
    expect(formatScaled(before, 9)).toBe('9600')
  })

  test('a position has a margin even if the account holds none of its coin', () => {
    const m = venue('cross_pm', { USDC: '10000' })
    m.give('alice', '30000', '60000', perpetual)
    // 16 % of 30,000 USD and 1 % of roll; the cell is rounded to 1e-9 coin.
    expect(formatScaled(margins(m).usd?.initial ?? 0n, 9)).toBe('5099.999988')
    const words = { amount: '30000', price: '60000', instrument: perpetual }
    expect(m.buy('alice', words).refusal).toEqual(refusal)
    expect(m.sell('alice', words).refusal).toBeNull()
  })
})

describe('rule margin.of-order: the margin that an order needs alone', () => {
  const needs = (m: Market, instrument: string, amount: number, price: number): string[] => {
    const { buy, sell } = marginForOrder(m.exchange, {
      ...{ account: m.account('alice'), instrument: m.instrument(instrument).id },
      ...{ amount: lots(amount), price: price9(price * 1e9) },
    })
    return [money(buy), money(sell)]
  }

  test('standard margin: a future needs its margin, a bought option cost and fee, a sold one its short margin', () => {
    const m = venue('segregated_sm', { BTC: '10' })
    m.mark('0.0299', call)
    expect(needs(m, perpetual, 6_000, 60_000)).toEqual(['0.02005', '0.02005'])
    expect(needs(m, call, 20, 0.03)).toEqual(['0.0606', '0.2598'])
  })

  test('portfolio margin: the risk of the order alone', () => {
    const m = venue('segregated_pm', { BTC: '10' })
    expect(needs(m, perpetual, 6_000, 60_000)).toEqual(['0.20047619', '0.147931034'])
  })
})

test('an unknown account has no pools, and one without positions is healthy', () => {
  const m = venue('segregated_sm', { BTC: '1' })
  expect(underMargined(m.exchange, m.account('alice'))).toEqual([])
  expect(findAccount(m.exchange, 'nobody')).toBeUndefined()
})
