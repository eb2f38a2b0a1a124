/**
 * Events of risk: liquidations step by step, positions that change hands without an order, and the
 * liquidity support programme.
 *
 * Source: market.md 6.6; sessions-blocks-gateways.md 7; R52-R54.
 */
import type { AccountId, Amount, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import type { LspGroup } from '../risk-terms.ts'
import type { Currency } from '../words/currencies.ts'
import type {
  LiquidationCurrency,
  LiquidationOutcome,
  LiquidationRoute,
  PickRule,
} from '../words/liquidations.ts'
import type { LspChange } from '../words/protections.ts'
import type { EventHeader } from './event-header.ts'

/** Margins of what is liquidated, at one moment, in nano of `currency`. */
export interface MarginState {
  readonly marginBalance: Amount
  readonly initial: Amount
  readonly maintenance: Amount
}

/** What every event of a liquidation carries. */
interface LiquidationHeader extends EventHeader, MarginState {
  readonly account: AccountId
  /** The currency whose positions are liquidated; the money of a cross account is told in USD (1e-9). */
  readonly currency: LiquidationCurrency
  /** Counts the rounds of one liquidation from 1. */
  readonly round: number
}

/**
 * The maintenance margin of an account is above its margin balance: it is locked, and its open orders
 * are cancelled.
 */
export interface LiquidationStarted extends LiquidationHeader {
  readonly kind: 'liquidation_started'
}

/**
 * A round picked a position and tried to close a part of it, one event for each way it went. Margins are
 * those before the round.
 */
export interface LiquidationStep extends LiquidationHeader {
  readonly kind: 'liquidation_step'
  readonly instrument: InstrumentId
  /** Signed position before. */
  readonly position: Lots
  readonly rule: PickRule
  /** Maintenance margin of the picked position. */
  readonly positionMaintenance: Amount
  readonly route: LiquidationRoute
  /** What it tried to close, and what of it was closed. */
  readonly asked: Lots
  readonly closed: Lots
  /** Worst price of the order, or the price of the transfer. */
  readonly price: Price9
}

/** A liquidation is over: the account is unlocked. */
export interface LiquidationEnded extends LiquidationHeader {
  readonly kind: 'liquidation_ended'
  readonly outcome: LiquidationOutcome
}

/**
 * Why a position changed hands.
 * - `move`: its owner moved it between accounts of one main account.
 * - `lsp`: a participant of the liquidity support programme took it over.
 * - `adl`: it closed the position of a trader on the other side.
 * - `close_out`: the insurance fund took it at its mark.
 */
export type TransferReason = 'move' | 'lsp' | 'adl' | 'close_out'

/** One account's side of a position that changed hands. */
export interface TransferSide {
  readonly account: AccountId
  readonly realized: Amount
  /** Of an option: received for it, negative: paid. */
  readonly premium: Amount
  /** Signed position after. */
  readonly position: Lots
}

/** A position changed hands at a price, without an order and without a fee of trading. */
export interface PositionTransferred extends EventHeader {
  readonly kind: 'position_transferred'
  readonly reason: TransferReason
  readonly instrument: InstrumentId
  readonly price: Price9
  /** Signed: what `from` gives and `to` takes. */
  readonly amount: Lots
  readonly from: TransferSide
  readonly to: TransferSide
  /** Paid by `from`, received by the insurance fund but for the next. */
  readonly commission: Amount
  /** What of it `to` receives: the share of an ADL counterparty, else 0. */
  readonly commissionToTarget: Amount
}

/**
 * Money went from one account to another of the same main account, or between a bankrupt account and the
 * insurance fund, which takes one currency for another over (market.md 3.7).
 */
export interface CashTransferred extends EventHeader {
  readonly kind: 'cash_transferred'
  /** Counts transfers from 1. */
  readonly transfer: number
  readonly from: AccountId
  readonly to: AccountId
  readonly currency: Currency
  readonly amount: Amount
  /** The name that its sender gave it, under which it can be asked for again; or null. */
  readonly nonce: string | null
  readonly fromBalance: Amount
  readonly toBalance: Amount
}

/** A participant of the liquidity support programme was admitted, changed, or removed. */
export interface LspParticipantSet extends EventHeader {
  readonly kind: 'lsp_participant_set'
  readonly account: AccountId
  readonly enabled: boolean
  /** Limits of its own in parts per million of its equity; groups that are left out have the default. */
  readonly limitsPpm: { readonly [G in LspGroup]?: number }
}

/** A participant's limit of a group was used, or is other than before. */
export interface LspChanged extends EventHeader {
  readonly kind: 'lsp_changed'
  readonly change: LspChange
  readonly account: AccountId
  readonly group: LspGroup
  /** Limit in force, in parts per million of equity, and what of it is used, in nano USD. */
  readonly limitPpm: number
  readonly used: Amount
  /** Null while no window is open. */
  readonly windowStart: Micros | null
  readonly windowEnd: Micros | null
}
