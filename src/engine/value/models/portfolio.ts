/**
 * Common part of the two portfolio models: the positions of a pair share one margin, which is their loss in the worst
 * of several market moves. Under cross margin a pair is counted in USD, in which the profit in a coin moves with the
 * coin.
 * Source: market.md 6.3, 6.4.
 */
import { sizeOf } from '../../../ledger/index.ts'
import {
  createRiskGroup,
  type ForeseenSize,
  MATRICES,
  type MatrixRisk,
  ofUsd,
  type RiskInput,
  readExposure,
  updateGroup,
} from '../../../margin/index.ts'
import { sides } from '../../../model/index.ts'
import { type AccountRow, type Exchange, emptyPair, findHolding, findPair, type PairRow } from '../../state/index.ts'
import { crossOf } from '../cross-pairs.ts'
import { NO_HOLDING } from '../exact-margin.ts'
import {
  foreseenRisk,
  heldContract,
  pairInitial,
  pairMargin,
  pairRisks,
  risksOfGroup,
  updateStalePair,
} from '../pairs.ts'
import { heldIn, type WalletState } from '../wallet-state.ts'
import type { Counted, MarginNeed, Moved, Need, Opened, OwnMargins, SharedPart } from './margin-model.ts'
import { groupBy, sizesOf } from './moved-sizes.ts'
import { heldBy } from './standard.ts'

/** Margins of one currency: the margins of its pairs. The value of options counts as margin balance. */
export function portfolioMargins(exchange: Exchange, owner: AccountRow, { wallet, equity }: WalletState): OwnMargins {
  const own = owner.risk.pairs.filter((pair) => pair.wallet === wallet)
  const { initial, maintenance } = sumOfPairs(own.map((pair) => pairRisks(exchange, pair, null)))
  const held = heldIn(exchange, owner, wallet)
  return { marginBalance: equity, initial: initial + held, maintenance }
}

/** Currencies of the account in USD, for pairs under cross margin; null for pairs that are counted by themselves. */
type Parts = readonly SharedPart[] | null

/** Increase of the margins of all pairs by opened orders. */
export function riseOfPairs(exchange: Exchange, owner: AccountRow, allOpened: readonly Opened[], parts: Parts): bigint {
  const byPair = new Map<string, Opened[]>()
  for (const each of allOpened) {
    const key = `${each.row.settlement}/${each.row.index.name}`
    byPair.set(key, [...(byPair.get(key) ?? []), each])
  }
  let rise = 0n
  for (const opened of byPair.values()) {
    rise += riseOfPair(exchange, owner, opened, parts)
  }
  return rise
}

/** Orders change two matrices of a pair: the one with all buys and the one with all sells. */
function riseOfPair(exchange: Exchange, owner: AccountRow, opened: readonly Opened[], parts: Parts): bigint {
  const [first] = opened
  if (first === undefined) return 0n
  const pair = findPair(owner, first.row) ?? emptyPair(exchange, owner.account.id, first.row)
  updateStalePair(exchange, pair)
  const cross = parts === null ? null : crossOf(exchange, pair, parts)
  const before = pairRisks(exchange, pair, cross)
  const [own] = before
  const after: MatrixRisk[] = own === undefined ? [] : [own]
  for (let matrix = 1; matrix < MATRICES; matrix += 1) {
    const kept = before[matrix]
    const isSame = opened.every(({ buys, sells }) => (matrix === 1 ? buys : sells) === 0)
    if (isSame && kept !== undefined) {
      after.push(kept)
      continue
    }
    const sizes = opened.map((each) => foreseenSize(exchange, owner, each, matrix))
    after.push(foreseenRisk(exchange, pair, matrix, sizes, cross))
  }
  return pairInitial(after) - pairInitial(before)
}

/** The size of an instrument in the matrix of all buys (1) or of all sells (2), including the opened order. */
function foreseenSize(
  exchange: Exchange,
  owner: AccountRow,
  { row, buys, sells }: Opened,
  matrix: number,
): ForeseenSize {
  const held = findHolding(exchange, owner.account.id, row)
  const contract = heldContract(exchange, row, held?.holding ?? NO_HOLDING - row.instrument.id)
  const open = held === undefined ? null : readExposure(exchange.margin, held.holding)
  const position = held === undefined ? 0 : sizeOf(exchange.ledger, held.holding)
  const lots = matrix === 1 ? position + (open?.buys ?? 0) + buys : position - (open?.sells ?? 0) - sells
  return { held: contract, lots }
}

/** Positions that move, their gain and the parts of the account. */
interface MovedPairs {
  readonly moves: readonly Moved[]
  readonly gain: bigint
  readonly parts: Parts
}

/**
 * Increase of the margins of all pairs by positions of one currency that change hands. Under cross margin, a coin that
 * the account gains or pays moves with its index, so it counts in the margin after the change.
 */
export function riseOfMovedPairs(exchange: Exchange, owner: AccountRow, change: MovedPairs): bigint {
  const { moves, gain, parts } = change
  let rise = 0n
  for (const group of groupBy(sizesOf(moves), ({ row }) => row.index.name).values()) {
    const [first] = group
    if (first === undefined) continue
    const pair = findPair(owner, first.row) ?? emptyPair(exchange, owner.account.id, first.row)
    updateStalePair(exchange, pair)
    const cross = parts === null ? null : crossOf(exchange, pair, parts)
    const crossAfter = parts === null ? null : crossOf(exchange, pair, parts, gain)
    const after: MatrixRisk[] = []
    for (let matrix = 0; matrix < MATRICES; matrix += 1) {
      const sizes = group.map(({ row, lots }) => {
        const { holding, position, buys, sells } = heldBy(exchange, owner, row)
        const open = [0, buys, -sells][matrix] ?? 0
        const known = holding === NO_HOLDING ? NO_HOLDING - row.instrument.id : holding
        const held = heldContract(exchange, row, known)
        return { held, lots: position + lots + open }
      })
      after.push(foreseenRisk(exchange, pair, matrix, sizes, crossAfter))
    }
    rise += pairInitial(after) - pairInitial(pairRisks(exchange, pair, cross))
  }
  return rise
}

/** The risk of only the legs, which belong to one pair: of all bought or all sold legs, as open orders count. */
export function needOfPair(exchange: Exchange, owner: AccountRow, legs: readonly Need[], parts: Parts): bigint {
  const [first] = legs
  if (first === undefined) return 0n
  const pair = emptyPair(exchange, owner.account.id, first.row)
  const cross = parts === null ? null : crossOf(exchange, pair, parts)
  const risks = sides.map((filled) => {
    const sizes = legs
      // The cost of a combo is not a position.
      .filter(({ side, row }) => side === filled && row.legs.length === 0)
      .map(({ row, side, lots }) => ({
        held: heldContract(exchange, row, row.instrument.id),
        lots: side === 'buy' ? lots : -lots,
      }))
    return foreseenRisk(exchange, pair, 0, sizes, cross)
  })
  const initial = pairInitial(risks)
  return cross === null ? initial : ofUsd(initial, cross.usd9)
}

/** The pairs of some holdings. */
export function pairsOf(kept: readonly Counted[]): ReadonlySet<PairRow> {
  const pairs = new Set<PairRow>()
  for (const { owner } of kept) if (owner.pair !== null) pairs.add(owner.pair)
  return pairs
}

/** The risk of a pair with only the kept holdings. */
export function restRisks(
  exchange: Exchange,
  pair: PairRow,
  kept: readonly Counted[],
  cross: RiskInput['cross'],
): readonly MatrixRisk[] {
  const { table, isCoin } = pair.group
  const group = createRiskGroup(table, isCoin)
  for (const { owner, sizes } of kept) {
    if (owner.pair !== pair) continue
    updateGroup(group, heldContract(exchange, owner.row, owner.holding), sizes)
  }
  return risksOfGroup(exchange, { ...pair, group, moves: new Map(), movesAt: -1 }, cross)
}

/** The sum of the margins of pairs, added to `beside`. */
export function sumOfPairs(
  risks: Iterable<readonly MatrixRisk[]>,
  beside: MarginNeed = { initial: 0n, maintenance: 0n },
): MarginNeed {
  let { initial, maintenance } = beside
  for (const each of risks) {
    const margin = pairMargin(each)
    initial += margin.initial
    maintenance += margin.maintenance
  }
  return { initial, maintenance }
}
