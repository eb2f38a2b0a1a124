/**
 * Access: the rights of keys and tokens, and the right that a method requires.
 *
 * Source: sessions document 2.3; trading.md 4.1, 4.7, 5; coverage S202, S282.
 */

/** Areas of methods, in the order of tokens. `direct_access` contains the gateways. */
export const accessAreas = ['account', 'block_rfq', 'block_trade', 'trade', 'wallet', 'direct_access'] as const

/** An area of methods. */
export type AccessArea = (typeof accessAreas)[number]

/** Levels of rights within an area; `read_write` allows reading too. */
export const accessLevels = ['none', 'read', 'read_write'] as const

/** Level of rights within an area. */
export type AccessLevel = (typeof accessLevels)[number]

/** The right that a method requires of a token: an area and a level. */
export type AccessScope = `${AccessArea}:${Exclude<AccessLevel, 'none'>}`

/** Rights, in the words of keys and tokens. */
export const accessScopes: readonly AccessScope[] = accessAreas.flatMap((area): AccessScope[] => [
  `${area}:read`,
  `${area}:read_write`,
])

/** Names of keys: letters, digits, `_` and `-`, at most 32. */
export const keyName: RegExp = /^[A-Za-z0-9_-]{1,32}$/

/**
 * The access that a method requires.
 * - `public`: none.
 * - `sim`: permission to control the simulator.
 * - `any`: any token.
 * - a scope: a token with this scope.
 */
export type MethodScope = 'public' | 'sim' | 'any' | AccessScope

/**
 * Features of keys in addition to their rights.
 * - `block_trade_approval`: block trades with this key wait for the approval of another key of the account (4.7).
 */
export const keyFeatures = ['block_trade_approval'] as const

/** Addresses of clients, IPv4 or IPv6. */
export const clientAddress: RegExp = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{2,45})$/

/** Names that owners give their keys (the venue's page of `create_api_key`). */
export const keyTitle: RegExp = /^[A-Za-z0-9_]{1,16}$/

/** A feature of a key. */
export type KeyFeature = (typeof keyFeatures)[number]

/**
 * Entries of the access log of an account (sessions document 3.4): `success` and `failure` are attempts to log in, the
 * others name the change.
 */
export const accessEntries = [
  'success',
  'failure',
  'changed_password',
  'changed_email',
  'enabled_tfa',
  'disabled_tfa',
  'new_api_key',
  'removed_api_key',
  'changed_scope',
  'changed_whitelist',
  'disabled_api_key',
  'enabled_api_key',
  'reset_api_key',
  'enabled_subaccount_login',
  'disabled_subaccount_login',
] as const

/** A kind of entry of the access log. */
export type AccessEntry = (typeof accessEntries)[number]

/** True if the rights include a scope. The right to write includes the right to read. */
export function allowsScope(rights: readonly AccessScope[], scope: MethodScope): boolean {
  if (scope === 'public' || scope === 'sim' || scope === 'any') return true
  return rights.some((right) => right === scope || right === `${scope}_write`)
}
