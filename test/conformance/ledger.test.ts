/**
 * Positions and profit, exact to the last digit of the ledger.
 *
 * Source: market.md 5.1 (T58, T59, T61), 2 (size in coin); golden inverse-position (a venue sample).
 * Settlement itself waits for its timer; its step of T58 is shown on the ledger.
 */
import { describe, expect, test } from 'vitest'
import { type Market, market, money, priceText } from '../support/harness.ts'

const rich = { alice: { BTC: '100', USDC: '10000000' }, bob: { BTC: '100', USDC: '10000000' } }

function inverse(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: rich,
    index: { btc_usd: '52000' },
    config: { priceBands: false },
  })
}

function trade(m: Market, buyer: string, seller: string, amount: string, price: string): void {
  m.sell(seller, { amount, price })
  expect(m.buy(buyer, { amount, price }).trades).toHaveLength(1)
}

/** Size in USD, bases and realized profit in 1e-18 coin. */
function row(m: Market, account: string): readonly unknown[] {
  const { size, entry, day, realized } = m.holding(account)
  return [size * 10, entry, day, realized]
}

describe('T58 an inverse position, its mirror, and the laws of both', () => {
  test('buy 10000 at 50000: the basis is 0.2 coin, the session profit at 52000 is 0.007692308', () => {
    const m = inverse()
    trade(m, 'alice', 'bob', '10000', '50000')
    const fifth = 200_000_000_000_000_000n
    expect(row(m, 'alice')).toEqual([10_000, fifth, fifth, 0n])
    expect(row(m, 'bob')).toEqual([-10_000, -fifth, -fifth, 0n])
    expect(money(m.position('alice').floating)).toBe('0.007692308')
    expect(money(m.position('bob').floating)).toBe('-0.007692308')
    expect(priceText(m.position('alice').averagePrice)).toBe('50000')
  })

  test('buy 10000 at 60000: the basis is rounded to 1e-18, the average is harmonic', () => {
    const m = inverse()
    trade(m, 'alice', 'bob', '10000', '50000')
    trade(m, 'alice', 'bob', '10000', '60000')
    const basis = 366_666_666_666_666_667n
    expect(row(m, 'alice')).toEqual([20_000, basis, basis, 0n])
    expect(row(m, 'bob')).toEqual([-20_000, -basis, -basis, 0n])
    expect(priceText(m.position('alice').averagePrice)).toBe('54545.454545')
  })

  test('sell 5000 at 55000: 0.000757576 realized, and the same lost by the mirror', () => {
    const m = inverse()
    trade(m, 'alice', 'bob', '10000', '50000')
    trade(m, 'alice', 'bob', '10000', '60000')
    m.buy('bob', { amount: '5000', price: '55000' })
    const { trades } = m.sell('alice', { amount: '5000', price: '55000' })
    expect(money(trades[0]?.taker.realized ?? 0n)).toBe('0.000757576')
    expect(money(trades[0]?.maker.realized ?? 0n)).toBe('-0.000757576')
    const [, , , realized] = row(m, 'alice')
    expect(row(m, 'alice')).toEqual([15_000, 275_000_000_000_000_000n, 275_000_000_000_000_000n, realized])
    expect(row(m, 'bob')[3]).toBe(-(realized as bigint))
    expect(money(m.position('alice').realized)).toBe('0.000757576')
    expect(priceText(m.position('alice').averagePrice)).toBe('54545.454545')
  })

  test('sell 25000 at 57000: the position closes, then opens short with the rest of the coin', () => {
    const m = inverse()
    trade(m, 'alice', 'bob', '10000', '50000')
    trade(m, 'alice', 'bob', '10000', '60000')
    trade(m, 'bob', 'alice', '5000', '55000')
    trade(m, 'bob', 'alice', '25000', '57000')
    expect(row(m, 'alice').slice(0, 2)).toEqual([-10_000, -175_438_596_491_228_070n])
    expect(row(m, 'bob').slice(0, 2)).toEqual([10_000, 175_438_596_491_228_070n])
    expect(priceText(m.position('alice').averagePrice)).toBe('57000')
    m.mark('56500')
    expect(money(m.position('alice').total)).toBe('0.001552554')
    expect(money(m.position('alice').floating)).toBe('0.001552554')
    expect(money(m.position('bob').total)).toBe('-0.001552554')
  })
})

test('T59 a linear position: weighted average, realized and unrealized profit', () => {
  const m = market({
    instruments: { 'BTC_USDC-PERPETUAL': {} },
    accounts: rich,
    index: { btc_usdc: '61500' },
    config: { priceBands: false },
  })
  trade(m, 'alice', 'bob', '2.5', '60000.5')
  trade(m, 'alice', 'bob', '1.5', '61000')
  trade(m, 'bob', 'alice', '1', '62000')
  const position = m.position('alice')
  expect(priceText(position.averagePrice)).toBe('60375.3125')
  expect(money(position.realized)).toBe('1624.6875')
  expect(money(position.total)).toBe('3374.0625')
  expect(money(position.floating)).toBe('3374.0625')
  expect(money(m.position('bob').realized)).toBe('-1624.6875')
})

test('T61 long 10000 USD from 50000 to 55000 earns 0.018181818', () => {
  const m = inverse()
  trade(m, 'alice', 'bob', '10000', '50000')
  trade(m, 'bob', 'alice', '10000', '55000')
  expect(money(m.position('alice').realized)).toBe('0.018181818')
  expect(m.position('alice').size).toBe(0)
  expect(m.position('alice').averagePrice).toBe(0)
  expect(m.holding('alice').entry).toBe(0n)
})

test('golden inverse position: size in coin, session profit, total profit', () => {
  const m = inverse()
  m.give('alice', '185160', '15000')
  m.give('bob', '185160', '16025.83')
  m.mark('17391')
  expect(money(m.position('alice').sizeAtMark)).toBe('10.646886321')
  expect(money(m.wallet('alice', 'BTC').delta)).toBe('10.646886321')
  // The sample prints 1.69711368, eight digits of it.
  expect(money(m.position('alice').total)).toBe('1.697113679')
  // The sample prints 0.906961435 and a settlement price with two decimals, so the exact price lies between 16025.825
  // and 16025.835. The exact value for 16025.83 differs in the last digit.
  expect(money(m.position('bob').floating)).toBe('0.906961437')
})

test('realized and floating profit count in equity at once, and only fees move cash', () => {
  const m = inverse()
  trade(m, 'alice', 'bob', '10000', '50000')
  trade(m, 'bob', 'alice', '5000', '55000')
  const { realized, floating } = m.position('alice')
  const wallet = m.wallet('alice', 'BTC')
  // Only the taker fee of the first trade: 10000 / 50000 * 0.05 %.
  expect(money(wallet.balance)).toBe('99.9999')
  expect(wallet.equity).toBe(wallet.balance + realized + floating)
})

test('DESIGN 3: sizes and R + S sum to zero over long chains of uneven fills', () => {
  const m = inverse()
  const amounts = ['10', '170', '30', '2990', '70', '110', '50']
  const prices = ['51999.5', '52000', '52007.5', '51993', '52013.5', '51987']
  for (let step = 0; step < 60; step += 1) {
    const [buyer, seller] = step % 3 === 0 ? ['bob', 'alice'] : ['alice', 'bob']
    trade(m, buyer, seller, amounts[step % 7] ?? '10', prices[step % 6] ?? '52000')
  }
  const [alice, bob] = [m.holding('alice'), m.holding('bob')]
  expect(alice.size + bob.size).toBe(0)
  expect(alice.realized + alice.day + bob.realized + bob.day).toBe(0n)
})

test('a deposit beyond 2^53 units of 1e-9 is booked to the last digit', () => {
  const m = inverse()
  m.deposit('alice', 'USDC', '8765432198.123456789')
  expect(money(m.wallet('alice', 'USDC').balance)).toBe('8775432198.123456789')
  m.deposit('alice', 'USDC', '-8765432198.123456788')
  expect(money(m.wallet('alice', 'USDC').balance)).toBe('10000000.000000001')
  expect(m.deposit('alice', 'USDC', '-10000000.000000002').refusal).toEqual({
    reason: 'not_enough_funds',
  })
})

test('a balance can be at most 9 billion units, to the last digit', () => {
  const m = inverse()
  const refusal = {
    reason: 'invalid_params',
    param: 'amount',
    problem: 'the balance would be above 9 billion units',
  }
  expect(m.deposit('alice', 'USDC', '8990000000.000000001').refusal).toEqual(refusal)
  expect(m.deposit('alice', 'ETH', '9000000000.000000001').refusal).toEqual(refusal)
  expect(m.deposit('alice', 'USDC', '8990000000').refusal).toBeNull()
  expect(money(m.wallet('alice', 'USDC').balance)).toBe('9000000000')
  expect(m.deposit('alice', 'USDC', '0.000000001').refusal).toEqual(refusal)
  expect(m.deposit('alice', 'USDC', '-0.000000001').refusal).toBeNull()
  expect(m.deposit('alice', 'USDC', '0.000000001').refusal).toBeNull()
})
