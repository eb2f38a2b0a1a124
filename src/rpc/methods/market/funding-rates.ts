/**
 * Funding rates of a perpetual over time.
 *
 * Rates hold from one change to the next, so that their sum over any time is exact to the moment as
 * far as the history keeps every change; of what is older it knows the last of each minute.
 * Source: market.md 3.4.
 */
import { divHalfAwayBig, scaledToNumber } from '../../../core/index.ts'
import { type MarketView, timeOf } from '../../../engine/index.ts'
import type { Instrument } from '../../../model/index.ts'
import { sumUntil } from '../../history/index.ts'
import type { WireFunding } from '../../wire/index.ts'
import type { ReplyContext } from '../method.ts'

/** The time that rates are for. */
const PERIOD_MICROS = 28_800_000_000
const INTEREST_SCALE = 18

/** Fields of tickers and summaries that only perpetuals have. */
export function fundingOut(context: ReplyContext, { instrument, funding }: MarketView): Partial<WireFunding> {
  if (funding === null) return {}
  const now = timeOf(context.exchange)
  const sum = sumOf(context, instrument, { from: now - PERIOD_MICROS, to: now })
  return {
    funding_8h: scaledToNumber(divHalfAwayBig(sum, BigInt(PERIOD_MICROS)), 8),
    current_funding: scaledToNumber(funding.rate8, 8),
  }
}

/**
 * `interest_value`: what the accumulator came to since listing. Those of inverse perpetuals are shown
 * for a million USD, which makes both kinds counts of 1e-18.
 */
export function interestValue(accumulated: bigint): number {
  return scaledToNumber(accumulated, INTEREST_SCALE)
}

/** A time from and to which rates are summed. */
interface Span {
  readonly from: number
  readonly to: number
}

function sumOf({ history }: ReplyContext, instrument: Instrument, { from, to }: Span): bigint {
  const series = history.funding.get(instrument.id)
  return series === undefined ? 0n : sumUntil(series, to) - sumUntil(series, from)
}

/** The integral of the rate over a time, of which a position of 1 pays that part. */
export function interestOf(context: ReplyContext, instrument: Instrument, span: Span): number {
  // Rates are 1e-8 of the position for 8 hours.
  const sum = sumOf(context, instrument, span) * 10_000_000_000n
  const exact = divHalfAwayBig(sum, BigInt(PERIOD_MICROS))
  return scaledToNumber(exact, INTEREST_SCALE)
}
