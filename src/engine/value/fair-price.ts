/**
 * The fair price of a future, computed from its book as an input of the mark.
 *
 * Rule: mark.fair. The fair price of a perpetual is the middle of the average prices at which a market order of the
 * impact size would trade on each side; that of a dated future is the middle of its best prices. Only visible orders
 * count. A side without orders counts as index plus premium, so that the premium does not move. Source: market.md 3.2
 * (T23).
 */
import { bestPrice, visitLevels } from '../../book/index.ts'
import { divHalfAwayBig, safeNumber } from '../../core/index.ts'
import type { Side } from '../../model/index.ts'
import {
  addToImpact,
  beginImpact,
  type FairSide,
  fairPrice,
  impactOf,
  impactPrice,
  type PriceLevel,
} from '../../pricing/index.ts'
import type { InstrumentRow } from '../state/index.ts'

/** Premium over the index that the book shows, in 1e-9; null if the book does not show one. */
export function shownPremium(row: InstrumentRow): number | null {
  const { mark } = row.instrument
  if (mark === null) return null
  const { price: index9 } = row.index
  if (mark.impact9 === 0) {
    const middle = middleOf(row)
    return middle === null ? null : middle - index9
  }
  if (row.fairSeen === row.changeId) return row.fair9 - index9
  const bid = sideOf(row, 'buy', mark.impact9)
  const ask = sideOf(row, 'sell', mark.impact9)
  if (bid === null && ask === null) return null
  const fair9 = fairPrice({ bid, ask, fallback9: index9 + row.ema9 })
  if (bid !== null && ask !== null) {
    row.fair9 = fair9
    row.fairSeen = row.changeId
  }
  return fair9 - index9
}

/** The middle of the best prices, rounded half away from zero to 1e-9. */
function middleOf({ book, instrument }: InstrumentRow): number | null {
  const bid = bestPrice(book, 'buy')
  const ask = bestPrice(book, 'sell')
  if (bid === undefined || ask === undefined) return null
  return safeNumber(divHalfAwayBig(BigInt(bid + ask) * BigInt(instrument.tick9), 2n))
}

function sideOf(row: InstrumentRow, side: Side, impact9: number): FairSide | null {
  const { tick9, amountStep9, payoff } = row.instrument
  const best = bestPrice(row.book, side)
  if (best === undefined || payoff === 'spot') return null
  const walk = beginImpact(payoff, impact9)
  // Levels deeper than the impact size change nothing.
  visitLevels(row.book, side, {
    depth: Number.POSITIVE_INFINITY,
    visit: (price, size) => addToImpact(walk, price * tick9, size * amountStep9),
  })
  // If doubles leave the last digit uncertain, the whole side is summed exactly.
  const impact = impactOf(walk) ?? impactPrice({ payoff, levels: levelsOf(row, side), impact9 })
  return impact === null ? null : { best9: best * tick9, impact9: impact }
}

function levelsOf({ book, instrument: { tick9, amountStep9 } }: InstrumentRow, side: Side): PriceLevel[] {
  const levels: PriceLevel[] = []
  visitLevels(book, side, {
    depth: Number.POSITIVE_INFINITY,
    visit: (price, size) => {
      levels.push({ price9: price * tick9, amount9: size * amountStep9 })
      return true
    },
  })
  return levels
}
