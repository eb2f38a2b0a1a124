/**
 * How far what portfolio margin counts of a pair may move while everything stays within a box: what its positions are
 * worth, their profit in each scenario, and their deltas. Positions set nothing off against each other here, so that
 * each may move the worst way: a bound that is coarse and holds.
 *
 * - A future of value v at its mark moves by at most part / (1 - part) of v, as a linear one follows its mark and an
 *   inverse one the inverse of it. Its profit in a scenario is v times a number that never changes (6.5.1, 6.5.2).
 * - Funding of a perpetual takes no more than the cap of its rate for as long as the box lasts (3.3).
 * - Options are those of `option-drift.ts`.
 *
 * Positions whose price is unknown or fixed have no bound: then the account is looked at. Source: market.md 6.5.
 */
import { divNearest } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { SCENARIO_CELLS } from '../../margin/index.ts'
import { type Exchange, type InstrumentRow, isPriceFixed, type PairRow } from '../state/index.ts'
import { fundingAtMost } from './funding-bounds.ts'
import { type Box, optionMoves } from './option-drift.ts'
import { movesOf } from './pairs.ts'

/** How far the figures of a pair may move, each in nano. */
export interface Drift {
  /** Its positions, in its currency. */
  worth: number
  /** Their profit in each scenario. */
  readonly cells: Float64Array
  /** Their net delta, in coin. */
  delta: number
  /** Their roll shock, in coin. */
  roll: number
}

/** More than each figure of a holding is rounded by, in nano. */
const ROUNDED = 4

/** Finds how far the figures of a pair may move within a box; null where nothing bounds them. */
export function driftOf(exchange: Exchange, pair: PairRow, box: Box): Drift | null {
  const drift = { worth: 0, cells: new Float64Array(SCENARIO_CELLS), delta: 0, roll: 0 }
  const moveOf = movesOf(exchange, pair)
  for (const owner of pair.holdings) {
    const { row, holding } = owner
    const lots = Math.abs(sizeOf(exchange.ledger, holding))
    if (lots === 0) continue
    if (row.mark === 0 || isPriceFixed(row)) return null
    const delta =
      row.option === null
        ? addFuture(drift, row, { pair, lots, box })
        : addOption(exchange, drift, row, { pair, lots, box })
    if (delta === null) return null
    drift.worth += fundingAtMost(exchange, owner, {
      low: row.index.price * (1 - box.part),
      high: row.index.price * (1 + box.part),
      until: box.until,
    })
    const { detail, expiration } = row.instrument
    drift.delta += delta
    drift.roll += delta * moveOf(detail.type === 'perpetual' ? 0 : expiration) * 1e-9
  }
  return drift
}

/** A position of a pair, its size without a sign. */
interface Held {
  readonly pair: PairRow
  readonly lots: number
  readonly box: Box
}

/** Adds how far a future may move; returns by how much its delta may. */
function addFuture(drift: Drift, { mark, scale }: InstrumentRow, held: Held): number {
  const { futures, isCoin } = held.pair.group
  const { part } = held.box
  const size9 = held.lots * scale.amountStep9
  const value = isCoin ? divNearest(size9 * 1e9, mark) : size9 * mark * 1e-9
  const moved = value * divNearest(part, 1 - part) + ROUNDED
  drift.worth += moved
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const factor = divNearest(futures.over[cell] as number, futures.under[cell] as number)
    drift.cells[cell] = (drift.cells[cell] as number) + moved * Math.abs(factor) + ROUNDED
  }
  return isCoin ? moved : 0
}

/** The same of an option; null where nothing bounds it. */
function addOption(
  exchange: Exchange,
  drift: Drift,
  row: InstrumentRow,
  { pair, lots, box }: Held,
): number | null {
  const moves = optionMoves(exchange, row, { table: pair.group.table, box })
  if (moves === null) return null
  const size9 = lots * row.scale.amountStep9
  const coins = size9 * 1e-9
  drift.worth += coins * moves.worth + ROUNDED
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const moved = coins * moves.profit(cell) + ROUNDED
    drift.cells[cell] = (drift.cells[cell] as number) + moved
  }
  return size9 + ROUNDED
}
