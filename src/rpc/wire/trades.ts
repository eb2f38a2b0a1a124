/**
 * Trades as JSON: on the public tape, and as one account sees its side of them.
 *
 * Source: interface document, Public trade and User trade; trading.md 5.2; coverage R06 (own side), R49, R50, R53.
 * Orders that were in a book are makers, but the hidden part of an iceberg pays as a taker (C25).
 */
import { amount, type InstrumentId, instrumentId, lots, type Mutable } from '../../core/index.ts'
import { blockAppOf, type Exchange, instrumentAt, type RfqShareView, rfqSharesOf } from '../../engine/index.ts'
import {
  type AdvancedType,
  type Currency,
  type Fill,
  type FillRule,
  type Instrument,
  type Liquidity,
  type OrderState,
  opposite,
  type Side,
  type TapeTrade,
  type TickDirection,
  type Trade,
  type TradeLeg,
  type TradeLiquidation,
} from '../../model/index.ts'
import { type History, type OrderTraits, rowsOf, type TradeAllocation } from '../history/index.ts'
import { blockIdOut, orderIdOut, tradeIdOut } from './ids.ts'
import { amountOut, contractsOut, moneyOut, nanosOut, percentOut, priceOut, timeOut } from './numbers.ts'
import { originalType } from './orders.ts'

/** A trade on the public tape as JSON. */
export interface WireTrade {
  readonly trade_id: string
  readonly trade_seq: number
  readonly instrument_name: string
  readonly timestamp: number
  /** Side of the taker. */
  readonly direction: Side
  readonly tick_direction: TickDirection
  readonly index_price: number
  readonly mark_price: number
  readonly price: number
  readonly amount: number
  readonly contracts: number
  /** Implied volatility of an option's price in percent. */
  readonly iv?: number
  /** Liquidated side, if there is one. */
  readonly liquidation?: Exclude<TradeLiquidation, 'none'>
  /** Time of a match on the alternative engine in nanoseconds since the epoch, and its number there (S047, S048). */
  readonly alt_timestamp?: number
  readonly alt_match_id?: number
  /** For a leg: the combo and its trade. */
  // Source: R49.
  readonly combo_id?: string
  readonly combo_trade_id?: string
  /** For a leg of a block trade: the block trade and its number of legs (S044). */
  readonly block_trade_id?: string
  readonly block_trade_leg_count?: number
  /** The Block RFQ of the block trade (S045). */
  readonly block_rfq_id?: number
  /** Legs of a combo. */
  readonly legs?: readonly WireLeg[]
}

/**
 * A leg of a combo trade. A leg is a separate trade: the object has all fields of a trade while the history keeps it.
 */
export interface WireLeg extends Partial<Omit<WireTrade, 'legs'>> {
  readonly trade_id: string
  readonly trade_seq: number
  readonly instrument_name: string
  readonly direction: Side
  readonly price: number
  readonly amount: number
  readonly contracts: number
}

/** A leg of a combo trade, as its account sees it: all fields of a trade while the history keeps it. */
export interface WireUserLeg extends WireLeg, Partial<Omit<WireUserTrade, 'legs' | keyof WireLeg>> {}

/** Lookups for the objects that trades refer to. */
export interface TradePlaces {
  readonly instrumentOf: (id: InstrumentId) => Instrument
  /** The trade of a leg; undefined if the history has dropped it or keeps none. */
  readonly tradeOf: (leg: TradeLeg) => Trade | undefined
  /** The application of the key that a side of a block trade used; null without one. */
  readonly appOf: (block: number, role: Liquidity) => string | null
  /** The parts that the taker of a Block RFQ requested; empty once the venue has forgotten the RFQ. */
  readonly sharesOf: (rfq: number) => readonly Pick<RfqShareView, 'account' | 'client'>[]
}

/** The lookups for trades of an exchange; a null history finds no trades of legs. */
export function placesOf(exchange: Exchange, history: Pick<History, 'trades'> | null): TradePlaces {
  return {
    instrumentOf: (id) => instrumentAt(exchange, id),
    appOf: (block, role) => blockAppOf(exchange, block, role),
    sharesOf: (rfq) => rfqSharesOf(exchange, rfq),
    tradeOf: ({ instrument, trade, tradeSeq }) => {
      const tape = history === null ? [] : rowsOf(history.trades, instrument)
      // Sequence numbers of an instrument have no gaps.
      const found = tape[tradeSeq - (tape[0]?.tradeSeq ?? 0)]
      return found?.trade === trade && isMatch(found) ? found : undefined
    },
  }
}

/** True if the order of a fill was the taker. Orders in a book and makers of block trades were not. */
export function isTaking(rule: FillRule): boolean {
  return rule === 'book_taker' || rule === 'level_taken' || rule === 'block_taker'
}

function isMatch(trade: TapeTrade): trade is Trade {
  return 'maker' in trade
}

/** A part of a Block RFQ, and the account that takes it. */
export interface WireRfqShare {
  readonly user_id?: number
  readonly client_info?: {
    readonly client_id: number
    readonly client_link_id: number
    readonly name: string
  }
  readonly amount: number
}

/** A part of a trade on a Block RFQ, with its part of the fee. */
export interface WireTradeShare extends WireRfqShare {
  readonly fee: number
}

/** One account's side of a trade as JSON. */
export interface WireUserTrade extends WireTrade {
  /** Side of the account. */
  // Source: R06.
  readonly direction: Side
  /** Number of the account. */
  readonly user_id: number
  readonly order_id: string
  readonly order_type: 'limit' | 'market' | 'liquidation'
  readonly original_order_type?: 'market' | 'market_limit'
  readonly matching_id: null
  /** State of the order; `archive` in old records. */
  readonly state: Exclude<OrderState, 'triggered'> | 'archive'
  readonly fee: number
  readonly fee_currency: Currency
  /** `M` if the order was visible in the book. */
  readonly liquidity: 'M' | 'T'
  readonly reduce_only: boolean
  readonly post_only: boolean
  readonly api: boolean
  readonly mmp: boolean
  readonly risk_reducing: boolean
  readonly self_trade: boolean
  readonly profit_loss: number | null
  readonly label?: string
  /** Forward price of an option's expiry, from which `iv` was computed. */
  // Source: R50.
  readonly underlying_price?: number
  readonly advanced?: AdvancedType
  /** Id of a quote. */
  readonly quote_id?: string
  readonly quote_set_id?: string
  /** The filled quote on a Block RFQ. */
  readonly block_rfq_quote_id?: number
  /** Legs of a combo. */
  readonly legs?: readonly WireUserLeg[]
  /** Allocations of a Block RFQ that the account requested, by account, with their parts of the fee. */
  readonly trade_allocations?: readonly WireTradeShare[]
}

/** A fill as its account sees it; `order` has the facts that the trade does not carry. */
export function userTradeOut(
  trade: Trade,
  fill: Fill,
  order: OrderTraits,
  places: TradePlaces,
  allocations?: readonly TradeAllocation[] | undefined,
): WireUserTrade {
  const instrument = places.instrumentOf(trade.instrument)
  const stood = !isTaking(fill.rule)
  const rested = stood || order.replaced
  const quote = order.extras?.quote ?? null
  const out: Mutable<WireUserTrade> = {
    trade_id: tradeIdOut(instrument, trade.trade),
    trade_seq: trade.tradeSeq,
    instrument_name: instrument.name,
    timestamp: timeOut(trade.time),
    direction: fill.side,
    tick_direction: trade.tickDirection,
    index_price: priceOut(trade.index),
    mark_price: priceOut(trade.mark),
    price: priceOut(trade.price),
    amount: amountOut(instrument, trade.amount),
    contracts: contractsOut(instrument, trade.amount),
    user_id: fill.account,
    order_id: orderIdOut(instrument, fill.order),
    order_type: shownType(order, rested),
    matching_id: null,
    state: fill.remaining === 0 ? 'filled' : 'open',
    fee: moneyOut(fill.fee),
    fee_currency: fill.feeCurrency,
    liquidity: stood && fill.rule !== 'hidden' ? 'M' : 'T',
    reduce_only: order.reduceOnly,
    post_only: order.postOnly !== 'off',
    api: !order.liquidation && quote === null,
    mmp: order.extras?.mmp != null,
    risk_reducing: false,
    self_trade: trade.maker.account === trade.taker.account,
    profit_loss: instrument.kind === 'spot' ? null : moneyOut(fill.realized),
  }
  const original = originalType(order, rested)
  if (original !== undefined) out.original_order_type = original
  if (order.label !== '') out.label = order.label
  if (quote !== null) {
    out.quote_id = quote.quoteId
    out.quote_set_id = quote.quoteSetId
  }
  if (order.advanced !== null) out.advanced = order.advanced.type
  writeMarketFacts(out, trade)
  const isMaker = fill.account === trade.maker.account && fill.order === trade.maker.order
  const legOut = (leg: Trade): WireTrade =>
    userTradeOut(leg, isMaker ? leg.maker : leg.taker, order, places, allocations)
  writeBlock(out, trade, places)
  writeCombo(out, trade, places, fill.side !== trade.side, legOut)
  if (trade.rfq !== null) out.block_rfq_quote_id = trade.rfq.quote
  if (allocations !== undefined) {
    out.trade_allocations = allocationsOut(trade, fill, allocations, places)
  }
  if (trade.option !== null) out.underlying_price = priceOut(trade.option.forward)
  return out
}

/**
 * Parts of a trade, in the order of the request. The account's own part is the rest that other accounts did not take.
 */
function allocationsOut(
  trade: Trade,
  fill: Fill,
  allocations: readonly TradeAllocation[],
  places: TradePlaces,
): NonNullable<WireUserTrade['trade_allocations']> {
  const instrument = places.instrumentOf(trade.instrument)
  const left = allocations.reduce((rest, { amount }) => rest - amount, trade.amount as number)
  const fee = allocations.reduce((rest, part) => rest - part.fee, fill.fee as bigint)
  const own = { account: fill.account, amount: lots(left), fee: amount(fee) }
  const parts = [...allocations, own]
  // A venue eventually forgets RFQs. Then the parts show only accounts.
  const asked = trade.rfq === null ? [] : places.sharesOf(trade.rfq.rfq)
  const shares = asked.length > 0 ? asked : parts.map(({ account }) => ({ account, client: null }))
  return shares.flatMap((share) => {
    const part = parts.find(({ account }) => account === share.account)
    if (part === undefined || part.amount === 0) return []
    return [{ ...takerOut(share, amountOut(instrument, part.amount)), fee: moneyOut(part.fee) }]
  })
}

/** A part of a Block RFQ: a client of a broker is shown as a client, not by its account. */
export function takerOut({ account, client }: Pick<RfqShareView, 'account' | 'client'>, amount: number): WireRfqShare {
  if (client === null) return { user_id: account, amount }
  return { client_info: { client_id: client.id, client_link_id: account, name: client.name }, amount }
}

/** An order of a liquidation is shown as a limit order only in lists of orders. */
// Source: R53.
function shownType(order: OrderTraits, rested: boolean): WireUserTrade['order_type'] {
  if (order.liquidation) return 'liquidation'
  return order.type === 'market' && !rested ? 'market' : 'limit'
}

/** Writes the fields of trades of options, of liquidations and of the alternative engine. */
function writeMarketFacts(out: Mutable<WireTrade>, trade: TapeTrade): void {
  if (trade.option !== null) out.iv = percentOut(trade.option.volatility9)
  if (trade.liquidation !== 'none') out.liquidation = trade.liquidation
  if (trade.altMatch !== 0) {
    out.alt_timestamp = nanosOut(trade.time)
    out.alt_match_id = trade.altMatch
  }
}

/**
 * Writes the fields of trades of combos and of their legs; `flips` reverses the sides of legs, for the account on the
 * other side of the taker.
 */
function writeCombo(
  out: Mutable<WireTrade>,
  { combo, legs }: TapeTrade,
  places: TradePlaces,
  flips: boolean,
  legOut: (leg: Trade) => WireTrade,
): void {
  if (combo !== null) {
    const instrument = places.instrumentOf(combo.instrument)
    out.combo_id = instrument.name
    out.combo_trade_id = tradeIdOut(instrument, combo.trade)
  }
  if (legs.length === 0) return
  out.legs = legs.map((leg) => {
    const trade = places.tradeOf(leg)
    return trade === undefined ? briefLegOut(leg, places, flips) : legOut(trade)
  })
}

/** Writes the fields of block trades; a recorded trade is never one. */
function writeBlock(out: Mutable<WireTrade>, trade: TapeTrade, places: TradePlaces): void {
  if (!isMatch(trade) || trade.block === null) return
  const { number, legs, combo } = trade.block
  out.block_trade_id = blockIdOut(number)
  out.block_trade_leg_count = legs
  if (combo >= 0) out.combo_id = places.instrumentOf(instrumentId(combo)).name
  if (trade.rfq !== null) out.block_rfq_id = trade.rfq.rfq
}

/** Fields of a leg that the trade of its combo contains. */
function briefLegOut(leg: TradeLeg, places: TradePlaces, flips: boolean): WireLeg {
  const instrument = places.instrumentOf(leg.instrument)
  return {
    trade_id: tradeIdOut(instrument, leg.trade),
    trade_seq: leg.tradeSeq,
    instrument_name: instrument.name,
    direction: flips ? opposite(leg.side) : leg.side,
    price: priceOut(leg.price),
    amount: amountOut(instrument, leg.amount),
    contracts: contractsOut(instrument, leg.amount),
  }
}

/** A trade on the public tape. */
export function publicTradeOut(trade: TapeTrade, places: TradePlaces): WireTrade {
  const instrument = places.instrumentOf(trade.instrument)
  const out: Mutable<WireTrade> = {
    trade_id: tradeIdOut(instrument, trade.trade),
    trade_seq: trade.tradeSeq,
    instrument_name: instrument.name,
    timestamp: timeOut(trade.time),
    direction: directionOf(trade),
    tick_direction: trade.tickDirection,
    index_price: priceOut(trade.index),
    mark_price: priceOut(trade.mark),
    price: priceOut(trade.price),
    amount: amountOut(instrument, trade.amount),
    contracts: contractsOut(instrument, trade.amount),
  }
  writeMarketFacts(out, trade)
  const legOut = (leg: Trade): WireTrade => publicTradeOut(leg, places)
  writeBlock(out, trade, places)
  writeCombo(out, trade, places, false, legOut)
  return out
}

/**
 * The taker's side. Assumed: if a feed does not have it, a trade above the last different price was a buy, and one
 * below it a sell, because the interface has no word for an unknown side.
 */
function directionOf({ side, tickDirection }: TapeTrade): Side {
  if (side !== 'unknown') return side
  return tickDirection === 0 || tickDirection === 1 ? 'buy' : 'sell'
}
