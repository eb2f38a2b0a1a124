/**
 * Laws of margin over random markets with accounts of all four models, futures, options and a spot pair: after every
 * command the stored margins equal recomputed margins (the laws of the harness audit them), no order that opens a
 * position is accepted beyond the available funds, and a restored exchange has the same margins.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fork, marginPools, marginsOf, marginsOfPool } from '../../src/engine/index.ts'
import type { MarginModel } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'
import { askedRuns } from '../support/property-runs.ts'

const models: Readonly<Record<string, MarginModel>> = {
  anna: 'segregated_sm',
  bert: 'segregated_pm',
  cleo: 'cross_sm',
  dora: 'cross_pm',
}
const names = Object.keys(models)
const perpetual = 'BTC-PERPETUAL'
const options = ['BTC-27MAR26-65000-C', 'BTC-27MAR26-55000-P', 'BTC-30JAN26-60000-C']

interface Step {
  readonly what: 'buy' | 'sell' | 'index' | 'mark' | 'wait' | 'cancel' | 'spot'
  readonly who: number
  readonly which: number
  readonly size: number
  readonly price: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('buy', 'sell', 'buy', 'sell', 'index', 'mark', 'wait', 'cancel', 'spot'),
  who: fc.nat({ max: names.length - 1 }),
  which: fc.nat({ max: options.length }),
  size: fc.integer({ min: 1, max: 60 }),
  price: fc.integer({ min: -4, max: 4 }),
})

function opened(): Market {
  const deposit = { BTC: '2', USDC: '50000' }
  const listed = [perpetual, 'BTC-30JAN26', ...options, 'BTC_USDC']
  return market({
    instruments: Object.fromEntries(listed.map((name) => [name, {}])),
    accounts: Object.fromEntries(names.map((name) => [name, deposit])),
    models,
    index: { btc_usd: '60000', btc_usdc: '60000' },
    config: { priceBands: false, selfMatch: 'off' },
  })
}

function take(m: Market, { what, who, which, size, price }: Step): void {
  const name = names[who] ?? ''
  const option = options[which]
  const side = what === 'buy' || (what === 'spot' && size % 2 === 0) ? 'buy' : 'sell'
  if (what === 'wait') m.wait(size * 7_000_000)
  else if (what === 'index') m.index('btc_usd', String(60_000 + price * 1_500))
  else if (what === 'cancel') m.cancelAll(name)
  else if (what === 'mark') {
    m.mark(price === 0 ? null : (0.03 + price * 0.004).toFixed(3), options[which % options.length])
  } else if (what === 'spot') {
    const words = { amount: (size * 0.01).toFixed(2), price: String(60_000 + price * 100) }
    m[side](name, { ...words, instrument: 'BTC_USDC' })
  } else if (option === undefined) {
    const words = { amount: String(size * 1_000), price: String(60_000 + price * 500) }
    m[side](name, { ...words, instrument: perpetual })
  } else {
    const words = { amount: (size * 0.1).toFixed(1), price: (0.03 + price * 0.005).toFixed(3) }
    m[side](name, { ...words, instrument: option })
  }
}

/** The sum of the initial margins of an account's pools. */
function initialOf(m: Market, name: string): bigint {
  const pools = marginPools(m.exchange, m.account(name))
  return pools.reduce((sum, pool) => sum + marginsOfPool(m.exchange, pool).initial, 0n)
}

describe('margins of all models in random markets', () => {
  test('no accepted order leaves an account below its initial margin that it raised', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const m = opened()
        for (const each of steps) {
          const name = names[each.who] ?? ''
          const before = initialOf(m, name)
          const events = m.events.length
          take(m, each)
          const isOrder = each.what === 'buy' || each.what === 'sell'
          const isFilled = m.events.slice(events).some(({ kind }) => kind === 'trade')
          if (!isOrder || isFilled || initialOf(m, name) <= before) continue
          expect(marginsOf(m.exchange, m.account(name), 'BTC').available).toBeGreaterThanOrEqual(-2n)
        }
      }),
      { numRuns: askedRuns(40, 1, 6) },
    )
  })

  test('a restored exchange has the same margins', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 30 }), (steps) => {
        const m = opened()
        for (const each of steps) take(m, each)
        const copy = fork(m.exchange)
        for (const name of names) {
          const account = m.account(name)
          expect(marginsOf(copy, account, 'BTC')).toEqual(marginsOf(m.exchange, account, 'BTC'))
          expect(marginsOf(copy, account, 'USDC')).toEqual(marginsOf(m.exchange, account, 'USDC'))
        }
      }),
      { numRuns: askedRuns(20, 1, 3) },
    )
  })
})
