/**
 * F01: margins have no size limit. The same scenario at 1, 1,000 and 1,000,000 units has the margins of the exact
 * formula at each size, and if rates do not grow with size, the same ratios and the same liquidation.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { initialMargin, type MarginScale, maintenanceMargin, markedScale } from '../../src/margin/index.ts'
import { defaultConfig, type EventOf, type InstrumentSpec, specFromName } from '../../src/model/index.ts'
import { type Market, market, start } from '../support/harness.ts'
import { marginOf } from '../support/naive-money.ts'
import { askedRuns, askedSeed } from '../support/property-runs.ts'

const scales = [1, 1_000, 1_000_000] as const
const numRuns = askedRuns(2000, 1)

function specOf(name: string): InstrumentSpec {
  const found = specFromName(name, { creation: micros(0) })
  if (!found.ok) throw new RangeError(`${name} is a name`)
  return found.value
}

const instruments = ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL', 'SOL_USDC-PERPETUAL']
const specs = [...instruments, 'LTC_USDC-PERPETUAL', 'AAVE_USDC-PERPETUAL'].map(specOf)

describe('F01 margin of a size', () => {
  const sizes = fc.record({
    spec: fc.constantFrom(...specs),
    lots: fc.oneof(fc.integer({ min: 1, max: 10_000 }), fc.maxSafeInteger().map(Math.abs)),
    mark9: fc.oneof(
      fc.integer({ min: 1, max: 20_000_000 }).map((cents) => cents * 10_000_000),
      fc.integer({ min: 1, max: 9_007_199_000_000_000 }),
    ),
  })

  test('F01 Q03 is the fraction of the rule, rounded once, at any size and mark', () => {
    fc.assert(
      fc.property(sizes, fc.constantFrom(...scales), ({ spec, lots, mark9 }, scale) => {
        expectExact(spec, Math.min(lots * scale, Number.MAX_SAFE_INTEGER), mark9)
      }),
      { numRuns, ...askedSeed(1) },
    )
  })

  test('F01 is rounded exactly at a half, which doubles of that size cannot represent', () => {
    const linear = flatOf('AAVE_USDC-PERPETUAL')
    const inverse = flatOf('BTC-PERPETUAL')
    for (let odd = 1; odd < 4000; odd += 2) {
      // 10 % of lots / 100 at 200.0000005: 200000000.5 nano for a lot. 2 % of 10 USD at 5120: 39062.5 for a lot.
      for (const lots of [odd, odd * 1_000_003, odd * 90_001]) {
        expectExact(linear, lots, 200_000_000_500)
        expectExact(inverse, lots, 5_120_000_000_000)
      }
    }
  })
})

/** An instrument whose rates do not grow with size. */
function flatOf(name: string): InstrumentSpec {
  const spec = specOf(name)
  return { ...spec, margin: { ...spec.margin, slopePpb: 0 } }
}

function expectExact(spec: InstrumentSpec, lots: number, mark9: number): void {
  const scale: MarginScale = spec
  const marked = markedScale(scale, mark9)
  const at = { mark: BigInt(mark9) }
  const initial = marginOf(spec, BigInt(lots), { ...at, rate: 'initialPpm' })
  const maintenance = marginOf(spec, BigInt(lots), { ...at, rate: 'maintenancePpm' })
  expect(BigInt(initialMargin(marked, lots))).toBe(initial)
  expect(BigInt(maintenanceMargin(marked, lots))).toBe(maintenance)
}

interface Story {
  readonly lots: number
  readonly price: number
  readonly fall: number
}

const flat = { margin_slope: '0' }
const linear = 'BTC_USDC-PERPETUAL'
const put = 'BTC_USDC-27MAR26-110000-P'

/** A long position and a short put of the given scale, a fall of the index, and its consequences. */
function reported(scale: number, { lots, price, fall }: Story): Market {
  const size = (lots * scale) / 1000
  const deposit = ((lots * (price / 100) * 35 * scale) / 1000).toFixed(3)
  const m = market({
    instruments: { [linear]: flat, [put]: {} },
    accounts: { anna: { USDC: deposit }, bert: { USDC: deposit } },
    index: { btc_usdc: String(price) },
    config: {
      ...{ marks: 'index', priceBands: false },
      liquidation: defaultConfig(start).liquidation,
    },
  })
  m.mark(String(price * 0.4), put)
  m.give('anna', String(size), String(price), linear)
  m.give('bert', `-${size}`, String(price * 0.4), put)
  m.index('btc_usdc', String(price - fall))
  return m
}

function figuresOf(m: Market): readonly bigint[] {
  return ['anna', 'bert'].flatMap((name) => {
    const { equity, initialMargin: initial, maintenanceMargin: maintenance } = m.wallet(name, 'USDC')
    return [equity, initial, maintenance]
  })
}

describe('F01 a scenario at 1, 1,000 and 1,000,000 units', () => {
  test('F01 has the same ratios, and the same liquidation', () => {
    const story = fc.record({
      lots: fc.integer({ min: 1, max: 5 }).map((count) => count * 10),
      price: fc.integer({ min: 150, max: 1000 }).map((hundreds) => hundreds * 100),
      fall: fc.integer({ min: 0, max: 60 }).map((part) => part * 100),
    })
    fc.assert(
      fc.property(story, (given) => {
        const markets = scales.map((scale) => reported(scale, given))
        const [one = []] = markets.map(figuresOf)
        for (const [at, m] of markets.entries()) {
          const scale = BigInt(scales[at] ?? 1)
          for (const [which, figure] of figuresOf(m).entries()) {
            expect(figure).toBe((one[which] ?? 0n) * scale)
          }
        }
        const steps = markets.map((m) => {
          const { events } = m.wait(1_000_000)
          return events
            .filter((event) => event.kind.startsWith('liquidation'))
            .map((event) => [event.kind, 'rule' in event ? event.rule : null])
        })
        expect(steps[1]).toEqual(steps[0])
        expect(steps[2]).toEqual(steps[0])
      }),
      { numRuns: Math.ceil(numRuns / 100), ...askedSeed(1) },
    )
  })

  test('F01 is liquidated even if its margin is not a safe integer', () => {
    const m = reported(1_000_000, { lots: 50, price: 100_000, fall: 35_000 })
    expect(m.wallet('anna', 'USDC').maintenanceMargin > BigInt(Number.MAX_SAFE_INTEGER)).toBe(true)
    const { events } = m.wait(1_000_000)
    const started = events.filter(
      (event): event is EventOf<'liquidation'> => event.kind === 'liquidation' && event.change === 'started',
    )
    expect(started.map(({ account }) => account)).toContain(m.account('anna'))
  })
})
