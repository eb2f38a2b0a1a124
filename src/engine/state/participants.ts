/**
 * Participants of the liquidity support programme: accounts that take over positions of liquidated accounts, up to
 * limits per participant, and that may otherwise only reduce positions.
 *
 * Source: sessions-blocks-gateways.md 7.1, 7.2, 7.4; S156-S165.
 */
import { sizeOf } from '../../ledger/index.ts'
import { type LspGroup, lspGroupOf } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import { findHolding } from './holdings.ts'
import type { InstrumentRow } from './instrument-row.ts'
import type { Participant } from './participant.ts'

/** The limit of a participant in a group, at most the participant's total capacity. */
export function limitPpmOf(exchange: Exchange, participant: Participant, group: LspGroup): number {
  const { lsp } = exchange.config
  return Math.min(participant.limitsPpm[group] ?? lsp.limitsPpm[group], lsp.capacityFactor * 1_000_000)
}

/** The group of an instrument. */
export function groupOfRow(row: InstrumentRow): LspGroup {
  return lspGroupOf(row.instrument.baseCurrency)
}

/** True if an account may only reduce positions. A removed participant may do no more until it has no position. */
export function mayOnlyReduce(exchange: Exchange, account: number): boolean {
  const participant = exchange.participants.get(account)
  if (participant === undefined) return false
  return participant.status !== 'removed' || hasPositions(exchange, account)
}

/** Forgets a removed participant that has no positions left. */
export function forgetParticipant(exchange: Exchange, account: number): void {
  if (exchange.participants.get(account)?.status !== 'removed') return
  if (!hasPositions(exchange, account)) exchange.participants.delete(account)
}

function hasPositions(exchange: Exchange, account: number): boolean {
  return exchange.instruments.some((row) => {
    const owner = findHolding(exchange, account, row)
    return owner !== undefined && sizeOf(exchange.ledger, owner.holding) !== 0
  })
}
