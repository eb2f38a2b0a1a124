/**
 * Estimated liquidation prices. Source: market.md 6.3 (T76, T77).
 */
import { expect, test } from 'vitest'
import { type LeveragedPosition, liquidationPrice9 } from '../../../src/margin/index.ts'

const terms = { initialPpm: 20_000, maintenancePpm: 10_000, slopePpb: 50_000, per: 'coin' } as const

function price(position: Omit<LeveragedPosition, 'terms'>): number | null {
  const found = liquidationPrice9({ terms, ...position })
  return found === null ? null : Math.round(Number(found) / 1e7) / 100
}

test('T76 long 100,000 USD at 50,000 with 0.05 coin behind it', () => {
  const amount9 = 100_000_000_000_000n
  expect(price({ payoff: 'inverse', amount9, backing: 2_050_000_000n })).toBe(49_273.24)
})

test('T77 short 100,000 USD at 50,000 with 1 coin behind it', () => {
  const amount9 = -100_000_000_000_000n
  expect(price({ payoff: 'inverse', amount9, backing: -1_000_000_000n })).toBe(98_994.95)
})

test('a short with more coin than it owes is never liquidated', () => {
  const amount9 = -100_000_000_000_000n
  expect(price({ payoff: 'inverse', amount9, backing: 1n })).toBeNull()
})

test('linear contracts: the remaining funds equal the margin at that price', () => {
  // 2 coins at 50,000 with 3,000 behind: rate 1 % + 0.005 % * 2 = 1.01 %.
  const amount9 = 2_000_000_000n
  const long = price({ payoff: 'linear', amount9, backing: -97_000_000_000_000n })
  expect(long).toBe(48_994.85)
  const short = price({ payoff: 'linear', amount9: -amount9, backing: 103_000_000_000_000n })
  expect(short).toBe(50_985.05)
})
