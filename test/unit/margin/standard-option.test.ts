/** Standard margin of options compared with the published figures. Source: market.md 6.2 (T70-T75). */
import { describe, expect, test } from 'vitest'
import { micros } from '../../../src/core/index.ts'
import { markedOption, premiumReserve, sizedMargin } from '../../../src/margin/index.ts'
import { type InstrumentSpec, specFromName } from '../../../src/model/index.ts'

function spec(name: string): InstrumentSpec {
  const found = specFromName(name, { creation: micros(0) })
  if (!found.ok) throw new RangeError(`${name} is a name`)
  return found.value
}

const nano = (value: number): number => Math.round(value * 1e9)

describe('one coin short', () => {
  test.each([
    ['T70', 'BTC-26JUN26-65000-C', 60_000, 0.0299, 129_900_000, 104_900_000],
    ['T71', 'BTC-26JUN26-62000-C', 60_000, 0.04, 156_666_667, 115_000_000],
    ['T72', 'BTC-26JUN26-55000-C', 60_000, 0.11, 260_000_000, 185_000_000],
    ['T73', 'BTC-26JUN26-55000-P', 60_000, 0.025, 125_000_000, 100_000_000],
    ['T74', 'BTC-26JUN26-60000-P', 30_000, 1.02, 1_170_000_000, 1_096_500_000],
    ['T75', 'BTC-26JUN26-120000-P', 30_000, 3.01, 3_235_750_000, 3_235_750_000],
  ])('%s %s at a forward of %d and a mark of %d', (_id, name, forward, mark, initial, maintenance) => {
    const market = { mark9: nano(mark), forward9: nano(forward), index9: 0 }
    const marked = markedOption(spec(name), market)
    expect([marked.initial9, marked.maintenance9]).toEqual([initial, maintenance])
  })

  test('a linear option: the fractions are of the forward', () => {
    const market = { mark9: nano(10), forward9: nano(150), index9: nano(149) }
    const marked = markedOption(spec('SOL_USDC-26JUN26-160-C'), market)
    // max(22.5 - 10, 15) + 10 and 11.25 + 10.
    expect([marked.initial9, marked.maintenance9]).toEqual([nano(25), nano(21.25)])
  })
})

test('F01 Q03 a size is rounded once, and none is too large', () => {
  expect(sizedMargin(156_666_667, 3, 100_000_000)).toBe(47_000_000)
  expect(sizedMargin(1_000_000_000, 90_000_000_000, 1_000_000_000)).toBe(90_000_000_000_000_000_000n)
})

test('Q01 a linear option bought reserves the fee of the index, as its trade pays it', () => {
  const market = { mark9: nano(5000), forward9: nano(61_000), index9: nano(60_000) }
  const marked = markedOption(spec('BTC_USDC-26JUN26-65000-P'), market)
  // 6000 and 0.03 % of 60000 for a coin, which is 100 lots of 0.01.
  expect(premiumReserve(marked, nano(6000), 100)).toBe(nano(6018))
})

test('open buys reserve cost and fee, the fee an eighth of the cost at most', () => {
  const market = { mark9: nano(0.05), forward9: nano(60_000), index9: 0 }
  const marked = markedOption(spec('BTC-26JUN26-65000-C'), market)
  // 2 coins at 0.05 and 0.0003 each; 1 coin at 0.0001, of which an eighth is 0.0000125.
  expect(premiumReserve(marked, nano(0.1), 20)).toBe(nano(0.1006))
  expect(premiumReserve(marked, nano(0.0001), 10)).toBe(nano(0.0001125))
})
