/**
 * Block RFQs and their quotes as JSON, limited to the fields that the engine's views show to an account.
 *
 * Source: interface document, Block RFQ; sessions-blocks-gateways.md 5.2-5.8; coverage R55.
 */

import { type AccountId, type InstrumentId, instrumentId, type Mutable, scaledToNumber } from '../../core/index.ts'
import {
  type Exchange,
  hedgeOfRfq,
  instrumentAt,
  type RfqQuoteFacts,
  type RfqShownView,
  type RfqTradeView,
  type RfqTriggerView,
  type RfqView,
} from '../../engine/index.ts'
import {
  type BlockLeg,
  type EventOf,
  type ExecutionInstruction,
  type Liquidity,
  NO_ORDER,
  type RfqLeg,
  type RfqQuoteReason,
  type RfqReason,
  type RfqState,
  type RfqTriggerState,
  type Side,
} from '../../model/index.ts'
import type { BlockRecord, OrderTraits } from '../history/index.ts'
import { blockIdOut } from './ids.ts'
import { amountOut, priceOut, timeOut } from './numbers.ts'
import { type TradePlaces, takerOut, userTradeOut, type WireRfqShare, type WireUserTrade } from './trades.ts'

/** A block trade as one of its sides sees it. */
export interface WireBlock {
  readonly id: string
  readonly timestamp: number
  /** The application of the key that the side used. */
  readonly app_name?: string
  /** The side's own trades. Their direction is the maker's for both sides. */
  // Source: R07.
  readonly trades: readonly WireUserTrade[]
}

const SCALE = 9

/** A leg of a structure. */
export interface WireRfqLeg {
  readonly instrument_name: string
  readonly ratio: number
  /** Side of the leg for a taker who buys the structure. */
  readonly direction: Side
}

/** The hedge of an RFQ. */
export interface WireRfqHedge {
  readonly instrument_name: string
  readonly direction: Side
  readonly price: number
  readonly amount: number
}

/** Best quotes of one side for the whole amount. */
export interface WireRfqShown {
  readonly maker: string
  readonly makers: readonly string[]
  readonly price: number
  readonly amount: number
  readonly execution_instruction: ExecutionInstruction
  readonly last_update_timestamp: number
  readonly expiration_timestamp: number
  readonly expires_at: number
}

/** A part of a filled RFQ. */
export interface WireRfqTrade {
  /** Side of the taker. */
  readonly direction: Side
  readonly price: number
  readonly amount: number
  readonly maker?: string
  readonly hedge_amount?: number
}

/** A trigger of a taker. */
export interface WireRfqTrigger {
  readonly state: RfqTriggerState
  readonly price: number
  readonly direction: Side
  readonly cancel_reason?: (typeof cancelReasons)[RfqReason]
}

/** A Block RFQ as one account sees it. */
export interface WireBlockRfq {
  readonly block_rfq_id: number
  readonly creation_timestamp: number
  readonly expiration_timestamp: number
  readonly role: Liquidity
  readonly state: RfqState
  readonly taker_rating: string
  readonly amount: number
  readonly min_trade_amount: number
  readonly legs: readonly WireRfqLeg[]
  readonly hedge?: WireRfqHedge
  readonly combo_id: string | null
  readonly mark_price: number
  readonly disclosed: boolean
  readonly taker?: string
  readonly bids?: readonly WireRfqShown[]
  readonly asks?: readonly WireRfqShown[]
  readonly makers?: readonly string[]
  readonly label?: string
  readonly app_name?: string
  readonly trade_trigger?: WireRfqTrigger
  readonly trade_allocations?: readonly WireRfqShare[]
  readonly included_in_taker_rating?: boolean
  readonly trades?: readonly WireRfqTrade[]
  readonly index_prices?: readonly number[]
}

/** A quote as its maker sees it. */
export interface WireRfqQuote {
  readonly block_rfq_quote_id: number
  readonly block_rfq_id: number
  readonly creation_timestamp: number
  readonly last_update_timestamp: number
  readonly quote_state: RfqState
  readonly quote_state_reason?: RfqQuoteReason
  readonly execution_instruction: ExecutionInstruction
  readonly price: number
  readonly amount: number
  readonly direction: Side
  readonly filled_amount: number
  readonly legs: readonly (WireRfqLeg & { readonly price: number })[]
  readonly hedge?: WireRfqHedge
  readonly replaced: boolean
  readonly label?: string
  readonly app_name?: string
  readonly expires_at: number
}

/** A filled RFQ as the public sees it. */
export interface WirePublicRfq {
  readonly id: number
  readonly timestamp: number
  /** Side of the taker. */
  readonly direction: Side
  readonly amount: number
  readonly mark_price: number
  readonly legs: readonly WireRfqLeg[]
  readonly combo_id: string | null
  readonly hedge?: WireRfqHedge
  readonly index_prices: { readonly [index: string]: number }
  readonly trades: readonly WireRfqTrade[]
}

/** A Block RFQ as an account sees it. */
export function rfqOut(exchange: Exchange, view: RfqView): WireBlockRfq {
  const { own, fill, hedge } = view
  const out: Mutable<WireBlockRfq> = {
    block_rfq_id: view.rfq,
    creation_timestamp: timeOut(view.createdAt),
    expiration_timestamp: timeOut(view.expiresAt),
    role: own === null ? 'maker' : 'taker',
    state: view.state,
    taker_rating: view.rating,
    amount: nanoOut(view.amount9),
    min_trade_amount: nanoOut(view.least9),
    legs: view.legs.map((leg) => legOut(exchange, leg)),
    combo_id: comboOut(exchange, view.combo),
    mark_price: nanoOut(view.mark9),
    disclosed: view.disclosed,
  }
  if (hedge !== null) out.hedge = hedgeOut(exchange, hedge)
  if (view.taker !== null) out.taker = view.taker
  if (own !== null) {
    out.bids = own.bid === null ? [] : [shownOut(own.bid)]
    out.asks = own.ask === null ? [] : [shownOut(own.ask)]
    out.makers = own.makers
    if (own.label !== '') out.label = own.label
    if (own.appName !== null) out.app_name = own.appName
    if (own.trigger !== null) out.trade_trigger = triggerOut(own.trigger)
    if (own.shares.length > 0)
      out.trade_allocations = own.shares.map((share) => takerOut(share, nanoOut(share.amount9)))
    if (own.included !== null) out.included_in_taker_rating = own.included
  }
  if (fill !== null) {
    out.trades = fill.trades.map((trade) => tradeOut(exchange, hedge, trade))
    out.index_prices = fill.indices.map(({ price }) => priceOut(price))
  }
  return out
}

/** A filled RFQ as the public sees it. */
export function publicRfqOut(exchange: Exchange, view: RfqView): WirePublicRfq | undefined {
  const { fill, hedge } = view
  if (fill === null) return undefined
  const hedged = hedge === null ? {} : { hedge: hedgeOut(exchange, hedge) }
  return {
    id: view.rfq,
    timestamp: timeOut(fill.time),
    direction: fill.side,
    amount: nanoOut(view.amount9),
    mark_price: nanoOut(view.mark9),
    legs: view.legs.map((leg) => legOut(exchange, leg)),
    combo_id: comboOut(exchange, view.combo),
    ...hedged,
    index_prices: Object.fromEntries(fill.indices.map(({ index, price }) => [index, priceOut(price)])),
    trades: fill.trades.map((trade) => tradeOut(exchange, hedge, trade)),
  }
}

/** An open quote. */
export function openQuoteOut(exchange: Exchange, facts: RfqQuoteFacts): WireRfqQuote {
  return quoteOut(exchange, facts, 'open', 0n, null)
}

/** A quote after a change. */
export function changedQuoteOut(exchange: Exchange, event: EventOf<'block_rfq_quote'>): WireRfqQuote {
  const isOpen = event.change === 'added' || event.change === 'replaced'
  return quoteOut(exchange, event, isOpen ? 'open' : event.change, event.filled9, isOpen ? null : event.reason)
}

function quoteOut(
  exchange: Exchange,
  facts: RfqQuoteFacts,
  state: RfqState,
  filled9: bigint,
  reason: RfqQuoteReason | null,
): WireRfqQuote {
  const hedge = hedgeOfRfq(exchange, facts.rfq)
  const out: Mutable<WireRfqQuote> = {
    block_rfq_quote_id: facts.quote,
    block_rfq_id: facts.rfq,
    creation_timestamp: timeOut(facts.createdAt),
    last_update_timestamp: timeOut(facts.updatedAt),
    quote_state: state,
    execution_instruction: facts.allOrNone ? 'all_or_none' : 'any_part_of',
    price: nanoOut(facts.price9),
    amount: nanoOut(facts.amount9),
    direction: facts.side,
    filled_amount: nanoOut(filled9),
    legs: facts.legs.map((leg) => ({ ...legOut(exchange, leg), price: priceOut(leg.price) })),
    replaced: facts.replaced,
    expires_at: timeOut(facts.expiresAt),
  }
  if (reason !== null) out.quote_state_reason = reason
  if (hedge !== null) out.hedge = hedgeOut(exchange, hedge)
  if (facts.label !== '') out.label = facts.label
  if (facts.appName !== null) out.app_name = facts.appName
  return out
}

/** A trigger as its taker sees it. */
export function triggerOut({ state, side, price9, reason }: RfqTriggerView): WireRfqTrigger {
  const out = { state, price: nanoOut(price9), direction: side }
  return reason === null ? out : { ...out, cancel_reason: cancelReasons[reason] }
}

/** Texts for the reasons of a cancelled trigger (5.8). */
const cancelReasons = {
  user_request: 'User cancelled',
  quotes: 'Block RFQ cancelled',
  grace_over: 'Block RFQ cancelled',
  rfq_expired: 'Block RFQ expired',
  rfq_cancelled: 'Block RFQ cancelled',
  instrument_closed: 'Block RFQ cancelled',
  replaced: 'Replaced',
  not_enough_funds: 'Not enough funds',
  rfq_filled: 'Block RFQ filled',
} as const satisfies { readonly [R in RfqReason]: string }

function shownOut(shown: RfqShownView): WireRfqShown {
  const expires = timeOut(shown.expiresAt)
  return {
    maker: shown.makers[0] ?? '',
    makers: shown.makers,
    price: nanoOut(shown.price9),
    amount: nanoOut(shown.amount9),
    execution_instruction: shown.allOrNone ? 'all_or_none' : 'any_part_of',
    last_update_timestamp: timeOut(shown.updatedAt),
    expiration_timestamp: expires,
    expires_at: expires,
  }
}

function tradeOut(exchange: Exchange, hedge: BlockLeg | null, trade: RfqTradeView): WireRfqTrade {
  const out: Mutable<WireRfqTrade> = {
    direction: trade.side,
    price: nanoOut(trade.price9),
    amount: nanoOut(trade.amount9),
  }
  if (trade.maker !== null) out.maker = trade.maker
  if (hedge !== null && trade.hedge !== null) {
    out.hedge_amount = amountOut(instrumentAt(exchange, hedge.instrument), trade.hedge)
  }
  return out
}

function legOut(exchange: Exchange, { instrument, ratio, side }: RfqLeg): WireRfqLeg {
  return { instrument_name: instrumentAt(exchange, instrument).name, ratio, direction: side }
}

function hedgeOut(exchange: Exchange, { instrument, side, price, amount }: BlockLeg): WireRfqHedge {
  const row = instrumentAt(exchange, instrument)
  return {
    instrument_name: row.name,
    direction: side,
    price: priceOut(price),
    amount: amountOut(row, amount),
  }
}

function comboOut(exchange: Exchange, combo: InstrumentId | null): string | null {
  return combo === null ? null : instrumentAt(exchange, instrumentId(combo)).name
}

/** Converts a value in 1e-9 to a number. */
function nanoOut(value9: bigint): number {
  return scaledToNumber(value9, SCALE)
}

/**
 * Block trades as JSON: one account's side of all legs. Source: sessions-blocks-gateways.md 4.1; R07.
 */

/** Orders of block trades are limit orders, which no request can name. */
const blockTraits: OrderTraits = {
  type: 'limit',
  label: '',
  postOnly: 'off',
  reduceOnly: false,
  replaced: false,
  triggeredBy: NO_ORDER,
  advanced: null,
  liquidation: false,
  extras: null,
}

/** A block trade as one of its two accounts sees it. */
export function blockOut({ number, time, trades }: BlockRecord, account: AccountId, places: TradePlaces): WireBlock {
  const role = trades[0]?.maker.account === account ? 'maker' : 'taker'
  const appName = places.appOf(number, role)
  return {
    id: blockIdOut(number),
    timestamp: timeOut(time),
    ...(appName === null ? {} : { app_name: appName }),
    trades: trades.map((trade) => {
      const fill = trade.maker.account === account ? trade.maker : trade.taker
      const out = userTradeOut(trade, fill, blockTraits, places)
      return { ...out, direction: trade.maker.side }
    }),
  }
}
