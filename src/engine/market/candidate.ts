/**
 * An order as the steps of validation look at it, wherever it comes from: placed by a request, fired by its
 * trigger, set off by a fill, edited, quoted, priced anew.
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
 * Ways to the book, which decide the steps that apply.
 * - `enter`: a placement by JSON-RPC, a trigger order that fires, a secondary whose turn comes.
 * - `wait`: an order that will wait for a price.
 * - `sleep`: a secondary that its primary brings, and that waits for it.
 * - `edit`: a live order with other terms.
 * - `edit_waiting`: the same of one that waits for a price or a fill; the rest is looked at when it enters.
 * - `quote`: one side of a quote; margin is that of its group.
 * - `direct`: a placement by direct access, which has an order of its own (8.5).
 * - `move`: a live order with another price or size that the engine gives it.
 */
export const ways = ['enter', 'wait', 'sleep', 'edit', 'edit_waiting', 'quote', 'direct', 'move'] as const

export type Way = (typeof ways)[number]

/** An order on its way to the book. What the steps find on the way is written here too. */
export interface Candidate {
  readonly way: Way
  readonly row: InstrumentRow
  readonly account: number
  readonly session: number
  readonly side: Side
  readonly type: OrderType
  /** The limit as asked, in ticks; null where it is not named. */
  readonly limit: Ticks | null
  readonly advanced: AdvancedTerms | null
  readonly trigger: TriggerTerms | null
  /** Total size, fills included, and the part of it that enters, both in lots. */
  readonly amount: number
  readonly rest: number
  readonly display: number
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  /** The live order that it changes, or NO_SLOT. */
  readonly slot: number
  /** The order that it comes from, where that has links. */
  readonly linked: LiveOrder | null
  /** The order that enters just before it, as the first of two partners. */
  readonly after: OrderTerms | null
  /** A request asks for it now: a locked account sends none. */
  readonly isRequest: boolean
  /** A part of a larger order, which may be as small as a lot (C32e). */
  readonly isPart: boolean
  /** A trigger order that counts among those of its account already. */
  readonly isCounted: boolean
  readonly extras: PlacementExtras | null
  /** The name that its client gave it, over direct access. */
  readonly direct: DirectTerms | null
  /** Protection that an edit asks for; null leaves it as it is. */
  readonly mmp: boolean | null
  /** The group of a quote, else null. */
  readonly group: MmpGroup | null
  /** The price it enters at: the step of the price finds it, that of post-only may move it. */
  price: Ticks
  /** Post-only forbids it: an edit cancels its order (C24), direct access tells it after margin. */
  postOnlyRefusal: Refusal | null
  entry: Entry | null
}

/** An order that is not live yet, or a side of a quote; what it leaves out has the usual value. */
export type Placed = Pick<Candidate, 'row' | 'account' | 'session' | 'display' | 'extras'> &
  Partial<Pick<Candidate, 'slot' | 'linked' | 'after' | 'isRequest' | 'isPart' | 'isCounted' | 'direct' | 'group'>> & {
    readonly terms: OrderTerms
    /** Filled size of the quote that it replaces. */
    readonly filled?: number
  }

/** A candidate with the terms of an order that is not live yet. */
export function placedCandidate(way: Way, placed: Placed): Candidate {
  const { terms, row, account, session, display, extras } = placed
  const { side, type, price, advanced, trigger, amount, postOnly, reduceOnly } = terms
  return {
    way,
    row,
    account,
    session,
    side,
    type,
    limit: price,
    advanced,
    trigger,
    amount: amount + (placed.filled ?? 0),
    rest: amount,
    display,
    postOnly,
    reduceOnly,
    slot: placed.slot ?? NO_SLOT,
    linked: placed.linked ?? null,
    after: placed.after ?? null,
    isRequest: placed.isRequest ?? false,
    isPart: placed.isPart ?? false,
    isCounted: placed.isCounted ?? false,
    extras,
    direct: placed.direct ?? null,
    mmp: null,
    group: placed.group ?? null,
    price: price ?? ticks(0),
    postOnlyRefusal: null,
    entry: null,
  }
}

/** A live order with what is to be other of it; `rest` is the size that it would have in the book. */
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

/** The entry of a candidate whose price is found. */
export function candidateEntry(exchange: Exchange, candidate: Candidate): Entry {
  const { way, row, account, side, price, slot, type, rest, reduceOnly, linked } = candidate
  candidate.entry ??= newEntry({
    row,
    account,
    side,
    price,
    bounded: slot !== NO_SLOT || entryTypeOf(type) !== 'market' || row.hasBand,
    // An order that the engine moves keeps the part that it was left.
    lots: reduceOnly && way !== 'move' ? allocated(exchange, candidate) : rest,
    reduceOnly,
    replaces: replacedBy(exchange, slot),
    linked,
    from: slot,
  })
  return candidate.entry
}

/** Size left for a reduce-only order behind those that execute before it. */
function allocated(exchange: Exchange, { row, account, side, price, rest, slot, linked }: Candidate): number {
  const owner = findHolding(exchange, account, row)
  if (owner === undefined) return 0
  const partner = linked?.link?.partner ?? NO_ORDER
  return allocation(exchange, owner, { side, price, lots: rest, except: slot, partner })
}

/** The part of a live order that counts already; a reduce-only one needs no margin. */
function replacedBy(exchange: Exchange, slot: number): Entry['replaces'] {
  if (slot === NO_SLOT || orderAt(exchange, slot).reduceOnly) return null
  return { lots: remainingOf(exchange.slots, slot), price: priceOf(exchange.slots, slot) }
}
