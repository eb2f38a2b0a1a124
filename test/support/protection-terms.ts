/** The meaning of the small numbers of a step: instruments, prices, sizes, live orders. */
import type { Facts, KnownOrder } from './protection-facts.ts'
import type { Act } from './protection-intents.ts'
import { type Traded, traded } from './protection-world.ts'

/** A price of the grid, some steps from the middle. */
export function priceAt({ middle, step, decimals }: Traded, level: number): number {
  return Number((middle + level * step).toFixed(decimals))
}

/** The instrument of a step. */
export function instrumentOf({ instrument }: Act): Traded {
  // Instruments behind the speed bump are chosen more often.
  const at = [0, 1, 2, 3, 1, 2][instrument] ?? 0
  return traded[at] as Traded
}

/** A live order by its number among those that match. */
export function pickOrder(
  { orders }: Facts,
  { pick }: Act,
  isMeant: (order: KnownOrder) => boolean,
): KnownOrder | null {
  const meant = [...orders.values()].filter(isMeant)
  // Waiting orders are chosen more often.
  const waiting = meant.filter((order) => order.waiting !== null)
  const list = waiting.length > 0 && pick % 2 === 0 ? waiting : meant
  return list[Math.floor(pick / 2) % Math.max(1, list.length)] ?? null
}

/** The two sides of a quote. */
export function sidesOf(act: Act): {
  readonly bid: number
  readonly ask: number
  readonly size: number
} {
  const { level, count, flavour } = act
  const instrument = instrumentOf(act)
  // A width of 0 gives a crossed quote.
  const width = [1, 2, 1, 2, 3, 1, 2, 0][flavour % 8] ?? 1
  const low = Math.trunc(level / 2) - 1
  return {
    bid: priceAt(instrument, low),
    ask: priceAt(instrument, low + width),
    size: Math.min(count, 3) * instrument.size,
  }
}
