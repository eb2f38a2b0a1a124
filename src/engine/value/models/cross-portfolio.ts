/**
 * `cross_pm`: portfolio margin of all currencies together, in USD. The account's equity in a coin moves with the coin's
 * index. The value of options counts as margin balance.
 * Source: market.md 6.4 (T80).
 */
import { crossTotals } from '../../../margin/index.ts'
import { crossPairs } from '../cross-pairs.ts'
import type { MarginModelRules, SharedMargin } from './margin-model.ts'
import { needOfPair, portfolioMargins, restRisks, riseOfMovedPairs, riseOfPairs, sumOfPairs } from './portfolio.ts'
import { hasFreeUsd, isNeverBound, sharedParts, sharedTotals } from './shared.ts'

const shared: SharedMargin = {
  parts: (exchange, owner) => sharedParts(exchange, owner, false),
  totals: (exchange, owner) => {
    const parts = sharedParts(exchange, owner, false)
    const more = sumOfPairs(crossPairs(exchange, owner, { parts }))
    return sharedTotals(exchange, owner, { parts, more })
  },
}

export const crossPortfolio: MarginModelRules = {
  shared,
  isSummed: false,
  netsPositions: true,
  margins: portfolioMargins,
  isBound: isNeverBound,
  riseOfOrders: (exchange, owner, opened) =>
    riseOfPairs(exchange, owner, { opened, parts: shared.parts(exchange, owner) }),
  riseOfMoves: (exchange, owner, change) =>
    riseOfMovedPairs(exchange, owner, { ...change, parts: shared.parts(exchange, owner) }),
  hasFree: (exchange, owner, { rise }) => hasFreeUsd(shared, exchange, owner, rise),
  projected: (exchange, owner, kept) => {
    const parts = shared.parts(exchange, owner)
    const risks = crossPairs(exchange, owner, {
      parts,
      risksOf: (pair, cross) => restRisks(exchange, pair, { kept, cross }),
    })
    return sumOfPairs(risks, crossTotals(parts))
  },
  needOf: (exchange, owner, legs) => needOfPair(exchange, owner, { legs, parts: [] }),
}
