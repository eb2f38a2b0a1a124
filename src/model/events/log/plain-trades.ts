/**
 * Writer of the records of plain trades, which are nearly all trades of a run: two orders of the run matched in the
 * book of a future, outside of liquidations. The records are those of `trade-records.ts`, but no object of the trade is
 * created.
 */
import type { Amount, Mutable, Nano } from '../../../core/index.ts'
import { fillRules } from '../../words/trades.ts'
import type { EventHeader } from '../family.ts'
import type { Fill } from '../trading-events.ts'
import { type LogBuffer, reserve, setMoneyWord, WORD_BYTES } from './log-buffer.ts'
import { codeOfWord, setHead } from './records.ts'
import {
  type CommonTrade,
  type FillPlaces,
  inMaker,
  inTaker,
  inTrade,
  makerBits,
  setCommon,
  takerBits,
  tradeCode,
  tradeWords,
} from './trade-records.ts'

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
  setHead(buffer, from, { code: tradeCode, bits: makerBits.order | takerBits.order })
}

function setPlainFill(buffer: LogBuffer, from: number, fill: PlainFill, places: FillPlaces): void {
  const { doubles, ints, bytes } = buffer
  setMoneyWord(buffer, from + places.fee, fill.fee)
  setMoneyWord(buffer, from + places.realized, fill.realized)
  setMoneyWord(buffer, from + places.balance, fill.balance)
  doubles[from + places.position] = fill.position + 0
  doubles[from + places.remaining] = fill.remaining + 0
  ints[2 * from + places.account] = fill.account
  bytes[from * WORD_BYTES + places.side] = fill.sells ? 2 : 1
}
