/**
 * `segregated_pm`: portfolio margin of each currency by itself. The value of options counts as margin balance.
 * Source: market.md 6.3.
 */
import { walletState } from '../wallet-state.ts'
import type { MarginModelRules } from './margin-model.ts'
import {
  needOfPair,
  pairsOf,
  portfolioMargins,
  restRisks,
  riseOfMovedPairs,
  riseOfPairs,
  sumOfPairs,
} from './portfolio.ts'

export const segregatedPortfolio: MarginModelRules = {
  shared: null,
  isSummed: false,
  netsPositions: true,
  margins: portfolioMargins,
  isBound: (_exchange, owner, wallet) => owner.risk.pairs.some((pair) => pair.wallet === wallet),
  riseOfOrders: (exchange, owner, opened) => riseOfPairs(exchange, owner, { opened, parts: null }),
  riseOfMoves: (exchange, owner, change) => riseOfMovedPairs(exchange, owner, { ...change, parts: null }),
  hasFree: (exchange, owner, { currency, rise }) => {
    const state = walletState(exchange, owner, currency)
    const { marginBalance, initial } = portfolioMargins(exchange, owner, state)
    return marginBalance - initial - state.spotReserve >= rise
  },
  projected: (exchange, _owner, kept) => {
    const rest = [...pairsOf(kept)].map((pair) => restRisks(exchange, pair, { kept, cross: null }))
    return sumOfPairs(rest)
  },
  needOf: (exchange, owner, legs) => needOfPair(exchange, owner, { legs, parts: null }),
}
