/**
 * What market-maker protection asks of an order before it is admitted, and what an admitted one carries.
 */
import type { Ticks } from '../../core/index.ts'
import type { OrderExtras, PlacementExtras, Refusal, Side } from '../../model/index.ts'
import type { Exchange } from '../state/exchange.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'

/** An order that asks to be protected, or to belong to direct access. */
export interface GuardedOrder {
  readonly row: InstrumentRow
  readonly account: number
  readonly session: number
  readonly extras: PlacementExtras
  readonly side: Side
  readonly price: Ticks
  readonly lots: number
}

/** Why the protection of its group refuses an order (C43), or null. */
export function mmpRefusal(_exchange: Exchange, _order: GuardedOrder): Refusal | null {
  return null
}

/** What an admitted order carries of what its request asked for. */
export function extrasOf(
  _exchange: Exchange,
  of: {
    readonly row: InstrumentRow
    readonly account: number
    readonly extras: PlacementExtras | null
  },
): OrderExtras | null {
  const { extras } = of
  if (extras === null || extras.direct === null) return null
  return { mmp: null, quote: null, direct: extras.direct }
}
