/**
 * Extras that few orders have: protection of a market maker, the identifiers of a quote, the terms of direct access,
 * blocks, and where an order came from.
 *
 * Source: trading.md 5.1, 6.16 (C34); sessions-blocks-gateways.md 8.2, 8.5.
 */
import type { Micros } from '../../core/index.ts'
import type { MmpMembership } from './mmp.ts'

/** Names that a client gives a quote. */
export interface QuoteTerms {
  /** The quote's id in the request that set it last. */
  readonly quoteId: string
  readonly quoteSetId: string
}

/** Terms that only an order of direct access has. */
export interface DirectTerms {
  /** Unique among live orders of its portfolio; null for a quote. */
  readonly clientOrderId: string | null
  /** True if it ends with its session, by its own flag or because the session says so of all (8.10). */
  readonly cancelOnDisconnect: boolean
  /** Number that its request gave itself, which the message of its release repeats; left out of requests without one. */
  readonly correlationId?: string
  /** How many settlements it outlives still; left out of orders that end with the next, and of those that end with none. */
  readonly settlements?: number
  /** End of the trading day in which it outlived one last. */
  readonly outlivedUntil?: Micros
}

/** Where an order came from, as far as its venue tells it (S105); what is not so is left out. */
export interface OrderOrigin {
  /** Name of the application whose key asked. */
  readonly appName?: string
  /** It came over the session of a mobile device. */
  readonly mobile?: true
}

/**
 * Extras that an order has as its request gave them, and that whatever it becomes or brings along has too. Plain data, each
 * left out where there is none. A new one is a line here: the engine hands them on as a whole, and snapshots, state hash, events
 * and log have them with the rest.
 */
export interface LastingExtras {
  readonly origin?: OrderOrigin
}

/** Extras that few orders have. */
export interface OrderExtras extends LastingExtras {
  readonly mmp: MmpMembership | null
  readonly quote: QuoteTerms | null
  readonly direct: DirectTerms | null
  /** True for the order of a leg of a block trade; all others leave it out. */
  readonly block?: true
}

/** The lasting extras of an order; null where it has none. */
export function lastingOf(extras: OrderExtras | null): LastingExtras | null {
  if (extras === null) return null
  const { mmp: _mmp, quote: _quote, direct: _direct, block: _block, ...lasting } = extras
  return Object.keys(lasting).length === 0 ? null : lasting
}

/** The request or the loss behind a change of an order of direct access, as far as nothing else in its event says so. */
export interface ChangedBy {
  /** The session that asked for it, where the order came over another one. */
  readonly session?: number
  /** Number that the request gave itself, where a message tells the change later or to another session. */
  readonly correlationId?: string
  /** True of a request for many orders, whose answer names none. */
  readonly isBulk?: true
  /** True where its group of market-maker protection is gone. */
  readonly isGroupGone?: true
}

/** Extras that a placement asks for beside its terms. */
export interface PlacementExtras {
  /** True if it is protected as a market maker's: a member of the group of orders of its index. */
  readonly mmp: boolean
  /** True if a freeze of that group is ended first; direct access alone (8.9). */
  readonly resetMmp: boolean
  /** Null but for direct access. */
  readonly direct: DirectTerms | null
  /** Null of most. */
  readonly lasting: LastingExtras | null
}
