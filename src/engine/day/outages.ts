/**
 * Outages of indices: trading in what follows an index that has published nothing for a while is locked, and open again
 * once the index is back.
 *
 * Rule: outage.index. An index that publishes nothing keeps its last value, whatever its sources say meanwhile; after
 * three minutes the open books of its instruments are locked, and so are those that are listed from then on. What was locked
 * so opens again with its end. A book that settles meanwhile comes out of its settlement locked or open, as the outage
 * then stands; one that was delivered stays so. What a control says of a book holds against the outage, also where the
 * book is in that state already. Source: market.md 3.1 (constituents are dropped after 3 minutes; with none left,
 * trading is locked).
 *
 * Assumed: the last value counts for marks, margins and delivery prices until the end of the outage.
 */
import { cancel, defined, type InstrumentId, micros } from '../../core/index.ts'
import { type InstrumentState, NO_ACCOUNT } from '../../model/index.ts'
import { emitStanding, type InstrumentRow, isIndexStale, STALE_MICROS, setTimer, type Turn } from '../state/index.ts'
import { setState } from './book-state.ts'

/** An index publishes nothing from now on. */
export function beginIndexOutage(turn: Turn, index: string): void {
  const { exchange } = turn
  const { indices } = exchange.outages
  const { now } = exchange
  const task = { kind: 'index_stale', index } as const
  const timer = setTimer(exchange.timers, micros(now + STALE_MICROS), task)
  indices.set(index, { since: now, timer, locked: [] })
}

/** An index publishes again, and books that its outage locked are open. */
export function endIndexOutage(turn: Turn, index: string): void {
  const { exchange } = turn
  const outage = exchange.outages.indices.get(index)
  exchange.outages.indices.delete(index)
  if (outage?.timer != null) cancel(exchange.timers, outage.timer)
  for (const id of outage?.locked ?? []) {
    const row = exchange.instruments[id]
    if (row?.state === 'locked') setState(turn, row, 'open')
    // Its settlement opens it.
    else if (row !== undefined && returnsAs(row, 'locked')) row.stateBefore = 'open'
  }
}

/** An index has published nothing for long enough: its open books are locked. */
export function lockStale(turn: Turn, index: string): void {
  const { exchange } = turn
  const { indices } = exchange.outages
  const outage = defined(indices.get(index), 'an index that recovers has no timer')
  // What was listed at this very time is locked already.
  const locked: InstrumentId[] = [...outage.locked]
  for (const row of exchange.instruments) {
    if (row.index.name === index && lock(turn, row)) locked.push(row.instrument.id)
  }
  indices.set(index, { ...outage, timer: null, locked })
  const change = { change: 'acted', account: NO_ACCOUNT, group: index } as const
  emitStanding(turn, { protection: 'index_outage', ...change })
}

/** A book is listed, or opens: it is locked where its index is stale. */
export function lockWhereStale(turn: Turn, row: InstrumentRow): void {
  const { outages, now } = turn.exchange
  const { name } = row.index
  const outage = outages.indices.get(name)
  if (outage === undefined || !isIndexStale(outage, now) || !lock(turn, row)) return
  // A combo may have been locked, gone inactive and come again.
  const locked = new Set(outage.locked).add(row.instrument.id)
  outages.indices.set(name, { ...outage, locked: [...locked] })
}

/** A control says the state of a book: the end of the outage of its index no longer opens it. */
export function leaveToControl(turn: Turn, row: InstrumentRow, state: InstrumentState): void {
  const { indices } = turn.exchange.outages
  const { name } = row.index
  const outage = indices.get(name)
  const { id } = row.instrument
  if (outage?.locked.includes(id) !== true) return
  // The settlement that runs ends this state, and what it gives back is the outage's.
  if (state === 'settlement' && row.stateBefore !== null) return
  if (row.stateBefore === 'locked') row.stateBefore = 'open'
  const locked = outage.locked.filter((other) => other !== id)
  indices.set(name, { ...outage, locked })
}

/** Locks a book that is open, or that its settlement would open; false for others. */
function lock(turn: Turn, row: InstrumentRow): boolean {
  if (row.state === 'open') setState(turn, row, 'locked')
  else if (returnsAs(row, 'open')) row.stateBefore = 'locked'
  else return false
  return true
}

/** True if a book settles and enters the state after it. */
function returnsAs(row: InstrumentRow, state: InstrumentState): boolean {
  return row.state === 'settlement' && row.stateBefore === state
}
