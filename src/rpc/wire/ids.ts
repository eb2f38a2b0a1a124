/**
 * Ids on the wire. Ids of instruments that settle in BTC as their own coin are bare numbers, all others have a prefix
 * (R08). Ids of trigger orders and dormant secondaries have a word for their form before the number (C02): `17`,
 * `ETH-17`, `SLIB-17`, `ETH-SLMS-17`, `BTC_USDC-OTO-17`.
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

/** The word of each form. Clients must not draw conclusions from it, see C02. */
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

/** At most 13 digits, so that every number belongs to a possible id. */
const NUMBER = '([1-9][0-9]{0,12})'
const FORM = 'SL[IMT][BS]-|OTO-'
const ORDER_ID = new RegExp(`^(?:(?!${FORM})([A-Z0-9]+)(?:_([A-Z0-9]+))?-)?(${FORM}|)${NUMBER}$`)
const BLOCK_ID = new RegExp(`^BLOCK-${NUMBER}$`)
const TRADE_ID = new RegExp(`^(?:([A-Z0-9]+)(?:_([A-Z0-9]+))?-)?${NUMBER}$`)

/** The currencies of an instrument that the prefix of its ids depends on. */
interface IdCurrencies {
  readonly baseCurrency: string
  readonly quoteCurrency: string
  readonly settlementCurrency: string
}

/** The order id in replies. */
export function orderIdOut(instrument: Instrument, order: OrderId): string {
  const form = formOfId(order)
  const prefix = idPrefixOf(instrument)
  if (form === 'ordinary') return `${prefix}${numberOfId(order)}`
  return `${prefix}${formWords[form]}${numberOfId(order)}`
}

/** The trade id in replies. */
export function tradeIdOut(instrument: Instrument, trade: TradeId): string {
  return `${idPrefixOf(instrument)}${numberOfId(trade)}`
}

/** The id of a block trade by its number, which counts over all currencies (R08). */
export function blockIdOut(block: number): string {
  return `BLOCK-${block}`
}

/** The id of a block trade that waits for approval. */
export function pendingIdOut(pending: number): string {
  return `PENDING-${pending}`
}

/** The number of the block trade in an id; undefined if the text is not an id. */
export function blockIdIn(text: string): number | undefined {
  const match = BLOCK_ID.exec(text)
  return match === null ? undefined : Number(match[1])
}

/** The name of the link between two orders that cancel each other, with the number of the first. */
export function ocoRefOut(instrument: Instrument, first: OrderId): string {
  return `${idPrefixOf(instrument)}OCO-${numberOfId(first)}`
}

/** The order id in a wire id, whether or not the order exists; undefined if the text is not an id. */
export function orderIdIn(text: string): OrderId | undefined {
  const match = ORDER_ID.exec(text)
  if (match === null) return undefined
  const [, base, quote, word, number] = match
  const currency = counterOf(base, quote)
  if (currency === undefined) return undefined
  return makeOrderId(currency, Number(number), formOf(word ?? ''))
}

/**
 * The possible orders with the same number and currency but another form. At most one of all these exists, so a text
 * that names another form than that of the existing order names no order.
 */
export function namesakes(order: OrderId): readonly OrderId[] {
  const own = formOfId(order)
  const currency = currencyOfId(order)
  return orderForms.filter((form) => form !== own).map((form) => makeOrderId(currency, numberOfId(order), form))
}

/** The trade id in a wire id, whether or not the trade exists; undefined if the text is not an id. */
export function tradeIdIn(text: string): TradeId | undefined {
  const match = TRADE_ID.exec(text)
  if (match === null) return undefined
  const [, base, quote, number] = match
  const currency = counterOf(base, quote)
  return currency === undefined ? undefined : makeTradeId(currency, Number(number))
}

/** The settlement currency whose counter the prefix of an id means. */
function counterOf(base: string | undefined, quote: string | undefined): CurrencyId | undefined {
  const currency = quote ?? base ?? 'BTC'
  return isCurrency(currency) ? currencyIdOf(currency) : undefined
}

/** The number of an instrument: from 1000 in the order of listing (market.md 1.2). */
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
 * The prefix of ids. For the venue, instruments that settle in their own coin are inverse, including coin options and
 * their combos.
 */
export function idPrefixOf({ baseCurrency, quoteCurrency, settlementCurrency }: IdCurrencies): string {
  if (settlementCurrency !== baseCurrency) return `${baseCurrency}_${quoteCurrency}-`
  return baseCurrency === 'BTC' ? '' : `${baseCurrency}-`
}
