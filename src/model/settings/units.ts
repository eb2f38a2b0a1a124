/**
 * Units of settings: the forms of a value in scenario files, in heads of journals and in the settings of an exchange,
 * and the texts for its bounds.
 */
import {
  amount,
  type DecimalInput,
  err,
  formatDuration,
  formatIsoTime,
  formatScaled,
  type Micros,
  micros,
  ok,
  parseDecimalInput,
  parseDuration,
  parseIsoTime,
  parseScaled,
  powerOfTen,
  type Result,
} from '../../core/index.ts'
import { baseName } from '../instruments/matching.ts'
import { hasListedOptions, isListedPair } from '../instruments/venue-terms.ts'
import type { Leaf } from './declaration.ts'

type LeafOf<U extends Leaf['unit']> = Extract<Leaf, { readonly unit: U }>
type Scaled = LeafOf<'parts' | 'money' | 'double'>

/** The kind of source of a value. */
export type Place = 'file' | 'journal' | 'config'

const MONEY_SCALE = 9
const pairs = {
  futures: { isListed: isListedPair, expected: 'a pair with dated futures' },
  options: { isListed: hasListedOptions, expected: 'a pair with options' },
} as const

/** Reads a value, or returns the expected text. An empty text leaves the fault to the schema of files. */
export function readSettingLeaf(leaf: Leaf, given: unknown, place: Place): Result<unknown, string> {
  if (given === null && leaf.default === null && place !== 'file') return ok(null)
  const read = place === 'config' ? given : readers[place](leaf, given)
  if (read === undefined && place === 'file') return err('')
  if (read instanceof Mistake) return err(read.expected)
  return isWithin(leaf, read) ? ok(read) : err(leafExpectation(leaf, place))
}

/** A value in the form of journals. */
export function writeSettingLeaf(leaf: Leaf, value: unknown): unknown {
  if (value === null) return null
  // The value has the type of its unit.
  if (leaf.unit === 'money') return formatScaled(value as bigint, MONEY_SCALE)
  if (leaf.unit === 'moment') return formatIsoTime(value as Micros)
  if (leaf.unit !== 'parts' || leaf.counted === true) return value
  return formatScaled(BigInt(value as number), leaf.scale)
}

/** Text for the default of a value; null if there is no default or it is null. */
export function leafDefault(leaf: Leaf): string | null {
  return leaf.default === undefined || leaf.default === null ? null : leafWords(leaf, leaf.default)
}

/** A value in the form of files. */
export function leafWords(leaf: Leaf, value: unknown): string {
  if (leaf.unit === 'micros') return formatDuration(Number(value))
  // The value has the type of its unit.
  if (leaf.unit === 'parts') return formatScaled(BigInt(value as number), leafPlaces(leaf))
  return leaf.unit === 'money' ? formatScaled(value as bigint, MONEY_SCALE) : String(value)
}

/** Text for the expected values. For files it covers only the facts that their schema does not check. */
export function leafExpectation(leaf: Leaf, place: Place): string {
  switch (leaf.unit) {
    case 'flag':
      return 'true or false'
    case 'word':
      return `one of ${leaf.words.join(', ')}`
    case 'text':
      return textWords(leaf)
    case 'pair':
      return `${pairs[leaf.of].expected}, such as BTC or ETH_USDC`
    case 'base':
      return 'a base in capital letters, such as XAU'
    case 'count':
      return `a whole number ${rangeWords(leaf.min, leaf.max)}`
    case 'micros':
      return place === 'file' ? durationWords(leaf) : `whole microseconds ${rangeWords(leaf.min, leaf.max)}`
    case 'moment':
      return place === 'config' ? 'whole microseconds since 1970' : 'an ISO 8601 time'
    case 'risk_limit':
      return place === 'file'
        ? '-1 for no limit, or an amount of at least 0 with up to 9 decimals'
        : 'a whole number of 1e-9, at least 0; -1 for no limit, or null'
    default:
      return scaledWords(leaf, place)
  }
}

/** Bounds as counts of the last place. */
export function leafBounds(leaf: Scaled): { readonly min: bigint; readonly max: bigint } {
  if (leaf.unit === 'money') return { min: 0n, max: leaf.max }
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = leaf
  return { min: BigInt(min), max: BigInt(max) }
}

/** Decimal places of a number in files. */
export function leafPlaces(leaf: Scaled): number {
  if (leaf.unit === 'money') return MONEY_SCALE
  return leaf.unit === 'parts' && leaf.percent === true ? leaf.scale - 2 : leaf.scale
}

/** True for a number in the form of parsed documents. */
function isDecimalInput(given: unknown): given is DecimalInput {
  if (typeof given === 'number') return true
  return typeof given === 'object' && given !== null && 'decimal' in given
}

/** A fault whose expected text is not that of the bounds. */
class Mistake {
  readonly expected: string
  constructor(expected: string) {
    this.expected = expected
  }
}

const readers: {
  readonly [P in Exclude<Place, 'config'>]: (leaf: Leaf, given: unknown) => unknown
} = {
  file: (leaf, given) => {
    switch (leaf.unit) {
      case 'micros': {
        const read = typeof given === 'string' ? parseDuration(given) : undefined
        if (read?.ok === false) return new Mistake(read.error.expected)
        return read === undefined ? undefined : micros(read.value)
      }
      case 'moment': {
        const read = typeof given === 'string' ? parseIsoTime(given) : undefined
        return read?.ok === false ? new Mistake(read.error.expected) : read?.value
      }
      case 'risk_limit':
        return isDecimalInput(given) ? numberOf(leaf, given) : new Mistake(leafExpectation(leaf, 'file'))
      case 'parts':
      case 'money':
      case 'double':
        return isDecimalInput(given) ? numberOf(leaf, given) : undefined
      case 'pair':
      case 'base':
        return typeof given === 'string' ? given : undefined
      default:
        // The schema of files checks this completely.
        return isWithin(leaf, given) ? given : undefined
    }
  },
  journal: (leaf, given) => {
    if (leaf.unit === 'moment') {
      const read = typeof given === 'string' ? parseIsoTime(given) : undefined
      return read?.ok === true ? read.value : undefined
    }
    const isText = leaf.unit === 'money' || (leaf.unit === 'parts' && leaf.counted !== true)
    if (!isText) return given
    const read = typeof given === 'string' ? parseScaled(given, scaleOf(leaf)) : undefined
    if (read?.ok !== true) return undefined
    return leaf.unit === 'money' ? amount(read.value) : Number(read.value)
  },
}

function numberOf(leaf: Scaled | LeafOf<'risk_limit'>, given: DecimalInput): unknown {
  if (leaf.unit === 'risk_limit') {
    const limit = parseDecimalInput(given, MONEY_SCALE)
    if (!limit.ok) return new Mistake(leafExpectation(leaf, 'file'))
    return limit.value === -BigInt(powerOfTen(MONEY_SCALE)) ? -1 : belowNone(limit.value)
  }
  const scaled = parseDecimalInput(given, leafPlaces(leaf))
  if (!scaled.ok) return new Mistake(leafExpectation(leaf, 'file'))
  if (leaf.unit === 'double') return typeof given === 'number' ? given : Number(given.decimal)
  return leaf.unit === 'money' ? amount(scaled.value) : Number(scaled.value)
}

/** Returns a limit as a number; NaN, which is out of bounds, for one below 0. */
function belowNone(limit: bigint): number {
  return limit < 0n ? Number.NaN : Number(limit)
}

function scaleOf(leaf: LeafOf<'parts' | 'money'>): number {
  return leaf.unit === 'money' ? MONEY_SCALE : leaf.scale
}

function isWithin(leaf: Leaf, value: unknown): boolean {
  switch (leaf.unit) {
    case 'flag':
      return typeof value === 'boolean'
    case 'word':
      return leaf.words.some((word) => word === value)
    case 'text':
      return typeof value === 'string' && isTextOf(leaf, value)
    case 'pair':
      return typeof value === 'string' && pairs[leaf.of].isListed(value)
    case 'base':
      return typeof value === 'string' && baseName.test(value)
    case 'moment':
      return isWhole(value)
    case 'risk_limit':
      return isWhole(value, -1)
    case 'money':
      return typeof value === 'bigint' && value >= 0n && value <= leaf.max
    case 'double': {
      if (typeof value !== 'number') return false
      const scaled = parseDecimalInput(value, leaf.scale)
      return scaled.ok && scaled.value >= leaf.min && scaled.value <= leaf.max
    }
    default:
      return isWhole(value, leaf.min, leaf.max)
  }
}

function isWhole(value: unknown, min = 0, max: number = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
}

function isTextOf({ min = 0, max = Number.POSITIVE_INFINITY, form }: LeafOf<'text'>, text: string): boolean {
  return text.length >= min && text.length <= max && form?.pattern.test(text) !== false
}

function textWords({ min, max, form }: LeafOf<'text'>): string {
  if (form !== undefined) return form.expected
  if (max === undefined) return 'a text'
  return min === undefined ? `a text of at most ${max} characters` : `a text of ${min} to ${max} characters`
}

function rangeWords(min = 0, max?: number): string {
  return max === undefined ? `from ${min}` : `from ${min} to ${max}`
}

function durationWords({ min = 0, max }: LeafOf<'micros'>): string {
  const most = max === undefined ? '' : formatDuration(max)
  if (min === 0) return max === undefined ? 'a duration' : `a duration of at most ${most}`
  if (min > 1) {
    const least = formatDuration(min)
    return max === undefined ? `a duration of at least ${least}` : `a duration from ${least} to ${most}`
  }
  return max === undefined ? 'a duration above 0' : `a duration above 0 and up to ${most}`
}

function scaledWords(leaf: Scaled, place: Place): string {
  const { min, max } = leafBounds(leaf)
  const places = leafPlaces(leaf)
  if (leaf.unit === 'money') {
    const range = `money from 0 to ${formatScaled(max, places)}`
    return place === 'config' ? `${range}, as a bigint in 1e-9` : `${range} with up to 9 decimals`
  }
  const isCount = leaf.unit === 'parts' && (place === 'config' || leaf.counted === true)
  if (isCount && place !== 'file') {
    const unit = leaf.scale === 6 ? 'parts per million' : `whole counts of 1e-${leaf.scale}`
    return `${unit} from ${min} to ${max}`
  }
  const scale = place === 'file' ? places : leaf.scale
  const noun = leaf.noun ?? (leaf.unit === 'double' ? 'number' : 'fraction')
  const words = `a ${noun} ${decimalRange(min, max, scale)} with up to ${scale} decimals`
  return place === 'journal' && leaf.unit === 'parts' ? `${words}, as a string` : words
}

/** Text for the range of a decimal: inclusive ends, or `above` and `below` if an end is one count away from 0 or 1. */
function decimalRange(min: bigint, max: bigint, scale: number): string {
  const one = BigInt(powerOfTen(scale))
  const most = formatScaled(max, scale)
  if (min === 1n) return max + 1n === one ? 'above 0 and below 1' : `above 0 and up to ${most}`
  return min === 0n && max === one ? 'between 0 and 1' : `from ${formatScaled(min, scale)} to ${most}`
}
