/**
 * Fee profiles on every kind of instrument, and the delivery fee of the catalogue by tenor.
 * Source: market.md 1.3, 4.
 */
import { expect, test } from 'vitest'
import { micros } from '../../../../src/core/index.ts'
import {
  type FeeProfile,
  feeProfiles,
  type InstrumentSpec,
  specFromName,
  withFeeProfile,
} from '../../../../src/model/index.ts'

function specOf(name: string): InstrumentSpec {
  const spec = specFromName(name, { creation: micros(1_767_600_000_000_000) })
  if (!spec.ok) throw new Error(spec.error)
  return spec.value
}

const sorts = [
  ...['BTC-PERPETUAL', 'ETH-26JUN26', 'SOL_USDC-PERPETUAL', 'SOL_USDC-26JUN26'],
  ...['BTC-26JUN26-60000-C', 'BTC_USDC', 'BTC-FS-26JUN26_PERP', 'BTC-STRD-26JUN26-60000'],
]

/** Maker, taker, block, liquidation and delivery rates in 1e-9. */
function rates(name: string, profile: FeeProfile): readonly number[] {
  const spec = withFeeProfile(specOf(name), profile)
  return [...[spec.makerFee9, spec.takerFee9, spec.blockFee9], ...[spec.liquidationFee9, spec.deliveryFee9]]
}

test('the profiles have names', () => {
  expect(feeProfiles).toEqual(['default', 'aug_2026'])
})

test('the default is the catalogue', () => {
  for (const name of sorts) expect(withFeeProfile(specOf(name), 'default')).toEqual(specOf(name))
})

test('since August 2026 a liquidation costs 1 %, and linear perpetuals 0.015 % and 0.035 %', () => {
  expect(Object.fromEntries(sorts.map((name) => [name, rates(name, 'aug_2026')]))).toEqual({
    'BTC-PERPETUAL': [0, 500_000, 250_000, 10_000_000, 0],
    'ETH-26JUN26': [0, 500_000, 250_000, 10_000_000, 250_000],
    'SOL_USDC-PERPETUAL': [150_000, 350_000, 250_000, 10_000_000, 0],
    'SOL_USDC-26JUN26': [0, 500_000, 250_000, 10_000_000, 250_000],
    'BTC-26JUN26-60000-C': [300_000, 300_000, 300_000, 10_000_000, 150_000],
    BTC_USDC: [0, 0, 0, 0, 0],
    'BTC-FS-26JUN26_PERP': [0, 0, 0, 0, 0],
    'BTC-STRD-26JUN26-60000': [0, 0, 0, 0, 0],
  })
})

test('a profile changes rates and nothing else, and keeps the fields in their order', () => {
  for (const name of sorts) {
    const [before, after] = [specOf(name), withFeeProfile(specOf(name), 'aug_2026')]
    expect(Object.keys(after)).toEqual(Object.keys(before))
    const { makerFee9, takerFee9, blockFee9, liquidationFee9, deliveryFee9 } = before
    const restored = { makerFee9, takerFee9, blockFee9, liquidationFee9, deliveryFee9 }
    expect({ ...after, ...restored }).toEqual(before)
  }
})

test('a future is charged for its delivery when it expires on the last Friday of a month', () => {
  const names = ['BTC-26JUN26', 'ETH_USDC-25SEP26', 'BTC-5JUN26', 'BTC-20MAY26', 'BTC-PERPETUAL']
  expect(names.map((name) => [specOf(name).settlementPeriod, specOf(name).deliveryFee9])).toEqual([
    ['month', 250_000],
    ['month', 250_000],
    ['week', 0],
    ['day', 0],
    ['perpetual', 0],
  ])
})
