/** Recounts open quotes from the orders: each is listed once with its group, and each listed quote is open. */
import { NO_SLOT, ownerOf } from '../../../book/index.ts'
import { assert } from '../../../core/index.ts'
import { type Exchange, isOpenQuote, orderAt, orderSlotOf, visitAccountOrders } from '../../state/index.ts'

/** A quote that is no longer listed waits behind the speed bump as immediate-or-cancel. */
export function auditQuotes(exchange: Exchange): void {
  let open = 0
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const order = orderAt(exchange, slot)
      if (order.extras?.quote == null) return
      const isConverted = exchange.bumps.get(order.id)?.converted != null
      assert(isOpenQuote(exchange, order) !== isConverted, 'a quote is open until it is cancelled')
      if (!isConverted) open += 1
    })
  }
  let listed = 0
  for (const { account, quotes } of exchange.mmpGroups) {
    for (const id of quotes.values()) {
      const slot = orderSlotOf(exchange, id)
      assert(slot !== NO_SLOT, 'a group lists only live quotes')
      assert(ownerOf(exchange.slots, slot) === account, 'a group lists only quotes of its account')
      listed += 1
    }
  }
  assert(open === listed, 'a group lists each of its quotes once')
}
