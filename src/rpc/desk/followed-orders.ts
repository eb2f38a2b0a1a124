/**
 * The orders that replies wait for, by their ids: an event of an order finds the requests whose reply tells of it, and
 * looks at no others. Only replies that wait are here. The request at work hears of its order by its cause; almost all
 * are answered at once, and only one that is not joins those that wait.
 *
 * Nothing of it is kept in snapshots: it follows from the requests on their way.
 */
import type { OrderId, Sequence } from '../../core/index.ts'
import type { Pending } from './pending.ts'

/** The orders that replies wait for. */
export interface FollowedOrders {
  readonly byOrder: Map<OrderId, Set<Sequence>>
  readonly ordersOf: Map<Sequence, Set<OrderId>>
  /** The number of the request at work; null between two. */
  working: Sequence | null
  /** The request at work; null once it is answered. */
  asked: Pending | null
}

/** A request that is not answered, by its number: the one at work, or one that waits. */
export function pendingOf({ pending, followed }: Unanswered, cause: Sequence): Pending | undefined {
  return cause === followed.working ? (followed.asked ?? undefined) : pending.get(cause)
}

/** Requests that wait, with the one at work. */
export interface Unanswered {
  readonly pending: ReadonlyMap<Sequence, Pending>
  readonly followed: FollowedOrders
}

/** The orders of requests that are on their way. */
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

/** Follows the orders of requests in the place of all before. */
export function followAll(followed: FollowedOrders, requests: ReadonlyMap<Sequence, Pending>): void {
  followed.byOrder.clear()
  followed.ordersOf.clear()
  for (const [cause, pending] of requests) follow(followed, cause, pending)
}

/** Follows the orders of a request whose reply waits, those that it has come by since too. */
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

/** A request was answered. */
export function unfollow({ byOrder, ordersOf }: FollowedOrders, cause: Sequence): void {
  // Almost always nobody waits.
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
