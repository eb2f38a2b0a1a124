/**
 * Rows of Block RFQs: open RFQs with their quotes, RFQs that closed within the window of ratings, and the roles of
 * accounts in Block RFQs.
 *
 * Sizes of a structure count `sizeUnit9` and prices of a structure count `priceUnit9`, both in 1e-9. These are the
 * coarsest units of which all sizes and all prices of its legs are multiples. A leg trades its ratio times the size.
 *
 * Source: sessions-blocks-gateways.md 5.
 */
import {
  changing,
  fixed,
  type Lots,
  type Micros,
  mapOf,
  orNull,
  type Price9,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  units,
  wordUnit,
} from '../../core/index.ts'
import {
  type BlockLeg,
  executionInstructions,
  type RfqClient,
  type RfqLeg,
  type RfqReason,
  type RfqRole,
  type RfqTriggerState,
  rfqRoleSettings,
  rfqStates,
  type Side,
  settingFields,
} from '../../model/index.ts'

export const rfqQuoteFields = {
  quote: fixed(units.count),
  maker: fixed(units.row),
  /** The maker's side of the structure. */
  side: fixed(plainUnit<Side>('side')),
  instruction: fixed(wordUnit('execution instruction', executionInstructions)),
  label: fixed(units.text),
  appName: fixed(orNull(units.text)),
  createdAt: fixed(units.micros),
  expiresAt: fixed(units.micros),
  /** The timer of the quote's expiry; null if the quote ends with its RFQ. */
  timer: fixed(orNull(units.timerId)),
  amount: changing(units.count),
  /** Price of the structure. */
  price: changing(units.count),
  /** Prices of the legs, in their order. */
  legPrices: changing(plainUnit<readonly Price9[]>('prices of legs')),
  updatedAt: changing(units.micros),
  replaced: changing(units.flag),
}

/** An open quote on an RFQ. */
export interface RfqQuoteRow extends RowOf<typeof rfqQuoteFields> {}

/** A trigger of a taker: it trades as soon as quotes within its price fill the whole amount. */
export interface RfqTrigger {
  readonly side: Side
  /** Worst price of the structure. */
  readonly price: number
  readonly state: RfqTriggerState
  /** Null while it waits. */
  readonly reason: RfqReason | null
  /** Set if it was placed over the session of a mobile device, otherwise omitted. */
  readonly mobile?: true
}

/** A maker's part of a fill. */
export interface RfqTrade {
  readonly maker: number
  readonly quote: number
  /** The taker's side. */
  readonly side: Side
  readonly price: number
  readonly amount: number
  readonly block: number
  /** Lots of the hedge; null without a hedge. */
  readonly hedge: Lots | null
}

/** Best solution on one side, as the taker sees it. */
export interface RfqShown {
  /** The worst price that it needs. */
  readonly price: number
  /** In order of priority. A maker appears once for each of its quotes. */
  readonly makers: readonly number[]
  readonly allOrNone: boolean
  readonly updatedAt: Micros
  readonly expiresAt: Micros
}

/** Both sides as the taker sees them. */
export interface RfqDisplay {
  readonly bid: RfqShown | null
  readonly ask: RfqShown | null
}

/** A part of an RFQ that another account receives. */
export interface RfqShare {
  readonly account: number
  readonly client: RfqClient | null
  readonly amount: number
}

/** A price of an index. */
export interface RfqIndex {
  readonly index: string
  readonly price: Price9
}

export const rfqFields = {
  rfq: fixed(units.count),
  taker: fixed(units.row),
  sizeUnit9: fixed(units.nano),
  priceUnit9: fixed(units.nano),
  legs: fixed(plainUnit<readonly RfqLeg[]>('legs of a structure')),
  amount: fixed(units.count),
  /** Smallest part that may be quoted, and the step between sizes of parts. */
  least: fixed(units.count),
  step: fixed(units.count),
  /** The hedge with the taker's side, for a taker who buys the structure. */
  hedge: fixed(plainUnit<BlockLeg | null>('hedge or null')),
  /** Targeted makers; empty if all makers are targeted. */
  makers: fixed(plainUnit<readonly number[]>('accounts')),
  disclosed: fixed(units.flag),
  label: fixed(units.text),
  appName: fixed(orNull(units.text)),
  shares: fixed(plainUnit<readonly RfqShare[]>('pre-allocation')),
  createdAt: fixed(units.micros),
  expiresAt: fixed(units.micros),
  graceUntil: fixed(units.micros),
  expiry: fixed(units.timerId),
  state: changing(wordUnit('state of a Block RFQ', rfqStates)),
  closedAt: changing(orNull(units.micros)),
  /** Mark of the structure, in 1e-9: at creation, and later at the fill. */
  mark9: changing(units.wide),
  quotes: fixed(mapOf(units.count, rowUnit('quote on a Block RFQ', rfqQuoteFields))),
  /** Makers of quotes that ended, by the number of the quote. */
  ended: fixed(mapOf(units.count, units.row)),
  /** The newest trigger of each side, the latest one last. */
  triggers: changing(plainUnit<readonly RfqTrigger[]>('triggers')),
  shown: changing(plainUnit<RfqDisplay>('solutions that the taker sees')),
  /** The time since which the taker sees a complete solution; null without one. */
  shownSince: changing(orNull(units.micros)),
  /** True once it counts for the rating of its taker. */
  included: changing(units.flag),
  /** The taker's side in the fill. */
  filledSide: changing(plainUnit<Side | null>('side or null')),
  trades: changing(plainUnit<readonly RfqTrade[]>('trades')),
  /** Prices of indices at the fill. */
  indices: changing(plainUnit<readonly RfqIndex[]>('prices of indices')),
}

/** A Block RFQ. */
export interface RfqRow extends RowOf<typeof rfqFields> {}

export const rfqPartyFields = settingFields<RfqRole<number>, false>(rfqRoleSettings, changing)

/** The role of an account in Block RFQs. */
export interface RfqParty extends RowOf<typeof rfqPartyFields> {}

export const rfqStateFields = {
  /** Number of RFQs and of quotes so far. */
  count: changing(units.count),
  quoteCount: changing(units.count),
  /** By number, in the order of creation. */
  rfqs: fixed(mapOf(units.count, rowUnit('Block RFQ', rfqFields))),
  /** Numbers of the open ones. */
  open: fixed(setOf(units.count)),
  parties: fixed(mapOf(units.row, rowUnit('account in Block RFQs', rfqPartyFields))),
  /** Number of RFQ trades in the window of a group of market-maker protection, by the number of the group. */
  tradeCounts: fixed(mapOf(units.count, units.count)),
}

/** Block RFQs of an exchange. */
interface RfqBook extends RowOf<typeof rfqStateFields> {}

export const rfqBookUnit = rowUnit('Block RFQs', rfqStateFields)

/** Block RFQs of a new exchange. */
export function freshRfqs(): RfqBook {
  return {
    count: 0,
    quoteCount: 0,
    rfqs: new Map(),
    open: new Set(),
    parties: new Map(),
    tradeCounts: new Map(),
  }
}

/** True if the exchange never had an RFQ or an account with a role. Snapshots and hashes omit such a state. */
export function isRfqFree({ count, quoteCount, parties }: RfqBook): boolean {
  return count === 0 && quoteCount === 0 && parties.size === 0
}
