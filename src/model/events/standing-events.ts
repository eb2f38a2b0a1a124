/**
 * Families of requests, accounts and instruments, and of what controls give.
 */
import { plainUnit, units } from '../../core/index.ts'
import type { MarginModel, SelfMatchMode } from '../words/accounts.ts'
import type { CommandKind } from '../words/commands.ts'
import type { InstrumentState } from '../words/instruments.ts'
import * as eventUnits from './event-units.ts'
import { type FamilyRow, noMoney, told, unless } from './family.ts'

/** Families of requests, accounts and instruments. */
export const standingFamilies = {
  /** A request was refused and changed nothing. */
  refusal: {
    command: told(plainUnit<CommandKind>('command')),
    account: unless(-1, eventUnits.someAccount),
    instrument: unless(-1, eventUnits.someInstrument),
    refusal: told(eventUnits.refusal),
  },
  /**
   * A request is complete. `count` is what a bulk cancel cancelled. Only what the request set off, such
   * as trigger orders that fire, follows with the same cause.
   */
  request: {
    outcome: told(plainUnit<'done' | 'refused'>('outcome of a request')),
    count: told(units.count),
  },
  /** An account was opened. */
  account: {
    account: told(units.accountId),
    name: told(units.text),
    marginModel: told(plainUnit<MarginModel>('margin model')),
    house: told(units.flag),
    /** The main account of a subaccount, else the account itself. */
    main: told(units.accountId),
    /** What of its fees it pays. */
    feePpm: told(units.ppm),
  },
  /** An account chose what happens when it meets its own orders. */
  self_trading: {
    account: told(units.accountId),
    mode: told(plainUnit<SelfMatchMode>('mode of self matches')),
    extended: told(units.flag),
  },
  /** The book of an instrument changed its state. */
  state: {
    instrument: told(units.instrumentId),
    state: told(plainUnit<InstrumentState>('state of a book')),
  },
  /** An instrument was listed. */
  instrument: {
    instrument: told(eventUnits.instrument),
  },
  /** Money came from or went to the outside. */
  cash: {
    account: told(units.accountId),
    currency: told(eventUnits.currency),
    change: told(units.money),
    balance: told(units.money),
  },
  /** A position was given at the start of a scenario. */
  given_position: {
    account: told(units.accountId),
    instrument: told(units.instrumentId),
    change: told(units.lots),
    price: told(units.price9),
    /** Profit realized where it reduces a position, in the settlement currency. */
    realized: told(units.money),
    /** Of an option: received for it, negative: paid. */
    premium: unless(noMoney, units.money),
    /** Cash after it. */
    balance: told(units.money),
    position: told(units.lots),
  },
}

type Row<K extends keyof typeof standingFamilies> = FamilyRow<K, (typeof standingFamilies)[K]>

/** A request was refused and changed nothing. */
export interface RequestRefused extends Row<'refusal'> {}

/** A request is complete. */
export interface RequestDone extends Row<'request'> {}

/** An account was opened. */
export interface AccountOpened extends Row<'account'> {}

/** An account chose what happens when it meets its own orders. */
export interface SelfTradingSet extends Row<'self_trading'> {}

/** The book of an instrument changed its state. */
export interface InstrumentStateChanged extends Row<'state'> {}

/** An instrument was listed. */
export interface InstrumentListed extends Row<'instrument'> {}

/** Money came from or went to the outside. */
export interface CashPosted extends Row<'cash'> {}

/** A position was given at the start of a scenario. */
export interface PositionGiven extends Row<'given_position'> {}
