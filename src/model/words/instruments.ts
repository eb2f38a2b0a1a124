/**
 * Words of instruments. The position of a word in a list is its code in result tables: words are only ever added at
 * the end.
 *
 * Source: market.md 1.2, 1.3; interface document, get_instruments; sessions-blocks-gateways.md 8.1; coverage R21.
 */

/** Kinds on the wire; perpetuals are futures. */
export const instrumentKinds = ['future', 'option', 'spot', 'future_combo', 'option_combo'] as const

/** A kind on the wire. */
export type InstrumentKind = (typeof instrumentKinds)[number]

/**
 * How a fill turns into money.
 * - `inverse`: amount in USD, profit in the base coin: amount * (1/entry - 1/exit).
 * - `linear`: amount in base coin, profit in the quote currency: amount * (exit - entry).
 * - `spot`: base and quote change hands at once.
 */
export const payoffs = ['inverse', 'linear', 'spot'] as const

/** How a fill turns into money. */
export type Payoff = (typeof payoffs)[number]

/** How a fill of what has positions turns into money. A new payoff is none of these until it is named here. */
export type PositionPayoff = Extract<Payoff, 'inverse' | 'linear'>

/** States of the venue's book; the filter values of `get_instruments`. */
export const instrumentStates = ['open', 'inactive', 'settlement', 'delivered', 'locked', 'halted'] as const

/** A state of the venue's book. */
export type InstrumentState = (typeof instrumentStates)[number]

/** Risk groups of base symbols (R21). */
export const productGroups = ['BTC', 'ETH', 'TIER_2', 'TIER_3'] as const

/** The risk group of a base symbol. */
export type ProductGroup = (typeof productGroups)[number]

/** Tenor classes; spot has none. */
export const settlementPeriods = ['perpetual', 'day', 'week', 'month'] as const

/** A tenor class. */
export type SettlementPeriod = (typeof settlementPeriods)[number]

/** Rights that options give: to buy, or to sell. */
export const optionRights = ['call', 'put'] as const

/** The right that an option gives. */
export type OptionRight = (typeof optionRights)[number]

/** Sorts of instruments that the owner of an account can switch off for it, as the venue names them. */
export const tradingProducts = ['perpetual', 'futures', 'options', 'future_combos', 'option_combos', 'spots'] as const

/** A sort of instruments that can be switched off. */
export type TradingProduct = (typeof tradingProducts)[number]

/** Sets of rates of fees; see `withFeeProfile`. */
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
