/**
 * Combos by their legs: every combo is found again, in any order, in any multiple, with all signs reversed; and other
 * legs are refused. Source: market.md 1.1.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ComboLeg,
  comboLegsOf,
  combosOfLegs,
  optionComboCodes,
  parseInstrumentName,
} from '../../../../../src/model/index.ts'

const seed = 20_260_105

function legsOf(name: string): readonly ComboLeg[] {
  const parsed = parseInstrumentName(name)
  if (!parsed.ok) throw new Error(parsed.error)
  const { value } = parsed
  if (value.type !== 'option_combo' && value.type !== 'future_combo') throw new Error(name)
  return comboLegsOf(value)
}

/** A name of each code, on a pair of each settlement. */
const names = ['BTC', 'SOL_USDC'].flatMap((pair) => [
  `${pair}-FS-27SEP24_28JUN24`,
  `${pair}-FS-27SEP24_PERP`,
  ...optionComboCodes.flatMap((code) =>
    ['27SEP24', '27SEP24_28JUN24']
      .flatMap((dates) =>
        ['10', '10_20', '20_10', '10_20_30', '10_20_30_40'].map((strikes) => `${pair}-${code}-${dates}-${strikes}`),
      )
      .filter((name) => parseInstrumentName(name).ok),
  ),
])

function found(legs: readonly ComboLeg[]): string {
  const combos = combosOfLegs(legs)
  if (!combos.ok) return combos.error
  return combos.value.map(({ name, flipped }) => `${flipped ? '-' : '+'}${name}`).join(' ')
}

describe('rule combo.create: a combo is found by its legs', () => {
  test('every combo, whatever the order, the multiple and the sign', () => {
    expect(new Set(names.map((name) => name.split('-')[1])).size).toBe(optionComboCodes.length + 1)
    const law = fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: 1, max: 1000 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 3 }),
      (name, times, flips, turn) => {
        const legs = legsOf(name)
        const factor = flips ? -times : times
        const turned = [...legs.slice(turn), ...legs.slice(0, turn)]
        const asked = turned.map(({ instrumentName, ratio }) => ({
          instrumentName,
          ratio: ratio * factor,
        }))
        const [first] = found(asked).split(' ')
        expect(first).toBe(`${flips ? '-' : '+'}${name}`)
      },
    )
    fc.assert(law, { seed, numRuns: 1000 })
  })

  test('a spread of futures has two names, the later date first', () => {
    const legs = [
      { instrumentName: 'BTC-PERPETUAL', ratio: 10 },
      { instrumentName: 'BTC-27SEP24', ratio: -10 },
    ]
    expect(found(legs)).toBe('-BTC-FS-27SEP24_PERP +BTC-FS-PERP_27SEP24')
  })
})

describe('legs that make no combo', () => {
  const call = (strike: number, ratio: number, date = '27SEP24'): ComboLeg => ({
    instrumentName: `BTC-${date}-${strike}-C`,
    ratio,
  })
  test.each<readonly [string, readonly ComboLeg[]]>([
    ['none', []],
    ['one', [call(10, 1)]],
    ['the same twice', [call(10, 1), call(10, -1)]],
    ['a ratio without a code', [call(10, 1), call(20, -4)]],
    ['a ratio of zero', [call(10, 1), call(20, 0)]],
    [
      'a put ladder from above, which has no name',
      [
        { instrumentName: 'BTC-27SEP24-30-P', ratio: 1 },
        { instrumentName: 'BTC-27SEP24-20-P', ratio: -1 },
        { instrumentName: 'BTC-27SEP24-10-P', ratio: -1 },
      ],
    ],
    ['three dates', [call(10, 1), call(10, -1, '28JUN24'), call(10, 1, '26JUL24')]],
    ['two pairs', [call(10, 1), { instrumentName: 'ETH-27SEP24-20-C', ratio: -1 }]],
    [
      'two futures long',
      [
        { instrumentName: 'BTC-27SEP24', ratio: 1 },
        { instrumentName: 'BTC-PERPETUAL', ratio: 1 },
      ],
    ],
    ['a future and an option', [call(10, 1), { instrumentName: 'BTC-27SEP24', ratio: -1 }]],
    [
      'spot',
      [
        { instrumentName: 'BTC_USDC', ratio: 1 },
        { instrumentName: 'BTC-PERPETUAL', ratio: -1 },
      ],
    ],
    ['no name at all', [call(10, 1), { instrumentName: 'nothing', ratio: -1 }]],
  ])('%s', (_title, legs) => {
    expect(found(legs)).toContain('expected the legs of FS or of one of CS PS')
  })
})
