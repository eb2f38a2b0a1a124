/**
 * Requests on their way as plain data for snapshots, and back. Who waits for a reply is no data: whoever restores
 * a desk says it.
 *
 * The parameters are kept as they came, and read once more: reading them asks nothing of the market.
 */
import { type AccountId, assert, type OrderId, type Sequence } from '../../core/index.ts'
import type { OrderView } from '../../engine/index.ts'
import type { EventOf, OrderChanged, Refusal, SessionKind, Trade } from '../../model/index.ts'
import { findMethod, methodOver, type Quoted, withoutNulls } from '../methods/index.ts'
import type { RequestParams, VenueReply, VenueRequest } from '../wire/index.ts'
import type { Pending } from './pending.ts'

/** Who waits for the reply of a request that was on its way when a desk was saved; null for nobody. */
export type Waiter = (
  sequence: Sequence,
  request: VenueRequest,
) => ((reply: VenueReply) => void) | null

/** A request on its way as plain data. */
export interface PendingState {
  readonly sequence: Sequence
  readonly request: Omit<VenueRequest, 'params'>
  /** JSON, in which a parameter that is undefined is absent. */
  readonly params: string
  readonly account: AccountId | -1
  readonly over: SessionKind | null
  readonly trades: readonly Trade[] | null
  readonly order: OrderChanged | null
  readonly awaited: OrderId | null
  readonly cancelled: readonly OrderChanged[] | null
  readonly quoted: QuotedState | null
  readonly moved: readonly EventOf<'position_transfer'>[] | null
  readonly refusal: Refusal | null
}

interface QuotedState {
  readonly before: readonly (readonly [OrderId, OrderView])[]
  readonly orders: readonly (readonly [OrderId, OrderChanged])[]
  readonly trades: readonly Trade[]
  readonly refused: readonly EventOf<'quote_refusal'>[]
}

/** The requests on their way, in the order in which they came. */
export function snapshotPending(requests: ReadonlyMap<Sequence, Pending>): readonly PendingState[] {
  return [...requests].map(([sequence, pending]) => {
    const { request, account, over, trades, order, awaited, cancelled, quoted, moved, refusal } =
      pending
    const { time, method, session } = request
    return {
      sequence,
      request: { time, method, account: request.account, session },
      params: JSON.stringify(request.params),
      account,
      over: over ?? null,
      trades: trades ?? null,
      order: order ?? null,
      awaited: awaited ?? null,
      cancelled: cancelled ?? null,
      quoted: quoted === undefined ? null : quotedState(quoted),
      moved: moved ?? null,
      refusal: refusal ?? null,
    }
  })
}

function quotedState({ before, orders, trades, refused }: Quoted): QuotedState {
  return { before: [...before], orders: [...orders], trades, refused }
}

/** The requests of a snapshot; `waiter` says who waits for each. */
export function restorePending(
  states: readonly PendingState[],
  waiter: Waiter,
): Map<Sequence, Pending> {
  return new Map(states.map((state) => [state.sequence, pendingOf(state, waiter)]))
}

function pendingOf(state: PendingState, waiter: Waiter): Pending {
  // It was written as the JSON of parameters.
  const request = { ...state.request, params: JSON.parse(state.params) as RequestParams }
  const over = state.over ?? undefined
  const method = methodOver(over, request.method, findMethod(request.method))
  const read = method?.params.safeParse(withoutNulls(request.params))
  assert(read?.success === true, 'a request that waits was read before')
  const { quoted } = state
  return {
    request,
    account: state.account,
    over,
    method,
    params: read.data,
    onReply: waiter(state.sequence, request),
    trades: state.trades === null ? undefined : [...state.trades],
    order: state.order ?? undefined,
    awaited: state.awaited ?? undefined,
    cancelled: state.cancelled === null ? undefined : [...state.cancelled],
    quoted:
      quoted === null
        ? undefined
        : {
            before: new Map(quoted.before),
            orders: new Map(quoted.orders),
            trades: [...quoted.trades],
            refused: [...quoted.refused],
          },
    moved: state.moved === null ? undefined : [...state.moved],
    refusal: state.refusal ?? undefined,
  }
}
