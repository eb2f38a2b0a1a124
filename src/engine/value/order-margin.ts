/**
 * Margin of an order by itself, without the positions and orders of its account: the answer of `get_margins` and of
 * `get_order_margin_by_ids`.
 *
 * Rule: margin.of-order. Under standard margin it is the margin of a position of the order's size; for a bought option,
 * its cost and fee. Under portfolio margin it is the risk of such a position alone. For a combo it is the margin of its
 * legs as separate orders, plus the combo's cost. All in nano of the settlement currency. Assumed: the venue names no
 * formula, and its samples show no difference by position.
 */
import { type AccountId, type Amount, amount, type InstrumentId, type Lots, type Price9 } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import type { Side } from '../../model/index.ts'
import { accountRow, type Exchange, type InstrumentRow, rowOfInstrument } from '../state/index.ts'
import { legSizes } from './leg-lots.ts'
import type { Need } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'

/** The terms of an order that its margin depends on. */
export interface OrderShape {
  readonly side: Side
  readonly lots: number
  /** Limit price in 1e-9; only combos may have a negative one. */
  readonly price: Price9
}

/** Margin that buying and selling a size at a price would need. */
export function marginForOrder(
  exchange: Exchange,
  of: {
    readonly account: AccountId
    readonly instrument: InstrumentId
    readonly amount: Lots
    readonly price: Price9
  },
): { readonly buy: Amount; readonly sell: Amount } {
  const row = rowOfInstrument(exchange, of.instrument)
  const { account, amount: lots, price } = of
  return {
    buy: orderNeed(exchange, account, { row, side: 'buy', lots, price }),
    sell: orderNeed(exchange, account, { row, side: 'sell', lots, price }),
  }
}

/** Margin that one order would need. The instrument must not be a spot pair. */
export function orderNeed(
  exchange: Exchange,
  account: AccountId,
  order: OrderShape & { readonly row: InstrumentRow },
): Amount {
  const { row, side, lots } = order
  const owner = accountRow(exchange, account)
  const cost = costOf(order)
  const own: Need = { row, side, lots, cost }
  // The legs of a combo are separate entries; the combo itself pays its cost.
  const legs = legSizes(row, { side, lots }).map((leg): Need => ({ ...leg, cost: 0n }))
  return amount(modelOf(owner).needOf(exchange, owner, [...legs, own]))
}

/** Cost of an order of options at its price, in nano; 0 if the account would receive money. */
function costOf(order: OrderShape & { readonly row: InstrumentRow }): bigint {
  const { row, side, lots, price } = order
  const paid = side === 'buy' ? price : -price
  const { kind } = row.instrument
  if (paid <= 0 || (kind !== 'option' && kind !== 'option_combo')) return 0n
  return basisBig(row.terms, lots, paid)
}
