/**
 * What a key or a token allows, and what a method asks of it.
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

/** What is allowed within an area; `read_write` allows reading too. */
export const accessLevels = ['none', 'read', 'read_write'] as const

/** What is allowed within an area. */
export type AccessLevel = (typeof accessLevels)[number]

/** What a method asks of a token: an area and what is done there. */
export type AccessScope = `${AccessArea}:${Exclude<AccessLevel, 'none'>}`

/**
 * Who may ask for a method.
 * - `public`: everybody.
 * - `sim`: whoever may control the simulator.
 * - `any`: every token.
 * - a scope: a token that has it.
 */
export type MethodScope = 'public' | 'sim' | 'any' | AccessScope
