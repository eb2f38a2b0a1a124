/**
 * Booking one fill: postings of both accounts, positions, fees, margin, and the public trade.
 *
 * Fees go to the house; every posting is computed from the fill itself, never as what is missing.
 * Source: market.md 4 (fees), 5.1 (positions), 8 (tick direction); C06 step 1.
 */
import { remainingOf } from '../../book/index.ts'
import {
  accountId,
  amount,
  type CurrencyId,
  currencyId,
  lots,
  type Price9,
  price9,
} from '../../core/index.ts'
import {
  baseFeeNano,
  feeNano,
  type PricedTerms,
  postCash,
  postFill,
  postWideCash,
  setBasis,
  sizeOf,
} from '../../ledger/index.ts'
import { currencyOf, type Fill, feeAccount, makeTradeId, type Side } from '../../model/index.ts'
import { nextEvent, type Turn } from '../emit.ts'
import { type Exchange, type HoldingRow, type InstrumentRow, walletOf } from '../state/exchange.ts'
import { holdingOfOrder, refreshMargin } from '../state/holdings.ts'
import { orderAt } from '../state/orders.ts'

/** One fill, as the hooks see it: both orders are still live, sizes are already taken off. */
export interface FillContext {
  readonly turn: Turn
  readonly row: InstrumentRow
  readonly takerSlot: number
  readonly makerSlot: number
  readonly lots: number
  readonly price: number
  /** The arithmetic of the contract at this price. */
  readonly priced: PricedTerms
}

/** Books a fill of both sides and emits the `trade`. */
export function bookTrade(context: FillContext): void {
  const { turn, row, priced } = context
  const { exchange } = turn
  const price = price9(priced.price9)
  const maker = bookSide(context, { slot: context.makerSlot, liquidity: 'maker' })
  const taker = bookSide(context, { slot: context.takerSlot, liquidity: 'taker' })
  const tickDirection = tickDirectionOf(row, price)
  row.tradeSeq += 1
  const number = (exchange.tradeNumbers[row.settlement] as number) + 1
  exchange.tradeNumbers[row.settlement] = number
  turn.sink.emit({
    kind: 'trade',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    trade: makeTradeId(row.settlement, number),
    tradeSeq: row.tradeSeq,
    instrument: row.instrument.id,
    price,
    amount: lots(context.lots),
    side: taker.side,
    tickDirection,
    index: row.index.price,
    mark: row.mark,
    maker,
    taker,
  })
}

/** Which order of the fill is booked. */
interface FillSide {
  readonly slot: number
  readonly liquidity: 'maker' | 'taker'
}

/** What booking one side gave. */
interface Booked {
  readonly fee: number
  readonly feeCurrency: CurrencyId
  readonly realized: bigint
  readonly position: number
}

function bookSide(context: FillContext, side: FillSide): Fill {
  const { exchange } = context.turn
  const { slot } = side
  const order = orderAt(exchange, slot)
  const direction = order.side
  const owner = holdingOfOrder(exchange, slot)
  const booked =
    context.row.base >= 0
      ? bookSpot(context, side, { account: owner.account, direction })
      : bookContract(context, side, { owner, direction })
  if (booked.fee !== 0) payFee(exchange, owner.account, booked)
  return {
    account: accountId(owner.account),
    order: order.id,
    side: direction,
    rule: side.liquidity === 'maker' ? 'book_maker' : 'book_taker',
    aheadBefore: lots(0),
    aheadAfter: lots(0),
    fee: amount(booked.fee === 0 ? 0n : BigInt(booked.fee)),
    feeCurrency: currencyOf(booked.feeCurrency),
    realized: amount(booked.realized),
    position: lots(booked.position),
    remaining: lots(remainingOf(exchange.slots, slot)),
  }
}

/** Futures and perpetuals: the position changes, and with it margin; the taker's follows at its end. */
function bookContract(
  context: FillContext,
  { liquidity }: FillSide,
  order: { readonly owner: HoldingRow; readonly direction: Side },
): Booked {
  const { row, priced } = context
  const { exchange } = context.turn
  const { owner, direction } = order
  const realized = postFill(exchange.ledger, owner, {
    sign: direction === 'buy' ? 1 : -1,
    lots: context.lots,
    price: priced,
    mark: row.markTerms,
  })
  if (liquidity === 'maker') refreshMargin(exchange, owner)
  return {
    fee: feeNano(priced, { liquidity, lots: context.lots }),
    feeCurrency: row.settlement,
    realized,
    position: sizeOf(exchange.ledger, owner.holding),
  }
}

/**
 * Spot: base and quote change hands, and each account's two postings mirror the other's exactly.
 * The fee is taken from what the account receives.
 */
function bookSpot(
  context: FillContext,
  { liquidity }: FillSide,
  order: { readonly account: number; readonly direction: Side },
): Booked {
  const { row, priced } = context
  const { exchange } = context.turn
  const { account } = order
  const base = context.lots * row.instrument.amountStep9
  const buys = order.direction === 'buy'
  postCash(exchange.ledger, walletOf(account, row.base), buys ? base : -base)
  setBasis(exchange.scratch, 0, { priced, lots: context.lots })
  postWideCash(exchange.ledger, walletOf(account, row.settlement), {
    source: exchange.scratch,
    from: 0,
    sign: buys ? -1 : 1,
  })
  const fill = { liquidity, lots: context.lots }
  return {
    fee: buys ? baseFeeNano(row.terms, fill) : feeNano(priced, fill),
    feeCurrency: buys ? currencyId(row.base) : row.settlement,
    realized: 0n,
    position: 0,
  }
}

/** Fees go to the house; a negative one is a rebate from it. */
function payFee(exchange: Exchange, account: number, { fee, feeCurrency }: Booked): void {
  postCash(exchange.ledger, walletOf(account, feeCurrency), -fee)
  postCash(exchange.ledger, walletOf(feeAccount, feeCurrency), fee)
}

/** 0 up, 2 down; equal keeps the last move as 1 or 3; the first trade is 1 (T102, T103). */
function tickDirectionOf(row: InstrumentRow, price: Price9): 0 | 1 | 2 | 3 {
  const last = row.lastPrice
  row.lastPrice = price
  if (row.tradeSeq === 0 || price === last) return row.lastMove === 'down' ? 3 : 1
  row.lastMove = price > last ? 'up' : 'down'
  return price > last ? 0 : 2
}
