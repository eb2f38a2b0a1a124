/**
 * Projected margins: what an account would need without the positions and orders of the nearest expiry
 * (market.md 5.3), found from nothing for each question.
 *
 * Assumed: the nearest expiry is that of whatever shares the margin: of a currency in segregated models, of the whole
 * account in cross models. An order of a combo ends with its first leg, so that it is of the nearest expiry
 * where that leg is, and then opens nothing on its other legs.
 *
 * Rule: margin.projected. Assumed: only margins are projected. What the account is worth, with it the haircuts
 * of cross margin and how its coins are stressed, stays as it is, since a delivery turns the worth of
 * what ends into cash.
 */

import {
  type AccountId,
  type Amount,
  amount,
  currencyId,
  divHalfAwayBig,
} from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import {
  createRiskGroup,
  crossTotals,
  type HeldSizes,
  initialMargin,
  type MatrixRisk,
  ofUsd,
  type RiskInput,
  readExposure,
  readPremium,
  updateGroup,
  worstSize,
} from '../../margin/index.ts'
import { type Currency, currencyIdOf, currencyOf, neverExpires } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  findHolding,
  type HoldingRow,
  type InstrumentRow,
  type PairRow,
} from '../state/index.ts'
import { crossParts } from './account-margins.ts'
import { crossPairs } from './cross-pairs.ts'
import { exactMargin, noExactMargin } from './exact-margin.ts'
import { legSizes } from './leg-lots.ts'
import { heldForGroups, heldForGroupsUsd } from './mmp-margin.ts'
import { heldContract, pairMargin, risksOfGroup } from './pairs.ts'
import { usdIndex9 } from './usd-index.ts'

/** Margins without the nearest expiry, in nano of a currency. */
export interface ProjectedMargins {
  /** The nearest expiry; null where nothing ends. */
  readonly expiration: number | null
  readonly initial: Amount
  readonly maintenance: Amount
}

/** What is counted of a holding. */
interface Counted {
  readonly owner: HoldingRow
  readonly sizes: HeldSizes
}

const NANO = 1_000_000_000n

/** The projected margins of an account in a currency; of cross models those of the account, over its index. */
export function projectedMargins(
  exchange: Exchange,
  account: AccountId,
  currency: Currency,
): ProjectedMargins {
  const owner = accountRow(exchange, account)
  const { isCross, isPortfolio } = owner.risk
  const all = countedOf(exchange, owner, isCross ? null : currencyIdOf(currency))
  const expiration = nearestOf(all)
  const kept = withoutExpiry(all, expiration)
  if (isCross) {
    const usd = crossProjected(exchange, owner, kept)
    const index9 = usdIndex9(exchange, currency)
    const held = heldForGroupsUsd(exchange, owner)
    const initial = amount(ofUsd(usd.initial + held, index9))
    return { expiration, initial, maintenance: amount(ofUsd(usd.maintenance, index9)) }
  }
  let initial = heldForGroups(exchange, owner, currencyIdOf(currency))
  let maintenance = 0n
  if (isPortfolio) {
    for (const pair of pairsOf(kept)) {
      const margin = pairMargin(restRisks(exchange, pair, { kept, cross: null }))
      initial += margin.initial
      maintenance += margin.maintenance
    }
  } else {
    for (const { owner: held, sizes } of kept) {
      initial += standardInitial(exchange, held, sizes)
      maintenance += BigInt(readExposure(exchange.margin, held.holding).maintenance)
    }
  }
  return { expiration, initial: amount(initial), maintenance: amount(maintenance) }
}

/** What an account has, or has open, that margin counts; combos with what is open of themselves. */
function countedOf(
  exchange: Exchange,
  { account }: AccountRow,
  currency: number | null,
): readonly Counted[] {
  const found: Counted[] = []
  for (const row of exchange.instruments) {
    if (row.base >= 0 || row.deliveredAt !== null) continue
    if (currency !== null && row.settlement !== currency) continue
    const owner = findHolding(exchange, account.id, row)
    if (owner === undefined) continue
    const { buys, sells } = readExposure(exchange.margin, owner.holding)
    const sizes = { position: sizeOf(exchange.ledger, owner.holding), buys, sells }
    const isCounted = sizes.position !== 0 || buys !== 0 || sells !== 0
    if (isCounted || readPremium(exchange.margin, owner.holding).reserve !== 0) {
      found.push({ owner, sizes })
    }
  }
  return found
}

function nearestOf(all: readonly Counted[]): number | null {
  const nearest = Math.min(...all.map(({ owner }) => owner.row.instrument.expiration))
  return nearest < neverExpires ? nearest : null
}

/** What is left without an expiry: of legs of combos that end with it, less is open. */
function withoutExpiry(all: readonly Counted[], expiration: number | null): readonly Counted[] {
  const isNear = ({ owner }: Counted): boolean => owner.row.instrument.expiration === expiration
  const ended = new Map<InstrumentRow, { buys: number; sells: number }>()
  for (const { owner, sizes } of all.filter(isNear)) {
    const { buys, sells } = sizes
    const open = [
      ...legSizes(owner.row, { side: 'buy', lots: buys }),
      ...legSizes(owner.row, { side: 'sell', lots: sells }),
    ]
    for (const { row, side, lots } of open) {
      const less = ended.get(row) ?? { buys: 0, sells: 0 }
      less[side === 'buy' ? 'buys' : 'sells'] += lots
      ended.set(row, less)
    }
  }
  return all
    .filter((each) => !isNear(each))
    .map(({ owner, sizes }) => {
      const less = ended.get(owner.row)
      if (less === undefined) return { owner, sizes }
      const { position, buys, sells } = sizes
      return { owner, sizes: { position, buys: buys - less.buys, sells: sells - less.sells } }
    })
}

/** Segregated standard initial margin of a holding at some sizes. */
function standardInitial(exchange: Exchange, owner: HoldingRow, sizes: HeldSizes): bigint {
  const { row } = owner
  if (row.instrument.kind !== 'future') {
    return divHalfAwayBig(exactMargin(exchange, owner, sizes).initial18, NANO)
  }
  return BigInt(initialMargin(row.markScale, worstSize(sizes)))
}

/** Cross models, in 1e-9 USD. */
function crossProjected(
  exchange: Exchange,
  owner: AccountRow,
  kept: readonly Counted[],
): { readonly initial: bigint; readonly maintenance: bigint } {
  const parts = crossParts(exchange, owner)
  if (owner.risk.isPortfolio) {
    let { initial, maintenance } = crossTotals(parts)
    const risks = crossPairs(exchange, owner, {
      parts,
      risksOf: (pair, cross) => restRisks(exchange, pair, { kept, cross }),
    })
    for (const margin of risks.map(pairMargin)) {
      initial += margin.initial
      maintenance += margin.maintenance
    }
    return { initial, maintenance }
  }
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
  return crossTotals(
    parts.map((part) => ({ ...part, ...(sums.get(part.currency) ?? noExactMargin) })),
  )
}

/** The pairs of some holdings. */
function pairsOf(kept: readonly Counted[]): ReadonlySet<PairRow> {
  const pairs = new Set<PairRow>()
  for (const { owner } of kept) if (owner.pair !== null) pairs.add(owner.pair)
  return pairs
}

/** The risk of what is left of a pair. */
function restRisks(
  exchange: Exchange,
  pair: PairRow,
  of: { readonly kept: readonly Counted[]; readonly cross: RiskInput['cross'] },
): readonly MatrixRisk[] {
  const { table, isCoin } = pair.group
  const group = createRiskGroup(table, isCoin)
  for (const { owner, sizes } of of.kept) {
    if (owner.pair !== pair) continue
    updateGroup(group, heldContract(exchange, owner.row, owner.holding), sizes)
  }
  return risksOfGroup(exchange, { ...pair, group, moves: new Map(), movesAt: -1 }, of.cross)
}
