/**
 * An order as the steps of validation see it, from any origin: placed by a request, fired by its trigger, caused by a
 * fill, edited, quoted or repriced.
 *
 * Source: trading.md C07.
 */
import { NO_SLOT, ownerOf, priceOf, remainingOf } from '../../book/index.ts'
import { type Ticks, ticks } from '../../core/index.ts'
import {
  type AdvancedTerms,
  type DirectTerms,
  entryTypeOf,
  NO_ORDER,
  NO_SESSION,
  type OrderTerms,
  type OrderType,
  type PlacementExtras,
  type PostOnly,
  type Refusal,
  type Side,
  type TriggerTerms,
} from '../../model/index.ts'
import {
  type Exchange,
  findHolding,
  type InstrumentRow,
  instrumentOf,
  type LiveOrder,
  type MmpGroup,
  orderAt,
} from '../state/index.ts'
import { type Entry, newEntry } from './dry-run.ts'
import { allocation } from './reduce-only.ts'

/**
 * Ways to the book. They decide which steps apply.
 * - `enter`: a placement by JSON-RPC, a trigger order that fires, or a secondary that is due.
 * - `wait`: an order that will wait for a price.
 * - `sleep`: a secondary that is created with its primary and waits for it.
 * - `edit`: a live order with other terms.
 * - `edit_waiting`: an edit of an order that waits for a price or a fill; the remaining checks follow when it enters.
 * - `quote`: one side of a quote; its group has the margin.
 * - `direct`: a placement by direct access, which has its own order of checks (8.5).
 * - `move`: a live order to which the engine gives another price or size.
 */
export const ways = ['enter', 'wait', 'sleep', 'edit', 'edit_waiting', 'quote', 'direct', 'move'] as const

export type Way = (typeof ways)[number]

/** An order on its way to the book. The steps also store their results here. */
export interface Candidate {
  readonly way: Way
  readonly row: InstrumentRow
  readonly account: number
  readonly session: number
  readonly side: Side
  readonly type: OrderType
  /** The requested limit price, in ticks; null without one. */
  readonly limit: Ticks | null
  readonly advanced: AdvancedTerms | null
  readonly trigger: TriggerTerms | null
  /** Total size including fills, and the part of it that enters, both in lots. */
  readonly amount: number
  readonly rest: number
  readonly display: number
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  /** The live order that it changes, or NO_SLOT. */
  readonly slot: number
  /** The order that it comes from, if that order has links. */
  readonly linked: LiveOrder | null
  /** The order that enters just before it, as the first of two partners. */
  readonly after: OrderTerms | null
  /** True if a request places it now: an account in liquidation may not send requests. */
  readonly isRequest: boolean
  /** True for a part of a larger order, which may be as small as a lot (C32e). */
  readonly isPart: boolean
  /** True for a trigger order that its account already counts. */
  readonly isCounted: boolean
  readonly extras: PlacementExtras | null
  /** The client's terms of direct access, with its name for the order. */
  readonly direct: DirectTerms | null
  /** Protection that an edit asks for; null does not change it. */
  readonly mmp: boolean | null
  /** The group of a quote, otherwise null. */
  readonly group: MmpGroup | null
  /** The price at which it enters. The price step computes it, and the post-only step may move it. */
  price: Ticks
  /**
   * Set if post-only forbids the order: an edit then cancels its order (C24), and direct access reports it after
   * margin.
   */
  postOnlyRefusal: Refusal | null
  entry: Entry | null
}

/** An order that is not live yet, or a side of a quote. Omitted fields have the usual value. */
export type Placed = Pick<Candidate, 'row' | 'account' | 'session' | 'display' | 'extras'> &
  Partial<Pick<Candidate, 'slot' | 'linked' | 'after' | 'isRequest' | 'isPart' | 'isCounted' | 'direct' | 'group'>> & {
    readonly terms: OrderTerms
    /** Filled size of the quote that it replaces. */
    readonly filled?: number
  }

/** A candidate with the terms of an order that is not live yet. */
export function placedCandidate(way: Way, placed: Placed): Candidate {
  const { side, type, price, advanced, trigger, amount, postOnly, reduceOnly } = placed.terms
  return {
    way,
    row: placed.row,
    account: placed.account,
    session: placed.session,
    side,
    type,
    limit: price,
    advanced,
    trigger,
    amount: amount + (placed.filled ?? 0),
    rest: amount,
    display: placed.display,
    postOnly,
    reduceOnly,
    slot: placed.slot ?? NO_SLOT,
    linked: placed.linked ?? null,
    after: placed.after ?? null,
    isRequest: placed.isRequest ?? false,
    isPart: placed.isPart ?? false,
    isCounted: placed.isCounted ?? false,
    extras: placed.extras,
    direct: placed.direct ?? null,
    mmp: null,
    group: placed.group ?? null,
    price: price ?? ticks(0),
    postOnlyRefusal: null,
    entry: null,
  }
}

/** A live order with the changes of its terms; `rest` is its new size in the book. */
export function liveCandidate(
  exchange: Exchange,
  way: Way,
  change: Pick<Candidate, 'slot' | 'rest' | 'price'> &
    Partial<
      Pick<
        Candidate,
        'session' | 'limit' | 'advanced' | 'trigger' | 'display' | 'postOnly' | 'reduceOnly' | 'isRequest' | 'mmp'
      >
    >,
): Candidate {
  const { slot, rest, price } = change
  const order = orderAt(exchange, slot)
  const filled = order.amount - remainingOf(exchange.slots, slot)
  return {
    way,
    row: instrumentOf(exchange, slot),
    account: ownerOf(exchange.slots, slot),
    session: change.session ?? NO_SESSION,
    side: order.side,
    type: order.type,
    limit: change.limit ?? null,
    advanced: change.advanced ?? null,
    trigger: change.trigger ?? null,
    amount: filled + rest,
    rest,
    display: change.display ?? order.display,
    postOnly: change.postOnly ?? order.postOnly,
    reduceOnly: change.reduceOnly ?? order.reduceOnly,
    slot,
    linked: order.link === null ? null : order,
    after: null,
    isRequest: change.isRequest ?? false,
    isPart: false,
    isCounted: false,
    extras: null,
    direct: order.extras?.direct ?? null,
    mmp: change.mmp ?? null,
    group: null,
    price,
    postOnlyRefusal: null,
    entry: null,
  }
}

/** The entry of a candidate whose price is known. */
export function candidateEntry(exchange: Exchange, candidate: Candidate): Entry {
  const { way, row, account, side, price, slot, type, rest, reduceOnly, linked } = candidate
  candidate.entry ??= newEntry({
    row,
    account,
    side,
    price,
    bounded: slot !== NO_SLOT || entryTypeOf(type) !== 'market' || row.hasBand,
    // An order that the engine moves keeps the part that it had.
    lots: reduceOnly && way !== 'move' ? allocated(exchange, candidate) : rest,
    reduceOnly,
    replaces: replacedBy(exchange, slot),
    linked,
    from: slot,
  })
  return candidate.entry
}

/** Size that remains for a reduce-only order after the orders that execute before it. */
function allocated(exchange: Exchange, candidate: Candidate): number {
  const owner = findHolding(exchange, candidate.account, candidate.row)
  if (owner === undefined) return 0
  const partner = candidate.linked?.link?.partner ?? NO_ORDER
  return allocation(exchange, owner, {
    side: candidate.side,
    price: candidate.price,
    lots: candidate.rest,
    except: candidate.slot,
    partner,
  })
}

/** The part of a live order that margin already counts; null for a reduce-only order, which needs no margin. */
function replacedBy(exchange: Exchange, slot: number): Entry['replaces'] {
  if (slot === NO_SLOT || orderAt(exchange, slot).reduceOnly) return null
  return { lots: remainingOf(exchange.slots, slot), price: priceOf(exchange.slots, slot) }
}
