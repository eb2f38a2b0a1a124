/**
 * The fast reader of lines: converts bytes to numbers, without a string for any cell.
 *
 * It reads a line only if it supports every byte of it: plain digits with at most one point, the words of the layout, a
 * known symbol, no quote anywhere. It returns all other lines unread; the slow reader (`record.ts`) then reads such a
 * line or reports the mistake in it. Both readers give the same result for a line, which a property test checks.
 *
 * The caller promises that the bytes before `limit` end with a newline, so that every loop stops.
 *
 * Cost: about 2.5 ns per byte, including the row in its batch; a line of 85 bytes takes 210 ns. Nothing is allocated.
 */
import { assert } from '../../core/index.ts'
import { rowFlags } from '../batch.ts'
import { columnRole, roleNames, type TimeUnit } from '../format.ts'
import { type LineScan, NEWLINE, ODD, ODD_ROLE, OTHER, RETURN, scanCell, skipCell } from './cell-scan.ts'
import type { FeedLayout } from './layout.ts'
import { commitRow, draftSlot, type RowBuilder } from './row-builder.ts'

const encoder = new TextEncoder()

/** Roles of cells that rows of one message share. */
const sharedRoles: readonly number[] = [
  columnRole.skipped,
  columnRole.exchange,
  columnRole.symbol,
  columnRole.time,
  columnRole.localTime,
  columnRole.snapshot,
]

/** Creates the scan of a file with this layout. */
export function createLineScan(layout: FeedLayout, builder: RowBuilder, symbol: string | null): LineScan {
  const roles = new Uint8Array(layout.names.length)
  for (const role of roleNames) {
    const at = layout.at[role]
    if (at >= 0) roles[at] = columnRole[role]
  }
  // The slow reader handles ISO times and columns that mark trades to skip.
  for (const { at } of layout.leaveOut) roles[at] = ODD_ROLE
  if (layout.timeUnit === 'iso') roles[layout.at.time] = ODD_ROLE
  if (layout.localTimeUnit === 'iso' && layout.at.localTime >= 0) {
    roles[layout.at.localTime] = ODD_ROLE
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

/** Without a column of sides, the taker's side of a trade is unknown. */
export function baseFlagsOf(layout: FeedLayout): number {
  return layout.kind === 'trades' && layout.at.side < 0 ? rowFlags.unknownSide : 0
}

function cutOf(unit: TimeUnit): number {
  return unit === 'ns' ? 3 : 0
}

function factorOf(unit: TimeUnit): number {
  if (unit === 's') return 1_000_000
  return unit === 'ms' ? 1_000 : 1
}

/** Reads lines from `from` up to `limit`. Returns the position where it stopped; `scan.stop` has the reason. */
export function scanLines(scan: LineScan, from: number, limit: number): number {
  const { builder, numbers, isIndex } = scan
  // Since the previous line, bytes may have moved, and the draft may have held another row.
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
    // A ticker without an index price has no effect.
    if (isIndex && Number.isNaN(numbers[draftSlot.price])) continue
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

/** Reads a line into the draft. Returns the beginning of the next line, or `ODD` or `OTHER`. */
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
 * True if a line begins with exactly the cells of the previous one, whose values the draft still has. The comparison
 * starts at the end of the cells, where times differ first.
 */
function sharesCells(scan: LineScan, from: number): boolean {
  const { bytes, sharedFrom, sharedBytes } = scan
  if (sharedBytes === 0 || from + sharedBytes > bytes.length) return false
  let at = sharedBytes - 1
  while (at >= 0 && bytes[from + at] === bytes[sharedFrom + at]) at -= 1
  return at < 0
}

/** The end of a line of another symbol with the right number of cells; otherwise `ODD`. */
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
