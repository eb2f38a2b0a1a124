/**
 * Matching of a Block RFQ: it selects the quotes that fill the whole amount, and splits a hedge and allocations over
 * the fills.
 *
 * Amounts are integers in one unit. Prices are integers that are only compared. A quote that may be filled in part
 * never gives more than its amount. An all-or-none quote gives its whole amount or nothing, so it fills only an RFQ of
 * the same amount.
 *
 * Rule: rfq.matching, rfq.hedge, rfq.allocation. Source: sessions-blocks-gateways.md 5.7. Assumed: each quote executes
 * at its own price, and solutions are ranked by their worst price. Alternative: one price for all makers.
 */
import { assert, divFloor, mulDivFloor } from '../core/index.ts'

/** A live quote on the side that the taker would take. */
export interface RfqQuote {
  readonly id: number
  /** Price of the structure; may be negative. */
  readonly price: number
  readonly amount: number
  readonly allOrNone: boolean
  /** Time when it was added or last edited. */
  readonly updatedAt: number
}

/** The part of a quote in a solution. */
export interface RfqFill {
  /** Id of the quote. */
  readonly quote: number
  /** Price of the quote. */
  readonly price: number
  readonly amount: number
}

/**
 * The fills of a whole amount within a limit, in their order of priority; undefined without a solution.
 *
 * Quotes are ordered by better price, then all-or-none quotes before others, then earlier time, then lower id. The
 * first all-or-none quote wins against the quotes that are filled in part if its price is at least as good as the worst
 * price that these would need.
 *
 * @param buys True if the taker buys, so that the quotes are asks.
 * @param limit Worst price that the taker accepts; undefined for any.
 */
export function matchRfq(
  buys: boolean,
  amount: number,
  quotes: readonly RfqQuote[],
  limit?: number,
): readonly RfqFill[] | undefined {
  assert(amount > 0, 'an RFQ has an amount')
  const isWorse = (price: number, than: number): boolean => (buys ? price > than : price < than)
  const eligible = quotes
    .filter(({ price }) => limit === undefined || !isWorse(price, limit))
    .sort((left, right) => {
      if (left.price !== right.price) return isWorse(left.price, right.price) ? 1 : -1
      if (left.allOrNone !== right.allOrNone) return left.allOrNone ? -1 : 1
      return left.updatedAt - right.updatedAt || left.id - right.id
    })
  const whole = eligible.find((quote) => quote.allOrNone && quote.amount === amount)
  const parts = partsOf(amount, eligible)
  const marginal = parts?.at(-1)
  if (whole === undefined) return parts
  if (marginal !== undefined && isWorse(whole.price, marginal.price)) return parts
  return [{ quote: whole.id, price: whole.price, amount }]
}

/** Fills the whole amount from quotes that may be filled in part, the first of them first. */
function partsOf(amount: number, sorted: readonly RfqQuote[]): readonly RfqFill[] | undefined {
  const fills: RfqFill[] = []
  let left = amount
  for (const { id, price, amount: offered, allOrNone } of sorted) {
    if (allOrNone || left === 0) continue
    const taken = Math.min(left, offered)
    fills.push({ quote: id, price, amount: taken })
    left -= taken
  }
  return left === 0 ? fills : undefined
}

/**
 * Amounts of a hedge for each fill, by its share: rounded down to a step, with the remainder for the largest fill, and
 * among equal ones for the lowest quote id. The amounts sum to the amount of the hedge.
 */
export function splitHedge(hedgeAmount: number, step: number, fills: readonly RfqFill[]): readonly number[] {
  const shares = fills.map(({ amount }) => amount)
  let largest = 0
  for (const [at, { amount, quote }] of fills.entries()) {
    const most = fills[largest]
    if (most === undefined) continue
    if (amount > most.amount || (amount === most.amount && quote < most.quote)) largest = at
  }
  return splitByShares(hedgeAmount, step, shares, largest)
}

/**
 * An amount split over shares, pro rata: each part is rounded down to a step, with the remainder for the first. The
 * parts sum to the amount.
 */
export function allocatePro(amount: number, step: number, shares: readonly number[]): readonly number[] {
  return splitByShares(amount, step, shares, 0)
}

function splitByShares(
  amount: number,
  step: number,
  shares: readonly number[],
  remainderAt: number,
): readonly number[] {
  const whole = shares.reduce((sum, share) => sum + share, 0)
  assert(amount >= 0 && step > 0, 'an amount is split in positive steps')
  assert(Number.isSafeInteger(whole) && whole > 0, 'the split has shares')
  const parts = shares.map((share) => divFloor(mulDivFloor(amount, share, whole), step) * step)
  const remainder = amount - parts.reduce((sum, part) => sum + part, 0)
  return parts.map((part, at) => (at === remainderAt ? part + remainder : part))
}
