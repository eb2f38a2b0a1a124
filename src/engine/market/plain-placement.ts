/**
 * Placements without rare terms, which are almost all placements. This file has the validation steps that can refuse
 * such a placement, without a candidate and an entry for each.
 *
 * `steps.ts` lists these checks next to those of all orders, step by step; `test/property/plain-orders.test.ts`
 * compares the two.
 * Source: trading.md C07.
 */
import { NO_SLOT } from '../../book/index.ts'
import { type Ticks, ticks } from '../../core/index.ts'
import { entryTypeOf, isTriggerType, type OrderTerms, type PlaceOrder, type Refusal } from '../../model/index.ts'
import { type AccountRow, accountRow, type Exchange, type InstrumentRow, isMarked } from '../state/index.ts'
import { type Entry, mayMeetOwn, newEntry } from './dry-run.ts'
import { entryPrice, noMark } from './entry-price.ts'
import { fundsRefusal, hasPlainFunds, plainFundsRefusal } from './funds.ts'
import {
  bandRefusal,
  limitRefusal,
  postOnlyPrice,
  selfMatchRefusal,
  sizeRefusal,
  stateRefusal,
} from './order-checks.ts'
import { riskRefusal } from './risk-limits.ts'

/** A placement without rare terms. */
export interface PlainPlacement {
  readonly row: InstrumentRow
  readonly owner: AccountRow
  readonly terms: OrderTerms
  /** The price at which it enters. The price step computes it, and the post-only step may move it. */
  price: Ticks
}

/** A validation step of a plain placement. It only reads, except that it may store the price that it computes. */
export type PlainCheck = (exchange: Exchange, placement: PlainPlacement) => Refusal | null

/** The plain placement of a command; null if the command, its account or its instrument has any rare property. */
export function plainPlacement(exchange: Exchange, row: InstrumentRow, command: PlaceOrder): PlainPlacement | null {
  if (exchange.orders.forcesRare || exchange.participants.size > 0) return null
  if (command.extras !== null || command.linked !== null || command.advanced !== null) return null
  if (command.reduceOnly || command.display > 0 || isTriggerType(command.type)) return null
  const owner = accountRow(exchange, command.account)
  if (owner.isRestricted || row.instrument.speedBump > 0) return null
  return { row, owner, terms: command, price: ticks(0) }
}

/** The book accepts orders; for a combo, so do the books of its legs. */
export function plainState(_: Exchange, placement: PlainPlacement): Refusal | null {
  return stateRefusal(placement.row)
}

/** The size is within its limits. */
export function plainSize(_: Exchange, placement: PlainPlacement): Refusal | null {
  return sizeRefusal(placement.row, placement.terms.amount)
}

/** There is a price, and it is on the grid. */
export function plainPrice(exchange: Exchange, placement: PlainPlacement): Refusal | null {
  const entered = entryPrice(exchange, placement.row, placement.terms)
  if (!entered.ok) return entered.refusal
  placement.price = entered.value
  return null
}

/** A post-only order would not take. */
export function plainPostOnly(_: Exchange, placement: PlainPlacement): Refusal | null {
  const { side, postOnly } = placement.terms
  if (postOnly === 'off') return null
  const adjusted = postOnlyPrice(placement.row, side, placement.price, postOnly)
  if (!adjusted.ok) return adjusted.refusal
  placement.price = adjusted.value
  return null
}

/** The price is within the band. */
export function plainBand(exchange: Exchange, { row, terms, price }: PlainPlacement): Refusal | null {
  return isMarked(row) ? bandRefusal(exchange, row, terms.side, price) : noMark
}

/** Open orders, sizes and positions are within their limits. */
export function plainLimits(exchange: Exchange, { row, owner, terms }: PlainPlacement): Refusal | null {
  const limit = limitRefusal(exchange, owner, row, 1)
  if (limit !== null || row.instrument.engine !== 'alt') return limit
  return riskRefusal(exchange, {
    row,
    account: owner.account.id,
    side: terms.side,
    lots: terms.amount,
    from: NO_SLOT,
  })
}

/** The account can afford the order. */
export function plainFunds(exchange: Exchange, placement: PlainPlacement): Refusal | null {
  const { row, owner, terms, price } = placement
  if (!hasPlainFunds(row, owner)) return fundsRefusal(exchange, entryOf(placement), null)
  return plainFundsRefusal(exchange, {
    row,
    owner,
    side: terms.side,
    lots: terms.amount,
    price,
    bounded: isBounded(placement),
  })
}

/** The order would not reach an order of the same account. */
export function plainSelfMatch(exchange: Exchange, placement: PlainPlacement): Refusal | null {
  if (
    !mayMeetOwn(exchange, placement.owner, { row: placement.row, side: placement.terms.side, price: placement.price })
  )
    return null
  return selfMatchRefusal(exchange, entryOf(placement))
}

function isBounded(placement: PlainPlacement): boolean {
  return entryTypeOf(placement.terms.type) !== 'market' || placement.row.hasBand
}

function entryOf(placement: PlainPlacement): Entry {
  const { row, owner, terms, price } = placement
  return newEntry({
    row,
    account: owner.account.id,
    side: terms.side,
    price,
    bounded: isBounded(placement),
    lots: terms.amount,
  })
}
