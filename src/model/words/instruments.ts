/**
 * Words of instruments. The position of a word in a list is its code in result tables: words are only ever added at the
 * end.
 *
 * Source: market.md 1.2, 1.3; interface document, get_instruments; sessions-blocks-gateways.md 8.1; coverage R21.
 */

/** Kinds in the API of the venue; perpetuals are futures. */
export const instrumentKinds = ['future', 'option', 'spot', 'future_combo', 'option_combo'] as const

/** A kind in the API of the venue. */
export type InstrumentKind = (typeof instrumentKinds)[number]

/**
 * The computation of money from a fill.
 * - `inverse`: amount in USD, profit in the base coin: amount * (1/entry - 1/exit).
 * - `linear`: amount in base coin, profit in the quote currency: amount * (exit - entry).
 * - `spot`: base and quote change hands immediately.
 */
export const payoffs = ['inverse', 'linear', 'spot'] as const

/** The computation of money from a fill. */
export type Payoff = (typeof payoffs)[number]

/** A payoff of instruments with positions. A new payoff of this kind must be named here. */
export type PositionPayoff = Extract<Payoff, 'inverse' | 'linear'>

/** States of the venue's book; the filter values of `get_instruments`. */
export const instrumentStates = ['open', 'inactive', 'settlement', 'delivered', 'locked', 'halted'] as const

/** A state of the venue's book. */
export type InstrumentState = (typeof instrumentStates)[number]

/** Risk groups of base symbols (R21). */
export const productGroups = ['BTC', 'ETH', 'TIER_2', 'TIER_3'] as const

/** The risk group of a base symbol. */
export type ProductGroup = (typeof productGroups)[number]

/** Tenor classes; spot has no class. */
export const settlementPeriods = ['perpetual', 'day', 'week', 'month'] as const

/** A tenor class. */
export type SettlementPeriod = (typeof settlementPeriods)[number]

/** Rights that options give: to buy, or to sell. */
export const optionRights = ['call', 'put'] as const

/** The right that an option gives. */
export type OptionRight = (typeof optionRights)[number]

/** Product groups that the owner of an account can disable for it, in the venue's words. */
export const tradingProducts = ['perpetual', 'futures', 'options', 'future_combos', 'option_combos', 'spots'] as const

/** A product group that an owner can disable. */
export type TradingProduct = (typeof tradingProducts)[number]

/** Sets of fee rates; see `withFeeProfile`. */
export const feeProfiles = ['default', 'aug_2026'] as const

/** A set of rates, by name. */
export type FeeProfile = (typeof feeProfiles)[number]

/** The two matching engines of the venue. */
export const matchingEngines = ['main', 'alt'] as const

/** A matching engine of the venue. */
export type MatchingEngine = (typeof matchingEngines)[number]

/** Gateway pairs: all books of one underlying are on one of them (8.1). */
export const gatewayPairs = ['BTC', 'ETH', 'TIER_2', 'TIER_3', 'RWA'] as const

/** A gateway pair: two gateways to the same books. */
export type GatewayPair = (typeof gatewayPairs)[number]
