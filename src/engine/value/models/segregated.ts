/**
 * `segregated_sm`: standard margin of each currency by itself, stored as sums over its holdings. The value of options
 * does not count as margin balance (market.md 5.3, 6.1).
 */

import { addNano, isNegativeWide, type Nano, takesNano } from '../../../core/index.ts'
import { setMarginBalance } from '../../../ledger/index.ts'
import { hasMaintenance, initialMargin, readExposure, worstSize } from '../../../margin/index.ts'
import { walletRowOf } from '../../state/index.ts'
import { exactMargin } from '../exact-margin.ts'
import { updateSkippedHolding, updateSkippedOfWallet } from '../skipped-revaluations.ts'
import { setFree, walletState } from '../wallet-state.ts'
import type { Counted, MarginModelRules } from './margin-model.ts'
import {
  needOfPair,
  pairsOf,
  portfolioMargins,
  restRisks,
  riseOfMovedPairs,
  riseOfPairs,
  sumOfPairs,
} from './portfolio.ts'
import { type HeldNow, NANO, nanoOf18, needOfLegs, riseOfMoves18, riseOfOne, standardMargins } from './standard.ts'

/** Scratch registers of this file. */
const BALANCE = 0

const FREE = 4

export const segregatedStandard: MarginModelRules = {
  shared: null,
  isSummed: true,
  netsPositions: false,
  margins: standardMargins,
  // Long options need no margin, but they do not cover a debt either.
  isBound: (exchange, _owner, wallet) => {
    updateSkippedOfWallet(exchange, wallet)
    if (hasMaintenance(exchange.margin, wallet)) return true
    setMarginBalance(exchange.scratch, BALANCE, exchange.ledger, wallet)
    return isNegativeWide(exchange.scratch, BALANCE)
  },
  riseOfOrders: (exchange, owner, opened) => {
    let rise: Nano = 0
    for (const each of opened) rise = addNano(rise, riseOfOne(exchange, owner, each))
    return rise
  },
  riseOfMoves: (exchange, owner, { moves }) => nanoOf18(riseOfMoves18(exchange, owner, moves, futureMargin18)),
  hasFree: (exchange, owner, { currency, rise }) => {
    setFree(exchange, FREE, walletRowOf(owner.account.id, currency))
    return takesNano(exchange.scratch, FREE, rise)
  },
  projected: (exchange, _owner, kept) => {
    let initial = 0n
    let maintenance = 0n
    for (const each of kept) {
      initial += initialOf(each, (owner, sizes) => exactMargin(exchange, owner, sizes).initial18)
      updateSkippedHolding(exchange, each.owner)
      maintenance += BigInt(readExposure(exchange.margin, each.owner.holding).maintenance)
    }
    return { initial, maintenance }
  },
  needOf: needOfLegs,
}

/** Segregated margin is rounded for each position. */
function futureMargin18(holding: HeldNow, size: number): bigint {
  const worst = Math.max(Math.abs(size), Math.abs(size + holding.buys), Math.abs(size - holding.sells))
  return BigInt(initialMargin(holding.row.markScale, worst)) * NANO
}

function initialOf(
  { owner, sizes }: Counted,
  exact18: (owner: Counted['owner'], sizes: Counted['sizes']) => bigint,
): bigint {
  if (owner.row.instrument.kind !== 'future') return nanoOf18(exact18(owner, sizes))
  return BigInt(initialMargin(owner.row.markScale, worstSize(sizes)))
}

/**
 * `segregated_pm`: portfolio margin of each currency by itself. The value of options counts as margin balance.
 * Source: market.md 6.3.
 */

export const segregatedPortfolio: MarginModelRules = {
  shared: null,
  isSummed: false,
  netsPositions: true,
  margins: portfolioMargins,
  isBound: (_exchange, owner, wallet) => owner.risk.pairs.some((pair) => pair.wallet === wallet),
  riseOfOrders: (exchange, owner, opened) => riseOfPairs(exchange, owner, opened, null),
  riseOfMoves: (exchange, owner, change) => riseOfMovedPairs(exchange, owner, { ...change, parts: null }),
  hasFree: (exchange, owner, { currency, rise }) => {
    const state = walletState(exchange, owner, currency)
    const { marginBalance, initial } = portfolioMargins(exchange, owner, state)
    return marginBalance - initial - state.spotReserve >= rise
  },
  projected: (exchange, _owner, kept) => {
    const rest = [...pairsOf(kept)].map((pair) => restRisks(exchange, pair, kept, null))
    return sumOfPairs(rest)
  },
  needOf: (exchange, owner, legs) => needOfPair(exchange, owner, legs, null),
}
