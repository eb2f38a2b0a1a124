/**
 * Sizes of a combo's order on its legs: ratio times the size of the order, on the opposite side for a negative ratio,
 * in lots of the leg (market.md 6.1).
 */
import type { Side } from '../../model/index.ts'
import { type Exchange, type HoldingRow, holdingFor, type InstrumentRow, legLotsOf, legSide } from '../state/index.ts'

/** Open size on one leg. */
export interface LegSize {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
}

/** Sizes that an order opens on each leg; empty for an instrument that is not a combo. */
export function legSizes(
  row: InstrumentRow,
  order: { readonly side: Side; readonly lots: number },
): readonly LegSize[] {
  return row.legs.map((leg) => ({
    row: leg.row,
    side: legSide(leg, order.side),
    lots: legLotsOf(row, leg, order.lots),
  }))
}

/** Sizes that an order opens on each leg, with the account's holdings. Creates missing holdings. */
export function legLots(
  exchange: Exchange,
  { account, row }: HoldingRow,
  order: { readonly side: Side; readonly lots: number },
): readonly (LegSize & { readonly holding: number })[] {
  if (row.legs.length === 0) return []
  return legSizes(row, order).map((leg) => ({
    ...leg,
    holding: holdingFor(exchange, account, leg.row).holding,
  }))
}
