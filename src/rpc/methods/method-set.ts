/**
 * The methods that a desk serves: those of `rpc`, and with them those of whoever stands above it. Messages of direct
 * access have rejects and messages of their own, which come with their methods.
 */
import type { AccountId, Micros } from '../../core/index.ts'
import type { DirectMessage, EventTakers, Refusal } from '../../model/index.ts'
import type { History } from '../history/index.ts'
import type { RequestParams, VenueError } from '../wire/index.ts'
import type { Method } from './method.ts'
import { methods } from './table.ts'

/** Methods by their names. */
export interface MethodSet {
  /** The method of a name; undefined for none. */
  find(name: string): Method | undefined
  /** All names, in the order of their tables. */
  readonly names: readonly string[]
  /** Answers to messages of direct access; null where none are served. */
  readonly direct: DirectDesk | null
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

/** The methods of a table. Its types are its own, which an index cannot say. */
export function methodSet(table: object, direct: DirectDesk | null): MethodSet {
  const byName: ReadonlyMap<string, Method> = new Map(
    Object.entries(table as { readonly [name: string]: Method }),
  )
  return { find: (name) => byName.get(name), names: [...byName.keys()], direct }
}

/** The methods of JSON-RPC and the controls of the simulator. */
export const ownMethods: MethodSet = /* @__PURE__ */ methodSet(methods, null)
