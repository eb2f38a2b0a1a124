/**
 * Legs of the part of a Block RFQ that a maker trades, including its share of the hedge.
 *
 * Source: sessions-blocks-gateways.md 5.5, 5.7.
 */
import { defined, divFloor, type Lots, lots, mulDivFloor } from '../../core/index.ts'
import { type BlockLeg, opposite, type Side } from '../../model/index.ts'
import { type Exchange, legLotsFor, type RfqQuoteRow, type RfqRow, rowOfInstrument } from '../state/index.ts'

/** The legs of a part of an RFQ, with the maker's sides; the hedge comes last, if there is one. */
export function makerLegs(
  exchange: Exchange,
  rfq: RfqRow,
  of: {
    readonly quote: Pick<RfqQuoteRow, 'side' | 'legPrices'>
    readonly amount: number
    readonly hedge: Lots | null
  },
): readonly BlockLeg[] {
  const { side, legPrices } = of.quote
  // A maker who buys the structure takes the sides that the RFQ names.
  const sideOf = (asked: Side): Side => (side === 'buy' ? asked : opposite(asked))
  const legs = rfq.legs.map((leg, at): BlockLeg => {
    const price = defined(legPrices[at], 'a quote has a price for each leg')
    const { instrument } = leg
    return {
      instrument,
      side: sideOf(leg.side),
      price,
      amount: legLotsFor(exchange, rfq, { leg, amount: of.amount }),
    }
  })
  if (rfq.hedge === null || of.hedge === null || of.hedge === 0) return legs
  return [...legs, { ...rfq.hedge, side: sideOf(rfq.hedge.side), amount: of.hedge }]
}

/** The legs of a quote that is filled by itself. The share of the hedge is rounded down to its step. */
export function quotedLegs(
  exchange: Exchange,
  rfq: RfqRow,
  quote: Pick<RfqQuoteRow, 'side' | 'legPrices' | 'amount'>,
): readonly BlockLeg[] {
  const { amount } = quote
  return makerLegs(exchange, rfq, { quote, amount, hedge: hedgeFor(exchange, rfq, amount) })
}

function hedgeFor(exchange: Exchange, { hedge, amount: whole }: RfqRow, amount: number): Lots | null {
  if (hedge === null) return null
  const { minTradeLots } = rowOfInstrument(exchange, hedge.instrument).instrument
  const part = mulDivFloor(hedge.amount, amount, whole)
  return lots(divFloor(part, minTradeLots) * minTradeLots)
}
