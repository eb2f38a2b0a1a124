/**
 * Positions: fills, marks and funding, booked into the rows of the ledger (market.md 5.1).
 *
 * Rule: position.option. Options are linear contracts that exchange cash immediately: a fill adds the premium to cash,
 * the same integer on both sides, and marks add nothing to the profit of the trading day. Their `profit` is their
 * value, size times mark; at a settlement S becomes that value, without cash.
 */
import {
  addToWide,
  addWide,
  compareWide,
  copyWide,
  type Nano,
  nanoAt,
  negateWide,
  setWide,
  setWideBigint,
  setWideShare,
  subtractWide,
  wideDifferenceToNano,
  wideToNano,
  wideToNumber,
} from '../core/index.ts'
import { type FillPosting, revalueFuture } from './future-fill.ts'
import {
  CASH,
  DAY,
  ENTRY,
  FUNDING,
  HOLDING_STRIDE,
  type HoldingOwner,
  type Ledger,
  PROFIT,
  REALIZED,
  SIZE,
  VALUE,
  WALLET_OPTIONS,
  WALLET_PROFIT,
  WALLET_STRIDE,
} from './rows.ts'
import { type PricedTerms, setBasis } from './terms.ts'

/**
 * Books a fill into a holding and revalues it at the mark.
 * Returns the realized profit of this fill in nano of the settlement currency.
 */
export function postFill(ledger: Ledger, owner: HoldingOwner, fill: FillPosting): Nano {
  const { holdings, scratch } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const size = holdings[at + SIZE] as number
  let realized: Nano = 0
  setBasis(scratch, 0, fill.price, fill.lots)
  if (isNegativeBasis(fill.sign, fill.price)) negateWide(scratch, 0)
  // The basis of a buy is its negative cost.
  if (fill.price.terms.premium) {
    addWide(ledger.wallets, owner.wallet * WALLET_STRIDE + CASH, scratch, 0)
  }
  if (size === 0 || size > 0 === fill.sign > 0) {
    addWide(holdings, at + ENTRY, scratch, 0)
    addWide(holdings, at + DAY, scratch, 0)
  } else {
    realized = reduceHolding(ledger, at, fill)
  }
  holdings[at + SIZE] = size + fill.sign * fill.lots
  revalueBySteps(ledger, owner, fill.mark)
  return realized
}

/** Values a holding at a mark, and adds the change of its profit to its wallet. */
export function revalueHolding(ledger: Ledger, owner: HoldingOwner, mark: PricedTerms): void {
  if (mark.terms.premium) revalueBySteps(ledger, owner, mark)
  else revalueFuture(ledger, owner, mark)
}

function revalueBySteps(ledger: Ledger, owner: HoldingOwner, mark: PricedTerms): void {
  const { holdings, wallets } = ledger
  const at = owner.holding * HOLDING_STRIDE
  const size = holdings[at + SIZE] as number
  setBasis(holdings, at + VALUE, mark, Math.abs(size))
  if (isNegativeBasis(size, mark)) negateWide(holdings, at + VALUE)
  if (mark.terms.premium) {
    revalueOption(ledger, owner)
    return
  }
  // The wallet's sum replaces the old value of the profit by the new one.
  const sum = owner.wallet * WALLET_STRIDE + WALLET_PROFIT
  if (mark.terms.payoff === 'inverse') {
    const before = wideToNumber(holdings, at + PROFIT)
    const floating = wideDifferenceToNano(holdings, at + DAY, at + VALUE)
    const profit = floating + wideToNano(holdings, at + REALIZED) + wideToNumber(holdings, at + FUNDING)
    setWide(holdings, at + PROFIT, profit)
    addToWide(wallets, sum, profit - before)
    return
  }
  subtractWide(wallets, sum, holdings, at + PROFIT)
  copyWide(holdings, at + PROFIT, holdings, at + DAY)
  subtractWide(holdings, at + PROFIT, holdings, at + VALUE)
  addWide(holdings, at + PROFIT, holdings, at + REALIZED)
  addWide(holdings, at + PROFIT, holdings, at + FUNDING)
  addWide(wallets, sum, holdings, at + PROFIT)
}

/** The value of an option is the negative of its basis at the mark. */
function revalueOption({ holdings, wallets }: Ledger, owner: HoldingOwner): void {
  const at = owner.holding * HOLDING_STRIDE
  const sum = owner.wallet * WALLET_STRIDE + WALLET_OPTIONS
  subtractWide(wallets, sum, holdings, at + PROFIT)
  copyWide(holdings, at + PROFIT, holdings, at + VALUE)
  negateWide(holdings, at + PROFIT)
  addWide(wallets, sum, holdings, at + PROFIT)
}

/** Adds received (negative: paid) funding to the trading day of a holding, in nano. */
export function postFunding(ledger: Ledger, owner: HoldingOwner, nano: bigint): void {
  const at = owner.holding * HOLDING_STRIDE
  setWideBigint(ledger.scratch, 0, nano)
  addWide(ledger.holdings, at + FUNDING, ledger.scratch, 0)
  addWide(ledger.holdings, at + PROFIT, ledger.scratch, 0)
  addWide(ledger.wallets, owner.wallet * WALLET_STRIDE + WALLET_PROFIT, ledger.scratch, 0)
}

/**
 * Closes the position by the part of a fill that reduces it; the part beyond zero opens a position on the other side.
 * Returns the change of realized profit in nano.
 */
function reduceHolding(ledger: Ledger, at: number, fill: FillPosting): Nano {
  const { holdings, scratch } = ledger
  const size = Math.abs(holdings[at + SIZE] as number)
  const closing = Math.min(fill.lots, size)
  if (closing < fill.lots) {
    // n - nc opens; nc is the coin (or cost) of only the closing part.
    setBasis(scratch, 2, fill.price, closing)
    if (isNegativeBasis(fill.sign, fill.price)) negateWide(scratch, 2)
    subtractWide(scratch, 0, scratch, 2)
  } else {
    copyWide(scratch, 2, scratch, 0)
    setWide(scratch, 0, 0)
  }
  takeShares(ledger, at, closing, size)
  copyWide(scratch, 8, holdings, at + REALIZED)
  addWide(holdings, at + REALIZED, scratch, 6)
  addWide(holdings, at + REALIZED, scratch, 2)
  addWide(holdings, at + ENTRY, scratch, 0)
  addWide(holdings, at + DAY, scratch, 0)
  if (fill.price.terms.payoff === 'inverse') {
    return wideToNano(holdings, at + REALIZED) - wideToNano(scratch, 8)
  }
  copyWide(scratch, 4, holdings, at + REALIZED)
  subtractWide(scratch, 4, scratch, 8)
  return nanoAt(scratch, 4)
}

/** Subtracts the closing part from both bases; scratch 6 keeps its share of the day's basis. */
function takeShares(ledger: Ledger, at: number, part: number, whole: number): void {
  const { holdings, scratch } = ledger
  const same = compareWide(holdings, at + ENTRY, holdings, at + DAY) === 0
  setWideShare(scratch, 6, { source: holdings, from: at + DAY, part, whole })
  // Until the first settlement both bases are equal, and so are their shares.
  if (same) copyWide(scratch, 4, scratch, 6)
  else setWideShare(scratch, 4, { source: holdings, from: at + ENTRY, part, whole })
  subtractWide(holdings, at + ENTRY, scratch, 4)
  subtractWide(holdings, at + DAY, scratch, 6)
}

/** True if a size has a negative basis: buys add coin (inverse) or cost money (linear). */
function isNegativeBasis(size: number, priced: PricedTerms): boolean {
  return priced.terms.payoff === 'inverse' ? size < 0 : size > 0
}
