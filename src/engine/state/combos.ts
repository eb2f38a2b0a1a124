/**
 * Combos and their legs. A leg may be listed before its combo or after it.
 */
import { modFloor, mulDivFloor } from '../../core/index.ts'
import { opposite, type Side } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { ComboLegRow, InstrumentRow } from './instrument-row.ts'

/** Links combos to their legs when an instrument is listed that is a combo or may be a leg. */
export function linkCombos(exchange: Exchange, listed: InstrumentRow): void {
  if (listed.instrument.detail.type === 'combo') exchange.unlinkedCombos.push(listed)
  if (exchange.unlinkedCombos.length === 0) return
  exchange.unlinkedCombos = exchange.unlinkedCombos.filter((row) => !linkCombo(exchange, row))
}

/** Links a combo to its legs; false while a leg is not listed. */
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

/** Size of one leg, in lots of the leg, for a size of the combo in its lots. Rounds down. */
export function legLotsOf(combo: InstrumentRow, leg: ComboLegRow, lots: number): number {
  const { amountStep9 } = combo.instrument
  const count = lots * Math.abs(leg.ratio)
  const step9 = leg.row.instrument.amountStep9
  return step9 === amountStep9 ? count : mulDivFloor(count, amountStep9, step9)
}

/** The side on which a trade of the combo on `side` trades this leg. */
export function legSide(leg: Pick<ComboLegRow, 'ratio'>, side: Side): Side {
  return leg.ratio > 0 ? side : opposite(side)
}

/** True if one lot of a combo is a whole number of lots of each leg. A run may change the amount steps of legs. */
export function fitsLegs({ instrument, legs }: InstrumentRow): boolean {
  return legs.every(({ row, ratio }) => {
    return modFloor(Math.abs(ratio) * instrument.amountStep9, row.instrument.amountStep9) === 0
  })
}

/**
 * True if all prices are known that determine the price and margin of an order: the mark of its instrument and, for a
 * combo, the marks of all legs.
 */
export function isMarked(row: InstrumentRow): boolean {
  if (!row.hasMark) return false
  if (row.instrument.detail.type !== 'combo') return true
  return row.legs.length > 0 && row.legs.every((leg) => leg.row.hasMark)
}
