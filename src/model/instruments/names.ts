/**
 * Instrument names: read and printed by the venue's grammar. Printing is the inverse of reading,
 * and every instrument has exactly one name: no leading zeros, no trailing zeros behind the `d`.
 *
 * ```
 * perpetual = pair "-PERPETUAL"        future = pair "-" date        spot = base "_" quote
 * option    = pair "-" date "-" strike "-" ("C" / "P")
 * combo     = pair "-FS-" leg_exp "_" leg_exp
 *           / pair "-" code "-" date ["_" date] "-" strike *("_" strike)
 * ```
 * A pair is a base alone (inverse, counter currency USD) or base_quote (linear, settled in the
 * quote). Dates mean 08:00 UTC. Strikes are counts of 1e-9 USD or quote units; decimals, with `d`
 * for the point, exist only in linear names. Which pairs are traded is the catalogue's business.
 *
 * Rule: instruments.name. Source: market.md 1.1; R44 (bases are not limited to the currencies).
 * Limit: names of at most `NAME_LENGTH_MAX` characters.
 */
import {
  defined,
  divFloor,
  err,
  expiryOfLabel,
  formatScaledNumber,
  labelOfExpiry,
  type Micros,
  modFloor,
  ok,
  type Price9,
  parseScaled,
  price9,
  type Result,
} from '../../core/index.ts'
import type { ComboLeg } from '../instrument.ts'
import {
  type ComboShape,
  comboShapeOf,
  isOptionComboCode,
  type OptionComboCode,
  optionComboCodes,
} from './combo-shapes.ts'

/** The underlying of a derivative; `quote` is null for inverse instruments. */
export interface Pair {
  readonly base: string
  readonly quote: string | null
}

/** A future as a leg of a spread: its date, or the perpetual. */
export type FutureDate = Micros | 'perpetual'

/** A future spread: long the first leg, short the second. */
export interface FutureComboName {
  readonly type: 'future_combo'
  readonly pair: Pair
  readonly long: FutureDate
  readonly short: FutureDate
}

/** An option combo; dates and strikes stand in the order of the name, two dates as far, near. */
export interface OptionComboName {
  readonly type: 'option_combo'
  readonly pair: Pair
  readonly code: OptionComboCode
  readonly dates: readonly Micros[]
  readonly strikes: readonly Price9[]
}

/** What the name of an instrument says. */
export type ParsedName =
  | { readonly type: 'perpetual'; readonly pair: Pair }
  | { readonly type: 'future'; readonly pair: Pair; readonly expiration: Micros }
  | {
      readonly type: 'option'
      readonly pair: Pair
      readonly expiration: Micros
      readonly strike: Price9
      readonly right: 'call' | 'put'
    }
  | { readonly type: 'spot'; readonly base: string; readonly quote: string }
  | FutureComboName
  | OptionComboName

const NAME_LENGTH_MAX = 120
const PAIR = /^([A-Z0-9]+)(?:_([A-Z0-9]+))?$/
const STRIKE = /^(?:0|[1-9][0-9]*)(?:d[0-9]*[1-9])?$/
const STRIKE_SCALE = 9

/** What a name says, or why it is none: `expected …, found …`. */
export function parseInstrumentName(name: string): Result<ParsedName, string> {
  if (name.length > NAME_LENGTH_MAX) {
    return err(`expected at most ${NAME_LENGTH_MAX} characters, found ${name.length}`)
  }
  const [head = '', second, third, fourth, ...rest] = name.split('-')
  const match = PAIR.exec(head)
  if (match === null) return unexpected('an upper-case symbol or a pair such as SOL_USDC', head)
  const pair: Pair = { base: match[1] ?? '', quote: match[2] ?? null }
  if (pair.base === pair.quote) return unexpected('a pair of two different symbols', head)
  if (second === undefined) return parseSpot(pair)
  if (third === undefined) return parseFuture(pair, second)
  if (second === 'FS') {
    if (fourth === undefined) return parseFutureCombo(pair, third)
    return unexpected('two legs such as 27SEP24_PERP and no more after FS', `${third}-${fourth}`)
  }
  if (fourth === undefined || rest.length > 0) {
    return unexpected('an instrument name such as BTC-27DEC24-50000-C', name)
  }
  if (isOptionComboCode(second)) return parseOptionCombo({ pair, code: second }, third, fourth)
  return parseOption(pair, second, { strikeText: third, rightText: fourth })
}

/** The name of an instrument: the inverse of `parseInstrumentName`. */
export function printInstrumentName(parsed: ParsedName): string {
  if (parsed.type === 'spot') return `${parsed.base}_${parsed.quote}`
  const pair = printPair(parsed.pair)
  switch (parsed.type) {
    case 'perpetual':
      return `${pair}-PERPETUAL`
    case 'future':
      return `${pair}-${labelOfExpiry(parsed.expiration)}`
    case 'option': {
      const right = parsed.right === 'call' ? 'C' : 'P'
      return `${pair}-${labelOfExpiry(parsed.expiration)}-${printStrike(parsed.strike)}-${right}`
    }
    case 'future_combo':
      return `${pair}-FS-${printFutureDate(parsed.long)}_${printFutureDate(parsed.short)}`
    case 'option_combo': {
      const dates = parsed.dates.map(labelOfExpiry).join('_')
      return `${pair}-${parsed.code}-${dates}-${parsed.strikes.map(printStrike).join('_')}`
    }
  }
}

/** The legs of a combo, with signed ratios, in the order of the name. */
export function comboLegsOf(combo: FutureComboName | OptionComboName): readonly ComboLeg[] {
  if (combo.type === 'future_combo') {
    return [
      { instrumentName: printFuture(combo.pair, combo.long), ratio: 1 },
      { instrumentName: printFuture(combo.pair, combo.short), ratio: -1 },
    ]
  }
  const { pair, dates, strikes } = combo
  return comboShapeOf(combo.code).legs.map(({ right, ratio, strikeAt, dateAt }) => {
    const expiration = placed(dates, dateAt)
    const strike = placed(strikes, strikeAt)
    const option = { type: 'option', pair, expiration, strike, right } as const
    return { instrumentName: printInstrumentName(option), ratio }
  })
}

/** A combo that some legs make. */
export interface NamedCombo {
  readonly name: string
  /** Whether all signs are the other way round, so that who wants the legs trades its other side. */
  readonly flipped: boolean
}

/**
 * The combos that are made of these legs, in any order and in any multiple of their ratios: the first is what a new
 * one is called, the others are further names of the same legs, which only spreads of futures have. Or why there
 * is none: `expected ..., found ...`.
 *
 * Source: market.md 1.1. Assumed: of two futures the later one, the perpetual last, is named first, as in all
 * public samples.
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

/** Every combo that could have legs of these names, whatever their ratios. */
function candidatesOf(names: readonly string[]): (FutureComboName | OptionComboName)[] {
  const parsed: ParsedName[] = []
  for (const name of names) {
    const each = parseInstrumentName(name)
    if (each.ok) parsed.push(each.value)
  }
  const [first] = parsed
  if (first === undefined || first.type === 'spot' || parsed.length !== names.length) return []
  const { pair } = first
  if (first.type !== 'option') return spreadsOf(parsed)
  const dates = new Set<Micros>()
  const strikes = new Set<Price9>()
  for (const each of parsed) {
    if (each.type !== 'option' || printPair(each.pair) !== printPair(pair)) return []
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
        .filter((list) =>
          fits(comboShapeOf(code), { dates: farFirst, strikes: list }, names.length),
        )
        .map((list) => ({ type: 'option_combo', pair, code, dates: farFirst, strikes: list })),
    )
}

function fits(
  shape: ComboShape,
  of: { readonly dates: readonly Micros[]; readonly strikes: readonly Price9[] },
  legCount: number,
): boolean {
  const isNamed = areDatesOf(shape, of.dates) && areStrikesOf(shape, of.strikes)
  return isNamed && shape.legs.length === legCount
}

/** Both names of a spread of two futures: the later one first, then the other way round. */
function spreadsOf(parsed: readonly ParsedName[]): FutureComboName[] {
  const [one, two] = parsed
  if (parsed.length !== 2 || one === undefined || two === undefined) return []
  if (!isFuture(one) || !isFuture(two) || printPair(one.pair) !== printPair(two.pair)) return []
  const dates = [one, two]
    .map((each) => (each.type === 'future' ? each.expiration : 'perpetual'))
    .sort((left, right) => placeOf(right) - placeOf(left))
  const [far, near] = dates
  if (far === undefined || near === undefined || far === near) return []
  const { pair } = one
  return [
    { type: 'future_combo', pair, long: far, short: near },
    { type: 'future_combo', pair, long: near, short: far },
  ]
}

function isFuture(
  parsed: ParsedName,
): parsed is Extract<ParsedName, { readonly type: 'perpetual' | 'future' }> {
  return parsed.type === 'perpetual' || parsed.type === 'future'
}

/** The perpetual stands after every date. */
function placeOf(date: FutureDate): number {
  return date === 'perpetual' ? 0 : date
}

/** 1 where the legs are these, -1 where all signs are the other way round, else 0. */
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

function parseSpot({ base, quote }: Pair): Result<ParsedName, string> {
  if (quote === null) return unexpected('more after the symbol, such as -PERPETUAL', base)
  return ok({ type: 'spot', base, quote })
}

function parseFuture(pair: Pair, text: string): Result<ParsedName, string> {
  if (text === 'PERPETUAL') return ok({ type: 'perpetual', pair })
  const expiration = expiryOfLabel(text)
  if (!expiration.ok) return unexpected('PERPETUAL or a date such as 27DEC24', text)
  return ok({ type: 'future', pair, expiration: expiration.value })
}

function parseOption(
  pair: Pair,
  dateText: string,
  { strikeText, rightText }: { readonly strikeText: string; readonly rightText: string },
): Result<ParsedName, string> {
  const expiration = expiryOfLabel(dateText)
  if (!expiration.ok) {
    return unexpected(
      `a date such as 27DEC24, FS or one of ${optionComboCodes.join(' ')}`,
      dateText,
    )
  }
  const strike = parseStrike(pair, strikeText)
  if (!strike.ok) return strike
  if (rightText !== 'C' && rightText !== 'P') return unexpected('C or P', rightText)
  const right = rightText === 'C' ? 'call' : 'put'
  return ok({ type: 'option', pair, expiration: expiration.value, strike: strike.value, right })
}

function parseFutureCombo(pair: Pair, tail: string): Result<ParsedName, string> {
  const [long, short, ...rest] = tail.split('_').map(parseFutureDate)
  if (long === undefined || short === undefined || rest.length > 0 || long === short) {
    return unexpected('two different legs such as 27SEP24_PERP', tail)
  }
  return ok({ type: 'future_combo', pair, long, short })
}

function parseOptionCombo(
  { pair, code }: { readonly pair: Pair; readonly code: OptionComboCode },
  dateTail: string,
  strikeTail: string,
): Result<ParsedName, string> {
  const shape = comboShapeOf(code)
  const dates: Micros[] = []
  for (const text of dateTail.split('_')) {
    const date = expiryOfLabel(text)
    if (!date.ok) return unexpected('a date such as 27DEC24', text)
    dates.push(date.value)
  }
  if (!areDatesOf(shape, dates)) {
    const wanted = shape.dateCount === 1 ? 'one date' : 'two dates, the far one first,'
    return unexpected(`${wanted} after ${code}`, dateTail)
  }
  const strikes: Price9[] = []
  for (const text of strikeTail.split('_')) {
    const strike = parseStrike(pair, text)
    if (!strike.ok) return strike
    strikes.push(strike.value)
  }
  if (!areStrikesOf(shape, strikes)) {
    const order = shape.strikeCount === 1 ? '' : `, ${shape.strikeOrder}`
    return unexpected(`strikes of ${code}: ${shape.strikeCount}${order}`, strikeTail)
  }
  return ok({ type: 'option_combo', pair, code, dates, strikes })
}

function areDatesOf(shape: ComboShape, dates: readonly Micros[]): boolean {
  const isFarFirst = dates.every((date, at) => at === 0 || date < placed(dates, at - 1))
  return dates.length === shape.dateCount && isFarFirst
}

function areStrikesOf(shape: ComboShape, strikes: readonly Price9[]): boolean {
  if (strikes.length !== shape.strikeCount) return false
  return strikes.every((strike, at) => {
    if (at === 0) return true
    const before = placed(strikes, at - 1)
    if (shape.strikeOrder === 'distinct') return strike !== before
    return shape.strikeOrder === 'ascending' ? strike > before : strike < before
  })
}

function parseStrike(pair: Pair, text: string): Result<Price9, string> {
  const form =
    pair.quote === null ? 'a whole strike such as 50000' : 'a strike such as 180 or 0d625'
  if (!STRIKE.test(text) || (pair.quote === null && text.includes('d'))) {
    return unexpected(form, text)
  }
  const scaled = parseScaled(text.replace('d', '.'), STRIKE_SCALE)
  if (!scaled.ok || scaled.value === 0n || scaled.value > BigInt(Number.MAX_SAFE_INTEGER)) {
    return unexpected(`${form}, above 0 and up to 9007199 with up to 9 decimals`, text)
  }
  return ok(price9(Number(scaled.value)))
}

function parseFutureDate(text: string): FutureDate | undefined {
  if (text === 'PERP') return 'perpetual'
  const date = expiryOfLabel(text)
  return date.ok ? date.value : undefined
}

function printPair({ base, quote }: Pair): string {
  return quote === null ? base : `${base}_${quote}`
}

function printStrike(strike: Price9): string {
  return formatScaledNumber(strike, STRIKE_SCALE).replace('.', 'd')
}

function printFutureDate(date: FutureDate): string {
  return date === 'perpetual' ? 'PERP' : labelOfExpiry(date)
}

function printFuture(pair: Pair, date: FutureDate): string {
  if (date === 'perpetual') return printInstrumentName({ type: 'perpetual', pair })
  return printInstrumentName({ type: 'future', pair, expiration: date })
}

function placed<T>(list: readonly T[], at: number): T {
  return defined(list[at], 'a combo names every date and strike of its shape')
}

function unexpected(
  expected: string,
  found: string,
): { readonly ok: false; readonly error: string } {
  return err(`expected ${expected}, found ${found === '' ? 'nothing' : `"${found}"`}`)
}
