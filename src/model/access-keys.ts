/**
 * Keys of accounts: rights, features, and the name of the application that asks with them.
 *
 * Source: sessions document 2.3, 4.7.
 */
import type { SettingsOf } from './settings/declaration.ts'
import { type AccessScope, accessScopes, type KeyFeature, keyFeatures } from './words/access.ts'

/** Terms of a key. */
export interface KeyTerms {
  /** Rights that it has; null for all. */
  readonly scopes: readonly AccessScope[] | null
  readonly features: readonly KeyFeature[]
  /** Name of the application that asks with it; null for none. */
  readonly appName: string | null
}

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
} as const satisfies SettingsOf<KeyTerms>
