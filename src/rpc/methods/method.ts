/**
 * A method: the schema of its parameters, its command and its reply.
 *
 * To add a method, declare a `Method` in the file of its noun and add its name to the table of that file.
 */
import {
  type AccountId,
  type InstrumentId,
  type Micros,
  type OrderId,
  type Sequence,
  sequence,
  type z,
} from '../../core/index.ts'
import { type Exchange, type KeyView, lastSequenceOf, type OrderView, timeOf, viewSession } from '../../engine/index.ts'
import type { Faults } from '../../faults/index.ts'
import {
  type AccessScope,
  type Command,
  type CommandHeader,
  type CommandKind,
  type DirectKind,
  type DirectMessage,
  type EventOf,
  type Fault,
  type LastingExtras,
  type MethodScope,
  NO_SESSION,
  type OrderChanged,
  type RateCharge,
  type SessionKind,
  type Trade,
} from '../../model/index.ts'
import type { AccessNote, History } from '../history/index.ts'
import type { RequestParams, ServedReply, VenueError } from '../wire/index.ts'
import { type ParamReader, paramReader } from './schema-reader.ts'

/** A command without its header; the request router adds time, sequence, account and session. */
export type CommandBody = Command extends infer C ? (C extends Command ? Omit<C, keyof CommandHeader> : never) : never

/** The command body of one kind. */
export type BodyOf<K extends CommandKind> = Extract<CommandBody, { readonly kind: K }>

/** A command body, and the fault of the request or null. */
export interface ReadRequest {
  readonly body: CommandBody
  readonly fault: Fault | null
}

/** Context in which a method reads a request. */
export interface ReadContext {
  readonly exchange: Exchange
  readonly history: History
  /** The account of the request; -1 without an account. */
  readonly account: AccountId | -1
  /** The API key of the request; null if it names no key. */
  readonly key: KeyView | null
  /** The connection that the request came over; 0 without a connection. */
  readonly session: number
  /** Snapshots of the venue within the run, by name. */
  readonly kept: ReadonlyMap<string, { readonly accounts: number; readonly instruments: number }>
  /** Faults of messages. */
  readonly faults: Faults
  /** The methods that the request router serves. */
  readonly methods: { readonly names: readonly string[] }
}

/** Result of a mass quote. */
export interface Quoted {
  /** The earlier quotes of its group, for direct access. */
  readonly before: Map<OrderId, OrderView>
  /**
   * The current state of the quotes that it placed, changed or cancelled. For direct access this includes quotes that a
   * protection cancelled.
   */
  readonly orders: Map<OrderId, OrderChanged>
  /**
   * Trades until the reply, in match order: trades in which its quotes were the taker, and trades with its resting
   * quotes while it waited.
   */
  readonly trades: Trade[]
  readonly refused: EventOf<'quote_refusal'>[]
}

/** The event that ends a request. */
interface Execution {
  /** The number of the event in the venue. */
  readonly number: number
  /** Arrival time of the request. */
  readonly receivedAt: Micros
  /** Time at which the request was complete. */
  readonly time: Micros
}

/** Context of a method whose request is complete. */
export interface ReplyContext extends ReadContext {
  readonly cause: Sequence
  readonly execution: Execution
  /** Number of orders that a bulk cancel cancelled. */
  readonly count: number
  /** Trades of the request's own order, in match order. */
  readonly trades: readonly Trade[]
  /** The current state of the order that the request placed, changed or cancelled, or undefined. */
  readonly order: OrderChanged | undefined
  /** Orders that a bulk cancel cancelled, in the order of the cancels. */
  readonly cancelled: readonly OrderChanged[]
  /** Result of a mass quote; undefined for other requests. */
  readonly quoted: Quoted | undefined
  /** The positions that the request moved, in the order of the moves. */
  readonly moved: readonly EventOf<'position_transfer'>[]
  /** Changes that the request caused in quotes of its account on Block RFQs, in the order of the changes. */
  readonly rfqQuotes: readonly EventOf<'block_rfq_quote'>[]
  /** The answer of the connection that the request came over; null without one. */
  readonly served: ServedReply | null
}

/**
 * The use that a method makes of the queue of its account.
 * - `order`: it places orders and waits in the queue of its currency.
 * - `edit`: it edits the order that it names and waits in the same queue.
 * - `cancel`: it cancels orders and waits in the same queue.
 * - `withdrawal`: it cancels orders and withdraws waiting requests from the queue.
 */
type QueueSort = 'order' | 'edit' | 'cancel' | 'withdrawal'

/**
 * Work that a request router does after the request was carried out.
 * - `keep`: saves the venue under the name of the request.
 * - `put_back`: restores that snapshot.
 * - `announce`: publishes an announcement.
 * - `unannounce`: deletes an announcement.
 * - `mark_read`: marks an announcement as read by the requesting account.
 * - `set_faults`: sets the faults of messages.
 * - `stop_feeds`: makes the run that feeds the router stop applying recorded messages.
 * - `set_credential`: stores a credential of the gateways.
 * - `log_on`: restarts the sequence numbers of the opened session, if the logon asks for that.
 */
export type DeskWork =
  | 'keep'
  | 'put_back'
  | 'announce'
  | 'unannounce'
  | 'mark_read'
  | 'set_faults'
  | 'stop_feeds'
  | 'set_credential'
  | 'log_on'

/**
 * The sessions over which clients can call a method.
 * - `json_rpc`: HTTP and WebSockets, and requests without a session, from scenarios, strategies and programs.
 * - `rest_gateway`: only the REST interface of a gateway of the alternative engine.
 * - `direct_access`: a message of direct access; over other sessions the engine refuses it with a separate reason.
 * - `any`: all sessions, as for the simulator's own controls.
 */
type AskedOver = 'json_rpc' | 'rest_gateway' | 'direct_access' | 'any'

/** A method of the venue or of the simulator. */
export interface Method<Schema extends z.ZodObject = z.ZodObject, Result = unknown> {
  /** The kind of command that its requests become. A request that cannot be read becomes `unreadable` of this kind. */
  readonly command: CommandKind
  /** The scope that a token needs. Scenario files, strategies and programs have all scopes; a server checks tokens. */
  readonly scope: MethodScope
  /** The sessions over which clients can call it. */
  readonly sessions: AskedOver
  /** The scope of requests with `block_rfq: true`, if it differs (sessions document 2.3). */
  readonly rfqScope?: AccessScope
  /** True if only main accounts can call it, with a token that has `mainaccount`. */
  readonly mainAccount?: true
  readonly params: Schema
  /** Reads parameters with the results of the schema, from which it is built. */
  readonly reader: ParamReader<z.output<Schema>>
  /** The bucket that each of its requests uses; omitted if the bucket depends on the reach of the request. */
  readonly charge?: RateCharge
  /** Its part in the queue of its account; omitted if it does not use the queue. */
  readonly queue?: QueueSort
  /**
   * Parameters that the interface requires although the server accepts some requests without them, each with the
   * condition. Schemas show both.
   */
  readonly requires?: { readonly [P in keyof z.output<Schema> & string]?: string }
  /**
   * The message of direct access that the method represents, which has separate refusals; omitted for other methods.
   */
  readonly direct?: DirectMessage
  /** True if the connection that the request came over answers it (`servedMethod`). */
  readonly served?: true
  /**
   * True if it needs a WebSocket. A request without a connection is refused for that before its token and parameters
   * are read (S273).
   */
  readonly socketOnly?: boolean
  /** Work of the request router after the request was carried out. */
  readonly afterwards?: DeskWork
  /**
   * The entry that a request adds to the access log of an account once it was carried out. It sees the state before the
   * request. Omitted for methods without such an entry.
   */
  note?(context: ReadContext, params: z.output<Schema>): AccessNote
  /** Rights that a request gives to a key; the caller must have them. Only methods that give rights declare it. */
  gives?(context: ReadContext, params: z.output<Schema>): readonly AccessScope[]
  read(context: ReadContext, params: z.output<Schema>): ReadRequest
  reply(context: ReplyContext, params: z.output<Schema>): Result
  /** The error for a refusal, if this method words it differently from other methods. */
  refused?(error: VenueError): VenueError
  /** Returns an error if a request that was carried out must still be answered with one, otherwise null. */
  rejection?(context: ReplyContext, params: z.output<Schema>): VenueError | null
}

/** The scope that a request needs. Its parameters are not read yet. */
export function scopeOf({ scope, rfqScope }: Pick<Method, 'scope' | 'rfqScope'>, params: RequestParams): MethodScope {
  return rfqScope !== undefined && params['block_rfq'] === true ? rfqScope : scope
}

/** True if clients can call a method over a kind of session; the kind is undefined for a request without a session. */
export function isAskedOver({ sessions }: Pick<Method, 'sessions'>, kind: SessionKind | undefined): boolean {
  if (sessions === 'any' || sessions === 'direct_access') return true
  if (sessions === 'rest_gateway') return kind === 'rest_gateway'
  return kind === undefined || kind === 'web_socket'
}

/** The command of a direct-access message must be of a kind that costs tokens. */
type Priced = { readonly direct?: never } | { readonly direct: DirectMessage; readonly command: DirectKind }

/** Declares a method with the types of its schema and result. */
export function defineMethod<Schema extends z.ZodObject, Result>(
  method: Omit<Method<Schema, Result>, 'reader'> & Priced,
): Method<Schema, Result> {
  return { ...method, reader: paramReader(method.params) }
}

/** The account of the request. Private methods without an account are refused before they are read. */
export function asker(context: ReadContext): AccountId {
  return context.account as AccountId
}

/** True if actions of a request on block trades wait for the approval of another key of the account. */
export function needsApproval(context: ReadContext): boolean {
  return context.key?.features.includes('block_trade_approval') === true
}

/**
 * Extras of all orders of a request: their origin, which is the application of the API key, a mobile device, or both.
 * Null without either.
 */
export function lastingExtras({ exchange, key, session }: ReadContext): LastingExtras | null {
  const appName = key?.appName ?? null
  const isMobile = session !== NO_SESSION && viewSession(exchange, session)?.mobile === true
  if (appName === null && !isMobile) return null
  const application = appName === null ? {} : { appName }
  return { origin: { ...application, ...(isMobile ? { mobile: true } : {}) } }
}

/**
 * The body of a request of a kind that cannot be read, for a fault that refuses it. It includes the parts that could be
 * read.
 */
export function unreadable(
  of: CommandKind,
  instrument: InstrumentId | -1 = -1,
  validUntil: Micros | null = null,
): CommandBody & { readonly kind: 'unreadable' } {
  return { kind: 'unreadable', of, instrument, validUntil }
}

/** A request with a command that the methods find no mistake in. */
export function validRequest(body: CommandBody): ReadRequest {
  return { body, fault: null }
}

/** A read-only request: it is sequenced like any other and answered from views. */
export function queryOf(fault: Fault | null): ReadRequest {
  return { body: { kind: 'query' }, fault }
}

/** The context of a view without a request, such as a check of a scenario or a notification. */
export function viewContext(
  context: Pick<ReadContext, 'exchange' | 'history' | 'account' | 'kept' | 'faults' | 'methods'>,
): ReplyContext {
  const { exchange, history, account, kept, faults, methods } = context
  return {
    exchange,
    history,
    account,
    kept,
    methods,
    faults,
    key: null,
    session: 0,
    cause: sequence(lastSequenceOf(exchange)),
    execution: { number: 0, receivedAt: timeOf(exchange), time: timeOf(exchange) },
    count: 0,
    trades: [],
    order: undefined,
    cancelled: [],
    moved: [],
    quoted: undefined,
    rfqQuotes: [],
    served: null,
  }
}
