/**
 * Commands of Block RFQs. Amounts count units of the structure, in 1e-9: a leg trades the amount times its ratio.
 *
 * Source: sessions-blocks-gateways.md 5.
 */
import type { AccountId, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import type { RfqRole } from '../block-and-rfq-settings.ts'
import type { Side } from '../words/orders.ts'
import type { BlockLeg } from './block-commands.ts'
import type { CommandHeader } from './header.ts'

/** A leg in the taker's request. */
export interface RfqAsk {
  readonly instrument: InstrumentId
  readonly side: Side
  readonly amount: Lots
}

/** A leg of a structure. */
export interface RfqLeg {
  readonly instrument: InstrumentId
  /** The taker's side if the taker buys the structure. */
  readonly side: Side
  readonly ratio: number
}

/** A leg of a quote with its price; null if the quote has one price for the whole structure. */
export interface RfqQuotedLeg extends RfqLeg {
  readonly price: Price9 | null
}

/** A client of a broker, as named in a pre-allocation. */
export interface RfqClient {
  readonly id: number
  readonly name: string
}

/** A part of an RFQ that another account takes. */
export interface RfqAllocation {
  readonly account: AccountId
  /** Null if the account is named directly. */
  readonly client: RfqClient | null
  readonly amount9: bigint
}

/** Requests quotes. Events: `block_rfq` created. The `count` of `request` is the number of the RFQ. */
export interface CreateBlockRfq extends CommandHeader {
  readonly kind: 'create_block_rfq'
  readonly legs: readonly RfqAsk[]
  /** The taker's side if the taker buys the structure. */
  readonly hedge: BlockLeg | null
  readonly label: string
  /** Aliases of makers; an empty list means all makers. */
  readonly makers: readonly string[]
  readonly disclosed: boolean
  /** Empty if the taker takes the whole amount. */
  readonly allocations: readonly RfqAllocation[]
  readonly appName: string | null
}

/**
 * Cancels an RFQ of the account that sends the command. Events: `block_rfq_quote` of each quote, then `block_rfq`
 * cancelled.
 */
export interface CancelBlockRfq extends CommandHeader {
  readonly kind: 'cancel_block_rfq'
  readonly rfq: number
}

/**
 * Trades the whole amount of an RFQ on one side. Events, for each maker in the order of the parts that they fill: those
 * of a block trade, `block_rfq_quote` filled; then the other quotes, and `block_rfq` filled. With `rests` and if the
 * quotes cannot fill the amount: `block_rfq` trigger_placed.
 */
export interface AcceptBlockRfq extends CommandHeader {
  readonly kind: 'accept_block_rfq'
  readonly rfq: number
  /** The taker's side. */
  readonly side: Side
  /** Worst price that the taker accepts, in 1e-9. */
  readonly price9: bigint
  readonly amount9: bigint
  readonly legs: readonly RfqLeg[]
  /** Null if the request has no hedge. */
  readonly hedge: BlockLeg | null
  /** True for good_til_cancelled. */
  readonly rests: boolean
}

/** Cancels the triggers of an RFQ. Events: `block_rfq` trigger_cancelled of each. */
export interface CancelRfqTrigger extends CommandHeader {
  readonly kind: 'cancel_rfq_trigger'
  readonly rfq: number
}

/** Terms of a quote that an edit can change. */
export interface RfqQuoteTerms {
  readonly amount9: bigint
  readonly legs: readonly RfqQuotedLeg[]
  /** Price of the structure in 1e-9; null if it follows from the legs. */
  readonly price9: bigint | null
  /** Null if the request has no hedge. */
  readonly hedge: BlockLeg | null
}

/**
 * Quotes one side of an RFQ. Events: `block_rfq_quote` added, then those of a trade that the quote triggers. The
 * `count` of `request` is the id of the quote.
 */
export interface AddRfqQuote extends CommandHeader, RfqQuoteTerms {
  readonly kind: 'add_rfq_quote'
  readonly rfq: number
  /** The maker's side of the structure. */
  readonly side: Side
  readonly label: string
  readonly allOrNone: boolean
  /** Null if the quote lives as long as the RFQ. */
  readonly expiresAt: Micros | null
  readonly appName: string | null
}

/** Identifies a quote by its id, or by its RFQ and its label. */
export type RfqQuoteName = { readonly quote: number } | { readonly rfq: number; readonly label: string }

/**
 * Changes a quote, which loses its time priority. Events: `block_rfq_quote` replaced, then those of a trade that the
 * quote triggers.
 */
export interface EditRfqQuote extends CommandHeader, RfqQuoteTerms {
  readonly kind: 'edit_rfq_quote'
  readonly named: RfqQuoteName
}

/** Cancels a quote. Events: `block_rfq_quote` cancelled. */
export interface CancelRfqQuote extends CommandHeader {
  readonly kind: 'cancel_rfq_quote'
  readonly named: RfqQuoteName
}

/**
 * Cancels all quotes of the account that sends the command, or its quotes on one RFQ. The `count` of `request` is their
 * number.
 */
export interface CancelRfqQuotes extends CommandHeader {
  readonly kind: 'cancel_rfq_quotes'
  /** Null for all RFQs. */
  readonly rfq: number | null
}

/** Changes parts of the role of an account in Block RFQs. It has no event except `request`. */
export interface SetRfqParty extends CommandHeader {
  readonly kind: 'set_rfq_party'
  readonly target: AccountId
  /** Omitted parts do not change. */
  readonly role: Partial<RfqRole>
}

/** Commands of Block RFQs. */
export type RfqCommand =
  | CreateBlockRfq
  | CancelBlockRfq
  | AcceptBlockRfq
  | CancelRfqTrigger
  | AddRfqQuote
  | EditRfqQuote
  | CancelRfqQuote
  | CancelRfqQuotes
  | SetRfqParty

/** The codes of these commands, as in `commandCodes`. */
export const rfqCodes = {
  create_block_rfq: 50,
  cancel_block_rfq: 51,
  accept_block_rfq: 52,
  cancel_rfq_trigger: 53,
  add_rfq_quote: 54,
  edit_rfq_quote: 55,
  cancel_rfq_quote: 56,
  cancel_rfq_quotes: 57,
  set_rfq_party: 58,
} as const satisfies { readonly [Kind in RfqCommand['kind']]: number }
