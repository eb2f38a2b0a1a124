/**
 * Implied volatilities from Newton's steps equal those from bisection alone, to the last count of 1e-9, from deep in
 * the money to far out of it and from minutes to years.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intrinsicValue, optionCurve, optionValueAt } from '../../../src/pricing/options/black76.ts'
import { type SoughtValue, soughtVolatility9 } from '../../../src/pricing/options/option-price.ts'

/** The published rule: 60 halvings of 0.0001 to 5, the middle of the last interval. */
function halved({ curve, root, target }: SoughtValue): number {
  let low = 0.0001
  let high = 5
  for (let halving = 0; halving < 60; halving += 1) {
    const volatility = (low + high) / 2
    if (optionValueAt(curve, volatility * root) < target) low = volatility
    else high = volatility
  }
  return Math.floor(((low + high) / 2) * 1e9 + 0.5)
}

const unit = fc.integer({ min: 0, max: 1_000_000 }).map((part) => part / 1_000_000)

test('option.implied-volatility: quick steps end where halving ends', () => {
  let quick = 0
  fc.assert(
    fc.property(
      fc.record({
        forward: unit,
        strike: unit,
        time: unit,
        volatility: unit,
        isOnTick: fc.boolean(),
      }),
      fc.constantFrom('call', 'put'),
      (at, right) => {
        const forward = Math.exp(12 * at.forward)
        const strike = forward * Math.exp(2 * (at.strike - 0.5))
        const root = Math.sqrt(2 * Math.exp(-14 * at.time))
        const curve = optionCurve({ right, forward, strike })
        const exact = optionValueAt(curve, (0.01 + 4.9 * at.volatility * at.volatility) * root)
        const target = at.isOnTick ? (Math.round((exact / forward) * 1e4) / 1e4) * forward : exact
        if (target <= intrinsicValue(curve)) return
        quick += 1
        expect(soughtVolatility9({ curve, root, target })).toBe(halved({ curve, root, target }))
      },
    ),
    { numRuns: 4000, seed: 1 },
  )
  expect(quick).toBeGreaterThan(1000)
})
