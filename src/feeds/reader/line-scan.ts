/**
 * The fast reader of lines: bytes to numbers, without a string for any cell.
 *
 * It reads a line only where it understands every byte of it: plain digits with at most one point,
 * the words of the layout, a known symbol, no quote anywhere. Everything else it leaves alone and
 * says so; the slow reader (`record.ts`) then reads that line or says what is wrong with it. What
 * both read is the same, which a property test holds.
 *
 * The caller promises that the bytes before `limit` end with a newline, so that every loop stops.
 *
 * Cost: one to two nanoseconds a byte; a line of 85 bytes and 8 cells takes about 130 ns. Nothing
 * is allocated.
 */
import { assert } from '../../core/index.ts'
import { rowFlags } from '../batch.ts'
import { columnRole, type FeedLayout, roleNames, type TimeUnit } from './layout.ts'
import {
  commitRow,
  DECIMALS_MAX,
  draftSlot,
  noNumber,
  powers,
  type RowBuilder,
  type RowFault,
  textNumber,
} from './row-builder.ts'

/** Why the scan of lines stopped. */
export type ScanStop = 'limit' | 'odd' | RowFault

/** What the scan of a file needs to know; one object for a file. */
export interface LineScan {
  readonly builder: RowBuilder
  readonly numbers: Float64Array
  /** A code of `columnRole` for each column. */
  readonly roles: Uint8Array
  readonly delimiter: number
  readonly isIndex: boolean
  readonly hasLocalTime: boolean
  /** Flags that every row has. */
  readonly baseFlags: number
  readonly buyWord: Uint8Array
  readonly sellWord: Uint8Array
  readonly unknownWord: Uint8Array
  readonly snapshotWord: Uint8Array
  readonly changeWord: Uint8Array | null
  /** Digits of a time that are finer than a microsecond, and the microseconds of a unit. */
  readonly timeCut: number
  readonly timeFactor: number
  readonly localTimeCut: number
  readonly localTimeFactor: number
  bytes: Uint8Array
  /** How many columns from the first on hold what rows of one message share: symbol, times and such. */
  readonly sharedColumns: number
  /** Where these cells of the line before lie, and the flags they gave; no bytes where unknown. */
  sharedFrom: number
  sharedBytes: number
  sharedFlags: number
  /** The symbol to read; null until one is known. */
  symbol: Uint8Array | null
  /** Whether lines of other symbols are passed over; else they are for the slow reader. */
  readonly passesOthers: boolean
  /** Records read so far. */
  records: number
  /** Records of other symbols among them, and the first, 0 for none. */
  others: number
  firstOther: number
  stop: ScanStop
}

const ODD = -1
const OTHER = -2
const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const POINT = 46
const ZERO = 48
const encoder = new TextEncoder()

/** What may stand in the cells that rows of one message share. */
const sharedRoles: readonly number[] = [
  ...[columnRole.skipped, columnRole.symbol, columnRole.time, columnRole.localTime],
  columnRole.snapshot,
]

/** The scan of a file of this layout. */
export function createLineScan(
  layout: FeedLayout,
  builder: RowBuilder,
  symbol: string | null,
): LineScan {
  const roles = new Uint8Array(layout.names.length)
  for (const role of roleNames) {
    const at = layout.at[role]
    if (at >= 0) roles[at] = columnRole[role]
  }
  return {
    builder,
    numbers: builder.draft.numbers,
    roles,
    delimiter: layout.delimiter.charCodeAt(0),
    isIndex: layout.kind === 'index',
    hasLocalTime: layout.at.localTime >= 0,
    baseFlags: baseFlagsOf(layout),
    buyWord: encoder.encode(layout.buyWord),
    sellWord: encoder.encode(layout.sellWord),
    unknownWord: encoder.encode(layout.kind === 'trades' ? 'unknown' : layout.buyWord),
    snapshotWord: encoder.encode(layout.snapshotWord),
    changeWord: layout.changeWord === null ? null : encoder.encode(layout.changeWord),
    timeCut: cutOf(layout.timeUnit),
    timeFactor: factorOf(layout.timeUnit),
    localTimeCut: cutOf(layout.localTimeUnit),
    localTimeFactor: factorOf(layout.localTimeUnit),
    bytes: new Uint8Array(0),
    sharedColumns: Math.max(
      0,
      roles.findIndex((role) => !sharedRoles.includes(role)),
    ),
    sharedFrom: 0,
    sharedBytes: 0,
    sharedFlags: 0,
    symbol: symbol === null ? null : encoder.encode(symbol),
    passesOthers: symbol !== null,
    records: 0,
    others: 0,
    firstOther: 0,
    stop: 'limit',
  }
}

/** The taker's side of a trade is not told where no column tells it. */
export function baseFlagsOf({ kind, at }: FeedLayout): number {
  return kind === 'trades' && at.side < 0 ? rowFlags.unknownSide : 0
}

function cutOf(unit: TimeUnit): number {
  return unit === 'ns' ? 3 : 0
}

function factorOf(unit: TimeUnit): number {
  if (unit === 's') return 1_000_000
  return unit === 'ms' ? 1_000 : 1
}

/** Reads lines from `from` up to `limit`; returns where it stopped, and `scan.stop` says why. */
export function scanLines(scan: LineScan, from: number, limit: number): number {
  const { builder, numbers, isIndex } = scan
  // Since the line before, bytes may have moved, and the draft may have held another row.
  scan.sharedBytes = 0
  let at = from
  while (at < limit) {
    const next = scanLine(scan, at)
    if (next < 0) {
      const end = next === OTHER ? skipLine(scan, at) : ODD
      if (end < 0) {
        scan.stop = 'odd'
        return at
      }
      noteOther(scan)
      at = end
      continue
    }
    scan.records += 1
    at = next
    // A ticker without a price of the index tells nothing.
    if (isIndex && (numbers[draftSlot.price] as number) < 0) continue
    const fault = commitRow(builder, scan.records)
    if (fault !== null) {
      scan.stop = fault
      return at
    }
  }
  assert(at === limit, 'the lines end where the limit is')
  scan.stop = 'limit'
  return at
}

/** Counts a record of another symbol. */
export function noteOther(scan: LineScan): void {
  scan.records += 1
  scan.others += 1
  if (scan.firstOther === 0) scan.firstOther = scan.records
}

/** Reads a line into the draft; returns where the next one begins, or `ODD` or `OTHER`. */
function scanLine(scan: LineScan, from: number): number {
  const { bytes, roles, delimiter, numbers, sharedColumns } = scan
  const { draft } = scan.builder
  const last = roles.length - 1
  let at = from
  let column = 0
  if (sharesCells(scan, from)) {
    at += scan.sharedBytes
    column = sharedColumns
    scan.sharedFrom = from
    draft.flags = scan.sharedFlags
  } else {
    scan.sharedBytes = 0
    draft.flags = scan.baseFlags
  }
  for (; column <= last; column += 1) {
    if (column === sharedColumns && scan.sharedBytes === 0) {
      scan.sharedFrom = from
      scan.sharedBytes = at - from
      scan.sharedFlags = draft.flags
    }
    at = scanCell(scan, at, roles[column] as number)
    if (at < 0) {
      scan.sharedBytes = 0
      return at
    }
    const stop = bytes[at]
    if (column < last) {
      if (stop !== delimiter) return ODD
    } else if (stop === RETURN) {
      at += 1
      if (bytes[at] !== NEWLINE) return ODD
    } else if (stop !== NEWLINE) return ODD
    at += 1
  }
  if (!scan.hasLocalTime) numbers[draftSlot.localTime] = numbers[draftSlot.time] as number
  return at
}

/**
 * Whether a line begins with the very cells of the one before, whose values the draft still holds. It
 * looks from their end, where times differ first.
 */
function sharesCells(scan: LineScan, from: number): boolean {
  const { bytes, sharedFrom, sharedBytes } = scan
  if (sharedBytes === 0 || from + sharedBytes > bytes.length) return false
  let at = sharedBytes - 1
  while (at >= 0 && bytes[from + at] === bytes[sharedFrom + at]) at -= 1
  return at < 0
}

/** Reads a cell; returns where it ends, at a byte that the caller looks at, or `ODD` or `OTHER`. */
function scanCell(scan: LineScan, from: number, role: number): number {
  switch (role) {
    case columnRole.skipped:
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
    default:
      return scanSequence(scan, from, draftSlot.previousSequence)
  }
}

function skipCell(scan: LineScan, from: number): number {
  const { bytes, delimiter } = scan
  let at = from
  for (;;) {
    const byte = bytes[at]
    if (byte === delimiter || byte === NEWLINE || byte === RETURN) return at
    if (byte === QUOTE) return ODD
    at += 1
  }
}

/** Where a line of another symbol ends, if it has as many cells as it should; else `ODD`. */
function skipLine(scan: LineScan, from: number): number {
  const { bytes, delimiter } = scan
  let cells = 1
  let at = from
  for (;;) {
    at = skipCell(scan, at)
    if (at < 0) return ODD
    if (bytes[at] === delimiter) cells += 1
    else if (bytes[at] === NEWLINE) break
    else if (bytes[at + 1] !== NEWLINE) return ODD
    at += 1
  }
  return cells === scan.roles.length ? at + 1 : ODD
}

function scanSymbol(scan: LineScan, from: number): number {
  const { symbol } = scan
  if (symbol === null) return ODD
  const end = scanWord(scan, from, symbol)
  if (end >= 0) return end
  return scan.passesOthers ? OTHER : ODD
}

/** Where a cell ends that holds this word and nothing else; else `ODD`. */
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

/** Up to 17 digits, in two halves that are small integers. */
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
  // A nanosecond time of our days has 19 digits, of which the last three are cut off.
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

/** Digits with at most one point between them: a mantissa of at most 15 digits and its decimals. */
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
    numbers[slot] = -1
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

/** A whole number of at most 15 digits, or none. */
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

/** A number, or any text without a quote. */
function scanTradeId(scan: LineScan, from: number): number {
  const end = scanSequence(scan, from, draftSlot.sequence)
  if (end >= 0) return end
  const { draft } = scan.builder
  const to = skipCell(scan, from)
  // Longer numbers may still be safe integers: that is for the slow reader to tell.
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
