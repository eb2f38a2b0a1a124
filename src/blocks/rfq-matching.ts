/**
 * Matching of a Block RFQ: which quotes fill its whole amount, and how a hedge and allocations follow the fills.
 *
 * Amounts are integers in one unit, prices integers that are compared alone. A quote that may be filled in part never
 * gives more than its amount. A quote that is all or none gives its whole amount or nothing, so it fills an RFQ of
 * the same amount alone.
 *
 * Rule: rfq.matching, rfq.hedge, rfq.allocation. Source: sessions-blocks-gateways.md 5.7. Assumed: each quote
 * executes at its own price, and solutions are ranked by their worst price. Alternative: one price for all makers.
 */
import { assert, divFloor, mulDivFloor } from '../core/index.ts'

/** A live quote on the side that the taker would take. */
export interface RfqQuote {
  readonly id: number
  /** Price of the structure; may be negative. */
  readonly price: number
  readonly amount: number
  readonly allOrNone: boolean
  /** When it was added or last edited. */
  readonly updatedAt: number
}

/** The part of a quote that a solution takes. */
export interface RfqFill {
  /** Id of the quote. */
  readonly quote: number
  /** As quoted. */
  readonly price: number
  readonly amount: number
}

/**
 * The fills that take a whole amount within a limit, in their order of priority; undefined when there are none.
 *
 * Quotes stand by better price, then all or none before any part, then earlier time, then lower id. The first that is
 * all or none wins against the quotes that are filled in part when its price is at least as good as the worst price
 * that these would need.
 *
 * @param buys True when the taker buys, so that the quotes are asks.
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

/** The whole amount out of quotes that may be filled in part, the first of them first. */
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
 * Amounts of a hedge for each fill, by its share: rounded down to a step, the remainder to the largest fill, among
 * equals to that of the lowest quote id. The amounts sum to that of the hedge.
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
 * An amount booked over shares, pro rata: each part rounded down to a step, the remainder to the first. The parts sum
 * to the amount.
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
