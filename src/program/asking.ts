/** The answer to a program's request: a reply, or the information that the speed bump holds the request. */
import type { Micros, Sequence } from '../core/index.ts'
import type { MethodName, MethodParams, MethodResult } from '../gateways/index.ts'
import type { ReplyOf, VenueError, VenueReply } from '../rpc/index.ts'

/** A reply with the result type of its method. */
export type MethodReply<M extends MethodName> = ReplyOf<MethodResult<M>>

/** Number of a request at its venue. Its type records the method. */
export type RequestId<M extends MethodName = MethodName> = Sequence & { readonly asked?: M }

/** An answered request: its reply, and the parts of the reply. */
export type Answered<M extends MethodName> = MethodReply<M> & {
  readonly id: RequestId<M>
  /** The values that a refused request could have named, if they are known. */
  readonly hint?: string
  readonly reply: MethodReply<M>
  readonly held?: undefined
}

/** A request whose reply waits behind the speed bump. */
export interface Held<M extends MethodName> {
  readonly id: RequestId<M>
  /** Time in microseconds at which the speed bump releases the request. A later request may extend it. */
  readonly held: Micros
  readonly reply?: undefined
  readonly ok?: undefined
  readonly result?: undefined
  readonly error?: undefined
}

/** Methods whose requests are never held. */
type AtOnce = `public/${string}` | `sim/${string}` | `private/get_${string}`

/**
 * The result of `request`: a reply, or a held request with the time in `held`. The venue answers queries and controls
 * immediately.
 */
export type Asked<M extends MethodName> = M extends AtOnce ? Answered<M> : Answered<M> | Held<M>

/** Options of a request. */
export interface AskOptions<M extends MethodName> {
  /** True to move the clock until the reply has arrived. */
  readonly advance?: boolean
  /** Called once with the reply, however late it arrives. */
  readonly onReply?: (reply: MethodReply<M>) => void
}

/** Sends requests for one account, or without an account. */
export interface Asker {
  /**
   * Sends a request at the venue's clock. Returns its reply, or the time until which it is held. Throws `RangeError`
   * for an unknown parameter of the method, unless the venue was opened with `strict: false`.
   */
  request<M extends MethodName>(
    method: M,
    params: MethodParams<M>,
    options: AskOptions<M> & { readonly advance: true },
  ): Answered<M>
  request<M extends MethodName>(method: M, params: MethodParams<M>, options?: AskOptions<M>): Asked<M>
}

/** A reply with access to its parts; it is printed as `{ id, reply }`. */
export class Answer {
  readonly id: Sequence
  readonly reply: VenueReply

  constructor(id: Sequence, reply: VenueReply) {
    this.id = id
    this.reply = reply
  }

  get ok(): boolean {
    return this.reply.ok
  }

  get result(): unknown {
    return this.reply.ok ? this.reply.result : undefined
  }

  get error(): VenueError | undefined {
    return this.reply.ok ? undefined : this.reply.error
  }

  get hint(): string | undefined {
    return this.reply.ok ? undefined : this.reply.hint
  }
}
