/**
 * Portfolio margin of the pairs of an account: matrices that are updated on request.
 *
 * A holding is marked stale when it or its mark changed. Its part of the matrices is recomputed before they are read.
 * Options are valued for the minute of the clock, so a new minute makes all of them stale. So the matrices that a
 * caller reads depend only on positions, open orders, marks and the clock.
 *
 * Source: market.md 6.5.
 */

import { divHalfAwayBig, modFloor } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import {
  type ContractRisk,
  dampedPrice,
  dampenersOf,
  type ForeseenSize,
  foreseeMatrix,
  type HeldContract,
  isFirstMatrix,
  MATRICES,
  type MatrixRisk,
  type MatrixState,
  markedOption,
  matrixRisk,
  type RiskInput,
  readExposure,
  readMatrix,
  type ScenarioTable,
  scaledProfits,
  updateGroup,
} from '../../margin/index.ts'
import { optionDelta9, optionStresses9, rollMove9, shockedVolatilities } from '../../pricing/index.ts'
import {
  type Exchange,
  type HoldingRow,
  type InstrumentRow,
  isCoinSettled,
  type OptionStress,
  type PairRow,
  scenarioTableOf,
} from '../state/index.ts'

/** Updates the matrices of a pair to the current time. */
export function updateStalePair(exchange: Exchange, pair: PairRow): void {
  const minute = minuteOf(exchange)
  if (pair.minute !== minute) {
    pair.minute = minute
    pair.risks = null
    for (const owner of pair.holdings) if (owner.row.instrument.kind === 'option') markStale(owner)
  }
  for (const owner of pair.stale) {
    owner.isStale = false
    const { buys, sells } = readExposure(exchange.margin, owner.holding)
    const position = sizeOf(exchange.ledger, owner.holding)
    const held = heldContract(exchange, owner.row, owner.holding)
    updateGroup(pair.group, held, { position, buys, sells })
  }
  pair.stale.length = 0
}

/** The risk of the three matrices of a pair, in its currency, or in USD if `cross` is given. */
export function pairRisks(exchange: Exchange, pair: PairRow, cross: RiskInput['cross']): readonly MatrixRisk[] {
  updateStalePair(exchange, pair)
  if (cross !== null) return risksOfGroup(exchange, pair, cross)
  const index9 = pair.index.price
  if (pair.risks !== null && pair.riskIndex === index9) return pair.risks
  const risks = risksOfGroup(exchange, pair, null)
  pair.risks = risks
  pair.riskIndex = index9
  return risks
}

/** Inputs of the risk of a pair, with cached values for its prices. */
type RiskPair = Omit<PairRow, 'wallet' | 'holdings' | 'stale'>

/** The risk of the three matrices of a group in its current state. */
export function risksOfGroup(exchange: Exchange, pair: RiskPair, cross: RiskInput['cross']): readonly MatrixRisk[] {
  const { group } = pair
  const moveOf = movesOf(exchange, pair)
  const own = riskOfMatrix(pair, readMatrix(group, 0, moveOf), cross)
  const risks = [own]
  for (let matrix = 1; matrix < MATRICES; matrix += 1) {
    const isOwn = isFirstMatrix(group, matrix)
    risks.push(isOwn ? own : riskOfMatrix(pair, readMatrix(group, matrix, moveOf), cross))
  }
  return risks
}

/** Risk of a pair's matrix if some holdings had other sizes. The matrices of `pair` must be up to date. */
export function foreseenRisk(
  exchange: Exchange,
  pair: RiskPair,
  matrix: number,
  sizes: readonly ForeseenSize[],
  cross: RiskInput['cross'],
): MatrixRisk {
  const moveOf = movesOf(exchange, pair)
  const read = foreseeMatrix(pair.group, matrix, sizes, moveOf)
  return riskOfMatrix(pair, read, cross)
}

/** Initial and maintenance margin of a pair from the risk of its matrices, in nano. */
export interface PairMargin {
  readonly initial: bigint
  readonly maintenance: bigint
  /** The part of `initial` that open orders add. */
  readonly openOrders: bigint
}

const NANO = 1_000_000_000n

/**
 * Rule: margin.portfolio. Maintenance is 0.8 of the risk. Open orders add the increase of the risk on their worse side.
 */
export function pairMargin(risks: readonly MatrixRisk[]): PairMargin {
  const own = risks[0]?.risk18 ?? 0n
  const initial = pairInitial(risks)
  return {
    initial,
    maintenance: divHalfAwayBig(own * 4n, 5n * NANO),
    openOrders: initial - divHalfAwayBig(own, NANO),
  }
}

/** Initial margin only: the greatest risk of the matrices. */
export function pairInitial(risks: readonly MatrixRisk[]): bigint {
  let most = risks[0]?.risk18 ?? 0n
  for (const { risk18 } of risks) if (risk18 > most) most = risk18
  return divHalfAwayBig(most, NANO)
}

/** The contract of a holding with its risk, as an input of the group. */
export function heldContract(exchange: Exchange, row: InstrumentRow, holding: number): HeldContract {
  const expiration = row.instrument.detail.type === 'perpetual' ? 0 : row.instrument.expiration
  return { holding, expiration, risk: contractRisk(exchange, row) }
}

function contractRisk(exchange: Exchange, row: InstrumentRow): ContractRisk {
  const { instrument, mark: mark9 } = row
  if (row.deliveredAt !== null || mark9 === 0) return unknown
  if (instrument.kind !== 'option') return { kind: 'future', mark9, amountStep9: instrument.amountStep9 }
  const stress = stressOf(exchange, row, scenarioTableOf(exchange, row.index.name))
  if (stress === null) return unknown
  return { kind: 'option', profits9: stress.profits9, delta9: stress.delta9, amountStep9: instrument.amountStep9 }
}

const unknown: ContractRisk = { kind: 'unknown' }

/** The risk of a matrix at the prices of its pair. */
function riskOfMatrix(pair: RiskPair, { cells, deltas }: MatrixState, cross: RiskInput['cross']): MatrixRisk {
  const { table, isCoin } = pair.group
  const price9 = dampedPrice(isCoin && cross === null, pair.index.price)
  if (pair.dampeners === null || pair.dampenedAt !== price9) {
    pair.dampeners = dampenersOf(table, price9)
    pair.dampenedAt = price9
  }
  return matrixRisk({ table, cells, deltas, isCoin, index9: pair.index.price, dampeners: pair.dampeners, cross })
}

/** Returns a function that computes the largest move of an expiration's premium. Results are cached for a minute. */
function movesOf(exchange: Exchange, pair: RiskPair): (expiration: number) => number {
  const time = minuteOf(exchange)
  if (pair.movesAt !== time) {
    pair.moves.clear()
    pair.movesAt = time
  }
  const { terms } = pair.group.table
  return (expiration) => {
    const known = pair.moves.get(expiration)
    if (known !== undefined) return known
    const move9 = rollMove9(terms, expiration === 0 ? null : expiration, time)
    pair.moves.set(expiration, move9)
    return move9
  }
}

/**
 * The market data of an option from which margin is computed. It is stored again whenever the option's mark, forward or
 * volatility moved, or its index if fees depend on the index. So every margin depends only on this data and the minute
 * of the clock.
 *
 * Source: market.md 6.2, 6.5.
 */

const MINUTE_MICROS = 60_000_000

/** The start of the current whole minute. Options are valued for this time. */
function minuteOf({ now }: Pick<Exchange, 'now'>): number {
  return now - modFloor(now, MINUTE_MICROS)
}

/** Stores the market data of an option; true if it changed. The caller updates the holdings. */
export function noteOptionMarket(row: InstrumentRow): boolean {
  const { mark: mark9, option, risk, instrument, index } = row
  if (option === null || mark9 === 0 || option.series.forward === 0) return false
  const forward9 = option.series.forward
  // Margin does not depend on the index for options in coin, and for delivered options, which can no longer be bought.
  const isCharging = !isCoinSettled(row) && row.deliveredAt === null
  const index9 = isCharging ? index.price : 0
  const isPriced = risk !== null && risk.mark9 === mark9 && risk.forward9 === forward9
  const isStressed = isPriced && risk.volatility9 === option.volatility9
  const isCharged = isPriced && risk.index9 === index9
  if (isStressed && isCharged) return false
  const marked = isCharged ? risk.marked : markedOption(instrument, { mark9, forward9, index9 })
  const stress = isStressed ? risk.stress : null
  row.risk = { mark9, forward9, index9, volatility9: option.volatility9, marked, stress }
  return true
}

/** Profit of one coin of an option in every scenario, at the minute of the clock; null while unknown. */
function stressOf(exchange: Exchange, row: InstrumentRow, table: ScenarioTable): OptionStress | null {
  const { risk, option, instrument } = row
  if (risk === null || option === null) return null
  const minute = minuteOf(exchange)
  if (risk.stress?.minute === minute) return risk.stress
  const time = Math.min(minute, instrument.expiration)
  const market = { forward9: risk.forward9, volatility9: risk.volatility9, time }
  const { up9, same9, down9 } = shockedVolatilities(table.terms, risk.volatility9, instrument.expiration, time)
  const volatilities = { up: up9, same: same9, down: down9 }
  const shocks = table.scenarios.map(({ movePpm, volatility }) => ({
    movePpm,
    volatility9: volatilities[volatility],
  }))
  const changes9 = optionStresses9(option.contract, market, shocks)
  risk.stress = {
    minute,
    profits9: scaledProfits(table, changes9, option.contract.isCoin),
    delta9: optionDelta9(option.contract, market),
  }
  return risk.stress
}

/**
 * Marks holdings under portfolio margin whose part of the matrices must be recomputed before the next read.
 */

/** Marks a holding as stale after a change. */
export function markStale(owner: HoldingRow): void {
  if (owner.pair === null || owner.isStale) return
  owner.isStale = true
  owner.pair.stale.push(owner)
  owner.pair.risks = null
}
