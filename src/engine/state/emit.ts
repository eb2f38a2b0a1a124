/**
 * How the engine appends events to the log: one function per event, so that each kind is built in one place. Event
 * numbers rise by one. The cause of an event is the current request.
 *
 * Orders and ends of requests, which are most events of a run, are written as records at once. The engine creates no
 * object for them; readers that need an object create it from the record.
 */

import { ownerOf, remainingOf } from '../../book/index.ts'
import {
  type AccountId,
  accountId,
  instrumentId,
  lots,
  type Micros,
  type Mutable,
  micros,
  type OrderId,
  type Price9,
  price9,
  type Sequence,
  sequence,
} from '../../core/index.ts'
import {
  blankHeader,
  type ChangedBy,
  type ConversionReason,
  type EventHeader,
  type EventLog,
  type EventOf,
  type Instrument,
  NO_ORDER,
  NO_SESSION,
  type OrderChange,
  type OrderNow,
  type OrderReason,
  type OrderState,
  type PlainOrderNow,
  type Side,
  type StandingKind,
  unlinked,
} from '../../model/index.ts'
import type { DirectRequest, Exchange } from './exchange.ts'
import type { InstrumentRow } from './instrument-row.ts'
import type { LiveOrder } from './live-order.ts'
import { mmpGroupAt } from './mmp-groups.ts'
import {
  amountAt,
  creationTimeAt,
  idAt,
  isRareAt,
  labelAt,
  rareTermsAt,
  sessionOfOrder,
  setUpdateTime,
  stageAt,
  termBitsAt,
} from './order-fields.ts'
import { averagePrice, linksOf, orderAt, orderPrice9, triggerOf, visibleOf } from './orders.ts'

/** State that the handlers of one command share: the exchange, the log of its events, and the number of the request. */
export interface Turn {
  readonly exchange: Exchange
  readonly log: EventLog
  readonly cause: Sequence
}

/** A change of a standing. Omitted parts are empty or 0 in the event. */
interface StandingChange {
  readonly protection: StandingKind
  readonly change: EventOf<'standing'>['change']
  /** -1 for settings of the venue. */
  readonly account: AccountId | -1
  readonly session?: number
  readonly group?: string | null
  readonly until?: Micros | null
  readonly cancelled?: number
  readonly instrument?: Instrument
}

/**
 * Emits the event for a lock, freeze, switch, permission or limit that began, ended or took effect.
 */

/** Emits `standing`. */
export function emitStanding(turn: Turn, of: StandingChange): void {
  turn.log.append({
    kind: 'standing',
    ...eventHeader(turn),
    protection: of.protection,
    change: of.change,
    account: of.account,
    session: of.session ?? 0,
    group: of.group ?? null,
    until: of.until ?? null,
    cancelled: of.cancelled ?? 0,
    instrument: of.instrument ?? null,
  })
}

/** Returns the number of the next event. */
export function nextEvent(exchange: Exchange): number {
  exchange.eventCount += 1
  return exchange.eventCount
}

/** The header of every event: the time, the next number and the current request. */
export function eventHeader({ exchange, cause }: Turn): EventHeader {
  return { time: exchange.now, number: nextEvent(exchange), cause }
}

/** Reports that a request is complete; it can be an earlier request than the current one. */
export function emitDone(
  { exchange, log }: Turn,
  cause: Sequence,
  of: Pick<EventOf<'request'>, 'outcome' | 'count'>,
): void {
  log.request({ time: exchange.now, number: nextEvent(exchange), cause }, of)
}

/** A change of an order. */
interface Changed {
  readonly change: OrderChange
  readonly state: OrderState
  /** True if it rests in the book. The book shows a market order as a limit order (C16). */
  readonly rested: boolean
  readonly reason: OrderReason | null
  /** The order that a fired trigger order became. */
  readonly successor?: OrderId
}

/** Reports that a live order changed, with its current fields. */
export function emitOrder(turn: Turn, row: InstrumentRow, slot: number, change: Changed): void {
  const { orders } = turn.exchange
  if (!isRareAt(orders, slot)) {
    turn.log.plainOrder(plainNow(turn, row, slot, change))
    return
  }
  setUpdateTime(orders, slot, turn.exchange.now)
  header.time = turn.exchange.now
  header.number = nextEvent(turn.exchange)
  header.cause = turn.cause
  fillState(turn.exchange, row, slot, change)
  turn.log.order(header, orderAt(turn.exchange, slot), rareTermsAt(orders, slot), orderState)
}

/** Fills `orderState` with the change and the current state of the order. */
function fillState(exchange: Exchange, row: InstrumentRow, slot: number, of: Changed): void {
  const { orders, slots } = exchange
  const { display, trigger, link, extras } = rareTermsAt(orders, slot)
  const remaining = lots(remainingOf(slots, slot))
  const filled = lots(amountAt(orders, slot) - remaining)
  orderState.change = of.change
  orderState.order = idAt(orders, slot)
  orderState.account = accountId(ownerOf(slots, slot))
  orderState.instrument = row.instrument.id
  orderState.price = orderPrice9(exchange, row, slot)
  orderState.filled = filled
  orderState.averagePrice = filled === 0 ? price9(0) : averagePrice(exchange, row, slot)
  orderState.state = of.state
  orderState.rested = of.rested
  orderState.createdAt = creationTimeAt(orders, slot)
  orderState.shown = display === 0 ? remaining : visibleOf(exchange, slot)
  orderState.trigger = trigger === null ? null : triggerOf(row, trigger, stageAt(orders, slot))
  orderState.links = link === null ? unlinked : linksOf(link)
  orderState.successor = of.successor ?? NO_ORDER
  orderState.reason = of.reason
  orderState.by = extras === null ? null : changedBy(exchange, orderAt(exchange, slot), of.change, of.reason)
}

/** `header` and `orderState` are filled again for each event. */
const header: Mutable<EventHeader> = { ...blankHeader }

/** All columns are listed, so that a new column of the event compiles only with a line here and one in `fillState`. */
const orderState: Mutable<OrderNow> = {
  change: 'opened',
  order: NO_ORDER,
  account: accountId(0),
  instrument: instrumentId(0),
  price: price9(0),
  filled: lots(0),
  averagePrice: price9(0),
  state: 'open',
  rested: false,
  createdAt: micros(0),
  shown: lots(0),
  trigger: null,
  links: unlinked,
  successor: NO_ORDER,
  reason: null,
  by: null,
}

/** The state of an order that has only common terms. */
function plainNow(turn: Turn, row: InstrumentRow, slot: number, of: Changed): PlainOrderNow {
  const { orders, slots } = turn.exchange
  const remaining = remainingOf(slots, slot)
  const amount = amountAt(orders, slot)
  const filled = amount - remaining
  setUpdateTime(orders, slot, turn.exchange.now)
  plain.time = turn.exchange.now
  plain.number = nextEvent(turn.exchange)
  plain.cause = turn.cause
  plain.change = of.change
  plain.state = of.state
  plain.reason = of.reason
  plain.rested = of.rested
  plain.order = idAt(orders, slot)
  plain.account = ownerOf(slots, slot)
  plain.instrument = row.instrument.id
  plain.terms = termBitsAt(orders, slot)
  plain.price = orderPrice9(turn.exchange, row, slot)
  plain.amount = amount
  plain.filled = filled
  plain.averagePrice = filled === 0 ? 0 : averagePrice(turn.exchange, row, slot)
  plain.createdAt = creationTimeAt(orders, slot)
  plain.shown = remaining
  plain.label = labelAt(orders, slot)
  plain.session = sessionOfOrder(orders, slot)
  return plain
}

/** Filled again for each event. */
const plain: Mutable<PlainOrderNow> = {
  time: micros(0),
  number: 0,
  cause: sequence(0),
  change: 'opened',
  state: 'open',
  reason: null,
  rested: false,
  order: NO_ORDER,
  account: 0,
  instrument: instrumentId(0),
  terms: 0,
  price: 0,
  amount: 0,
  filled: 0,
  averagePrice: 0,
  createdAt: 0,
  shown: 0,
  label: '',
  session: NO_SESSION,
}

/**
 * Reports the new size of a price level, if the run asks for the book. The event repeats the number of the event before
 * it, so that asking for the book does not change any other event.
 */
export function emitLevel(turn: Turn, row: InstrumentRow, side: Side, price: Price9, size: number): void {
  turn.log.append({
    kind: 'level',
    time: turn.exchange.now,
    number: turn.exchange.eventCount,
    cause: turn.cause,
    instrument: row.instrument.id,
    side,
    price,
    amount: lots(size),
    changeId: row.changeId,
  })
}

/**
 * Adds to an order's change which direct-access message caused it: this decides whether the answer to that message
 * covers the change, and which sessions get a separate report. Events carry this, so that readers need no engine state.
 *
 * Source: sessions-blocks-gateways.md 8.6, 8.8.
 */

/** Returns the cause of an order's change if the rest of its event does not show it; null for most changes. */
function changedBy(
  exchange: Exchange,
  order: LiveOrder,
  change: OrderChange,
  reason: OrderReason | null,
): ChangedBy | null {
  if (order.extras === null || order.extras.direct === null) return null
  if (change === 'edited') return foreign(exchange.directRequest, order.session)
  if (change !== 'cancelled' || reason === null) return null
  switch (reason) {
    case 'user_request':
      return namesOrders(exchange.directRequest) ? foreign(exchange.directRequest, order.session) : { isBulk: true }
    case 'edit_post_only_reject':
      return foreign(exchange.directRequest, order.session)
    case 'mmp_config_curtailment': {
      const group = order.extras.mmp === null ? null : mmpGroupAt(exchange, order.extras.mmp.group)
      return group?.config === null ? { isGroupGone: true } : null
    }
    default:
      return null
  }
}

/**
 * Returns the request that asked to cancel a waiting order of direct access; null if no request asked, or if its own
 * session asked without a correlation id.
 */
export function askedConversion(
  { directRequest }: Exchange,
  { extras, session }: LiveOrder,
  reason: ConversionReason | null,
): ChangedBy | null {
  if (extras === null || extras.direct === null || reason !== 'user_request') return null
  if (directRequest === null || !isCancel(directRequest)) return { isBulk: true }
  if (directRequest.session !== session) return foreign(directRequest, session)
  return directRequest.correlationId === null ? null : { correlationId: directRequest.correlationId }
}

/** Returns the message if it came over another session than the order's; null otherwise. */
function foreign(directRequest: DirectRequest | null, session: number): ChangedBy | null {
  if (directRequest === null || directRequest.session === session) return null
  const { session: by, correlationId } = directRequest
  return correlationId === null ? { session: by } : { session: by, correlationId }
}

/** True if the answer to the message lists each order that it cancels. */
function namesOrders(directRequest: DirectRequest | null): boolean {
  return directRequest !== null && (isCancel(directRequest) || directRequest.message === 'MassQuoteRequest')
}

function isCancel({ message }: DirectRequest): boolean {
  return message === 'CancelOrderRequest' || message === 'CancelOrderByIdRequest'
}
