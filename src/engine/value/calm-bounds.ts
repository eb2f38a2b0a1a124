/**
 * How calm a holding may be: not at all, within two bounds, or at any mark. `calm.ts` has what it means.
 */
import { divNearest } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { type MarginScale, maintenanceNear, markedScale, readExposure } from '../../margin/index.ts'
import type { Calm, Exchange, HoldingRow, InstrumentRow } from '../state/index.ts'

/** A smaller share, in nano, is not worth its bounds, and its roundings would count. */
const SHARE_MIN = 1000

/** Bounds that are nearer than this, as a part of what they are of, are crossed too soon to be worth their while. */
const NEAR = 0.002

/**
 * How a holding, whose value is that of the present, is calm while it costs its wallet no more than a share, in nano of
 * the wallet's currency; null where that share is too small.
 */
export function calmWithin(exchange: Exchange, owner: HoldingRow, share: number): Calm | null {
  const { row, holding } = owner
  const isOption = row.option !== null
  const size = sizeOf(exchange.ledger, holding)
  const { buys, sells } = readExposure(exchange.margin, holding)
  const isIdle = size === 0 && buys === 0 && sells === 0
  // What an option is worth is no margin balance: who is long of it needs no margin for it.
  const isWatched = exchange.config.liquidation.enabled
  const isHarmless = !isWatched || size === 0 || (isOption && size > 0)
  if (isHarmless) return calmAt(row, { low: 0, high: Number.POSITIVE_INFINITY, share: 0, isIdle })
  if (share < SHARE_MIN) return null
  const bounds = isOption ? shortBounds(row, -size, share) : markBounds(row, size, share)
  return bounds === null ? null : calmAt(row, { ...bounds, share, isIdle })
}

function calmAt(row: InstrumentRow, bounds: Omit<Calm, 'marked' | 'market'>): Calm {
  const { low, high, share, isIdle } = bounds
  return { marked: row.markTerms, market: row.risk, low, high, share, isIdle }
}

type Bounds = Pick<Calm, 'low' | 'high'>

/** Bounds of the maintenance margin of a coin short until a share is used up. */
function shortBounds({ risk, scale }: InstrumentRow, lots: number, share: number): Bounds | null {
  if (risk === null) return null
  const coins9 = lots * scale.amountStep9
  // Roundings: of what is kept and of what comes, and of doubles.
  const rise9 = divNearest((share * (1 - 1e-9) - 16) * 1e9, coins9)
  const { maintenance9 } = risk.marked
  return rise9 < maintenance9 * NEAR ? null : { low: 0, high: maintenance9 + Math.floor(rise9) }
}

/** The marks of a future between which a position costs its wallet no more than a share. */
function markBounds(row: InstrumentRow, size: number, share: number): Bounds | null {
  const { mark } = row
  if (mark === 0 || !isBorne(row, size, share, mark * (1 + NEAR))) return null
  if (!isBorne(row, size, share, mark * (1 - NEAR))) return null
  const low = Math.ceil(farthest(row, size, share, divNearest(mark, 2)))
  const high = Math.floor(farthest(row, size, share, mark * 2))
  return { low, high }
}

/** Halvings of the way to a bound: what is left of it is a four-thousandth of that way. */
const HALVINGS = 12

/**
 * The mark on the way to `end` up to which a position costs its wallet no more than a share. The loss is convex in
 * the price, or in its inverse: what holds at two marks holds between them.
 */
function farthest(row: InstrumentRow, size: number, share: number, end: number): number {
  if (isBorne(row, size, share, end)) return end
  let safe: number = row.mark
  let over = end
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = divNearest(safe + over, 2)
    if (isBorne(row, size, share, middle)) safe = middle
    else over = middle
  }
  return safe
}

/** True if a mark takes no more than a share off a wallet, by a loss and by more maintenance margin. */
function isBorne({ mark, scale }: InstrumentRow, size: number, share: number, to: number): boolean {
  const before = valueNear(scale, Math.abs(size), mark)
  const after = valueNear(scale, Math.abs(size), to)
  // Who is long of an inverse contract owes coins by their price, and more of them the lower it is.
  const lost = size > 0 === (scale.payoff === 'inverse') ? after - before : before - after
  const held = maintenanceNear(markedScale(scale, mark), Math.abs(size))
  const needed = maintenanceNear(markedScale(scale, to), Math.abs(size))
  // Roundings: of doubles a few 1e-16 of each, of what is booked a few nano.
  const unsure = (before + after + held + needed) * 1e-12 + 16
  return lost + needed - held + unsure <= share
}

/** Worth of a size at a mark, in nano. */
function valueNear({ payoff, amountStep9 }: MarginScale, lots: number, mark9: number): number {
  const amount9 = lots * amountStep9
  return payoff === 'inverse' ? divNearest(amount9 * 1e9, mark9) : divNearest(amount9 * mark9, 1e9)
}
