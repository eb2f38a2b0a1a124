/**
 * Events: everything the exchange does, as a closed union. They are immutable and complete: a reader
 * needs no state of the engine to understand one.
 */

import type {
  AccountBankrupt,
  BankruptcySettled,
  DeliveryPriceFixed,
  FundingAccrued,
  FundingRateChanged,
  IndexChanged,
  InstrumentSettled,
  LossShared,
  MarkChanged,
  PositionSettled,
} from './money-events.ts'
import type { ProtectionEvent } from './protection-events.ts'
import type {
  CashTransferred,
  LiquidationEnded,
  LiquidationStarted,
  LiquidationStep,
  LspChanged,
  LspParticipantSet,
  PositionTransferred,
} from './risk-events.ts'
import type {
  AccountOpened,
  CashPosted,
  InstrumentListed,
  InstrumentStateChanged,
  PositionGiven,
  RequestDone,
  RequestRefused,
  SelfTradingSet,
} from './standing-events.ts'
import type { LevelChanged, OrderChanged, Print, Trade } from './trading-events.ts'

/** Everything the exchange does. */
export type Event =
  | OrderChanged
  | Trade
  | Print
  | LevelChanged
  | RequestRefused
  | RequestDone
  | AccountOpened
  | SelfTradingSet
  | InstrumentStateChanged
  | InstrumentListed
  | CashPosted
  | PositionGiven
  | IndexChanged
  | MarkChanged
  | FundingRateChanged
  | FundingAccrued
  | DeliveryPriceFixed
  | PositionSettled
  | InstrumentSettled
  | AccountBankrupt
  | LossShared
  | BankruptcySettled
  | LiquidationStarted
  | LiquidationStep
  | LiquidationEnded
  | PositionTransferred
  | CashTransferred
  | LspParticipantSet
  | LspChanged
  | ProtectionEvent

/** An event of one kind. */
export type EventOf<K extends Event['kind']> = Extract<Event, { readonly kind: K }>

/**
 * Where events go. A sink is called once for each event, in order, inside the command, and never
 * calls back into the engine. Events are immutable, so a sink may keep one; sinks of long runs copy
 * out what they need instead.
 */
export interface EventSink {
  emit(event: Event): void
}
