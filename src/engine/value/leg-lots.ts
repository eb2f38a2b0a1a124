/**
 * Leg sizes of a combo's order: ratio times its size on each leg, on the other side where the ratio is negative, in
 * lots of the leg (market.md 6.1).
 */
import type { Side } from '../../model/index.ts'
import { type Exchange, type HoldingRow, holdingFor, type InstrumentRow, legLotsOf, legSide } from '../state/index.ts'

/** Open size on one leg. */
export interface LegSize {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
}

/** Sizes that an order opens on each leg; nothing of an instrument that is no combo. */
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

/** The same with the holdings of an account, which are made where there are none. */
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
