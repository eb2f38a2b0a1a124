/**
 * Outages of indices: if an index publishes no value for a while, trading in its instruments is locked, and reopens
 * when the index is back.
 *
 * Rule: outage.index. During an outage an index keeps its last value, whatever its sources send. After three minutes
 * its open books are locked, and so are books that are listed from then on. The end of the outage reopens these books.
 * A book in settlement comes out of it locked or open, depending on the outage at that time; a delivered book stays
 * delivered. A state set by a control has precedence over the outage, even if the book is already in that state.
 * Source: market.md 3.1 (constituents are dropped after 3 minutes; with none left, trading is locked).
 *
 * Assumed: marks, margins and delivery prices use the last value until the end of the outage.
 */

import { endRecorded } from '../../book/index.ts'
import { cancel, defined, type InstrumentId, micros } from '../../core/index.ts'
import { type InstrumentState, NO_ACCOUNT } from '../../model/index.ts'
import { closeRfqsOf, emitPriceLevel } from '../market/index.ts'
import {
  emitStanding,
  eventHeader,
  type InstrumentRow,
  isIndexStale,
  STALE_MICROS,
  setTimer,
  type Turn,
} from '../state/index.ts'

/** Starts an outage: the index publishes no value from now on. */
export function beginIndexOutage(turn: Turn, index: string): void {
  const { indices } = turn.exchange.outages
  const task = { kind: 'index_stale', index } as const
  const timer = setTimer(turn.exchange.timers, micros(turn.exchange.now + STALE_MICROS), task)
  indices.set(index, { since: turn.exchange.now, timer, locked: [] })
}

/** Ends an outage: the index publishes again, and the books that the outage locked open. */
export function endIndexOutage(turn: Turn, index: string): void {
  const outage = turn.exchange.outages.indices.get(index)
  turn.exchange.outages.indices.delete(index)
  if (outage?.timer != null) cancel(turn.exchange.timers, outage.timer)
  for (const id of outage?.locked ?? []) {
    const row = turn.exchange.instruments[id]
    if (row?.state === 'locked') setState(turn, row, 'open')
    // The end of its settlement opens the book.
    else if (row !== undefined && returnsAs(row, 'locked')) row.stateBefore = 'open'
  }
}

/** Locks the open books of an index whose outage has lasted long enough. */
export function lockStale(turn: Turn, index: string): void {
  const { indices } = turn.exchange.outages
  const outage = defined(indices.get(index), 'an index that recovers has no timer')
  // Books that were listed at this very time are already locked.
  const locked: InstrumentId[] = [...outage.locked]
  for (const row of turn.exchange.instruments) {
    if (row.index.name === index && lock(turn, row)) locked.push(row.instrument.id)
  }
  indices.set(index, { ...outage, timer: null, locked })
  const change = { change: 'acted', account: NO_ACCOUNT, group: index } as const
  emitStanding(turn, { protection: 'index_outage', ...change })
}

/** Locks a book that is listed or opens while its index is stale. */
export function lockWhereStale(turn: Turn, row: InstrumentRow): void {
  const { outages, now } = turn.exchange
  const { name } = row.index
  const outage = outages.indices.get(name)
  if (outage === undefined || !isIndexStale(outage, now) || !lock(turn, row)) return
  // A combo may have been locked, become inactive and active again, so its id may already be in the list.
  const locked = new Set(outage.locked).add(row.instrument.id)
  outages.indices.set(name, { ...outage, locked: [...locked] })
}

/** A control sets the state of a book, so the end of the outage of its index no longer opens it. */
export function leaveToControl(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  const { indices } = turn.exchange.outages
  const { name } = row.index
  const outage = indices.get(name)
  const { id } = row.instrument
  if (outage?.locked.includes(id) !== true) return
  // The running settlement ends this state and then restores the state that the outage requires.
  if (state === 'settlement' && row.stateBefore !== null) return
  if (row.stateBefore === 'locked') row.stateBefore = 'open'
  const locked = outage.locked.filter((other) => other !== id)
  indices.set(name, { ...outage, locked })
}

/** Locks a book that is open, or that would open after its settlement; returns false for others. */
function lock(turn: Turn, row: InstrumentRow): boolean {
  if (row.state === 'open') setState(turn, row, 'locked')
  else if (returnsAs(row, 'open')) row.stateBefore = 'locked'
  else return false
  return true
}

/** True if a book is in settlement and enters this state afterwards. */
function returnsAs(row: InstrumentRow, state: InstrumentState): boolean {
  return row.state === 'settlement' && row.stateBefore === state
}

/** Changes of the state of a book. */

/**
 * Emits a new state of a book, and ends the Block RFQs that it closes. A delivered instrument shows no recorded book.
 */
export function setState(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  if (row.state === state) return
  row.state = state
  row.stateSince = turn.exchange.now
  turn.log.append({
    kind: 'state',
    ...eventHeader(turn),
    instrument: row.instrument.id,
    state,
  })
  const { recorded } = row.book
  if (state === 'delivered' && recorded !== null) {
    endRecorded(recorded, (level) => {
      if (turn.exchange.config.bookEvents) emitPriceLevel(turn, row, level.side, level.price)
    })
  }
  if (state !== 'open' && turn.exchange.rfqs.open.size > 0) closeRfqsOf(turn, row.instrument.id)
}
