/**
 * The legs of a combo from its name, and the names of the combos that consist of given legs.
 *
 * Source: market.md 1.1; trading.md 6.15.
 */
import { divFloor, type Micros, modFloor, ok, type Price9, type Result } from '../../../core/index.ts'
import type { ComboLeg } from '../../instrument.ts'
import {
  areDatesOf,
  areStrikesOf,
  type ComboShape,
  comboShapeOf,
  isOptionComboCode,
  optionComboCodes,
  placed,
} from './combo-shapes.ts'
import {
  type FutureComboName,
  type FutureDate,
  type OptionComboName,
  type Pair,
  type ParsedName,
  parseInstrumentName,
  printInstrumentName,
  printPair,
  unexpected,
} from './instrument-names.ts'

/** The legs of a combo, with signed ratios, in the order of the name. */
export function comboLegsOf(combo: FutureComboName | OptionComboName): readonly ComboLeg[] {
  if (combo.type === 'future_combo') {
    return [
      { instrumentName: futureName(combo.pair, combo.long), ratio: 1 },
      { instrumentName: futureName(combo.pair, combo.short), ratio: -1 },
    ]
  }
  return comboShapeOf(combo.code).legs.map(({ right, ratio, strikeAt, dateAt }) => {
    const expiration = placed(combo.dates, dateAt)
    const strike = placed(combo.strikes, strikeAt)
    const option = { type: 'option', pair: combo.pair, expiration, strike, right } as const
    return { instrumentName: printInstrumentName(option), ratio }
  })
}

function futureName(pair: Pair, date: FutureDate): string {
  if (date === 'perpetual') return printInstrumentName({ type: 'perpetual', pair })
  return printInstrumentName({ type: 'future', pair, expiration: date })
}

/** A combo that consists of given legs. */
interface NamedCombo {
  readonly name: string
  /** True if all signs are opposite, so that buying the legs means selling the combo. */
  readonly flipped: boolean
}

/**
 * Names of the combos that consist of these legs, in any order and in any multiple of their ratios. A new combo gets
 * the first name. Only spreads of futures have further names. Without such a combo the error is `expected ..., found
 * ...`.
 *
 * Source: market.md 1.1. Assumed: of two futures the later one is named first, with a perpetual last, as in all public
 * samples.
 */
export function combosOfLegs(legs: readonly ComboLeg[]): Result<readonly NamedCombo[], string> {
  const wanted = new Map<string, number>()
  const shared = legs.reduce((divisor, { ratio }) => greatestDivisor(divisor, ratio), 0)
  for (const { instrumentName, ratio } of legs) {
    wanted.set(instrumentName, divFloor(ratio, Math.max(1, shared)))
  }
  const found: NamedCombo[] = []
  if (wanted.size === legs.length && !legs.some(({ ratio }) => ratio === 0)) {
    for (const combo of candidatesOf([...wanted.keys()])) {
      const sign = signOf(comboLegsOf(combo), wanted)
      if (sign !== 0) found.push({ name: printInstrumentName(combo), flipped: sign < 0 })
    }
  }
  if (found.length > 0) return ok(found)
  const list = legs.map(({ instrumentName, ratio }) => `${ratio} ${instrumentName}`).join(', ')
  return unexpected(`the legs of FS or of one of ${optionComboCodes.join(' ')}`, list)
}

/** Every combo that could have legs with these names, whatever their ratios. */
function candidatesOf(names: readonly string[]): (FutureComboName | OptionComboName)[] {
  const parsed: ParsedName[] = []
  for (const name of names) {
    const each = parseInstrumentName(name)
    if (each.ok) parsed.push(each.value)
  }
  const [first] = parsed
  if (first === undefined || first.type === 'spot' || parsed.length !== names.length) return []
  if (first.type !== 'option') return spreadsOf(parsed)
  const dates = new Set<Micros>()
  const strikes = new Set<Price9>()
  for (const each of parsed) {
    if (each.type !== 'option' || printPair(each.pair) !== printPair(first.pair)) return []
    dates.add(each.expiration)
    strikes.add(each.strike)
  }
  const farFirst = [...dates].sort((left, right) => right - left)
  const rising = [...strikes].sort((left, right) => left - right)
  const falling = rising.toReversed()
  return optionComboCodes
    .filter(isOptionComboCode)
    .flatMap((code) =>
      [rising, ...(rising.length > 1 ? [falling] : [])]
        .filter((list) => fits(comboShapeOf(code), farFirst, list, names.length))
        .map((list) => ({ type: 'option_combo', pair: first.pair, code, dates: farFirst, strikes: list })),
    )
}

function fits(shape: ComboShape, dates: readonly Micros[], strikes: readonly Price9[], legCount: number): boolean {
  const isNamed = areDatesOf(shape, dates) && areStrikesOf(shape, strikes)
  return isNamed && shape.legs.length === legCount
}

/** Both names of a spread of two futures: first with the later future first, then in the opposite order. */
function spreadsOf(parsed: readonly ParsedName[]): FutureComboName[] {
  const [one, two] = parsed
  if (parsed.length !== 2 || one === undefined || two === undefined) return []
  if (!isFuture(one) || !isFuture(two) || printPair(one.pair) !== printPair(two.pair)) return []
  const dates = [one, two]
    .map((each) => (each.type === 'future' ? each.expiration : 'perpetual'))
    .sort((left, right) => placeOf(right) - placeOf(left))
  const [far, near] = dates
  if (far === undefined || near === undefined || far === near) return []
  return [
    { type: 'future_combo', pair: one.pair, long: far, short: near },
    { type: 'future_combo', pair: one.pair, long: near, short: far },
  ]
}

function isFuture(parsed: ParsedName): parsed is Extract<ParsedName, { readonly type: 'perpetual' | 'future' }> {
  return parsed.type === 'perpetual' || parsed.type === 'future'
}

/** The perpetual comes after every date. */
function placeOf(date: FutureDate): number {
  return date === 'perpetual' ? 0 : date
}

/** 1 if the legs are equal, -1 if all signs are opposite, otherwise 0. */
function signOf(legs: readonly ComboLeg[], wanted: ReadonlyMap<string, number>): -1 | 0 | 1 {
  for (const sign of [1, -1] as const) {
    if (legs.every(({ instrumentName, ratio }) => wanted.get(instrumentName) === sign * ratio)) {
      return sign
    }
  }
  return 0
}

function greatestDivisor(a: number, b: number): number {
  let high = Math.abs(a)
  let low = Math.abs(b)
  while (low !== 0) {
    const rest = modFloor(high, low)
    high = low
    low = rest
  }
  return high
}
