/**
 * Funding in doubles, on the safe side: what it came to since it was touched at the least, and what it may come to yet at
 * the most. Exact figures (`funding.ts`) are for where that leaves a doubt.
 *
 * Source: market.md 3.3, 3.4.
 */
import { divNearest } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { fundingIncrementNear } from '../../pricing/index.ts'
import type { AccountRow, Exchange, HoldingRow, IndexRow } from '../state/index.ts'

/** The time that a rate is for. */
const FUNDING_MICROS = 28_800_000_000
/** More than doubles lose of a product, as a part of it; and what rounding to nano does. */
const UNSURE = 1e-12
const ROUNDED = 1
/** How far an index may go from a price before those who count on it are looked at, as a part of that price. */
const FAR = 0.5

/**
 * Finds what funding of an account in a currency since it was last touched is at least, in nano.
 */
export function pendingAtLeast(exchange: Exchange, account: AccountRow, wallet: number): number {
  let least = 0
  for (const owner of account.fundable) {
    if (owner.wallet === wallet) least += pendingNear(exchange, owner)
  }
  return least
}

function pendingNear({ ledger, now }: Exchange, { row, holding, funded }: HoldingRow): number {
  const { funding, index } = row
  const { payoff, amountStep9 } = row.instrument
  if (funding === null || payoff === 'spot') return 0
  const { excess, accumulated, since } = funding
  const size9 = sizeOf(ledger, holding) * amountStep9
  const moved = Number(accumulated - funded)
  const elapsed = now - since
  const runs = fundingIncrementNear({ payoff, excess, elapsed, index9: index.price })
  const unit = payoff === 'inverse' ? 1e-24 : 1e-18
  // The exact increment is a whole number, which a large position multiplies.
  const part = Math.abs(size9) * unit
  const unsure = part * (1 + (Math.abs(moved) + Math.abs(runs)) * UNSURE) + ROUNDED
  return -size9 * (moved + runs) * unit - unsure
}

/** Prices between which an index stays, in 1e-9 USD, and until when. */
export interface FundedWhile {
  readonly low: number
  readonly high: number
  readonly until: number
}

/**
 * Finds what funding of a position may come to from now until a time at the most, whatever its rate is by then, while
 * its index stays between two prices: the cap of the rate on its value at the index (3.3), in nano.
 */
export function fundingAtMost(
  { ledger, now }: Exchange,
  { row, holding }: HoldingRow,
  { low, high, until }: FundedWhile,
): number {
  const { funding: terms, payoff, amountStep9 } = row.instrument
  if (terms === null) return 0
  const size9 = Math.abs(sizeOf(ledger, holding)) * amountStep9
  const value = payoff === 'inverse' ? divNearest(size9 * 1e9, low) : size9 * high * 1e-9
  const share = divNearest(until - now, FUNDING_MICROS)
  return value * terms.cap8 * 1e-8 * share * (1 + UNSURE) + ROUNDED
}

/** Finds what all perpetuals of an account in a currency of which funding may be due may yet cost it at the most, in nano. */
export function fundingOfWallet(
  exchange: Exchange,
  account: AccountRow,
  of: { readonly wallet: number; readonly until: number },
): number {
  const { wallet, until } = of
  let most = 0
  for (const owner of account.fundable) {
    if (owner.wallet !== wallet) continue
    const { index } = owner.row
    // The first who counts on it says around which price.
    if (index.fundedAround === 0) index.fundedAround = index.price
    most += fundingAtMost(exchange, owner, { ...aroundPrice(index.fundedAround), until })
  }
  return most
}

/** Prices that funding is counted for around one. */
export function aroundPrice(price: number): { readonly low: number; readonly high: number } {
  return { low: price * (1 - FAR), high: price * (1 + FAR) }
}

/** Tells of an index that is so far from the price which wallets counted on that these have to be looked at; the next count anew. */
export function leavesFunded(index: IndexRow): boolean {
  const { low, high } = aroundPrice(index.fundedAround)
  if (index.fundedAround === 0 || (index.price >= low && index.price <= high)) return false
  index.fundedAround = 0
  return true
}
