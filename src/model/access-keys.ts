/**
 * Keys of accounts: rights, features, and the name of the application that uses the key.
 *
 * Source: sessions document 2.3, 4.7.
 */
import type { SettingsOf } from './settings/declaration.ts'
import { type AccessScope, accessScopes, clientAddress, type KeyFeature, keyFeatures } from './words/accounts.ts'

/** Terms of a key. */
export interface KeyTerms {
  /** Rights of the key; null for all. */
  readonly scopes: readonly AccessScope[] | null
  readonly features: readonly KeyFeature[]
  /** Name of the application that uses the key; null if the key names no application. */
  readonly appName: string | null
  /** False while the venue refuses requests with this key. */
  readonly enabled: boolean
  /** Addresses of clients from which a server accepts the key; an empty list accepts all. */
  readonly addresses: readonly string[]
}

/** Terms of a key that its owner can change. */
export interface KeyChanges extends Partial<Pick<KeyTerms, 'scopes' | 'features' | 'enabled' | 'addresses'>> {
  /** Name that lists show. */
  readonly title?: string
  /** True gives the key a new secret. */
  readonly renews?: true
}

/** Largest number of keys of an account, including the key that the account starts with (sessions document 2.4). */
export const KEYS_MAX = 8

/** Declaration of the settings of a key. */
export const keySettings = {
  scopes: {
    key: 'scopes',
    items: { key: null, unit: 'word', words: accessScopes, says: 'A permission' },
    default: null,
    repeats: 'kept',
    says: 'Permissions of the key',
    otherwise: 'all',
    examples: [['block_trade:read_write']],
  },
  features: {
    key: 'features',
    items: { key: null, unit: 'word', words: keyFeatures, says: 'A feature' },
    default: [],
    repeats: 'kept',
    says: 'Features of the key; with block_trade_approval, another key has to approve its block trades',
    examples: [['block_trade_approval']],
  },
  appName: {
    key: 'app_name',
    unit: 'text',
    max: 64,
    default: null,
    says: 'Name of the application that uses the key',
    examples: ['desk'],
  },
  enabled: {
    key: 'enabled',
    unit: 'flag',
    default: true,
    says: 'True if the key may be used',
  },
  addresses: {
    key: 'ip_whitelist',
    items: {
      key: null,
      unit: 'text',
      form: {
        pattern: clientAddress,
        expected: 'an address such as 192.0.2.1 or 2001:db8::1',
      },
      says: 'An address',
    },
    default: [],
    repeats: 'kept',
    says: 'Addresses of clients that a server takes the key from',
    otherwise: 'all',
    examples: [['192.0.2.1']],
  },
} as const satisfies SettingsOf<KeyTerms>
