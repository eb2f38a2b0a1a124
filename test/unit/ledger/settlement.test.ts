/**
 * Settling holdings on the ledger: T58 from its first fill to its last line, buyer and mirror.
 *
 * Source: market.md 5.1.
 */
import { expect, test } from 'vitest'
import { formatScaled, micros } from '../../../src/core/index.ts'
import {
  cashOf,
  contractTerms,
  createLedger,
  type HoldingOwner,
  postFill,
  postFunding,
  pricedTerms,
  profitOf,
  readHolding,
  reserveHoldings,
  reserveWallets,
  settleHolding,
} from '../../../src/ledger/index.ts'
import { specFromName } from '../../../src/model/index.ts'

function termsOf(name: string): ReturnType<typeof contractTerms> {
  const spec = specFromName(name, { creation: micros(0) })
  if (!spec.ok) throw new RangeError(spec.error)
  return contractTerms(spec.value)
}

const NANO = 1_000_000_000
const money = (nano: bigint): string => formatScaled(nano, 9)
const coin = (atto: bigint): string => formatScaled(atto, 18)

test('T58 whole: fills, settlement at 56000, a crossing fill, and the mark after it', () => {
  const terms = termsOf('BTC-PERPETUAL')
  const at = (price: number): ReturnType<typeof pricedTerms> => pricedTerms(terms, price * NANO)
  const ledger = createLedger()
  reserveHoldings(ledger, 3)
  reserveWallets(ledger, 3)
  const [buyer, mirror] = [
    { holding: 0, wallet: 0 },
    { holding: 1, wallet: 1 },
  ]
  const trade = (usd: number, price: number, mark: number): void => {
    const lots = Math.abs(usd) / 10
    const sign = usd > 0 ? 1 : -1
    postFill(ledger, buyer, { sign, lots, price: at(price), mark: at(mark) })
    postFill(ledger, mirror, { sign: sign === 1 ? -1 : 1, lots, price: at(price), mark: at(mark) })
  }
  trade(10_000, 50_000, 52_000)
  expect(money(profitOf(ledger, 0))).toBe('0.007692308')
  trade(10_000, 60_000, 52_000)
  trade(-5_000, 55_000, 52_000)
  expect(readHolding(ledger, 0)).toMatchObject({ size: 1500, entry: 275_000_000_000_000_000n })

  const settle = (owner: HoldingOwner): string => {
    const by = { price: at(56_000), mirror: { holding: 2, wallet: 2 }, ends: false }
    return money(settleHolding(ledger, owner, by.price, by.mirror, by.ends).day)
  }
  expect(settle(buyer)).toBe('0.007900433')
  expect(settle(mirror)).toBe('-0.007900433')
  // Two holders round alike, so that nothing remains with the house.
  expect([cashOf(ledger, 2), readHolding(ledger, 2).realized]).toEqual([0n, 0n])
  expect([cashOf(ledger, 0), cashOf(ledger, 1)].map(money)).toEqual(['0.007900433', '-0.007900433'])
  const settled = readHolding(ledger, 0)
  expect([coin(settled.entry), coin(settled.day)]).toEqual(['0.275', '0.267857142857142857'])
  expect([settled.realized, settled.profit]).toEqual([0n, 0n])

  trade(-25_000, 57_000, 57_000)
  const short = readHolding(ledger, 0)
  expect(short.size * 10).toBe(-10_000)
  expect([coin(short.entry), coin(short.day)]).toEqual([...['-0.17543859649122807', '-0.17543859649122807']])
  expect(money(profitOf(ledger, 0))).toBe('0.004699248')

  // At 56500 the position alone has 0.001552554; R is in the wallet's profit as well.
  postFill(ledger, buyer, { sign: 1, lots: 0, price: at(56_500), mark: at(56_500) })
  const marked = readHolding(ledger, 0)
  expect(coin(marked.day - marked.value).slice(0, 13)).toBe('0.00155255395')
  expect(marked.day - marked.value).toBe(marked.entry - marked.value)
})

test('the profit of a linear day becomes cash in full, and the next counts from the mark', () => {
  const terms = termsOf('BTC_USDC-PERPETUAL')
  const at = (price: number): ReturnType<typeof pricedTerms> => pricedTerms(terms, price * NANO)
  const ledger = createLedger()
  reserveHoldings(ledger, 2)
  reserveWallets(ledger, 2)
  const owner = { holding: 0, wallet: 0 }
  postFill(ledger, owner, { sign: 1, lots: 2_500, price: at(60_000.5), mark: at(60_000.5) })
  const settle = (price: number): string => {
    const by = { price: at(price), mirror: { holding: 1, wallet: 1 }, ends: false }
    return money(settleHolding(ledger, owner, by.price, by.mirror, by.ends).day)
  }
  expect(settle(61_000)).toBe('2498.75')
  expect(money(cashOf(ledger, 0))).toBe('2498.75')
  expect(profitOf(ledger, 0)).toBe(0n)
  expect(settle(60_000)).toBe('-2500')
  expect(money(cashOf(ledger, 1))).toBe('1.25')
})

test('T46 three holders: each rounds separately, and the house keeps the remainder', () => {
  const terms = termsOf('BTC-PERPETUAL')
  const at = (price: number): ReturnType<typeof pricedTerms> => pricedTerms(terms, price * NANO)
  const ledger = createLedger()
  reserveHoldings(ledger, 4)
  reserveWallets(ledger, 4)
  const price = at(30_000)
  for (const buyer of [0, 1]) {
    for (const [account, sign] of [
      [buyer, 1],
      [2, -1],
    ] as const) {
      const owner = { holding: account, wallet: account }
      postFill(ledger, owner, { sign, lots: 1, price, mark: price })
    }
  }
  const mirror = { holding: 3, wallet: 3 }
  const settled = [0, 1, 2].map((account) => {
    const owner = { holding: account, wallet: account }
    return settleHolding(ledger, owner, at(30_000.5), mirror, false).day
  })
  expect(settled.map(money)).toEqual(['0.000000006', '0.000000006', '-0.000000011'])
  expect(money(cashOf(ledger, 3))).toBe('-0.000000001')
  const bases = [0, 1, 2, 3].map((holding) => readHolding(ledger, holding))
  expect(bases.reduce((sum, { realized, day }) => sum + realized + day, 0n)).toBe(0n)
})

test('a delivery empties the holding, and its mirror keeps the basis balanced', () => {
  const terms = termsOf('BTC-27MAR26')
  const at = (price: number): ReturnType<typeof pricedTerms> => pricedTerms(terms, price * NANO)
  const ledger = createLedger()
  reserveHoldings(ledger, 3)
  reserveWallets(ledger, 3)
  const mirror = { holding: 2, wallet: 2 }
  for (const [account, sign] of [
    [0, 1],
    [1, -1],
  ] as const) {
    const owner = { holding: account, wallet: account }
    postFill(ledger, owner, { sign, lots: 1_000, price: at(50_000), mark: at(50_000) })
    postFunding(ledger, owner, sign === 1 ? -7n : 7n)
    const by = { price: at(55_000), mirror, ends: true }
    const { day, realized, funding } = settleHolding(ledger, owner, by.price, by.mirror, by.ends)
    expect([day, realized, funding]).toEqual(sign === 1 ? [18_181_811n, -7n, -7n] : [-18_181_811n, 7n, 7n])
    expect(readHolding(ledger, account)).toEqual({
      ...{ size: 0, entry: 0n, day: 0n, realized: 0n, funding: 0n, value: 0n, profit: 0n },
    })
    expect(profitOf(ledger, account)).toBe(0n)
  }
  expect([cashOf(ledger, 2), readHolding(ledger, 2).realized]).toEqual([0n, 0n])
})
