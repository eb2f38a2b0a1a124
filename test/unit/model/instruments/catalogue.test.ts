/**
 * The catalogue beyond the venue's rows: price indices, currencies, defaults and refusals.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../../../src/core/index.ts'
import { type InstrumentSpec, instrumentTypeOf, neverExpires, specFromName } from '../../../../src/model/index.ts'

const creation = micros(1_767_600_000_000_000)

function specOf(name: string): InstrumentSpec {
  const spec = specFromName(name, { creation })
  if (!spec.ok) throw new Error(spec.error)
  return spec.value
}

test('rule instruments.catalogue: the whole specification of the perpetual', () => {
  expect(specOf('BTC-PERPETUAL')).toEqual({
    name: 'BTC-PERPETUAL',
    kind: 'future',
    payoff: 'inverse',
    detail: { type: 'perpetual' },
    baseCurrency: 'BTC',
    quoteCurrency: 'USD',
    counterCurrency: 'USD',
    settlementCurrency: 'BTC',
    priceIndex: 'btc_usd',
    productGroup: 'BTC',
    settlementPeriod: 'perpetual',
    tick9: 500_000_000,
    tickSteps: [],
    amountStep9: 10_000_000_000,
    contractSize9: 10_000_000_000,
    minTradeLots: 1,
    makerFee9: 0,
    takerFee9: 500_000,
    blockFee9: 250_000,
    liquidationFee9: 7_500_000,
    deliveryFee9: 0,
    maxLeverage: 50,
    margin: { initialPpm: 20_000, maintenancePpm: 10_000, slopePpb: 50_000, per: 'coin' },
    bandPpm: 15_000,
    mark: { impact9: 1_000_000_000, clampPpm: 5_000 },
    funding: {
      dampers: [
        { from: 0, rate8: 50_000 },
        { from: 1_672_531_200_000_000, rate8: 25_000 },
      ],
      cap8: 500_000,
    },
    routeDelay: null,
    engine: 'main',
    gateway: 'BTC',
    speedBump: 0,
    creation,
    expiration: neverExpires,
  })
})

test('every specification has the same fields in the same order', () => {
  const fields = Object.keys(specOf('BTC-PERPETUAL'))
  const names = ['BTC_USDC', 'BTC-27DEC24', 'BTC-27DEC24-5-C', 'BTC-FS-27DEC24_PERP']
  for (const name of [...names, 'SOL_USDC-STRD-27DEC24-5']) {
    expect(Object.keys(specOf(name))).toEqual(fields)
    expect(specOf(name).name).toBe(name)
  }
})

test.each([
  ['BTC-PERPETUAL', 'btc_usd'],
  ['ETH-27DEC24-3000-C', 'eth_usd'],
  ['SOL_USDC-PERPETUAL', 'sol_usdc'],
  ['BTC_USDT-PERPETUAL', 'btc_usdt'],
  ['ETH_BTC', 'eth_btc'],
])('the price index of %s is %s', (name, index) => {
  expect(specOf(name).priceIndex).toBe(index)
})

test('linear products settle in their quote currency', () => {
  expect(specOf('BTC_USDT-PERPETUAL').settlementCurrency).toBe('USDT')
  expect(specOf('SOL_USDC-27DEC24-180-C').settlementCurrency).toBe('USDC')
  expect(specOf('ETH_BTC')).toMatchObject({ settlementCurrency: 'BTC', tick9: 10_000 })
  expect(instrumentTypeOf(specOf('ETH_BTC'))).toBe('linear')
})

test('a linear base without a separate row moves in whole coins', () => {
  const spec = specOf('WIF_USDC-PERPETUAL')
  expect(spec).toMatchObject({ tick9: 100_000, productGroup: 'TIER_3', bandPpm: 25_000 })
  expect(spec.amountStep9).toBe(1_000_000_000)
  expect(specOf('EURR_USDC')).toMatchObject({ tick9: 100_000, amountStep9: 1_000_000_000 })
})

test('combos carry their legs, have no fee and no band', () => {
  expect(specOf('ETH-FS-27DEC24_PERP')).toMatchObject({
    payoff: 'inverse',
    contractSize9: 1_000_000_000,
    takerFee9: 0,
    bandPpm: 0,
    detail: {
      type: 'combo',
      code: 'FS',
      legs: [
        { instrumentName: 'ETH-27DEC24', ratio: 1 },
        { instrumentName: 'ETH-PERPETUAL', ratio: -1 },
      ],
    },
  })
  const linear = specOf('SOL_USDC-CS-27DEC24-180_200')
  expect(linear).toMatchObject({ payoff: 'linear', tick9: 100_000_000, tickSteps: [] })
  expect(specOf('BTC-CS-27DEC24-180_200')).toMatchObject({ tick9: 100_000, tickSteps: [] })
})

describe('refusals name the expected value', () => {
  test.each([
    ['DOGE-PERPETUAL', 'expected BTC or ETH, or a linear pair such as DOGE_USDC, found DOGE'],
    ['SOL-27DEC24', 'expected BTC or ETH, or a linear pair such as SOL_USDC, found SOL'],
    ['SOL-27DEC24-180-C', 'expected BTC or ETH, or a linear pair such as SOL_USDC, found SOL'],
    ['SOL-FS-27DEC24_PERP', 'expected BTC or ETH, or a linear pair such as SOL_USDC, found SOL'],
    ['SOL-STRD-27DEC24-180', 'expected BTC or ETH, or a linear pair such as SOL_USDC, found SOL'],
    ['BTC_EURR-PERPETUAL', 'expected a future settled in USDC or USDT, found BTC_EURR'],
    ['BTC_USDT-27DEC24-5-C', 'expected an option settled in USDC, found BTC_USDT'],
    ['WIF_USDC-27DEC24-5-C', 'expected a linear option on one of BTC ETH SOL XRP AVAX TRX'],
    ['WIF_USDC', 'expected a currency that accounts can hold as base of a spot pair, found WIF'],
    ['BTC_USD', 'expected a currency that accounts can hold as quote of a spot pair, found USD'],
    ['BTC-PERP', 'expected PERPETUAL or a date such as 27DEC24, found "PERP"'],
  ])('%s: %s', (name, error) => {
    const refused = { ok: false, error: expect.stringContaining(error) }
    expect(specFromName(name, { creation })).toEqual(refused)
  })
})

test.each([
  ['BTC-PERPETUAL', 'main', 'BTC', 0],
  ['BTC-27MAR26', 'main', 'BTC', 0],
  ['BTC_USDC-PERPETUAL', 'main', 'BTC', 0],
  ['ETH-PERPETUAL', 'alt', 'ETH', 0],
  ['ETH-27MAR26', 'alt', 'ETH', 10_000],
  ['ETH-27MAR26-4000-C', 'alt', 'ETH', 10_000],
  ['XRP_USDC-PERPETUAL', 'alt', 'TIER_2', 0],
  ['AVAX_USDC-PERPETUAL', 'alt', 'TIER_2', 10_000],
  ['ALGO_USDC-PERPETUAL', 'alt', 'TIER_3', 10_000],
  ['ETH-FS-27MAR26_PERP', 'alt', 'ETH', 10_000],
  ['ETH_USDC', 'main', 'ETH', 0],
])(
  'rule instruments.engine: %s is matched by %s, on %s, after %i us (R09, R21, S318)',
  (name, engine, gateway, speedBump) => {
    expect(specOf(name)).toMatchObject({ engine, gateway, speedBump })
  },
)
