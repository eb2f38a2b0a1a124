/**
 * Rows of `orders`: each change of each order.
 *
 * What only some orders have lies in nullable columns, which the others leave alone; see `trading-rows.ts`.
 */
import type { OrderId } from '../../core/index.ts'
import {
  NO_ORDER,
  NO_SESSION,
  numberOfId,
  type OrderChanged,
  type OrderExtras,
  unlinked,
} from '../../model/index.ts'
import {
  type NamedBlock,
  setProduct,
  setText,
  setValidProduct,
  setValue,
  type WideColumn,
} from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import {
  type AmountSteps,
  currencyCodeOf,
  type RowWriter,
  stepOf,
  wireIdOf,
} from './trading-rows.ts'

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
    change[row] = codeOf(vocabulary.orderChange, source.change)
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
  if (source.session !== NO_SESSION || source.extras !== null) return true
  if (display !== 0 || trigger !== null || links !== unlinked) return true
  if (advanced !== null || liquidation) return true
  return triggeredBy !== NO_ORDER || successor !== NO_ORDER
}

/** Writes what only icebergs, trigger orders, linked, advanced and protected ones have, and what came of them. */
function orderExtrasWriter({
  byName,
}: NamedBlock<'orders'>): (source: OrderChanged, row: number, step: number) => void {
  const { display, shown, trigger, trigger_price, trigger_offset } = byName
  const { triggered_by, successor, primary, pair } = byName
  const { advanced, advanced_price, auto_replaced, origin, session } = byName
  const writeProtected = protectedOrderWriter(byName)
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
    if (source.session !== NO_SESSION) setValue(session, row, source.session)
    if (source.extras !== null) writeProtected(source.extras, row)
  }
}

/** Writes what only orders under market-maker protection, quotes and orders of direct access have. */
function protectedOrderWriter({
  mmp_group,
  mmp_group_name,
  quote_set_id,
  quote_id,
  client_order_id,
  origin,
}: NamedBlock<'orders'>['byName']): (extras: OrderExtras, row: number) => void {
  return ({ mmp, quote, direct }, row) => {
    if (mmp !== null) {
      setValue(mmp_group, row, mmp.group)
      setText(mmp_group_name, row, mmp.name)
    }
    if (quote !== null) {
      setText(quote_set_id, row, quote.quoteSetId)
      setText(quote_id, row, quote.quoteId)
    }
    if (direct !== null) {
      setValue(origin, row, codeOf(vocabulary.orderOrigin, 'direct_access'))
      setText(client_order_id, row, direct.clientOrderId)
    }
  }
}

/** Sets the number of another order of the same currency, where there is one. */
function setOrderNumber(column: WideColumn, row: number, order: OrderId): void {
  if (order !== NO_ORDER) setValue(column, row, numberOfId(order))
}
