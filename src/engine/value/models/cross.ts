/**
 * `cross_sm`: standard margin of all currencies together, exact to 1e-18 and rounded once in USD (T79). The value of
 * options does not count as margin balance.
 * Source: market.md 6.2, 6.4.
 */

import { currencyId, divHalfAwayBig, type Nano } from '../../../core/index.ts'
import { sizeOf } from '../../../ledger/index.ts'
import { type CrossTotals, crossTotals, readExposure, standardMargin18, worstSize } from '../../../margin/index.ts'
import { CURRENCY_SLOTS, type Currency, currencies, currencyOf } from '../../../model/index.ts'
import { type AccountRow, type Exchange, findHolding } from '../../state/index.ts'
import { crossPairs } from '../cross-pairs.ts'
import { exactMargin, noExactMargin } from '../exact-margin.ts'
import { heldForGroupsUsd } from '../mmp-margin.ts'
import { usdIndex9 } from '../usd-index.ts'
import { walletState } from '../wallet-state.ts'
import type { MarginModelRules, MarginNeed, Opened, SharedMargin, SharedPart } from './margin-model.ts'
import { needOfPair, portfolioMargins, restRisks, riseOfMovedPairs, riseOfPairs, sumOfPairs } from './portfolio.ts'
import { NANO, needOfLegs, riseOfMoves18, riseOfOne, standardMargins } from './standard.ts'

const shared: SharedMargin = {
  parts: (exchange, owner) => sharedParts(exchange, owner, true),
  totals: (exchange, owner) => sharedTotals(exchange, owner, sharedParts(exchange, owner, true), null),
}

export const crossStandard: MarginModelRules = {
  shared,
  isSummed: false,
  netsPositions: false,
  margins: standardMargins,
  isBound: isNeverBound,
  riseOfOrders: (exchange, owner, opened) => {
    const needs = new Map<number, bigint>()
    for (const each of opened) {
      const { settlement } = each.row
      const rise = riseOfOne18(exchange, owner, each)
      needs.set(settlement, (needs.get(settlement) ?? 0n) + rise)
    }
    let rise = 0n
    for (const [currency, rise18] of needs) rise += usdOf18(exchange, currency, rise18)
    return rise
  },
  riseOfMoves: (exchange, owner, { moves }) => {
    const [first] = moves
    if (first === undefined) return 0n
    const rise18 = riseOfMoves18(
      exchange,
      owner,
      moves,
      ({ row, holding, buys, sells }, position) =>
        exactMargin(exchange, { row, holding }, { position, buys, sells }).initial18,
    )
    return usdOf18(exchange, first.row.settlement, rise18)
  },
  hasFree: (exchange, owner, { rise }) => hasFreeUsd(shared, exchange, owner, rise),
  projected: (exchange, owner, kept) => {
    const sums = new Map<Currency, typeof noExactMargin>()
    for (const { owner: held, sizes } of kept) {
      const currency = currencyOf(currencyId(held.row.settlement))
      const before = sums.get(currency) ?? noExactMargin
      const { initial18, maintenance18 } = exactMargin(exchange, held, sizes)
      sums.set(currency, {
        initial18: before.initial18 + initial18,
        maintenance18: before.maintenance18 + maintenance18,
      })
    }
    const parts = shared.parts(exchange, owner)
    return crossTotals(parts.map((part) => ({ ...part, ...(sums.get(part.currency) ?? noExactMargin) })))
  },
  needOf: needOfLegs,
}

/** Increase of the exact margin of one instrument, in 1e-18. */
function riseOfOne18(exchange: Exchange, owner: AccountRow, opened: Opened): bigint {
  if (opened.row.instrument.kind !== 'future') return BigInt(riseOfOne(exchange, owner, opened)) * NANO
  const held = findHolding(exchange, owner.account.id, opened.row)
  const open = held === undefined ? null : readExposure(exchange.margin, held.holding)
  const position = held === undefined ? 0 : sizeOf(exchange.ledger, held.holding)
  const worst = (buys: number, sells: number): number =>
    worstSize({
      position,
      buys: (open?.buys ?? 0) + buys,
      sells: (open?.sells ?? 0) + sells,
    })
  const { instrument, mark: mark9 } = opened.row
  const need = (lots: number): bigint => standardMargin18(instrument, { lots, mark9, rate: 'initialPpm' })
  return need(worst(opened.buys, opened.sells)) - need(worst(0, 0))
}

/** Converts margin in 1e-18 of a currency to 1e-9 USD. */
function usdOf18(exchange: Exchange, currency: number, margin18: bigint): bigint {
  const index9 = usdIndex9(exchange, currencyOf(currencyId(currency)))
  return divHalfAwayBig(margin18 * BigInt(index9), NANO * NANO)
}

/**
 * `cross_pm`: portfolio margin of all currencies together, in USD. The account's equity in a coin moves with the coin's
 * index. The value of options counts as margin balance.
 * Source: market.md 6.4 (T80).
 */

const sharedPortfolio: SharedMargin = {
  parts: (exchange, owner) => sharedParts(exchange, owner, false),
  totals: (exchange, owner) => {
    const parts = sharedParts(exchange, owner, false)
    const more = sumOfPairs(crossPairs(exchange, owner, parts))
    return sharedTotals(exchange, owner, parts, more)
  },
}

export const crossPortfolio: MarginModelRules = {
  shared: sharedPortfolio,
  isSummed: false,
  netsPositions: true,
  margins: portfolioMargins,
  isBound: isNeverBound,
  riseOfOrders: (exchange, owner, opened) =>
    riseOfPairs(exchange, owner, opened, sharedPortfolio.parts(exchange, owner)),
  riseOfMoves: (exchange, owner, change) =>
    riseOfMovedPairs(exchange, owner, { ...change, parts: sharedPortfolio.parts(exchange, owner) }),
  hasFree: (exchange, owner, { rise }) => hasFreeUsd(sharedPortfolio, exchange, owner, rise),
  projected: (exchange, owner, kept) => {
    const parts = sharedPortfolio.parts(exchange, owner)
    const risks = crossPairs(exchange, owner, parts, (pair, cross) => restRisks(exchange, pair, kept, cross))
    return sumOfPairs(risks, crossTotals(parts))
  },
  needOf: (exchange, owner, legs) => needOfPair(exchange, owner, legs, []),
}

/**
 * Common part of the two cross models: all currencies share one margin in USD. The figures of one currency are the
 * shared ones divided by its index.
 * Source: market.md 6.4.
 */

/**
 * Contributions of an account's currencies. Currencies without any amount are omitted. `excludesOptions`: the value of
 * options does not count as margin balance.
 */
function sharedParts(exchange: Exchange, owner: AccountRow, excludesOptions: boolean): readonly SharedPart[] {
  const parts: SharedPart[] = []
  const { exactTotals } = owner.risk
  for (let id = 0; id < Math.min(CURRENCY_SLOTS, currencies.length); id += 1) {
    const { equity, optionsValue, spotReserve } = walletState(exchange, owner, id)
    const exact = exactTotals.get(id) ?? noExactMargin
    const currency = currencyOf(currencyId(id))
    const isHeld = equity !== 0n || optionsValue !== 0n || spotReserve !== 0n
    if (!isHeld && exact.initial18 === 0n && exact.maintenance18 === 0n) continue
    parts.push({
      currency,
      equity,
      spotReserve,
      index9: usdIndex9(exchange, currency),
      haircutPpm: exchange.config.haircutsPpm[currency] ?? 0,
      excluded: excludesOptions ? optionsValue : 0n,
      initial18: exact.initial18,
      maintenance18: exact.maintenance18,
    })
  }
  return parts
}

/** The totals of the parts, plus the margin held for market-maker protection and the margins in `more`. */
function sharedTotals(
  exchange: Exchange,
  owner: AccountRow,
  parts: readonly SharedPart[],
  more: MarginNeed | null,
): CrossTotals {
  const totals = crossTotals(parts)
  const held = owner.mmpGroups.length === 0 ? 0n : heldForGroupsUsd(exchange, owner)
  if (held === 0n && more === null) return totals
  const { initial = 0n, maintenance = 0n } = more ?? {}
  return {
    ...totals,
    initial: totals.initial + held + initial,
    maintenance: totals.maintenance + maintenance,
  }
}

/** True if an account has `rise` available in USD. */
function hasFreeUsd(shared: SharedMargin, exchange: Exchange, owner: AccountRow, rise: Nano): boolean {
  const { marginBalance, initial, spotReserve } = shared.totals(exchange, owner)
  return marginBalance - initial - spotReserve >= rise
}

/** False for all currencies, because they are liquidated together. */
function isNeverBound(): boolean {
  return false
}
