/**
 * Turns requests into commands: finds the account, the method and the first fault.
 *
 * A malformed or read-only request enters the engine too, with a fault that carries its step in the order of
 * validation.
 * Source: DESIGN 1; trading.md C07; coverage R32, R45.
 */
import type { AccountId, Mutable } from '../../core/index.ts'
import {
  type Exchange,
  findAccount,
  findKey,
  isInMaintenance,
  isPublicClosed,
  type KeyView,
} from '../../engine/index.ts'
import {
  type AccessScope,
  type Account,
  allowsScope,
  type Command,
  type CommandHeader,
  type Fault,
  type FaultReason,
  faultReasons,
  type MethodScope,
  type RequestRefusal,
  type SessionKind,
  validationStep,
} from '../../model/index.ts'
import type { AccessNote } from '../history/index.ts'
import {
  type CommandBody,
  envelopeFault,
  type LostSequence,
  type Method,
  paramFault,
  type ReadContext,
  readParams,
  scopeOf,
  strangeNames,
  unreadable,
} from '../methods/index.ts'
import type { VenueRequest } from '../wire/index.ts'
import type { DeskState } from './desk-bytes.ts'

/** A request that was read. */
interface ReadRequest {
  /** The command of the request, without its header. */
  readonly body: CommandBody
  readonly fault: Fault | null
  readonly account: AccountId | -1
  readonly method: Method | undefined
  readonly params: object
  /** The entry that it adds to an access log. */
  readonly note?: AccessNote | undefined
  /** How its sequence number ended its session, with no other effect; absent for all other requests. */
  readonly lost?: LostSequence
}

/** The first fault of a request and the command it becomes. */
export function readRequest(
  desk: DeskState,
  request: VenueRequest,
  over: SessionKind | undefined,
  malformed: Fault | null,
): ReadRequest {
  const known = desk.methods.find(request.method)
  const method = desk.methods.findOver(over, request.method)
  const isControl = request.method.startsWith('sim/')
  const { asker, key } = askerOf(desk.exchange, request.account)
  const account = asker?.id ?? -1
  const isNobody = asker === undefined || asker.house
  if (malformed !== null) {
    const body = unreadable(known?.command ?? 'query')
    return { body, fault: malformed, account, method: known, params: {} }
  }
  const isUnserved = (isControl && !desk.controls) || request.refused === 'method_not_found'
  // A message uses up its sequence number, whatever else is wrong with it (8.4).
  const lost = isUnserved ? null : countMessage(desk, request, account, method)
  if (lost !== null) {
    const body: CommandBody = { kind: 'close_session', closed: request.session, how: lost }
    return { body, fault: null, account, method, params: {}, lost }
  }
  if (request.refused !== undefined && isByFault(request.refused)) {
    // An injected fault refuses the request unread.
    const fault: Fault = { step: validationStep.envelope, refusal: { reason: request.refused } }
    return { body: unreadable('query'), fault, account, method: known, params: {} }
  }
  if (known !== undefined && isInMaintenance(desk.exchange) && changesAnything(known)) {
    const fault: Fault = {
      step: validationStep.envelope,
      refusal: { reason: 'system_maintenance' },
    }
    return { body: unreadable(known.command), fault, account, method: known, params: {} }
  }
  if (known?.socketOnly === true && request.session === 0) {
    const refusal = { reason: 'must_be_websocket_request' } as const
    const fault: Fault = { step: validationStep.envelope, refusal }
    return { body: unreadable(known.command), fault, account, method: known, params: {} }
  }
  // This includes methods that only gateways serve, over every kind of session.
  const needsAccount =
    request.method.startsWith('private/') ||
    (isPublicClosed(desk.exchange) && known !== undefined && isClosedToNobody(request.method, known))
  if (known !== undefined && isNobody && needsAccount) {
    const refusal = { reason: 'unauthorized' } as const
    const fault: Fault = { step: validationStep.authentication, refusal }
    const body = unreadable(known.command)
    return { body, fault, account: -1, method: known, params: {} }
  }
  if (method === undefined || isUnserved) {
    const refusal = { reason: 'method_not_found' } as const
    const fault: Fault = { step: validationStep.envelope, refusal }
    return { body: unreadable('query'), fault, account, method: undefined, params: {} }
  }
  const scope = scopeOf(method, request.params)
  if (request.refused === 'forbidden' || isBeyond([scope], key?.scopes)) {
    const fault: Fault = { step: validationStep.scope, refusal: { reason: 'forbidden' } }
    return { body: unreadable(method.command), fault, account, method, params: {} }
  }
  if (request.refused === 'unknown_parameter') {
    const [param = 'params'] = strangeNames(method, request.params)
    const fault = paramFault(param, request.refused)
    return { body: unreadable(method.command), fault, account, method, params: {} }
  }
  const params = readParams(method, request.params)
  if (!params.ok) {
    return {
      body: unreadable(method.command),
      fault: method.direct === undefined ? params.fault : frameFault(params.fault),
      account,
      method,
      params: {},
    }
  }
  const { exchange, history, kept, faults, methods } = desk
  const context: ReadContext = { exchange, history, account, key, session: request.session, kept, faults, methods }
  const given = method.gives?.(context, params.value as never) ?? []
  if (isBeyond(given, key?.scopes) || isBeyond(given, request.rights)) {
    const refusal = { reason: 'scope_exceeded' } as const
    const fault: Fault = { step: validationStep.scope, refusal }
    return { body: unreadable(method.command), fault, account, method, params: params.value }
  }
  const { body, fault } = method.read(context, params.value as never)
  const note = fault === null ? method.note?.(context, params.value as never) : undefined
  return { body, fault: afterQueue(request, fault), account, method, params: params.value, note }
}

/** True if a key or a token lacks any of these rights; without a list it has all rights. */
function isBeyond(needed: readonly MethodScope[], own: readonly AccessScope[] | null | undefined): boolean {
  return own != null && needed.some((scope) => !allowsScope(own, scope))
}

/** Counts a message of direct access by its sequence number; returns null unless the number ends its session. */
function countMessage(
  { methods, history }: DeskState,
  request: VenueRequest,
  account: AccountId | -1,
  method: Method | undefined,
): LostSequence | null {
  if (method === undefined || methods.direct === null) return null
  return methods.direct.count({ history, session: request.session, account, method, params: request.params })
}

/** Public methods that never need a token, in addition to those of the connection itself. */
const alwaysOpen: ReadonlySet<string> = new Set(['hello', 'test', 'status', 'get_time'])

/** True if a public method needs a token while public methods are closed. */
function isClosedToNobody(name: string, method: Method): boolean {
  return method.scope === 'public' && method.served !== true && !alwaysOpen.has(name.replace('public/', ''))
}

/** True if a method that clients can call changes anything at the venue. */
function changesAnything(method: Method): boolean {
  return method.scope.endsWith(':read_write') || (method.direct !== undefined && method.command !== 'query')
}

/** True if an injected fault refuses the request before it is read. */
function isByFault(refused: RequestRefusal): refused is FaultReason {
  return faultReasons.some((reason) => reason === refused)
}

/** The account of a request, and its key (`maker/desk`). An unknown or disabled key has no account. */
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
  return key?.enabled === true ? { asker: owner, key } : { asker: undefined, key: null }
}

/**
 * Chooses the fault of a readable request: the refusal of its queue comes before all faults that reading it finds
 * (C05).
 */
function afterQueue({ refused }: VenueRequest, fault: Fault | null): Fault | null {
  const step = validationStep.parameters
  if (refused === undefined || refused === 'unknown_parameter') return fault
  if (fault !== null && fault.step <= step) return fault
  if (refused === 'cannot_go_back') {
    return { step, refusal: { reason: 'invalid_request', problem: 'feeds_or_strategies_go_on' } }
  }
  return { step, refusal: { reason: refused } }
}

/**
 * Adds the header to a body. The method made the body for this request alone, so the body itself becomes the command,
 * field by field: copying it would cost more than matching it, and so does assigning a header as a whole.
 */
export function commandOf(body: CommandBody, header: CommandHeader): Command {
  const command = body as Mutable<Command>
  command.time = header.time
  command.sequence = header.sequence
  command.account = header.account
  command.session = header.session
  command.fault = header.fault
  command.charge = header.charge
  if (header.message !== undefined) command.message = header.message
  if (header.correlationId !== undefined) command.correlationId = header.correlationId
  return command
}

/**
 * A direct-access message that cannot be read does not count as a message, and is refused before all other checks
 * (8.7).
 */
function frameFault({ refusal }: Fault): Fault {
  const { param, problem } =
    refusal.reason === 'invalid_params' ? refusal : { param: 'params', problem: refusal.reason }
  return envelopeFault(`${param} ${problem}`)
}
