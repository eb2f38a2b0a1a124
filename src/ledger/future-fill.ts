/**
 * Fills of futures and their values at marks, in one pass over the row of a holding. The functions do the same as
 * `postFill`, which works step by step with wide integers in memory; a property test compares them.
 *
 * Two variables hold a wide integer here, high * 1e9 + low with 0 <= low < 1e9, as in `core/wide.ts`. Wide integers of
 * inverse futures count 1e-18 of a coin, those of linear ones 1e-9 of a quote currency.
 */
import { assert, type Nano, nanoAt, negateWide, setWide, setWideShare, WIDE_BASE, wideToNano } from '../core/index.ts'
import {
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
  WALLET_PROFIT,
  WALLET_STRIDE,
} from './rows.ts'
import { type PricedTerms, setBasis } from './terms.ts'

/** A fill in the form that the ledger books. */
export interface FillPosting {
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
export function revalueFuture({ holdings, wallets, scratch }: Ledger, owner: HoldingOwner, mark: PricedTerms): void {
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
