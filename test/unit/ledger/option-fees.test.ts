/**
 * Fees of options where an account pays a part of them.
 * Source: market.md 4 (T43-T45, T51-T53).
 */
import { expect, test } from 'vitest'
import { optionFeeNano } from '../../../src/ledger/index.ts'

test('a fee factor cuts a fee and leaves a rebate whole', () => {
  const terms = { amountStep9: 1_000_000_000 }
  const whole = { lots: 1, underlying9: 1_000_000_000, value: 50_000_000n, ppm: 1_000_000 }
  const half = { ...whole, ppm: 500_000 }
  expect(optionFeeNano(terms, 300_000, whole)).toBe(300_000n)
  expect(optionFeeNano(terms, 300_000, half)).toBe(150_000n)
  expect(optionFeeNano(terms, -300_000, half)).toBe(-300_000n)
})
