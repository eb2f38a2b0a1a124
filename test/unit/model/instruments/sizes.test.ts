/**
 * Sizes: both directions agree, and faults say why a text is no size.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lots, price9 } from '../../../../src/core/index.ts'
import {
  amount9OfLots,
  amountTextOfLots,
  coinSize9,
  contracts9OfLots,
  contractsTextOfLots,
  lotsOfAmount9,
  lotsOfAmountText,
  lotsOfContracts9,
  lotsOfContractsText,
  type SizeUnits,
} from '../../../../src/model/index.ts'

const perpetual: SizeUnits = { amountStep9: 10_000_000_000, contractSize9: 10_000_000_000 }
const option: SizeUnits = { amountStep9: 100_000_000, contractSize9: 1_000_000_000 }

test('rule sizes.contracts: amounts and contracts lead back to the size', () => {
  const anySize = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  const law = fc.property(anySize, fc.constantFrom(perpetual, option), (count, units) => {
    const size = lots(count)
    const expected = { ok: true, value: size }
    expect(lotsOfAmount9(units, amount9OfLots(units, size))).toEqual(expected)
    expect(lotsOfAmountText(units, amountTextOfLots(units, size))).toEqual(expected)
    expect(lotsOfContracts9(units, contracts9OfLots(units, size))).toEqual(expected)
    expect(lotsOfContractsText(units, contractsTextOfLots(units, size))).toEqual(expected)
  })
  fc.assert(law, { seed: 11, numRuns: 300 })
})

test('faults', () => {
  expect(lotsOfAmountText(option, '0.15')).toEqual({ ok: false, error: 'off_step' })
  expect(lotsOfAmountText(option, '0.0000000001')).toEqual({ ok: false, error: 'off_step' })
  expect(lotsOfAmountText(option, '1e3')).toEqual({ ok: false, error: 'not_a_decimal' })
  expect(lotsOfContractsText(option, 'one')).toEqual({ ok: false, error: 'not_a_decimal' })
  expect(lotsOfContractsText(perpetual, '0.5')).toEqual({ ok: false, error: 'off_step' })
  const huge = '1'.padEnd(30, '0')
  expect(lotsOfAmountText(perpetual, huge)).toEqual({ ok: false, error: 'too_large' })
  expect(lotsOfAmountText(perpetual, `-${huge}`)).toEqual({ ok: false, error: 'too_large' })
})

test('zero converts too', () => {
  expect(lotsOfAmountText(perpetual, '0')).toEqual({ ok: true, value: 0 })
  expect(amountTextOfLots(perpetual, lots(0))).toBe('0')
})

test('rule sizes.coin: an inverse size needs a positive mark', () => {
  const inverse = { ...perpetual, payoff: 'inverse' } as const
  expect(coinSize9(inverse, lots(1), price9(3_000_000_000_000))).toBe(3_333_333n)
  expect(() => coinSize9(inverse, lots(1), price9(0))).toThrow('positive')
})
