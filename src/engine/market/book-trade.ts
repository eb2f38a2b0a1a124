/**
 * Booking one fill of a book: both sides, the last price, and the public trade.
 *
 * Source: market.md 8 (tick direction); C06 step 1.
 */
import { NO_SLOT, remainingOf } from '../../book/index.ts'
import { accountId, lots, type Nano, type Price9, price9, type TradeId } from '../../core/index.ts'
import { cashNano, type PricedTerms, WHOLE_FEE } from '../../ledger/index.ts'
import {
  currencyOf,
  type FeedRow,
  type FillRow,
  type FillRule,
  type Liquidity,
  logsOf,
  makeTradeId,
  NO_ORDER,
  opposite,
  type TickDirection,
  type Trade,
  type TradeLiquidation,
  type TradeRow,
} from '../../model/index.ts'
import {
  collectFired,
  type Exchange,
  type HoldingRow,
  type InstrumentRow,
  type LiveOrder,
  nextEvent,
  orderAt,
  type Turn,
} from '../state/index.ts'
import { optionTradeOf, refreshMargin } from '../value/index.ts'
import {
  baseCashOf,
  bookFill,
  chargedAs,
  type FeeRole,
  feeCurrencyOf,
  feeOf,
  noFee,
  payFee,
  type SideFill,
} from './fill-booking.ts'

/**
 * One fill, as the hooks see it: the orders are still live, sizes are already taken off. A slot is
 * NO_SLOT where the other side is the recorded market.
 */
export interface FillContext {
  readonly turn: Turn
  readonly row: InstrumentRow
  readonly takerSlot: number
  readonly makerSlot: number
  readonly lots: number
  readonly price: number
  /** Whose the two sides are. */
  readonly makerOwner: HoldingRow
  readonly takerOwner: HoldingRow
  /** The arithmetic of the contract at this price. */
  readonly priced: PricedTerms
  readonly reason: FillReason
}

/** Why the two sides were filled. */
export interface FillReason {
  readonly makerRule: FillRule
  readonly takerRule: FillRule
  /** Size ahead of the resting order in its queue, in lots. */
  readonly aheadBefore: number
  readonly aheadAfter: number
  /** The recorded row, or null where two orders met. */
  readonly source: FeedRow | null
}

/** Books a fill of both sides and emits the `trade`. */
export function bookTrade(context: FillContext): void {
  const { turn, row, priced } = context
  const { exchange } = turn
  const price = price9(priced.price9)
  const log = logsOf(turn.sink).trade
  // Events have their money as bigints, which a record does without.
  const tell = log === null ? toBigint : asItIs
  const maker = bookSide(context, { slot: context.makerSlot, liquidity: 'maker', tell })
  const taker = bookSide(context, { slot: context.takerSlot, liquidity: 'taker', tell })
  // A print through an order's price has fired orders by its own price already.
  const isBehindPrint = context.reason.makerRule === 'print_through'
  const tickDirection = isBehindPrint
    ? noteLegPrice(exchange, row, price)
    : noteLastPrice(exchange, row, price)
  const { trade, tradeSeq } = nextTrade(exchange, row)
  const event: TradeRow = {
    kind: 'trade',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    trade,
    tradeSeq,
    instrument: row.instrument.id,
    price,
    amount: lots(context.lots),
    side: taker.side,
    tickDirection,
    altMatch: nextAltMatch(exchange, row),
    index: row.index.price,
    mark: row.mark,
    liquidation: liquidationOf(context),
    option: optionTradeOf(exchange, row, price),
    combo: null,
    legs: noLegs,
    maker,
    taker,
    block: null,
    rfq: null,
  }
  if (log !== null) log.trade(event)
  else turn.sink.emit(event as Trade)
  if (!isBehindPrint) collectFired(exchange, row, 'last_price')
}

const noLegs: readonly [] = []
const toBigint = (nano: Nano): bigint => BigInt(nano)
const asItIs = (nano: Nano): Nano => nano

/** Which order of the fill is booked. */
interface FillSide {
  readonly slot: number
  readonly liquidity: Liquidity
  /** The form in which money is told. */
  readonly tell: (nano: Nano) => Nano
}

function bookSide(context: FillContext, side: FillSide): FillRow {
  const { turn, row, reason } = context
  const { exchange } = turn
  const { slot, liquidity, tell } = side
  const own = slot === NO_SLOT ? null : orderAt(exchange, slot)
  // The recorded market trades on the side that the order of the run does not.
  const direction = own?.side ?? opposite(orderAt(exchange, otherSlot(context, slot)).side)
  const owner = liquidity === 'maker' ? context.makerOwner : context.takerOwner
  const { lots: filled, priced } = context
  const fill: SideFill = { row, owner, direction, lots: filled, priced }
  const booked = bookFill(turn, fill)
  const currency = feeCurrencyOf(row, direction)
  // The recorded market pays nothing.
  const paid =
    own === null
      ? noFee
      : feeOf(exchange, fill, { role: feeRoleOf(context, own, liquidity), sharePpm: WHOLE_FEE })
  if (paid.fee !== 0) payFee(exchange, paid, { account: owner.account, currency })
  // The margin of the taker follows at its end.
  if (liquidity === 'maker') refreshMargin(exchange, owner)
  const isMaker = liquidity === 'maker'
  return {
    account: accountId(owner.account),
    order: own?.id ?? NO_ORDER,
    side: direction,
    rule: isMaker ? reason.makerRule : reason.takerRule,
    aheadBefore: lots(isMaker ? reason.aheadBefore : 0),
    aheadAfter: lots(isMaker ? reason.aheadAfter : 0),
    source: reason.source,
    fee: tell(paid.fee),
    feeCurrency: currencyOf(currency),
    fundFee: tell(paid.fund),
    realized: tell(booked.realized),
    premium: tell(booked.premium),
    balance: tell(cashNano(exchange.ledger, owner.wallet)),
    baseBalance: baseCashOf(exchange, row, owner.account),
    position: lots(booked.position),
    remaining: lots(own === null ? 0 : remainingOf(exchange.slots, slot)),
  }
}

/**
 * A liquidated account pays the rate of liquidations (market.md 4), others by what they did.
 */
function feeRoleOf({ reason }: FillContext, own: LiveOrder, liquidity: Liquidity): FeeRole {
  if (own.liquidation) return 'liquidation'
  return chargedAs(reason.makerRule, liquidity)
}

/**
 * Which sides of a fill a liquidation placed.
 * Assumed: the word is about orders of a liquidation alone. They never rest (market.md 6.6), so that a trade has
 * `T` or none; counterparties of the provider programme and of auto-deleveraging trade in no book (S043).
 */
export function liquidationOf({ turn, makerSlot, takerSlot }: FillContext): TradeLiquidation {
  const isLiquidated = (slot: number): boolean =>
    slot !== NO_SLOT && orderAt(turn.exchange, slot).liquidation
  if (isLiquidated(makerSlot)) return isLiquidated(takerSlot) ? 'MT' : 'M'
  return isLiquidated(takerSlot) ? 'T' : 'none'
}

/** The slot of the side that has an order where the other has none. */
export function otherSlot(context: FillContext, slot: number): number {
  return slot === context.takerSlot ? context.makerSlot : context.takerSlot
}

/** The numbers of an instrument's next trade, of this venue or recorded: within its currency and its own. */
export function nextTrade(
  exchange: Exchange,
  row: InstrumentRow,
): { readonly trade: TradeId; readonly tradeSeq: number } {
  row.tradeSeq += 1
  const number = (exchange.tradeNumbers[row.settlement] as number) + 1
  exchange.tradeNumbers[row.settlement] = number
  return { trade: makeTradeId(row.settlement, number), tradeSeq: row.tradeSeq }
}

/** The number of a match of the alternative engine; 0 on the main one (S047, S048). */
export function nextAltMatch(exchange: Exchange, { instrument }: InstrumentRow): number {
  if (instrument.engine === 'main') return 0
  exchange.altMatches += 1
  return exchange.altMatches
}

/** Notes a trade of the instrument's own book as the last and returns its direction. */
export function noteLastPrice(
  exchange: Exchange,
  row: InstrumentRow,
  price: Price9,
): TickDirection {
  row.bookPrice = price
  return noteLegPrice(exchange, row, price)
}

/** Notes as the last a trade that moves no trigger, such as that of a leg (R65), and returns its direction. */
export function noteLegPrice(
  { blocks }: Exchange,
  row: InstrumentRow,
  price: Price9,
): TickDirection {
  const { tapePrices } = blocks
  const direction = noteMove(row, price, tapePrices.get(row.instrument.id))
  if (tapePrices.size > 0) tapePrices.delete(row.instrument.id)
  row.lastPrice = price
  row.hasLastPrice = true
  return direction
}

/** Notes a trade of a block, which is public and not the last price (R65), and returns its direction. */
export function noteBlockPrice(
  { blocks }: Exchange,
  row: InstrumentRow,
  price: Price9,
): TickDirection {
  const { tapePrices } = blocks
  const direction = noteMove(row, price, tapePrices.get(row.instrument.id))
  tapePrices.set(row.instrument.id, price)
  return direction
}

/** The direction against the trade before, which is of a block where `tape` is given. */
function noteMove(row: InstrumentRow, price: Price9, tape: Price9 | undefined): TickDirection {
  const direction = tickDirectionAt(row, price, tape)
  if (direction === 0) row.lastMove = 'up'
  else if (direction === 2) row.lastMove = 'down'
  return direction
}

/** 0 up, 2 down; equal keeps the last move as 1 or 3; the first trade is 1 (T102, T103). */
function tickDirectionAt(
  row: InstrumentRow,
  price: Price9,
  tape: Price9 | undefined,
): TickDirection {
  const last = tape ?? (row.hasLastPrice ? row.lastPrice : price)
  if (price === last) return row.lastMove === 'down' ? 3 : 1
  return price > last ? 0 : 2
}
