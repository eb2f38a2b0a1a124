/**
 * The desk: where requests become commands and events become replies.
 *
 * Every request enters the engine in order, a malformed or read-only one too: what is wrong with it
 * becomes a fault with its step in the order of validation, and the engine decides. The reply is
 * built when its `request` event comes, however much later that comes.
 * Source: DESIGN 1; trading.md C07; coverage R32, R45, R64.
 */
import {
  type AccountId,
  amount,
  assert,
  defined,
  type Micros,
  micros,
  type Sequence,
  sequence,
} from '../../core/index.ts'
import {
  advanceTo,
  apply,
  configOf,
  createExchange,
  type Exchange,
  equityOf,
  findAccount,
  findKey,
  isInMaintenance,
  isPublicClosed,
  type KeyView,
  lastSequenceOf,
  timeOf,
  viewSession,
} from '../../engine/index.ts'
import { createFaults, type Faults } from '../../faults/index.ts'
import {
  type Account,
  allowsScope,
  type Command,
  type CommandHeader,
  type EventOf,
  type EventSink,
  type ExchangeConfig,
  type Fault,
  type FaultReason,
  fanOut,
  faultReasons,
  type HistoryLimits,
  type Refusal,
  type RequestRefusal,
  type SessionKind,
  sinkOf,
  validationStep,
  whileAsked,
} from '../../model/index.ts'
import {
  type AccessNote,
  createHistory,
  type EquityReader,
  type History,
  historySink,
} from '../history/index.ts'
import {
  type CommandBody,
  chargeOf,
  directError,
  envelopeFault,
  findMethod,
  type Method,
  messageTakers,
  methodOver,
  paramFault,
  type ReadContext,
  readEnvelope,
  readParams,
  scopeOf,
  strangeNames,
  unreadQuery,
  versionOf,
} from '../methods/index.ts'
import {
  errorOf,
  type Mutable,
  type RequestParams,
  type VenueError,
  type VenueReply,
  type VenueRequest,
} from '../wire/index.ts'
import { doAfterwards, logAccess } from './afterwards.ts'
import type { Companion, KeptVenue } from './desk-bytes.ts'
import { type FollowedOrders, follow, followedOrders, unfollow } from './followed-orders.ts'
import { askedBy, newQuoted, type Pending } from './pending.ts'
import { replyTakers } from './reply-takers.ts'

/** How a desk is set up. */
export interface DeskOptions {
  readonly config: ExchangeConfig
  /** True if the simulator's own controls are served. */
  readonly controls: boolean
  /** How much queries can look back to; what is not given is as the configuration says. */
  readonly history?: Partial<HistoryLimits>
  /** Faults of messages from the beginning; none where they are not given. */
  readonly faults?: Faults
  /** Takes every event, recorded trades among them, before the sink of the run. */
  readonly watch?: EventSink
}

/** An exchange with its requests and histories. */
export interface Desk {
  readonly exchange: Exchange
  readonly history: History
  readonly controls: boolean
  readonly pending: Map<Sequence, Pending>
  /** The orders that replies on their way wait for. */
  readonly followed: FollowedOrders
  /** Venues that are kept under a name. */
  readonly kept: Map<string, KeptVenue>
  /** Who goes back with the venue when it is put back; null for nobody. */
  companion: Companion | null
  /** Faults of the messages between it and whoever asks, for those who carry them. */
  readonly faults: Faults
  /** Every event passes here: history, replies, then the sink of the run. */
  readonly sink: EventSink
}

/** Opens an exchange and its desk; all events go on to `sink`. */
export function createDesk(options: DeskOptions, sink: EventSink): Desk {
  const history = createHistory({ ...options.config.historyLimits, ...options.history })
  const open = (own: EventSink): Exchange => createExchange(options.config, own)
  const parts = {
    history,
    controls: options.controls,
    pending: new Map(),
    kept: new Map(),
    faults: options.faults ?? createFaults(),
  }
  return wireDesk(parts, sink, open, options.watch)
}

/** A desk over the exchange that `open` gives; what the exchange says from then on passes its sink. */
export function wireDesk(
  parts: Pick<Desk, 'history' | 'controls' | 'pending' | 'kept' | 'faults'>,
  sink: EventSink,
  open: (own: EventSink) => Exchange,
  watch: EventSink = sinkOf({}),
): Desk {
  const { history, pending } = parts
  let desk: Desk | undefined
  const followed = followedOrders(pending)
  // Only the house's accounts are opened before the exchange stands, and have no log.
  const equity: EquityReader = (account, currency) =>
    desk === undefined ? amount(0n) : equityOf(desk.exchange, account, currency)
  const found = (): Desk => defined(desk, 'requests are made after the exchange stands')
  // Queries see all recorded trades, results only where the run asks for them.
  const asksPrints = (): boolean => desk !== undefined && configOf(desk.exchange).printEvents
  const own = fanOut([
    whileAsked(sink, asksPrints, ['print']),
    historySink(history, equity),
    sinkOf(messageTakers(found, ({ cause }) => askedBy(pending.get(cause)))),
    watch,
    sinkOf(replyTakers(pending, followed, (done) => conclude(found(), done))),
  ])
  desk = { exchange: open(own), ...parts, followed, companion: null, sink: own }
  return desk
}

/**
 * Hands a request to the exchange at its time, which is not before the clock. What is due until then
 * happens first, because reading a request looks at the state that it meets. `onReply` is called once,
 * when the request is complete; where nobody waits it is null, and no reply is built. Returns the
 * request's sequence number.
 */
export function submit(
  desk: Desk,
  given: VenueRequest,
  onReply: ((reply: VenueReply) => void) | null,
): Sequence {
  const { request, fault: malformed } = readEnvelope(given)
  assert(request.time >= timeOf(desk.exchange), 'requests come in the order of time')
  advanceTo(desk.exchange, request.time, desk.sink)
  const number = sequence(lastSequenceOf(desk.exchange) + 1)
  const over = viewSession(desk.exchange, request.session)?.type
  const read = readRequest(desk, request, { over, malformed })
  const { account, fault, note } = read
  const pending: Pending = {
    request,
    account,
    over: over ?? null,
    method: read.method,
    params: read.params,
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
  desk.pending.set(number, pending)
  desk.followed.working = number
  const { time, session } = request
  const charge = chargeOf(desk.exchange, request.method, read)
  const message = read.method?.direct
  const header = { time, sequence: number, account, session, fault, charge }
  const command = commandOf(read.body, message === undefined ? header : { ...header, message })
  apply(desk.exchange, command, desk.sink)
  desk.followed.working = null
  if (desk.pending.has(number)) follow(desk.followed, number, pending)
  if (pending.refusal !== null) return number
  if (note !== undefined) logAccess(desk, note)
  if (read.method?.afterwards !== undefined) {
    doAfterwards(desk, read.method.afterwards, pending.params)
  }
  return number
}

/**
 * A body with its header. The method made the body for this request alone, so it becomes the command itself, field by
 * field: copying it would cost more than matching it, and so does assigning a header as a whole.
 */
function commandOf(body: CommandBody, header: CommandHeader): Command {
  const command = body as Mutable<Command>
  command.time = header.time
  command.sequence = header.sequence
  command.account = header.account
  command.session = header.session
  command.fault = header.fault
  command.charge = header.charge
  if (header.message !== undefined) command.message = header.message
  return command
}

/** The first fault of a request and the command it becomes. */
function readRequest(
  desk: Desk,
  request: VenueRequest,
  { over, malformed }: { readonly over: SessionKind | undefined; readonly malformed: Fault | null },
): {
  readonly body: CommandBody
  readonly fault: Fault | null
  readonly account: AccountId | -1
  readonly method: Method | undefined
  readonly params: object
  /** The entry that it makes in an access log. */
  readonly note?: AccessNote | undefined
} {
  const known = findMethod(request.method)
  const method = methodOver(over, request.method, known)
  const isControl = request.method.startsWith('sim/')
  const { asker, key } = askerOf(desk.exchange, request.account)
  const account = asker?.id ?? -1
  const isNobody = asker === undefined || asker.house
  if (malformed !== null) {
    const body = { ...(known?.unread ?? unreadQuery) }
    return { body, fault: malformed, account, method: known, params: {} }
  }
  if (request.refused !== undefined && isByFault(request.refused)) {
    // Nobody looks at what comes in a storm.
    const fault: Fault = { step: validationStep.envelope, refusal: { reason: request.refused } }
    return { body: { ...unreadQuery }, fault, account, method: known, params: {} }
  }
  if (known !== undefined && isInMaintenance(desk.exchange) && changesAnything(known)) {
    const fault: Fault = {
      step: validationStep.envelope,
      refusal: { reason: 'system_maintenance' },
    }
    return { body: { ...known.unread }, fault, account, method: known, params: {} }
  }
  // What only gateways serve needs an account too, whoever asks for it over what.
  const needsAccount =
    request.method.startsWith('private/') ||
    (isPublicClosed(desk.exchange) &&
      known !== undefined &&
      isClosedToNobody(request.method, known))
  if (known !== undefined && isNobody && needsAccount) {
    const refusal = { reason: 'unauthorized' } as const
    const fault: Fault = { step: validationStep.authentication, refusal }
    const body = { ...known.unread }
    return { body, fault, account: -1, method: known, params: {} }
  }
  const isUnserved = (isControl && !desk.controls) || request.refused === 'method_not_found'
  if (method === undefined || isUnserved) {
    const refusal = { reason: 'method_not_found' } as const
    const fault: Fault = { step: validationStep.envelope, refusal }
    return { body: { ...unreadQuery }, fault, account, method: undefined, params: {} }
  }
  const isBeyondKey =
    key?.scopes != null && !allowsScope(key.scopes, scopeOf(method, request.params))
  if (request.refused === 'forbidden' || isBeyondKey) {
    const fault: Fault = { step: validationStep.scope, refusal: { reason: 'forbidden' } }
    return { body: { ...method.unread }, fault, account, method, params: {} }
  }
  if (request.refused === 'unknown_parameter') {
    const [param = 'params'] = strangeNames(method, request.params)
    const fault = paramFault(param, request.refused)
    return { body: { ...method.unread }, fault, account, method, params: {} }
  }
  const params = readParams(method, request.params)
  if (!params.ok) {
    const { fault } = params
    return {
      body: { ...method.unread },
      fault: method.direct === undefined ? fault : frameFault(fault),
      account,
      method,
      params: {},
    }
  }
  const { exchange, history, kept, faults } = desk
  const { session } = request
  const context: ReadContext = { exchange, history, account, key, session, kept, faults }
  const { body, fault } = method.read(context, params.value as never)
  const note = fault === null ? method.note?.(context, params.value as never) : undefined
  return { body, fault: afterQueue(request, fault), account, method, params: params.value, note }
}

/** Public methods beside those of the connection that need no token while the others do. */
const alwaysOpen: ReadonlySet<string> = new Set(['hello', 'test', 'status', 'get_time'])

/** True if a public method needs a token while public methods are not open to everybody. */
function isClosedToNobody(name: string, { scope, served }: Method): boolean {
  return scope === 'public' && served !== true && !alwaysOpen.has(name.replace('public/', ''))
}

/** True if a method of clients changes anything at the venue. */
function changesAnything({ scope, direct, unread }: Method): boolean {
  return scope.endsWith(':read_write') || (direct !== undefined && unread.kind !== 'query')
}

/** True if a request is refused by a fault on demand, before anybody looks at it. */
function isByFault(refused: RequestRefusal): refused is FaultReason {
  return faultReasons.some((reason) => reason === refused)
}

/** The account that asks, and the key behind it (`maker/desk`); an unknown key is nobody's. */
function askerOf(
  exchange: Exchange,
  name: string | null,
): { readonly asker: Account | undefined; readonly key: KeyView | null } {
  if (name === null) return { asker: undefined, key: null }
  const asker = findAccount(exchange, name)
  const at = name.lastIndexOf('/')
  if (asker !== undefined || at < 0) return { asker, key: null }
  const owner = findAccount(exchange, name.slice(0, at))
  const key = owner === undefined ? undefined : findKey(exchange, owner.id, name.slice(at + 1))
  return key === undefined ? { asker: undefined, key: null } : { asker: owner, key }
}

/** The fault of a request that can be read: the refusal of its queue comes before all that reading it finds (C05). */
function afterQueue({ refused }: VenueRequest, fault: Fault | null): Fault | null {
  const step = validationStep.parameters
  if (refused === undefined || refused === 'unknown_parameter') return fault
  if (fault !== null && fault.step <= step) return fault
  if (refused === 'cannot_go_back') {
    return { step, refusal: { reason: 'invalid_request', problem: 'feeds_or_strategies_go_on' } }
  }
  return { step, refusal: { reason: refused } }
}

/** Replies to the request that ends. What it sets off follows with the same cause, and is no part of its reply. */
function conclude(desk: Desk, done: EventOf<'request'>): void {
  const pending = desk.pending.get(done.cause)
  if (pending === undefined) return
  desk.pending.delete(done.cause)
  unfollow(desk.followed, done.cause)
  if (pending.onReply !== null) pending.onReply(replyOf(desk, pending, done))
}

function replyOf(desk: Desk, pending: Pending, done: EventOf<'request'>): VenueReply {
  const usIn: Micros = pending.request.time
  const usOut = micros(done.time)
  if (pending.refusal !== null) {
    const error = refusalError(desk, pending, pending.refusal)
    return { sequence: done.cause, usIn, usOut, ok: false, error }
  }
  const { exchange, history, kept, faults } = desk
  const { account, trades, order, cancelled, moved, quoted, rfqQuotes, method, params } = pending
  assert(method !== undefined, 'a request of an unknown method is refused')
  const context = {
    exchange,
    history,
    account,
    key: null,
    session: pending.request.session,
    kept,
    faults,
    cause: done.cause,
    count: done.count,
    trades: trades ?? [],
    order: order ?? undefined,
    cancelled: cancelled ?? [],
    moved: moved ?? [],
    quoted: quoted ?? undefined,
    rfqQuotes: rfqQuotes ?? [],
    served: method.served === true ? (pending.request.serve?.() ?? null) : null,
  }
  const error = method.rejection?.(context, params as never) ?? null
  if (error !== null) return { sequence: done.cause, usIn, usOut, ok: false, error }
  const result = method.reply(context, params as never)
  return { sequence: done.cause, usIn, usOut, ok: true, result }
}

/** Direct access has numbers of its own for what JSON-RPC says otherwise. */
function refusalError(
  { exchange }: Desk,
  { method, request: { session, refused, params } }: Pending,
  refusal: Refusal,
): VenueError {
  const message = method?.direct
  if (message === undefined) {
    const error = errorOf(refusal)
    if (refused !== 'forbidden' || refusal.reason !== refused) return error
    return { ...error, data: { reason: 'scope_mismatch', param: scopeWords(method, params) } }
  }
  return directError(message, refusal, versionOf({ exchange, session }))
}

/** The scope that a token needs for a method, in its words. */
function scopeWords(method: Method | undefined, params: RequestParams): string {
  if (method === undefined) return ''
  const scope = scopeOf(method, params)
  return method.mainAccount === true ? `${scope} mainaccount` : scope
}

/** A message of direct access that cannot be read is none, and refused before all else (8.7). */
function frameFault({ refusal }: Fault): Fault {
  const { param, problem } =
    refusal.reason === 'invalid_params' ? refusal : { param: 'params', problem: refusal.reason }
  return envelopeFault(`${param} ${problem}`)
}
