/**
 * Bars to quotes on Block RFQs: a frozen protection of the maker, and limits on the size of what he quotes.
 *
 * Rule: rfq.quote-limits. A limit is of a kind and a currency pair, and bounds each leg. An account with any limit on
 * inverse futures quotes no structures over several currencies. Assumed: a limit bounds the size of one quote.
 * Source: sessions-blocks-gateways.md 5.5, 5.11.
 */
import type { Refusal } from '../../model/index.ts'
import { rfqFreezeRefusal } from '../market/index.ts'
import {
  type Exchange,
  type InstrumentRow,
  legLotsFor,
  partyOf,
  type RfqRow,
  rowOfInstrument,
} from '../state/index.ts'

/** Why a maker may not quote a size of an RFQ now, or null. */
export function quoteBarRefusal(
  exchange: Exchange,
  { rfq, amount }: { readonly rfq: RfqRow; readonly amount: number },
  { maker }: { readonly maker: number },
): Refusal | null {
  const rows = rfq.legs.map(({ instrument }) => rowOfInstrument(exchange, instrument))
  return (
    rfqFreezeRefusal(exchange, maker) ?? limitRefusal(exchange, { rfq, amount }, { maker, rows })
  )
}

function limitRefusal(
  exchange: Exchange,
  { rfq, amount }: { readonly rfq: RfqRow; readonly amount: number },
  { maker, rows }: { readonly maker: number; readonly rows: readonly InstrumentRow[] },
): Refusal | null {
  const { quoteLimits } = partyOf(exchange, maker)
  if (quoteLimits.length === 0) return null
  const isSpread = new Set(rows.map(({ instrument }) => instrument.baseCurrency)).size > 1
  const isInverseBound = quoteLimits.some(
    ({ kind, pair }) => kind === 'future' && pair.endsWith('_USD'),
  )
  if (isSpread && isInverseBound) return { reason: 'inverse_future_cross_trading' }
  const isBeyond = rows.some(({ instrument }, at) => {
    const leg = rfq.legs[at]
    if (leg === undefined) return false
    const pair = `${instrument.baseCurrency}_${instrument.counterCurrency}`
    const lots = legLotsFor(exchange, rfq, { leg, amount })
    return quoteLimits.some(
      (limit) =>
        limit.kind === instrument.kind &&
        limit.pair === pair &&
        lots * instrument.amountStep9 > limit.amount9,
    )
  })
  return isBeyond ? { reason: 'account_quote_limit_crossed' } : null
}
