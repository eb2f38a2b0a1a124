/** The log of the naive exchange: the events of a command, and the numbers of trades, orders and transfers. */
import { currencies, type Event } from '../../src/model/index.ts'
import type { NaiveState } from './naive-state.ts'

type Draft = { readonly kind: Event['kind']; readonly [field: string]: unknown }

/** The events of a command, and the last number of each kind. */
export class NaiveEvents {
  readonly state: NaiveState
  list: Event[] = []
  cause = 0
  private count = 0
  private readonly counters = new Map<string, number>()

  constructor(state: NaiveState) {
    this.state = state
  }

  emit(draft: Draft): void {
    this.count += 1
    const header = { time: this.state.now, number: this.count, cause: this.cause }
    // The draft has the fields of its kind, and tests compare all of them with the engine's event.
    this.list.push({ ...draft, ...header } as unknown as Event)
  }

  /** One counter for the trades of a currency; the low part of the id holds it (R08). */
  nextTrade(currency: (typeof currencies)[number]): number {
    return this.next(`trade ${currency}`) * 128 + currencies.indexOf(currency)
  }

  /** The next number of a kind. */
  next(what: string): number {
    const number = (this.counters.get(what) ?? 0) + 1
    this.counters.set(what, number)
    return number
  }
}
