/**
 * Writers and readers of the records of trades; see `order-records.ts`.
 */

import {
  type AccountId,
  type Amount,
  accountId,
  amount,
  type InstrumentId,
  instrumentId,
  type Lots,
  type Mutable,
  micros,
  type Nano,
  type OrderId,
  type Plain,
  type Price9,
  price9,
  sequence,
  type TradeId,
  tradeId,
} from '../../../core/index.ts'
import { NO_ORDER } from '../../ids.ts'
import type { FeedRow } from '../../market-message.ts'
import { currencies } from '../../words/currencies.ts'
import { fillRules, type TickDirection, tradeLiquidations } from '../../words/trades.ts'
import type { EventRow } from '../event.ts'
import { type EventHeader, noLots, noMoney } from '../family.ts'
import type { Fill, OptionTrade, Trade, TradeLeg } from '../trading-events.ts'
import { type ColumnWays, type HandColumns, handColumns, layoutOfFamily } from './layout.ts'
import {
  appendMoney,
  appendNumber,
  appendText,
  type Cursor,
  type LogBuffer,
  nextNumber,
  nextText,
  nextWide,
  reserve,
  setMoneyWord,
  WORD_BYTES,
} from './log-buffer.ts'
import { bitsAt, codeOfWord, plainText, setHead } from './records.ts'

/** One side of a trade that is filled from records. */
export type FilledFill = Mutable<Fill>

/** A trade that is filled from records. */
export type FilledTrade = Mutable<Omit<Trade, 'maker' | 'taker'>> & {
  maker: FilledFill
  taker: FilledFill
}

/**
 * Amounts of money as the log receives them: events have an `Amount`, records may also have the number form that the
 * arithmetic uses.
 */
type RecordedMoney<T> = { readonly [N in keyof T]: T[N] extends Amount ? Amount | Nano : T[N] }

/** One side of a trade as the log receives it. */
export type FillRow = RecordedMoney<Fill>

/** A trade as the log receives it. */
export type TradeRow = Omit<Trade, 'maker' | 'taker'> & {
  readonly maker: FillRow
  readonly taker: FillRow
}

/** Places of the columns of one side in the record of a trade. */
export type FillPlaces = HandColumns<typeof fillWays>['places']

/** Bits of the columns of one side. */
export type FillBits = HandColumns<typeof fillWays>['bits']

/** The numbers that every trade has, without their brands. */
export type CommonTrade = {
  readonly [N in Exclude<keyof typeof inTrade, 'side' | 'liquidation'>]: number
}

/** The other fixed columns of a side, except its order, follow from the trade. */
type PlainFillName = Exclude<keyof FillPlaces, 'side' | 'rule' | 'feeCurrency'> | 'order'

/** One side of a plain trade. */
export type PlainFill = {
  [N in PlainFillName]: Fill[N] extends Amount ? Nano : number
} & { sells: boolean }

/** A plain trade: two orders of the run in the book of a future, outside of liquidations. */
export interface PlainTrade extends EventHeader, Mutable<CommonTrade> {
  /** The currency of the fees, as its index in the list of currencies. */
  currency: number
  readonly maker: PlainFill
  readonly taker: PlainFill
}

/**
 * Writer of the records of plain trades, which are nearly all trades of a run: two orders of the run matched in the
 * book of a future, outside of liquidations. The records are those written above, but no object of the trade is
 * created.
 */

const makerCode = codeOfWord(fillRules, 'book_maker')

const takerCode = codeOfWord(fillRules, 'book_taker')

/** Appends the record of a plain trade, as `appendTrade` does. */
export function appendPlainTrade(buffer: LogBuffer, row: PlainTrade): void {
  const from = buffer.at
  const end = from + tradeWords
  reserve(buffer, tradeWords + 2)
  setCommon(buffer, from, row)
  const { doubles, bytes } = buffer
  const byte = from * WORD_BYTES
  bytes[byte + inTrade.side] = row.taker.sells ? 2 : 1
  bytes[byte + inTrade.liquidation] = 1
  bytes[byte + inMaker.rule] = makerCode
  bytes[byte + inTaker.rule] = takerCode
  bytes[byte + inMaker.feeCurrency] = row.currency + 1
  bytes[byte + inTaker.feeCurrency] = row.currency + 1
  setPlainFill(buffer, from, row.maker, inMaker)
  setPlainFill(buffer, from, row.taker, inTaker)
  doubles[end] = row.maker.order
  doubles[end + 1] = row.taker.order
  buffer.at = end + 2
  setHead(buffer, from, tradeCode, makerBits.order | takerBits.order)
}

function setPlainFill(buffer: LogBuffer, from: number, fill: PlainFill, places: FillPlaces): void {
  setMoneyWord(buffer, from + places.fee, fill.fee)
  setMoneyWord(buffer, from + places.realized, fill.realized)
  setMoneyWord(buffer, from + places.balance, fill.balance)
  buffer.doubles[from + places.position] = fill.position + 0
  buffer.doubles[from + places.remaining] = fill.remaining + 0
  buffer.ints[2 * from + places.account] = fill.account
  buffer.bytes[from * WORD_BYTES + places.side] = fill.sells ? 2 : 1
}

export const tradeCode = layoutOfFamily('trade').code

/** Words that every record of a trade has. */
export const tradeWords = layoutOfFamily('trade').words

const tradeColumns = handColumns('trade', {
  trade: 'place',
  tradeSeq: 'place',
  instrument: 'place',
  price: 'place',
  amount: 'place',
  side: 'place',
  tickDirection: 'place',
  altMatch: 'bit',
  index: 'place',
  mark: 'place',
  liquidation: 'place',
  option: 'bit',
  combo: 'bit',
  legs: 'bit',
  maker: 'part',
  taker: 'part',
  block: 'bit',
  rfq: 'bit',
} as const satisfies ColumnWays<EventRow<'trade'>>)

/** Places of the columns that every record of a trade has, without its sides. */
export const inTrade = tradeColumns.places

/** Bits of the columns that records of trades may leave out, without its sides. */
export const tradeBits = tradeColumns.bits

const fillWays = {
  account: 'place',
  order: 'bit',
  side: 'place',
  rule: 'place',
  aheadBefore: 'bit',
  aheadAfter: 'bit',
  source: 'bit',
  fee: 'place',
  feeCurrency: 'place',
  fundFee: 'bit',
  realized: 'place',
  premium: 'bit',
  balance: 'place',
  baseBalance: 'bit',
  position: 'place',
  remaining: 'place',
} as const satisfies ColumnWays<Fill>

export const { places: inMaker, bits: makerBits } = handColumns('trade', fillWays, 'maker')

export const { places: inTaker, bits: takerBits } = handColumns('trade', fillWays, 'taker')

const noLegs: readonly never[] = []

const noPrice = price9(0)

/** Sets the fixed places, which every trade fills. */
export function setCommon(buffer: LogBuffer, from: number, trade: CommonTrade): void {
  const { doubles, ints, bytes } = buffer
  // The last words contain integers of 32 bits, codes and zeros. Clear them first.
  doubles[from + tradeWords - 2] = 0
  doubles[from + tradeWords - 1] = 0
  doubles[from + inTrade.trade] = trade.trade
  doubles[from + inTrade.tradeSeq] = trade.tradeSeq
  doubles[from + inTrade.price] = trade.price + 0
  doubles[from + inTrade.amount] = trade.amount + 0
  doubles[from + inTrade.index] = trade.index + 0
  doubles[from + inTrade.mark] = trade.mark + 0
  ints[2 * from + inTrade.instrument] = trade.instrument
  bytes[from * WORD_BYTES + inTrade.tickDirection] = trade.tickDirection + 1
}

/** Appends the record of a trade. */
export function appendTrade(buffer: LogBuffer, event: TradeRow): void {
  const from = buffer.at
  reserve(buffer, tradeWords)
  setCommon(buffer, from, event)
  const byte = from * WORD_BYTES
  buffer.bytes[byte + inTrade.side] = event.side === 'buy' ? 1 : 2
  buffer.bytes[byte + inTrade.liquidation] = liquidationCode(event)
  setFill(buffer, from, event.maker, inMaker)
  setFill(buffer, from, event.taker, inTaker)
  buffer.at = from + tradeWords
  let bits = 0
  if (event.altMatch !== 0) {
    bits |= tradeBits.altMatch
    appendNumber(buffer, event.altMatch)
  }
  if (event.option !== null) {
    bits |= tradeBits.option
    appendNumber(buffer, event.option.volatility9)
    appendNumber(buffer, event.option.forward)
  }
  if (event.combo !== null) {
    bits |= tradeBits.combo
    appendNumber(buffer, event.combo.instrument)
    appendNumber(buffer, event.combo.trade)
  }
  if (event.legs.length > 0) {
    bits |= tradeBits.legs
    // The types of these columns do not say that their values are plain data.
    appendText(buffer, plainText(event.legs as unknown as Plain))
  }
  bits |= appendFill(buffer, event.maker, makerBits)
  bits |= appendFill(buffer, event.taker, takerBits)
  if (event.block !== null) {
    bits |= tradeBits.block
    appendNumber(buffer, event.block.number)
    appendNumber(buffer, event.block.legs)
    appendNumber(buffer, event.block.combo)
  }
  if (event.rfq !== null) {
    bits |= tradeBits.rfq
    appendNumber(buffer, event.rfq.rfq)
    appendNumber(buffer, event.rfq.quote)
  }
  setHead(buffer, from, tradeCode, bits)
}

/** The code of the liquidated sides: `none` is the first word. */
function liquidationCode({ liquidation }: TradeRow): number {
  return liquidation === 'none' ? 1 : codeOfWord(tradeLiquidations, liquidation) + 1
}

function setFill(buffer: LogBuffer, from: number, fill: FillRow, places: FillPlaces): void {
  setMoneyWord(buffer, from + places.fee, fill.fee)
  setMoneyWord(buffer, from + places.realized, fill.realized)
  setMoneyWord(buffer, from + places.balance, fill.balance)
  buffer.doubles[from + places.position] = fill.position + 0
  buffer.doubles[from + places.remaining] = fill.remaining + 0
  buffer.ints[2 * from + places.account] = fill.account
  const byte = from * WORD_BYTES
  buffer.bytes[byte + places.side] = fill.side === 'buy' ? 1 : 2
  buffer.bytes[byte + places.rule] = codeOfWord(fillRules, fill.rule)
  buffer.bytes[byte + places.feeCurrency] = codeOfWord(currencies, fill.feeCurrency)
}

/** Appends the columns that few sides of trades have; returns their bits. */
function appendFill(buffer: LogBuffer, fill: FillRow, bits: FillBits): number {
  let set = 0
  if (fill.order !== NO_ORDER) {
    set |= bits.order
    appendNumber(buffer, fill.order)
  }
  if (fill.aheadBefore !== 0) {
    set |= bits.aheadBefore
    appendNumber(buffer, fill.aheadBefore)
  }
  if (fill.aheadAfter !== 0) {
    set |= bits.aheadAfter
    appendNumber(buffer, fill.aheadAfter)
  }
  if (fill.source !== null) {
    set |= bits.source
    appendNumber(buffer, fill.source.feed)
    appendNumber(buffer, fill.source.row)
  }
  if (!isNothing(fill.fundFee)) {
    set |= bits.fundFee
    appendMoney(buffer, fill.fundFee)
  }
  if (!isNothing(fill.premium)) {
    set |= bits.premium
    appendMoney(buffer, fill.premium)
  }
  if (!isNothing(fill.baseBalance)) {
    set |= bits.baseBalance
    appendMoney(buffer, fill.baseBalance)
  }
  return set
}

/** The event of a trade. */
export function tradeOf(trade: TradeRow): Trade {
  return { ...trade, maker: fillOf(trade.maker), taker: fillOf(trade.taker) }
}

function fillOf(fill: FillRow): Fill {
  return {
    ...fill,
    fee: amount(BigInt(fill.fee)),
    fundFee: amount(BigInt(fill.fundFee)),
    realized: amount(BigInt(fill.realized)),
    premium: amount(BigInt(fill.premium)),
    balance: amount(BigInt(fill.balance)),
    baseBalance: amount(BigInt(fill.baseBalance)),
  }
}

function isNothing(money: Nano): boolean {
  return money === 0 || money === 0n
}

/** A blank trade event. It has all columns from the start, so its shape never changes. */
export function blankTrade(): FilledTrade {
  return {
    kind: 'trade',
    time: micros(0),
    number: 0,
    cause: sequence(0),
    trade: tradeId(0),
    tradeSeq: 0,
    instrument: instrumentId(0),
    price: noPrice,
    amount: noLots,
    side: 'buy',
    tickDirection: 0,
    altMatch: 0,
    index: noPrice,
    mark: noPrice,
    liquidation: 'none',
    option: null,
    combo: null,
    legs: noLegs,
    maker: blankFill(),
    taker: blankFill(),
    block: null,
    rfq: null,
  }
}

function blankFill(): FilledFill {
  return {
    account: accountId(0),
    order: NO_ORDER,
    side: 'buy',
    rule: 'book_maker',
    aheadBefore: noLots,
    aheadAfter: noLots,
    source: null,
    fee: noMoney,
    feeCurrency: 'BTC',
    fundFee: noMoney,
    realized: noMoney,
    premium: noMoney,
    balance: noMoney,
    baseBalance: noMoney,
    position: noLots,
    remaining: noLots,
  }
}

/** Fills an event from the record of a trade; the reader sets its header. */
export function fillTrade(event: FilledTrade, buffer: LogBuffer, from: number): void {
  const { doubles, ints, bytes } = buffer
  const bits = bitsAt(buffer, from)
  const byte = from * WORD_BYTES
  // A record contains the values of an event, so each value read has the unit with which it was written.
  event.trade = doubles[from + inTrade.trade] as TradeId
  event.tradeSeq = doubles[from + inTrade.tradeSeq] as number
  event.instrument = ints[2 * from + inTrade.instrument] as InstrumentId
  event.price = doubles[from + inTrade.price] as Price9
  event.amount = doubles[from + inTrade.amount] as Lots
  event.side = bytes[byte + inTrade.side] === 1 ? 'buy' : 'sell'
  event.tickDirection = ((bytes[byte + inTrade.tickDirection] as number) - 1) as TickDirection
  event.index = doubles[from + inTrade.index] as Price9
  event.mark = doubles[from + inTrade.mark] as Price9
  const liquidation = bytes[byte + inTrade.liquidation] as number
  event.liquidation = liquidation === 1 ? 'none' : (tradeLiquidations[liquidation - 2] as Trade['liquidation'])
  const cursor = { buffer, at: from + tradeWords }
  event.altMatch = (bits & tradeBits.altMatch) === 0 ? 0 : nextNumber(cursor)
  event.option = (bits & tradeBits.option) === 0 ? null : nextOption(cursor)
  event.combo = (bits & tradeBits.combo) === 0 ? null : nextCombo(cursor)
  event.legs = (bits & tradeBits.legs) === 0 ? noLegs : (JSON.parse(nextText(cursor)) as TradeLeg[])
  getFill(event.maker, buffer, from, inMaker)
  fillRest(event.maker, cursor, bits, makerBits)
  getFill(event.taker, buffer, from, inTaker)
  fillRest(event.taker, cursor, bits, takerBits)
  event.block = (bits & tradeBits.block) === 0 ? null : nextBlock(cursor)
  event.rfq = (bits & tradeBits.rfq) === 0 ? null : nextRfq(cursor)
}

function nextOption(cursor: Cursor): OptionTrade {
  const volatility9 = nextNumber(cursor)
  return { volatility9, forward: nextNumber(cursor) as Price9 }
}

function nextCombo(cursor: Cursor): NonNullable<Trade['combo']> {
  const instrument = nextNumber(cursor) as InstrumentId
  return { instrument, trade: nextNumber(cursor) as TradeId }
}

function nextBlock(cursor: Cursor): NonNullable<Trade['block']> {
  const number = nextNumber(cursor)
  const legs = nextNumber(cursor)
  return { number, legs, combo: nextNumber(cursor) as InstrumentId | -1 }
}

function nextRfq(cursor: Cursor): NonNullable<Trade['rfq']> {
  const rfq = nextNumber(cursor)
  return { rfq, quote: nextNumber(cursor) }
}

function nextSource(cursor: Cursor): FeedRow {
  const feed = nextNumber(cursor)
  return { feed, row: nextNumber(cursor) }
}

function getFill(fill: FilledFill, buffer: LogBuffer, from: number, places: FillPlaces): void {
  const { doubles, ints, wides, bytes } = buffer
  const byte = from * WORD_BYTES
  fill.account = ints[2 * from + places.account] as AccountId
  fill.side = bytes[byte + places.side] === 1 ? 'buy' : 'sell'
  fill.rule = fillRules[(bytes[byte + places.rule] as number) - 1] as Fill['rule']
  fill.fee = wides[from + places.fee] as Amount
  fill.feeCurrency = currencies[(bytes[byte + places.feeCurrency] as number) - 1] as Fill['feeCurrency']
  fill.realized = wides[from + places.realized] as Amount
  fill.balance = wides[from + places.balance] as Amount
  fill.position = doubles[from + places.position] as Lots
  fill.remaining = doubles[from + places.remaining] as Lots
}

function fillRest(fill: FilledFill, cursor: Cursor, bits: number, of: FillBits): void {
  fill.order = (bits & of.order) === 0 ? NO_ORDER : (nextNumber(cursor) as OrderId)
  fill.aheadBefore = (bits & of.aheadBefore) === 0 ? noLots : (nextNumber(cursor) as Lots)
  fill.aheadAfter = (bits & of.aheadAfter) === 0 ? noLots : (nextNumber(cursor) as Lots)
  fill.source = (bits & of.source) === 0 ? null : nextSource(cursor)
  fill.fundFee = (bits & of.fundFee) === 0 ? noMoney : (nextWide(cursor) as Amount)
  fill.premium = (bits & of.premium) === 0 ? noMoney : (nextWide(cursor) as Amount)
  fill.baseBalance = (bits & of.baseBalance) === 0 ? noMoney : (nextWide(cursor) as Amount)
}
