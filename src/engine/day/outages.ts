/**
 * Outages of indices: trading in what follows an index that has published nothing for a while is locked, and open again
 * once the index is back.
 *
 * Rule: outage.index. An index that publishes nothing keeps its last value, whatever its sources say meanwhile; after
 * three minutes the open books of its instruments are locked. What was locked so opens again with its end; what a control
 * locked, or what was settled or delivered meanwhile, stays as it is. Source: market.md 3.1 (constituents are dropped after
 * 3 minutes; with none left, trading is locked).
 *
 * Assumed: the last value counts for marks, margins and delivery prices until the end of the outage.
 */
import { type InstrumentId, type Micros, micros } from '../../core/index.ts'
import { NO_ACCOUNT } from '../../model/index.ts'
import { emitStanding, setTimer, type Turn } from '../state/index.ts'
import { setState } from './book-state.ts'

/** How old the value of an index may be before trading is locked. */
const STALE_MICROS = 180_000_000

/** An index publishes nothing from now on. */
export function beginIndexOutage(turn: Turn, index: string): void {
  const { exchange } = turn
  const { indices } = exchange.outages
  const { now } = exchange
  indices.set(index, { since: now, locked: [] })
  setTimer(exchange.timers, micros(now + STALE_MICROS), { kind: 'index_stale', index, since: now })
}

/** An index publishes again, and books that its outage locked are open. */
export function endIndexOutage(turn: Turn, index: string): void {
  const { exchange } = turn
  const outage = exchange.outages.indices.get(index)
  exchange.outages.indices.delete(index)
  for (const id of outage?.locked ?? []) {
    const row = exchange.instruments[id]
    if (row?.state === 'locked') setState(turn, row, 'open')
  }
}

/** An index has published nothing for long enough: its open books are locked. */
export function lockStale(
  turn: Turn,
  { index, since }: { readonly index: string; readonly since: Micros },
): void {
  const { exchange } = turn
  const { indices } = exchange.outages
  // It may have come back, and gone again.
  if (indices.get(index)?.since !== since) return
  const locked: InstrumentId[] = []
  for (const row of exchange.instruments) {
    if (row.index.name !== index || row.state !== 'open') continue
    setState(turn, row, 'locked')
    locked.push(row.instrument.id)
  }
  indices.set(index, { since, locked })
  const change = { change: 'acted', account: NO_ACCOUNT, group: index } as const
  emitStanding(turn, { protection: 'index_outage', ...change })
}
