/**
 * The prices at which the legs of a combo trade.
 *
 * Every leg except the absorbing one trades at its mark, rounded to its step and at least one step. The first leg with
 * a ratio of 1 or -1 absorbs, or the first leg if no ratio is 1 or -1. Its price makes the legs add up to the price of
 * the combo, kept to 8 decimals, or to 9 if the ticks need them. If this price is below one step, the leg trades at one
 * step and the next leg absorbs, and so on around. Steps are 0.0001 for options, and the tick for futures and for
 * options with a finer tick. The sum is exact, except when a leg with a ratio of 3 absorbs: a third is rounded to these
 * decimals.
 *
 * The two legs of a future spread instead share the difference between the spread's price and that of their marks. The
 * second leg takes half of it, to whole units of the quote currency, half to even, and the first leg takes the rest. If
 * this puts one of them below a tick, one leg absorbs as above.
 *
 * Rule: combo.leg-prices. Source: trading.md C33b, C33b' (market.md 8 yields to it); T106.
 * Assumed: a contract with a tick below 0.01 uses its tick instead of whole units, because a whole unit may be more
 * than its price.
 * Assumed: "at least one tick" also means the step for options, because a linear option's tick may be several times its
 * mark.
 */

import {
  divFloor,
  divHalfAwayBig,
  divHalfEvenBig,
  mulDivHalfAway,
  PRICE9_MAX,
  type Price9,
  price9,
} from '../../core/index.ts'
import type { Side } from '../../model/index.ts'
import { finerStep9 } from '../../pricing/index.ts'
import {
  type ComboLegRow,
  type Exchange,
  type HoldingRow,
  holdingFor,
  type InstrumentRow,
  legLotsOf,
  legSide,
} from '../state/index.ts'

/** Open size on one leg. */
interface LegSize {
  readonly row: InstrumentRow
  readonly side: Side
  readonly lots: number
}

/** Leg prices of options are multiples of 0.0001. */
const OPTION_STEP9 = 100_000

/** An absorbing price has 8 decimals. */
const ABSORBED_STEP9 = 10

/** One unit of the quote currency, to which the prices of a future spread's legs are rounded. */
const UNIT9 = 1_000_000_000

const CENT9 = 10_000_000

/**
 * The prices of the legs in their order, for a trade at a price of the combo; undefined if no prices of at least one
 * step add up to it. The marks of all legs must be known.
 */
export function legPrices(legs: readonly ComboLegRow[], price: number): Price9[] | undefined {
  const shared = sharedPrices(legs, price)
  if (shared !== undefined) return shared
  const prices = legs.map(({ row }) => restingPrice(row))
  const first = Math.max(
    0,
    legs.findIndex(({ ratio }) => Math.abs(ratio) === 1),
  )
  for (let turn = 0; turn < legs.length; turn += 1) {
    const at = (first + turn) % legs.length
    const leg = legs[at]
    if (leg === undefined) return undefined
    const absorbed = absorbedPrice(legs, prices, at, price)
    const step9 = legStep9(leg.row)
    if (absorbed >= step9 && absorbed <= Number.MAX_SAFE_INTEGER) {
      prices[at] = price9(absorbed)
      return prices
    }
    prices[at] = price9(step9)
  }
  return undefined
}

/** Every leg at one step: used for a price that no leg prices add up to, which only a recorded book can show. */
export function lowestLegPrices(legs: readonly ComboLegRow[]): Price9[] {
  return legs.map(({ row }) => price9(legStep9(row)))
}

/**
 * The lowest price of a combo that its legs can add up to, in 1e-9: one step for each leg if all ratios are positive.
 * With a negative ratio there is no lowest price, because the price of that leg has no upper limit.
 */
export function lowestComboPrice(legs: readonly ComboLegRow[]): number {
  let sum = 0
  for (const { row, ratio } of legs) {
    if (ratio < 0) return Number.NEGATIVE_INFINITY
    sum += ratio * legStep9(row)
  }
  return sum
}

/**
 * Prices of a future spread's legs, one to one, which share the deviation; undefined for other legs, and if a price is
 * below a tick.
 */
function sharedPrices(legs: readonly ComboLegRow[], price: number): Price9[] | undefined {
  const [one, two] = legs
  if (one === undefined || two === undefined || legs.length > 2) return undefined
  if (one.row.instrument.kind !== 'future' || two.row.instrument.kind !== 'future') return undefined
  // A request may name legs that are not those of a spread.
  if (Math.abs(one.ratio) !== 1 || Math.abs(two.ratio) !== 1) return undefined
  const ratio = BigInt(two.ratio)
  const marks = BigInt(one.ratio) * BigInt(one.row.mark) + ratio * BigInt(two.row.mark)
  const twice = 2n * BigInt(two.row.mark) + ratio * (BigInt(price) - marks)
  const step = BigInt(sharedStep9(two.row))
  const second = divHalfEvenBig(twice, 2n * step) * step
  const first = BigInt(one.ratio) * (BigInt(price) - ratio * second)
  const isTradable = isPriceOf(one.row, first) && isPriceOf(two.row, second)
  return isTradable ? [price9(Number(first)), price9(Number(second))] : undefined
}

/** Whole units of the quote currency, or the tick if it is finer than 0.01. */
function sharedStep9({ instrument }: InstrumentRow): number {
  return instrument.tick9 < CENT9 ? instrument.tick9 : Math.max(instrument.tick9, UNIT9)
}

function isPriceOf(row: InstrumentRow, price: bigint): boolean {
  return price >= BigInt(legStep9(row)) && price <= BigInt(Number.MAX_SAFE_INTEGER)
}

/** The price of a leg that does not absorb: its mark, rounded to its step, at most the greatest price. */
function restingPrice(row: InstrumentRow): Price9 {
  const step9 = legStep9(row)
  const steps = Math.min(mulDivHalfAway(row.mark, 1, step9), divFloor(PRICE9_MAX, step9))
  return price9(Math.max(1, steps) * step9)
}

/** Price at which the leg with index `at` must trade, so that all legs add up to the price. */
function absorbedPrice(legs: readonly ComboLegRow[], prices: readonly number[], legAt: number, price: number): number {
  let rest = BigInt(price)
  let own = 1
  for (const [at, { ratio }] of legs.entries()) {
    if (at === legAt) own = ratio
    else rest -= BigInt(ratio) * BigInt(prices[at] ?? 0)
  }
  if (own === 1 || own === -1) return Number(rest) * own
  const share = own > 0 ? rest : -rest
  const step9 = finerStep9(ABSORBED_STEP9, legs[legAt]?.row.instrument.tick9 ?? ABSORBED_STEP9)
  const under = BigInt(Math.abs(own) * step9)
  return Number(divHalfAwayBig(share, under) * BigInt(step9))
}

function legStep9(row: InstrumentRow): number {
  const { kind, tick9 } = row.instrument
  return kind === 'option' ? Math.min(OPTION_STEP9, tick9) : tick9
}

/**
 * Sizes of a combo's order on its legs: ratio times the size of the order, on the opposite side for a negative ratio,
 * in lots of the leg (market.md 6.1).
 */

/** Sizes that an order opens on each leg; empty for an instrument that is not a combo. */
export function legSizes(row: InstrumentRow, side: Side, lots: number): readonly LegSize[] {
  return row.legs.map((leg) => ({
    row: leg.row,
    side: legSide(leg, side),
    lots: legLotsOf(row, leg, lots),
  }))
}

/** Sizes that an order opens on each leg, with the account's holdings. Creates missing holdings. */
export function legLots(
  exchange: Exchange,
  { account, row }: HoldingRow,
  side: Side,
  lots: number,
): readonly (LegSize & { readonly holding: number })[] {
  if (row.legs.length === 0) return []
  return legSizes(row, side, lots).map((leg) => ({
    ...leg,
    holding: holdingFor(exchange, account, leg.row).holding,
  }))
}
