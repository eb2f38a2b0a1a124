/**
 * The profile of an account: what its owner chose, which queries tell and nothing else looks at (R56).
 */
import type { Currency } from './words/currencies.ts'

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
}

/** The profile of an account that chose nothing. */
export const usualProfile: AccountProfile = {
  email: null,
  loginEnabled: false,
  hasPassword: false,
  receivesNotifications: false,
  securityKeysEnabled: false,
  securityKeys: [],
  currencies: [],
}
