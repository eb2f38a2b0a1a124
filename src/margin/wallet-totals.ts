/** The margin of wallets: maintenance, committed money, and the balance that covers both. */
import {
  addWide,
  assert,
  compareWide,
  isNegativeWide,
  NEAR_LOSS,
  setWideBigint,
  subtractWide,
  wideNear,
  wideToBigint,
} from '../core/index.ts'
import { type Margin, TOTAL_INITIAL, TOTAL_MAINTENANCE, TOTAL_PREMIUM, TOTAL_RESERVE, TOTAL_STRIDE } from './rows.ts'

/** An amount larger than any balance, half of the largest wide value. Subtracting it makes any balance negative. */
const BORNE_BY_NONE = 4_000_000_000_000_000_000_000_000n

/** Reserves a wide nano amount for open spot orders; sign -1 releases it. */
export function addReserve(margin: Margin, wallet: number, source: Float64Array, from: number, sign: 1 | -1): void {
  const at = wallet * TOTAL_STRIDE + TOTAL_RESERVE
  if (sign === 1) addWide(margin.totals, at, source, from)
  else subtractWide(margin.totals, at, source, from)
  assert(!isNegativeWide(margin.totals, at), 'a spot reserve is not negative')
}

/**
 * Subtracts initial margin and spot reserve of a wallet from a wide value. If the margin is larger than any balance,
 * the result is only known to be negative.
 */
export function subtractCommitted(target: Float64Array, at: number, margin: Margin, wallet: number): void {
  const initial = wallet * TOTAL_STRIDE + TOTAL_INITIAL
  subtractWide(target, at, margin.totals, initial)
  subtractWide(target, at, margin.totals, wallet * TOTAL_STRIDE + TOTAL_RESERVE)
  if (margin.beside.totals.size === 0) return
  const more = margin.beside.totals.get(initial)
  if (more === undefined) return
  const left = wideToBigint(target, at) - more
  setWideBigint(target, at, left < -BORNE_BY_NONE ? -BORNE_BY_NONE : left)
}

/** A close upper bound in nano for initial margin plus spot reserve of a wallet. */
export function committedAtMost({ totals, beside }: Margin, wallet: number): number {
  if (beside.totals.size > 0) return Number.POSITIVE_INFINITY
  const initial = wideNear(totals, wallet * TOTAL_STRIDE + TOTAL_INITIAL)
  const reserve = wideNear(totals, wallet * TOTAL_STRIDE + TOTAL_RESERVE)
  return (initial + reserve) * (1 + NEAR_LOSS)
}

/** A close upper bound in nano for the maintenance margin of a wallet. */
export function maintenanceAtMost(margin: Margin, wallet: number): number {
  if (margin.beside.totals.size > 0) return Number.POSITIVE_INFINITY
  return wideNear(margin.totals, wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE) * (1 + NEAR_LOSS)
}

/** True if a wallet has any maintenance margin. */
export function hasMaintenance({ totals, beside }: Margin, wallet: number): boolean {
  const at = wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  return totals[at] !== 0 || totals[at + 1] !== 0 || beside.totals.has(at)
}

/** True if a wide value is less than the maintenance margin of a wallet. */
export function isBelowMaintenance(source: Float64Array, at: number, margin: Margin, wallet: number): boolean {
  const total = wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  const more = margin.beside.totals.get(total)
  if (more === undefined) return compareWide(source, at, margin.totals, total) < 0
  return wideToBigint(source, at) < wideToBigint(margin.totals, total) + more
}

/** A wide value minus the maintenance margin of a wallet, rounded to a double. */
export function slackNear(source: Float64Array, at: number, margin: Margin, wallet: number): number {
  const total = wallet * TOTAL_STRIDE + TOTAL_MAINTENANCE
  // Margins stored outside the rows are larger than any balance.
  if (margin.beside.totals.has(total)) return Number.NEGATIVE_INFINITY
  return wideNear(source, at) - wideNear(margin.totals, total)
}

/** Totals of a wallet in nano. */
interface MarginTotals {
  readonly initial: bigint
  readonly maintenance: bigint
  readonly reserve: bigint
  /** The part of `initial` that is the reserve of open buys of options. */
  readonly premium: bigint
}

/** Reads the totals of a wallet. */
export function readTotals(margin: Margin, wallet: number): MarginTotals {
  const at = wallet * TOTAL_STRIDE
  return {
    initial: totalAt(margin, at + TOTAL_INITIAL),
    maintenance: totalAt(margin, at + TOTAL_MAINTENANCE),
    reserve: wideToBigint(margin.totals, at + TOTAL_RESERVE),
    premium: totalAt(margin, at + TOTAL_PREMIUM),
  }
}

function totalAt({ totals, beside }: Margin, at: number): bigint {
  const sum = wideToBigint(totals, at)
  return beside.totals.size === 0 ? sum : sum + (beside.totals.get(at) ?? 0n)
}
