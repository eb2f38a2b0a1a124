/**
 * Positions: fills, marks and funding, booked into the rows of the ledger (market.md 5.1).
 *
 * Rule: position.option. Options are linear contracts that exchange cash immediately: a fill adds the premium to cash,
 * the same integer on both sides, and marks add nothing to the profit of the trading day. Their `profit` is their
 * value, size times mark; at a settlement S becomes that value, without cash.
 *
 * `postFutureFill` and `revalueFuture` work in one pass over the row of a holding. They do the same as the general
 * functions, which work step by step with wide integers in memory; a property test compares them. They keep a wide
 * integer in two variables, high * 1e9 + low with 0 <= low < 1e9, as in `core/wide.ts`. Wide integers of inverse futures
 * count 1e-18 of a coin, those of linear ones 1e-9 of a quote currency.
 */
import {
  addToWide,
  addWide,
  assert,
  compareWide,
  copyWide,
  type Nano,
  nanoAt,
  negateWide,
  setWide,
  setWideBigint,
  setWideShare,
  subtractWide,
  WIDE_BASE,
  wideDifferenceToNano,
  wideToNano,
  wideToNumber,
} from '../core/index.ts'
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

/** A fill in the form that the ledger books. */
interface FillPosting {
  /** 1 for a buy, -1 for a sell. */
  readonly sign: 1 | -1
  readonly lots: number
  readonly price: PricedTerms
  /** The mark that values the position after the fill. */
  readonly mark: PricedTerms
}

/**
 * Books a fill of a future into a holding and revalues it at the mark. Returns the realized profit of this fill in
 * nano of the settlement currency.
 */
export function postFutureFill(ledger: Ledger, owner: HoldingOwner, fill: FillPosting): Nano {
  const { holdings, scratch } = ledger
  const { sign, lots, price } = fill
  const isInverse = price.terms.payoff === 'inverse'
  // A buy adds coin to the basis of an inverse future, and subtracts its cost from the basis of a linear one.
  const basisSign = isInverse ? sign : -sign
  const at = owner.holding * HOLDING_STRIDE
  const size = cell(holdings, at + SIZE)
  const entryHigh = cell(holdings, at + ENTRY)
  const entryLow = cell(holdings, at + ENTRY + 1)
  const dayHigh = cell(holdings, at + DAY)
  const dayLow = cell(holdings, at + DAY + 1)
  putBasis(scratch, 0, price, lots, basisSign)
  // The basis of the opening part, and the shares of both bases for the closing part.
  let opensHigh = cell(scratch, 0)
  let opensLow = cell(scratch, 1)
  let entryShareHigh = 0
  let entryShareLow = 0
  let shareHigh = 0
  let shareLow = 0
  let realized: Nano = 0
  if (size !== 0 && size > 0 !== sign > 0) {
    const whole = Math.abs(size)
    const part = Math.min(lots, whole)
    let closesHigh = opensHigh
    let closesLow = opensLow
    if (part < lots) {
      // The part beyond zero opens a position on the other side.
      putBasis(scratch, 2, price, part, basisSign)
      closesHigh = cell(scratch, 2)
      closesLow = cell(scratch, 3)
    }
    opensHigh -= closesHigh
    opensLow -= closesLow
    entryShareHigh = entryHigh
    entryShareLow = entryLow
    shareHigh = dayHigh
    shareLow = dayLow
    if (part < whole) {
      setWideShare(scratch, 6, { source: holdings, from: at + DAY, part, whole })
      shareHigh = cell(scratch, 6)
      shareLow = cell(scratch, 7)
      // Until the first settlement both bases are equal, and so are their shares.
      const isOne = entryHigh === dayHigh && entryLow === dayLow
      if (!isOne) setWideShare(scratch, 6, { source: holdings, from: at + ENTRY, part, whole })
      entryShareHigh = cell(scratch, 6)
      entryShareLow = cell(scratch, 7)
    }
    const gainHigh = shareHigh + closesHigh
    const gainLow = shareLow + closesLow
    const before = wideToNano(holdings, at + REALIZED)
    addSum(holdings, at + REALIZED, gainHigh, gainLow)
    if (isInverse) {
      // Each sum is rounded to nano, so that the realized profits of fills add up.
      realized = wideToNano(holdings, at + REALIZED) - before
    } else {
      putSum(scratch, 4, gainHigh, gainLow)
      realized = nanoAt(scratch, 4)
    }
  }
  addSum(holdings, at + ENTRY, opensHigh - entryShareHigh, opensLow - entryShareLow)
  addSum(holdings, at + DAY, opensHigh - shareHigh, opensLow - shareLow)
  holdings[at + SIZE] = size + sign * lots
  revalueFuture(ledger, owner, fill.mark)
  return realized
}

/** Adds a sum, whose low part may be out of range, to a wide value. */
function addSum(target: Float64Array, at: number, high: number, low: number): void {
  putSum(target, at, cell(target, at) + high, cell(target, at + 1) + low)
}

/** Sets a wide value to a sum whose low part may be out of range. */
function putSum(target: Float64Array, at: number, high: number, low: number): void {
  let carried = high
  let rest = low
  while (rest < 0) {
    rest += WIDE_BASE
    carried -= 1
  }
  while (rest >= WIDE_BASE) {
    rest -= WIDE_BASE
    carried += 1
  }
  assert(Number.isSafeInteger(carried), 'a wide value fits into its slots')
  target[at] = carried
  target[at + 1] = rest
}

/** Values a holding of a future at a mark, and adds the change of its profit to its wallet. */
function revalueFuture({ holdings, wallets, scratch }: Ledger, owner: HoldingOwner, mark: PricedTerms): void {
  const at = owner.holding * HOLDING_STRIDE
  const size = cell(holdings, at + SIZE)
  const isInverse = mark.terms.payoff === 'inverse'
  const sign = isInverse ? size : -size
  putBasis(holdings, at + VALUE, mark, Math.abs(size), sign)
  const high = cell(holdings, at + DAY) - cell(holdings, at + VALUE)
  const low = cell(holdings, at + DAY + 1) - cell(holdings, at + VALUE + 1)
  const before = cell(holdings, at + PROFIT)
  const beforeLow = cell(holdings, at + PROFIT + 1)
  if (isInverse) {
    // Floating and realized profit are each rounded to nano.
    putSum(scratch, 2, high, low)
    const floating = wideToNano(scratch, 2)
    const realized = wideToNano(holdings, at + REALIZED)
    const funding = cell(holdings, at + FUNDING) * WIDE_BASE + cell(holdings, at + FUNDING + 1)
    const profit = floating + realized + funding
    assert(Number.isSafeInteger(profit), 'the value is a safe integer')
    setWide(holdings, at + PROFIT, profit)
  } else {
    const gained = cell(holdings, at + REALIZED) + cell(holdings, at + FUNDING)
    const gainedLow = cell(holdings, at + REALIZED + 1) + cell(holdings, at + FUNDING + 1)
    putSum(holdings, at + PROFIT, high + gained, low + gainedLow)
  }
  const change = cell(holdings, at + PROFIT) - before
  const changeLow = cell(holdings, at + PROFIT + 1) - beforeLow
  addSum(wallets, owner.wallet * WALLET_STRIDE + WALLET_PROFIT, change, changeLow)
}

/** Sets a wide value to the basis of a size, with its sign. */
function putBasis(target: Float64Array, at: number, priced: PricedTerms, lots: number, sign: number): void {
  setBasis(target, at, priced, lots)
  if (sign < 0) negateWide(target, at)
}

/** Reads a cell, which exists. */
function cell(source: Float64Array, at: number): number {
  return source[at] as number
}
