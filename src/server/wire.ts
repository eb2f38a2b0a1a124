/**
 * The connection between a market and its clients, which applies faults of messages on demand, by the clock of the
 * market.
 *
 * An object identifies the receiver of replies and notifications, so that a reordered message waits for the next one to
 * the same receiver.
 */
import {
  cancel,
  createTimerQueue,
  type Micros,
  micros,
  peekTime,
  popDue,
  schedule,
  type TimerId,
  timerCount,
  unreachable,
} from '../core/index.ts'
import { type FaultMessage, type Faults, faultOf, LATE_MAX } from '../faults/index.ts'
import type { FaultReason } from '../model/index.ts'

/** A receiver of messages. */
interface Receiver {
  /** Called if a message is lost. A connection that waits for no other message can then stop waiting. */
  lose(): void
}

/** A message to a client. */
interface Carried extends Omit<FaultMessage, 'time'> {
  readonly receiver: Receiver
  /** Sends the message. */
  readonly send: () => void
}

/** The message transport of a market. */
export class Wire {
  readonly #faults: () => Faults
  readonly #now: () => Micros
  readonly #late = createTimerQueue<() => void>()
  /** Messages that wait for the next one to their receiver, by timer. */
  readonly #overtaken = new Map<object, Map<TimerId, () => void>>()

  /** `now` is the time of the exchange. */
  constructor(of: { readonly faults: () => Faults; readonly now: () => Micros }) {
    this.#faults = of.faults
    this.#now = of.now
  }

  /** The time of the next delayed message; infinite without one. */
  get nextTime(): number {
    return peekTime(this.#late)
  }

  /** Sends the messages that are due until a time. */
  release(until: Micros): void {
    for (;;) {
      const due = popDue(this.#late, until)
      if (due === undefined) return
      due.payload()
    }
  }

  /** Returns what happens to a request: null if it passes, `lost`, or the reason why it is refused. */
  admit(request: Pick<FaultMessage, 'name' | 'account'>): 'lost' | FaultReason | null {
    const rule = this.#ruleOf('requests', request)
    return rule === null ? null : (rule.reason ?? 'lost')
  }

  /** Sends a message to a client, with the faults that apply to it. */
  carry(message: Carried): void {
    const { receiver, send } = message
    const rule = this.#ruleOf(message.of, message)
    if (rule === null) {
      send()
      this.#letGo(receiver)
      return
    }
    switch (rule.kind) {
      case 'double':
        send()
        send()
        this.#letGo(receiver)
        return
      case 'delay':
        if (this.#hasRoom) this.#keep(rule.by, send)
        else receiver.lose()
        return
      case 'reorder':
        if (this.#hasRoom) this.#keepBehind(receiver, rule.by, send)
        else receiver.lose()
        return
      case 'drop':
        receiver.lose()
        return
      case 'half_open':
      case 'refuse':
        return
      default:
        unreachable(rule.kind)
    }
  }

  /** Drops the waiting messages of a receiver that has disconnected. */
  leave(receiver: object): void {
    for (const id of this.#overtaken.get(receiver)?.keys() ?? []) cancel(this.#late, id)
    this.#overtaken.delete(receiver)
  }

  /** The fault rule that applies to a message. Most markets have no rules and skip the search. */
  #ruleOf(
    of: FaultMessage['of'],
    { name, account, isAlone = false }: Pick<FaultMessage, 'name' | 'account' | 'isAlone'>,
  ): ReturnType<typeof faultOf> {
    const faults = this.#faults()
    return faults.rules.length === 0
      ? null
      : faultOf(faults, { of, name, account, isAlone, isOfClient: true, time: this.#now() })
  }

  get #hasRoom(): boolean {
    return timerCount(this.#late) < LATE_MAX
  }

  #keep(by: number, send: () => void): TimerId {
    const time = micros(Math.min(this.#now() + by, Number.MAX_SAFE_INTEGER))
    return schedule(this.#late, { time, rank: 0, payload: send })
  }

  /** Delays a message until the next one to its receiver, but at most for a time. */
  #keepBehind(receiver: object, by: number, send: () => void): void {
    const waiting = this.#overtaken.get(receiver) ?? new Map<TimerId, () => void>()
    const id = this.#keep(by, () => {
      waiting.delete(id)
      if (waiting.size === 0 && this.#overtaken.get(receiver) === waiting) {
        this.#overtaken.delete(receiver)
      }
      send()
    })
    waiting.set(id, send)
    this.#overtaken.set(receiver, waiting)
  }

  #letGo(receiver: object): void {
    const waiting = this.#overtaken.get(receiver)
    if (waiting === undefined) return
    this.#overtaken.delete(receiver)
    for (const [id, send] of waiting) if (cancel(this.#late, id)) send()
  }
}
