/**
 * Words of accounts and of their money. The position of a word in a list is its code in result tables: words are only
 * ever added at the end.
 *
 * Source: market.md 3.6, 3.7, 6; R52.
 */

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
