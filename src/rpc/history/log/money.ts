/**
 * Log rows of money without a fill: deposits, transfers, settlements, debts and commissions. Source: market.md 5.4;
 * sessions document 6.3, 7.4.
 */

import { type AccountId, type Amount, amount, type InstrumentId, lots, type Micros } from '../../../core/index.ts'
import type { Currency, EventOf } from '../../../model/index.ts'
import { entryOf } from '../windows.ts'
import {
  blankRow,
  type EquityReader,
  type Interest,
  none,
  type TransactionLog,
  type TransactionType,
  type TransferPart,
  writeRow,
} from './transactions.ts'

/** Logs a deposit or a withdrawal. */
export function logDeposit(log: TransactionLog, event: EventOf<'cash'>, equityOf: EquityReader): void {
  const type = event.change < 0n ? 'withdrawal' : 'deposit'
  writeMoney(log, event.time, event.account, event.currency, {
    type,
    change: event.change,
    balance: event.balance,
    transfer: null,
    equityOf,
  })
}

/** Logs a transfer between accounts for one of its two accounts. */
export function logCashTransfer(
  log: TransactionLog,
  event: EventOf<'transfer'>,
  account: AccountId,
  equityOf: EquityReader,
): void {
  const gives = account === event.from
  const change = gives ? amount(-event.amount) : event.amount
  const transfer = gives
    ? ({ role: 'source', other: event.to } as const)
    : ({ role: 'destination', other: event.from } as const)
  const balance = gives ? event.fromBalance : event.toBalance
  const row = { type: 'transfer', change, balance, transfer, equityOf } as const
  writeMoney(log, event.time, account, event.currency, row)
}

/** Logs a debt that was covered, or a loss tax that an account paid. */
export function logLoss(
  log: TransactionLog,
  event: EventOf<'bankruptcy' | 'shared_loss'>,
  equityOf: EquityReader,
): void {
  const change = event.kind === 'bankruptcy' ? event.loss : amount(-event.tax)
  writeMoney(log, event.time, event.account, event.currency, {
    type: 'correction',
    change,
    balance: event.balance,
    transfer: null,
    equityOf,
  })
}

/** Logs a settlement or delivery. */
export function logSettlement(
  log: TransactionLog,
  event: EventOf<'settlement'>,
  isOption: boolean,
  equityOf: EquityReader,
): void {
  const { account, currency, instrument, position, fee, sessionProfitLoss } = event
  const { pending } = settleInterest(log, account, instrument)
  writeRow(log, {
    ...blankRow,
    time: event.time,
    account,
    currency,
    type: event.type,
    side: position < 0 ? 'short' : 'long',
    instrument,
    amount: position < 0 ? lots(-position) : position,
    position: event.type === 'delivery' ? lots(0) : position,
    price: event.mark,
    mark: event.mark,
    index: event.index,
    commission: fee,
    cashflow: sessionProfitLoss,
    change: fee === 0n ? sessionProfitLoss : amount(sessionProfitLoss - fee),
    balance: event.balance,
    equity: equityOf(account, currency),
    interest: pending,
    interestTotal: event.funding,
    sessionRealized: event.profitLoss,
    // The payout of an option is its value, whatever premium it cost.
    sessionFloating: isOption ? none : amount(sessionProfitLoss - event.profitLoss),
  })
}

/** The money of a row of the transaction log. */
interface MoneyRow {
  readonly type: TransactionType
  readonly change: Amount
  readonly transfer: TransferPart | null
  /** Cash balance after the change. */
  readonly balance: Amount
  readonly equityOf: EquityReader
}

/** Writes a row of money without an instrument. */
export function writeMoney(
  log: TransactionLog,
  time: Micros,
  account: AccountId,
  currency: Currency,
  row: MoneyRow,
): void {
  const { type, change, balance, transfer, equityOf } = row
  const equity = equityOf(account, currency)
  const money = { cashflow: change, change, balance, equity }
  writeRow(log, { ...blankRow, time, account, currency, type, ...money, transfer })
}

/**
 * Funding of positions in rows of the log: since the previous row, and since the last settlement. Source: market.md 5.4
 * (`interest_pl`, `total_interest_pl`).
 */

const noInterest: Readonly<Interest> = { pending: none, session: none }

/** Adds a funding payment, which the next row of the position reports. */
export function noteFunding(log: TransactionLog, event: EventOf<'funding'>): void {
  const own = entryOf(log.interest, event.account, () => new Map<InstrumentId, Interest>())
  const interest = entryOf(own, event.instrument, () => ({ pending: none, session: none }))
  interest.pending = amount(interest.pending + event.funding)
  interest.session = amount(interest.session + event.funding)
}

/** Returns the funding that a row reports, and clears its pending part. */
export function takeInterest(log: TransactionLog, account: AccountId, instrument: InstrumentId): Readonly<Interest> {
  const interest = log.interest.get(account)?.get(instrument)
  if (interest === undefined) return noInterest
  const taken = { pending: interest.pending, session: interest.session }
  interest.pending = none
  return taken
}

/** Like `takeInterest`, for the row of a settlement, which begins a new session. */
function settleInterest(log: TransactionLog, account: AccountId, instrument: InstrumentId): Readonly<Interest> {
  const taken = takeInterest(log, account, instrument)
  const interest = log.interest.get(account)?.get(instrument)
  if (interest !== undefined) interest.session = none
  return taken
}
