/**
 * Access: the rights of keys and tokens, and the right that a method asks for.
 *
 * Source: sessions document 2.3; trading.md 4.1, 4.7, 5; coverage S202, S282.
 */

/** Areas of methods, in the order in which a token names them. `direct_access` names the gateways. */
export const accessAreas = [
  'account',
  'block_rfq',
  'block_trade',
  'trade',
  'wallet',
  'direct_access',
] as const

/** An area of methods. */
export type AccessArea = (typeof accessAreas)[number]

/** Levels of rights within an area; `read_write` allows reading too. */
export const accessLevels = ['none', 'read', 'read_write'] as const

/** Level of rights within an area. */
export type AccessLevel = (typeof accessLevels)[number]

/** The right that a method asks of a token: an area and a level. */
export type AccessScope = `${AccessArea}:${Exclude<AccessLevel, 'none'>}`

/**
 * Who may ask for a method.
 * - `public`: everybody.
 * - `sim`: whoever may control the simulator.
 * - `any`: every token.
 * - a scope: a token that has it.
 */
export type MethodScope = 'public' | 'sim' | 'any' | AccessScope
