/** Cross margin compared with the published figures. Source: market.md 6.4 (T78-T80). */
import { expect, test } from 'vitest'
import { formatScaled } from '../../../src/core/index.ts'
import { type CrossPart, crossTotals, ofUsd } from '../../../src/margin/index.ts'

const nothing: CrossPart = {
  ...{ index9: 1_000_000_000, equity: 0n, excluded: 0n, haircutPpm: 0, spotReserve: 0n },
  ...{ initial18: 0n, maintenance18: 0n },
}

const usd = (value: bigint): string => formatScaled(value, 9)

test('T78 a stable coin alone: its haircut is the initial margin', () => {
  const index9 = 999_200_000
  const equity = 55_000_550_000n
  const totals = crossTotals([{ ...nothing, index9, equity, haircutPpm: 20_000 }])
  expect(usd(totals.initial)).toBe('1.099130991')
  // 1.100011 of the currency, at its 6 digits.
  expect((ofUsd(totals.initial, index9) + 500n) / 1000n).toBe(1_100_011n)
  expect(totals.maintenance).toBe(0n)
})

test('T79 coin, a stable coin and a perpetual', () => {
  const totals = crossTotals([
    {
      ...{ ...nothing, index9: 60_000_000_000_000, equity: 1_000_000_000n },
      // 1.666... coin * (2 % + 0.005 % * 1.666...), and with 1 %.
      ...{ initial18: 33_472_222_222_222_222n, maintenance18: 16_805_555_555_555_556n },
    },
    { ...nothing, index9: 999_200_000, equity: 10_000_000_000_000n, haircutPpm: 20_000 },
  ])
  expect(usd(totals.equity)).toBe('69992')
  expect(usd(totals.initial)).toBe('2208.173333333')
  expect(usd(totals.haircut)).toBe('199.84')
  expect(usd(totals.maintenance)).toBe('1008.333333333')
  expect(usd(totals.marginBalance - totals.initial)).toBe('67783.826666667')
  expect(usd(ofUsd(totals.initial, 60_000_000_000_000))).toBe('0.036802889')
})
