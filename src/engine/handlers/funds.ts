/**
 * Funds: may this account open that much more?
 *
 * Rule: margin.before-order. Available funds must cover by how much the initial margin would rise;
 * what does not raise it is always allowed. A spot order must be covered in full by the currency it
 * gives. Source: market.md 6 and 6.1; trading.md C09 (10009, 10039).
 *
 * Assumed: fees and the difference between fill price and mark are not added to the requirement,
 * since the published rule names initial margin only.
 */
import {
  addToWide,
  addWide,
  compareWide,
  currencyId,
  isNegativeWide,
  setWide,
  subtractWide,
} from '../../core/index.ts'
import { setMarginBalance } from '../../ledger/index.ts'
import { firstInitialMargin, initialMarginIncrease, subtractCommitted } from '../../margin/index.ts'
import { currencyOf, type Refusal } from '../../model/index.ts'
import { setReserve } from '../matching/resting.ts'
import { type Exchange, walletOf } from '../state/exchange.ts'
import { findHolding, marginInput } from '../state/holdings.ts'
import { accountRow } from '../state/orders.ts'
import { type Entry, visitReachable } from './order-checks.ts'

/** Scratch registers of this file. */
const NEEDED = 0
const REPLACED = 2
const AVAILABLE = 4

/** Why an account cannot afford an order, or null. */
export function fundsRefusal(exchange: Exchange, entry: Entry): Refusal | null {
  const { row, account, side } = entry
  if (accountRow(exchange, account).account.house) return null
  if (row.base >= 0) return spotRefusal(exchange, entry)
  const lots = entry.lots - (entry.replaces?.lots ?? 0)
  // A check makes no holding: a refused order leaves no trace.
  const owner = findHolding(exchange, account, row)
  const increase =
    owner === undefined
      ? firstInitialMargin(row.markScale, lots)
      : initialMarginIncrease(exchange.margin, owner, marginInput(exchange, owner), { side, lots })
  if (increase <= 0) return null
  if (increase === Number.POSITIVE_INFINITY) return { reason: 'not_enough_funds' }
  const { scratch } = exchange
  setAvailable(exchange, walletOf(account, row.settlement))
  addToWide(scratch, AVAILABLE, -increase)
  return isNegativeWide(scratch, AVAILABLE) ? { reason: 'not_enough_funds' } : null
}

function spotRefusal(exchange: Exchange, entry: Entry): Refusal | null {
  const { row, account, side, replaces } = entry
  const { scratch } = exchange
  const currency = side === 'buy' ? row.settlement : currencyId(row.base)
  if (entry.bounded || side === 'sell') {
    setReserve(exchange, row, { at: NEEDED, side, lots: entry.lots, price: entry.price })
  } else {
    setCostOfTaking(exchange, entry)
  }
  if (replaces !== null) {
    setReserve(exchange, row, { at: REPLACED, side, lots: replaces.lots, price: replaces.price })
    subtractWide(scratch, NEEDED, scratch, REPLACED)
  }
  setAvailable(exchange, walletOf(account, currency))
  if (isNegativeWide(scratch, NEEDED) || compareWide(scratch, AVAILABLE, scratch, NEEDED) >= 0) {
    return null
  }
  return { reason: 'not_enough_funds_in_currency', currency: currencyOf(currency) }
}

/**
 * Sets the register to what taking from the book costs: a market buy without a band has no price of
 * its own and never rests. Orders of the account itself are not taken, unless self-matches are let be.
 */
function setCostOfTaking(exchange: Exchange, entry: Entry): void {
  const { row, side } = entry
  const { scratch } = exchange
  let left = entry.lots
  setWide(scratch, NEEDED, 0)
  visitReachable(exchange, entry, (offer) => {
    if (exchange.config.selfMatch !== 'off' && offer.owner === entry.account) return true
    const lots = Math.min(left, offer.lots)
    setReserve(exchange, row, { at: REPLACED, side, lots, price: offer.price })
    addWide(scratch, NEEDED, scratch, REPLACED)
    left -= lots
    return left > 0
  })
}

/**
 * Sets a scratch register to what a wallet has free (balance and session profit less initial margin
 * and spot reserve, in nano) and returns where it is.
 */
export function setAvailable(exchange: Exchange, wallet: number): number {
  const { scratch, ledger, margin } = exchange
  setMarginBalance(scratch, AVAILABLE, { ledger, wallet })
  subtractCommitted(scratch, AVAILABLE, { margin, wallet })
  return AVAILABLE
}
