/**
 * Collects from events what replies report, for the request that is being processed and for those that wait.
 *
 * Source: DESIGN 1; trading.md C07; coverage R32, R45.
 */
import type { AccountId, OrderId } from '../../core/index.ts'
import type { Command, Event, EventOf, EventTakers, OrderChanged, Trade } from '../../model/index.ts'
import type { Quoted } from '../methods/index.ts'
import { type FollowedOrders, follow, type Pending, pendingOf, type Unanswered } from './pending.ts'

/**
 * Collects what replies need from events. A request takes the events that it caused; a waiting request also takes
 * events of its orders. Order events and ends of requests are copied if they are kept.
 */
export function replyTakers(requests: Unanswered, onDone: (done: EventOf<'request'>) => void): EventTakers {
  const own = (event: Event): Pending | undefined => pendingOf(requests, event.cause)
  return {
    order: (event) => {
      const pending = own(event)
      if (areOthers(requests.followed, event)) {
        for (const other of othersOf(requests, event, [event.order])) {
          followWaitingOrder(other, event)
        }
      }
      if (pending === undefined) return
      followOrder(pending, event)
      // A waiting reply can get further orders when they are released.
      if (requests.followed.ordersOf.has(event.cause)) follow(requests.followed, event.cause, pending)
    },
    trade: (event) => {
      const pending = own(event)
      if (areOthers(requests.followed, event)) {
        const orders = [event.maker.order, event.taker.order]
        for (const other of othersOf(requests, event, orders)) {
          addTradeWaiting(other, event)
        }
      }
      if (pending !== undefined) followTrade(pending, event)
    },
    bump: (event) => {
      const pending = own(event)
      if (pending !== undefined) pending.awaited ??= event.order
    },
    quote_refusal: (event) => {
      own(event)?.quoted?.refused.push(event)
    },
    position_transfer: (event) => {
      const pending = own(event)
      if (pending === undefined || event.reason !== 'move') return
      pending.moved ??= []
      pending.moved.push(event)
    },
    block_rfq_quote: (event) => {
      const pending = own(event)
      if (pending === undefined || event.account !== pending.account) return
      pending.rfqQuotes ??= []
      pending.rfqQuotes.push(event)
    },
    refusal: (event) => {
      const pending = own(event)
      if (pending !== undefined) pending.refusal = event.refusal
    },
    request: onDone,
  }
}

function followTrade(pending: Pending, trade: Trade): void {
  if (pending.quoted?.orders.has(trade.taker.order)) pending.quoted.trades.push(trade)
  else if (isOfOrder(trade, pending.order)) {
    pending.trades ??= []
    pending.trades.push(trade)
  }
}

/** True if requests other than the cause of an event may need it. */
function areOthers({ byOrder, working }: FollowedOrders, event: Event): boolean {
  return byOrder.size > 0 || (working !== null && working !== event.cause)
}

/**
 * The requests, other than the cause of an event, whose replies may report its orders: pending ones, and the one that
 * is being processed.
 */
function othersOf(requests: Unanswered, event: Event, orders: readonly OrderId[]): readonly Pending[] {
  const { byOrder, working } = requests.followed
  const causes = new Set(orders.flatMap((id) => [...(byOrder.get(id) ?? [])]))
  if (working !== null) causes.add(working)
  causes.delete(event.cause)
  return [...causes].flatMap((cause) => pendingOf(requests, cause) ?? [])
}

function followWaitingOrder(pending: Pending, event: OrderChanged): void {
  if (isOwn(pending, event.order)) pending.order = event.order
  if (pending.quoted?.orders.has(event.order)) pending.quoted.orders.set(event.order, { ...event })
}

function addTradeWaiting(pending: Pending, trade: Trade): void {
  if (pending.quoted !== null) {
    const isQuote = pending.quoted.orders.has(trade.taker.order) || pending.quoted.orders.has(trade.maker.order)
    if (isQuote) pending.quoted.trades.push(trade)
  } else if (isOwn(pending, trade.taker.order) || isOwn(pending, trade.maker.order)) {
    pending.trades ??= []
    pending.trades.push(trade)
  }
}

/** True if an order is the request's own, or the one that its reply waits for. */
function isOwn(pending: Pending, id: OrderId): boolean {
  return (pending.order ?? pending.awaited) === id
}

function followOrder(pending: Pending, event: OrderChanged): void {
  pending.order ??= event.order
  if (pending.quoted !== null) followQuote(pending.quoted, pending.account, event)
  if (event.change !== 'cancelled' || !isBulkCancel(pending.method?.command)) return
  pending.cancelled ??= []
  pending.cancelled.push({ ...event })
}

function isBulkCancel(kind: Command['kind'] | undefined): boolean {
  return kind === 'cancel_orders' || kind === 'cancel_quotes'
}

/**
 * The result omits quotes that a protection cancels meanwhile, because the request did not ask for that. Over direct
 * access, it reports every quote of the named instruments.
 */
function followQuote({ before, orders }: Quoted, account: AccountId | -1, event: OrderChanged): void {
  const isOwn = event.account === account && event.extras?.quote != null
  const isReported = event.change !== 'cancelled' || before.has(event.order)
  const isAsked = isReported || event.reason === 'user_request'
  const isFirst = event.change !== 'filled' && isAsked && isOwn
  if (isFirst || orders.has(event.order)) orders.set(event.order, { ...event })
}

/** A linked order may trade within the same request; its trades are not the request's own. */
function isOfOrder(trade: Trade, order: OrderId | null): boolean {
  return trade.taker.order === order || trade.maker.order === order
}
