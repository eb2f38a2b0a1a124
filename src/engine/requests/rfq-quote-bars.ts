/**
 * Reasons that prevent quotes on Block RFQs: the maker's protection, because it is frozen or too much is open, and
 * limits on the size of quotes.
 *
 * Rule: rfq.quote-limits. A limit applies to a kind and a currency pair, and bounds each leg; the share of a hedge
 * counts as a future of its pair. An account with any limit on inverse futures may not quote structures with several
 * currencies.
 * Assumed: a limit bounds the size of one quote. Source: sessions-blocks-gateways.md 5.5, 5.11.
 */
import type { BlockLeg, Refusal } from '../../model/index.ts'
import { rfqFreezeRefusal, rfqQuantityRefusal } from '../market/index.ts'
import { type Exchange, partyOf, type RfqQuoteRow, rowOfInstrument } from '../state/index.ts'

/** The refusal of a maker's quote with these legs, or null; `edited` is the quote that they replace. */
export function quoteBarRefusal(
  exchange: Exchange,
  legs: readonly BlockLeg[],
  { maker, edited }: { readonly maker: number; readonly edited: RfqQuoteRow | null },
): Refusal | null {
  return (
    rfqFreezeRefusal(exchange, maker) ??
    rfqQuantityRefusal(exchange, legs, { maker, edited }) ??
    limitRefusal(exchange, legs, maker)
  )
}

function limitRefusal(exchange: Exchange, legs: readonly BlockLeg[], maker: number): Refusal | null {
  const { quoteLimits } = partyOf(exchange, maker)
  if (quoteLimits.length === 0) return null
  const sized = legs.map(({ instrument, amount }) => {
    const row = rowOfInstrument(exchange, instrument)
    return { instrument: row.instrument, amount9: amount * row.instrument.amountStep9 }
  })
  const isSpread = new Set(sized.map(({ instrument }) => instrument.baseCurrency)).size > 1
  const isInverseBound = quoteLimits.some(({ kind, pair }) => kind === 'future' && pair.endsWith('_USD'))
  if (isSpread && isInverseBound) return { reason: 'inverse_future_cross_trading' }
  const isBeyond = sized.some(({ instrument, amount9 }) => {
    const pair = `${instrument.baseCurrency}_${instrument.counterCurrency}`
    return quoteLimits.some((limit) => limit.kind === instrument.kind && limit.pair === pair && amount9 > limit.amount9)
  })
  return isBeyond ? { reason: 'account_quote_limit_crossed' } : null
}
