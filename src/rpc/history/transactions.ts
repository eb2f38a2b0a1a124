/**
 * The log of each account: every change of its cash, and every fill, with the balance after it.
 *
 * A fill that closes a position and opens one the other way is two rows, a spot fill one for each of
 * its currencies. Rows are numbered in the order of the run, and within each account.
 * Source: market.md 5.4.
 */
import {
  type AccountId,
  type Amount,
  amount,
  divHalfAwayBig,
  type InstrumentId,
  type Lots,
  lots,
  type Micros,
  type OrderId,
  type Price9,
  price9,
  type TradeId,
  tradeId,
} from '../../core/index.ts'
import {
  type Currency,
  type EventOf,
  type Fill,
  type FillRule,
  type Instrument,
  NO_ORDER,
  type Trade,
} from '../../model/index.ts'
import { type Cash, cashIn, postFill, spotLegs } from './cash.ts'
import { append, entryOf } from './lists.ts'

/** What a row is about, in the words of the wire. */
export type TransactionType =
  | 'trade'
  | 'deposit'
  | 'withdrawal'
  | 'settlement'
  | 'delivery'
  | 'correction'

/** One row: fields of what a row is not about are 0, or null. Money is in nano of its currency. */
export interface Transaction {
  readonly id: number
  readonly userSeq: number
  readonly time: Micros
  readonly account: AccountId
  readonly currency: Currency
  readonly type: TransactionType
  /** `open buy`, `close sell`, of spot `buy`, of settlements `long`. */
  readonly side: string | null
  readonly instrument: InstrumentId | null
  readonly amount: Lots
  /** Signed position after it. */
  readonly position: Lots
  readonly price: Price9
  readonly mark: Price9
  readonly index: Price9
  readonly trade: TradeId
  readonly order: OrderId
  /** Why it was filled; null but for trades. */
  readonly rule: FillRule | null
  readonly commission: Amount
  /** Realized profit of a fill, session profit of a settlement; else the change of cash. */
  readonly cashflow: Amount
  readonly change: Amount
  readonly balance: Amount
  readonly equity: Amount
  /** Funding that entered since the row before in this instrument, and in this session. */
  readonly interest: Amount
  readonly interestTotal: Amount
  /** Profits of the session that a settlement turned into cash. */
  readonly sessionRealized: Amount
  readonly sessionFloating: Amount
}

/** Funding of a position: since its last row, and since its last settlement. */
export interface Interest {
  pending: Amount
  session: Amount
}

/** The logs, oldest first, and what their rows are numbered from. */
export interface TransactionLog {
  /** Rows of each account that are kept at least. */
  readonly limit: number
  readonly rows: Map<AccountId, Transaction[]>
  readonly counts: Map<AccountId, number>
  readonly interest: Map<AccountId, Map<InstrumentId, Interest>>
  count: number
}

/** What a row needs beside its event: cash after it, and what the account is worth. */
export interface LogContext {
  readonly cash: Cash
  equityOf(account: AccountId, currency: Currency): Amount
}

/** One side of a trade. */
interface FillOf {
  readonly trade: Trade
  readonly fill: Fill
  readonly instrument: Instrument
}

const none = amount(0n)
const noTrade = tradeId(0)
const noInterest: Readonly<Interest> = { pending: none, session: none }

const openSides = { buy: 'open buy', sell: 'open sell' } as const
const closeSides = { buy: 'close buy', sell: 'close sell' } as const

/** Logs without rows. */
export function createTransactionLog(limit: number): TransactionLog {
  return { limit, rows: new Map(), counts: new Map(), interest: new Map(), count: 0 }
}

/** Notes funding, which the next row of the position tells. */
export function noteFunding(log: TransactionLog, event: EventOf<'funding_accrued'>): void {
  const interest = interestOf(log, event.account, event.instrument)
  interest.pending = amount(interest.pending + event.funding)
  interest.session = amount(interest.session + event.funding)
}

/** Posts a fill to the running cash and logs its rows: one, or the two of a turned position or spot. */
export function logFill(log: TransactionLog, of: FillOf, context: LogContext): void {
  const { fill, instrument } = of
  const before = cashIn(context.cash, fill.account, instrument.settlementCurrency)
  postFill(context.cash, of, instrument)
  if (instrument.kind === 'spot') logSpotFill(log, of, context)
  else logContractFill(log, of, { cash: context.cash, equityOf: context.equityOf, before })
}

function logContractFill(
  log: TransactionLog,
  of: FillOf,
  context: LogContext & { readonly before: bigint },
): void {
  const { trade, fill, instrument } = of
  const { account, fee, position } = fill
  const currency = instrument.settlementCurrency
  const { pending, session } = takeInterest(log, account, instrument)
  const equity = context.equityOf(account, currency)
  const balance = cashIn(context.cash, account, currency)
  const closed = closedBy(trade, fill)
  const isTurned = closed > 0 && closed < trade.amount
  // The fee is shared by size, so that the rows of one fill come to its fee.
  const share = isTurned ? divHalfAwayBig(fee * BigInt(closed), BigInt(trade.amount)) : fee
  writeFill(log, of, {
    currency,
    side: (closed > 0 ? closeSides : openSides)[fill.side],
    amount: isTurned ? lots(closed) : trade.amount,
    position: isTurned ? lots(0) : position,
    commission: amount(share),
    cashflow: fill.realized,
    change: amount(-share),
    balance: isTurned ? amount(context.before - share) : balance,
    equity,
    interest: pending,
    interestTotal: session,
  })
  if (!isTurned) return
  const rest = amount(fee - share)
  writeFill(log, of, {
    ...{ currency, side: openSides[fill.side], amount: lots(trade.amount - closed), position },
    ...{ commission: rest, cashflow: none, change: amount(-rest), balance, equity },
    ...{ interest: none, interestTotal: session },
  })
}

function logSpotFill(log: TransactionLog, of: FillOf, context: LogContext): void {
  const { trade, fill } = of
  const { account } = fill
  for (const { currency, change } of spotLegs(trade, fill, of.instrument)) {
    const commission = currency === fill.feeCurrency ? fill.fee : none
    writeFill(log, of, {
      ...{ currency, side: fill.side, amount: trade.amount, position: fill.position, commission },
      ...{ cashflow: amount(change), change: amount(change - commission) },
      balance: cashIn(context.cash, account, currency),
      equity: context.equityOf(account, currency),
      ...{ interest: none, interestTotal: none },
    })
  }
}

/** Logs money from or to the outside, after it is posted. */
export function logDeposit(
  log: TransactionLog,
  event: EventOf<'cash_posted'>,
  context: LogContext,
): void {
  const { change } = event
  writeMoney(log, event, { type: change < 0n ? 'withdrawal' : 'deposit', change, context })
}

/** Logs a settlement or delivery, after it is posted. */
export function logSettlement(
  log: TransactionLog,
  event: EventOf<'position_settled'>,
  { equityOf }: LogContext,
): void {
  const { account, currency, instrument, position, fee, sessionProfitLoss } = event
  const interest = log.interest.get(account)?.get(instrument)
  write(log, {
    id: nextId(log),
    userSeq: nextUserSeq(log, account),
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
    trade: noTrade,
    order: NO_ORDER,
    rule: null,
    commission: fee,
    cashflow: sessionProfitLoss,
    change: fee === 0n ? sessionProfitLoss : amount(sessionProfitLoss - fee),
    // The event tells the balance; that it is what the events add up to is a law of the tests.
    balance: event.balance,
    equity: equityOf(account, currency),
    interest: interest?.pending ?? none,
    interestTotal: event.funding,
    sessionRealized: event.profitLoss,
    sessionFloating: amount(sessionProfitLoss - event.profitLoss),
  })
  if (interest === undefined) return
  interest.pending = none
  interest.session = none
}

/** Logs a debt that was paid or a tax that was taken, after it is posted. */
export function logLoss(
  log: TransactionLog,
  event: EventOf<'account_bankrupt' | 'loss_shared'>,
  context: LogContext,
): void {
  const change = event.kind === 'account_bankrupt' ? event.loss : amount(-event.tax)
  writeMoney(log, event, { type: 'correction', change, context })
}

/** A row of money that belongs to no instrument. */
function writeMoney(
  log: TransactionLog,
  event: EventOf<'cash_posted' | 'account_bankrupt' | 'loss_shared'>,
  of: { readonly type: TransactionType; readonly change: Amount; readonly context: LogContext },
): void {
  const { time, account, currency } = event
  const { type, change, context } = of
  const [price, size] = [price9(0), lots(0)]
  write(log, {
    ...{ id: nextId(log), userSeq: nextUserSeq(log, account), time, account, currency, type },
    ...{ side: null, instrument: null, amount: size, position: size },
    ...{ price, mark: price, index: price, trade: noTrade, order: NO_ORDER, rule: null },
    ...{ commission: none, cashflow: change, change },
    ...{ balance: cashIn(context.cash, account, currency) },
    ...{ equity: context.equityOf(account, currency), interest: none, interestTotal: none },
    ...{ sessionRealized: none, sessionFloating: none },
  })
}

/** What the rows of one fill do not share. */
type FillPart = Pick<
  Transaction,
  | 'currency'
  | 'side'
  | 'amount'
  | 'position'
  | 'commission'
  | 'cashflow'
  | 'change'
  | 'balance'
  | 'equity'
  | 'interest'
  | 'interestTotal'
>

/** Every fill of the run is a row, so that it is built in one go. */
function writeFill(log: TransactionLog, { trade, fill }: FillOf, part: FillPart): void {
  write(log, {
    id: nextId(log),
    userSeq: nextUserSeq(log, fill.account),
    time: trade.time,
    account: fill.account,
    currency: part.currency,
    type: 'trade',
    side: part.side,
    instrument: trade.instrument,
    amount: part.amount,
    position: part.position,
    price: trade.price,
    mark: trade.mark,
    index: trade.index,
    trade: trade.trade,
    order: fill.order,
    rule: fill.rule,
    commission: part.commission,
    cashflow: part.cashflow,
    change: part.change,
    balance: part.balance,
    equity: part.equity,
    interest: part.interest,
    interestTotal: part.interestTotal,
    sessionRealized: none,
    sessionFloating: none,
  })
}

function write(log: TransactionLog, row: Transaction): void {
  append(log.rows, row.account, row, log.limit)
}

function nextId(log: TransactionLog): number {
  log.count += 1
  return log.count
}

function nextUserSeq(log: TransactionLog, account: AccountId): number {
  const next = (log.counts.get(account) ?? 0) + 1
  log.counts.set(account, next)
  return next
}

/** How much of a fill closed the position before it. */
function closedBy(trade: Trade, fill: Fill): number {
  const sign = fill.side === 'buy' ? 1 : -1
  const before = fill.position - sign * trade.amount
  return before * sign < 0 ? Math.min(Math.abs(before), trade.amount) : 0
}

function interestOf(log: TransactionLog, account: AccountId, instrument: InstrumentId): Interest {
  const own = entryOf(log.interest, account, () => new Map<InstrumentId, Interest>())
  return entryOf(own, instrument, () => ({ pending: none, session: none }))
}

/** The funding that a row tells, which is then told. */
function takeInterest(
  log: TransactionLog,
  account: AccountId,
  instrument: Instrument,
): Readonly<Interest> {
  const interest = log.interest.get(account)?.get(instrument.id)
  if (interest === undefined) return noInterest
  const taken = { pending: interest.pending, session: interest.session }
  interest.pending = none
  return taken
}
