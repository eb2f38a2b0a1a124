/**
 * Projected margins: the margins that an account would need without the positions and orders of the nearest expiry
 * (market.md 5.3), computed from scratch for each query.
 *
 * Assumed: the positions that share a margin have one nearest expiry: the positions of a currency in segregated models,
 * of the whole account in cross models. An order of a combo ends with its first leg to expire, so it belongs to the
 * nearest expiry if that leg does, and then opens nothing on its other legs.
 *
 * Rule: margin.projected. Assumed: only margins are projected. The account's equity, the haircuts of cross margin and
 * the stress of its coins do not change, because a delivery turns the value of the expiring positions into cash.
 */

import {
  type AccountId,
  type Amount,
  amount,
  currencyId,
  divHalfAwayBig,
  type InstrumentId,
  type Lots,
  type Price9,
} from '../../core/index.ts'
import { basisBig, sizeOf } from '../../ledger/index.ts'
import { ofUsd, readExposure, readPremium } from '../../margin/index.ts'
import { type Currency, currencyIdOf, currencyOf, neverExpires, type Side } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  findHolding,
  type InstrumentRow,
  rowOfInstrument,
} from '../state/index.ts'
import { legSizes } from './leg-prices.ts'
import { hasProfitRoom, isCountableAt } from './mark.ts'
import { heldForGroups, heldForGroupsUsd } from './mmp-margin.ts'
import type { Counted, Moved, Need } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'
import { groupBy } from './models/moved-sizes.ts'
import { updateSkippedHolding } from './skipped-revaluations.ts'
import { usdIndex9 } from './usd-index.ts'

/** Margins without the nearest expiry, in nano of a currency. */
interface ProjectedMargins {
  /** The nearest expiry; null if nothing expires. */
  readonly expiration: number | null
  readonly initial: Amount
  readonly maintenance: Amount
}

/** The terms of an order that its margin depends on. */
interface OrderShape {
  readonly side: Side
  readonly lots: number
  /** Limit price in 1e-9; only combos may have a negative one. */
  readonly price: Price9
}

/** Money that an account gains, or with a minus pays, in addition to the moves: by currency, in nano. */
type CashBeside = ReadonlyMap<number, bigint>

/**
 * The projected margins of an account in a currency. Under cross models they are those of the account, divided by the
 * index.
 */
export function projectedMargins(exchange: Exchange, account: AccountId, currency: Currency): ProjectedMargins {
  const owner = accountRow(exchange, account)
  const model = modelOf(owner)
  const isShared = model.shared !== null
  const all = countedOf(exchange, owner, isShared ? null : currencyIdOf(currency))
  const expiration = nearestOf(all)
  const { initial, maintenance } = model.projected(exchange, owner, withoutExpiry(all, expiration))
  if (!isShared) {
    const held = heldForGroups(exchange, owner, currencyIdOf(currency))
    return { expiration, initial: amount(initial + held), maintenance: amount(maintenance) }
  }
  const index9 = usdIndex9(exchange, currency)
  return {
    expiration,
    initial: amount(ofUsd(initial + heldForGroupsUsd(exchange, owner), index9)),
    maintenance: amount(ofUsd(maintenance, index9)),
  }
}

/** Positions and open orders of an account that margin counts, including the open orders of combos themselves. */
function countedOf(exchange: Exchange, { account }: AccountRow, currency: number | null): readonly Counted[] {
  const found: Counted[] = []
  for (const row of exchange.instruments) {
    if (row.base >= 0 || row.deliveredAt !== null) continue
    if (currency !== null && row.settlement !== currency) continue
    const owner = findHolding(exchange, account.id, row)
    if (owner === undefined) continue
    updateSkippedHolding(exchange, owner)
    const { buys, sells } = readExposure(exchange.margin, owner.holding)
    const sizes = { position: sizeOf(exchange.ledger, owner.holding), buys, sells }
    const isCounted = sizes.position !== 0 || buys !== 0 || sells !== 0
    if (isCounted || readPremium(exchange.margin, owner.holding).reserve !== 0) {
      found.push({ owner, sizes })
    }
  }
  return found
}

function nearestOf(all: readonly Counted[]): number | null {
  const nearest = Math.min(...all.map(({ owner }) => owner.row.instrument.expiration))
  return nearest < neverExpires ? nearest : null
}

/**
 * The counted positions without those of an expiry. Legs of combos that end with it lose the open orders of these
 * combos.
 */
function withoutExpiry(all: readonly Counted[], expiration: number | null): readonly Counted[] {
  const isNear = ({ owner }: Counted): boolean => owner.row.instrument.expiration === expiration
  const ended = new Map<InstrumentRow, { buys: number; sells: number }>()
  for (const { owner, sizes } of all.filter(isNear)) {
    const open = [...legSizes(owner.row, 'buy', sizes.buys), ...legSizes(owner.row, 'sell', sizes.sells)]
    for (const { row, side, lots } of open) {
      const less = ended.get(row) ?? { buys: 0, sells: 0 }
      less[side === 'buy' ? 'buys' : 'sells'] += lots
      ended.set(row, less)
    }
  }
  return all
    .filter((each) => !isNear(each))
    .map(({ owner, sizes }) => {
      const less = ended.get(owner.row)
      if (less === undefined) return { owner, sizes }
      return {
        owner,
        sizes: { position: sizes.position, buys: sizes.buys - less.buys, sells: sizes.sells - less.sells },
      }
    })
}

/**
 * Margin of an order by itself, without the positions and orders of its account: the answer of `get_margins` and of
 * `get_order_margin_by_ids`.
 *
 * Rule: margin.of-order. Under standard margin it is the margin of a position of the order's size; for a bought option,
 * its cost and fee. Under portfolio margin it is the risk of such a position alone. For a combo it is the margin of its
 * legs as separate orders, plus the combo's cost. All in nano of the settlement currency. Assumed: the venue names no
 * formula, and its samples show no difference by position.
 */

/** The order whose margin a client asks for. */
interface MarginOrder {
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly amount: Lots
  readonly price: Price9
}

/** Margin that buying and selling a size at a price would need. */
export function marginForOrder(exchange: Exchange, of: MarginOrder): { readonly buy: Amount; readonly sell: Amount } {
  const row = rowOfInstrument(exchange, of.instrument)
  const { account, amount: lots, price } = of
  return {
    buy: orderNeed(exchange, account, { row, side: 'buy', lots, price }),
    sell: orderNeed(exchange, account, { row, side: 'sell', lots, price }),
  }
}

/** An order with the row of its instrument. */
interface RowOrder extends OrderShape {
  readonly row: InstrumentRow
}

/** Margin that one order would need. The instrument must not be a spot pair. */
export function orderNeed(exchange: Exchange, account: AccountId, order: RowOrder): Amount {
  const { row, side, lots } = order
  const owner = accountRow(exchange, account)
  const cost = costOf(order)
  const own: Need = { row, side, lots, cost }
  // The legs of a combo are separate entries; the combo itself pays its cost.
  const legs = legSizes(row, side, lots).map((leg): Need => ({ ...leg, cost: 0n }))
  return amount(modelOf(owner).needOf(exchange, owner, [...legs, own]))
}

/** Cost of an order of options at its price, in nano; 0 if the account would receive money. */
function costOf(order: RowOrder): bigint {
  const { row, side, lots, price } = order
  const paid = side === 'buy' ? price : -price
  const { kind } = row.instrument
  if (paid <= 0 || (kind !== 'option' && kind !== 'option_combo')) return 0n
  return basisBig(row.terms, lots, paid)
}

/**
 * Checks that an account can afford positions that it receives or gives away at a price: the increase of its initial
 * margin, less its immediate gain against the marks, must be available. All changes of one margin count together.
 *
 * Rule: margin.move. Assumed: as with orders, a move that does not worsen the state of an account is always allowed; a
 * coin from the spot leg of a block counts in full until it is in the account.
 * Source: sessions-blocks-gateways.md 6.1; market.md 6.
 */

const NANO = 1_000_000_000n

const noCash: CashBeside = new Map()

/** True if an account can afford all moves together. */
export function bearsMoves(
  exchange: Exchange,
  account: number,
  moves: readonly Moved[],
  cash: CashBeside = noCash,
): boolean {
  const owner = accountRow(exchange, account)
  if (owner.account.house) return true
  if (!moves.every((move) => isCounted(exchange, move))) return false
  const model = modelOf(owner)
  let sharedRise = 0n
  const groups = groupBy(moves, ({ row }): number => row.settlement)
  for (const currency of new Set([...groups.keys(), ...cash.keys()])) {
    const group = groups.get(currency) ?? []
    const gain = gainOf(group, model.netsPositions) + (cash.get(currency) ?? 0n)
    const change = { moves: group, gain }
    const margin = group.length === 0 ? 0n : model.riseOfMoves(exchange, owner, change)
    if (model.shared !== null) {
      const usd9 = BigInt(usdIndex9(exchange, currencyOf(currencyId(currency))))
      sharedRise += margin - divHalfAwayBig(gain * usd9, NANO)
      continue
    }
    const rise = margin - gain
    if (rise > 0n && !model.hasFree(exchange, owner, { currency, rise })) return false
  }
  const all = { currency: 0, rise: sharedRise }
  return sharedRise <= 0n || model.hasFree(exchange, owner, all)
}

/** True if the ledger can count the cost of a move, and the profit that it realizes. */
function isCounted(exchange: Exchange, { row, lots, price }: Moved): boolean {
  return isCountableAt(row, Math.abs(lots), price) && hasProfitRoom(exchange, row)
}

/** Immediate gain of an account, in nano. Under standard margin the value of options does not count (5.3). */
function gainOf(moves: readonly Moved[], countsOptions: boolean): bigint {
  let gain = 0n
  for (const { row, lots, price } of moves) {
    const size = Math.abs(lots)
    const paid = basisBig(row.terms, size, price)
    const worth = row.terms.premium && !countsOptions ? 0n : basisBig(row.terms, size, row.mark)
    const inverse = row.terms.payoff === 'inverse'
    const won = inverse ? divHalfAwayBig(paid - worth, NANO) : worth - paid
    gain += lots > 0 ? won : -won
  }
  return gain
}
