/**
 * Combos and their legs, which may be listed before or after them.
 */
import { modFloor, mulDivFloor } from '../../core/index.ts'
import { opposite, type Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { ComboLegRow, InstrumentRow } from './instrument-row.ts'

/** Ties combos to their legs, where an instrument was just listed that is one or the other. */
export function linkCombos(exchange: Exchange, listed: InstrumentRow): void {
  if (listed.instrument.detail.type === 'combo') exchange.unlinkedCombos.push(listed)
  if (exchange.unlinkedCombos.length === 0) return
  exchange.unlinkedCombos = exchange.unlinkedCombos.filter((row) => !linkCombo(exchange, row))
}

/** Ties a combo to its legs; false while one of them is not listed. */
function linkCombo(exchange: Exchange, row: InstrumentRow): boolean {
  const { detail } = row.instrument
  if (detail.type !== 'combo') return true
  const legs: ComboLegRow[] = []
  for (const { instrumentName, ratio } of detail.legs) {
    const leg = exchange.instruments[exchange.instrumentIds.get(instrumentName) ?? -1]
    if (leg === undefined) return false
    legs.push({ row: leg, ratio })
  }
  row.legs = legs
  for (const leg of legs) leg.row.combos.push(row)
  return true
}

/** Size of one leg for a size of a combo, in lots of the leg. */
export function legLotsOf(combo: InstrumentRow, leg: ComboLegRow, lots: number): number {
  const { amountStep9 } = combo.instrument
  const count = lots * Math.abs(leg.ratio)
  const step9 = leg.row.instrument.amountStep9
  return step9 === amountStep9 ? count : mulDivFloor(count, amountStep9, step9)
}

/** The side on which a leg is traded by who trades a combo on a side. */
export function legSide({ ratio }: Pick<ComboLegRow, 'ratio'>, side: Side): Side {
  return ratio > 0 ? side : opposite(side)
}

/** True if a lot of a combo is whole lots of each of its legs, whose amount steps a run may have changed. */
export function fitsLegs({ instrument, legs }: InstrumentRow): boolean {
  return legs.every(({ row, ratio }) => {
    return modFloor(Math.abs(ratio) * instrument.amountStep9, row.instrument.amountStep9) === 0
  })
}

/**
 * True if what an order of an instrument is priced and margined by is known: its mark, and the marks of all legs
 * of a combo.
 */
export function isMarked(row: InstrumentRow): boolean {
  if (!row.hasMark) return false
  if (row.instrument.detail.type !== 'combo') return true
  return row.legs.length > 0 && row.legs.every((leg) => leg.row.hasMark)
}
