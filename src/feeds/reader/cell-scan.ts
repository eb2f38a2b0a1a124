/**
 * The fast reader of cells: converts bytes to numbers and flags in the draft of a row. Each function reads one cell and
 * returns its end, the position of a byte that the caller checks; see `line-scan.ts`.
 */
import { rowFlags } from '../batch.ts'
import { columnRole } from '../format.ts'
import { DECIMALS_MAX, draftSlot, noNumber, powers, type RowBuilder, type RowFault, textNumber } from './row-builder.ts'

/** Result for cells and lines that the fast reader does not support. */
export const ODD = -1
/** Result for cells and lines of another symbol. */
export const OTHER = -2
/** Additional role of a column that the fast reader never supports, besides those of `columnRole`. */
export const ODD_ROLE = 255
export const NEWLINE = 10
export const RETURN = 13
const QUOTE = 34
const POINT = 46
const ZERO = 48

/** Why the scan of lines stopped. */
type ScanStop = 'limit' | 'odd' | RowFault

/** Inputs of the scan of a file. Each file has one such object. */
export interface LineScan {
  readonly builder: RowBuilder
  readonly numbers: Float64Array
  /** A code of `columnRole` for each column. */
  readonly roles: Uint8Array
  readonly delimiter: number
  readonly isIndex: boolean
  readonly hasLocalTime: boolean
  /** Flags of every row. */
  readonly baseFlags: number
  readonly buyWord: Uint8Array
  readonly sellWord: Uint8Array
  readonly unknownWord: Uint8Array
  readonly snapshotWord: Uint8Array
  readonly changeWord: Uint8Array | null
  /** Number of digits of a time below a microsecond, and the number of microseconds in a unit. */
  readonly timeCut: number
  readonly timeFactor: number
  readonly localTimeCut: number
  readonly localTimeFactor: number
  bytes: Uint8Array
  /** Number of leading columns whose cells the rows of one message share: symbol, times and the like. */
  readonly sharedColumns: number
  /** Position of these cells in the previous line, and their flags; no bytes if unknown. */
  sharedFrom: number
  sharedBytes: number
  sharedFlags: number
  /** The symbol to read; null until one is known. */
  symbol: Uint8Array | null
  /** True to skip lines of other symbols; otherwise the slow reader gets them. */
  readonly passesOthers: boolean
  /** Records read so far. */
  records: number
  /** Number of records of other symbols, and the number of the first one (0 for none). */
  others: number
  firstOther: number
  stop: ScanStop
}

/** Reads a cell. Returns its end, the position of a byte that the caller checks, or `ODD` or `OTHER`. */
export function scanCell(scan: LineScan, from: number, role: number): number {
  switch (role) {
    case columnRole.skipped:
    case columnRole.exchange:
      return skipCell(scan, from)
    case columnRole.symbol:
      return scanSymbol(scan, from)
    case columnRole.time:
      return scanTime(scan, from, draftSlot.time)
    case columnRole.localTime:
      return scanTime(scan, from, draftSlot.localTime)
    case columnRole.snapshot:
      return scanSnapshot(scan, from)
    case columnRole.side:
      return scanSide(scan, from)
    case columnRole.price:
      return scanDecimal(scan, from, draftSlot.price)
    case columnRole.amount:
      return scanDecimal(scan, from, draftSlot.amount)
    case columnRole.tradeId:
      return scanTradeId(scan, from)
    case columnRole.sequence:
      return scanSequence(scan, from, draftSlot.sequence)
    case ODD_ROLE:
      return ODD
    default:
      return scanSequence(scan, from, draftSlot.previousSequence)
  }
}

/** The end of a cell that may contain anything except a quote; otherwise `ODD`. */
export function skipCell(scan: LineScan, from: number): number {
  const { bytes, delimiter } = scan
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === delimiter || byte === NEWLINE || byte === RETURN) return at
    if (byte === QUOTE) return ODD
    at += 1
  }
}

function scanSymbol(scan: LineScan, from: number): number {
  if (scan.symbol === null) return ODD
  const end = scanWord(scan, from, scan.symbol)
  if (end >= 0) return end
  return scan.passesOthers ? OTHER : ODD
}

/** The end of a cell that contains exactly this word; otherwise `ODD`. */
function scanWord(scan: LineScan, from: number, word: Uint8Array): number {
  const { bytes } = scan
  for (let at = 0; at < word.length; at += 1) if (bytes[from + at] !== word[at]) return ODD
  const end = from + word.length
  return isEnd(scan, end) ? end : ODD
}

function isEnd(scan: LineScan, at: number): boolean {
  const byte = scan.bytes[at]
  return byte === scan.delimiter || byte === NEWLINE || byte === RETURN
}

/** Reads up to 17 digits, in two halves that are small integers. */
function scanTime(scan: LineScan, from: number, slot: 0 | 1): number {
  const { bytes } = scan
  const cut = slot === draftSlot.time ? scan.timeCut : scan.localTimeCut
  const factor = slot === draftSlot.time ? scan.timeFactor : scan.localTimeFactor
  let at = from
  let high = 0
  const middle = from + 8
  let digit = (bytes[at] as number) - ZERO
  while (at < middle && digit >= 0 && digit <= 9) {
    high = high * 10 + digit
    at += 1
    digit = (bytes[at] as number) - ZERO
  }
  if (at === from) return ODD
  // A present-day time in nanoseconds has 19 digits; the last three are cut off.
  const to = middle + (cut === 0 ? 9 : 8)
  let low = 0
  while (at < to && digit >= 0 && digit <= 9) {
    low = low * 10 + digit
    at += 1
    digit = (bytes[at] as number) - ZERO
  }
  const value = at > middle ? high * (powers[at - middle] as number) + low : high
  if (cut > 0) {
    if (at !== to) return ODD
    for (let more = 0; more < cut; more += 1) {
      if (digit < 0 || digit > 9) return ODD
      at += 1
      digit = (bytes[at] as number) - ZERO
    }
  }
  const time = value * factor
  if (time > Number.MAX_SAFE_INTEGER) return ODD
  scan.numbers[slot] = time
  return at
}

/** Reads digits with at most one point between them: a mantissa of at most 15 digits and its decimals. */
function scanDecimal(scan: LineScan, from: number, slot: 2 | 4): number {
  const { bytes, numbers } = scan
  let at = from
  let mantissa = 0
  let digit = (bytes[at] as number) - ZERO
  while (digit >= 0 && digit <= 9) {
    mantissa = mantissa * 10 + digit
    at += 1
    digit = (bytes[at] as number) - ZERO
  }
  if (at === from) {
    if (!scan.isIndex || !isEnd(scan, at)) return ODD
    // A row without an index value has no meaning; a row without a mark price has mark price 0.
    numbers[slot] = slot === draftSlot.price ? Number.NaN : 0
    numbers[slot + 1] = 0
    return at
  }
  let decimals = 0
  let digits = at - from
  if (bytes[at] === POINT) {
    const point = at
    at += 1
    digit = (bytes[at] as number) - ZERO
    while (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit
      at += 1
      digit = (bytes[at] as number) - ZERO
    }
    decimals = at - point - 1
    if (decimals === 0 || decimals > DECIMALS_MAX) return ODD
    digits += decimals
  }
  if (digits > 15) return ODD
  numbers[slot] = mantissa
  numbers[slot + 1] = decimals
  return at
}

function scanSnapshot(scan: LineScan, from: number): number {
  const end = scanWord(scan, from, scan.snapshotWord)
  if (end >= 0) {
    scan.builder.draft.flags |= rowFlags.snapshot
    return end
  }
  return scan.changeWord === null ? skipCell(scan, from) : scanWord(scan, from, scan.changeWord)
}

function scanSide(scan: LineScan, from: number): number {
  let end = scanWord(scan, from, scan.buyWord)
  if (end >= 0) return end
  end = scanWord(scan, from, scan.sellWord)
  if (end >= 0) {
    scan.builder.draft.flags |= rowFlags.sell
    return end
  }
  end = scanWord(scan, from, scan.unknownWord)
  if (end >= 0) scan.builder.draft.flags |= rowFlags.unknownSide
  return end
}

/** Reads a whole number of at most 15 digits, or an empty cell. */
function scanSequence(scan: LineScan, from: number, slot: 6 | 7): number {
  const { bytes } = scan
  let at = from
  let value = 0
  let digit = (bytes[at] as number) - ZERO
  while (digit >= 0 && digit <= 9) {
    value = value * 10 + digit
    at += 1
    digit = (bytes[at] as number) - ZERO
  }
  if (at - from > 15 || !isEnd(scan, at)) return ODD
  scan.numbers[slot] = at === from ? noNumber : value
  return at
}

/** Reads a number, or any text without a quote. */
function scanTradeId(scan: LineScan, from: number): number {
  const end = scanSequence(scan, from, draftSlot.sequence)
  if (end >= 0) return end
  const { draft } = scan.builder
  const to = skipCell(scan, from)
  // Longer numbers may still be safe integers; the slow reader decides that.
  if (to < 0 || isAllDigits(scan.bytes, from, to)) return ODD
  scan.numbers[draftSlot.sequence] = textNumber
  draft.idBytes = scan.bytes
  draft.idFrom = from
  draft.idTo = to
  return to
}

function isAllDigits(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] as number) - ZERO
    if (digit < 0 || digit > 9) return false
  }
  return true
}
