/** The log of the naive exchange: the events of a command, and the numbers of trades, orders and transfers. */
import { currencies, type Event } from '../../src/model/index.ts'
import { NaiveState } from './naive-state.ts'

type Draft = { readonly kind: Event['kind']; readonly [field: string]: unknown }

/** Adds events. */
export class NaiveEvents extends NaiveState {
  protected events: Event[] = []
  protected cause = 0
  private count = 0
  private readonly counters = new Map<string, number>()

  emit(draft: Draft): void {
    this.count += 1
    const header = { time: this.now, number: this.count, cause: this.cause }
    // The draft has the fields of its kind, and tests compare all of them with the engine's event.
    this.events.push({ ...draft, ...header } as unknown as Event)
  }

  /** One counter for the trades of a currency; the low part of the id holds it (R08). */
  protected nextTrade(currency: (typeof currencies)[number]): number {
    return this.next(`trade ${currency}`) * 128 + currencies.indexOf(currency)
  }

  /** The next number of a kind. */
  protected next(what: string): number {
    const number = (this.counters.get(what) ?? 0) + 1
    this.counters.set(what, number)
    return number
  }
}
