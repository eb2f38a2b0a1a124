/**
 * Events of requests, accounts and instruments, and of what controls give.
 */
import type { AccountId, Amount, InstrumentId, Lots, Price9 } from '../../core/index.ts'
import type { Instrument } from '../instrument.ts'
import type { MarginModel, SelfMatchMode } from '../words/accounts.ts'
import type { CommandKind } from '../words/commands.ts'
import type { Currency } from '../words/currencies.ts'
import type { InstrumentState } from '../words/instruments.ts'
import type { Refusal } from '../words/refusals.ts'
import type { EventHeader } from './event-header.ts'

/** A request was refused and changed nothing. */
export interface RequestRefused extends EventHeader {
  readonly kind: 'request_refused'
  readonly command: CommandKind
  readonly account: AccountId | -1
  readonly instrument: InstrumentId | -1
  readonly refusal: Refusal
}

/**
 * The request is complete. `count` is what a bulk cancel cancelled. Only what the request set off, such
 * as trigger orders that fire, follows with the same cause.
 */
export interface RequestDone extends EventHeader {
  readonly kind: 'request_done'
  readonly outcome: 'done' | 'refused'
  readonly count: number
}

/** An account was opened. */
export interface AccountOpened extends EventHeader {
  readonly kind: 'account_opened'
  readonly account: AccountId
  readonly name: string
  readonly marginModel: MarginModel
  readonly house: boolean
  /** The main account of a subaccount, else the account itself. */
  readonly main: AccountId
  /** What of its fees it pays, in parts per million. */
  readonly feePpm: number
}

/** An account chose what happens when it meets its own orders. */
export interface SelfTradingSet extends EventHeader {
  readonly kind: 'self_trading_set'
  readonly account: AccountId
  readonly mode: SelfMatchMode
  readonly extended: boolean
}

/** The book of an instrument changed its state. */
export interface InstrumentStateChanged extends EventHeader {
  readonly kind: 'instrument_state_changed'
  readonly instrument: InstrumentId
  readonly state: InstrumentState
}

/** An instrument was listed. */
export interface InstrumentListed extends EventHeader {
  readonly kind: 'instrument_listed'
  readonly instrument: Instrument
}

/** Money came from or went to the outside. */
export interface CashPosted extends EventHeader {
  readonly kind: 'cash_posted'
  readonly account: AccountId
  readonly currency: Currency
  readonly change: Amount
  readonly balance: Amount
}

/** A position was given at the start of a scenario. */
export interface PositionGiven extends EventHeader {
  readonly kind: 'position_given'
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly change: Lots
  readonly price: Price9
  /** Profit realized where it reduces a position, in the settlement currency, 1e-9. */
  readonly realized: Amount
  /** Of an option: received for it, negative: paid. */
  readonly premium: Amount
  readonly position: Lots
}
