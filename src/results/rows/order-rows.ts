/**
 * Rows of `orders`: each change of each order.
 *
 * Fields that only some orders have are nullable columns, which rows of other orders do not set; see `trading-rows.ts`.
 */
import type { InstrumentId, OrderId } from '../../core/index.ts'
import {
  bitsAt,
  blankOrder,
  type LogRecord,
  NO_ORDER,
  NO_SESSION,
  numberOfId,
  type OrderChanged,
  type OrderExtras,
  orderRecords,
  WORD_BYTES,
} from '../../model/index.ts'
import { type NamedBlock, setProduct, setText, setValidProduct, setValue, type WideColumn } from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import { type AmountSteps, currencyCodeOf, stepOf, wireIdOf } from './trading-rows.ts'

/**
 * Writes one row of `orders` for each change of an order, from its record. Codes in the log start at 1 and codes in the
 * table at 0, for the same words. No event is created for a plain order.
 */
export function orderWriter(block: NamedBlock<'orders'>, steps: AmountSteps): (record: LogRecord) => void {
  const { amount, filled, label, reason, session } = block.byName
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
  const lent = blankOrder()
  const fill = orderRecords.orderFiller()
  const setSession = (row: number, over: number): void => {
    if (over !== NO_SESSION) setValue(session, row, over)
  }
  return ({ buffer, at, place }) => {
    const row = block.rows
    const { doubles, ints, bytes } = buffer
    const bits = bitsAt(buffer, at)
    const byte = at * WORD_BYTES
    const instrument = ints[2 * at + inOrder.instrument] as InstrumentId
    const id = doubles[at + inOrder.order] as OrderId
    const step = stepOf(steps, instrument)
    time[row] = place.time
    event[row] = place.number
    cause[row] = place.cause
    change[row] = (bytes[byte + inOrder.change] as number) - 1
    order_id[row] = numberOfId(id)
    currency[row] = currencyCodeOf(id)
    instrument_id[row] = wireIdOf(instrument)
    account_id[row] = ints[2 * at + inOrder.account] as number
    side[row] = (bytes[byte + inOrder.side] as number) - 1
    type[row] = (bytes[byte + inOrder.type] as number) - 1
    time_in_force[row] = (bytes[byte + inOrder.timeInForce] as number) - 1
    price[row] = doubles[at + inOrder.price] as number
    setProduct(amount, row, doubles[at + inOrder.amount] as number, step)
    state[row] = (bytes[byte + inOrder.state] as number) - 1
    post_only[row] = (bytes[byte + inOrder.postOnly] as number) - 1
    reduce_only[row] = (bits & orderBits.reduceOnly) === 0 ? 0 : 1
    const why = bytes[byte + inOrder.reason] as number
    if (why !== 0) setValue(reason, row, why - 1)
    const isFilled = (bits & orderBits.filled) !== 0
    // The filled amount comes first after the common columns.
    setProduct(filled, row, isFilled ? (doubles[at + orderWords] as number) : 0, step)
    if ((bits & rareBits) !== 0) {
      fill(lent, buffer, at)
      setText(label, row, lent.label)
      setSession(row, lent.session)
      writeExtras(lent, row, step)
    } else {
      setText(label, row, orderRecords.recordedLabelAt(buffer, at))
      setSession(row, orderRecords.recordedSessionAt(buffer, at))
    }
  }
}

const { inOrder, orderBits, orderWords, rareBits } = orderRecords

/**
 * Writes columns for icebergs, trigger orders, linked, advanced and protected orders, and for orders that resulted from
 * them.
 */
function orderExtrasWriter({
  byName,
}: NamedBlock<'orders'>): (source: OrderChanged, row: number, step: number) => void {
  const { display, shown, trigger, trigger_price, trigger_offset } = byName
  const { triggered_by, successor, primary, pair } = byName
  const { advanced, advanced_price, auto_replaced, origin } = byName
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
    if (source.extras !== null) writeProtected(source.extras, row)
  }
}

/** Writes columns for orders under market-maker protection, quotes and orders of direct access. */
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

/** Sets the number of another order of the same currency, unless there is no such order. */
function setOrderNumber(column: WideColumn, row: number, order: OrderId): void {
  if (order !== NO_ORDER) setValue(column, row, numberOfId(order))
}
