/**
 * Projected margins: the margin of an account without the positions and orders of the nearest expiry. They equal the
 * margins of a twin account that never had these.
 *
 * Source: market.md 5.3.
 */
import { describe, expect, test } from 'vitest'
import { marginsOf, projectedMargins } from '../../src/engine/index.ts'
import type { Currency, MarginModel } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'

const near = 'BTC-9JAN26'
const far = 'BTC-27MAR26'
const nearCall = 'BTC-9JAN26-65000-C'
const farPut = 'BTC-27MAR26-55000-P'
const perpetual = 'BTC-PERPETUAL'
const spread = 'BTC-FS-27MAR26_9JAN26'
const straddle = 'BTC-STRD-9JAN26-65000'
const linear = 'BTC_USDC-9JAN26'
const models: readonly MarginModel[] = ['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm']

/** Alice has all positions. Her twin has only those that do not expire first. */
function venue(model: MarginModel): Market {
  const rich = { BTC: '50', USDC: '2000000' }
  const names = [perpetual, near, far, nearCall, 'BTC-9JAN26-65000-P', farPut, linear]
  const m = market({
    instruments: Object.fromEntries([...names, spread, straddle].map((name) => [name, {}])),
    accounts: { alice: rich, twin: rich },
    models: { alice: model, twin: model },
    index: { btc_usd: '60000', btc_usdc: '60000' },
    config: { priceBands: false },
  })
  for (const name of ['alice', 'twin']) {
    m.give(name, '60000', '60000', perpetual)
    m.give(name, '-120000', '60000', far)
    m.give(name, '-2', '0.0845', farPut)
    m.buy(name, { amount: '1', price: '0.02', instrument: farPut })
    m.sell(name, { amount: '30000', price: '61000', instrument: far })
  }
  return m
}

/** Projected margins of a currency. */
function figures(m: Market, currency: Currency): Readonly<Record<string, bigint | number | null>> {
  const { expiration, initial, maintenance } = projectedMargins(m.exchange, m.account('alice'), currency)
  return { expiration, initial, maintenance }
}

function twinOf(m: Market, currency: Currency): Readonly<Record<string, bigint>> {
  const { initial, maintenance } = marginsOf(m.exchange, m.account('twin'), currency)
  return { initial, maintenance }
}

describe.each(models)('rule margin.projected: %s', (model) => {
  test('positions and orders of the nearest expiry are left out', () => {
    const m = venue(model)
    m.mark('0.0845', farPut)
    m.give('alice', '200000', '60000', near)
    const order = { amount: '300000', price: '61000', instrument: near }
    expect(m.sell('alice', order).refusal).toBeNull()
    const before = marginsOf(m.exchange, m.account('alice'), 'BTC')
    const { expiration } = m.instrument(near)
    expect(figures(m, 'BTC')).toEqual({ expiration, ...twinOf(m, 'BTC') })
    expect(figures(m, 'BTC').initial).not.toBe(before.initial)
  })

  test('a combo ends with its first leg, so its orders add nothing to the other leg', () => {
    const m = venue(model)
    m.give('alice', '10000', '60000', near)
    expect(m.buy('alice', { amount: '90000', price: '1', instrument: spread }).refusal).toBeNull()
    expect(m.sell('alice', { amount: '700000', price: '9', instrument: spread }).refusal).toBeNull()
    expect(marginsOf(m.exchange, m.account('alice'), 'BTC').initial).not.toBe(twinOf(m, 'BTC').initial)
    expect(figures(m, 'BTC')).toMatchObject(twinOf(m, 'BTC'))
  })

  test('options of the nearest expiry, and the reserve of an order of a combo of them', () => {
    const m = venue(model)
    m.mark('0.01', nearCall)
    m.give('alice', '-3', '0.01', nearCall)
    const call = { amount: '1', price: '0.05', instrument: nearCall }
    expect(m.sell('alice', call).refusal).toBeNull()
    const combo = { amount: '2', price: '0.04', instrument: straddle }
    expect(m.buy('alice', combo).refusal).toBeNull()
    const { expiration } = m.instrument(nearCall)
    expect(figures(m, 'BTC')).toEqual({ expiration, ...twinOf(m, 'BTC') })
  })

  test('currencies that share their margin have one common nearest expiry', () => {
    const m = venue(model)
    m.give('alice', '3', '60000', linear)
    const isCross = model.startsWith('cross')
    const expirations = [m.instrument(linear).expiration, m.instrument(far).expiration]
    expect(figures(m, 'USDC').expiration).toBe(expirations[0])
    expect(figures(m, 'BTC').expiration).toBe(expirations[isCross ? 0 : 1])
    expect(figures(m, 'USDC')).toMatchObject(twinOf(m, 'USDC'))
  })

  test('without anything that expires nothing is left out', () => {
    const m = market({
      instruments: { [perpetual]: {} },
      accounts: { alice: { BTC: '50' }, twin: { BTC: '50' } },
      models: { alice: model, twin: model },
      index: { btc_usd: '60000' },
    })
    for (const name of ['alice', 'twin']) m.give(name, '60000', '60000', perpetual)
    expect(figures(m, 'BTC')).toEqual({ expiration: null, ...twinOf(m, 'BTC') })
  })
})
