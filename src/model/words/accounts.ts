/**
 * Words of accounts and of their money. The position of a word in a list is its code in result tables: words are only
 * ever added at the end.
 *
 * Source: market.md 3.6, 3.7, 6; R52.
 */

/** An area of methods. */
export type AccessArea = (typeof accessAreas)[number]

/** Level of rights within an area. */
export type AccessLevel = (typeof accessLevels)[number]

/** The right that a method requires of a token: an area and a level. */
export type AccessScope = `${AccessArea}:${Exclude<AccessLevel, 'none'>}`

/**
 * The access that a method requires.
 * - `public`: none.
 * - `sim`: permission to control the simulator.
 * - `any`: any token.
 * - a scope: a token with this scope.
 */
export type MethodScope = 'public' | 'sim' | 'any' | AccessScope

/** A feature of a key. */
export type KeyFeature = (typeof keyFeatures)[number]

/** A kind of entry of the access log. */
export type AccessEntry = (typeof accessEntries)[number]

/**
 * Margin models of the venue (market.md 6): standard or portfolio margin, for each currency separately (`segregated`)
 * or for all of them together (`cross`).
 */
export const marginModels = ['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'] as const

/** A margin model. */
export type MarginModel = (typeof marginModels)[number]

/** The other side of a cash movement: outside of the venue, or another account. */
export const cashTypes = ['outside', 'transfer'] as const

/** Origin of a position without a trade: a scenario, or a move from another account of the owner. */
export const givenTypes = ['given', 'moved'] as const

/** Ways in which the profit of a session becomes cash. */
export const settlementTypes = ['settlement', 'delivery', 'bankruptcy'] as const

/** A way in which the profit of a session becomes cash. */
export type SettlementType = (typeof settlementTypes)[number]

/** A way in which the profit in an instrument becomes cash. */
export type InstrumentSettlementType = Extract<SettlementType, 'settlement' | 'delivery'>

/** The scope of a settlement record: one account, all holders of an instrument, or a whole currency. */
export const settlementScopes = ['account', 'instrument', 'currency'] as const

/** The venue's modes of self-match prevention (C27). */
export const venueSelfMatchModes = ['reject_taker', 'cancel_maker'] as const

/** Modes of self-match prevention. `off`, which lets orders of one account trade, exists only in the simulator. */
export const selfMatchModes = [...venueSelfMatchModes, 'off'] as const

/** A mode for incoming orders that would match an order of the same account (C27). */
export type SelfMatchMode = (typeof selfMatchModes)[number]

/**
 * Access: the rights of keys and tokens, and the right that a method requires.
 *
 * Source: sessions document 2.3; trading.md 4.1, 4.7, 5; coverage S202, S282.
 */

/** Areas of methods, in the order of tokens. `direct_access` contains the gateways. */
export const accessAreas = ['account', 'block_rfq', 'block_trade', 'trade', 'wallet', 'direct_access'] as const

/** Levels of rights within an area; `read_write` allows reading too. */
export const accessLevels = ['none', 'read', 'read_write'] as const

/** Rights, in the words of keys and tokens. */
export const accessScopes: readonly AccessScope[] = accessAreas.flatMap((area): AccessScope[] => [
  `${area}:read`,
  `${area}:read_write`,
])

/** Names of keys: letters, digits, `_` and `-`, at most 32. */
export const keyName: RegExp = /^[A-Za-z0-9_-]{1,32}$/

/**
 * Features of keys in addition to their rights.
 * - `block_trade_approval`: block trades with this key wait for the approval of another key of the account (4.7).
 */
export const keyFeatures = ['block_trade_approval'] as const

/** Addresses of clients, IPv4 or IPv6. */
export const clientAddress: RegExp = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]{2,45})$/

/** Names that owners give their keys (the venue's page of `create_api_key`). */
export const keyTitle: RegExp = /^[A-Za-z0-9_]{1,16}$/

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

/** True if the rights include a scope. The right to write includes the right to read. */
export function allowsScope(rights: readonly AccessScope[], scope: MethodScope): boolean {
  if (scope === 'public' || scope === 'sim' || scope === 'any') return true
  return rights.some((right) => right === scope || right === `${scope}_write`)
}
