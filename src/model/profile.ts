/**
 * The profile of an account: what its owner chose, which queries tell and nothing else looks at (R56).
 */
import type { SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import { type Currency, currencies } from './words/currencies.ts'

/** The choices of an account's owner. */
export interface AccountProfile {
  /** Null for the name of the account at example.com. */
  readonly email: string | null
  readonly loginEnabled: boolean
  readonly hasPassword: boolean
  readonly receivesNotifications: boolean
  readonly securityKeysEnabled: boolean
  /** Names of what security keys are asked for. */
  readonly securityKeys: readonly string[]
  /** Currencies whose portfolios are told though there is nothing in them. */
  readonly currencies: readonly Currency[]
  /** Name that its main account gave it; null for the name of the account. */
  readonly username: string | null
}

const flag = { unit: 'flag', default: false, otherwise: 'not' } as const

/** Usernames. Assumed: the venue's page names no form. */
export const accountTitle: RegExp = /^[A-Za-z0-9_.-]{1,32}$/

/** The declaration. */
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

/** The profile of an account that chose nothing. */
export const usualProfile: AccountProfile = defaultsOf<AccountProfile>(profileSettings)
