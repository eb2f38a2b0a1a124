/**
 * Ids on the wire: bare numbers for what settles in its own coin BTC, a prefix for all else (R08), and
 * before the number of trigger orders and dormant secondaries a word for what they are (C02):
 * `17`, `ETH-17`, `SLIB-17`, `ETH-SLMS-17`, `BTC_USDC-OTO-17`.
 */
import { type CurrencyId, defined, type InstrumentId, type OrderId, type TradeId } from '../../core/index.ts'
import {
  currencyIdOf,
  currencyOfId,
  formOfId,
  type Instrument,
  isCurrency,
  makeOrderId,
  makeTradeId,
  numberOfId,
  type OrderForm,
  orderForms,
} from '../../model/index.ts'

const FIRST_INSTRUMENT = 1000

/** The word of each form; clients cannot tell from it what to expect, see C02. */
const formWords: { readonly [F in OrderForm]: string } = {
  ordinary: '',
  index_price_buy: 'SLIB-',
  index_price_sell: 'SLIS-',
  mark_price_buy: 'SLMB-',
  mark_price_sell: 'SLMS-',
  last_price_buy: 'SLTB-',
  last_price_sell: 'SLTS-',
  secondary: 'OTO-',
}

/** At most 13 digits, so that every number is that of some id. */
const NUMBER = '([1-9][0-9]{0,12})'
const FORM = 'SL[IMT][BS]-|OTO-'
const ORDER_ID = new RegExp(`^(?:(?!${FORM})([A-Z0-9]+)(?:_([A-Z0-9]+))?-)?(${FORM}|)${NUMBER}$`)
const BLOCK_ID = new RegExp(`^BLOCK-${NUMBER}$`)
const TRADE_ID = new RegExp(`^(?:([A-Z0-9]+)(?:_([A-Z0-9]+))?-)?${NUMBER}$`)

/** The order id that people see. */
export function orderIdOut(instrument: Instrument, order: OrderId): string {
  const form = formOfId(order)
  const prefix = prefixOf(instrument)
  if (form === 'ordinary') return `${prefix}${numberOfId(order)}`
  return `${prefix}${formWords[form]}${numberOfId(order)}`
}

/** The trade id that people see. */
export function tradeIdOut(instrument: Instrument, trade: TradeId): string {
  return `${prefixOf(instrument)}${numberOfId(trade)}`
}

/** The id of a block by its number; they count over all currencies (R08). */
export function blockIdOut(block: number): string {
  return `BLOCK-${block}`
}

/** The id of a block that waits for approval. */
export function pendingIdOut(pending: number): string {
  return `PENDING-${pending}`
}

/** The number of the block that an id names; undefined where the text is no id. */
export function blockIdIn(text: string): number | undefined {
  const match = BLOCK_ID.exec(text)
  return match === null ? undefined : Number(match[1])
}

/** The name of the link of two orders of which one cancels the other: the number of the first. */
export function ocoRefOut(instrument: Instrument, first: OrderId): string {
  return `${prefixOf(instrument)}OCO-${numberOfId(first)}`
}

/** The order a wire id would name, whether or not it exists; undefined where the text is no id. */
export function orderIdIn(text: string): OrderId | undefined {
  const match = ORDER_ID.exec(text)
  if (match === null) return undefined
  const [, base, quote, word, number] = match
  const currency = counterOf(base, quote)
  if (currency === undefined) return undefined
  return makeOrderId(currency, Number(number), formOf(word ?? ''))
}

/**
 * The orders of the same number and currency under another form; no two of these exist, so that a
 * text which names one of them instead of an existing order names none.
 */
export function namesakes(order: OrderId): readonly OrderId[] {
  const own = formOfId(order)
  const currency = currencyOfId(order)
  return orderForms.filter((form) => form !== own).map((form) => makeOrderId(currency, numberOfId(order), form))
}

/** The trade a wire id would name, whether or not it exists; undefined where the text is no id. */
export function tradeIdIn(text: string): TradeId | undefined {
  const match = TRADE_ID.exec(text)
  if (match === null) return undefined
  const [, base, quote, number] = match
  const currency = counterOf(base, quote)
  return currency === undefined ? undefined : makeTradeId(currency, Number(number))
}

/** The settlement currency whose counter the prefix of an id names. */
function counterOf(base: string | undefined, quote: string | undefined): CurrencyId | undefined {
  const currency = quote ?? base ?? 'BTC'
  return isCurrency(currency) ? currencyIdOf(currency) : undefined
}

/** The instrument's number: ascending in the order of listing, from 1000 (market.md 1.2). */
export function instrumentIdOut(instrument: InstrumentId): number {
  return FIRST_INSTRUMENT + instrument
}

function formOf(word: string): OrderForm {
  if (word === '') return 'ordinary'
  return defined(
    orderForms.find((form) => formWords[form] === word),
    'the pattern of an id has only known parts',
  )
}

/**
 * The prefix of ids: what settles in its own coin is inverse to the venue, coin options and their combos included.
 */
function prefixOf({ baseCurrency, quoteCurrency, settlementCurrency }: Instrument): string {
  if (settlementCurrency !== baseCurrency) return `${baseCurrency}_${quoteCurrency}-`
  return baseCurrency === 'BTC' ? '' : `${baseCurrency}-`
}
