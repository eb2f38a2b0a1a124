/**
 * Fees of accounts that pay a part of them, and rebates.
 * Source: market.md 4 (T43-T45, T51-T53).
 */
import { describe, expect, test } from 'vitest'
import { micros, price9 } from '../../../src/core/index.ts'
import {
  baseFeeNano,
  contractTerms,
  feeNano,
  feeShareNano,
  optionFeeNano,
  pricedTerms,
} from '../../../src/ledger/index.ts'
import { specFromName } from '../../../src/model/index.ts'

test('a fee factor cuts an option fee and leaves a rebate whole', () => {
  const terms = { amountStep9: 1_000_000_000 }
  const whole = { lots: 1, underlying9: 1_000_000_000, value: 50_000_000n, ppm: 1_000_000 }
  const half = { ...whole, ppm: 500_000 }
  expect(optionFeeNano(terms, 300_000, whole)).toBe(300_000n)
  expect(optionFeeNano(terms, 300_000, half)).toBe(150_000n)
  expect(optionFeeNano(terms, -300_000, half)).toBe(-300_000n)
})

describe('a rate below 0 is a rebate', () => {
  const named = specFromName('BTC-PERPETUAL', { creation: micros(0) })
  if (!named.ok) throw new Error(named.error)
  const rates = { makerFee9: -100_000, takerFee9: 500_000 }
  const inverse = contractTerms({ ...named.value, ...rates })
  // 1,000 lots of 10 USD at 50,000: 0.2 BTC, of which 1 and 5 in 10,000 are fees.
  const priced = pricedTerms(inverse, price9(50_000_000_000_000))
  const fill = { lots: 1000, inBase: false }

  test('which the maker receives, and a fee factor does not cut', () => {
    for (const ppm of [1_000_000, 500_000, 0]) {
      const made = { ...fill, ppm, liquidity: 'maker' as const }
      expect([ppm, feeShareNano(priced, made)]).toEqual([ppm, -20_000n])
    }
    expect(feeShareNano(priced, { ...fill, ppm: 500_000, liquidity: 'taker' })).toBe(50_000n)
    expect(feeNano(priced, 'maker', 1000)).toBe(-20_000)
    // The fee of that many lots needs wide integers.
    const large = feeNano(priced, 'maker', 10 ** 15)
    expect(BigInt(large)).toBe(-20_000_000_000_000_000n)
  })

  test('also in base coin', () => {
    const pair = specFromName('BTC_USDC', { creation: micros(0) })
    if (!pair.ok) throw new Error(pair.error)
    const terms = contractTerms({ ...pair.value, ...rates })
    const lots = 1_000_000_000 / terms.amountStep9
    expect(baseFeeNano(terms, 'maker', lots)).toBe(-100_000n)
    const base = pricedTerms(terms, price9(50_000_000_000_000))
    const half = { lots, ppm: 500_000, inBase: true }
    expect(feeShareNano(base, { ...half, liquidity: 'maker' })).toBe(-100_000n)
    expect(feeShareNano(base, { ...half, liquidity: 'taker' })).toBe(250_000n)
  })
})
