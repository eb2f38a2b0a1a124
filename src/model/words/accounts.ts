/**
 * Words of accounts and of their money. The position of a word in a list is its code in result tables: words are only
 * ever added at the end.
 *
 * Source: market.md 3.6, 3.7, 6; R52.
 */

/**
 * Margin models of the venue (market.md 6): standard or portfolio margin, of each currency by itself
 * (`segregated`) or of all of them together (`cross`).
 */
export const marginModels = ['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'] as const

/** A margin model. */
export type MarginModel = (typeof marginModels)[number]

/** Where cash comes from or goes to: outside of the venue, or another account. */
export const cashTypes = ['outside', 'transfer'] as const

/** Who gives positions that come without a trade: a scenario, or their owner from another account. */
export const givenTypes = ['given', 'moved'] as const

/** Ways in which the profit of a session becomes cash. */
export const settlementTypes = ['settlement', 'delivery', 'bankruptcy'] as const

/** A way in which the profit of a session becomes cash. */
export type SettlementType = (typeof settlementTypes)[number]

/** The same of the profit in an instrument. */
export type InstrumentSettlementType = Extract<SettlementType, 'settlement' | 'delivery'>

/** A record of a settlement counts one account, all holders of an instrument, or a whole currency. */
export const settlementScopes = ['account', 'instrument', 'currency'] as const

/** Modes of self-match prevention that the venue has (C27). */
export const venueSelfMatchModes = ['reject_taker', 'cancel_maker'] as const

/** Modes of self-match prevention; `off`, which lets orders of one account trade, is of the simulator alone. */
export const selfMatchModes = [...venueSelfMatchModes, 'off'] as const

/** A mode for incoming orders that would meet an order of their own account (C27). */
export type SelfMatchMode = (typeof selfMatchModes)[number]
