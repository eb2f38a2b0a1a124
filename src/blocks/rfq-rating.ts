/**
 * Rating of a taker: how often it trades on the executable quotes that its Block RFQs get.
 *
 * Rule: rfq.rating. Source: sessions-blocks-gateways.md 5.10. Assumed: the formula; the venue shows bands and numbers
 * alone. Alternative: a share by volume.
 */
import { divNearest } from '../core/index.ts'

/** A closed RFQ of a taker. */
export interface ClosedRfq {
  readonly filled: boolean
  /** True where it counts: it was filled, or the taker saw a whole solution for long enough. */
  readonly included: boolean
  /** Micros since the epoch. */
  readonly closedAt: number
}

const BAND_WIDTH = 20
const BAND_LAST = 4

/**
 * Percent of the included RFQs closed since a time that were filled, 0 to 100; undefined when there are none.
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

/** Band of a rating that others see: `0-1`, `1-2`, ..., `4-5`; the lowest without a rating. */
export function ratingBand(rating: number | undefined): string {
  const band = Math.min(BAND_LAST, Math.floor(divNearest(rating ?? 0, BAND_WIDTH)))
  return `${band}-${band + 1}`
}
