/**
 * Words of liquidations and of the liquidity support programme. The position of a word in a list is its code in result
 * tables: words are only ever added at the end.
 *
 * Source: market.md 6.6; sessions-blocks-gateways.md 7; R52-R54.
 */
import { currencies } from './currencies.ts'

/** Rows of a liquidation: its start, a round, a transfer of a position, its end. */
export const liquidationKinds = ['started', 'step', 'transfer', 'ended'] as const

/** Currencies whose positions are liquidated; for a cross account USD. */
export const liquidationCurrencies = [...currencies, 'USD'] as const

/** The currency whose positions are liquidated; USD for a cross account. */
export type LiquidationCurrency = (typeof liquidationCurrencies)[number]

/**
 * Groups of instruments for which a participant of the liquidity support programme has a limit. The wire calls the
 * tiers by their numbers; here they have names, because records are never keyed by numbers.
 */
export const lspGroups = ['tier_1', 'tier_2', 'tier_3', 'tier_4', 'tier_5', 'tier_6', 'rwa'] as const

/** A group of instruments of the programme. */
export type LspGroup = (typeof lspGroups)[number]

/**
 * States of a participant of the programme. A `disabled` participant failed too often; a `removed` one still has
 * positions from its time in the programme. Both receive no more positions and may only reduce.
 */
export const participantStates = ['enabled', 'disabled', 'removed'] as const

/** `healthy`: the margin is sufficient again; `flat`: no position remains. */
export const liquidationOutcomes = ['healthy', 'flat'] as const

/** How a liquidation ended. */
export type LiquidationOutcome = (typeof liquidationOutcomes)[number]

/**
 * Destinations of a part of a selected position: the book, a participant of the programme, a counterparty, the
 * insurance fund.
 */
export const liquidationRoutes = ['book', 'lsp', 'adl', 'fund'] as const

/** The destination of a part of the selected position. */
export type LiquidationRoute = (typeof liquidationRoutes)[number]

/**
 * Rules by which rounds select positions.
 * - `reduces_delta`: a future whose reduction lowers the size of the account's delta, with the largest margin.
 * - `largest_future`, `largest_option`: the future, or the short option, with the largest margin.
 * - `close_out`: the account has no value left; the insurance fund takes the remaining positions at their mark.
 */
export const pickRules = ['reduces_delta', 'largest_future', 'largest_option', 'close_out'] as const

/** The rule by which a round selected a position. */
export type PickRule = (typeof pickRules)[number]
