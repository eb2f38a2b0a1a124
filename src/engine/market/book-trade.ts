/**
 * Books one fill of a book: both sides, the last price, and the public trade.
 *
 * Source: C06 step 1.
 */
import { NO_SLOT, remainingOf } from '../../book/index.ts'
import { accountId, lots, micros, price9, sequence } from '../../core/index.ts'
import { cashNano, feeNano, type PricedTerms, sizeOf, WHOLE_FEE } from '../../ledger/index.ts'
import {
  currencyOf,
  type FeedRow,
  type FillRow,
  type FillRule,
  type Liquidity,
  NO_ORDER,
  opposite,
  type PlainFill,
  type PlainTrade,
  type TradeLiquidation,
} from '../../model/index.ts'
import {
  collectFired,
  type HoldingRow,
  type InstrumentRow,
  idAt,
  isRareAt,
  type LiveOrder,
  nextEvent,
  orderAt,
  sideAt,
  type Turn,
} from '../state/index.ts'
import { optionTradeOf, refreshMargin } from '../value/index.ts'
import {
  baseCashOf,
  bookFill,
  bookPosition,
  chargedAs,
  type FeeRole,
  feeCurrencyOf,
  feeOf,
  noFee,
  payFee,
  payHouse,
  paysWhole,
  type SideFill,
} from './fill-booking.ts'
import { nextAltMatch, nextTrade, noteLastPrice, noteLegPrice } from './last-price.ts'

/**
 * One fill as the hooks see it: the orders are still live, and their sizes are already reduced. A slot is NO_SLOT if
 * that side is the recorded market.
 */
export interface FillContext {
  readonly turn: Turn
  readonly row: InstrumentRow
  readonly takerSlot: number
  readonly makerSlot: number
  readonly lots: number
  readonly price: number
  /** The holdings of the two sides. */
  readonly makerOwner: HoldingRow
  readonly takerOwner: HoldingRow
  /** The arithmetic of the contract at this price. */
  readonly priced: PricedTerms
  readonly reason: FillReason
}

/** The reason why the two sides were filled. */
export interface FillReason {
  readonly makerRule: FillRule
  readonly takerRule: FillRule
  /** Size ahead of the resting order in its queue, in lots. */
  readonly aheadBefore: number
  readonly aheadAfter: number
  /** The recorded row; null if two orders matched. */
  readonly source: FeedRow | null
}

/** The reason of a match in the closed book. */
export const byBook: FillReason = {
  makerRule: 'book_maker',
  takerRule: 'book_taker',
  aheadBefore: 0,
  aheadAfter: 0,
  source: null,
}

/** Books a fill of both sides and appends the `trade`. */
export function bookTrade(context: FillContext): void {
  if (isPlain(context)) bookPlainTrade(context)
  else bookAnyTrade(context)
}

/** Books any fill, including options, spot, liquidations and recorded liquidity. */
function bookAnyTrade(context: FillContext): void {
  const { turn, row, priced } = context
  const { exchange } = turn
  const price = price9(priced.price9)
  const maker = bookSide(context, { slot: context.makerSlot, liquidity: 'maker' })
  const taker = bookSide(context, { slot: context.takerSlot, liquidity: 'taker' })
  // A print beyond an order's price has already fired triggers, at its own price.
  const isBehindPrint = context.reason.makerRule === 'print_through'
  const tickDirection = isBehindPrint ? noteLegPrice(exchange, row, price) : noteLastPrice(exchange, row, price)
  const { trade, tradeSeq } = nextTrade(exchange, row)
  turn.log.trade({
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
    liquidation: tradeLiquidationOf(context),
    option: optionTradeOf(exchange, row, price),
    combo: null,
    legs: noLegs,
    maker,
    taker,
    block: null,
    rfq: null,
  })
  if (!isBehindPrint) collectFired(exchange, row, 'last_price')
}

/** True if two orders without rare terms matched in the closed book of a future, and both pay whole fees. */
function isPlain(context: FillContext): boolean {
  const { exchange, log } = context.turn
  if (context.reason !== byBook || log.passesTrades) return false
  if (context.row.instrument.kind !== 'future' || context.row.instrument.engine !== 'main') return false
  if (isRareAt(exchange.orders, context.makerSlot) || isRareAt(exchange.orders, context.takerSlot)) return false
  return paysWhole(exchange, context.makerOwner) && paysWhole(exchange, context.takerOwner)
}

/**
 * Books a fill for which `isPlain` is true, as are almost all fills of a run. It does the same steps in the same order
 * as `bookAnyTrade`, without those for options, spot, liquidations and recorded liquidity, and creates no object for
 * the trade.
 */
function bookPlainTrade(context: FillContext): void {
  const { turn, row, priced, makerSlot, takerSlot } = context
  bookPlainSide(context, { slot: makerSlot, liquidity: 'maker' }, plain.maker)
  bookPlainSide(context, { slot: takerSlot, liquidity: 'taker' }, plain.taker)
  const price = price9(priced.price9)
  plain.tickDirection = noteLastPrice(turn.exchange, row, price)
  const { trade, tradeSeq } = nextTrade(turn.exchange, row)
  plain.trade = trade
  plain.tradeSeq = tradeSeq
  plain.time = turn.exchange.now
  plain.number = nextEvent(turn.exchange)
  plain.cause = turn.cause
  plain.instrument = row.instrument.id
  plain.price = price
  plain.amount = context.lots
  plain.index = row.index.price
  plain.mark = row.mark
  plain.currency = row.settlement
  turn.log.plainTrade(plain)
  collectFired(turn.exchange, row, 'last_price')
}

function bookPlainSide(context: FillContext, { slot, liquidity }: FillSide, fill: PlainFill): void {
  const { turn, row, lots: filled, priced } = context
  const direction = sideAt(turn.exchange.orders, slot)
  const owner = liquidity === 'maker' ? context.makerOwner : context.takerOwner
  const realized = bookPosition(turn, { row, owner, direction, lots: filled, priced })
  const fee = feeNano(priced, liquidity, filled)
  if (fee !== 0) payHouse(turn.exchange, owner, fee)
  // The taker's margin is updated at the end of its matching.
  if (liquidity === 'maker') refreshMargin(turn.exchange, owner)
  fill.account = owner.account
  fill.order = idAt(turn.exchange.orders, slot)
  fill.sells = direction === 'sell'
  fill.fee = fee
  fill.realized = realized
  fill.balance = cashNano(turn.exchange.ledger, owner.wallet)
  fill.position = sizeOf(turn.exchange.ledger, owner.holding)
  fill.remaining = remainingOf(turn.exchange.slots, slot)
}

function plainFill(): PlainFill {
  return {
    account: 0,
    order: 0,
    sells: false,
    fee: 0,
    realized: 0,
    balance: 0,
    position: 0,
    remaining: 0,
  }
}

/** The current trade. It is filled again for each trade, which creates no garbage. */
const plain: { -readonly [N in keyof PlainTrade]: PlainTrade[N] } = {
  time: micros(0),
  number: 0,
  cause: sequence(0),
  trade: 0,
  tradeSeq: 0,
  instrument: 0,
  price: 0,
  amount: 0,
  tickDirection: 0,
  index: 0,
  mark: 0,
  currency: 0,
  maker: plainFill(),
  taker: plainFill(),
}

const noLegs: readonly [] = []

/** The order of the fill that is booked. */
interface FillSide {
  readonly slot: number
  readonly liquidity: Liquidity
}

function bookSide(context: FillContext, side: FillSide): FillRow {
  const { turn, row, reason } = context
  const { exchange } = turn
  const own = side.slot === NO_SLOT ? null : orderAt(exchange, side.slot)
  // The recorded market trades on the side opposite to the run's order.
  const direction = own?.side ?? opposite(orderAt(exchange, otherSlot(context, side.slot)).side)
  const owner = side.liquidity === 'maker' ? context.makerOwner : context.takerOwner
  const fill: SideFill = { row, owner, direction, lots: context.lots, priced: context.priced }
  const booked = bookFill(turn, fill)
  const currency = feeCurrencyOf(row, direction)
  // The recorded market pays nothing.
  const paid = own === null ? noFee : feeOf(exchange, fill, feeRoleOf(context, own, side.liquidity), WHOLE_FEE)
  if (paid.fee !== 0) payFee(exchange, paid, owner.account, currency)
  // The taker's margin is updated at the end of its matching.
  if (side.liquidity === 'maker') refreshMargin(exchange, owner)
  const isMaker = side.liquidity === 'maker'
  return {
    account: accountId(owner.account),
    order: own?.id ?? NO_ORDER,
    side: direction,
    rule: isMaker ? reason.makerRule : reason.takerRule,
    aheadBefore: lots(isMaker ? reason.aheadBefore : 0),
    aheadAfter: lots(isMaker ? reason.aheadAfter : 0),
    source: reason.source,
    fee: paid.fee,
    feeCurrency: currencyOf(currency),
    fundFee: paid.fund,
    realized: booked.realized,
    premium: booked.premium,
    balance: cashNano(exchange.ledger, owner.wallet),
    baseBalance: baseCashOf(exchange, row, owner.account),
    position: lots(booked.position),
    remaining: lots(own === null ? 0 : remainingOf(exchange.slots, side.slot)),
  }
}

/** A liquidated account pays the rate of liquidations (market.md 4), others pay by their role. */
function feeRoleOf(context: FillContext, own: LiveOrder, liquidity: Liquidity): FeeRole {
  if (own.liquidation) return 'liquidation'
  return chargedAs(context.reason.makerRule, liquidity)
}

/**
 * The sides of a fill that a liquidation placed.
 * Assumed: the word only covers orders of a liquidation. They never rest (market.md 6.6), so a trade has `T` or none;
 * counterparties of the provider programme and of auto-deleveraging trade in no book (S043).
 */
export function tradeLiquidationOf({ turn, makerSlot, takerSlot }: FillContext): TradeLiquidation {
  const isLiquidated = (slot: number): boolean => slot !== NO_SLOT && orderAt(turn.exchange, slot).liquidation
  if (isLiquidated(makerSlot)) return isLiquidated(takerSlot) ? 'MT' : 'M'
  return isLiquidated(takerSlot) ? 'T' : 'none'
}

/** The slot of the other side, for a fill in which only one side has an order. */
export function otherSlot(context: FillContext, slot: number): number {
  return slot === context.takerSlot ? context.makerSlot : context.takerSlot
}
