/**
 * Sizes of simulated positions: in coin, as the venue writes them, and in lots. A size that is not a whole number of
 * lots is rounded to the nearest one. Source: market.md 6.5; the venue's public reference.
 */
import { defined, divHalfAwayBig, type InstrumentId, lots } from '../../../../core/index.ts'
import { type Exchange, viewMarket } from '../../../../engine/index.ts'
import { amount9OfLots, type Instrument } from '../../../../model/index.ts'

const NANO = 1_000_000_000n

/** Signed lots of a size in coin (1e-9); 0 for an inverse contract whose mark is unknown. */
export function lotsOfCoin(exchange: Exchange, instrument: Instrument, coin9: bigint): number {
  const mark = BigInt(viewMarket(exchange, instrument.id).mark)
  const inverse = instrument.payoff === 'inverse'
  const amount9 = inverse ? divHalfAwayBig(coin9 * mark, NANO) : coin9
  return Number(divHalfAwayBig(amount9, BigInt(instrument.amountStep9)))
}

/** Size in coin (1e-9) of signed lots. */
export function simulatedSize(exchange: Exchange, instrument: Instrument, size: number): bigint {
  const amount9 = amount9OfLots(instrument, lots(size))
  if (instrument.payoff !== 'inverse') return amount9
  const mark = BigInt(viewMarket(exchange, instrument.id).mark)
  return mark === 0n ? 0n : divHalfAwayBig(amount9 * NANO, mark)
}

/** A listed instrument by its id. */
export function simulatedInstrument(instruments: readonly Instrument[], id: InstrumentId): Instrument {
  return defined(instruments[id], 'a simulated position is in a listed instrument')
}
