/**
 * The methods that a desk serves: those of `rpc`, and with them those of whoever stands above it. Messages of direct
 * access have rejects and messages of their own, which come with their methods.
 */
import { type AccountId, checkOptions, type Micros } from '../../core/index.ts'
import type { DirectMessage, EventTakers, Refusal, SessionKind } from '../../model/index.ts'
import type { History } from '../history/index.ts'
import type { RequestParams, VenueError } from '../wire/index.ts'
import { gatewayTable } from './account/gateway/gateway-methods.ts'
import { isAskedOver, type Method } from './method.ts'
import { methods } from './table.ts'

/** Methods by their names. */
export interface MethodSet {
  /** The method of a name; undefined for none. */
  find(name: string): Method | undefined
  /**
   * The method that a name means over a session of a kind; undefined where its declaration does not name such
   * sessions.
   */
  findOver(kind: SessionKind | undefined, name: string): Method | undefined
  /** All names, in the order of their tables. */
  readonly names: readonly string[]
  /** Answers to messages of direct access; null where none are served. */
  readonly direct: DirectDesk | null
  /** How venues are kept and put back; null where no method does. */
  readonly keeping: VenueKeeping | null
}

/** Keeps the venue of a desk under a name, and puts it back, for `sim/snapshot` and `sim/restore`. */
export interface VenueKeeping {
  /** In the place of what had the name. Desks stand above methods, which cannot say their type. */
  keep(desk: never, name: string): void
  /** The name is one that is known. */
  putBack(desk: never, name: string): void
}

/** The part of the past that messages of direct access are made of, and where they are kept. All of it comes from events. */
export type MessageHistory = Pick<History, 'instruments' | 'orders' | 'messages' | 'limits'>

/** A message that is refused: what it named, and the event that refuses it. */
export interface RefusedMessage {
  readonly history: MessageHistory
  readonly session: number
  /** Its parameters as they were read; none where they could not be. */
  readonly asked: object
  readonly number: number
  readonly time: Micros
}

/** How a session of direct access ends by the number of a message. */
export type LostSequence = 'sequence_too_low' | 'sequence_gap'

/** A request that may be a numbered message: who asks over which session, before its parameters are read. */
export interface NumberedMessage {
  readonly history: History
  readonly session: number
  readonly account: AccountId | -1
  readonly method: Method
  readonly params: RequestParams
}

/** How a desk answers messages of direct access. */
export interface DirectDesk {
  /** A refusal as the reject of a message. */
  reject(message: DirectMessage, refusal: Refusal, of: RefusedMessage): VenueError
  /** Writes the messages that events cause, and nothing but events. */
  takers(history: MessageHistory): EventTakers
  /**
   * Counts a message by its number, where it gives one, whatever else is wrong with it. Returns how one that is not the
   * next ends its session; null for all others.
   */
  count(of: NumberedMessage): LostSequence | null
  /** The error of a message that so ended its session. */
  lostError(reason: LostSequence): VenueError
}

/** Further methods and answers of a set, in addition to its tables. */
export interface OtherMethods {
  /** Names that mean something else over the REST interface of a gateway. */
  readonly gateway?: object
  /** Answers to messages of direct access. */
  readonly direct?: DirectDesk | null
  /** Needed by tables with `sim/snapshot` and `sim/restore`. */
  readonly keeping?: VenueKeeping | null
}

/**
 * The methods of these tables, for a desk that serves no others: a bundler leaves out what no table has.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const { names, find } = methodSet([orderMethods, openingControls])
 * console.log(names.includes('private/buy'), find('public/ticker')) // true undefined
 */
export function methodSet(tables: readonly object[], others: OtherMethods = {}): MethodSet {
  checkOptions('methodSet', others, { gateway: true, direct: true, keeping: true })
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

/** Types of a table are its own, which an index cannot say. */
function methodsOf(table: object): readonly (readonly [string, Method])[] {
  return Object.entries(table as { readonly [name: string]: Method })
}

/** The methods of JSON-RPC and the controls of the simulator. */
export const ownMethods: MethodSet = /* @__PURE__ */ methodSet([methods], { gateway: gatewayTable })
