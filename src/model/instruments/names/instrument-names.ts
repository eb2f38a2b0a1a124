/**
 * Instrument names: parsed and printed by the venue's grammar. Printing is the inverse of parsing, and every instrument
 * has exactly one name: no leading zeros, no trailing zeros after the `d`.
 *
 * ```
 * perpetual = pair "-PERPETUAL"        future = pair "-" date        spot = base "_" quote
 * option    = pair "-" date "-" strike "-" ("C" / "P")
 * combo     = pair "-FS-" leg_exp "_" leg_exp
 *           / pair "-" code "-" date ["_" date] "-" strike *("_" strike)
 * ```
 * A pair is a single base (inverse, counter currency USD) or base_quote (linear, settled in the quote). Dates mean
 * 08:00 UTC. Strikes are counts of 1e-9 USD or quote units; decimals, with `d` for the point, exist only in linear
 * names. The catalogue decides which pairs are traded.
 *
 * Rule: instruments.name. Source: market.md 1.1; R44 (bases are not limited to the currencies). Limit: names of at most
 * `NAME_LENGTH_MAX` characters.
 */
import {
  err,
  expiryOfLabel,
  formatScaledNumber,
  labelOfExpiry,
  type Micros,
  ok,
  type Price9,
  parseScaled,
  price9,
  type Result,
} from '../../../core/index.ts'
import type { OptionRight } from '../../words/instruments.ts'
import {
  areDatesOf,
  areStrikesOf,
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

/** An option combo; dates and strikes have the order of the name, two dates as far, near. */
export interface OptionComboName {
  readonly type: 'option_combo'
  readonly pair: Pair
  readonly code: OptionComboCode
  readonly dates: readonly Micros[]
  readonly strikes: readonly Price9[]
}

/** The parts of an instrument's name. */
export type ParsedName =
  | { readonly type: 'perpetual'; readonly pair: Pair }
  | { readonly type: 'future'; readonly pair: Pair; readonly expiration: Micros }
  | {
      readonly type: 'option'
      readonly pair: Pair
      readonly expiration: Micros
      readonly strike: Price9
      readonly right: OptionRight
    }
  | { readonly type: 'spot'; readonly base: string; readonly quote: string }
  | FutureComboName
  | OptionComboName

const NAME_LENGTH_MAX = 120
const PAIR = /^([A-Z0-9]+)(?:_([A-Z0-9]+))?$/
const STRIKE = /^(?:0|[1-9][0-9]*)(?:d[0-9]*[1-9])?$/
const STRIKE_SCALE = 9

/** Parses a name, or returns the fault as text: `expected …, found …`. */
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
  if (isOptionComboCode(second)) return parseOptionCombo(pair, second, third, fourth)
  return parseOption(pair, second, third, fourth)
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

function parseSpot({ base, quote }: Pair): Result<ParsedName, string> {
  if (quote === null) return unexpected('a suffix after the symbol, such as -PERPETUAL', base)
  return ok({ type: 'spot', base, quote })
}

function parseFuture(pair: Pair, text: string): Result<ParsedName, string> {
  if (text === 'PERPETUAL') return ok({ type: 'perpetual', pair })
  const expiration = expiryOfLabel(text)
  if (!expiration.ok) return unexpected('PERPETUAL or a date such as 27DEC24', text)
  return ok({ type: 'future', pair, expiration: expiration.value })
}

function parseOption(pair: Pair, dateText: string, strikeText: string, rightText: string): Result<ParsedName, string> {
  const expiration = expiryOfLabel(dateText)
  if (!expiration.ok) {
    return unexpected(`a date such as 27DEC24, FS or one of ${optionComboCodes.join(' ')}`, dateText)
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
  pair: Pair,
  code: OptionComboCode,
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

function parseStrike(pair: Pair, text: string): Result<Price9, string> {
  const form = pair.quote === null ? 'a whole strike such as 50000' : 'a strike such as 180 or 0d625'
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

/** A pair as the beginning of a name. Only for this folder. */
export function printPair({ base, quote }: Pair): string {
  return quote === null ? base : `${base}_${quote}`
}

function printStrike(strike: Price9): string {
  return formatScaledNumber(strike, STRIKE_SCALE).replace('.', 'd')
}

function printFutureDate(date: FutureDate): string {
  return date === 'perpetual' ? 'PERP' : labelOfExpiry(date)
}

/** A fault of a name or of legs. Only for this folder. */
export function unexpected(expected: string, found: string): { readonly ok: false; readonly error: string } {
  return err(`expected ${expected}, found ${found === '' ? 'nothing' : `"${found}"`}`)
}
