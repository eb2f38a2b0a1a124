/**
 * Rows of what trading does: orders, trades, fills, rejects, marks and the book.
 *
 * Each function here returns the writer of one table. A writer copies an event's fields into the
 * columns and keeps nothing of the event. It runs for every event of a run: about 20 stores, no
 * objects, no text but labels. What only some rows have lies in nullable columns, which the others leave
 * alone.
 */
import {
  assert,
  divFloor,
  type InstrumentId,
  type OrderId,
  type TradeId,
} from '../../core/index.ts'
import {
  CURRENCY_SLOTS,
  type DeliveryPriceFixed,
  type Fill,
  type IndexChanged,
  type LevelChanged,
  type MarkChanged,
  NO_ORDER,
  numberOfId,
  type OrderChanged,
  type Print,
  type Refusal,
  type RequestRefused,
  type Trade,
  unlinked,
} from '../../model/index.ts'
import {
  type NamedBlock,
  setMoney,
  setProduct,
  setText,
  setValidMoney,
  setValidProduct,
  setValue,
  type WideColumn,
} from '../columns.ts'
import { WIRE_INSTRUMENT_ID_MIN } from '../schema.ts'
import { codeOf, vocabulary } from '../vocabulary.ts'

/** Amount of one lot of each instrument in 1e-9, by instrument id. */
export type AmountSteps = readonly number[]

/** Writes the next row of a table from an event of its kind. */
export type RowWriter<Source> = (source: Source) => void

/**
 * Kinds of events in the order of `vocabulary.orderChange`, which a test compares. Literals, because
 * V8 compares interned strings by address and built ones by their letters.
 */
export const orderKinds = [
  'order_opened',
  'order_filled',
  'order_cancelled',
  'order_edited',
  'order_rested',
  'order_resized',
  'order_refreshed',
  'order_triggered',
  'order_rejected',
] as const
const maker = codeOf(vocabulary.liquidity, 'maker')
const taker = codeOf(vocabulary.liquidity, 'taker')
/** Kinds of events in the order of `vocabulary.markKind`. */
const markKinds = ['mark_changed', 'index_changed', 'delivery_price_fixed'] as const

/** The amount of one lot of an instrument. */
export function stepOf(steps: AmountSteps, instrument: InstrumentId): number {
  const step = steps[instrument]
  assert(step !== undefined, 'an instrument is listed before it appears in an event')
  return step
}

/** The number of an instrument on the wire. */
export function wireIdOf(instrument: InstrumentId): number {
  return WIRE_INSTRUMENT_ID_MIN + instrument
}

/** Writes one row of `orders` for each change of an order. */
export function orderWriter(
  block: NamedBlock<'orders'>,
  steps: AmountSteps,
): RowWriter<OrderChanged> {
  const { amount, filled, label, reason } = block.byName
  const {
    time,
    event,
    cause,
    change,
    order_id,
    currency,
    instrument_id,
    account_id,
    side,
    type,
    time_in_force,
    price,
    state,
    post_only,
    reduce_only,
  } = block.values
  const writeExtras = orderExtrasWriter(block)
  return (source) => {
    const row = block.rows
    const step = stepOf(steps, source.instrument)
    time[row] = source.time
    event[row] = source.number
    cause[row] = source.cause
    change[row] = codeOf(orderKinds, source.kind)
    order_id[row] = numberOfId(source.order)
    currency[row] = currencyCodeOf(source.order)
    instrument_id[row] = wireIdOf(source.instrument)
    account_id[row] = source.account
    side[row] = codeOf(vocabulary.side, source.side)
    type[row] = codeOf(vocabulary.orderType, source.type)
    time_in_force[row] = codeOf(vocabulary.timeInForce, source.timeInForce)
    price[row] = source.price
    setProduct(amount, row, source.amount, step)
    setProduct(filled, row, source.filled, step)
    state[row] = codeOf(vocabulary.orderState, source.state)
    post_only[row] = codeOf(vocabulary.postOnly, source.postOnly)
    reduce_only[row] = source.reduceOnly ? 1 : 0
    setText(label, row, source.label)
    if (source.reason !== null) {
      setValue(reason, row, codeOf(vocabulary.orderReason, source.reason))
    }
    if (hasExtras(source)) writeExtras(source, row, step)
  }
}

/** Whether an order is more than a plain one; linked orders that a restored run tells apart count too. */
function hasExtras(source: OrderChanged): boolean {
  const { display, trigger, links, triggeredBy, successor, advanced, liquidation } = source
  if (display !== 0 || trigger !== null || links !== unlinked) return true
  if (advanced !== null || liquidation) return true
  return triggeredBy !== NO_ORDER || successor !== NO_ORDER
}

/** Writes what only icebergs, trigger orders, linked and advanced ones have, and what came of them. */
function orderExtrasWriter({
  byName,
}: NamedBlock<'orders'>): (source: OrderChanged, row: number, step: number) => void {
  const { display, shown, trigger, trigger_price, trigger_offset } = byName
  const { triggered_by, successor, primary, pair } = byName
  const { advanced, advanced_price, auto_replaced, origin } = byName
  return (source, row, step) => {
    if (source.display !== 0) {
      setValidProduct(display, row, source.display, step)
      setValidProduct(shown, row, source.shown, step)
    }
    if (source.trigger !== null) {
      const { source: watched, price, offset } = source.trigger
      setValue(trigger, row, codeOf(vocabulary.triggerSource, watched))
      if (price !== 0) setValue(trigger_price, row, price)
      if (offset !== 0) setValue(trigger_offset, row, offset)
    }
    setOrderNumber(triggered_by, row, source.triggeredBy)
    setOrderNumber(successor, row, source.successor)
    setOrderNumber(primary, row, source.links.primary)
    setOrderNumber(pair, row, source.links.pair)
    if (source.advanced !== null) {
      setValue(advanced, row, codeOf(vocabulary.advanced, source.advanced.type))
      setValue(advanced_price, row, source.advanced.value9)
      setValue(auto_replaced, row, source.autoReplaced ? 1 : 0)
    }
    if (source.liquidation) setValue(origin, row, codeOf(vocabulary.orderOrigin, 'liquidation'))
  }
}

/** Sets the number of another order of the same currency, where there is one. */
function setOrderNumber(column: WideColumn, row: number, order: OrderId): void {
  if (order !== NO_ORDER) setValue(column, row, numberOfId(order))
}

/** Writes one row of `trades` for each trade, and for each recorded one that is an event. */
export function tradeWriter(
  block: NamedBlock<'trades'>,
  steps: AmountSteps,
): RowWriter<Trade | Print> {
  const { amount } = block.byName
  const {
    time,
    event,
    cause,
    trade_id,
    currency,
    trade_seq,
    instrument_id,
    price,
    side,
    tick_direction,
    index_price,
    mark_price,
  } = block.values
  const writeExtras = tradeExtrasWriter(block)
  return (source) => {
    const row = block.rows
    time[row] = source.time
    event[row] = source.number
    cause[row] = source.cause
    const own = source.kind === 'trade'
    trade_id[row] = own ? numberOfId(source.trade) : 0
    currency[row] = own
      ? currencyCodeOf(source.trade)
      : codeOf(vocabulary.currency, source.currency)
    trade_seq[row] = own ? source.tradeSeq : 0
    instrument_id[row] = wireIdOf(source.instrument)
    price[row] = source.price
    setProduct(amount, row, source.amount, stepOf(steps, source.instrument))
    side[row] = codeOf(vocabulary.tradeSide, source.side)
    tick_direction[row] = source.tickDirection
    index_price[row] = source.index
    mark_price[row] = source.mark
    if (source.kind === 'trade') writeExtras(source, row)
  }
}

/** Writes what only trades of options, of liquidations and of legs say. */
function tradeExtrasWriter({ byName }: NamedBlock<'trades'>): (source: Trade, row: number) => void {
  const { liquidation, iv, underlying_price, combo_id, combo_trade_id } = byName
  return ({ liquidation: liquidated, option, combo }, row) => {
    if (liquidated !== 'none') {
      setValue(liquidation, row, codeOf(vocabulary.tradeLiquidation, liquidated))
    }
    if (option !== null) {
      if (option.volatility9 !== 0) setValue(iv, row, option.volatility9)
      setValue(underlying_price, row, option.forward)
    }
    if (combo !== null) {
      setValue(combo_id, row, wireIdOf(combo.instrument))
      setValue(combo_trade_id, row, numberOfId(combo.trade))
    }
  }
}

/** Writes one row of `fills`: one side of a trade, with the other side beside it. */
export function fillWriter(
  block: NamedBlock<'fills'>,
  steps: AmountSteps,
): (trade: Trade, own: Fill, other: Fill) => void {
  const {
    amount,
    ahead_before,
    ahead_after,
    fee,
    realized,
    position,
    feed,
    feed_row,
    premium,
    fund_fee,
  } = block.byName
  const {
    time,
    event,
    cause,
    trade_id,
    currency,
    instrument_id,
    account_id,
    order_id,
    side,
    liquidity,
    rule,
    price,
    fee_currency,
    counter_order_id,
    counter_account_id,
  } = block.values
  return (trade, own, other) => {
    const row = block.rows
    const step = stepOf(steps, trade.instrument)
    time[row] = trade.time
    event[row] = trade.number
    cause[row] = trade.cause
    trade_id[row] = numberOfId(trade.trade)
    currency[row] = currencyCodeOf(trade.trade)
    instrument_id[row] = wireIdOf(trade.instrument)
    account_id[row] = own.account
    order_id[row] = numberOfId(own.order)
    side[row] = codeOf(vocabulary.side, own.side)
    // The hidden part of an iceberg trades as a taker's, though it was there first (C25).
    liquidity[row] = own === trade.maker && own.rule !== 'hidden' ? maker : taker
    rule[row] = codeOf(vocabulary.fillRule, own.rule)
    price[row] = trade.price
    setProduct(amount, row, trade.amount, step)
    setProduct(ahead_before, row, own.aheadBefore, step)
    setProduct(ahead_after, row, own.aheadAfter, step)
    setMoney(fee, row, own.fee)
    fee_currency[row] = codeOf(vocabulary.currency, own.feeCurrency)
    setMoney(realized, row, own.realized)
    setProduct(position, row, own.position, step)
    counter_order_id[row] = numberOfId(other.order)
    counter_account_id[row] = other.account
    if (trade.option !== null) setValidMoney(premium, row, own.premium)
    if (own.fundFee !== 0n) setValidMoney(fund_fee, row, own.fundFee)
    const { source } = own
    if (source === null) return
    setValue(feed, row, source.feed)
    setValue(feed_row, row, source.row)
  }
}

/** Writes one row of `rejects` for each refused request. */
export function rejectWriter(block: NamedBlock<'rejects'>): RowWriter<RequestRefused> {
  const { account_id, instrument_id, limit_price, limit_count, param, detail } = block.byName
  const { time, event, cause, command, reason } = block.values
  return (source) => {
    const row = block.rows
    const { refusal } = source
    time[row] = source.time
    event[row] = source.number
    cause[row] = source.cause
    command[row] = codeOf(vocabulary.command, source.command)
    if (source.account !== -1) setValue(account_id, row, source.account)
    if (source.instrument !== -1) setValue(instrument_id, row, wireIdOf(source.instrument))
    reason[row] = codeOf(vocabulary.rejectReason, refusal.reason)
    if ('limit' in refusal) {
      const isBand = refusal.reason === 'price_too_high' || refusal.reason === 'price_too_low'
      setValue(isBand ? limit_price : limit_count, row, refusal.limit)
    }
    setText(param, row, 'param' in refusal ? refusal.param : null)
    setText(detail, row, detailOf(refusal))
  }
}

/** Writes one row of `marks` for each new mark price, index or delivery price. */
export function markWriter(
  block: NamedBlock<'marks'>,
): RowWriter<MarkChanged | IndexChanged | DeliveryPriceFixed> {
  const { instrument_id, index_name, index_price, source: origin, samples } = block.byName
  const { iv, underlying_price } = block.byName
  const { time, event, cause, kind, price } = block.values
  return (source) => {
    const row = block.rows
    const isMark = source.kind === 'mark_changed'
    time[row] = source.time
    event[row] = source.number
    cause[row] = source.cause
    kind[row] = codeOf(markKinds, source.kind)
    setText(index_name, row, isMark ? null : source.index)
    price[row] = source.price
    if (source.kind === 'delivery_price_fixed') setValue(samples, row, source.samples)
    if (!isMark) return
    setValue(instrument_id, row, wireIdOf(source.instrument))
    setValue(index_price, row, source.index)
    setValue(origin, row, codeOf(vocabulary.markSource, source.source))
    const { option } = source
    if (option === null) return
    setValue(iv, row, option.volatility9)
    setValue(underlying_price, row, option.forward)
  }
}

/** Writes one row of `book` for each change of a visible price level. */
export function levelWriter(
  block: NamedBlock<'book'>,
  steps: AmountSteps,
): RowWriter<LevelChanged> {
  const { amount } = block.byName
  const { time, event, cause, instrument_id, side, price, change_id } = block.values
  return (source) => {
    const row = block.rows
    time[row] = source.time
    event[row] = source.number
    cause[row] = source.cause
    instrument_id[row] = wireIdOf(source.instrument)
    side[row] = codeOf(vocabulary.side, source.side)
    price[row] = source.price
    setProduct(amount, row, source.amount, stepOf(steps, source.instrument))
    change_id[row] = source.changeId
  }
}

/** The position of a currency in its vocabulary is its id, which the low digits of an id hold. */
function currencyCodeOf(id: OrderId | TradeId): number {
  return id - divFloor(id, CURRENCY_SLOTS) * CURRENCY_SLOTS
}

function detailOf(refusal: Refusal): string | null {
  if ('problem' in refusal) return refusal.problem
  return 'currency' in refusal ? refusal.currency : null
}
