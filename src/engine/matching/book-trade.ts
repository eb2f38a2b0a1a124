/**
 * Booking one fill: postings of both accounts, positions, fees, margin, and the public trade.
 *
 * Fees go to the house; every posting is computed from the fill itself, never as what is missing.
 * Source: market.md 4 (fees), 5.1 (positions), 8 (tick direction); C06 step 1.
 */
import { NO_SLOT, remainingOf } from '../../book/index.ts'
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
  feeShareNano,
  type PricedTerms,
  postCash,
  postFill,
  postWideCash,
  setBasis,
  sizeOf,
  WHOLE_FEE,
} from '../../ledger/index.ts'
import {
  currencyOf,
  type FeedRow,
  type Fill,
  type FillRule,
  feeAccount,
  makeTradeId,
  NO_ORDER,
  opposite,
  type Side,
} from '../../model/index.ts'
import { nextEvent, type Turn } from '../emit.ts'
import { touchFunding } from '../prices/funding.ts'
import { type Exchange, type HoldingRow, walletOf } from '../state/exchange.ts'
import { refreshMargin } from '../state/holdings.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'
import { accountRow, orderAt } from '../state/orders.ts'
import { collectFired } from '../state/watch.ts'

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
  /** What stood before the resting order in its queue, in lots. */
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
  const maker = bookSide(context, { slot: context.makerSlot, liquidity: 'maker' })
  const taker = bookSide(context, { slot: context.takerSlot, liquidity: 'taker' })
  // A print through an order's price came after the order had its share: the print is the last trade.
  const isBehindPrint = context.reason.makerRule === 'print_through'
  const tickDirection = isBehindPrint ? tickDirectionAt(row, price) : noteLastPrice(row, price)
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
    liquidation: 'none',
    option: null,
    combo: null,
    legs: [],
    maker,
    taker,
  })
  if (!isBehindPrint) collectFired(exchange, row, 'last_price')
}

/** Which order of the fill is booked. */
interface FillSide {
  readonly slot: number
  readonly liquidity: 'maker' | 'taker'
}

/** What booking one side gave. */
interface Booked {
  readonly feeCurrency: CurrencyId
  readonly realized: bigint
  readonly position: number
}

function bookSide(context: FillContext, side: FillSide): Fill {
  const { row, reason } = context
  const { exchange } = context.turn
  const { slot, liquidity } = side
  const own = slot === NO_SLOT ? null : orderAt(exchange, slot)
  // The recorded market trades on the side that the order of the run does not.
  const direction = own?.side ?? opposite(orderAt(exchange, otherSlot(context, slot)).side)
  const owner = liquidity === 'maker' ? context.makerOwner : context.takerOwner
  const booked =
    row.base >= 0
      ? bookSpot(context, { account: owner.account, direction })
      : bookContract(context, side, { owner, direction })
  // The recorded market pays nothing.
  const fee = own === null ? 0 : feeOf(context, side, { account: owner.account, direction })
  if (fee !== 0) payFee(exchange, { account: owner.account, fee, currency: booked.feeCurrency })
  const isMaker = liquidity === 'maker'
  return {
    account: accountId(owner.account),
    order: own?.id ?? NO_ORDER,
    side: direction,
    rule: isMaker ? reason.makerRule : reason.takerRule,
    aheadBefore: lots(isMaker ? reason.aheadBefore : 0),
    aheadAfter: lots(isMaker ? reason.aheadAfter : 0),
    source: reason.source,
    fee: amount(fee === 0 ? 0n : BigInt(fee)),
    feeCurrency: currencyOf(booked.feeCurrency),
    realized: amount(booked.realized),
    premium: amount(0n),
    position: lots(booked.position),
    remaining: lots(own === null ? 0 : remainingOf(exchange.slots, slot)),
  }
}

/** The slot of the side that has an order where the other has none. */
function otherSlot(context: FillContext, slot: number): number {
  return slot === context.takerSlot ? context.makerSlot : context.takerSlot
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
  if (row.funding !== null) touchFunding(context.turn, owner)
  const realized = postFill(exchange.ledger, owner, {
    sign: direction === 'buy' ? 1 : -1,
    lots: context.lots,
    price: priced,
    mark: row.markTerms,
  })
  if (liquidity === 'maker') refreshMargin(exchange, owner)
  return {
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
  return {
    feeCurrency: buys ? currencyId(row.base) : row.settlement,
    realized: 0n,
    position: 0,
  }
}

/**
 * The fee of one side, in the currency that it receives. Hidden volume is charged as a taker's, whoever
 * came first (C25).
 */
function feeOf(
  { turn, row, priced, lots, reason }: FillContext,
  { liquidity }: FillSide,
  of: { readonly account: number; readonly direction: Side },
): number {
  const fill = { liquidity: reason.makerRule === 'hidden' ? 'taker' : liquidity, lots } as const
  const inBase = row.base >= 0 && of.direction === 'buy'
  const { feePpm: ppm } = accountRow(turn.exchange, of.account).account
  if (ppm !== WHOLE_FEE) return feeShareNano(priced, { ...fill, ppm, inBase })
  return inBase ? baseFeeNano(row.terms, fill) : feeNano(priced, fill)
}

/** Fees go to the house; a negative one is a rebate from it. */
function payFee(
  { ledger }: Exchange,
  paid: { readonly account: number; readonly fee: number; readonly currency: CurrencyId },
): void {
  const { account, fee, currency } = paid
  postCash(ledger, walletOf(account, currency), -fee)
  postCash(ledger, walletOf(feeAccount, currency), fee)
}

/** Notes a trade as the last and returns its direction. */
export function noteLastPrice(row: InstrumentRow, price: Price9): 0 | 1 | 2 | 3 {
  const direction = tickDirectionAt(row, price)
  if (direction === 0) row.lastMove = 'up'
  else if (direction === 2) row.lastMove = 'down'
  row.lastPrice = price
  row.hasLastPrice = true
  return direction
}

/** 0 up, 2 down; equal keeps the last move as 1 or 3; the first trade is 1 (T102, T103). */
function tickDirectionAt(row: InstrumentRow, price: Price9): 0 | 1 | 2 | 3 {
  const last = row.lastPrice
  if (!row.hasLastPrice || price === last) return row.lastMove === 'down' ? 3 : 1
  return price > last ? 0 : 2
}
