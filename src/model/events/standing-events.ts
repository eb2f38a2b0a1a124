/** Families of requests, accounts and instruments, and of the inputs of controls. */
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
   * A request is complete. `count` is the number that the command documents, for example of cancelled orders. Only
   * consequences of the request follow with the same cause, for example trigger orders that fire.
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
    /** The main account of a subaccount; for a main account, the account itself. */
    main: units.accountId,
    /** Share of its fees that the account pays. */
    feePpm: units.ppm,
  },
  /** An account chose how the exchange treats matches between its own orders. */
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
  /** Money entered or left the exchange. */
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
    /** Profit realized by reducing a position, in the settlement currency. */
    realized: units.money,
    /** Premium of an option; positive if received, negative if paid. */
    premium: unless(noMoney, units.money),
    /** Cash afterwards. */
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
