/**
 * The slow reader of lines: reads the cells of one record from texts.
 *
 * It defines the meaning of all lines that the fast reader (`line-scan.ts`) does not support. Numbers may have blanks
 * around them, a plus, an exponent, or a point at either end; nothing is rounded. The reader accepts negative prices;
 * the cursor, which knows the instrument, permits them only for combos.
 */
import { assert, divFloorBig, parseIsoTime } from '../../core/index.ts'
import { rowFlags } from '../batch.ts'
import { type RoleName, type TimeUnit, unitDigits } from '../format.ts'
import { type FeedLayout, shortened } from './layout.ts'
import { baseFlagsOf } from './line-scan.ts'
import { DECIMALS_MAX, draftSlot, noNumber, type RowDraft, textNumber } from './row-builder.ts'

/** A mistake in a cell, or, without a column, in the record as a whole. */
export interface CellFault {
  readonly column?: string
  readonly found: string
  readonly expected: string
  /** The key of `columns` that would read the cell, for formats with a description of columns. */
  readonly hint?: string
}

/** Longest number that is examined, in characters. */
const NUMBER_LENGTH_MAX = 400
const NUMBER = /^[+-]?(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,3}))?$/
const SAFE_MAX = BigInt(Number.MAX_SAFE_INTEGER)
const encoder = new TextEncoder()

/** The fault of a record with another number of cells than the header, or null. */
export function countFault(layout: FeedLayout, cells: readonly string[]): CellFault | null {
  const { length } = layout.names
  if (cells.length === length) return null
  const isEmpty = cells.length === 0 || (cells.length === 1 && cells[0] === '')
  const found = isEmpty ? 'an empty line' : `${cells.length}`
  return { found, expected: `${length} cells, as in the header` }
}

/** Reads the cells of a record of the wanted symbol into the draft. */
export function readRecord(layout: FeedLayout, cells: readonly string[], draft: RowDraft): CellFault | null {
  assert(cells.length === layout.names.length, 'a record has the cells of its header')
  draft.flags = baseFlagsOf(layout)
  // In column order, so that the first mistake of a line is the reported one.
  const roles = Object.entries(layout.at).filter(([, at]) => at >= 0)
  roles.sort(([, left], [, right]) => left - right)
  for (const [role, at] of roles) {
    // The keys of the layout are the roles.
    const column = layout.names[at] ?? ''
    const fault = readCell(layout, role as RoleName, { text: cells[at] ?? '', draft, column })
    if (fault !== null) return { column, ...fault }
  }
  const isLeftOut = layout.leaveOut.some(({ at, word }) => (word === null ? cells[at] !== '' : cells[at] === word))
  if (isLeftOut) draft.flags |= rowFlags.leftOut
  if (layout.at.localTime < 0) {
    draft.numbers[draftSlot.localTime] = draft.numbers[draftSlot.time] as number
  }
  return null
}

interface Cell {
  readonly column: string
  readonly text: string
  readonly draft: RowDraft
}

function readCell(layout: FeedLayout, role: RoleName, cell: Cell): CellFault | null {
  switch (role) {
    case 'time':
      return readTime(cell, draftSlot.time, layout.timeUnit)
    case 'localTime':
      return readTime(cell, draftSlot.localTime, layout.localTimeUnit)
    case 'snapshot':
      return readSnapshot(layout, cell)
    case 'side':
      return readSide(layout, cell)
    case 'price':
      if (layout.kind === 'index' && cell.text === '') {
        cell.draft.numbers[draftSlot.price] = Number.NaN
        return null
      }
      return readDecimal(cell, draftSlot.price, true)
    case 'amount':
      if (layout.kind === 'index' && cell.text === '') {
        cell.draft.numbers[draftSlot.amount] = 0
        cell.draft.numbers[draftSlot.amountDecimals] = 0
        return null
      }
      // In a row of an index the amount is a mark price.
      return readDecimal(cell, draftSlot.amount, layout.kind === 'index')
    case 'tradeId':
      return readTradeId(cell)
    case 'sequence':
      return readSequence(cell, draftSlot.sequence)
    case 'previousSequence':
      // Binance writes -1 if no message came before.
      if (cell.text === '-1') return readSequence({ ...cell, text: '' }, draftSlot.previousSequence)
      return readSequence(cell, draftSlot.previousSequence)
    case 'skipped':
    case 'exchange':
    case 'symbol':
      return null
  }
}

/** Digits of a number and the number of decimals among them; a negative number means zeros to append. */
interface Digits {
  readonly isNegative: boolean
  readonly digits: string
  readonly decimals: number
}

function digitsOf(text: string): Digits | null {
  const trimmed = text.trim()
  const match = trimmed.length <= NUMBER_LENGTH_MAX ? NUMBER.exec(trimmed) : null
  if (match === null) return null
  const [, whole = '', fraction = match[3] ?? '', , exponent = '0'] = match
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '') return { isNegative: false, digits: '0', decimals: 0 }
  const isNegative = trimmed.startsWith('-')
  const decimals = fraction.length - Number(exponent)
  const least = digits.replace(/0+$/, '')
  return { isNegative, digits: least, decimals: decimals - (digits.length - least.length) }
}

function readDecimal({ text, draft }: Cell, slot: 2 | 4, mayBeNegative: boolean): CellFault | null {
  const number = digitsOf(text)
  if (number === null || (number.isNegative && !mayBeNegative)) {
    const expected = mayBeNegative ? 'a number' : 'a number that is not negative'
    return { found: wordsOf(text), expected }
  }
  if (number.decimals > DECIMALS_MAX) {
    return { found: wordsOf(text), expected: `a number of at most ${DECIMALS_MAX} decimals` }
  }
  const zeros = Math.max(0, -number.decimals)
  const mantissa = Number(number.digits + '0'.repeat(Math.min(zeros, 20)))
  if (mantissa > Number.MAX_SAFE_INTEGER) {
    return { found: wordsOf(text), expected: 'a number of at most 15 digits' }
  }
  draft.numbers[slot] = number.isNegative ? -mantissa : mantissa
  draft.numbers[slot + 1] = Math.max(0, number.decimals)
  return null
}

/** Reads a time in microseconds; finer digits are cut off. */
function readTime(cell: Cell, slot: 0 | 1, unit: TimeUnit): CellFault | null {
  const { text, draft } = cell
  if (unit === 'iso') {
    const read = parseIsoTime(isoTextOf(text.trim()))
    if (!read.ok) {
      const isNumber = /^\d+$/.test(text.trim())
      const hint = isNumber ? unitHint(cell, slot, 'ms') : null
      return { found: wordsOf(text), expected: read.error.expected, ...hinted(hint) }
    }
    draft.numbers[slot] = read.value
    return null
  }
  const number = digitsOf(text)
  const expected = `a time since the epoch in ${unit}`
  if (number === null || number.isNegative || Math.abs(number.decimals) > NUMBER_LENGTH_MAX) {
    const isIso = ISO_DATE.test(text.trim())
    const hint = isIso ? unitHint(cell, slot, 'iso') : null
    return { found: wordsOf(text), expected, ...hinted(hint) }
  }
  const places = unitDigits[unit] - number.decimals
  const digits = BigInt(number.digits)
  const power = BigInt(`1${'0'.repeat(Math.abs(places))}`)
  const time = places >= 0 ? digits * power : divFloorBig(digits, power)
  const looksLike = likelyUnit(time, unit)
  const found = looksLike === null ? wordsOf(text) : `${wordsOf(text)}, which looks like ${looksLike}`
  if (time > SAFE_MAX) return { found, expected }
  draft.numbers[slot] = Number(time)
  return null
}

/** A text that begins with a date and a time of day. */
const ISO_DATE = /^\d{4}-\d\d-\d\d[T ]\d\d:/

/** The key of a description that would read a time in another unit. */
function unitHint(cell: Cell, slot: 0 | 1, unit: 'ms' | 'iso'): string {
  const key = slot === draftSlot.time ? 'timestamp' : 'local_timestamp'
  const reads = unit === 'iso' ? 'times such as 2026-01-05T09:00:00Z' : 'milliseconds; also s, us and ns'
  return `in columns, ${key}: { column: ${cell.column}, unit: ${unit} } reads ${reads}`
}

function hinted(hint: string | null): Pick<CellFault, 'hint'> {
  return hint === null ? {} : { hint }
}

/** The forms of pandas, Polars, PostgreSQL and ClickHouse: a blank for the T, short offsets, nanoseconds. */
const TIME_OF_TOOLS = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d{1,9})? ?(?:(Z|UTC)|([+-]\d\d)(?::?(\d\d))?)$/

/** A time of another tool in the ISO 8601 form of this library; other texts unchanged. */
function isoTextOf(text: string): string {
  const match = TIME_OF_TOOLS.exec(text)
  if (match === null) return text
  const [, date = '', clock = '', fraction = '', zone, hours = '', minutes = '00'] = match
  const offset = zone === undefined ? `${hours}:${minutes}` : 'Z'
  return `${date}T${clock}${fraction.slice(0, 7)}${offset}`
}

/** The microseconds in a unit, as a fraction: a nanosecond is a thousandth. */
const unitFractions = {
  s: [1_000_000n, 1n],
  ms: [1_000n, 1n],
  us: [1n, 1n],
  ns: [1n, 1_000n],
} as const
const unitNames = {
  s: 'seconds',
  ms: 'milliseconds',
  us: 'microseconds',
  ns: 'nanoseconds',
} as const
/** From 2000 to 2100, in microseconds. In these years no number is a valid time in two of the units. */
const LIKELY_FROM = 946_684_800_000_000n
const LIKELY_TO = 4_102_444_800_000_000n

/**
 * The unit in which a time would be in the years 2000 to 2100. Null if it is in these years in its own unit, or in no
 * unit.
 */
export function likelyUnit(time: bigint, unit: TimeUnit): string | null {
  const isLikely = (micros: bigint): boolean => micros >= LIKELY_FROM && micros < LIKELY_TO
  if (unit === 'iso' || isLikely(time)) return null
  const [multiplier, divisor] = unitFractions[unit]
  const number = divFloorBig(time * divisor, multiplier)
  for (const other of ['s', 'ms', 'us', 'ns'] as const) {
    const [factor, share] = unitFractions[other]
    if (other !== unit && isLikely(divFloorBig(number * factor, share))) return unitNames[other]
  }
  return null
}

function readSnapshot(layout: FeedLayout, { text, draft }: Cell): CellFault | null {
  if (text === layout.snapshotWord) draft.flags |= rowFlags.snapshot
  else if (layout.changeWord !== null && text !== layout.changeWord) {
    return { found: wordsOf(text), expected: `${layout.snapshotWord} or ${layout.changeWord}` }
  }
  return null
}

/** Usual words of sides, in lower case. */
const sidePairs = [
  ['buy', 'sell'],
  ['bid', 'ask'],
  ['bids', 'asks'],
  ['b', 's'],
  ['b', 'a'],
] as const

/** The key of a description that would read a word of a side. */
function sideHint(column: string, text: string): string {
  const pair = sidePairs.find((words) => words.some((word) => word === text.toLowerCase()))
  const [buy, sell] = pair === undefined ? ['WORD', 'WORD'] : pair.map((word) => casedAs(word, text))
  return `in columns, side: { column: ${column}, buy: ${buy}, sell: ${sell} } names the words of the file`
}

/** A word in the letter case of another one: `buy`, `Buy` or `BUY`. */
function casedAs(word: string, text: string): string {
  if (text === text.toLowerCase()) return word
  const isUpper = text === text.toUpperCase()
  return isUpper ? word.toUpperCase() : `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

function readSide(layout: FeedLayout, { text, draft, column }: Cell): CellFault | null {
  const { kind, buyWord, sellWord } = layout
  if (text === buyWord) return null
  if (text === sellWord) {
    draft.flags |= rowFlags.sell
    return null
  }
  if (kind === 'trades' && (text === 'unknown' || text === '')) {
    draft.flags |= rowFlags.unknownSide
    return null
  }
  const words = kind === 'trades' ? `${buyWord}, ${sellWord} or unknown` : `${buyWord} or ${sellWord}`
  return { found: wordsOf(text), expected: words, hint: sideHint(column, text) }
}

function readSequence({ text, draft }: Cell, slot: 6 | 7): CellFault | null {
  const isNumber = /^[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text))
  if (!isNumber && text !== '') return { found: wordsOf(text), expected: 'a whole number' }
  draft.numbers[slot] = isNumber ? Number(text) : noNumber
  return null
}

function readTradeId({ text, draft }: Cell): CellFault | null {
  if (text === '' || (/^[0-9]{1,16}$/.test(text) && Number.isSafeInteger(Number(text)))) {
    draft.numbers[draftSlot.sequence] = text === '' ? noNumber : Number(text)
    return null
  }
  draft.numbers[draftSlot.sequence] = textNumber
  draft.idBytes = encoder.encode(text)
  draft.idFrom = 0
  draft.idTo = draft.idBytes.length
  return null
}

/** A cell as shown in messages. */
function wordsOf(text: string): string {
  return text === '' ? 'nothing' : JSON.stringify(shortened(text))
}
