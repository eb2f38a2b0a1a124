/**
 * Settings of Block RFQs. Source: sessions-blocks-gateways.md 5.4, 5.5, 5.10; appendix A.
 */
import { MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'

/** Settings of Block RFQs. */
export interface RfqSettings {
  /** An RFQ is open for so long. */
  readonly expiry: Micros
  /** The taker sees no quotes for so long, and cannot trade. */
  readonly grace: Micros
  /** Most legs. */
  readonly legsMax: number
  /** An RFQ that is not disclosed has at least so many makers, where it names any. */
  readonly anonymousMakersMin: number
  /** Most open RFQs of a taker. */
  readonly openMax: number
  /** Most open quotes of a maker on an RFQ, and on one side of it. */
  readonly quotesMax: number
  readonly sideQuotesMax: number
  /** The rating of a taker looks back so far, and so far queries tell closed RFQs. */
  readonly ratingWindow: Micros
}

/** The venue's expiry and grace, and the counts that we chose. */
export const defaultRfqSettings: RfqSettings = {
  expiry: micros(300_000_000),
  grace: micros(5_000_000),
  legsMax: 20,
  anonymousMakersMin: 5,
  openMax: 25,
  quotesMax: 10,
  sideQuotesMax: 5,
  ratingWindow: micros(30 * MICROS_PER_DAY),
}
