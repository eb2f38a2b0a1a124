/**
 * A method: the shape of its parameters, the command it becomes, the reply it gets.
 *
 * A later method is a `Method` in the file of its noun, and its name in the table of that file.
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
import { type ParamReader, paramReader } from './parameter-readers.ts'

/** A command without its header; the desk adds time, sequence, account and session. */
export type CommandBody = Command extends infer C ? (C extends Command ? Omit<C, keyof CommandHeader> : never) : never

/** The body of a kind of command. */
export type BodyOf<K extends CommandKind> = Extract<CommandBody, { readonly kind: K }>

/** A command body with what was wrong when it was read, or null. */
export interface ReadRequest {
  readonly body: CommandBody
  readonly fault: Fault | null
}

/** Context in which a method reads a request. */
export interface ReadContext {
  readonly exchange: Exchange
  readonly history: History
  /** Who asks; -1 for nobody. */
  readonly account: AccountId | -1
  /** The key that it was asked with; null where none was named. */
  readonly key: KeyView | null
  /** The connection it came over; 0 for none. */
  readonly session: number
  /** Venues that are kept within the run, by name. */
  readonly kept: ReadonlyMap<string, { readonly accounts: number; readonly instruments: number }>
  /** Faults of messages. */
  readonly faults: Faults
  /** The methods that the desk serves. */
  readonly methods: { readonly names: readonly string[] }
}

/** Result of a mass quote. */
export interface Quoted {
  /** Quotes that its group had before, of direct access. */
  readonly before: Map<OrderId, OrderView>
  /** The quotes that it placed, changed or cancelled, as they are now; of direct access also what a protection took. */
  readonly orders: Map<OrderId, OrderChanged>
  /**
   * Trades until the reply, in match order: those that its quotes took, and those that met them while another waited.
   */
  readonly trades: Trade[]
  readonly refused: EventOf<'quote_refusal'>[]
}

/** The event that ends a request. */
export interface Execution {
  /** Its number among the events of the venue. */
  readonly number: number
  /** When the request came. */
  readonly receivedAt: Micros
  /** When it was complete. */
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
  /** The order the request placed, changed or cancelled, as it is now, or undefined. */
  readonly order: OrderChanged | undefined
  /** Orders that a bulk cancel cancelled, in that order. */
  readonly cancelled: readonly OrderChanged[]
  /** Result of a mass quote; undefined for other requests. */
  readonly quoted: Quoted | undefined
  /** The positions that the request moved, in that order. */
  readonly moved: readonly EventOf<'position_transfer'>[]
  /** Changes of quotes on Block RFQs of the asking account that the request caused, in that order. */
  readonly rfqQuotes: readonly EventOf<'block_rfq_quote'>[]
  /** The answer of the connection that the request came over; null where there is none. */
  readonly served: ServedReply | null
}

/**
 * The part of a method in the queue of its account.
 * - `order`: it places, in the queue of its currency.
 * - `edit`: it edits the order that it names, there too.
 * - `cancel`: it cancels, there too.
 * - `withdrawal`: it cancels, and withdraws what waits in the queue.
 */
export type QueueSort = 'order' | 'edit' | 'cancel' | 'withdrawal'

/**
 * Work that a desk does once the request that asks for it was carried out.
 * - `keep`: it keeps the venue under the name of the request.
 * - `put_back`: it puts that venue back.
 * - `announce`: it publishes an announcement.
 * - `unannounce`: it takes one away.
 * - `mark_read`: it notes that the account that asks has read one.
 * - `set_faults`: it takes other faults of messages.
 * - `stop_feeds`: whoever feeds it applies no recorded message any more.
 * - `set_credential`: it keeps a credential of the gateways.
 * - `log_on`: sequence numbers of the session that was opened begin anew, where that was asked for.
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
 * The sessions that a method may be asked over.
 * - `json_rpc`: HTTP and WebSockets, and whoever asks without a session: a scenario, a strategy, a program.
 * - `rest_gateway`: the REST interface of a gateway of the alternative engine alone.
 * - `direct_access`: a message of direct access; over other sessions the engine refuses it with a reason of its own.
 * - `any`: all of them, as the simulator's own controls.
 */
export type AskedOver = 'json_rpc' | 'rest_gateway' | 'direct_access' | 'any'

/** A method of the venue or of the simulator. */
export interface Method<Schema extends z.ZodObject = z.ZodObject, Result = unknown> {
  /** The kind of command that its requests become; one that cannot be read is `unreadable` of that kind. */
  readonly command: CommandKind
  /** Who may ask for it. Scenario files, strategies and programs ask with every scope; a server looks at tokens. */
  readonly scope: MethodScope
  /** The sessions that it may be asked over. */
  readonly sessions: AskedOver
  /** The scope of requests with `block_rfq: true`, where that is another one (sessions document 2.3). */
  readonly rfqScope?: AccessScope
  /** True if it is for main accounts alone, and for tokens that say so. */
  readonly mainAccount?: true
  readonly params: Schema
  /** Reads parameters as the schema does, which it is put together from. */
  readonly reader: ParamReader
  /** The bucket that it is paid from whatever it says; left out of those that pay by how far they reach. */
  readonly charge?: RateCharge
  /** Its part in the queue of its account; left out of those that have none. */
  readonly queue?: QueueSort
  /**
   * Parameters that the interface requires though the server answers without some of them, with when that is; schemas
   * say both.
   */
  readonly requires?: { readonly [P in keyof z.output<Schema> & string]?: string }
  /** The message of direct access that it is, which has refusals of its own; left out for all others. */
  readonly direct?: DirectMessage
  /** True if the connection answers it that it comes over (`servedMethod`). */
  readonly served?: true
  /** True if it needs a WebSocket: a request without a connection is refused for that before its token and parameters are read (S273). */
  readonly socketOnly?: boolean
  /** The desk's work once a request was carried out. */
  readonly afterwards?: DeskWork
  /**
   * The entry that a request makes in the access log of an account once it was carried out; it looks at what was before.
   * Left out of methods that make none.
   */
  note?(context: ReadContext, params: z.output<Schema>): AccessNote
  /** Rights that a request gives to a key; the caller must have them. Only methods that give rights declare it. */
  gives?(context: ReadContext, params: z.output<Schema>): readonly AccessScope[]
  read(context: ReadContext, params: z.output<Schema>): ReadRequest
  reply(context: ReplyContext, params: z.output<Schema>): Result
  /** How a refusal of it reads, where that is another than that of all methods. */
  refused?(error: VenueError): VenueError
  /** Why a request that was carried out is answered with an error all the same, or null. */
  rejection?(context: ReplyContext, params: z.output<Schema>): VenueError | null
}

/** The scope that a request asks for; its parameters have not been read. */
export function scopeOf({ scope, rfqScope }: Pick<Method, 'scope' | 'rfqScope'>, params: RequestParams): MethodScope {
  return rfqScope !== undefined && params['block_rfq'] === true ? rfqScope : scope
}

/** True if a method may be asked over a session of a kind; undefined for a request without one. */
export function isAskedOver({ sessions }: Pick<Method, 'sessions'>, kind: SessionKind | undefined): boolean {
  if (sessions === 'any' || sessions === 'direct_access') return true
  if (sessions === 'rest_gateway') return kind === 'rest_gateway'
  return kind === undefined || kind === 'web_socket'
}

/** A message of direct access is a command of a kind that costs tokens. */
type Priced = { readonly direct?: never } | { readonly direct: DirectMessage; readonly command: DirectKind }

/** Types a method by its own schema and result. */
export function defineMethod<Schema extends z.ZodObject, Result>(
  method: Omit<Method<Schema, Result>, 'reader'> & Priced,
): Method<Schema, Result> {
  return { ...method, reader: paramReader(method.params) }
}

/** The account that asks; private methods without one are refused before they are read. */
export function asker(context: ReadContext): AccountId {
  return context.account as AccountId
}

/** True if what a request does about block trades waits for another key of its account. */
export function needsApproval({ key }: ReadContext): boolean {
  return key?.features.includes('block_trade_approval') === true
}

/**
 * Extras that all orders of a request have: where they come from, as they tell it, which is the application of its key
 * or a mobile device. Null for none.
 */
export function lastingExtras({ exchange, key, session }: ReadContext): LastingExtras | null {
  const appName = key?.appName ?? null
  const isMobile = session !== NO_SESSION && viewSession(exchange, session)?.mobile === true
  if (appName === null && !isMobile) return null
  const application = appName === null ? {} : { appName }
  return { origin: { ...application, ...(isMobile ? { mobile: true } : {}) } }
}

/** The body of a request of a kind that cannot be read, for a fault that refuses it; with what could be read of it. */
export function unreadable(
  of: CommandKind,
  {
    instrument = -1,
    validUntil = null,
  }: { readonly instrument?: InstrumentId | -1; readonly validUntil?: Micros | null } = {},
): CommandBody & { readonly kind: 'unreadable' } {
  return { kind: 'unreadable', of, instrument, validUntil }
}

/** A read-only request: it is sequenced like any other and answered from views. */
export function queryOf(fault: Fault | null): ReadRequest {
  return { body: { kind: 'query' }, fault }
}

/** The context of a view that nobody's request asked for, such as a check of a scenario or a notification. */
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
