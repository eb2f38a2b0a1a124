/**
 * Families of requests, accounts and instruments, and of what controls give.
 */
import { plainUnit, units } from '../../core/index.ts'
import type { CommandKind } from '../commands/command.ts'
import type { MarginModel, SelfMatchMode } from '../words/accounts.ts'
import type { InstrumentState } from '../words/instruments.ts'
import * as eventUnits from './event-units.ts'
import { noMoney, unless } from './family.ts'

/** Families of requests, accounts and instruments. */
export const standingFamilies = {
  /** A request was refused and changed nothing. */
  refusal: {
    command: plainUnit<CommandKind>('command'),
    account: unless(-1, eventUnits.someAccount),
    instrument: unless(-1, eventUnits.someInstrument),
    refusal: eventUnits.refusal,
  },
  /**
   * A request is complete. `count` is what a bulk cancel cancelled. Only what the request set off, such
   * as trigger orders that fire, follows with the same cause.
   */
  request: {
    outcome: plainUnit<'done' | 'refused'>('outcome of a request'),
    count: units.count,
  },
  /** An account was opened. */
  account: {
    account: units.accountId,
    name: units.text,
    marginModel: plainUnit<MarginModel>('margin model'),
    house: units.flag,
    /** The main account of a subaccount, else the account itself. */
    main: units.accountId,
    /** What of its fees it pays. */
    feePpm: units.ppm,
  },
  /** An account chose what happens when it meets its own orders. */
  self_trading: {
    account: units.accountId,
    mode: plainUnit<SelfMatchMode>('mode of self matches'),
    extended: units.flag,
  },
  /** The book of an instrument changed its state. */
  state: {
    instrument: units.instrumentId,
    state: plainUnit<InstrumentState>('state of a book'),
  },
  /** An instrument was listed. */
  instrument: {
    instrument: eventUnits.instrument,
  },
  /** Money came from or went to the outside. */
  cash: {
    account: units.accountId,
    currency: eventUnits.currency,
    change: units.money,
    balance: units.money,
  },
  /** A position was given at the start of a scenario. */
  given_position: {
    account: units.accountId,
    instrument: units.instrumentId,
    change: units.lots,
    price: units.price9,
    /** Profit realized where it reduces a position, in the settlement currency. */
    realized: units.money,
    /** Of an option: received for it, negative: paid. */
    premium: unless(noMoney, units.money),
    /** Cash after it. */
    balance: units.money,
    position: units.lots,
  },
}
