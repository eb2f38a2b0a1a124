/**
 * Extras that few orders have: market-maker protection, the identifiers of a quote, the terms of direct access, blocks,
 * and the origin of an order.
 *
 * Source: trading.md 5.1, 6.16 (C34); sessions-blocks-gateways.md 8.2, 8.5.
 */
import type { Micros } from '../../core/index.ts'
import type { MmpMembership } from './mmp.ts'

/** Identifiers that a client gives a quote. */
interface QuoteTerms {
  /** The quote's id in the latest request that set it. */
  readonly quoteId: string
  readonly quoteSetId: string
}

/** Terms that only an order of direct access has. */
export interface DirectTerms {
  /** Unique among live orders of its portfolio; null for a quote. */
  readonly clientOrderId: string | null
  /** True if the order ends with its session, by its own flag or because the session sets it for all orders (8.10). */
  readonly cancelOnDisconnect: boolean
  /**
   * The number that the client gave its request. The message of its release repeats it. Omitted if the client gave
   * none.
   */
  readonly correlationId?: string
  /**
   * Number of settlements that the order still outlives; omitted for orders that end with the next settlement, and for
   * those that end with no settlement.
   */
  readonly settlements?: number
  /** End of the last trading day whose settlement the order outlived. */
  readonly outlivedUntil?: Micros
}

/** Origin of an order, as the venue reports it (S105). Each field is omitted if it does not apply. */
export interface ReportedOrigin {
  /** Name of the application whose key placed the order. */
  readonly appName?: string
  /** True if the order came from the session of a mobile device. */
  readonly mobile?: true
}

/**
 * Extras that come from the request and stay with the order, with the orders that it becomes and with its linked
 * orders. They are plain data, and each is optional. To add one, add a line here: the engine passes them on as a whole,
 * and snapshots, state hash, events and log include them.
 */
export interface LastingExtras {
  readonly origin?: ReportedOrigin
}

/** Extras that few orders have. */
export interface OrderExtras extends LastingExtras {
  readonly mmp: MmpMembership | null
  readonly quote: QuoteTerms | null
  readonly direct: DirectTerms | null
  /** True for the order of a leg of a block trade; all others leave it out. */
  readonly block?: true
}

/** The lasting extras of an order; null if all are unset. */
export function lastingOf(extras: OrderExtras | null): LastingExtras | null {
  if (extras === null) return null
  const { mmp: _mmp, quote: _quote, direct: _direct, block: _block, ...lasting } = extras
  return Object.keys(lasting).length === 0 ? null : lasting
}

/** The cause of a change of an order of direct access, with the facts that are in no other column of its event. */
export interface ChangedBy {
  /** The session of the request, if it differs from the session of the order. */
  readonly session?: number
  /** The number that the client gave the request, if a message reports the change later or to another session. */
  readonly correlationId?: string
  /** True for a request that concerns many orders; its answer names no order. */
  readonly isBulk?: true
  /** True if the group of market-maker protection of the order was removed. */
  readonly isGroupGone?: true
}

/** Extras of a placement in addition to its terms. */
export interface PlacementExtras {
  /** True if market-maker protection covers the order as a member of the group of its index. */
  readonly mmp: boolean
  /** True if the placement first ends a freeze of that group; only for direct access (8.9). */
  readonly resetMmp: boolean
  /** Null except for direct access. */
  readonly direct: DirectTerms | null
  /** Null for most placements. */
  readonly lasting: LastingExtras | null
}
