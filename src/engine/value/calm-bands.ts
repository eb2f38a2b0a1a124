/**
 * Bands of calm options under portfolio margin: where mark, forward and volatility may be. All three count, as a mark
 * that is set or recorded says little of the other two, and a worthless option has one mark at many forwards.
 *
 * The heaps tell who left a band without looking at anybody else. An entry of a holding that is calm no more, or anew
 * and further, means nothing.
 */
import {
  clearNumbers,
  createNumberHeap,
  defined,
  peekNumber,
  popNumber,
  pushNumber,
} from '../../core/index.ts'
import type { BandHeaps, Calm, Exchange, InstrumentRow } from '../state/index.ts'

/** The places of the bands, in the order in which a holding has them. */
const FIGURES = 3

/** A figure of an option that a band is of: its mark, its forward or its volatility. */
function figureOf({ risk }: InstrumentRow, at: number): number {
  if (risk === null) return 0
  return at === 0 ? risk.mark9 : at === 1 ? risk.forward9 : risk.volatility9
}

/** True if all figures of an option lie within the bands of a holding. */
export function isInBands(row: InstrumentRow, { bands }: Calm): boolean {
  return bands.every(({ low, high }, at) => {
    const figure = figureOf(row, at)
    return figure >= low && figure <= high
  })
}

/** Notes the bands of a calm holding. */
export function noteBands(row: InstrumentRow, holding: number, { bands }: Calm): void {
  if (bands.length === 0) return
  row.calmBands ??= Array.from({ length: FIGURES }, () => ({
    below: createNumberHeap(),
    above: createNumberHeap(),
  }))
  for (const [at, { below, above }] of row.calmBands.entries()) {
    const { low, high } = defined(bands[at], 'each figure has a band')
    pushNumber(below, -low, holding)
    pushNumber(above, high, holding)
  }
}

/** Tells of every holding that an entry says has left a band, each entry once. */
export function takeCrossed(row: InstrumentRow, visit: (holding: number) => void): void {
  const { calmBands } = row
  if (calmBands === null) return
  for (const [at, { below, above }] of calmBands.entries()) {
    const figure = figureOf(row, at)
    while (peekNumber(above) < figure) visit(popNumber(above))
    while (peekNumber(below) < -figure) visit(popNumber(below))
  }
}

/** Drops the entries that mean nothing any more, once these are the most. */
export function tidyBands(exchange: Exchange, row: InstrumentRow): void {
  const { calmBands, holdings } = row
  if (calmBands === null || !isCrowded(calmBands, holdings.length)) return
  for (const { below, above } of calmBands) {
    clearNumbers(below)
    clearNumbers(above)
  }
  for (const holding of holdings) {
    const { calm } = defined(exchange.holdings[holding], 'the holding exists')
    if (calm !== null) noteBands(row, holding, calm)
  }
}

function isCrowded(bands: readonly BandHeaps[], holders: number): boolean {
  return bands.some(({ below, above }) => below.size + above.size > 4 * holders)
}
