/** The profile of an account: choices of its owner that queries return and no other code uses (R56). */
import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import { type Currency, currencies } from './words/currencies.ts'

/** The choices of an account's owner. */
export interface AccountProfile {
  /** Null for the account's name at example.com. */
  readonly email: string | null
  readonly loginEnabled: boolean
  readonly hasPassword: boolean
  readonly receivesNotifications: boolean
  readonly securityKeysEnabled: boolean
  /** Names of actions that require a security key. */
  readonly securityKeys: readonly string[]
  /** Currencies whose portfolios queries return even if they are empty. */
  readonly currencies: readonly Currency[]
  /** Name that the main account gave it; null for the name of the account. */
  readonly username: string | null
}

const flag = { unit: 'flag', default: false, otherwise: 'not' } as const

/** Usernames. Assumed: the venue's page names no form. */
export const accountTitle: RegExp = /^[A-Za-z0-9_.-]{1,32}$/

/** Declaration of the settings of a profile. */
export const profileSettings = {
  email: {
    key: 'email',
    unit: 'text',
    min: 1,
    max: 128,
    default: null,
    says: 'Email address',
    otherwise: 'account name at example.com',
    examples: ['desk@example.org'],
  },
  loginEnabled: { ...flag, key: 'login_enabled', says: 'True if the owner may log in' },
  hasPassword: { ...flag, key: 'is_password', says: 'True if the owner has a password' },
  receivesNotifications: {
    ...flag,
    key: 'receive_notifications',
    says: 'True if the owner receives notifications',
  },
  securityKeysEnabled: {
    ...flag,
    key: 'security_keys_enabled',
    says: 'True if the owner has security keys',
  },
  securityKeys: {
    key: 'security_keys_assignments',
    items: { key: null, unit: 'text', min: 1, max: 32, says: 'An action' },
    default: [],
    repeats: 'kept',
    says: 'Actions that require a security key',
    otherwise: 'nothing',
    examples: [['login']],
  },
  currencies: {
    key: 'portfolio',
    items: { key: null, unit: 'word', words: currencies, says: 'A currency' },
    default: [],
    repeats: 'kept',
    says: 'Currencies whose portfolios are returned even if they are empty',
    otherwise: 'BTC and ETH',
    examples: [['SOL']],
  },
  username: {
    key: 'username',
    unit: 'text',
    form: { pattern: accountTitle, expected: 'letters, digits, _, - and dots, at most 32' },
    default: null,
    says: 'The username in replies',
    otherwise: 'its name',
    examples: ['desk_2'],
  },
} as const satisfies SettingsOf<AccountProfile>

/** The default profile. */
export const usualProfile: AccountProfile = defaultsOf<AccountProfile>(profileSettings)
