/** Reads the record of a live order by the layout that the record table itself describes. */
import { defined, type OrderId } from '../../src/core/index.ts'
import type { Exchange } from '../../src/engine/index.ts'

/** A value of the order in a slot of a book. */
function recordedOf({ orders }: Exchange, slot: number, name: 'id' | 'amount'): number {
  const { layout, doubles } = orders
  const place = defined(layout.doubles[name], 'orders have such a value')
  const value = doubles[slot * layout.lengths.doubles + place]
  return defined(value, 'a slot of a book holds an order')
}

/** Id and size of the order in a slot of a book. */
export function orderInSlot(exchange: Exchange, slot: number): { readonly id: OrderId; readonly amount: number } {
  return {
    id: recordedOf(exchange, slot, 'id') as OrderId,
    amount: recordedOf(exchange, slot, 'amount'),
  }
}
