/**
 * Commands of Block RFQs. Amounts are in the unit of a structure, in 1e-9: a leg trades its ratio times as much.
 *
 * Source: sessions-blocks-gateways.md 5.
 */
import type { AccountId, InstrumentId, Lots, Micros, Price9 } from '../../core/index.ts'
import type { RfqRole } from '../rfq-roles.ts'
import type { Side } from '../words/orders.ts'
import type { BlockLeg } from './block-commands.ts'
import type { CommandHeader } from './header.ts'

/** A leg as a taker asks for it. */
export interface RfqAsk {
  readonly instrument: InstrumentId
  readonly side: Side
  readonly amount: Lots
}

/** A leg of a structure. */
export interface RfqLeg {
  readonly instrument: InstrumentId
  /** The taker's side where he buys the structure. */
  readonly side: Side
  readonly ratio: number
}

/** The same with the price of a quote; null where the price of the whole structure stands for it. */
export interface RfqQuotedLeg extends RfqLeg {
  readonly price: Price9 | null
}

/** A client of a broker as a pre-allocation names him. */
export interface RfqClient {
  readonly id: number
  readonly name: string
}

/** A part of an RFQ that another account takes. */
export interface RfqAllocation {
  readonly account: AccountId
  /** Null where the account is named by itself. */
  readonly client: RfqClient | null
  readonly amount9: bigint
}

/** Asks for quotes. Events: `block_rfq` created. `request` counts the number of the RFQ. */
export interface CreateBlockRfq extends CommandHeader {
  readonly kind: 'create_block_rfq'
  readonly legs: readonly RfqAsk[]
  /** The taker's side where he buys the structure. */
  readonly hedge: BlockLeg | null
  readonly label: string
  /** Aliases; none for all makers. */
  readonly makers: readonly string[]
  readonly disclosed: boolean
  /** Empty where the taker takes all by himself. */
  readonly allocations: readonly RfqAllocation[]
  readonly appName: string | null
}

/** Ends an RFQ of the asker. Events: `block_rfq_quote` of each quote, then `block_rfq` cancelled. */
export interface CancelBlockRfq extends CommandHeader {
  readonly kind: 'cancel_block_rfq'
  readonly rfq: number
}

/**
 * Trades the whole amount of an RFQ on one side. Events, for each maker in the order of his part: those of a block
 * trade, `block_rfq_quote` filled; then the other quotes, and `block_rfq` filled. With `rests` and without a solution:
 * `block_rfq` trigger_placed.
 */
export interface AcceptBlockRfq extends CommandHeader {
  readonly kind: 'accept_block_rfq'
  readonly rfq: number
  /** The taker's side. */
  readonly side: Side
  /** Worst price that he accepts, in 1e-9. */
  readonly price9: bigint
  readonly amount9: bigint
  readonly legs: readonly RfqLeg[]
  /** Null where it is left out. */
  readonly hedge: BlockLeg | null
  /** True for good_til_cancelled. */
  readonly rests: boolean
}

/** Takes back the triggers of an RFQ. Events: `block_rfq` trigger_cancelled of each. */
export interface CancelRfqTrigger extends CommandHeader {
  readonly kind: 'cancel_rfq_trigger'
  readonly rfq: number
}

/** Terms that a quote and its edit have alike. */
export interface RfqQuoteTerms {
  readonly amount9: bigint
  readonly legs: readonly RfqQuotedLeg[]
  /** Price of the structure in 1e-9; null where that follows from the legs. */
  readonly price9: bigint | null
  /** Null where it is left out. */
  readonly hedge: BlockLeg | null
}

/** Quotes one side of an RFQ. Events: `block_rfq_quote` added, then what it sets off. `request` counts its id. */
export interface AddRfqQuote extends CommandHeader, RfqQuoteTerms {
  readonly kind: 'add_rfq_quote'
  readonly rfq: number
  /** The maker's side of the structure. */
  readonly side: Side
  readonly label: string
  readonly allOrNone: boolean
  /** Null for as long as the RFQ. */
  readonly expiresAt: Micros | null
  readonly appName: string | null
}

/** How a quote is named: by its id, or by its RFQ and its label. */
export type RfqQuoteName = { readonly quote: number } | { readonly rfq: number; readonly label: string }

/** Changes a quote, which loses its time priority. Events: `block_rfq_quote` replaced, then what it sets off. */
export interface EditRfqQuote extends CommandHeader, RfqQuoteTerms {
  readonly kind: 'edit_rfq_quote'
  readonly named: RfqQuoteName
}

/** Takes a quote back. Events: `block_rfq_quote` cancelled. */
export interface CancelRfqQuote extends CommandHeader {
  readonly kind: 'cancel_rfq_quote'
  readonly named: RfqQuoteName
}

/** Takes back all quotes of the asker, or those of one RFQ. `request` counts them. */
export interface CancelRfqQuotes extends CommandHeader {
  readonly kind: 'cancel_rfq_quotes'
  /** Null for all RFQs. */
  readonly rfq: number | null
}

/** Changes parts of what an account is to Block RFQs. Events: none of its own. */
export interface SetRfqParty extends CommandHeader {
  readonly kind: 'set_rfq_party'
  readonly target: AccountId
  /** Parts that are left out stay as they are. */
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

/** Their codes, as in `commandCodes`. */
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
