/**
 * Books a fill of a combo: first the trade of the combo, which moves no money, then a trade of each leg in the order of
 * the legs, at prices that add up to the price of the combo. Positions, premiums and fees belong to the legs, and the
 * leg trades name the orders of the combo.
 *
 * Leg trades take the next numbers of the same counter, directly after the combo's, and each takes the next `tradeSeq`
 * of its instrument. They move the last price of the leg, but fire none of its triggers (C31e, R65). They do not match
 * orders of the leg's book; reduce-only orders there follow the position, as after any fill.
 *
 * Rule: combo.trade. Source: trading.md 6.15 (C33); market.md 4 (fees), 8 (T106); R08, R49, R65.
 */
import { NO_SLOT, remainingOf } from '../../book/index.ts'
import { accountId, amount, defined, type Lots, lots, type Price9, price9 } from '../../core/index.ts'
import { cashOf, pricedTerms } from '../../ledger/index.ts'
import {
  currencyOf,
  type Fill,
  type Liquidity,
  makeTradeId,
  NO_ORDER,
  opposite,
  type Side,
  type Trade,
  type TradeLeg,
} from '../../model/index.ts'
import {
  collectFired,
  holdingFor,
  type InstrumentRow,
  nextEvent,
  orderAt,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { legPrices, legSizes, lowestLegPrices, optionTradeOf, refreshMargin } from '../value/index.ts'
import { type FillContext, otherSlot, tradeLiquidationOf } from './book-trade.ts'
import { bookFill, chargedAs, feeOf, noFee, payFee } from './fill-booking.ts'
import { nextAltMatch, noteLastPrice, noteLegPrice } from './last-price.ts'
import { legFeeShares, type TradedLeg } from './order-fee.ts'

/** One account's side of a fill of a combo. */
interface ComboSide {
  readonly account: number
  readonly liquidity: Liquidity
  /** The role whose rates it pays: hidden volume pays the taker's rate (C25). */
  readonly pays: Liquidity
  readonly direction: Side
  /** Null for the recorded market, which pays no fees. */
  readonly order: Fill['order'] | null
  readonly remaining: Lots
  /** Share of each leg's fee that it pays, in parts per million. */
  readonly feeShares: readonly number[]
}

/** Books a fill of a combo and its legs, and emits a `trade` for each. */
export function bookComboTrade(context: FillContext): void {
  const { turn, row, priced, reason } = context
  const { exchange } = turn
  const price = price9(priced.price9)
  const prices = legPrices(row.legs, price) ?? lowestLegPrices(row.legs)
  const taker = comboSide(context, 'taker', prices)
  const maker = comboSide(context, 'maker', prices)
  // A print beyond an order's price has already fired triggers, at its own price.
  const isBehindPrint = reason.makerRule === 'print_through'
  const tickDirection = isBehindPrint ? noteLegPrice(exchange, row, price) : noteLastPrice(exchange, row, price)
  row.tradeSeq += 1
  row.usedAt = exchange.now
  const trade = nextTradeId(turn, row)
  const legs = drawLegs(context, taker.direction, prices)
  turn.log.append({
    kind: 'trade',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    trade,
    tradeSeq: row.tradeSeq,
    instrument: row.instrument.id,
    price,
    amount: lots(context.lots),
    side: taker.direction,
    tickDirection,
    altMatch: nextAltMatch(exchange, row),
    index: row.index.price,
    mark: row.mark,
    liquidation: tradeLiquidationOf(context),
    option: null,
    combo: null,
    legs,
    maker: { ...fillOf(context, maker, row), ...nothingMoved },
    taker: { ...fillOf(context, taker, row), ...nothingMoved },
    block: null,
    rfq: null,
  })
  const combo = { instrument: row.instrument.id, trade }
  for (const at of row.legs.keys()) bookLeg(context, { at, legs, combo, maker, taker })
  // Updates the margin of the maker and of its legs. The taker's margin is updated at the end of its matching.
  refreshMargin(exchange, context.makerOwner)
  if (!isBehindPrint) collectFired(exchange, row, 'last_price')
}

const nothingMoved: Pick<Fill, 'fee' | 'fundFee' | 'realized' | 'premium' | 'baseBalance' | 'position'> = {
  fee: amount(0n),
  fundFee: amount(0n),
  realized: amount(0n),
  premium: amount(0n),
  baseBalance: amount(0n),
  position: lots(0),
}

/** A leg of the current fill. */
interface LegFill {
  readonly at: number
  readonly legs: readonly TradeLeg[]
  readonly combo: NonNullable<Trade['combo']>
  readonly maker: ComboSide
  readonly taker: ComboSide
}

/** Books both sides of a leg and emits its trade. */
function bookLeg(context: FillContext, leg: LegFill): void {
  const { turn } = context
  const { row } = defined(context.row.legs[leg.at], 'there is a trade for each leg of the combo')
  const legTrade = defined(leg.legs[leg.at], 'there is a trade for each leg of the combo')
  const maker = bookLegSide(context, leg, leg.maker)
  const taker = bookLegSide(context, leg, leg.taker)
  const tickDirection = noteLegPrice(turn.exchange, row, legTrade.price)
  row.tradeSeq += 1
  turn.log.append({
    kind: 'trade',
    time: turn.exchange.now,
    number: nextEvent(turn.exchange),
    cause: turn.cause,
    trade: legTrade.trade,
    tradeSeq: legTrade.tradeSeq,
    instrument: legTrade.instrument,
    price: legTrade.price,
    amount: legTrade.amount,
    side: legTrade.side,
    tickDirection,
    altMatch: nextAltMatch(turn.exchange, context.row),
    index: row.index.price,
    mark: row.mark,
    liquidation: tradeLiquidationOf(context),
    option: optionTradeOf(turn.exchange, row, legTrade.price),
    combo: leg.combo,
    legs: [],
    maker,
    taker,
    block: null,
    rfq: null,
  })
}

function bookLegSide(context: FillContext, { at, legs }: LegFill, side: ComboSide): Fill {
  const { row } = defined(context.row.legs[at], 'there is a trade for each leg of the combo')
  const legTrade = defined(legs[at], 'there is a trade for each leg of the combo')
  const owner = holdingFor(context.turn.exchange, side.account, row)
  const direction = side.liquidity === 'taker' ? legTrade.side : opposite(legTrade.side)
  const priced = pricedTerms(row.terms, legTrade.price)
  const fill = { row, owner, direction, lots: legTrade.amount, priced }
  const booked = bookFill(context.turn, fill)
  const paid = side.order === null ? noFee : feeOf(context.turn.exchange, fill, side.pays, side.feeShares[at] ?? 0)
  if (paid.fee !== 0) {
    payFee(context.turn.exchange, paid, side.account, row.settlement)
  }
  return {
    ...fillOf(context, side, row),
    side: direction,
    fee: amount(BigInt(paid.fee)),
    fundFee: amount(BigInt(paid.fund)),
    realized: amount(BigInt(booked.realized)),
    premium: amount(BigInt(booked.premium)),
    balance: amount(cashOf(context.turn.exchange.ledger, owner.wallet)),
    position: lots(booked.position),
  }
}

/** A side of the fill for the combo's own trade, before anything is booked. */
function fillOf({ turn, reason }: FillContext, side: ComboSide, { settlement }: InstrumentRow): Fill {
  const isMaker = side.liquidity === 'maker'
  return {
    account: accountId(side.account),
    order: side.order ?? NO_ORDER,
    side: side.direction,
    rule: isMaker ? reason.makerRule : reason.takerRule,
    aheadBefore: lots(isMaker ? reason.aheadBefore : 0),
    aheadAfter: lots(isMaker ? reason.aheadAfter : 0),
    source: reason.source,
    feeCurrency: currencyOf(settlement),
    balance: amount(cashOf(turn.exchange.ledger, walletRowOf(side.account, settlement))),
    remaining: side.remaining,
    ...nothingMoved,
  }
}

function comboSide(context: FillContext, liquidity: Liquidity, prices: readonly Price9[]): ComboSide {
  const { exchange } = context.turn
  const slot = liquidity === 'maker' ? context.makerSlot : context.takerSlot
  const owner = liquidity === 'maker' ? context.makerOwner : context.takerOwner
  const own = slot === NO_SLOT ? null : orderAt(exchange, slot)
  const pays = chargedAs(context.reason.makerRule, liquidity)
  // The recorded market trades on the side opposite to the run's order.
  const direction = own?.side ?? opposite(orderAt(exchange, otherSlot(context, slot)).side)
  const traded = legSizes(context.row, direction, context.lots).map(
    (leg, at): TradedLeg => ({
      row: leg.row,
      direction: leg.side,
      lots: leg.lots,
      priced: pricedTerms(leg.row.terms, prices[at] ?? 0),
    }),
  )
  return {
    account: owner.account,
    liquidity,
    pays,
    direction,
    order: own?.id ?? null,
    remaining: lots(own === null ? 0 : remainingOf(exchange.slots, slot)),
    feeShares: own === null ? [] : legFeeShares(context.row.instrument.kind, traded, pays),
  }
}

/** Takes the numbers of the leg trades, in the order of the legs. */
function drawLegs({ turn, row, lots: size }: FillContext, side: Side, prices: readonly Price9[]): readonly TradeLeg[] {
  return legSizes(row, side, size).map((leg, at) => ({
    trade: nextTradeId(turn, leg.row),
    tradeSeq: leg.row.tradeSeq + 1,
    instrument: leg.row.instrument.id,
    price: defined(prices[at], 'each leg has a price'),
    amount: lots(leg.lots),
    side: leg.side,
  }))
}

function nextTradeId({ exchange }: Turn, { settlement }: InstrumentRow): Trade['trade'] {
  const number = (exchange.tradeNumbers[settlement] as number) + 1
  exchange.tradeNumbers[settlement] = number
  return makeTradeId(settlement, number)
}
