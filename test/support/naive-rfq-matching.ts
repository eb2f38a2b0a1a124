/** Matching of a Block RFQ by trying every subset of its quotes: the oracle of `matchRfq`. */

/** The fields of a quote that matching reads. */
export interface NaiveQuote {
  readonly id: number
  readonly price: number
  readonly amount: number
  readonly allOrNone: boolean
  readonly updatedAt: number
}

/** The filled part of a quote. */
export interface NaiveFill {
  readonly quote: number
  readonly price: number
  readonly amount: number
}

interface Solution {
  readonly fills: readonly NaiveFill[]
  /** Prices of a seller are negated in both, so that less is better. */
  readonly worst: number
  readonly cost: number
  readonly isWhole: boolean
}

/** Quotes in their order of priority for a taker's side. */
export function byPriority(buys: boolean, quotes: readonly NaiveQuote[]): NaiveQuote[] {
  const sign = buys ? 1 : -1
  return [...quotes].sort(
    (a, b) =>
      sign * (a.price - b.price) ||
      Number(b.allOrNone) - Number(a.allOrNone) ||
      a.updatedAt - b.updatedAt ||
      a.id - b.id,
  )
}

/**
 * The best way to fill an amount from any subset of quotes: the subset with the best worst price; then one with an
 * all-or-none quote; then the cheaper one; then the one that takes more of earlier quotes.
 */
export function bestSubset(
  buys: boolean,
  amount: number,
  of: { readonly quotes: readonly NaiveQuote[]; readonly limit?: number | undefined },
): readonly NaiveFill[] | undefined {
  const sign = buys ? 1 : -1
  const ranked = byPriority(buys, of.quotes)
  const solutions: Solution[] = []
  for (let mask = 1; mask < 2 ** ranked.length; mask += 1) {
    const subset = ranked.filter((_, at) => Math.floor(mask / 2 ** at) % 2 === 1)
    const fills = fillsOf(amount, subset)
    if (fills === undefined) continue
    const worst = Math.max(...fills.map(({ price }) => sign * price))
    if (of.limit !== undefined && worst > sign * of.limit) continue
    const cost = fills.reduce((sum, fill) => sum + sign * fill.price * fill.amount, 0)
    solutions.push({ fills, worst, cost, isWhole: subset.some((quote) => quote.allOrNone) })
  }
  const places = new Map(ranked.map(({ id }, at) => [id, at]))
  const takenOf = ({ fills }: Solution): number[] => {
    const taken = ranked.map(() => 0)
    for (const fill of fills) taken[places.get(fill.quote) ?? 0] = fill.amount
    return taken
  }
  const [best] = solutions.sort(
    (a, b) =>
      a.worst - b.worst ||
      Number(b.isWhole) - Number(a.isWhole) ||
      a.cost - b.cost ||
      moreOfEarlier(takenOf(a), takenOf(b)),
  )
  return best?.fills
}

/** The fills of exactly these quotes, each with a positive size; undefined if they do not fit the amount. */
function fillsOf(amount: number, subset: readonly NaiveQuote[]): readonly NaiveFill[] | undefined {
  if (subset.some((quote) => quote.allOrNone)) {
    const [only] = subset
    if (only === undefined || subset.length > 1 || only.amount !== amount) return undefined
    return [{ quote: only.id, price: only.price, amount }]
  }
  let left = amount
  const fills = subset.map((quote): NaiveFill => {
    const taken = Math.min(left, quote.amount)
    left -= taken
    return { quote: quote.id, price: quote.price, amount: taken }
  })
  return left === 0 && fills.every((fill) => fill.amount > 0) ? fills : undefined
}

function moreOfEarlier(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((each, index) => each !== b[index])
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0)
}
