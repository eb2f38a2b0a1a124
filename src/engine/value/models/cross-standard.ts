/**
 * `cross_sm`: standard margin of all currencies together, exact to 1e-18 and rounded once in USD (T79). The value of
 * options does not count as margin balance.
 * Source: market.md 6.2, 6.4.
 */
import { currencyId, divHalfAwayBig } from '../../../core/index.ts'
import { sizeOf } from '../../../ledger/index.ts'
import { crossTotals, readExposure, standardMargin18, worstSize } from '../../../margin/index.ts'
import { type Currency, currencyOf } from '../../../model/index.ts'
import { type AccountRow, type Exchange, findHolding } from '../../state/index.ts'
import { exactMargin, noExactMargin } from '../exact-margin.ts'
import { usdIndex9 } from '../usd-index.ts'
import type { MarginModelRules, Opened, SharedMargin } from './margin-model.ts'
import { hasFreeUsd, isNeverBound, sharedParts, sharedTotals } from './shared.ts'
import { NANO, needOfLegs, riseOfMoves18, riseOfOne, standardMargins } from './standard.ts'

const shared: SharedMargin = {
  parts: (exchange, owner) => sharedParts(exchange, owner, true),
  totals: (exchange, owner) => sharedTotals(exchange, owner, { parts: sharedParts(exchange, owner, true), more: null }),
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
    const rise18 = riseOfMoves18(exchange, owner, {
      moves,
      futureMargin18: ({ row, holding, buys, sells }, position) =>
        exactMargin(exchange, { row, holding }, { position, buys, sells }).initial18,
    })
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
  const { row, buys, sells } = opened
  if (row.instrument.kind !== 'future') return BigInt(riseOfOne(exchange, owner, opened)) * NANO
  const held = findHolding(exchange, owner.account.id, row)
  const open = held === undefined ? null : readExposure(exchange.margin, held.holding)
  const position = held === undefined ? 0 : sizeOf(exchange.ledger, held.holding)
  const worst = (more: { readonly buys: number; readonly sells: number }): number =>
    worstSize({
      position,
      buys: (open?.buys ?? 0) + more.buys,
      sells: (open?.sells ?? 0) + more.sells,
    })
  const { instrument, mark: mark9 } = row
  const need = (lots: number): bigint => standardMargin18(instrument, { lots, mark9, rate: 'initialPpm' })
  return need(worst({ buys, sells })) - need(worst({ buys: 0, sells: 0 }))
}

/** Converts margin in 1e-18 of a currency to 1e-9 USD. */
function usdOf18(exchange: Exchange, currency: number, margin18: bigint): bigint {
  const index9 = usdIndex9(exchange, currencyOf(currencyId(currency)))
  return divHalfAwayBig(margin18 * BigInt(index9), NANO * NANO)
}
