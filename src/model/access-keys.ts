/**
 * Keys of accounts: rights, features, and the name of the application that asks with them.
 *
 * Source: sessions document 2.3, 4.7.
 */
import type { SettingsOf } from './settings/declaration.ts'
import { type AccessScope, accessScopes, clientAddress, type KeyFeature, keyFeatures } from './words/access.ts'

/** Terms of a key. */
export interface KeyTerms {
  /** Rights that it has; null for all. */
  readonly scopes: readonly AccessScope[] | null
  readonly features: readonly KeyFeature[]
  /** Name of the application that asks with it; null for none. */
  readonly appName: string | null
  /** False while it is refused. */
  readonly enabled: boolean
  /** Addresses of clients that a server takes it from; none for all. */
  readonly addresses: readonly string[]
}

/** Terms of a key that its owner changes. */
export interface KeyChanges extends Partial<Pick<KeyTerms, 'scopes' | 'features' | 'enabled' | 'addresses'>> {
  /** Name that lists show. */
  readonly title?: string
  /** The key gets another secret. */
  readonly renews?: true
}

/** Keys of an account, its own among them (sessions document 2.4). */
export const KEYS_MAX = 8

/** The declaration. */
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
