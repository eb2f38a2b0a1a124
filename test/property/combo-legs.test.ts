/**
 * Laws of combos, for every code: leg prices add up to the price of the combo, and each is at least one step; a fill
 * moves what its legs move, and the discount never makes a leg fee negative. Random orders on combos and legs run under
 * all laws of `laws.ts`, which check the money.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lots, price9, ticks } from '../../src/core/index.ts'
import { restore, snapshot, stateHash, viewLegPrices } from '../../src/engine/index.ts'
import { comboLegsOf, type EventOf, optionComboCodes, parseInstrumentName, type Side } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'
import { askedRuns } from '../support/property-runs.ts'

const seed = 20_260_105
const step9 = 100_000
const amountStep9 = 100_000_000n

/** An instrument name for each code. */
const names = optionComboCodes.flatMap((code) => {
  const found = ['30JAN26', '27FEB26_30JAN26']
    .flatMap((dates) =>
      ['50', '50_60', '60_50', '50_60_70', '50_60_70_80'].map(
        (strikes) => `BTC-${code}-${dates}-${strikes.replaceAll('0', '0000')}`,
      ),
    )
    .find((name) => parseInstrumentName(name).ok)
  return found === undefined ? [] : [found]
})

function legsOf(name: string): readonly { readonly name: string; readonly ratio: number }[] {
  const parsed = parseInstrumentName(name)
  if (!parsed.ok || parsed.value.type !== 'option_combo') throw new Error(name)
  return comboLegsOf(parsed.value).map((leg) => ({ name: leg.instrumentName, ratio: leg.ratio }))
}

function opened(name: string): Market {
  const listed = [name, ...legsOf(name).map((leg) => leg.name)]
  return market({
    instruments: Object.fromEntries(listed.map((each) => [each, {}])),
    accounts: { alice: { BTC: '1000' }, bob: { BTC: '1000' } },
    index: { btc_usd: '60000' },
    config: { priceBands: false },
  })
}

/** Marks in 1e-8 coin. */
const marks = fc.array(fc.integer({ min: 1, max: 50_000_000 }), { minLength: 4, maxLength: 4 })

function pin(m: Market, name: string, values: readonly number[]): void {
  for (const [at, leg] of legsOf(name).entries()) {
    m.send({
      kind: 'set_mark',
      instrument: m.instrument(leg.name).id,
      price: price9((values[at] ?? 1) * 10),
    })
  }
}

describe('rule combo.leg-prices: leg prices', () => {
  test('add up to the price of the combo, and each is at least one step', () => {
    const markets = new Map(names.map((name) => [name, opened(name)]))
    const law = fc.property(
      fc.constantFrom(...names),
      marks,
      fc.integer({ min: -20_000, max: 20_000 }),
      (name, values, price) => {
        const m = markets.get(name) as Market
        pin(m, name, values)
        const legs = legsOf(name)
        const asked = legs.map((leg) => ({
          instrument: m.instrument(leg.name).id,
          ratio: leg.ratio,
        }))
        const found = viewLegPrices(m.exchange, asked, price9(price * step9))
        const isLong = legs.every(({ ratio }) => ratio > 0)
        if (isLong && price < legs.length) {
          expect(found).toBe('unreachable')
          return
        }
        if (typeof found === 'string') throw new Error(found)
        const sum = legs.reduce((total, { ratio }, at) => total + ratio * (found[at] ?? 0), 0)
        // A leg with a ratio of three also has 8 decimals.
        const slack = legs.some(({ ratio }) => Math.abs(ratio) === 3) ? 3 * 5 : 0
        expect(Math.abs(sum - price * step9)).toBeLessThanOrEqual(slack)
        for (const leg of found) expect(leg).toBeGreaterThanOrEqual(step9)
      },
    )
    fc.assert(law, { seed, numRuns: askedRuns(1000, 1, 80) })
  })
})

describe('rule combo.trade: fills', () => {
  const order = fc.record({
    buys: fc.boolean(),
    byAlice: fc.boolean(),
    onLeg: fc.boolean(),
    size: fc.integer({ min: 1, max: 50 }),
    price: fc.integer({ min: -300, max: 600 }),
    type: fc.constantFrom('limit', 'limit', 'limit', 'market', 'market_limit'),
  })

  test('random orders on a combo and its first leg keep all laws', () => {
    const law = fc.property(
      fc.constantFrom(...names),
      marks,
      fc.array(order, { minLength: 5, maxLength: 25 }),
      (name, values, orders) => {
        const m = opened(name)
        pin(m, name, values)
        const [leg] = legsOf(name)
        for (const { buys, byAlice, onLeg, size, price, type } of orders) {
          const instrument = m.instrument(onLeg ? (leg?.name ?? name) : name)
          const side: Side = buys ? 'buy' : 'sell'
          const { trades } = m.send(
            {
              ...{ kind: 'place_order', instrument: instrument.id, side, type },
              ...{ timeInForce: 'good_til_cancelled', price: ticks(price), amount: lots(size) },
              ...{ label: '', postOnly: 'off', reduceOnly: false, trigger: null, advanced: null },
              ...{ display: lots(0), linked: null, validUntil: null, extras: null },
            },
            byAlice ? 'alice' : 'bob',
          )
          for (const [at, trade] of trades.entries()) {
            if (trade.legs.length > 0) checkLegs(trade, trades.slice(at + 1))
          }
        }
        const copy = restore(snapshot(m.exchange))
        expect(copy.ok && stateHash(copy.value)).toBe(stateHash(m.exchange))
      },
    )
    fc.assert(law, { seed, numRuns: askedRuns(60, 1, 6) })
  })
})

/** The legs follow their trade at once; their premiums add up to the cost of the combo, up to rounding. */
function checkLegs(trade: EventOf<'trade'>, next: readonly EventOf<'trade'>[]): void {
  const legs = next.slice(0, trade.legs.length)
  expect(legs.map((leg) => leg.trade)).toEqual(trade.legs.map((leg) => leg.trade))
  for (const side of ['maker', 'taker'] as const) {
    const paid = legs.reduce((sum, leg) => sum - leg[side].premium, 0n)
    const cost = (BigInt(trade.price) * BigInt(trade.amount) * amountStep9) / 1_000_000_000n
    const wanted = trade[side].side === 'buy' ? cost : -cost
    const apart = paid > wanted ? paid - wanted : wanted - paid
    expect(apart <= 15n * BigInt(trade.amount)).toBe(true)
    for (const leg of legs) {
      expect(leg[side].fee >= 0n).toBe(true)
      expect(leg[side].order).toBe(trade[side].order)
    }
  }
}
