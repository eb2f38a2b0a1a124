/**
 * Settings of block trades. Source: sessions-blocks-gateways.md 4.3, 4.4, 4.7.
 */

import { type AccountId, MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import { type InstrumentKind, instrumentKinds } from './words/instruments.ts'

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

/** A limit on the size of an account's quotes. */
export interface RfqQuoteLimit {
  /** Kind of the instruments. */
  readonly kind: InstrumentKind
  /** A currency pair such as `BTC_USD`. */
  readonly pair: string
  /** Largest size of a leg, in 1e-9. */
  readonly amount9: number
}

/** The role of an account. In files `Account` is a name, in the exchange a number. */
export interface RfqRole<Account = AccountId> {
  readonly isMaker: boolean
  /** Aliases; null for the default alias. */
  readonly makerAlias: string | null
  readonly takerAlias: string | null
  /** True if the account's own setting keeps it from trading with accounts of its owner. */
  readonly preventsSelfMatch: boolean
  /** The broker of this account, or null. */
  readonly broker: Account | null
  readonly quoteLimits: readonly RfqQuoteLimit[]
}

/** Largest number of trades of a block in a request. */
const LEGS_MAX = 20

/** Settings of block trades. */
export interface BlockSettings {
  /** Text that keys the signatures; a scenario gives its seed. */
  readonly key: string
  /** Time before and after its timestamp during which a signature is valid. */
  readonly signatureWindow: Micros
  /** Time that a block waits for an approval. */
  readonly approvalWindow: Micros
  /** Largest distance of a price from the mark, in parts per million. For options it is a share of their underlying. */
  readonly bandPpm: number
  /** Largest number of trades of a block. */
  readonly legsMax: number
}

/** The declaration: the time windows are the venue's; the band and the number of trades are our choice. */
export const blockSettings: SettingsOf<BlockSettings> = {
  key: {
    key: null,
    journal: 'key',
    unit: 'text',
    default: '',
    says: 'Secret of the signatures',
  },
  signatureWindow: {
    key: 'signature_window',
    unit: 'micros',
    min: 1,
    max: MICROS_PER_DAY,
    default: micros(300_000_000),
    says: 'How long a signature is valid before and after its timestamp',
  },
  approvalWindow: {
    key: 'approval_window',
    unit: 'micros',
    min: 1,
    max: MICROS_PER_DAY,
    default: micros(300_000_000),
    says: 'How long a block trade waits for approval',
  },
  bandPpm: {
    key: 'price_band',
    journal: 'band_ppm',
    unit: 'parts',
    scale: 6,
    max: 1_000_000,
    counted: true,
    default: 100_000,
    says: 'Largest distance of a price from the mark price (for options, from that of the underlying), as a fraction',
    examples: [0.05],
  },
  legsMax: {
    key: null,
    journal: 'legs_max',
    unit: 'count',
    min: 1,
    max: LEGS_MAX,
    default: LEGS_MAX,
    says: 'Maximum number of trades in a block',
  },
}

/**
 * Settings of Block RFQs. Source: sessions-blocks-gateways.md 5.4, 5.5, 5.10; appendix A.
 */

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

/**
 * Roles of accounts in Block RFQs: maker, aliases, the broker of a client, limits on the size of quotes.
 *
 * Source: sessions-blocks-gateways.md 5.4, 5.5.
 */

const alias = {
  unit: 'text',
  form: { pattern: /^[A-Za-z0-9_-]{1,32}$/, expected: 'up to 32 letters, digits, _ and -' },
  default: null,
} as const

const limitSettings = {
  kind: { key: 'kind', unit: 'word', words: instrumentKinds, says: 'Kind of instrument' },
  pair: {
    key: 'currency_pair',
    unit: 'text',
    says: 'Base and counter currency',
    examples: ['BTC_USD'],
  },
  amount9: { key: 'amount', unit: 'parts', scale: 9, noun: 'size', says: 'Maximum size of a leg' },
} as const satisfies SettingsOf<RfqQuoteLimit>

/** Declaration of the settings of a role. */
export const rfqRoleSettings = {
  isMaker: {
    key: 'maker',
    unit: 'flag',
    default: false,
    says: 'True if the account may quote Block RFQs',
    otherwise: 'false',
    examples: [true],
  },
  makerAlias: {
    ...alias,
    key: 'maker_alias',
    says: 'Alias as a maker',
    otherwise: 'MAKER and the account number',
  },
  takerAlias: {
    ...alias,
    key: 'taker_alias',
    says: 'Alias as a taker',
    otherwise: 'TAKER and the account number',
  },
  preventsSelfMatch: {
    key: null,
    unit: 'flag',
    default: false,
    says: 'True if the account never trades with accounts of the same owner',
  },
  broker: {
    key: 'broker',
    unit: 'text',
    min: 1,
    default: null,
    says: "Name of its broker's account",
    examples: ['desk'],
  },
  quoteLimits: {
    key: 'quote_limits',
    items: { key: null, fields: limitSettings, says: 'A limit' },
    default: [],
    repeats: 'kept',
    says: "Maximum size of a leg in the account's quotes, by kind and currency pair",
  },
} as const satisfies SettingsOf<RfqRole<string>>

/** The default role of an account. */
export const usualRole: RfqRole<never> = defaultsOf<RfqRole<never>>(rfqRoleSettings)
