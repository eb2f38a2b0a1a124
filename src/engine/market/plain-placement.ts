/**
 * Placements about which nothing is rare, which nearly all are: the steps of validation that may find something
 * against them, without a candidate and an entry for each.
 *
 * `steps.ts` has these checks beside those of all orders, step by step; `test/property/plain-orders.test.ts` holds them
 * to each other.
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

/** A placement about which nothing is rare. */
export interface PlainPlacement {
  readonly row: InstrumentRow
  readonly owner: AccountRow
  readonly terms: OrderTerms
  /** The price it enters at: the step of the price finds it, that of post-only may move it. */
  price: Ticks
}

/** A step of validation of a plain placement: it reads; it may write the price that it finds, and nothing else. */
export type PlainCheck = (exchange: Exchange, placement: PlainPlacement) => Refusal | null

/** The placement of a command, where nothing is rare about it, its account and its instrument; else null. */
export function plainPlacement(exchange: Exchange, row: InstrumentRow, command: PlaceOrder): PlainPlacement | null {
  if (exchange.orders.forcesRare || exchange.participants.size > 0) return null
  if (command.extras !== null || command.linked !== null || command.advanced !== null) return null
  if (command.reduceOnly || command.display > 0 || isTriggerType(command.type)) return null
  const owner = accountRow(exchange, command.account)
  if (owner.isRestricted || row.instrument.speedBump > 0) return null
  return { row, owner, terms: command, price: ticks(0) }
}

/** The book, and of a combo those of its legs, take orders. */
export function plainState(_: Exchange, { row }: PlainPlacement): Refusal | null {
  return stateRefusal(row)
}

/** The size is within its bounds. */
export function plainSize(_: Exchange, { row, terms }: PlainPlacement): Refusal | null {
  return sizeRefusal(row, terms.amount)
}

/** There is a price, and it is on the grid. */
export function plainPrice(exchange: Exchange, placement: PlainPlacement): Refusal | null {
  const entered = entryPrice(exchange, placement.row, placement.terms)
  if (!entered.ok) return entered.refusal
  placement.price = entered.value
  return null
}

/** A post-only order takes nothing. */
export function plainPostOnly(_: Exchange, placement: PlainPlacement): Refusal | null {
  const { row, terms, price } = placement
  const { side, postOnly } = terms
  if (postOnly === 'off') return null
  const adjusted = postOnlyPrice(row, { side, price, postOnly })
  if (!adjusted.ok) return adjusted.refusal
  placement.price = adjusted.value
  return null
}

/** The price is within the band. */
export function plainBand(exchange: Exchange, { row, terms, price }: PlainPlacement): Refusal | null {
  return isMarked(row) ? bandRefusal(exchange, row, { side: terms.side, price }) : noMark
}

/** Open orders, sizes and positions are within their limits. */
export function plainLimits(exchange: Exchange, { row, owner, terms }: PlainPlacement): Refusal | null {
  const limit = limitRefusal(exchange, owner, { row, orders: 1 })
  if (limit !== null || row.instrument.engine !== 'alt') return limit
  const { side, amount } = terms
  return riskRefusal(exchange, {
    row,
    account: owner.account.id,
    side,
    lots: amount,
    from: NO_SLOT,
  })
}

/** The account can afford it. */
export function plainFunds(exchange: Exchange, placement: PlainPlacement): Refusal | null {
  const { row, owner, terms, price } = placement
  if (!hasPlainFunds(row, owner)) return fundsRefusal(exchange, entryOf(placement), null)
  const { side, amount } = terms
  return plainFundsRefusal(exchange, {
    row,
    owner,
    side,
    lots: amount,
    price,
    bounded: isBounded(placement),
  })
}

/** It meets no order of its own account. */
export function plainSelfMatch(exchange: Exchange, placement: PlainPlacement): Refusal | null {
  const { row, owner, terms, price } = placement
  if (!mayMeetOwn(exchange, owner, { row, side: terms.side, price })) return null
  return selfMatchRefusal(exchange, entryOf(placement))
}

function isBounded({ row, terms }: PlainPlacement): boolean {
  return entryTypeOf(terms.type) !== 'market' || row.hasBand
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
