/**
 * Log rows of position changes: fills, and positions that change hands without an order.
 *
 * The trade of a combo changes no position and has no row; its legs have rows.
 * Source: market.md 5.4 (a fill that closes and opens again is two rows).
 */
import {
  type Amount,
  amount,
  divHalfAwayBig,
  type InstrumentId,
  type Lots,
  lots,
  type Mutable,
  type Price9,
} from '../../../core/index.ts'
import { basisBig } from '../../../ledger/index.ts'
import {
  amount9OfLots,
  type Currency,
  type EventOf,
  type Fill,
  type Instrument,
  isCurrency,
  type Side,
  type Trade,
  type TransferReason,
  type TransferSide,
} from '../../../model/index.ts'
import { takeInterest, writeMoney } from './money.ts'
import {
  blankRow,
  type EquityReader,
  none,
  type Transaction,
  type TransactionLog,
  type TransactionType,
  writeRow,
} from './transactions.ts'

/** One side of a trade. */
interface FillOf {
  readonly trade: Trade
  readonly fill: Fill
  readonly instrument: Instrument
  /** True if a liquidation placed its order. */
  readonly liquidation: boolean
}

/** A row with the fields that all rows of a change share. */
type Begun = Mutable<Transaction> & { readonly instrument: InstrumentId }

/** A change of a position and its cost. */
interface Change {
  readonly side: Side
  readonly amount: Lots
  /** Signed position after the change. */
  readonly position: Lots
  readonly realized: Amount
  readonly premium: Amount
  readonly fee: Amount
  readonly isOption: boolean
  /** Cash balance after the change. */
  readonly balance: Amount
}

const openSides = { buy: 'open buy', sell: 'open sell' } as const
const closeSides = { buy: 'close buy', sell: 'close sell' } as const

const transferTypes: { readonly [R in TransferReason]: TransactionType } = {
  move: 'transfer',
  lsp: 'lsp_transfer',
  adl: 'adl_transfer',
  close_out: 'liquidation',
  allocation: 'transfer',
}

/** The row type of the commission of a transfer. */
const commissionTypes: { readonly [R in TransferReason]: TransactionType } = {
  move: 'transfer',
  lsp: 'lsp_commission',
  adl: 'adl_commission',
  close_out: 'lsp_commission',
  allocation: 'transfer',
}

/** Logs the rows of a fill: one row, or two for a reversed position or spot. */
export function logFill(log: TransactionLog, of: FillOf, equityOf: EquityReader): void {
  const { trade, fill, instrument } = of
  if (trade.legs.length > 0) return
  const row: Begun = {
    ...blankRow,
    time: trade.time,
    account: fill.account,
    currency: instrument.settlementCurrency,
    type: of.liquidation ? 'liquidation' : 'trade',
    instrument: trade.instrument,
    price: trade.price,
    mark: trade.mark,
    index: trade.index,
    trade: trade.trade,
    order: fill.order,
    rule: fill.rule,
  }
  if (trade.rfq !== null) row.rfq = trade.rfq.rfq
  const size = trade.amount
  const { side, position, realized, premium, fee, balance } = fill
  if (instrument.kind === 'spot') {
    const coins = {
      instrument,
      side,
      size,
      fee,
      feeCurrency: fill.feeCurrency,
      position,
      balance,
      baseBalance: fill.baseBalance,
    }
    logCoins(log, row, coins, equityOf)
    return
  }
  const isOption = instrument.kind === 'option'
  const change = { side, amount: size, position, realized, premium, fee, isOption, balance }
  logChange(log, row, change, equityOf)
}

/**
 * Logs the rows of an option position that a scenario gave. A future position that was given moves no cash and has no
 * rows.
 */
export function logGiven(
  log: TransactionLog,
  event: EventOf<'given_position'>,
  instrument: Instrument,
  equityOf: EquityReader,
): void {
  const { account, position, realized, premium, balance } = event
  if (instrument.kind !== 'option') return
  const row: Begun = {
    ...blankRow,
    time: event.time,
    account,
    currency: instrument.settlementCurrency,
    type: 'correction',
    instrument: event.instrument,
    price: event.price,
  }
  const side = event.change > 0 ? 'buy' : 'sell'
  const size = lots(Math.abs(event.change))
  const rest = { position, realized, premium, fee: none, isOption: true, balance }
  logChange(log, row, { side, amount: size, ...rest }, equityOf)
}

/**
 * Logs the rows of one side of a position that changed hands, and a separate row for the commission that it paid or
 * received.
 */
export function logTransferSide(
  log: TransactionLog,
  event: EventOf<'position_transfer'>,
  side: TransferSide,
  instrument: Instrument,
  equityOf: EquityReader,
): void {
  const gives = side === event.from
  const currency = instrument.settlementCurrency
  const commission = gives ? amount(-event.commission) : event.commissionToTarget
  const signed = gives ? -event.amount : event.amount
  const row: Begun = {
    ...blankRow,
    time: event.time,
    account: side.account,
    currency,
    type: transferTypes[event.reason],
    instrument: event.instrument,
    price: event.price,
    transfer: gives ? { role: 'source', other: event.to.account } : { role: 'destination', other: event.from.account },
  }
  const on = signed > 0 ? 'buy' : 'sell'
  const size = lots(Math.abs(signed))
  const { position, realized, premium } = side
  if (instrument.kind === 'spot') {
    // The commission is in the currency that the giving side receives. The giving side pays it to the other side.
    const paidIn = event.amount < 0 ? instrument.baseCurrency : currency
    const balances = { balance: side.balance, baseBalance: gives ? event.fromBase : event.toBase }
    const paid = { fee: amount(-commission), feeCurrency: paidIn }
    logCoins(log, row, { instrument, side: on, size, position, ...balances, ...paid }, equityOf)
    return
  }
  // The commission of the transfer follows in a separate row.
  const balance = amount(side.balance - commission)
  const isOption = instrument.kind === 'option'
  const rest = { position, realized, premium, fee: none, isOption, balance }
  logChange(log, row, { side: on, amount: size, ...rest }, equityOf)
  if (commission === 0n) return
  const type = commissionTypes[event.reason]
  writeMoney(log, row.time, row.account, row.currency, {
    type,
    change: commission,
    balance: side.balance,
    transfer: row.transfer,
    equityOf,
  })
}

/** Completes the row of a change and writes it. A reversed position has a second row for its new side. */
function logChange(log: TransactionLog, row: Begun, change: Change, equityOf: EquityReader): void {
  const { pending, session } = takeInterest(log, row.account, row.instrument)
  const closed = closedBy(change)
  const isTurned = closed > 0 && closed < change.amount
  // Fee and premium are split by size, so that the rows of a change sum to the whole.
  const fee = isTurned ? shareOf(change.fee, closed, change.amount) : change.fee
  const premium = isTurned ? shareOf(change.premium, closed, change.amount) : change.premium
  const rest = { fee: change.fee - fee, premium: change.premium - premium }
  row.side = (closed > 0 ? closeSides : openSides)[change.side]
  row.amount = isTurned ? lots(closed) : change.amount
  row.position = isTurned ? lots(0) : change.position
  row.commission = amount(fee)
  row.cashflow = change.isOption ? amount(premium) : change.realized
  row.change = amount(premium - fee)
  row.balance = isTurned ? amount(change.balance - rest.premium + rest.fee) : change.balance
  row.equity = equityOf(row.account, row.currency)
  row.interest = pending
  row.interestTotal = session
  writeRow(log, row)
  if (!isTurned) return
  writeRow(log, {
    ...row,
    side: openSides[change.side],
    amount: lots(change.amount - closed),
    position: change.position,
    commission: amount(rest.fee),
    cashflow: amount(rest.premium),
    change: amount(rest.premium - rest.fee),
    balance: change.balance,
    interest: none,
  })
}

/** The coins and the money of one side of a spot trade. */
interface Coins {
  readonly instrument: Instrument
  readonly side: Side
  readonly size: Lots
  readonly fee: Amount
  readonly feeCurrency: string
  readonly position: Lots
  /** Cash balance after the trade. */
  readonly balance: Amount
  readonly baseBalance: Amount
}

function logCoins(log: TransactionLog, row: Begun, coins: Coins, equityOf: EquityReader): void {
  for (const { currency, change, balance } of spotLegs(row.price, coins)) {
    const commission = currency === coins.feeCurrency ? coins.fee : none
    writeRow(log, {
      ...row,
      currency,
      side: closeSides[coins.side],
      amount: coins.size,
      position: coins.position,
      commission,
      cashflow: amount(change),
      change: amount(change - commission),
      balance,
      equity: equityOf(row.account, currency),
    })
  }
}

/**
 * Amounts that a side of a spot trade gains or pays before the fee, with the cash balance after it: base currency
 * first, then quote currency.
 */
function spotLegs(
  price: Price9,
  { instrument, side, size, balance, baseBalance }: Coins,
): readonly { readonly currency: Currency; readonly change: bigint; readonly balance: Amount }[] {
  const base = amount9OfLots(instrument, size)
  const quote = basisBig(instrument, size, price)
  const buys = side === 'buy'
  const paid = { currency: instrument.settlementCurrency, change: buys ? -quote : quote, balance }
  if (!isCurrency(instrument.baseCurrency)) return [paid]
  return [{ currency: instrument.baseCurrency, change: buys ? base : -base, balance: baseBalance }, paid]
}

/** Size of a change that closed the previous position. */
function closedBy({ side, amount: size, position }: Change): number {
  const sign = side === 'buy' ? 1 : -1
  const before = position - sign * size
  return before * sign < 0 ? Math.min(Math.abs(before), size) : 0
}

function shareOf(money: Amount, part: number, whole: number): bigint {
  return divHalfAwayBig(money * BigInt(part), BigInt(whole))
}
