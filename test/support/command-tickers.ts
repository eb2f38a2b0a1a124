/** Recorded rows of random streams: a moving index, and sometimes the mark of an instrument. */
import type { InstrumentId, Micros } from '../../src/core/index.ts'
import type { MarketMessage } from '../../src/model/index.ts'
import type { Sight } from './command-orders.ts'
import type { Intent } from './command-world.ts'

/** A message of up to three rows. */
export function tickerOf(
  { spec, index }: Sight,
  at: { readonly time: Micros; readonly instrument: InstrumentId; readonly intent: Intent },
): MarketMessage {
  const { pick, offset, detail } = at.intent
  const moves = pick % 7 > 0
  const indices = Array.from({ length: 1 + (pick % 3) }, (_, row) =>
    Math.max(1, moves ? index + offset * (row + 1) * spec.tick9 + (detail % 97) : index),
  )
  const marks = indices.map((price, row) => ((pick + row) % 2 === 0 ? 0 : price + (detail % 1000)))
  return {
    ...{ kind: 'index', time: at.time, instrument: at.instrument, feed: 0 },
    ...{ snapshot: false, uncross: false, from: 0, to: indices.length },
    rows: {
      side: new Uint8Array(indices.length),
      price: Float64Array.from(indices),
      amount: Float64Array.from(marks),
      row: Float64Array.from(indices, (_price, row) => row + 1),
    },
  }
}
