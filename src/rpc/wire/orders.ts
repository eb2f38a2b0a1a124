/**
 * Orders as JSON.
 *
 * Source: trading.md 5.1 (C16, C17: fields that are always present), 6.7 (C25), 6.12 to 6.14; coverage R29, R51, R53.
 */
import { defined, lots, type Mutable, type OrderId, scaledToNumber } from '../../core/index.ts'
import { type Exchange, type OrderView, viewOrder } from '../../engine/index.ts'
import {
  type AdvancedTerms,
  type AdvancedType,
  blankHeader,
  type CancelReason,
  entryTypeOf,
  type FillCondition,
  farthestPrice,
  formOfId,
  type Instrument,
  isTrailing,
  isTriggerType,
  NO_ORDER,
  type OrderChanged,
  type OrderLinks,
  type OrderState,
  type OrderType,
  orderEvent,
  type Side,
  type TimeInForce,
  type Trigger,
  type TriggerOrderType,
  usualNow,
} from '../../model/index.ts'
import { instrumentIdOut, ocoRefOut, orderIdOut } from './ids.ts'
import { amountOut, contractsOut, priceOut, timeOut } from './numbers.ts'

/** The facts of an order that its JSON needs, from any of its events; `time` is its last change. */
type OrderFacts = Omit<OrderChanged, 'kind' | 'change' | 'number' | 'cause' | 'by'>

/** The reason of a cancel, if the venue shows it. */
type CancelledFor = Exclude<CancelReason, 'time_in_force' | 'expiry' | keyof typeof shownAs>

/** An order as JSON. A reply omits the optional fields that do not apply to the order. */
// Source: trading.md 5.1.
export interface WireOrder {
  readonly order_id: string
  readonly order_state: OrderState
  readonly order_type: 'market' | 'limit' | TriggerOrderType
  readonly original_order_type?: 'market' | 'market_limit'
  readonly time_in_force: TimeInForce
  readonly instrument_name: string
  readonly instrument_id?: number
  readonly product_group?: string
  readonly creation_timestamp: number
  readonly last_update_timestamp: number
  readonly direction: Side
  /** Number of the account. */
  readonly user_id: number
  /** `market_price` for a waiting order without a limit price. */
  readonly price: number | 'market_price'
  readonly label: string
  readonly post_only: boolean
  readonly reject_post_only?: boolean
  readonly api: boolean
  readonly web: boolean
  readonly amount: number
  readonly contracts: number
  readonly filled_amount: number
  readonly average_price: number
  /** Visible size of an iceberg order; otherwise the amount. */
  readonly max_show: number
  readonly mmp: boolean
  readonly risk_reducing: boolean
  readonly replaced: boolean
  readonly reduce_only?: boolean
  readonly is_rebalance?: boolean
  /** True for the order of a leg of a block trade. */
  readonly block_trade?: true
  /** Name of the application of the key that placed the order. */
  readonly app_name?: string
  /** True if the order came from a mobile device. */
  readonly mobile?: true
  /** True if a liquidation placed it; omitted for spot orders. */
  readonly is_liquidation?: boolean
  /** The unit of the price of an option order. */
  readonly advanced?: AdvancedType
  /** Price of an advanced order in its unit: volatility in percent, or USD. */
  readonly implv?: number
  readonly usd?: number
  /** True if the engine changed the price of an advanced order last. */
  readonly auto_replaced?: boolean
  /** Currently visible size of an iceberg order. */
  readonly display_amount?: number
  /** Visible size of an iceberg order after a refresh. */
  readonly refresh_amount?: number
  /** True if a trigger order has fired. */
  readonly triggered?: boolean
  readonly trigger?: Trigger['source']
  /** Trigger price; for a trailing stop the current one. */
  readonly trigger_price?: number
  readonly trigger_offset?: number
  readonly trigger_reference_price?: number
  /** The trigger order that placed this order. */
  readonly trigger_order_id?: string
  readonly trigger_fill_condition?: FillCondition
  /** Secondary orders that still wait for fills of this primary; null if none is left. */
  readonly oto_order_ids?: readonly string[] | null
  readonly is_primary_otoco?: true
  readonly is_secondary_oto?: true
  /** The order whose fills placed this secondary order. */
  readonly primary_order_id?: string
  /** Id of a pair of orders that cancel each other. */
  readonly oco_ref?: string
  /** True if market-maker protection cancelled it. */
  readonly mmp_cancelled?: true
  /** Reason of the cancel; omitted if the time in force or the expiry of the instrument ended the order. */
  readonly cancel_reason?: CancelledFor
  /** True for quotes; the amount of a quote is its remaining size. */
  readonly quote?: true
  readonly quote_id?: string
  readonly quote_set_id?: string
  readonly mmp_group?: string
}

/** The facts of a live order, from its view. */
export function factsOfView(view: OrderView): OrderFacts {
  return orderEvent({ ...blankHeader, time: view.updatedAt }, view.order, view.order, {
    ...usualNow,
    change: 'opened',
    order: view.order.id,
    account: view.account,
    instrument: view.order.instrument,
    price: view.price,
    filled: view.filled,
    averagePrice: view.averagePrice,
    state: view.state,
    rested: view.rested,
    createdAt: view.createdAt,
    shown: view.shown,
    trigger: view.trigger,
    links: view.links,
  })
}

/** The current secondaries of a primary, which its own links do not show. */
export interface SecondariesNow {
  /** Secondaries that still wait for fills of the primary. */
  readonly waiting: readonly OrderId[]
  /** True if the secondaries cancel each other. */
  readonly otoco: boolean
}

const noSecondaries: SecondariesNow = { waiting: [], otoco: false }

/**
 * The secondaries of a primary that still wait. Its links name them as they were created. Ids of secondaries that were
 * placed or have ended name no order.
 */
export function secondariesNow(
  exchange: Exchange,
  { links }: Pick<OrderFacts, 'links'>,
  otoco = false,
): SecondariesNow {
  if (links.secondaries.length === 0) return noSecondaries
  const waiting = links.secondaries.filter((id) => viewOrder(exchange, id) !== undefined)
  return { waiting, otoco }
}

/**
 * An order as JSON, with its current secondaries. The optional fields come last and are set one by one, because a
 * spread costs a microsecond.
 */
export function orderOut(
  facts: OrderFacts,
  instrument: Instrument,
  secondaries: SecondariesNow = noSecondaries,
): WireOrder {
  const { extras } = facts
  const quote = extras === null ? null : extras.quote
  const size = quote === null ? facts.amount : lots(facts.amount - facts.filled)
  const amount = amountOut(instrument, size)
  const out: Mutable<WireOrder> = {
    order_id: orderIdOut(instrument, facts.order),
    order_state: facts.state,
    order_type: shownType(facts.type, hasRested(facts)),
    time_in_force: facts.timeInForce,
    instrument_name: instrument.name,
    creation_timestamp: timeOut(facts.createdAt),
    last_update_timestamp: timeOut(facts.time),
    direction: facts.side,
    user_id: facts.account,
    price: isPriceless(facts) ? 'market_price' : shownPrice(facts, instrument),
    label: facts.label,
    post_only: facts.postOnly !== 'off',
    api: !facts.liquidation && quote === null,
    web: false,
    amount,
    contracts: contractsOut(instrument, size),
    filled_amount: amountOut(instrument, facts.filled),
    average_price: priceOut(facts.averagePrice),
    max_show: facts.display === 0 ? amount : amountOut(instrument, facts.display),
    mmp: extras !== null && extras.mmp !== null,
    risk_reducing: false,
    replaced: facts.replaced,
  }
  if (instrument.kind === 'spot') out.is_rebalance = false
  else {
    out.reduce_only = facts.reduceOnly
    out.is_liquidation = facts.liquidation
  }
  if (facts.postOnly !== 'off') out.reject_post_only = facts.postOnly === 'reject'
  const original = originalType(facts, hasRested(facts))
  if (original !== undefined) out.original_order_type = original
  if (facts.display !== 0) {
    out.display_amount = amountOut(instrument, facts.shown)
    out.refresh_amount = out.max_show
  }
  if (extras?.block === true) out.block_trade = true
  if (extras?.origin?.appName !== undefined) out.app_name = extras.origin.appName
  if (extras?.origin?.mobile === true) out.mobile = true
  if (facts.advanced !== null) writeAdvanced(out, facts.advanced, facts.autoReplaced)
  if (facts.trigger !== null) writeTrigger(out, facts, facts.trigger)
  if (facts.triggeredBy !== NO_ORDER) {
    out.trigger_order_id = orderIdOut(instrument, facts.triggeredBy)
  }
  if (isLinked(facts.links)) writeLinks(out, facts, instrument, secondaries)
  if (quote !== null) {
    out.quote = true
    out.quote_id = quote.quoteId
    out.quote_set_id = quote.quoteSetId
    // A group of quotes always has a name.
    out.mmp_group = extras?.mmp?.name ?? ''
  }
  const reason = shownReason(facts)
  if (reason !== undefined) out.cancel_reason = reason
  if (reason === 'mmp_trigger') out.mmp_cancelled = true
  return out
}

/** An order in a list of open orders, which also has the number and product group of the instrument (R51). */
export function listedOrderOut(facts: OrderFacts, instrument: Instrument, secondaries: SecondariesNow): WireOrder {
  // The object was made for this list alone.
  const out = orderOut(facts, instrument, secondaries) as Mutable<WireOrder>
  out.instrument_id = instrumentIdOut(instrument.id)
  out.product_group = instrument.productGroup
  return out
}

/** The entered type of an order that trades, if it differs from the shown type (C16). */
export function originalType(
  { type, triggeredBy }: Pick<OrderFacts, 'type' | 'triggeredBy'>,
  rested: boolean,
): 'market' | 'market_limit' | undefined {
  if (type === 'limit' || triggeredBy !== NO_ORDER) return undefined
  if (type === 'market_limit') return type
  return type === 'market' && rested ? type : undefined
}

/**
 * True if an order waits for fills of another order: a secondary before it is placed, or what remains of it afterwards.
 */
function isDormant(facts: Pick<OrderFacts, 'order'>): boolean {
  return formOfId(facts.order) === 'secondary'
}

/** True if an order has no limit price: it waits, and enters the book at the market price. */
function isPriceless(facts: Pick<OrderFacts, 'type' | 'order'>): boolean {
  if (facts.type === 'limit' || entryTypeOf(facts.type) === 'limit') return false
  return isTriggerType(facts.type) || isDormant(facts)
}

/**
 * The limit of an order. Assumed: a market order without a limit from a price band shows its average price, or before
 * its first fill the farthest possible price.
 */
function shownPrice(facts: OrderFacts, instrument: Instrument): number {
  if (facts.type !== 'market' || facts.price !== 0 || hasRested(facts)) return priceOut(facts.price)
  return priceOut(facts.averagePrice === 0 ? farthestPrice(instrument, facts.side) : facts.averagePrice)
}

function writeAdvanced(out: Mutable<WireOrder>, terms: AdvancedTerms, autoReplaced: boolean): void {
  out.advanced = terms.type
  // In the unit of the request: a volatility of 60 is 600,000,000 here.
  if (terms.type === 'implv') out.implv = scaledToNumber(BigInt(terms.value9), 7)
  else out.usd = scaledToNumber(BigInt(terms.value9), 9)
  out.auto_replaced = autoReplaced
}

function writeTrigger(out: Mutable<WireOrder>, facts: OrderFacts, trigger: Trigger): void {
  out.triggered = facts.state === 'triggered'
  out.trigger = trigger.source
  const trailing = isTrailing(facts.type)
  // A dormant trailing stop follows no price yet.
  const follows = trailing && trigger.reference !== 0
  if (!trailing || follows) out.trigger_price = priceOut(trigger.price)
  if (trailing) out.trigger_offset = priceOut(trigger.offset)
  if (follows) out.trigger_reference_price = priceOut(trigger.reference)
}

function isLinked(links: OrderLinks): boolean {
  return links.pair !== NO_ORDER || links.primary !== NO_ORDER || links.secondaries.length > 0
}

function writeLinks(
  out: Mutable<WireOrder>,
  facts: OrderFacts,
  instrument: Instrument,
  secondaries: SecondariesNow,
): void {
  const { condition, pair, primary } = facts.links
  out.trigger_fill_condition = condition
  if (facts.links.secondaries.length > 0) {
    const ids = secondaries.waiting.map((order) => orderIdOut(instrument, order))
    out.oto_order_ids = ids.length === 0 ? null : ids
  }
  if (secondaries.otoco) out.is_primary_otoco = true
  if (primary !== NO_ORDER) {
    if (isDormant(facts)) out.is_secondary_oto = true
    else out.primary_order_id = orderIdOut(instrument, primary)
  }
  if (pair !== NO_ORDER) out.oco_ref = ocoRefOut(instrument, pair)
}

/**
 * True if an order is shown as one that rested: always for a limit order; otherwise if it rested or was edited. Only an
 * order in the book can be edited, even if the edit makes it a taker; a dormant order can be edited too, but is in no
 * book.
 */
function hasRested(facts: OrderFacts): boolean {
  if (facts.type === 'limit') return true
  return facts.rested || (facts.replaced && !isDormant(facts))
}

/** The shown type: a market order becomes a limit order once it rests, and a market-limit order is always one (C16). */
function shownType(type: OrderType, rested: boolean): WireOrder['order_type'] {
  if (isTriggerType(type)) return type
  return type === 'market' && !rested ? 'market' : 'limit'
}

/**
 * Reasons that exist only in this engine, with the JSON-RPC reason that is shown instead; events have the original
 * reason. Assumed: a user requests a lock, and the engine cancels orders that new steps or a deadline affect to limit a
 * risk.
 */
const shownAs = {
  rescale: 'risk_mitigation',
  timed_out: 'risk_mitigation',
  portfolio_locked: 'user_request',
} as const

/** The reason of a cancel. The venue shows none if time in force or expiry ended the order (S095). */
function shownReason({ state, reason }: OrderFacts): WireOrder['cancel_reason'] {
  if (state !== 'cancelled' || reason === 'time_in_force' || reason === 'expiry') return undefined
  if (reason !== null && reason in shownAs) return shownAs[reason as keyof typeof shownAs]
  // The reason of a cancelled order is a cancel reason.
  return defined(reason ?? undefined, 'a cancelled order has a reason') as CancelledFor
}
