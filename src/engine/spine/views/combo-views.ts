/** Read-only views of combos: the prices at which their legs would trade. Prices are 1e-9 quote units. */
import type { InstrumentId, Price9 } from '../../../core/index.ts'
import type { Exchange } from '../../state/index.ts'
import { legPrices } from '../../value/index.ts'
import { rowOf } from './market-views.ts'

/**
 * The prices of legs that trade together at a price, in their order (C33b). `unmarked` if a mark is unknown,
 * `unreachable` if no prices of the legs have that sum.
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
