/**
 * The wire between a market and its clients: messages pass it as faults on demand let them, by the clock of the market.
 *
 * Who receives replies and notifications is named by an object of his own, so that a message that is reordered waits for
 * the next one to the same receiver.
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

/** Who receives messages. */
export interface Receiver {
  /** A message never comes, which a connection that waits for nothing else need not wait for. */
  lose(): void
}

/** A message to a client. */
export interface Carried extends Omit<FaultMessage, 'time'> {
  readonly receiver: Receiver
  /** Sends it. */
  readonly send: () => void
}

/** The wire of a market. */
export class Wire {
  readonly #faults: () => Faults
  readonly #now: () => Micros
  readonly #late = createTimerQueue<() => void>()
  /** Messages that wait for the next one to their receiver, by their timers. */
  readonly #overtaken = new Map<object, Map<TimerId, () => void>>()

  /** `now` is the time of the exchange. */
  constructor(of: { readonly faults: () => Faults; readonly now: () => Micros }) {
    this.#faults = of.faults
    this.#now = of.now
  }

  /** The time of the next message that is late; infinite where none is. */
  get nextTime(): number {
    return peekTime(this.#late)
  }

  /** Sends what is due until a time. */
  release(until: Micros): void {
    for (;;) {
      const due = popDue(this.#late, until)
      if (due === undefined) return
      due.payload()
    }
  }

  /** Tells what becomes of a request: it goes on (null), is lost, or is refused on its way. */
  admit(request: Pick<FaultMessage, 'name' | 'account'>): 'lost' | FaultReason | null {
    const rule = this.#ruleOf('requests', request)
    return rule === null ? null : (rule.reason ?? 'lost')
  }

  /** Carries a message to a client. */
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

  /** A receiver has gone, with what waits for his next message. */
  leave(receiver: object): void {
    for (const id of this.#overtaken.get(receiver)?.keys() ?? []) cancel(this.#late, id)
    this.#overtaken.delete(receiver)
  }

  /** The rule that meets a message; most markets have none, and look at nothing. */
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

  /** Keeps a message until the next one to its receiver, at most for a time. */
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
