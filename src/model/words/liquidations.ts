/**
 * Words of liquidations and of the liquidity support programme. The position of a word in a list is its code in result tables: words are only ever added at
 * the end.
 *
 * Source: market.md 6.6; sessions-blocks-gateways.md 7; R52-R54.
 */
import { currencies } from './currencies.ts'

/** Rows of a liquidation: its start, a round, a position that changed hands, its end. */
export const liquidationKinds = ['started', 'step', 'transfer', 'ended'] as const

/** Currencies whose positions are liquidated; the money of a cross account is told in USD. */
export const liquidationCurrencies = [...currencies, 'USD'] as const

/** The currency whose positions are liquidated; USD for a cross account. */
export type LiquidationCurrency = (typeof liquidationCurrencies)[number]

/**
 * Groups of instruments that a participant of the liquidity support programme has a limit for. The wire
 * calls the tiers by their numbers alone; here they have names, because records are never keyed by numbers.
 */
export const lspGroups = ['tier_1', 'tier_2', 'tier_3', 'tier_4', 'tier_5', 'tier_6', 'rwa'] as const

/** A group of instruments of the programme. */
export type LspGroup = (typeof lspGroups)[number]

/**
 * States of a participant of the programme. One that is `disabled` failed too often, one that is `removed` still has
 * positions from its time; both take nothing any more and may only reduce.
 */
export const participantStates = ['enabled', 'disabled', 'removed'] as const

/** `healthy`: margin is enough again; `flat`: nothing is left to close. */
export const liquidationOutcomes = ['healthy', 'flat'] as const

/** How a liquidation ended. */
export type LiquidationOutcome = (typeof liquidationOutcomes)[number]

/** Where a part of a picked position goes: the book, a participant of the programme, a counterparty, the fund. */
export const liquidationRoutes = ['book', 'lsp', 'adl', 'fund'] as const

/** The way that a part of the picked position went. */
export type LiquidationRoute = (typeof liquidationRoutes)[number]

/**
 * Why rounds pick positions.
 * - `reduces_delta`: a future whose reduction lowers the size of the account's delta, with the largest margin.
 * - `largest_future`, `largest_option`: the future, or the short option, with the largest margin.
 * - `close_out`: nothing of the account is worth anything any more; what is left goes to the fund at its mark.
 */
export const pickRules = ['reduces_delta', 'largest_future', 'largest_option', 'close_out'] as const

/** Why a round picked a position. */
export type PickRule = (typeof pickRules)[number]
