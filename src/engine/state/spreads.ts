/**
 * Future spreads and their legs, which may be listed before or after them.
 */
import type { Exchange } from './exchange.ts'
import type { InstrumentRow, MarkedLeg } from './instrument-row.ts'

/** Ties future spreads to their legs, where an instrument was just listed that is one or the other. */
export function linkSpreads(exchange: Exchange, listed: InstrumentRow): void {
  if (listed.instrument.kind === 'future_combo') exchange.unlinkedSpreads.push(listed)
  if (exchange.unlinkedSpreads.length === 0) return
  exchange.unlinkedSpreads = exchange.unlinkedSpreads.filter((row) => !linkSpread(exchange, row))
}

/** Ties a spread to its legs; false while one of them is not listed. */
function linkSpread(exchange: Exchange, row: InstrumentRow): boolean {
  const { detail } = row.instrument
  if (detail.type !== 'combo') return true
  const legs: MarkedLeg[] = []
  for (const { instrumentName, ratio } of detail.legs) {
    const leg = exchange.instruments[exchange.instrumentIds.get(instrumentName) ?? -1]
    if (leg === undefined) return false
    legs.push({ row: leg, ratio })
  }
  row.legs = legs
  for (const leg of legs) leg.row.spreads.push(row)
  return true
}
