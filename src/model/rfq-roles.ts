/**
 * Roles of accounts in Block RFQs: maker, aliases, the broker of a client, limits on the size of quotes.
 *
 * Source: sessions-blocks-gateways.md 5.4, 5.5.
 */
import type { AccountId } from '../core/index.ts'
import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import { type InstrumentKind, instrumentKinds } from './words/instruments.ts'

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
    otherwise: 'not',
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
