/** Accounts. An account is a (sub)account of the venue, or a house account. */

import { type AccountId, accountId } from '../core/index.ts'
import { keySettings } from './access-keys.ts'
import { rfqRoleSettings } from './block-and-rfq-settings.ts'
import type { Fields, SettingsOf } from './settings/declaration.ts'
import { defaultsOf } from './settings/defaults.ts'
import { keyName, type MarginModel } from './words/accounts.ts'
import { type Currency, currencies } from './words/currencies.ts'

/** An account of a run. */
export interface Account {
  readonly id: AccountId
  readonly name: string
  readonly marginModel: MarginModel
  /** The main account of a subaccount; for a main account, the account itself. */
  readonly main: AccountId
  /** Share of the fees of its fills that it pays, in parts per million; 1,000,000 is all. */
  // Source: market.md 4.
  readonly feePpm: number
  /** House accounts receive fees and take the other side of given positions. No margin requirement applies to them. */
  readonly house: boolean
}

/** The profile of an account: choices of its owner that queries return and no other code uses. */
// Source: R56.

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

const flag = { unit: 'flag', default: false, otherwise: 'false' } as const

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
    otherwise: 'none',
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
    otherwise: 'account name',
    examples: ['desk_2'],
  },
} as const satisfies SettingsOf<AccountProfile>

/** The default profile. */
export const usualProfile: AccountProfile = defaultsOf<AccountProfile>(profileSettings)

/** The house account that receives fees. */
export const feeAccount: AccountId = accountId(0)

/** The house account on the other side of positions that a scenario gives at its start. */
export const positionAccount: AccountId = accountId(1)

/** The house account on the other side of settlements, where the residue of rounding stays. */
export const roundingAccount: AccountId = accountId(2)

/** The insurance fund. */
export const insuranceAccount: AccountId = accountId(3)

/** Names of the house accounts, in the order of their ids. Names with a dot are reserved. */
export const houseAccountNames: readonly string[] = [
  'house.fees',
  'house.positions',
  'house.rounding',
  'house.insurance',
]

/**
 * The house account on the other side of fills from a recorded book. The engine opens it when it lists the first
 * instrument with recorded liquidity.
 */
export const marketAccountName = 'market'

/**
 * The house account that holds the money of pending withdrawals. The engine opens it when the first withdrawal is
 * confirmed.
 */
export const transitAccountName = 'house.withdrawals'

/** The account of requests without one, such as `sim/` controls. */
export const NO_ACCOUNT = -1

/**
 * Settings of accounts that files give in addition to their money: keys, profiles, roles in Block RFQs. Each setting is
 * declared next to its interface.
 */

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
