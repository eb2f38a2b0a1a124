/**
 * Overrides of specifications: each field, fields that must fit each other, and all mistakes at once.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../../../src/core/index.ts'
import { type InstrumentSpec, overridableFields, overrideSpec, specFromName } from '../../../../src/model/index.ts'

function specOf(name: string): InstrumentSpec {
  const spec = specFromName(name, { creation: micros(0) })
  if (!spec.ok) throw new Error(spec.error)
  return spec.value
}

const perpetual = specOf('BTC-PERPETUAL')

function overridden(overrides: Readonly<Record<string, string>>): InstrumentSpec {
  const spec = overrideSpec(perpetual, overrides)
  if (!spec.ok) throw new Error(JSON.stringify(spec.error))
  return spec.value
}

function mistakesOf(overrides: Readonly<Record<string, string>>): readonly string[] {
  const spec = overrideSpec(perpetual, overrides)
  if (spec.ok) return []
  return spec.error.map(({ field, found, expected }) => `${field}: expected ${expected}, found ${found}`)
}

test('rule instruments.override: no overrides change nothing', () => {
  expect(overridden({})).toEqual(perpetual)
})

test('each field replaces its own', () => {
  const all = {
    tick_size: '0.01',
    amount_step: '1',
    min_trade_amount: '5',
    contract_size: '2',
    maker_commission: '-0.0001',
    taker_commission: '0.00035',
    price_index: 'btc_usdt',
    band: '0.1',
    max_leverage: '25',
    initial_margin: '0.04',
    maintenance_margin: '0.02',
    margin_slope: '0.00005',
    mark_band: '0.02',
    impact_amount: '0.5',
    funding_cap: '0.01',
    funding_damper: '0.0005',
    engine: 'alt',
    gateway: 'RWA',
    speed_bump_ms: '2.5',
  }
  const ofOthers = ['routing', 'route_delay_ms', 'delivery_commission']
  expect([...Object.keys(all), ...ofOthers].toSorted()).toEqual([...overridableFields].toSorted())
  expect(overridden(all)).toEqual({
    ...perpetual,
    tick9: 10_000_000,
    amountStep9: 1_000_000_000,
    minTradeLots: 5,
    contractSize9: 2_000_000_000,
    makerFee9: -100_000,
    takerFee9: 350_000,
    priceIndex: 'btc_usdt',
    bandPpm: 100_000,
    maxLeverage: 25,
    margin: { initialPpm: 40_000, maintenancePpm: 20_000, slopePpb: 50_000, per: 'coin' },
    mark: { impact9: 500_000_000, clampPpm: 20_000 },
    funding: { dampers: [{ from: 0, rate8: 50_000 }], cap8: 1_000_000 },
    engine: 'alt',
    gateway: 'RWA',
    speedBump: 2_500,
  })
})

test('only instruments with their own mark or funding may override its computation', () => {
  const fields = { mark_band: '0.02', impact_amount: '1', funding_cap: '0.01', funding_damper: '0' }
  const mistaken = (name: string): readonly string[] => {
    const spec = overrideSpec(specOf(name), fields)
    return spec.ok ? [] : spec.error.map(({ field }) => field)
  }
  expect(mistaken('SOL_USDC-PERPETUAL')).toEqual([])
  expect(mistaken('BTC-26JUN26')).toEqual(['impact_amount', 'funding_cap', 'funding_damper'])
  expect(mistaken('BTC_USDC')).toEqual(Object.keys(fields))
})

test('only instruments with a delivery date may override its fee', () => {
  const changed = overrideSpec(specOf('BTC-26JUN26'), { delivery_commission: '0.0001' })
  expect(changed).toMatchObject({ ok: true, value: { deliveryFee9: 100_000 } })
  expect(mistakesOf({ delivery_commission: '0.0001' })).toEqual([
    'delivery_commission: expected a field for a dated future only, found 0.0001',
  ])
  expect(overrideSpec(specOf('BTC_USDC'), { delivery_commission: '0' }).ok).toBe(false)
  expect(overrideSpec(specOf('BTC-26JUN26-50000-C'), { delivery_commission: '0' }).ok).toBe(false)
})

test('an override of the largest order size is an amount', () => {
  expect(overridden({ impact_amount: '9007199' }).mark?.impact9).toBe(9_007_199_000_000_000)
  expect(mistakesOf({ impact_amount: '9007200' })).toEqual([
    'impact_amount: expected a decimal above 0, up to 9007199, with up to 9 decimals, found 9007200',
  ])
})

describe('a third-party exchange', () => {
  const spot = specOf('BTC_USDC')

  function routeDelayOf(
    overrides: Readonly<Record<string, string>>,
    spec: InstrumentSpec = spot,
  ): number | null | string {
    const changed = overrideSpec(spec, overrides)
    if (changed.ok) return changed.value.routeDelay
    return changed.error.map(({ field, expected }) => `${field}: expected ${expected}`).join()
  }

  test('matches the orders of a spot pair on request, after 5 ms by default', () => {
    expect(spot.routeDelay).toBe(null)
    expect(routeDelayOf({})).toBe(null)
    expect(routeDelayOf({ routing: 'third_party' })).toBe(5_000)
    expect(routeDelayOf({ route_delay_ms: '12.345', routing: 'third_party' })).toBe(12_345)
    expect(routeDelayOf({ routing: 'third_party', route_delay_ms: '0' })).toBe(0)
    expect(routeDelayOf({ routing: 'third_party', route_delay_ms: '86400000' })).toBe(86_400_000_000)
    expect(routeDelayOf({ routing: 'venue' })).toBe(null)
  })

  test('may only change the delay of a routed pair, or the venue takes the pair back', () => {
    const routed = { ...spot, routeDelay: micros(7) }
    expect(routeDelayOf({}, routed)).toBe(7)
    expect(routeDelayOf({ route_delay_ms: '1' }, routed)).toBe(1_000)
    expect(routeDelayOf({ routing: 'venue' }, routed)).toBe(null)
  })

  test('is for spot pairs, and a delay for routed ones', () => {
    const routing = 'routing: expected venue, or third_party for a spot pair'
    expect(routeDelayOf({ routing: 'elsewhere' })).toBe(routing)
    expect(routeDelayOf({ routing: 'third_party' }, perpetual)).toBe(routing)
    expect(routeDelayOf({ routing: 'venue' }, perpetual)).toBe(null)
    expect(mistakesOf({ route_delay_ms: '5.5' })).toEqual([
      'route_delay_ms: expected routing: third_party for a delay, found 5.5',
    ])
    for (const text of ['-1', '86400001', '0.0001', 'soon']) {
      expect(routeDelayOf({ routing: 'third_party', route_delay_ms: text })).toBe(
        'route_delay_ms: expected milliseconds from 0 to a day with up to 3 decimals',
      )
    }
  })
})

test('the minimum is also the step unless the step is given', () => {
  expect(overridden({ min_trade_amount: '20' })).toMatchObject({
    amountStep9: 20_000_000_000,
    minTradeLots: 1,
  })
  expect(overridden({ amount_step: '1' })).toMatchObject({
    amountStep9: 1_000_000_000,
    minTradeLots: 10,
  })
})

test('a new base tick makes the grid flat', () => {
  const option = overrideSpec(specOf('BTC-27DEC24-50000-C'), { tick_size: '0.0005' })
  expect(option).toMatchObject({ ok: true, value: { tick9: 500_000, tickSteps: [] } })
})

test('all mistakes are reported at once, in the order of the fields', () => {
  const mistakes = mistakesOf({
    tick_size: '0',
    tick_sise: '1',
    band: '1.5',
    price_index: 'BTC',
    max_leverage: '2.5',
    taker_commission: '5e-4',
  })
  expect(mistakes).toHaveLength(6)
  expect(mistakes[0]).toBe('tick_size: expected a decimal above 0, up to 1000, with up to 9 decimals, found 0')
  expect(mistakes[1]).toContain('did you mean tick_size?, found tick_sise')
  expect(mistakes[2]).toContain('a fraction between 0 and 1')
  expect(mistakes[3]).toBe('price_index: expected a price index such as btc_usd, found BTC')
  expect(mistakes[4]).toContain('a whole number from 1 to 1000')
  expect(mistakes[5]).toContain('a rate between -1 and 1')
})

test('a word far from every field gets no suggestion', () => {
  expect(mistakesOf({ constructor: '1' })[0]).not.toContain('did you mean')
})

test('sizes that do not fit each other are mistakes', () => {
  expect(mistakesOf({ amount_step: '3' })).toEqual([
    'amount_step: expected a minimum of whole amount steps,' + ' found min_trade_amount 10 and amount_step 3',
  ])
  expect(mistakesOf({ contract_size: '3' })[0]).toContain('contract_size 3 and amount_step 10')
  expect(mistakesOf({ amount_step: '4', min_trade_amount: '10' })[0]).toContain('min_trade_amount:')
})

test('a maintenance margin above the initial one is a mistake', () => {
  expect(mistakesOf({ maintenance_margin: '0.03' })).toEqual([
    'maintenance_margin: expected a maintenance margin up to the initial margin,' +
      ' found initial_margin 0.02 and maintenance_margin 0.03',
  ])
  expect(mistakesOf({ initial_margin: '0.001' })[0]).toContain('initial_margin:')
})
