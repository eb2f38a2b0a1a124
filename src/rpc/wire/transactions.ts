/**
 * Rows of an account's log as JSON. Source: market.md 5.4.
 */
import type { Account, Instrument, Liquidity } from '../../model/index.ts'
import type { Transaction, TransferPart } from '../history/index.ts'
import { orderIdOut, tradeIdOut } from './ids.ts'
import { amountOut, balanceOut, contractsOut, moneyOut, priceOut, timeOut } from './numbers.ts'
import { isTaking } from './trades.ts'

/** Fields of every row. Rows about instruments, trades and settlements have further fields. */
interface TransactionHead {
  readonly id: number
  readonly currency: string
  readonly timestamp: number
  readonly user_id: number
  readonly username: string
  /** Row number of the account, which increases by one. */
  readonly user_seq: number
  readonly type: Transaction['type']
  readonly side: string | null
  readonly instrument_name: string | null
  readonly commission: number
  /** Realized profit or moved cash; `change` is the change of the cash balance. */
  readonly cashflow: number
  readonly change: number
  readonly balance: number
  readonly equity: number
  /** The balance pays the fees; there is no separate fee balance. */
  readonly fee_balance: 0
  /** Reason of a transfer of cash or a position without a trade. */
  readonly info: string | null
  /** Always false: profits do not count as cash flow. */
  readonly profit_as_cashflow: false
}

/** Fields of a row about an instrument. */
interface AboutInstrument {
  /** Size of the trade, or amount of moved cash. */
  readonly amount: number
  readonly contracts: number
  /** Position after the row. */
  readonly position: number
  readonly price: number
  /** Currency of the price. */
  readonly price_currency: string
  readonly mark_price?: number
  readonly index_price?: number
  /** Realized funding of the row; null except for futures. */
  readonly interest_pl: number | null
  /** Realized funding since the session began; only for futures. */
  readonly total_interest_pl?: number
}

/** Fields of a row about a trade. */
interface AboutTrade {
  readonly trade_id: string
  readonly order_id: string
  /** Side of the account in the trade. */
  readonly user_role?: Liquidity
  /** Side whose fee was paid. */
  readonly fee_role?: Liquidity
  readonly block_rfq_id?: number
}

/** Fields of a row about a settlement or a delivery. */
interface AboutSettlement {
  /** Settlement price. */
  readonly settlement_price: number
  /** Realized profit of the ended settlement period. */
  readonly session_rpl: number
  /** Unrealized profit of the ended settlement period. */
  readonly session_upl: number
}

/** Fields of a row about a transfer. */
interface AboutTransfer {
  /** Side of the account in the transfer. */
  readonly role: TransferPart['role']
  /** Number of the other account, if both accounts have one owner. */
  readonly other_user_id?: number
  /** Name of the other account, if both accounts have one owner. */
  readonly other_user?: string
}

/** A row of the transaction log; its fields depend on its type. */
export interface WireTransaction
  extends TransactionHead,
    Partial<AboutInstrument>,
    Partial<AboutTrade>,
    Partial<AboutSettlement>,
    Partial<AboutTransfer> {}

/** A row of the log. */
export function transactionOut(
  row: Transaction,
  account: Account,
  instrument: Instrument | undefined,
  /** The account on the other side of a transfer. */
  other: Account | undefined,
): WireTransaction {
  return {
    id: row.id,
    currency: row.currency,
    timestamp: timeOut(row.time),
    user_id: account.id,
    username: account.name,
    user_seq: row.userSeq,
    type: row.type,
    side: row.side,
    instrument_name: instrument?.name ?? null,
    ...(instrument === undefined ? {} : instrumentFields(row, instrument)),
    ...(movesMoney(row) ? { amount: Math.abs(moneyOut(row.change)) } : {}),
    ...(row.transfer === null ? {} : transferFields(row.transfer, account, other)),
    commission: moneyOut(row.commission),
    cashflow: moneyOut(row.cashflow),
    change: moneyOut(row.change),
    balance: balanceOut(row.currency, row.balance),
    equity: balanceOut(row.currency, row.equity),
    fee_balance: 0,
    profit_as_cashflow: false,
    info: infoOf(row),
  }
}

/** The words of a row that a filter can contain: `trade maker open buy future`. */
export function transactionWords(row: Transaction, instrument: Instrument | undefined): readonly string[] {
  const { user_role } = rolesOf(row)
  const kind = instrument === undefined ? '' : `${instrument.kind} ${instrument.name}`
  const type = `${row.type} ${row.type.replace('_', ' ')}`
  return `${type} ${row.side ?? ''} ${user_role ?? ''} ${kind}`.toLowerCase().split(' ')
}

/** True if a row is about money alone and has an amount. */
function movesMoney({ type, instrument }: Transaction): boolean {
  if (instrument !== null) return false
  return type === 'deposit' || type === 'withdrawal' || type === 'transfer'
}

/** The account's side of a transfer, and the other account if both have one owner. */
function transferFields({ role }: TransferPart, owner: Account, other: Account | undefined): AboutTransfer {
  if (other === undefined || other.main !== owner.main) return { role }
  return { role, other_user_id: other.id, other_user: other.name }
}

function instrumentFields(
  row: Transaction,
  instrument: Instrument,
): AboutInstrument & Partial<AboutTrade> & Partial<AboutSettlement> {
  return {
    // For spot, the amount is the moved money in the currency of the row.
    amount: instrument.kind === 'spot' ? Math.abs(moneyOut(row.cashflow)) : amountOut(instrument, row.amount),
    contracts: contractsOut(instrument, row.amount),
    position: amountOut(instrument, row.position),
    price: priceOut(row.price),
    price_currency: instrument.quoteCurrency,
    // A position that changed hands has only a price.
    ...(row.mark === 0 ? {} : { mark_price: priceOut(row.mark), index_price: priceOut(row.index) }),
    ...(instrument.kind === 'future'
      ? { interest_pl: moneyOut(row.interest), total_interest_pl: moneyOut(row.interestTotal) }
      : { interest_pl: null }),
    ...(row.rule === null ? {} : tradeFields(row, instrument)),
    ...(isSettled(row) ? settlementFields(row) : {}),
  }
}

function tradeFields(row: Transaction, instrument: Instrument): AboutTrade {
  return {
    trade_id: tradeIdOut(instrument, row.trade),
    order_id: orderIdOut(instrument, row.order),
    ...rolesOf(row),
    ...(row.rfq === undefined ? {} : { block_rfq_id: row.rfq }),
  }
}

function isSettled({ type }: Transaction): boolean {
  return type === 'settlement' || type === 'delivery'
}

function settlementFields(row: Transaction): AboutSettlement {
  return {
    settlement_price: priceOut(row.mark),
    session_rpl: moneyOut(row.sessionRealized),
    session_upl: moneyOut(row.sessionFloating),
  }
}

/** The hidden part of an iceberg is a maker that pays as a taker (C25). */
function rolesOf({ rule }: Transaction): {
  readonly user_role?: Liquidity
  readonly fee_role?: Liquidity
} {
  if (rule === null) return {}
  const taker = isTaking(rule)
  return {
    user_role: taker ? 'taker' : 'maker',
    fee_role: taker || rule === 'hidden' ? 'taker' : 'maker',
  }
}

function infoOf({ type, rule, instrument, change }: Transaction): string | null {
  // A liquidation without a fill went to the insurance fund.
  if (type === 'liquidation' && rule === null) return 'close_out'
  if (type !== 'correction') return null
  if (instrument !== null) return 'given_position'
  return change < 0n ? 'socialized_loss' : 'bankruptcy'
}
