/**
 * Rating of a taker: the share of its Block RFQs with executable quotes that it fills.
 *
 * Rule: rfq.rating. Source: sessions-blocks-gateways.md 5.10. Assumed: the formula; the venue shows only bands and
 * numbers. Alternative: a share by volume.
 */
import { divNearest } from '../core/index.ts'

/** A closed RFQ of a taker. */
export interface ClosedRfq {
  readonly filled: boolean
  /** True if it counts: it was filled, or the taker saw a complete solution for long enough. */
  readonly included: boolean
  /** Micros since the epoch. */
  readonly closedAt: number
}

const BAND_WIDTH = 20
const BAND_LAST = 4

/**
 * Percentage of filled RFQs among the included ones that closed since a time, 0 to 100; undefined without included
 * ones.
 *
 * @param since Micros since the epoch.
 */
export function takerRating(closed: readonly ClosedRfq[], since: number): number | undefined {
  let included = 0
  let filled = 0
  for (const rfq of closed) {
    if (!rfq.included || rfq.closedAt < since) continue
    included += 1
    if (rfq.filled) filled += 1
  }
  return included === 0 ? undefined : divNearest(100 * filled, included)
}

/** Band of a rating for other accounts: `0-1`, `1-2`, ..., `4-5`; the lowest without a rating. */
export function ratingBand(rating: number | undefined): string {
  const band = Math.min(BAND_LAST, Math.floor(divNearest(rating ?? 0, BAND_WIDTH)))
  return `${band}-${band + 1}`
}
