/**
 * Ids on the wire: bare numbers for what settles in its own coin BTC, a prefix for all else (R08).
 */
import type { InstrumentId, OrderId, TradeId } from '../../core/index.ts'
import {
  type Currency,
  currencyIdOf,
  type Instrument,
  isCurrency,
  makeOrderId,
  numberOfId,
} from '../../model/index.ts'

const FIRST_INSTRUMENT = 1000
/** At most 14 digits, so that every number is that of some id. */
const WIRE_ID = /^(?:([A-Z0-9]+)(?:_([A-Z0-9]+))?-)?([1-9][0-9]{0,13})$/

/** The order id that people see. */
export function orderIdOut(instrument: Instrument, order: OrderId): string {
  return `${prefixOf(instrument)}${numberOfId(order)}`
}

/** The trade id that people see. */
export function tradeIdOut(instrument: Instrument, trade: TradeId): string {
  return `${prefixOf(instrument)}${numberOfId(trade)}`
}

/** The order a wire id would name, whether or not it exists; undefined where the text is no id. */
export function orderIdIn(text: string): OrderId | undefined {
  const match = WIRE_ID.exec(text)
  if (match === null) return undefined
  const [, base, quote, number] = match
  const currency = quote ?? base ?? 'BTC'
  if (!isCurrency(currency)) return undefined
  return makeOrderId(currencyIdOf(currency satisfies Currency), Number(number))
}

/** The instrument's number: ascending in the order of listing, from 1000 (market.md 1.2). */
export function instrumentIdOut(instrument: InstrumentId): number {
  return FIRST_INSTRUMENT + instrument
}

/** What settles in its own coin is inverse to the venue, coin options and their combos included. */
function prefixOf({ baseCurrency, quoteCurrency, settlementCurrency }: Instrument): string {
  if (settlementCurrency !== baseCurrency) return `${baseCurrency}_${quoteCurrency}-`
  return baseCurrency === 'BTC' ? '' : `${baseCurrency}-`
}
