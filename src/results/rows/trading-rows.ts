/**
 * Rows of trading: trades, fills, rejects, marks and the book.
 *
 * Each function here returns the writer of one table. A writer copies an event's fields into the columns and does not
 * keep the event. It runs for every event of a run: about 20 stores, no objects, and no texts except labels. Fields
 * that only some rows have are nullable columns, which other rows do not set.
 */
import { assert, divFloor, type InstrumentId, type OrderId, type TradeId } from '../../core/index.ts'
import {
  CURRENCY_SLOTS,
  type Currency,
  type EventOf,
  type Fill,
  type MarkKind,
  numberOfId,
  type Print,
  type TapeTrade,
  type Trade,
} from '../../model/index.ts'
import { type NamedBlock, setMoney, setProduct, setText, setValidMoney, setValue } from '../columns.ts'
import { WIRE_INSTRUMENT_ID_MIN } from '../schema.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'

/** Amount of one lot of each instrument in 1e-9, by instrument id. */
export type AmountSteps = readonly number[]

/**
 * Facts about instruments and accounts for rows of fills: `houses` is true for accounts of the venue, by account id.
 */
export interface FillFacts {
  readonly steps: AmountSteps
  readonly houses: readonly boolean[]
}

/** Writes the next row of a table from an event of its kind. */
export type RowWriter<Source> = (source: Source) => void

type MarkEvent = EventOf<'mark' | 'index' | 'delivery_price'>

const maker = codeOf(vocabulary.liquidity, 'maker')
const taker = codeOf(vocabulary.liquidity, 'taker')
/** The word of each kind of event in `marks`. */
const markKindOf: { readonly [K in MarkEvent['kind']]: MarkKind } = {
  mark: 'mark',
  index: 'index',
  delivery_price: 'delivery',
}

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

/** Writes one row of `trades` for each trade, including recorded trades with an event. */
export function tradeWriter(block: NamedBlock<'trades'>, steps: AmountSteps): RowWriter<Trade | Print> {
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
    currency[row] = currencyCodeOf(source.trade)
    trade_seq[row] = own ? source.tradeSeq : 0
    instrument_id[row] = wireIdOf(source.instrument)
    price[row] = source.price
    setProduct(amount, row, source.amount, stepOf(steps, source.instrument))
    side[row] = codeOf(vocabulary.tradeSide, source.side)
    tick_direction[row] = source.tickDirection
    index_price[row] = source.index
    mark_price[row] = source.mark
    writeExtras(source, row)
  }
}

/** Writes columns for trades of options, of liquidations, of legs and of the alternative engine. */
function tradeExtrasWriter({ byName }: NamedBlock<'trades'>): (source: TapeTrade, row: number) => void {
  return ({ liquidation: liquidated, option, combo, altMatch }, row) => {
    if (liquidated !== 'none') {
      setValue(byName.liquidation, row, codeOf(vocabulary.tradeLiquidation, liquidated))
    }
    if (option !== null) {
      if (option.volatility9 !== 0) setValue(byName.iv, row, option.volatility9)
      setValue(byName.underlying_price, row, option.forward)
    }
    if (combo !== null) {
      setValue(byName.combo_id, row, wireIdOf(combo.instrument))
      setValue(byName.combo_trade_id, row, numberOfId(combo.trade))
    }
    if (altMatch !== 0) setValue(byName.alt_match_id, row, altMatch)
  }
}

/** Writes one row of `fills`: one side of a trade, with columns about the other side. */
export function fillWriter(
  block: NamedBlock<'fills'>,
  { steps, houses }: FillFacts,
): (trade: Trade, own: Fill, other: Fill) => void {
  const { amount, ahead_before, ahead_after, fee, realized, position, feed, feed_row, premium, fund_fee } = block.byName
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
    house,
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
    house[row] = houses[own.account] === true ? 1 : 0
    order_id[row] = numberOfId(own.order)
    side[row] = codeOf(vocabulary.side, own.side)
    // The hidden part of an iceberg trades as a taker, although it was in the book first (C25).
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
    if (own.source === null) return
    setValue(feed, row, own.source.feed)
    setValue(feed_row, row, own.source.row)
  }
}

/** Writes one row of `marks` for each new mark price, index or delivery price. */
export function markWriter(block: NamedBlock<'marks'>): RowWriter<MarkEvent> {
  const { instrument_id, index_name, index_price, source: origin, samples } = block.byName
  const { iv, underlying_price } = block.byName
  const { time, event, cause, kind, price } = block.values
  return (source) => {
    const row = block.rows
    const isMark = source.kind === 'mark'
    time[row] = source.time
    event[row] = source.number
    cause[row] = source.cause
    kind[row] = codeOf(vocabulary.markKind, markKindOf[source.kind])
    setText(index_name, row, isMark ? null : source.index)
    price[row] = source.price
    if (source.kind === 'delivery_price') setValue(samples, row, source.samples)
    if (!isMark) return
    setValue(instrument_id, row, wireIdOf(source.instrument))
    setValue(index_price, row, source.index)
    setValue(origin, row, codeOf(vocabulary.markSource, source.source))
    if (source.option === null) return
    setValue(iv, row, source.option.volatility9)
    setValue(underlying_price, row, source.option.forward)
  }
}

/** Writes one row of `book` for each change of a visible price level. */
export function levelWriter(block: NamedBlock<'book'>, steps: AmountSteps): RowWriter<EventOf<'level'>> {
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

/** The code of the currency in an id. The low digits of an id are the index of the currency in its vocabulary. */
export function currencyCodeOf(id: OrderId | TradeId): number {
  return id - divFloor(id, CURRENCY_SLOTS) * CURRENCY_SLOTS
}

/** The settlement currency of a listed instrument. */
export function currencyAt(currencies: readonly Currency[], instrument: InstrumentId): Currency {
  const currency = currencies[instrument]
  assert(currency !== undefined, 'an instrument is listed before it appears in an event')
  return currency
}
