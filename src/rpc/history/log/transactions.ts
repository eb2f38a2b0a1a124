/**
 * The log of each account: every change of its cash, and every fill, with the balance after it.
 *
 * A change that reverses a position has two rows. A spot fill has one for each of its currencies. Rows are numbered in
 * the order of the run, and within each account.
 * Source: market.md 5.4; sessions document 7.4 (types of the liquidity support programme).
 */
import {
  type AccountId,
  type Amount,
  accountId,
  amount,
  changing,
  fixed,
  type InstrumentId,
  type Lots,
  lots,
  type Micros,
  type Mutable,
  mapOf,
  micros,
  type OrderId,
  type Price9,
  plainUnit,
  price9,
  type RowOf,
  type TradeId,
  tradeId,
  units,
} from '../../../core/index.ts'
import { type Currency, type FillRule, NO_ORDER } from '../../../model/index.ts'
import { createWindows, keepRow, windowsUnit } from '../windows.ts'

/**
 * The type of a row, in the words of the wire. Fills of liquidation orders and positions that the insurance fund took
 * over are `liquidation`. Positions that their owner moves are `transfer`, like money. Assumed: clients know these
 * words as filters, and no sample shows further ones.
 */
export type TransactionType =
  | 'trade'
  | 'deposit'
  | 'withdrawal'
  | 'settlement'
  | 'delivery'
  | 'transfer'
  | 'liquidation'
  | 'lsp_transfer'
  | 'adl_transfer'
  | 'lsp_commission'
  | 'adl_commission'
  | 'correction'

/** One row. Fields that do not apply to its type are 0 or null. Money is in nano of its currency. */
export interface Transaction {
  readonly id: number
  readonly userSeq: number
  readonly time: Micros
  readonly account: AccountId
  readonly currency: Currency
  readonly type: TransactionType
  /**
   * `open` or `close` with `buy` or `sell`, such as `open buy`; for spot always `close`; for settlements `long` or
   * `short`.
   */
  readonly side: string | null
  readonly instrument: InstrumentId | null
  readonly amount: Lots
  /** Signed position after the change. */
  readonly position: Lots
  readonly price: Price9
  readonly mark: Price9
  readonly index: Price9
  readonly trade: TradeId
  readonly order: OrderId
  /** Why the order was filled; null except for trades. */
  readonly rule: FillRule | null
  readonly commission: Amount
  /**
   * Realized profit of a fill (for an option its premium), or session profit of a settlement; otherwise the change of
   * cash.
   */
  readonly cashflow: Amount
  readonly change: Amount
  readonly balance: Amount
  readonly equity: Amount
  /** Funding in this instrument since the previous row, and in this session. */
  readonly interest: Amount
  readonly interestTotal: Amount
  /** Profits of the session that a settlement turned into cash. */
  readonly sessionRealized: Amount
  readonly sessionFloating: Amount
  /** Null except for transfers. */
  readonly transfer: TransferPart | null
  /** The Block RFQ of a trade; omitted for other rows. */
  rfq?: number
}

/** The account's side of a transfer, and the account on the other side. */
export interface TransferPart {
  readonly role: 'source' | 'destination'
  readonly other: AccountId
}

/** Funding of a position: since its last row, and since its last settlement. */
export interface Interest {
  pending: Amount
  session: Amount
}

export const transactionLogFields = {
  /** Smallest number of rows that are kept for each account. */
  limit: fixed(units.count),
  windows: fixed(windowsUnit<AccountId, Transaction>(units.accountId, 'rows')),
  counts: fixed(mapOf(units.accountId, units.count)),
  interest: fixed(mapOf(units.accountId, mapOf(units.instrumentId, plainUnit<Interest>('interest')))),
  count: changing(units.count),
}

/** The logs, oldest row first, and the counts that number their rows. */
export interface TransactionLog extends RowOf<typeof transactionLogFields> {}

/** Reads the equity of an account in a currency at the moment of an event. */
export type EquityReader = (account: AccountId, currency: Currency) => Amount

/** No money. */
export const none = amount(0n)

/** The trade id of rows without a trade. */
const noTrade = tradeId(0)

/** Creates logs without rows. */
export function createTransactionLog(limit: number): TransactionLog {
  return { limit, windows: createWindows(), counts: new Map(), interest: new Map(), count: 0 }
}

/** The default row. All rows start as a copy, so that V8 gives them one hidden class. */
export const blankRow: Transaction = {
  id: 0,
  userSeq: 0,
  time: micros(0),
  account: accountId(0),
  currency: 'BTC',
  type: 'trade',
  side: null,
  instrument: null,
  amount: lots(0),
  position: lots(0),
  price: price9(0),
  mark: price9(0),
  index: price9(0),
  trade: noTrade,
  order: NO_ORDER,
  rule: null,
  commission: none,
  cashflow: none,
  change: none,
  balance: none,
  equity: none,
  interest: none,
  interestTotal: none,
  sessionRealized: none,
  sessionFloating: none,
  transfer: null,
}

/** Numbers a row and adds it at the end of its account's log. */
export function writeRow(log: TransactionLog, row: Mutable<Transaction>): void {
  log.count += 1
  row.id = log.count
  row.userSeq = (log.counts.get(row.account) ?? 0) + 1
  log.counts.set(row.account, row.userSeq)
  keepRow(log.windows, row.account, row, log.limit)
}
