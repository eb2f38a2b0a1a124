/**
 * Rows of what changes positions: fills, and positions that change hands without an order.
 *
 * The trade of a combo moves nothing and has no row; its legs have theirs.
 * Source: market.md 5.4 (a fill that closes and opens again is two rows).
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
} from '../../../core/index.ts'
import { basisBig } from '../../../ledger/index.ts'
import {
  amount9OfLots,
  type Currency,
  type EventOf,
  type Fill,
  type FillRule,
  type Instrument,
  isCurrency,
  NO_ORDER,
  type Side,
  type Trade,
  type TransferReason,
  type TransferSide,
} from '../../../model/index.ts'
import { takeInterest } from './interest.ts'
import { writeMoney } from './money.ts'
import {
  type EquityReader,
  nextId,
  nextUserSeq,
  none,
  noTrade,
  type Transaction,
  type TransactionLog,
  type TransactionType,
  type TransferPart,
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

/** The source of a position's change: all that its rows share. */
interface Source {
  readonly type: TransactionType
  readonly time: Micros
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly currency: Currency
  readonly side: Side
  readonly price: Price9
  readonly mark: Price9
  readonly index: Price9
  readonly trade: TradeId
  readonly order: OrderId
  readonly rule: FillRule | null
  readonly transfer: TransferPart | null
  /** The Block RFQ of a trade. */
  readonly rfq?: number | undefined
}

/** Change of a position, and its cost. */
interface Change {
  readonly amount: Lots
  /** Signed position after. */
  readonly position: Lots
  readonly realized: Amount
  readonly premium: Amount
  readonly fee: Amount
  readonly isOption: boolean
  /** Cash after it. */
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

/** How what was paid for a transfer is logged. */
const commissionTypes: { readonly [R in TransferReason]: TransactionType } = {
  move: 'transfer',
  lsp: 'lsp_commission',
  adl: 'adl_commission',
  close_out: 'lsp_commission',
  allocation: 'transfer',
}

/** Logs the rows of a fill: one, or the two of a turned position or spot. */
export function logFill(log: TransactionLog, of: FillOf, equityOf: EquityReader): void {
  const { trade, fill, instrument } = of
  const { account } = fill
  const currency = instrument.settlementCurrency
  if (trade.legs.length > 0) return
  const source: Source = {
    type: of.liquidation ? 'liquidation' : 'trade',
    time: trade.time,
    account,
    instrument: trade.instrument,
    currency,
    side: fill.side,
    price: trade.price,
    mark: trade.mark,
    index: trade.index,
    trade: trade.trade,
    order: fill.order,
    rule: fill.rule,
    transfer: null,
    rfq: trade.rfq?.rfq,
  }
  if (instrument.kind === 'spot') {
    logSpotFill(log, { ...of, source }, equityOf)
    return
  }
  const { position, realized, premium, fee, balance } = fill
  const isOption = instrument.kind === 'option'
  const change = { amount: trade.amount, position, realized, premium, fee, isOption, balance }
  logChange(log, source, { change, equityOf })
}

/** Logs the rows of an option that a scenario gave; a future that was given moves no cash, and has none. */
export function logGiven(
  log: TransactionLog,
  of: { readonly event: EventOf<'given_position'>; readonly instrument: Instrument },
  equityOf: EquityReader,
): void {
  const { event, instrument } = of
  const { account, position, realized, premium, balance } = event
  const currency = instrument.settlementCurrency
  if (instrument.kind !== 'option') return
  const source: Source = {
    type: 'correction',
    time: event.time,
    account,
    instrument: event.instrument,
    currency,
    side: event.change > 0 ? 'buy' : 'sell',
    price: event.price,
    mark: price9(0),
    index: price9(0),
    trade: noTrade,
    order: NO_ORDER,
    rule: null,
    transfer: null,
  }
  const size = lots(Math.abs(event.change))
  const change = { amount: size, position, realized, premium, fee: none, isOption: true, balance }
  logChange(log, source, { change, equityOf })
}

/**
 * Logs the rows of one side of a position that changed hands, and a row of its own for what it paid or
 * received for that.
 */
export function logTransferSide(
  log: TransactionLog,
  of: {
    readonly event: EventOf<'position_transfer'>
    readonly side: TransferSide
    readonly instrument: Instrument
  },
  equityOf: EquityReader,
): void {
  const { event, side, instrument } = of
  const { account } = side
  const gives = side === event.from
  const currency = instrument.settlementCurrency
  const commission = gives ? amount(-event.commission) : event.commissionToTarget
  const signed = gives ? -event.amount : event.amount
  const source: Source = {
    type: transferTypes[event.reason],
    time: event.time,
    account,
    instrument: event.instrument,
    currency,
    side: signed > 0 ? 'buy' : 'sell',
    price: event.price,
    mark: price9(0),
    index: price9(0),
    trade: noTrade,
    order: NO_ORDER,
    rule: null,
    transfer: gives
      ? { role: 'source', other: event.to.account }
      : { role: 'destination', other: event.from.account },
  }
  if (instrument.kind === 'spot') {
    const size = lots(Math.abs(signed))
    // Of what it receives, the one that gives pays the commission, and the other is paid it.
    const paidIn = event.amount < 0 ? instrument.baseCurrency : currency
    const balances = { balance: side.balance, baseBalance: gives ? event.fromBase : event.toBase }
    const paid = { fee: amount(-commission), feeCurrency: paidIn }
    logCoins(
      log,
      source,
      { instrument, size, position: side.position, ...balances, ...paid },
      equityOf,
    )
    return
  }
  const { position, realized, premium } = side
  // What was paid for the transfer has a row of its own behind.
  const balance = amount(side.balance - commission)
  const isOption = instrument.kind === 'option'
  const size = lots(Math.abs(signed))
  const change = { amount: size, position, realized, premium, fee: none, isOption, balance }
  logChange(log, source, { change, equityOf })
  if (commission === 0n) return
  const type = commissionTypes[event.reason]
  writeMoney(log, source, {
    type,
    change: commission,
    balance: side.balance,
    transfer: source.transfer,
    equityOf,
  })
}

function logChange(
  log: TransactionLog,
  source: Source,
  of: { readonly change: Change; readonly equityOf: EquityReader },
): void {
  const { change, equityOf } = of
  const { balance } = change
  const { account, currency, side } = source
  const { pending, session } = takeInterest(log, account, source.instrument)
  const equity = equityOf(account, currency)
  const closed = closedBy(side, change)
  const isTurned = closed > 0 && closed < change.amount
  // Fee and premium are shared by size, so that the rows of one change come to it.
  const fee = isTurned ? shareOf(change.fee, closed, change.amount) : change.fee
  const premium = isTurned ? shareOf(change.premium, closed, change.amount) : change.premium
  const rest = { fee: change.fee - fee, premium: change.premium - premium }
  writePart(log, source, {
    side: (closed > 0 ? closeSides : openSides)[side],
    amount: isTurned ? lots(closed) : change.amount,
    position: isTurned ? lots(0) : change.position,
    commission: amount(fee),
    cashflow: change.isOption ? amount(premium) : change.realized,
    change: amount(premium - fee),
    balance: isTurned ? amount(balance - rest.premium + rest.fee) : balance,
    equity,
    interest: pending,
    interestTotal: session,
  })
  if (!isTurned) return
  writePart(log, source, {
    side: openSides[side],
    amount: lots(change.amount - closed),
    position: change.position,
    commission: amount(rest.fee),
    cashflow: amount(rest.premium),
    change: amount(rest.premium - rest.fee),
    balance,
    equity,
    interest: none,
    interestTotal: session,
  })
}

function logSpotFill(
  log: TransactionLog,
  of: FillOf & { readonly source: Source },
  equityOf: EquityReader,
): void {
  const { trade, fill, source, instrument } = of
  const { fee, feeCurrency, position, balance, baseBalance } = fill
  const size = trade.amount
  const coins = { instrument, size, fee, feeCurrency, position, balance, baseBalance }
  logCoins(log, source, coins, equityOf)
}

/** Coins that changed hands on a side for money. */
interface Coins {
  readonly instrument: Instrument
  readonly size: Lots
  readonly fee: Amount
  readonly feeCurrency: string
  readonly position: Lots
  /** Cash after it. */
  readonly balance: Amount
  readonly baseBalance: Amount
}

function logCoins(log: TransactionLog, source: Source, coins: Coins, equityOf: EquityReader): void {
  for (const { currency, change, balance } of spotLegs(source, coins)) {
    const commission = currency === coins.feeCurrency ? coins.fee : none
    writePart(
      log,
      { ...source, currency },
      {
        side: closeSides[source.side],
        amount: coins.size,
        position: coins.position,
        commission,
        cashflow: amount(change),
        change: amount(change - commission),
        balance,
        equity: equityOf(source.account, currency),
        interest: none,
        interestTotal: none,
      },
    )
  }
}

/** Amounts that a side of spot gives and takes before the fee, with the cash after it: base, then quote. */
function spotLegs(
  { side, price }: Source,
  { instrument, size, balance, baseBalance }: Coins,
): readonly { readonly currency: Currency; readonly change: bigint; readonly balance: Amount }[] {
  const { baseCurrency, settlementCurrency } = instrument
  const base = amount9OfLots(instrument, size)
  const quote = basisBig(instrument, size, price)
  const buys = side === 'buy'
  const paid = { currency: settlementCurrency, change: buys ? -quote : quote, balance }
  if (!isCurrency(baseCurrency)) return [paid]
  return [{ currency: baseCurrency, change: buys ? base : -base, balance: baseBalance }, paid]
}

/** Fields that the rows of one change do not share. */
interface Part {
  readonly side: string
  readonly amount: Lots
  readonly position: Lots
  readonly commission: Amount
  readonly cashflow: Amount
  readonly change: Amount
  readonly balance: Amount
  readonly equity: Amount
  readonly interest: Amount
  readonly interestTotal: Amount
}

/** Every fill of the run is a row, so that it is built in one go. */
function writePart(log: TransactionLog, source: Source, part: Part): void {
  const row: Transaction = {
    id: nextId(log),
    userSeq: nextUserSeq(log, source.account),
    time: source.time,
    account: source.account,
    currency: source.currency,
    type: source.type,
    side: part.side,
    instrument: source.instrument,
    amount: part.amount,
    position: part.position,
    price: source.price,
    mark: source.mark,
    index: source.index,
    trade: source.trade,
    order: source.order,
    rule: source.rule,
    commission: part.commission,
    cashflow: part.cashflow,
    change: part.change,
    balance: part.balance,
    equity: part.equity,
    interest: part.interest,
    interestTotal: part.interestTotal,
    sessionRealized: none,
    sessionFloating: none,
    transfer: source.transfer,
  }
  if (source.rfq !== undefined) row.rfq = source.rfq
  writeRow(log, row)
}

/** How much of a change closed the position before it. */
function closedBy(side: Side, { amount: size, position }: Change): number {
  const sign = side === 'buy' ? 1 : -1
  const before = position - sign * size
  return before * sign < 0 ? Math.min(Math.abs(before), size) : 0
}

function shareOf(money: Amount, part: number, whole: number): bigint {
  return divHalfAwayBig(money * BigInt(part), BigInt(whole))
}
