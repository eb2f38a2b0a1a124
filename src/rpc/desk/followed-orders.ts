/**
 * The orders that pending replies wait for, by id. With this index, an event of an order finds the requests whose
 * replies report the order, and skips all others. It holds only pending replies. The request at work finds its order by
 * the cause of the event. Almost all requests are answered at once; only the others join this index.
 *
 * Snapshots contain none of it, because it can be computed from the pending requests.
 */
import type { OrderId, Sequence } from '../../core/index.ts'
import type { Pending } from './pending.ts'

/** The orders that pending replies wait for. */
export interface FollowedOrders {
  readonly byOrder: Map<OrderId, Set<Sequence>>
  readonly ordersOf: Map<Sequence, Set<OrderId>>
  /** The number of the request that is being processed; null between requests. */
  working: Sequence | null
  /** The request that is being processed; null once it is answered. */
  asked: Pending | null
}

/** An unanswered request by its number: the one that is being processed, or one that waits. */
export function pendingOf({ pending, followed }: Unanswered, cause: Sequence): Pending | undefined {
  return cause === followed.working ? (followed.asked ?? undefined) : pending.get(cause)
}

/** Requests that wait, and the one that is being processed. */
export interface Unanswered {
  readonly pending: ReadonlyMap<Sequence, Pending>
  readonly followed: FollowedOrders
}

/** An index of the orders of pending requests. */
export function followedOrders(requests: ReadonlyMap<Sequence, Pending>): FollowedOrders {
  const followed: FollowedOrders = {
    byOrder: new Map(),
    ordersOf: new Map(),
    working: null,
    asked: null,
  }
  followAll(followed, requests)
  return followed
}

/** Replaces the index by the orders of these requests. */
export function followAll(followed: FollowedOrders, requests: ReadonlyMap<Sequence, Pending>): void {
  followed.byOrder.clear()
  followed.ordersOf.clear()
  for (const [cause, pending] of requests) follow(followed, cause, pending)
}

/** Adds the orders of a request whose reply waits, including the orders that it got since. */
export function follow(followed: FollowedOrders, cause: Sequence, pending: Pending): void {
  const { order, awaited, quoted } = pending
  const own = order ?? awaited
  if (own !== null) add(followed, cause, own)
  for (const id of quoted?.orders.keys() ?? []) add(followed, cause, id)
}

function add({ byOrder, ordersOf }: FollowedOrders, cause: Sequence, id: OrderId): void {
  const causes = byOrder.get(id) ?? new Set()
  byOrder.set(id, causes.add(cause))
  const orders = ordersOf.get(cause) ?? new Set()
  ordersOf.set(cause, orders.add(id))
}

/** Removes the orders of a request that was answered. */
export function unfollow({ byOrder, ordersOf }: FollowedOrders, cause: Sequence): void {
  // Usually no reply is pending.
  if (ordersOf.size === 0) return
  const orders = ordersOf.get(cause)
  if (orders === undefined) return
  ordersOf.delete(cause)
  for (const id of orders) {
    const causes = byOrder.get(id)
    causes?.delete(cause)
    if (causes?.size === 0) byOrder.delete(id)
  }
}
