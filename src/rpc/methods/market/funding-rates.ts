/**
 * Funding rates of a perpetual over time.
 *
 * A rate holds until the next change. Sums over any time are exact as long as the history keeps every change; from
 * older changes it keeps the last one of each minute.
 * Source: market.md 3.4.
 */
import { divHalfAwayBig, scaledToNumber } from '../../../core/index.ts'
import { type MarketView, timeOf } from '../../../engine/index.ts'
import type { Instrument } from '../../../model/index.ts'
import { sumUntil } from '../../history/index.ts'
import type { WireFunding } from '../../wire/index.ts'
import type { ReplyContext } from '../method.ts'

/** The period of a rate. */
const PERIOD_MICROS = 28_800_000_000
const INTEREST_SCALE = 18

/** Fields of tickers and summaries that only perpetuals have. */
export function fundingOut(context: ReplyContext, { instrument, funding }: MarketView): Partial<WireFunding> {
  if (funding === null) return {}
  const now = timeOf(context.exchange)
  const sum = sumOf(context, instrument, now - PERIOD_MICROS, now)
  return {
    funding_8h: scaledToNumber(divHalfAwayBig(sum, BigInt(PERIOD_MICROS)), 8),
    current_funding: scaledToNumber(funding.rate8, 8),
  }
}

/**
 * `interest_value`: the funding accumulated since listing. For inverse perpetuals it is the funding of a million USD,
 * so both kinds are in units of 1e-18.
 */
export function interestValue(accumulated: bigint): number {
  return scaledToNumber(accumulated, INTEREST_SCALE)
}

function sumOf(context: ReplyContext, instrument: Instrument, from: number, to: number): bigint {
  const series = context.history.funding.get(instrument.id)
  return series === undefined ? 0n : sumUntil(series, to) - sumUntil(series, from)
}

/** The integral of the rate over a time span, which is the fraction of a position that its holder pays. */
export function interestOf(context: ReplyContext, instrument: Instrument, from: number, to: number): number {
  // Rates are in 1e-8 of the position per 8 hours.
  const sum = sumOf(context, instrument, from, to) * 10_000_000_000n
  const exact = divHalfAwayBig(sum, BigInt(PERIOD_MICROS))
  return scaledToNumber(exact, INTEREST_SCALE)
}
