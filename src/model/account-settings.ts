/**
 * Settings of accounts that files give in addition to their money: keys, profiles, roles in Block RFQs. Each setting is
 * declared next to its interface.
 */
import { keySettings } from './access-keys.ts'
import { profileSettings } from './profile.ts'
import { rfqRoleSettings } from './rfq-roles.ts'
import type { Fields } from './settings/declaration.ts'
import { keyName } from './words/access.ts'

/** The settings of an account by their names. */
export const accountSettings = {
  keys: {
    key: 'keys',
    by: 'name',
    names: { pattern: keyName, expected: 'a name of up to 32 letters, digits, _ and -' },
    each: { key: null, fields: keySettings, says: 'A key' },
    default: {},
    says: 'Keys of the account by name; a step uses a key with account/key',
    examples: [{ desk: { features: ['block_trade_approval'] } }],
  },
  profile: {
    key: 'profile',
    fields: profileSettings,
    absent: 'partial',
    says: "The owner's profile, which queries return",
    examples: [{ login_enabled: true }],
  },
  blockRfq: {
    key: 'block_rfq',
    fields: rfqRoleSettings,
    absent: 'partial',
    says: 'Role in Block RFQs',
    examples: [{ maker: true, maker_alias: 'ALPHA' }],
  },
} as const satisfies Fields
