/**
 * Settings of Block RFQs. Source: sessions-blocks-gateways.md 5.4, 5.5, 5.10; appendix A.
 */
import { MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import type { SettingsOf } from './settings/declaration.ts'

/** Settings of Block RFQs. */
export interface RfqSettings {
  /** Time that an RFQ is open. */
  readonly expiry: Micros
  /** Time during which the taker sees no quotes and cannot trade. */
  readonly grace: Micros
  /** Largest number of legs. */
  readonly legsMax: number
  /** Minimum number of makers of an RFQ that is not disclosed, if it names makers. */
  readonly anonymousMakersMin: number
  /** Largest number of open RFQs of a taker. */
  readonly openMax: number
  /** Largest number of open quotes of a maker on an RFQ, and on one side of it. */
  readonly quotesMax: number
  readonly sideQuotesMax: number
  /** Time covered by the rating of a taker. Queries return RFQs that closed within this time. */
  readonly ratingWindow: Micros
}

/** The declaration: expiry and grace are the venue's; the counts are our choice. */
export const rfqSettings: SettingsOf<RfqSettings> = {
  expiry: {
    key: 'expiry',
    unit: 'micros',
    min: 1,
    max: MICROS_PER_DAY,
    default: micros(300_000_000),
    says: 'How long a Block RFQ is open',
  },
  grace: {
    key: 'grace',
    unit: 'micros',
    min: 1,
    max: MICROS_PER_DAY,
    default: micros(5_000_000),
    says: 'How long the taker sees no quotes and cannot trade',
  },
  legsMax: {
    key: null,
    journal: 'legs_max',
    unit: 'count',
    default: 20,
    says: 'Maximum number of legs of a Block RFQ',
  },
  anonymousMakersMin: {
    key: 'anonymous_makers_min',
    unit: 'count',
    default: 5,
    says: 'Minimum number of makers that an undisclosed Block RFQ names, if it names any',
  },
  openMax: {
    key: 'open_max',
    unit: 'count',
    default: 25,
    says: 'Maximum number of open Block RFQs of a taker',
  },
  quotesMax: {
    key: 'quotes_max',
    unit: 'count',
    default: 10,
    says: 'Maximum number of open quotes of a maker on a Block RFQ',
  },
  sideQuotesMax: {
    key: 'side_quotes_max',
    unit: 'count',
    default: 5,
    says: 'Maximum number of open quotes of a maker on one side of a Block RFQ',
  },
  ratingWindow: {
    key: null,
    journal: 'rating_micros',
    unit: 'micros',
    default: micros(30 * MICROS_PER_DAY),
    says: 'Period of the taker rating and of queries of closed Block RFQs',
  },
}
