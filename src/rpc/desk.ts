/**
 * The desk: where requests become commands and events become replies.
 *
 * Every request enters the engine in order, a malformed or read-only one too: what is wrong with it
 * becomes a fault with its step in the order of validation, and the engine decides. The reply is
 * built at the request's `request_done` event, however much later that comes.
 * Source: DESIGN 1; trading.md C07; coverage R32, R45, R64.
 */
import type { z } from 'zod'
import {
  type AccountId,
  assert,
  type Micros,
  micros,
  type OrderId,
  type Sequence,
  sequence,
} from '../core/index.ts'
import { apply, createExchange, type Exchange, findAccount } from '../engine/index.ts'
import {
  type Event,
  type EventSink,
  type ExchangeConfig,
  type Fault,
  type Refusal,
  type Trade,
  validationStep,
} from '../model/index.ts'
import { errorOf } from './errors.ts'
import {
  createHistory,
  type History,
  type HistoryLimits,
  historyDefaults,
  recordEvent,
} from './history.ts'
import type { CommandBody, Method } from './method.ts'
import { findMethod, unreadBodies } from './methods/index.ts'
import { paramFault } from './params.ts'
import type { RequestParams, VenueReply, VenueRequest } from './request.ts'

/** How a desk is set up. */
export interface DeskOptions {
  readonly config: ExchangeConfig
  /** Whether the simulator's own controls are served. */
  readonly controls: boolean
  readonly history?: HistoryLimits
}

/** A request on its way: what its reply will be built from. */
interface Pending {
  readonly request: VenueRequest
  readonly account: AccountId | -1
  readonly method: Method<z.ZodObject, unknown> | undefined
  readonly params: object
  readonly onReply: ((reply: VenueReply) => void) | null
  readonly trades: Trade[]
  order: OrderId | undefined
  refusal: Refusal | undefined
}

/** An exchange with its requests and histories. */
export interface Desk {
  readonly exchange: Exchange
  readonly history: History
  readonly controls: boolean
  readonly pending: Map<Sequence, Pending>
  /** Every event passes here: history, replies, then the sink of the run. */
  readonly sink: EventSink
}

/** Opens an exchange and its desk; all events go on to `sink`. */
export function createDesk(options: DeskOptions, sink: EventSink): Desk {
  const history = createHistory(options.history ?? historyDefaults)
  const open = (own: EventSink): Exchange => createExchange(options.config, own)
  return wireDesk({ history, controls: options.controls }, sink, open)
}

/** A desk over the exchange that `open` gives; what the exchange says from then on passes its sink. */
export function wireDesk(
  { history, controls }: Pick<Desk, 'history' | 'controls'>,
  sink: EventSink,
  open: (own: EventSink) => Exchange,
): Desk {
  let desk: Desk | undefined
  const own: EventSink = {
    emit(event): void {
      sink.emit(event)
      recordEvent(history, event)
      if (desk !== undefined) follow(desk, event)
    },
  }
  desk = { exchange: open(own), history, controls, pending: new Map(), sink: own }
  return desk
}

/**
 * Hands a request to the exchange at its time, which is not before the clock. `onReply` is called
 * once, when the request is complete; where nobody waits it is null, and no reply is built. Returns
 * the request's sequence number.
 */
export function submit(
  desk: Desk,
  request: VenueRequest,
  onReply: ((reply: VenueReply) => void) | null,
): Sequence {
  assert(request.time >= desk.exchange.now, 'requests come in the order of time')
  const number = sequence(desk.exchange.lastSequence + 1)
  const read = readRequest(desk, request)
  const { account, fault } = read
  desk.pending.set(number, {
    request,
    account,
    method: read.method,
    params: read.params,
    onReply,
    trades: [],
    order: undefined,
    refusal: undefined,
  })
  const { time, session } = request
  // The method made the body for this request alone, so it becomes the command itself: copying it
  // would cost more than matching it.
  const command = Object.assign(read.body, { time, sequence: number, account, session, fault })
  apply(desk.exchange, command, desk.sink)
  return number
}

/** The first fault of a request and the command it becomes. */
function readRequest(
  desk: Desk,
  request: VenueRequest,
): {
  readonly body: CommandBody
  readonly fault: Fault | null
  readonly account: AccountId | -1
  readonly method: Method<z.ZodObject, unknown> | undefined
  readonly params: object
} {
  const method = findMethod(request.method)
  const isControl = request.method.startsWith('sim/')
  const asker = request.account === null ? undefined : findAccount(desk.exchange, request.account)
  const account = asker?.id ?? -1
  if (method === undefined || (isControl && !desk.controls)) {
    const refusal = { reason: 'method_not_found' } as const
    const fault: Fault = { step: validationStep.envelope, refusal }
    return { body: { ...unreadBodies.query }, fault, account, method: undefined, params: {} }
  }
  if (request.method.startsWith('private/') && (asker === undefined || asker.house)) {
    const refusal = { reason: 'unauthorized' } as const
    const fault: Fault = { step: validationStep.authentication, refusal }
    return { body: { ...unreadBodies[method.kind] }, fault, account: -1, method, params: {} }
  }
  const parsed = method.params.safeParse(withoutNulls(request.params))
  if (!parsed.success) {
    return {
      body: { ...unreadBodies[method.kind] },
      fault: shapeFault(parsed.error, request.params),
      account,
      method,
      params: {},
    }
  }
  const { exchange, history } = desk
  const { body, fault } = method.read({ exchange, history, account }, parsed.data)
  return { body, fault, account, method, params: parsed.data }
}

/** Collects what a request's reply needs from its events, and replies at the last. */
function follow(desk: Desk, event: Event): void {
  const pending = desk.pending.get(event.cause)
  if (pending === undefined) return
  switch (event.kind) {
    case 'trade':
      pending.trades.push(event)
      return
    case 'order_opened':
    case 'order_edited':
    case 'order_cancelled':
      pending.order ??= event.order
      return
    case 'request_refused':
      pending.refusal = event.refusal
      return
    case 'request_done':
      desk.pending.delete(event.cause)
      if (pending.onReply !== null) pending.onReply(replyOf(desk, pending, event))
      return
    default:
      return
  }
}

function replyOf(
  desk: Desk,
  pending: Pending,
  done: Event & { readonly kind: 'request_done' },
): VenueReply {
  const usIn: Micros = pending.request.time
  const usOut = micros(done.time)
  if (pending.refusal !== undefined) {
    return { sequence: done.cause, usIn, usOut, ok: false, error: errorOf(pending.refusal) }
  }
  const { exchange, history } = desk
  const { account, trades, order, method, params } = pending
  assert(method !== undefined, 'a request of an unknown method is refused')
  const context = {
    exchange,
    history,
    account,
    cause: done.cause,
    count: done.count,
    trades,
    order,
  }
  const result = method.reply(context, params as never)
  return { sequence: done.cause, usIn, usOut, ok: true, result }
}

/** `null` for an optional parameter means that it is absent (sessions document 1.1). */
function withoutNulls(params: RequestParams): RequestParams {
  for (const name of Object.keys(params)) {
    // Nulls are rare, so that most requests are looked at once and not copied.
    if (params[name] !== null) continue
    return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null))
  }
  return params
}

/** The first thing wrong with the parameters, as the venue words it: which one, and why. */
function shapeFault(error: z.ZodError, params: RequestParams): Fault {
  const issue = error.issues[0]
  const param = String(issue?.path[0] ?? 'params')
  const missing = (params[param] ?? null) === null
  return paramFault(param, missing ? 'required' : problemOf(issue))
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
    case 'invalid_union':
      return 'wrong_type'
    case 'invalid_value':
      return 'unknown_value'
    case 'too_small':
      return 'too_small'
    case 'too_big':
      return 'too_large'
    // A check of our own says the problem's word itself.
    case 'custom':
      return issue.message
    default:
      return 'invalid'
  }
}
