/**
 * The present margin: open orders and margin of every holding.
 *
 * For each holding (account, instrument): open buys and open sells in lots, initial and maintenance margin in nano.
 * Initial margin uses the worst of three sizes: the position, the position plus all open buys, the position minus all
 * open sells (market.md 6.1, T68, T69); reduce-only orders do not count. Since margin rises with size, only the largest
 * is computed.
 *
 * Most commands change none or one of the two sizes of a margin. So each holding keeps the sizes and the mark that its
 * margins were computed from, and the result of the check before an order is kept for the commit that follows it.
 */
import { assert, type Nano, subtractNano } from '../core/index.ts'
import type { Side } from '../model/index.ts'
import {
  BUYS,
  cellValueAt,
  EXPOSURE_STRIDE,
  HELD,
  INITIAL,
  MAINTENANCE,
  MARK,
  type Margin,
  type MarginOwner,
  SELLS,
  setInitial,
  setMaintenance,
  WORST,
} from './rows.ts'
import { type HeldSizes, initialMargin, type MarkedScale, maintenanceMargin, worstSize } from './standard.ts'

/** Inputs of the margin of a holding, in addition to its open orders. */
export interface MarginInput {
  readonly marked: MarkedScale
  /** Signed position in lots. */
  readonly position: number
}

/** Adds lots (negative: subtracts) to the open orders of a side. Call `updateMargin` afterwards. */
export function addOpenOrders(margin: Margin, holding: number, side: Side, lots: number): void {
  const at = holding * EXPOSURE_STRIDE + (side === 'buy' ? BUYS : SELLS)
  const open = (margin.exposures[at] as number) + lots
  assert(open >= 0, 'open orders of a holding are not negative')
  margin.exposures[at] = open
}

/**
 * Recomputes the margin of a holding if the position, its open orders or the mark changed, and adds the difference to
 * the totals of its wallet.
 */
export function updateMargin(margin: Margin, owner: MarginOwner, marked: MarkedScale, position: number): void {
  const { exposures } = margin
  const at = owner.holding * EXPOSURE_STRIDE
  const worst = worstAt(margin, at, { position, buys: 0, sells: 0 })
  const held = Math.abs(position)
  const remarked = exposures[at + MARK] !== marked.mark9
  exposures[at + MARK] = marked.mark9
  if (remarked || exposures[at + WORST] !== worst) {
    exposures[at + WORST] = worst
    setInitial(margin, owner, initialMarginAt(margin, marked, worst))
  }
  if (remarked || exposures[at + HELD] !== held) {
    exposures[at + HELD] = held
    setMaintenance(margin, owner, maintenanceMargin(marked, held))
  }
}

/**
 * The increase of the initial margin of a holding (in nano; 0 or less means none) if these lots were also open on each
 * side.
 */
export function initialMarginIncrease(
  margin: Margin,
  owner: MarginOwner,
  input: MarginInput,
  buys: number,
  sells: number,
): Nano {
  const at = owner.holding * EXPOSURE_STRIDE
  const size = worstAt(margin, at, { position: input.position, buys, sells })
  if (size <= (margin.exposures[at + WORST] as number) && input.marked.mark9 === margin.exposures[at + MARK]) return 0
  const initial = initialMargin(input.marked, size)
  margin.foreseen.marked = input.marked
  margin.foreseen.size = size
  margin.foreseen.initial = initial
  return subtractNano(initial, cellValueAt(margin.exposures, at + INITIAL, margin.beside.exposures))
}

/** Initial margin of a size, taken from the last check if its inputs are equal. */
function initialMarginAt(margin: Margin, marked: MarkedScale, size: number): Nano {
  const known = margin.foreseen.marked === marked && margin.foreseen.size === size
  return known ? margin.foreseen.initial : initialMargin(marked, size)
}

/** Margin of a holding: open orders in lots, margins in nano. */
export interface Exposure {
  readonly buys: number
  readonly sells: number
  readonly initial: Nano
  readonly maintenance: Nano
}

/** Reads the margin of a holding. */
export function readExposure(margin: Margin, holding: number): Exposure {
  const at = holding * EXPOSURE_STRIDE
  return {
    buys: margin.exposures[at + BUYS] as number,
    sells: margin.exposures[at + SELLS] as number,
    initial: cellValueAt(margin.exposures, at + INITIAL, margin.beside.exposures),
    maintenance: cellValueAt(margin.exposures, at + MAINTENANCE, margin.beside.exposures),
  }
}

/** The worst size of a row, with these further open sizes on either side. */
function worstAt({ exposures }: Margin, at: number, more: HeldSizes): number {
  return worstSize({
    position: more.position,
    buys: (exposures[at + BUYS] as number) + more.buys,
    sells: (exposures[at + SELLS] as number) + more.sells,
  })
}
