/**
 * What an order would need by itself, without the positions and orders of its account: the answer of
 * `get_margins` and of `get_order_margin_by_ids`.
 *
 * Rule: margin.of-order. Standard margin: that of a position of its size, of an option bought its cost and fee.
 * Portfolio margin: the risk of such a position alone. A combo: its legs as orders of theirs, and what it
 * costs. In nano of the settlement currency. Assumed: the venue names no formula, and its samples show no
 * difference by position.
 */
import {
  type AccountId,
  type Amount,
  amount,
  type InstrumentId,
  type Lots,
  type Price9,
} from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import { firstOptionMargin, initialMargin, ofUsd } from '../../margin/index.ts'
import { type Side, sides } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  emptyPair,
  type InstrumentRow,
  rowOfInstrument,
} from '../state/index.ts'
import { crossOf } from './cross-pairs.ts'
import { legSizes } from './leg-lots.ts'
import { foreseenRisk, heldContract, pairMargin } from './pairs.ts'

/** An order as its margin sees it. */
export interface OrderShape {
  readonly side: Side
  readonly lots: number
  /** Limit price in 1e-9; below zero only of combos. */
  readonly price: Price9
}

/** What buying and selling so much at a price would need. */
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

/** What one order of anything but spot would need. */
export function orderNeed(
  exchange: Exchange,
  account: AccountId,
  order: OrderShape & { readonly row: InstrumentRow },
): Amount {
  const { row, side, lots } = order
  const owner = accountRow(exchange, account)
  const legs = row.legs.length === 0 ? [{ row, side, lots }] : legSizes(row, { side, lots })
  if (owner.risk.isPortfolio) return amount(portfolioNeed(exchange, owner, legs))
  let needed = row.instrument.kind === 'option_combo' ? costOf(order) : 0n
  for (const leg of legs) {
    const isOwn = leg.row === row
    needed += standardNeed({ ...leg, cost: isOwn ? costOf(order) : 0n })
  }
  return amount(needed)
}

interface Need {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
}

function standardNeed({ row, side, lots, cost }: Need & { readonly cost: bigint }): bigint {
  if (row.option === null) {
    return BigInt(initialMargin(row.markScale, lots))
  }
  const buys = side === 'buy' && cost > 0n ? lots : 0
  const sells = side === 'sell' ? lots : 0
  return BigInt(firstOptionMargin(row.risk?.marked ?? null, { buys, sells, cost }))
}

/**
 * The risk of the legs alone, which are of one pair: of those that are bought or of those that are sold, as open
 * orders count. Under cross margin it is found in USD, in which the profit of a coin moves with the coin.
 */
function portfolioNeed(exchange: Exchange, owner: AccountRow, legs: readonly Need[]): bigint {
  const [first] = legs
  if (first === undefined) return 0n
  const pair = emptyPair(exchange, owner.account.id, first.row)
  const cross = owner.risk.isCross ? crossOf(exchange, pair, []) : null
  const risks = sides.map((filled) => {
    const sizes = legs
      .filter(({ side }) => side === filled)
      .map(({ row, side, lots }) => ({
        held: heldContract(exchange, row, row.instrument.id),
        lots: side === 'buy' ? lots : -lots,
      }))
    return foreseenRisk(exchange, pair, { matrix: 0, sizes, cross })
  })
  const { initial } = pairMargin(risks)
  return cross === null ? initial : ofUsd(initial, cross.usd9)
}

/** What an order of options costs at its price, in nano; nothing where it would be paid. */
function costOf(order: OrderShape & { readonly row: InstrumentRow }): bigint {
  const { row, side, lots, price } = order
  const paid = side === 'buy' ? price : -price
  const { kind } = row.instrument
  if (paid <= 0 || (kind !== 'option' && kind !== 'option_combo')) return 0n
  return basisBig(row.terms, lots, paid)
}
