/**
 * The queues of an account at the exchange. They hold requests that the exchange has not processed yet: one queue for
 * each currency, up to eight requests, first in first out.
 *
 * | A request | is refused with |
 * |---|---|
 * | finds eight of its currency waiting | 10047 `matching_engine_queue_full` |
 * | has waited more than 5 s | 10050 `lock_time_exceeded` |
 * | waits while a `cancel_all` or a `cancel_by_label` that means it is sent | 13666 `request_cancelled_by_user` |
 * | waits while a later edit of the same order is sent | 13777 `replaced` |
 *
 * A refused request gives up its place. A request that cancels or replaces others does so before it takes a place.
 *
 * Assumed: a request is in the queue during its whole entry latency, because the exchange itself takes no time. So no
 * request waits without entry latency, all requests exceed the lock time if the latency is more than 5 s, and actions
 * of the engine never hold a place. The reply to a refused request comes when the exchange would have processed the
 * request, so that replies keep the order of requests. Steps of a scenario have no latency and bypass the queue.
 *
 * Cost: one look at the waiting requests, at most eight of each currency. Source: trading.md 3 (C05).
 */
import type { QueueReason } from '../../model/index.ts'
import type { QueuePart } from '../../rpc/index.ts'

/** A request that may wait in a queue. */
export interface QueuedRequest {
  /** Time of sending, in microseconds. */
  readonly sentAt: number
  /** The data that the queue needs; null for a request that bypasses it. */
  readonly part: QueuePart | null
  /** Reason of the queue for refusing it; null if not refused. */
  refused: QueueReason | null
}

const QUEUE_DEPTH = 8
const LOCK_MICROS_MAX = 5_000_000

/** Adds a newly sent request to the queue or refuses it. Refuses waiting requests that it cancels or replaces. */
export function joinQueue<T extends QueuedRequest>(waiting: T[], request: T): void {
  const { part, sentAt } = request
  if (part === null) return
  refuseWhere(waiting, 'lock_time_exceeded', (each) => isLate(each, sentAt))
  refuseWhere(waiting, 'request_cancelled_by_user', (each) => isWithdrawn(each.part, part))
  refuseWhere(waiting, 'replaced', (each) => isSameEdit(each.part, part))
  if (!hasPlace(request)) return
  let ahead = 0
  for (const each of waiting) if (each.part?.currency === part.currency) ahead += 1
  if (ahead >= QUEUE_DEPTH) request.refused = 'matching_engine_queue_full'
  else waiting.push(request)
}

/** Removes a request from the queue when it reaches the exchange, and refuses it if it has waited too long. */
export function leaveQueue<T extends QueuedRequest>(waiting: T[], request: T, now: number): void {
  if (waiting[0] !== request) return
  waiting.shift()
  if (isLate(request, now)) request.refused = 'lock_time_exceeded'
}

/** True while a request in transit holds a place in a queue. */
export function hasPlace({ part, refused }: QueuedRequest): boolean {
  return refused === null && part !== null && part.currency !== null
}

function refuseWhere<T extends QueuedRequest>(
  waiting: T[],
  reason: QueueReason,
  isMeant: (request: T) => boolean,
): void {
  let kept = 0
  for (const each of waiting) {
    if (isMeant(each)) each.refused = reason
    else {
      waiting[kept] = each
      kept += 1
    }
  }
  waiting.length = kept
}

function isLate({ sentAt }: QueuedRequest, now: number): boolean {
  return now - sentAt > LOCK_MICROS_MAX
}

function isWithdrawn(waiting: QueuePart | null, { withdraws }: QueuePart): boolean {
  if (withdraws === null || waiting?.isOrder !== true) return false
  const isLabelled = withdraws.label === null || withdraws.label === waiting.label
  return isLabelled && (withdraws.currency === null || withdraws.currency === waiting.currency)
}

function isSameEdit(waiting: QueuePart | null, { edits }: QueuePart): boolean {
  return edits !== null && waiting?.edits === edits
}
