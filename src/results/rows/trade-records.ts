/**
 * Rows of `trades` and `fills` from the records of plain trades: two orders of the run matched in the book of a future,
 * outside of liquidations. Other trades have more columns and go through an event (`trading-rows.ts`).
 *
 * Codes in the log start at 1 and codes in the tables at 0, for the same words.
 */
import type { InstrumentId, OrderId, TradeId } from '../../core/index.ts'
import {
  bitsAt,
  fillRules,
  type LogBuffer,
  type LogPlace,
  type LogRecord,
  numberOfId,
  tradeRecords,
  WORD_BYTES,
} from '../../model/index.ts'
import { type Block, endRow, type NamedBlock, setMoneyHalves, setProduct } from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import { type AmountSteps, currencyCodeOf, type FillFacts, stepOf, wireIdOf } from './trading-rows.ts'

const { inTrade, inMaker, inTaker, makerBits, takerBits, tradeWords } = tradeRecords
/** Columns of every plain trade after the common ones: first the order of the maker, then that of the taker. */
const PLAIN_BITS = makerBits.order | takerBits.order
/** The code of a trade without a liquidated side. */
const NOT_LIQUIDATED = 1
const HIDDEN = fillRules.indexOf('hidden') + 1
const maker = codeOf(vocabulary.liquidity, 'maker')
const taker = codeOf(vocabulary.liquidity, 'taker')

/** One side of a trade: the positions of its columns, and of its order. */
interface Side {
  readonly places: tradeRecords.FillPlaces
  /** The word with its order after the common columns. */
  readonly order: number
  readonly isMaker: boolean
}

const sides: { readonly [Name in 'maker' | 'taker']: Side } = {
  maker: { places: inMaker, order: tradeWords, isMaker: true },
  taker: { places: inTaker, order: tradeWords + 1, isMaker: false },
}

/** Writes the rows of a plain trade. For any other trade it returns false and writes nothing. */
export function plainTradeWriter(
  trades: NamedBlock<'trades'>,
  fills: NamedBlock<'fills'>,
  known: FillFacts,
  seal: (block: Block) => void,
): (record: LogRecord) => boolean {
  const writeTrade = tradeWriter(trades, known.steps)
  const writeFill = fillWriter(fills, known)
  return (record) => {
    const liquidation = record.buffer.bytes[record.at * WORD_BYTES + inTrade.liquidation]
    if (bitsAt(record.buffer, record.at) !== PLAIN_BITS || liquidation !== NOT_LIQUIDATED) return false
    writeTrade(record)
    endRow(trades, seal)
    writeFill(record, sides.maker, sides.taker)
    endRow(fills, seal)
    writeFill(record, sides.taker, sides.maker)
    endRow(fills, seal)
    return true
  }
}

function tradeWriter(block: NamedBlock<'trades'>, steps: AmountSteps): (record: LogRecord) => void {
  const { amount } = block.byName
  const { trade_id, currency, trade_seq, instrument_id, price, side } = block.values
  const { tick_direction, index_price, mark_price } = block.values
  const writeHeader = headerWriter(block)
  return ({ buffer, at, place }) => {
    const row = block.rows
    const { doubles, bytes } = buffer
    const byte = at * WORD_BYTES
    const id = doubles[at + inTrade.trade] as TradeId
    const instrument = instrumentAt(buffer, at)
    writeHeader(row, place)
    trade_id[row] = numberOfId(id)
    currency[row] = currencyCodeOf(id)
    trade_seq[row] = doubles[at + inTrade.tradeSeq] as number
    instrument_id[row] = wireIdOf(instrument)
    price[row] = doubles[at + inTrade.price] as number
    setProduct(amount, row, doubles[at + inTrade.amount] as number, stepOf(steps, instrument))
    side[row] = (bytes[byte + inTrade.side] as number) - 1
    tick_direction[row] = (bytes[byte + inTrade.tickDirection] as number) - 1
    index_price[row] = doubles[at + inTrade.index] as number
    mark_price[row] = doubles[at + inTrade.mark] as number
  }
}

function fillWriter(
  block: NamedBlock<'fills'>,
  { steps, houses }: FillFacts,
): (record: LogRecord, own: Side, other: Side) => void {
  const { amount, ahead_before, ahead_after, fee, realized, position } = block.byName
  const { trade_id, currency, instrument_id, account_id, order_id, side, liquidity } = block.values
  const { rule, price, fee_currency, counter_order_id, counter_account_id, house } = block.values
  const writeHeader = headerWriter(block)
  return ({ buffer, at, place }, own, other) => {
    const row = block.rows
    const { doubles, ints, bytes } = buffer
    const byte = at * WORD_BYTES
    const id = doubles[at + inTrade.trade] as TradeId
    const instrument = instrumentAt(buffer, at)
    const step = stepOf(steps, instrument)
    const why = bytes[byte + own.places.rule] as number
    writeHeader(row, place)
    trade_id[row] = numberOfId(id)
    currency[row] = currencyCodeOf(id)
    instrument_id[row] = wireIdOf(instrument)
    const account = ints[2 * at + own.places.account] as number
    account_id[row] = account
    house[row] = houses[account] === true ? 1 : 0
    order_id[row] = numberOfId(doubles[at + own.order] as OrderId)
    side[row] = (bytes[byte + own.places.side] as number) - 1
    // The hidden part of an iceberg trades as a taker, although it was in the book first (C25).
    liquidity[row] = own.isMaker && why !== HIDDEN ? maker : taker
    rule[row] = why - 1
    price[row] = doubles[at + inTrade.price] as number
    setProduct(amount, row, doubles[at + inTrade.amount] as number, step)
    setProduct(ahead_before, row, 0, step)
    setProduct(ahead_after, row, 0, step)
    setMoneyHalves(fee, row, ints, 2 * (at + own.places.fee))
    fee_currency[row] = (bytes[byte + own.places.feeCurrency] as number) - 1
    setMoneyHalves(realized, row, ints, 2 * (at + own.places.realized))
    setProduct(position, row, doubles[at + own.places.position] as number, step)
    counter_order_id[row] = numberOfId(doubles[at + other.order] as OrderId)
    counter_account_id[row] = ints[2 * at + other.places.account] as number
  }
}

/** Writes the columns that rows of all events have. */
function headerWriter({
  values: { time, event, cause },
}: NamedBlock<'trades'> | NamedBlock<'fills'>): (row: number, place: LogPlace) => void {
  return (row, place) => {
    time[row] = place.time
    event[row] = place.number
    cause[row] = place.cause
  }
}

function instrumentAt(buffer: LogBuffer, at: number): InstrumentId {
  return buffer.ints[2 * at + inTrade.instrument] as InstrumentId
}
