/**
 * Rounds of liquidations: each second, a round closes a part of the accounts whose margin balance does not cover their
 * maintenance margin.
 *
 * A round checks every suspect by ascending id, and each of its pools. It releases healthy pools. The first round of an
 * unhealthy pool locks the account and cancels its orders. Then the round selects one position and closes a part of it.
 * Positions without a taker wait for the next round.
 *
 * Rule: liquidation.round. Source: market.md 6.6; R02, R53, R54.
 */
import type { LiquidationOutcome } from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  eventHeader,
  type Liquidation,
  noteRestrictions,
  type Turn,
} from '../state/index.ts'
import {
  isWholeMinute,
  liquidationHeader,
  liquidationOf,
  type Pool,
  type PoolState,
  paysFunding,
  poolsOf,
  positionsOfPool,
  stateOfPool,
  suspect,
} from '../value/index.ts'
import { closePart } from './closing.ts'
import { cancelAll } from './day-orders.ts'
import { isProtected } from './lsp.ts'

/** Runs the round that is due. */
export function runRound(turn: Turn): void {
  const { exchange } = turn
  const suspects = [...exchange.suspects].sort((left, right) => left - right)
  const isQuiet = findsNothing(exchange, suspects)
  exchange.suspects.clear()
  exchange.isRoundAwaited = false
  exchange.lastRound = exchange.now
  const before = exchange.eventCount
  for (const id of suspects) {
    const account = accountRow(exchange, id)
    if (isQuiet) for (const liquidation of account.liquidations) liquidation.round += 1
    else for (const pool of poolsOf(exchange, account)) liquidate(turn, pool)
    if (account.liquidations.length > 0) suspect(exchange, id)
  }
  exchange.quietEvents = exchange.eventCount === before ? before : -1
}

/**
 * True if a round would find the same as the previous round, which did nothing: positions without a taker may wait for
 * days. Passing time alone changes only funding, the capacity of participants, and options at whole minutes. A recorded
 * market can change without events.
 */
function findsNothing(exchange: Exchange, suspects: readonly number[]): boolean {
  if (exchange.quietEvents !== exchange.eventCount || exchange.market >= 0 || isWholeMinute(exchange)) return false
  return suspects.every((id) => {
    const account = accountRow(exchange, id)
    const isOffered = account.perpetuals.some((owner) => isProtected(exchange, owner))
    return account.liquidations.length > 0 && !isOffered && !paysFunding(exchange, account)
  })
}

/** Runs one round of one pool. */
function liquidate(turn: Turn, pool: Pool): void {
  const known = liquidationOf(pool)
  const margins = stateOfPool(turn.exchange, pool)
  if (isHealthy(margins)) {
    if (known !== undefined) release(turn, pool, known, margins, 'healthy')
    return
  }
  // The next settlement handles debts without a position.
  if (known === undefined && positionsOfPool(turn.exchange, pool).length === 0) return
  const liquidation = known ?? start(turn, pool, margins)
  if (known !== undefined) liquidation.round += 1
  else {
    cancelAll(turn, pool)
    const now = stateOfPool(turn.exchange, pool)
    if (isHealthy(now)) {
      release(turn, pool, liquidation, now, 'healthy')
      return
    }
  }
  const positions = positionsOfPool(turn.exchange, pool)
  if (positions.length === 0) {
    release(turn, pool, liquidation, margins, 'flat')
    return
  }
  closePart(turn, { pool, positions, liquidation, margins: stateOfPool(turn.exchange, pool) })
}

function isHealthy(margins: PoolState): boolean {
  return margins.maintenance <= margins.marginBalance
}

/** Locks the account and starts a liquidation. */
function start(turn: Turn, pool: Pool, margins: PoolState): Liquidation {
  const liquidation = { currency: pool.currency, round: 1, isStuck: false }
  pool.account.liquidations.push(liquidation)
  noteRestrictions(pool.account)
  turn.log.append({
    kind: 'liquidation',
    change: 'started',
    ...eventHeader(turn),
    ...liquidationHeader(pool, margins),
    round: liquidation.round,
    outcome: null,
  })
  return liquidation
}

/** Unlocks the account, unless another of its pools is being liquidated. */
function release(
  turn: Turn,
  pool: Pool,
  liquidation: Liquidation,
  margins: PoolState,
  outcome: LiquidationOutcome,
): void {
  const { liquidations } = pool.account
  liquidations.splice(liquidations.indexOf(liquidation), 1)
  noteRestrictions(pool.account)
  turn.log.append({
    kind: 'liquidation',
    change: 'ended',
    ...eventHeader(turn),
    ...liquidationHeader(pool, margins),
    round: liquidation.round,
    outcome,
  })
}
