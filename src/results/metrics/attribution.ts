/**
 * Splits the profit by prices into the greeks that earned it.
 *
 * The holding time of a position is cut into pieces at each sample of its wallet (`exposure.ts` says when), at its
 * delivery and at the end. A piece earns the change in value of the size at its beginning, in the settlement currency;
 * trades within the piece earn the difference between the mark at its end and their price. So the parts of all pieces
 * add up to the profit by prices of derivatives.
 *
 * - A future or a perpetual moves with its own mark: everything that it earns is delta.
 * - An option earns `delta dF + gamma dF^2 / 2 + vega dV + theta dt`, with the greeks of the position at the beginning
 *   of the piece, F the forward from which its mark was computed, V its volatility in points, t in days. The rest is
 *   the residual: terms of higher order, mixed terms, and the rounding of marks.
 * - For an option that settles in its coin, the formula uses the net delta and divides each term by the forward at the
 *   end: a value v in USD and its value v / F in coin differ by exactly that.
 * - A delivery ends the last piece with the delivery price as forward and the last volatility.
 */
import { changing, type RowOf } from '../../core/index.ts'
import type { Payoff } from '../../model/index.ts'
import { double } from './figure.ts'

const NANO = 1e-9
const DAY = 86_400_000_000
/** Vega is per point of volatility. */
const POINTS = 100

export const attributionFields = {
  delta: changing(double),
  gamma: changing(double),
  vega: changing(double),
  theta: changing(double),
  residual: changing(double),
  /** Profit of trades, transfers and given positions against the mark. */
  trading: changing(double),
}

/** The parts of the profit by prices of a wallet, in units of its currency. */
export interface Attribution extends RowOf<typeof attributionFields> {}

export const heldFields = {
  /** Signed size at the beginning of the piece, in units of the instrument. */
  size: changing(double),
  /** Size traded since then, times the price of a unit. */
  paid: changing(double),
  /** Beginning of the piece, with the value of a unit, and the forward and volatility of its mark (0.6 is 60 %). */
  time: changing(double),
  worth: changing(double),
  forward: changing(double),
  volatility: changing(double),
  /** Greeks of the whole position at that time: delta and gamma in coin, vega and theta in USD. */
  delta: changing(double),
  gamma: changing(double),
  vega: changing(double),
  theta: changing(double),
}

/** State at the beginning of a piece of the holding time. */
interface Held extends RowOf<typeof heldFields> {}

/** The terms that determine the value of an instrument. */
interface Contract {
  readonly payoff: Payoff
  readonly isOption: boolean
  /** True if it settles in its own coin. */
  readonly isInCoin: boolean
}

/** The end of a piece: the size and the value of a unit at that time. */
interface PieceEnd {
  readonly time: number
  readonly size: number
  readonly worth: number
  readonly forward: number
  readonly volatility: number
}

/** Sums before the first piece. */
export function createAttribution(): Attribution {
  return { delta: 0, gamma: 0, vega: 0, theta: 0, residual: 0, trading: 0 }
}

/** State before the first position. */
export function createHeld(): Held {
  return {
    size: 0,
    paid: 0,
    time: 0,
    worth: 0,
    forward: 0,
    volatility: 0,
    delta: 0,
    gamma: 0,
    vega: 0,
    theta: 0,
  }
}

/** Value of a unit of an instrument at a price in 1e-9, in its settlement currency, up to a constant. */
export function worthAt(terms: Contract, price: number): number {
  return terms.payoff === 'inverse' && !terms.isOption ? -1 / (price * NANO) : price * NANO
}

/** Adds a purchase (negative: a sale) at a price in 1e-9 to a piece. */
export function addToPiece(held: Held, terms: Contract, size: number, price: number): void {
  if (size !== 0) held.paid += size * worthAt(terms, price)
}

/** True if a piece is empty: no position and no trades. */
export function isIdle(held: Held): boolean {
  return held.size === 0 && held.paid === 0
}

/** Ends a piece. The next one begins with its size and value, and without greeks. */
export function endPiece(sums: Attribution, held: Held, { terms, end }: PieceOf): void {
  sums.trading += (end.size - held.size) * end.worth - held.paid
  const earned = held.size * (end.worth - held.worth)
  if (!terms.isOption) sums.delta += earned
  else if (held.size !== 0) attribute(sums, held, { terms, end, earned })
  held.size = end.size
  held.paid = 0
  held.time = end.time
  held.worth = end.worth
  held.forward = end.forward
  held.volatility = end.volatility
  held.delta = 0
  held.gamma = 0
  held.vega = 0
  held.theta = 0
}

interface PieceOf {
  readonly terms: Contract
  readonly end: PieceEnd
}

/** A piece of the result and what it earned. */
interface EarnedPiece extends PieceOf {
  readonly earned: number
}

function attribute(sums: Attribution, held: Held, { terms, end, earned }: EarnedPiece): void {
  const unit = terms.isInCoin ? end.forward : 1
  const moved = end.forward - held.forward
  const delta = (held.delta * moved) / unit
  const gamma = (held.gamma * moved * moved) / 2 / unit
  const vega = (held.vega * (end.volatility - held.volatility) * POINTS) / unit
  const theta = (held.theta * (end.time - held.time)) / DAY / unit
  sums.delta += delta
  sums.gamma += gamma
  sums.vega += vega
  sums.theta += theta
  sums.residual += earned - delta - gamma - vega - theta
}
