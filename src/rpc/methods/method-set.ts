/**
 * The set of methods that a request router serves: those of `rpc`, and those that folders above it add. Messages of
 * direct access have rejects and messages of a separate form, which come with their methods.
 */
import { type AccountId, checkArgument, checkOptions, type Micros } from '../../core/index.ts'
import type { DirectMessage, EventTakers, Refusal, SessionKind } from '../../model/index.ts'
import type { History } from '../history/index.ts'
import type { RequestParams, VenueError } from '../wire/index.ts'
import { gatewayTable } from './account/gateway/gateway-methods.ts'
import { isAskedOver, type Method } from './method.ts'
import { methods } from './table.ts'

/** Methods by name. */
export interface MethodSet {
  /** Finds the method with this name, if it is in the set. */
  find(name: string): Method | undefined
  /**
   * Finds the method that a name means over a kind of session; undefined if the method does not serve such sessions.
   */
  findOver(kind: SessionKind | undefined, name: string): Method | undefined
  /** All names, in the order of their tables. */
  readonly names: readonly string[]
  /** Answers to messages of direct access; null if the set serves none. */
  readonly direct: DirectDesk | null
  /** Functions that save and restore the venue; null if no method does so. */
  readonly keeping: VenueKeeping | null
}

/** Saves the venue of a request router under a name and restores it, for `sim/snapshot` and `sim/restore`. */
export interface VenueKeeping {
  /**
   * Replaces an earlier snapshot of the name. The type is `never`, because routers are a layer above methods, which
   * cannot import their type.
   */
  keep(desk: never, name: string): void
  /** Restores a snapshot whose name exists. */
  putBack(desk: never, name: string): void
}

/** The part of the history that messages of direct access are made from and kept in. All of it follows from events. */
export type MessageHistory = Pick<History, 'instruments' | 'orders' | 'messages' | 'limits'>

/** A message that is refused, with the event of the refusal. */
export interface RefusedMessage {
  readonly history: MessageHistory
  readonly session: number
  /** The parameters that were read; empty if they could not be read. */
  readonly asked: object
  readonly number: number
  readonly time: Micros
}

/** How the sequence number of a message ends its session of direct access. */
export type LostSequence = 'sequence_too_low' | 'sequence_gap'

/** A request that may be a numbered message, with its account and session, before its parameters are read. */
export interface NumberedMessage {
  readonly history: History
  readonly session: number
  readonly account: AccountId | -1
  readonly method: Method
  readonly params: RequestParams
}

/** How a request router answers messages of direct access. */
interface DirectDesk {
  /** The reject message for a refusal. */
  reject(message: DirectMessage, refusal: Refusal, of: RefusedMessage): VenueError
  /** Takers that write the messages of events, from these events alone. */
  takers(history: MessageHistory): EventTakers
  /**
   * Counts a message by its sequence number, if the message has a number, whatever else is wrong with it. Returns how a
   * wrong number ends the session, otherwise null.
   */
  count(of: NumberedMessage): LostSequence | null
  /** The error for a message whose number ended its session. */
  lostError(reason: LostSequence): VenueError
}

/** Methods and answers of a set that no table has. */
export interface OtherMethods {
  /** Methods that replace others of the same name over the REST interface of a gateway. */
  readonly gateway?: object
  /** Answers to messages of direct access. */
  readonly direct?: DirectDesk | null
  /** Required by tables with `sim/snapshot` and `sim/restore`. */
  readonly keeping?: VenueKeeping | null
}

/**
 * The methods of these tables, for a request router that serves no others. A bundler leaves out methods that are in
 * none of them.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const { names, find } = methodSet([orderMethods, openingControls])
 * console.log(names.includes('private/buy'), find('public/ticker')) // true undefined
 */
export function methodSet(tables: readonly object[], others: OtherMethods = {}): MethodSet {
  checkArgument('methodSet: tables', tables, 'list')
  checkOptions('methodSet', others, { gateway: 'object?', direct: 'object | null?', keeping: 'object | null?' })
  const { gateway = {}, direct = null, keeping = null } = others
  const byName = new Map(tables.flatMap(methodsOf))
  const overGateway = new Map(methodsOf(gateway))
  const find = (name: string): Method | undefined => byName.get(name)
  const findOver = (kind: SessionKind | undefined, name: string): Method | undefined => {
    const own = kind === 'rest_gateway' ? overGateway.get(name) : undefined
    const meant = own ?? find(name)
    return meant !== undefined && isAskedOver(meant, kind) ? meant : undefined
  }
  return { find, findOver, names: [...byName.keys()], direct, keeping }
}

/** Each method of a table has a separate type, which an index signature cannot express. */
function methodsOf(table: object): readonly (readonly [string, Method])[] {
  return Object.entries(table as { readonly [name: string]: Method })
}

/** The methods of JSON-RPC and the controls of the simulator. */
export const ownMethods: MethodSet = /* @__PURE__ */ methodSet([methods], { gateway: gatewayTable })
