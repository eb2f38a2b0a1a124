/**
 * Read-only views of combos: at which prices legs would trade. Prices are 1e-9 quote units.
 */
import type { InstrumentId, Price9 } from '../../../core/index.ts'
import type { Exchange } from '../../state/index.ts'
import { legPrices } from '../../value/index.ts'
import { rowOf } from './market-views.ts'

/**
 * The prices of legs that trade together at a price, in their order (C33b). `unmarked` where a mark is not known
 * yet, `unreachable` where no prices of the legs add up to it.
 */
export function viewLegPrices(
  exchange: Exchange,
  legs: readonly { readonly instrument: InstrumentId; readonly ratio: number }[],
  price: Price9,
): readonly Price9[] | 'unmarked' | 'unreachable' {
  const rows = legs.map(({ instrument, ratio }) => ({ row: rowOf(exchange, instrument), ratio }))
  if (!rows.every(({ row }) => row.hasMark)) return 'unmarked'
  return legPrices(rows, price) ?? 'unreachable'
}
