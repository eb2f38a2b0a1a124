/**
 * The request router turns requests into commands, and events into replies.
 *
 * Every request enters the engine in order, even if it is malformed or read-only: the first thing wrong with it becomes
 * a fault with its step in the order of validation, and the engine decides. The router builds the reply at the
 * `request` event of the request, however late that event is.
 * Source: DESIGN 1; trading.md C07; coverage R32, R45, R64.
 */
import {
  amount,
  assert,
  checkArgument,
  checkOptions,
  defined,
  type Micros,
  micros,
  type OptionKinds,
  type Sequence,
  sequence,
} from '../../core/index.ts'
import {
  advanceTo,
  applyChecked,
  configOf,
  createExchange,
  type Exchange,
  equityOf,
  eventCountOf,
  lastSequenceOf,
  viewSession,
} from '../../engine/index.ts'
import { createFaults, type Faults } from '../../faults/index.ts'
import {
  borrowing,
  type EventOf,
  type EventSink,
  type ExchangeConfig,
  fanOut,
  type HistoryLimits,
  type Refusal,
  sinkOf,
  whileAsked,
} from '../../model/index.ts'
import {
  createHistory,
  type EquityReader,
  forgetEndedOrders,
  type History,
  type HistoryFile,
  HistoryNotes,
  historySink,
} from '../history/index.ts'
import { chargeOf, type Method, type MethodSet, scopeOf } from '../methods/index.ts'
import { errorOf, type RequestParams, type VenueError, type VenueReply, type VenueRequest } from '../wire/index.ts'
import { doAfterwards, logAccess } from './afterwards.ts'
import type { Companion, KeptVenue } from './desk-bytes.ts'
import { hintFor } from './hint.ts'
import { type FollowedOrders, follow, followedOrders, newQuoted, type Pending, pendingOf, unfollow } from './pending.ts'
import { commandOf, readEnvelope, readRequest } from './reading.ts'
import { replyTakers } from './reply-takers.ts'

/** Options of a request router. */
export interface DeskOptions {
  readonly config: ExchangeConfig
  /** True if the simulator's own controls are served. */
  readonly controls: boolean
  /** Limits of the histories that queries read. Missing limits come from the configuration. */
  readonly history?: Partial<HistoryLimits>
  /** Faults of messages at the start; none by default. */
  readonly faults?: Faults
  /** Takes every event, also of recorded trades, before the sink of the run. */
  readonly watch?: EventSink
  /** The methods that it serves: `venueMethods`, or a `methodSet` of selected methods. */
  readonly methods: MethodSet
  /**
   * Keeps the histories of a router that is saved again and again. Snapshots then omit what follows from the log, which
   * the caller must write to the file (`onLog` of `createResultsSink`).
   */
  readonly histories?: HistoryFile | undefined
}

const deskKinds: OptionKinds<DeskOptions> = {
  config: 'object',
  controls: 'boolean',
  history: 'object?',
  faults: 'object?',
  watch: 'object?',
  methods: 'object',
  histories: 'object?',
}

/** An exchange with its requests and histories. */
export interface Desk {
  readonly exchange: Exchange
  readonly history: History
  readonly controls: boolean
  /** The methods that it serves. */
  readonly methods: MethodSet
  readonly pending: Map<Sequence, Pending>
  /** The orders that pending replies wait for. */
  readonly followed: FollowedOrders
  /** Snapshots of the venue by name. */
  readonly kept: Map<string, KeptVenue>
  /** The run that feeds the router; null for a program that sends its own requests. */
  companion: Companion | null
  /** Faults of messages between the router and its clients. The carriers of messages apply them. */
  readonly faults: Faults
  /** Receives what the histories store but the log does not have; null if snapshots contain the histories. */
  readonly notes: HistoryNotes | null
  /** Takes every event and passes it on to the history, the replies and then the sink of the run. */
  readonly sink: EventSink
}

/**
 * Opens an exchange and its request router; all events go to `sink`.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const config = defaultConfig(micros(0))
 * const desk = createDesk({ config, controls: true, methods: venueMethods }, sinkOf({}))
 * const request = { time: micros(0), method: 'public/get_time', params: {}, account: null, session: 0 }
 * submit(desk, request, ({ ok }) => console.log(ok)) // true
 */
export function createDesk(options: DeskOptions, sink: EventSink): Desk {
  checkArgument('createDesk: sink', sink, 'object')
  checkOptions('createDesk', options, deskKinds)
  const history = createHistory({ ...options.config.historyLimits, ...options.history })
  const open = (own: EventSink): Exchange => createExchange(options.config, own)
  const parts = {
    history,
    controls: options.controls,
    methods: options.methods,
    pending: new Map(),
    kept: new Map(),
    faults: options.faults ?? createFaults(),
    notes: options.histories === undefined ? null : new HistoryNotes(options.histories),
  }
  return wireDesk(parts, sink, open, options.watch)
}

/**
 * Makes a router over the exchange that `open` returns. From then on, all events of the exchange pass through the
 * router's sink.
 */
export function wireDesk(
  parts: Pick<Desk, 'history' | 'controls' | 'methods' | 'pending' | 'kept' | 'faults' | 'notes'>,
  sink: EventSink,
  open: (own: EventSink) => Exchange,
  watch: EventSink = sinkOf({}),
): Desk {
  const { history, pending, methods, notes } = parts
  let desk: Desk | undefined
  const followed = followedOrders(pending)
  // While the exchange is being created it opens only house accounts, which have no log.
  const equity: EquityReader = (account, currency) => {
    const value = desk === undefined ? amount(0n) : equityOf(desk.exchange, account, currency)
    notes?.equity(value)
    return value
  }
  const found = (): Desk => defined(desk, 'a request comes after the exchange is created')
  // Queries see all recorded trades, results only those of runs that ask for them.
  const asksPrints = (): boolean => desk !== undefined && configOf(desk.exchange).printEvents
  const replies = sinkOf(replyTakers({ pending, followed }, (done) => conclude(found(), done)))
  const own = fanOut([
    whileAsked(sink, asksPrints, ['print']),
    historySink(history, equity),
    ...(notes === null ? [] : [sinkOf({ print: (event) => notes.print(event) })]),
    borrowing(sinkOf(methods.direct?.takers(history) ?? {}), ['order', 'request']),
    watch,
    borrowing(replies, ['order', 'request']),
  ])
  desk = { exchange: open(own), ...parts, followed, companion: null, sink: own }
  return desk
}

/**
 * Submits a request at its time, which must not be before the clock. Timers due until then run first, because the
 * parameters are read against the state at that time. The router calls `onReply` once, when the request is complete.
 * With null it builds no reply. Returns the request's sequence number.
 *
 * @throws RangeError with the code `TIME` if the request is earlier than the clock, `OPTION` if an argument has another
 * kind.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const request = { time: venue.now, method: 'public/get_time', params: {}, account: null, session: 0 }
 * submit(venue.desk, request, ({ ok }) => console.log(ok)) // true
 */
export function submit(desk: Desk, given: VenueRequest, onReply: ((reply: VenueReply) => void) | null): Sequence {
  checkArgument('submit: desk', desk, 'object')
  checkArgument('submit: given', given, 'object')
  checkArgument('submit: onReply', onReply, 'function | null')
  const { request, fault: malformed } = readEnvelope(given)
  advanceTo(desk.exchange, request.time, desk.sink)
  const forgotten = forgetEndedOrders(desk.history, desk.followed.byOrder)
  if (forgotten > 0) desk.notes?.forgotten(eventCountOf(desk.exchange), forgotten)
  const number = sequence(lastSequenceOf(desk.exchange) + 1)
  const over = viewSession(desk.exchange, request.session)?.type
  const read = readRequest(desk, request, over, malformed)
  const pending: Pending = {
    request,
    account: read.account,
    over: over ?? null,
    method: read.method,
    params: read.params,
    lost: read.lost ?? null,
    onReply,
    trades: null,
    order: null,
    awaited: null,
    cancelled: null,
    moved: null,
    rfqQuotes: null,
    quoted: read.body.kind === 'mass_quote' ? newQuoted(desk.exchange, read.body.group) : null,
    refusal: null,
  }
  const { followed } = desk
  followed.working = number
  followed.asked = pending
  const charge = chargeOf(desk.exchange, request.method, read.method, read.body)
  const message = read.method?.direct
  const header = {
    time: request.time,
    sequence: number,
    account: read.account,
    session: request.session,
    fault: read.fault,
    charge,
  }
  const asked = message === undefined ? header : { ...header, message, correlationId: correlationOf(read.params) }
  const command = commandOf(read.body, asked)
  applyChecked(desk.exchange, command, desk.sink)
  const waits = followed.asked === pending
  followed.working = null
  followed.asked = null
  if (waits) {
    desk.pending.set(number, pending)
    follow(followed, number, pending)
  }
  if (pending.refusal !== null) return number
  if (read.note !== undefined) logAccess(desk, read.note)
  if (read.method?.afterwards !== undefined) {
    doAfterwards(desk, read.method.afterwards, pending)
  }
  return number
}

/** The client's id of a request, which messages to its session repeat. */
function correlationOf(params: object): string | undefined {
  return (params as { readonly correlation_id?: string }).correlation_id
}

/** The request that caused an event; undefined once it is answered. */
export function requestBehind(desk: Desk, cause: Sequence): VenueRequest | undefined {
  return pendingOf(desk, cause)?.request
}

/** Replies to a request at its end. Later effects of the request have the same cause, but are no part of its reply. */
function conclude(desk: Desk, done: EventOf<'request'>): void {
  const { cause } = done
  const pending = pendingOf(desk, cause)
  if (pending === undefined) return
  if (cause === desk.followed.working) desk.followed.asked = null
  else {
    desk.pending.delete(cause)
    unfollow(desk.followed, cause)
  }
  if (pending.onReply !== null) pending.onReply(replyOf(desk, pending, done))
}

function replyOf(desk: Desk, pending: Pending, done: EventOf<'request'>): VenueReply {
  const usIn: Micros = pending.request.time
  const usOut = micros(done.time)
  if (pending.refusal !== null) {
    const { refusal, request } = pending
    const error = refusalError(desk, pending, done)
    const hint = hintFor(desk, {
      refusal: unframed(pending, refusal),
      method: request.method,
      params: request.params,
      account: request.account,
    })
    const reply = { sequence: done.cause, usIn, usOut, ok: false, error } as const
    return hint === null ? reply : { ...reply, hint }
  }
  const { account, trades, order, cancelled, moved, quoted, rfqQuotes, method, params } = pending
  assert(method !== undefined, 'an unknown method is refused')
  const context = {
    exchange: desk.exchange,
    history: desk.history,
    account,
    key: null,
    session: pending.request.session,
    kept: desk.kept,
    faults: desk.faults,
    methods: desk.methods,
    cause: done.cause,
    execution: { number: done.number, receivedAt: usIn, time: usOut },
    count: done.count,
    trades: trades ?? [],
    order: order === null ? undefined : desk.history.orders.get(order),
    cancelled: cancelled ?? [],
    moved: moved ?? [],
    quoted: quoted ?? undefined,
    rfqQuotes: rfqQuotes ?? [],
    served: method.served === true ? (pending.request.serve?.() ?? null) : null,
  }
  // A message with a wrong sequence number ended its session and had no other effect (8.4).
  const lost = pending.lost === null ? null : desk.methods.direct?.lostError(pending.lost)
  const error = lost ?? method.rejection?.(context, params as never) ?? null
  if (error !== null) return { sequence: done.cause, usIn, usOut, ok: false, error }
  const result = method.reply(context, params as never)
  return { sequence: done.cause, usIn, usOut, ok: true, result }
}

/** The refusal of a direct-access message that could not be read, with its field: `Reject` itself names no field. */
function unframed({ method, request }: Pending, refusal: Refusal): Refusal {
  if (method?.direct === undefined || refusal.reason !== 'invalid_request') return refusal
  const read = method.reader(request.params)
  return read.ok ? refusal : read.fault.refusal
}

/** Over direct access, an error can have another number than over JSON-RPC. */
function refusalError(
  { history, methods }: Desk,
  { method, request: { session, refused, params }, refusal, params: asked }: Pending,
  done: EventOf<'request'>,
): VenueError {
  assert(refusal !== null, 'a refused request has a refusal')
  const message = method?.direct
  if (message === undefined) {
    const usual = errorOf(refusal)
    const error = method?.refused?.(usual) ?? usual
    if (refused !== 'forbidden' || refusal.reason !== refused) return error
    return { ...error, data: { reason: 'scope_mismatch', param: scopeWords(method, params) } }
  }
  assert(methods.direct !== null, 'a desk with direct access has the methods of direct access')
  return methods.direct.reject(message, refusal, {
    history,
    session,
    asked,
    number: done.number,
    time: micros(done.time),
  })
}

/** The scope that a token needs for a method, in the words of the venue. */
function scopeWords(method: Method | undefined, params: RequestParams): string {
  if (method === undefined) return ''
  const scope = scopeOf(method, params)
  return method.mainAccount === true ? `${scope} mainaccount` : scope
}
