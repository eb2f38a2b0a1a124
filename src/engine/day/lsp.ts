/**
 * The liquidity support programme: participants take over a part of a liquidated position at a price slightly against
 * the liquidated side.
 *
 * Each transfer needs the margin that an order of its size would need. A part for which a participant lacks margin is
 * offered to the others once; auto-deleveraging gets the rest. A participant that fails too often is disabled. The
 * first assignment of a group opens its window, which ends at a fixed time.
 *
 * Rule: lsp.assign, lsp.window, lsp.auto-disable. Source: sessions-blocks-gateways.md 7; S156-S165; R54.
 */
import { amount, divFloorBig, micros, type Price9, safeNumber, ticks } from '../../core/index.ts'
import { basisBig, readHolding } from '../../ledger/index.ts'
import type { EventOf, LspGroup } from '../../model/index.ts'
import { fundsRefusal, newEntry } from '../market/index.ts'
import {
  accountRow,
  type Exchange,
  eventHeader,
  findHolding,
  groupOfRow,
  type HoldingRow,
  holdingFor,
  type InstrumentRow,
  type LspWindow,
  limitPpmOf,
  type Participant,
  setTimer,
  type Turn,
} from '../state/index.ts'
import { modelOf, stateOfPool, updateSkippedHolding } from '../value/index.ts'
import { assign, type Candidate, remainingCapacity, transferCommission, transferPrice } from './lsp-shares.ts'
import { transferPosition } from './transfers.ts'

/** A part of a liquidated position for participants or counterparties. */
export interface Offer {
  /** Owner of the position. */
  readonly owner: HoldingRow
  readonly isLong: boolean
  readonly lots: number
}

/**
 * True if positions of an instrument go to participants: linear perpetuals in USDC, if there are participants at all;
 * with portfolio margin only if the index has no options.
 */
export function isProtected(exchange: Exchange, { account, row }: HoldingRow): boolean {
  const isOffered = [...exchange.participants.values()].some(({ status }) => status !== 'removed')
  const { payoff, settlementCurrency } = row.instrument
  if (!isOffered || row.funding === null) return false
  if (payoff !== 'linear' || settlementCurrency !== 'USDC') return false
  if (!modelOf(accountRow(exchange, account)).netsPositions) return true
  return !row.index.followers.some((id) => exchange.instruments[id]?.instrument.kind === 'option')
}

/** The price at which participants take an offer over. */
export function lspPrice(exchange: Exchange, offer: Offer): Price9 {
  return transferPrice(offer.owner.row.mark, offer.isLong, exchange.config.lsp.spreadPpm)
}

/** Offers a part of a position to the participants; returns the size that they took, in lots. */
export function assignOffer(turn: Turn, offer: Offer): number {
  const failed = new Set<number>()
  const first = assignRound(turn, offer, failed)
  if (failed.size === 0 || first === offer.lots) return first
  // Failed parts are offered again once. A part that exceeded all capacity would find no taker now either.
  return first + assignRound(turn, { ...offer, lots: offer.lots - first }, failed)
}

/** Shares an offer among participants that have not failed; adds those that fail to `failed`. */
function assignRound(turn: Turn, offer: Offer, failed: Set<number>): number {
  const candidates = candidatesFor(turn.exchange, offer).filter(({ account }) => !failed.has(account))
  let taken = 0
  for (const { account, lots } of assign(offer.lots, candidates)) {
    const participant = turn.exchange.participants.get(account)
    if (participant === undefined) continue
    if (takeOver(turn, participant, { ...offer, lots })) taken += lots
    else failed.add(account)
  }
  return taken
}

/** Participants with capacity for at least the smallest order, without accounts of the liquidated owner. */
function candidatesFor(exchange: Exchange, offer: Offer): readonly Candidate[] {
  const { row, account: liquidated } = offer.owner
  const { main } = accountRow(exchange, liquidated).account
  const price = lspPrice(exchange, offer)
  const found: Candidate[] = []
  for (const participant of exchange.participants.values()) {
    const { account, liquidations, standing } = accountRow(exchange, participant.account)
    if (participant.status !== 'enabled' || account.main === main) continue
    if (liquidations.length > 0 || standing.locks.size > 0) continue
    const capacity = capacityOf(exchange, participant, row)
    const lots = lotsFor(row, price, capacity)
    if (lots >= row.instrument.minTradeLots) found.push({ account: account.id, capacity, lots })
  }
  return found
}

/** Capacity of a participant in an instrument's group, in nano of USD. */
function capacityOf(exchange: Exchange, participant: Participant, row: InstrumentRow): bigint {
  const { equity } = stateOfPool(exchange, {
    account: accountRow(exchange, participant.account),
    currency: row.settlement,
  })
  const group = groupOfRow(row)
  return remainingCapacity({
    equity,
    notional: notionalOf(exchange, participant, row.settlement),
    capacityFactor: exchange.config.lsp.capacityFactor,
    limitPpm: limitPpmOf(exchange, participant, group),
    used: participant.windows.get(group)?.used ?? 0n,
  })
}

/** Notional of a participant in futures and perpetuals of a currency, at their marks. */
function notionalOf(exchange: Exchange, { account }: Participant, currency: number): bigint {
  let notional = 0n
  for (const row of exchange.instruments) {
    if (row.settlement !== currency || row.instrument.kind !== 'future') continue
    const owner = findHolding(exchange, account, row)
    if (owner === undefined) continue
    updateSkippedHolding(exchange, owner)
    const { value } = readHolding(exchange.ledger, owner.holding)
    notional += value < 0n ? -value : value
  }
  return notional
}

/** Number of lots of a linear contract that a notional covers, rounded down. */
function lotsFor(row: InstrumentRow, price: Price9, notional: bigint): number {
  const perLot = BigInt(row.instrument.amountStep9) * BigInt(price)
  const most = divFloorBig(notional * 1_000_000_000n, perLot)
  return safeNumber(most < MOST_LOTS ? most : MOST_LOTS)
}

const MOST_LOTS = 9_007_199_254_740_991n

/** Transfers a part to one participant; false if it lacks the margin. */
function takeOver(turn: Turn, participant: Participant, offer: Offer): boolean {
  const { owner, isLong, lots } = offer
  const group = groupOfRow(owner.row)
  const refusal = fundsRefusal(
    turn.exchange,
    newEntry({
      row: owner.row,
      account: participant.account,
      side: isLong ? 'buy' : 'sell',
      price: ticks(0),
      lots,
    }),
    null,
  )
  if (refusal !== null) {
    noteFailure(turn, participant, group)
    return false
  }
  const price = lspPrice(turn.exchange, offer)
  const notional = basisBig(owner.row.terms, lots, price)
  const window = participant.windows.get(group) ?? openWindow(turn, participant, group)
  transferPosition(turn, {
    reason: 'lsp',
    from: owner,
    to: holdingFor(turn.exchange, participant.account, owner.row),
    lots: isLong ? lots : -lots,
    price,
    commission: transferCommission(notional, turn.exchange.config.lsp.commissionPpm),
    commissionToTarget: 0n,
  })
  window.used += notional
  emitLsp(turn, participant, group, 'used')
  return true
}

/** Opens a window at the first assignment of a group. The end of the window makes the whole limit available again. */
function openWindow(turn: Turn, participant: Participant, group: LspGroup): LspWindow {
  const end = micros(turn.exchange.now + turn.exchange.config.lsp.cooldown)
  const window = { used: 0n, start: turn.exchange.now, end }
  participant.windows.set(group, window)
  setTimer(turn.exchange.timers, end, { kind: 'lsp_window', account: participant.account, group })
  emitLsp(turn, participant, group, 'window_opened')
  return window
}

/** Ends a window: the whole limit is available again. */
export function resetWindow(turn: Turn, account: number, group: LspGroup): void {
  const participant = turn.exchange.participants.get(account)
  const window = participant?.windows.get(group)
  // The account may have left and rejoined the programme since the window opened.
  if (participant === undefined || window?.end !== turn.exchange.now) return
  participant.windows.delete(group)
  emitLsp(turn, participant, group, 'window_reset')
}

/** Counts a failure; too many within the time window disable the participant. */
function noteFailure(turn: Turn, participant: Participant, group: LspGroup): void {
  const { now, config } = turn.exchange
  const { failures, failureWindow } = config.lsp
  participant.failures = participant.failures.filter((time) => time > now - failureWindow)
  participant.failures.push(now)
  emitLsp(turn, participant, group, 'failed')
  if (participant.failures.length < failures) return
  participant.status = 'disabled'
  participant.failures = []
  emitLsp(turn, participant, group, 'disabled')
}

function emitLsp(turn: Turn, participant: Participant, group: LspGroup, change: EventOf<'lsp'>['change']): void {
  const window = participant.windows.get(group)
  turn.log.append({
    kind: 'lsp',
    ...eventHeader(turn),
    change,
    account: participant.account,
    group,
    limitPpm: limitPpmOf(turn.exchange, participant, group),
    used: amount(window?.used ?? 0n),
    windowStart: window?.start ?? null,
    windowEnd: window?.end ?? null,
  })
}
