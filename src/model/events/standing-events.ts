/**
 * Families of requests, accounts and instruments, and of what controls give.
 */
import { units, wordUnit } from '../../core/index.ts'
import { commandKinds } from '../commands/command.ts'
import { marginModels, selfMatchModes } from '../words/accounts.ts'
import { instrumentStates } from '../words/instruments.ts'
import * as eventUnits from './event-units.ts'
import { noMoney, unless } from './family.ts'

/** Families of requests, accounts and instruments. */
export const standingFamilies = {
  /** A request was refused and changed nothing. */
  refusal: {
    command: wordUnit('command', commandKinds),
    account: unless(-1, eventUnits.someAccount),
    instrument: unless(-1, eventUnits.someInstrument),
    refusal: eventUnits.refusal,
  },
  /**
   * A request is complete. `count` is what a bulk cancel cancelled. Only what the request set off, such
   * as trigger orders that fire, follows with the same cause.
   */
  request: {
    outcome: wordUnit('outcome of a request', ['done', 'refused']),
    count: units.count,
  },
  /** An account was opened. */
  account: {
    account: units.accountId,
    name: units.text,
    marginModel: wordUnit('margin model', marginModels),
    house: units.flag,
    /** The main account of a subaccount, else the account itself. */
    main: units.accountId,
    /** Share of its fees that it pays. */
    feePpm: units.ppm,
  },
  /** An account chose what happens when it meets its own orders. */
  self_trading: {
    account: units.accountId,
    mode: wordUnit('mode of self matches', selfMatchModes),
    extended: units.flag,
  },
  /** The book of an instrument changed its state. */
  state: {
    instrument: units.instrumentId,
    state: wordUnit('state of a book', instrumentStates),
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
    /** Premium of an option: received for it, negative: paid. */
    premium: unless(noMoney, units.money),
    /** Cash after it. */
    balance: units.money,
    position: units.lots,
  },
}

/** Codes of their records in the log. */
export const standingCodes = {
  request: 3,
  refusal: 4,
  account: 5,
  self_trading: 6,
  state: 7,
  instrument: 8,
  cash: 9,
  given_position: 10,
} as const satisfies { readonly [Family in keyof typeof standingFamilies]: number }
