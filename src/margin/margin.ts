/**
 * Margin in force: open orders and margin of every holding, totals of every wallet.
 *
 * For each holding (account, instrument): open buys and open sells in lots, initial and maintenance
 * margin in nano. Initial margin is that of the worst of three sizes: the position, the position plus
 * all open buys, the position minus all open sells (market.md 6.1, T68, T69); orders that may only
 * reduce count for nothing. Since margin rises with size, only the largest is computed.
 *
 * For each wallet (account, currency): the sums of both over its holdings, and what open spot orders
 * reserve. Totals are updated by the difference when a holding changes, never rescanned; `auditMargin`
 * of the engine recomputes them.
 */
import {
  addToWide,
  addWide,
  assert,
  isNegativeWide,
  subtractWide,
  wideToBigint,
} from '../core/index.ts'
import { initialMargin, MARGIN_MAX, type MarginScale, maintenanceMargin } from './standard.ts'

const EXPOSURE_STRIDE = 4
const BUYS = 0
const SELLS = 1
const INITIAL = 2
const MAINTENANCE = 3

const TOTAL_STRIDE = 6
const TOTAL_INITIAL = 0
const TOTAL_MAINTENANCE = 2
const TOTAL_RESERVE = 4

/** Margin rows; only this file knows their layout. */
export interface Margin {
  exposures: Float64Array
  totals: Float64Array
}

/** Whose margin, and what it depends on. */
export interface MarginInput {
  readonly holding: number
  readonly wallet: number
  readonly scale: MarginScale
  /** Signed position in lots. */
  readonly position: number
  readonly mark9: number
}

/** Margin of nobody. */
export function createMargin(): Margin {
  return {
    exposures: new Float64Array(EXPOSURE_STRIDE * 16),
    totals: new Float64Array(TOTAL_STRIDE * 32),
  }
}

/** Makes room for holdings 0..rows-1. */
export function reserveExposures(margin: Margin, rows: number): void {
  margin.exposures = withRoom(margin.exposures, rows * EXPOSURE_STRIDE)
}

/** Makes room for wallets 0..rows-1. */
export function reserveTotals(margin: Margin, rows: number): void {
  margin.totals = withRoom(margin.totals, rows * TOTAL_STRIDE)
}

/** Adds lots (negative: takes off) to the open orders of a side; margin follows by `updateMargin`. */
export function addOpenOrders(
  margin: Margin,
  holding: number,
  change: { readonly side: 'buy' | 'sell'; readonly lots: number },
): void {
  const at = holding * EXPOSURE_STRIDE + (change.side === 'buy' ? BUYS : SELLS)
  const open = (margin.exposures[at] as number) + change.lots
  assert(open >= 0, 'open orders of a holding are not negative')
  margin.exposures[at] = open
}

/** Recomputes the margin of a holding and carries the difference into the totals of its wallet. */
export function updateMargin(margin: Margin, input: MarginInput): void {
  const { exposures, totals } = margin
  const at = input.holding * EXPOSURE_STRIDE
  const total = input.wallet * TOTAL_STRIDE
  const initial = initialMargin(input.scale, worstSize(margin, input), input.mark9)
  const maintenance = maintenanceMargin(input.scale, Math.abs(input.position), input.mark9)
  addToWide(totals, total + TOTAL_INITIAL, initial - (exposures[at + INITIAL] as number))
  addToWide(
    totals,
    total + TOTAL_MAINTENANCE,
    maintenance - (exposures[at + MAINTENANCE] as number),
  )
  exposures[at + INITIAL] = initial
  exposures[at + MAINTENANCE] = maintenance
}

/**
 * By how much the initial margin of a holding would rise (in nano, 0 or less: not at all) if `lots`
 * more were open on a side. Infinite where it would reach the limit.
 */
export function initialMarginIncrease(
  margin: Margin,
  input: MarginInput,
  order: { readonly side: 'buy' | 'sell'; readonly lots: number },
): number {
  const { exposures } = margin
  const at = input.holding * EXPOSURE_STRIDE
  const buys = (exposures[at + BUYS] as number) + (order.side === 'buy' ? order.lots : 0)
  const sells = (exposures[at + SELLS] as number) + (order.side === 'sell' ? order.lots : 0)
  const size = Math.max(
    Math.abs(input.position),
    Math.abs(input.position + buys),
    Math.abs(input.position - sells),
  )
  const initial = initialMargin(input.scale, size, input.mark9)
  if (initial >= MARGIN_MAX) return Number.POSITIVE_INFINITY
  return initial - (exposures[at + INITIAL] as number)
}

/** Reserves a wide nano amount for open spot orders, or with sign -1 frees it. */
export function addReserve(
  margin: Margin,
  wallet: number,
  change: { readonly source: Float64Array; readonly from: number; readonly sign: 1 | -1 },
): void {
  const at = wallet * TOTAL_STRIDE + TOTAL_RESERVE
  if (change.sign === 1) addWide(margin.totals, at, change.source, change.from)
  else subtractWide(margin.totals, at, change.source, change.from)
  assert(!isNegativeWide(margin.totals, at), 'a spot reserve is not negative')
}

/** Takes initial margin and spot reserve of a wallet off a wide value. */
export function subtractCommitted(
  target: Float64Array,
  at: number,
  owner: { readonly margin: Margin; readonly wallet: number },
): void {
  const { totals } = owner.margin
  subtractWide(target, at, totals, owner.wallet * TOTAL_STRIDE + TOTAL_INITIAL)
  subtractWide(target, at, totals, owner.wallet * TOTAL_STRIDE + TOTAL_RESERVE)
}

/** Margin of a holding: open orders in lots, margins in nano. */
export interface Exposure {
  readonly buys: number
  readonly sells: number
  readonly initial: number
  readonly maintenance: number
}

/** Reads the margin of a holding. */
export function readExposure(margin: Margin, holding: number): Exposure {
  const { exposures } = margin
  const at = holding * EXPOSURE_STRIDE
  return {
    buys: exposures[at + BUYS] as number,
    sells: exposures[at + SELLS] as number,
    initial: exposures[at + INITIAL] as number,
    maintenance: exposures[at + MAINTENANCE] as number,
  }
}

/** Totals of a wallet in nano. */
export interface MarginTotals {
  readonly initial: bigint
  readonly maintenance: bigint
  readonly reserve: bigint
}

/** Reads the totals of a wallet. */
export function readTotals(margin: Margin, wallet: number): MarginTotals {
  const { totals } = margin
  const at = wallet * TOTAL_STRIDE
  return {
    initial: wideToBigint(totals, at + TOTAL_INITIAL),
    maintenance: wideToBigint(totals, at + TOTAL_MAINTENANCE),
    reserve: wideToBigint(totals, at + TOTAL_RESERVE),
  }
}

/** The rows of margin as plain arrays, for a snapshot. */
export function snapshotMargin(
  margin: Margin,
  rows: { readonly holdings: number; readonly wallets: number },
): { readonly exposures: Float64Array; readonly totals: Float64Array } {
  return {
    exposures: margin.exposures.slice(0, rows.holdings * EXPOSURE_STRIDE),
    totals: margin.totals.slice(0, rows.wallets * TOTAL_STRIDE),
  }
}

/** Margin from the rows of a snapshot. */
export function restoreMargin(rows: {
  readonly exposures: Float64Array
  readonly totals: Float64Array
}): Margin {
  assert(rows.exposures.length % EXPOSURE_STRIDE === 0, 'exposures come in whole rows')
  assert(rows.totals.length % TOTAL_STRIDE === 0, 'totals come in whole rows')
  return {
    exposures: withRoom(rows.exposures, rows.exposures.length),
    totals: withRoom(rows.totals, rows.totals.length),
  }
}

function worstSize(margin: Margin, input: MarginInput): number {
  const at = input.holding * EXPOSURE_STRIDE
  return Math.max(
    Math.abs(input.position),
    Math.abs(input.position + (margin.exposures[at + BUYS] as number)),
    Math.abs(input.position - (margin.exposures[at + SELLS] as number)),
  )
}

function withRoom(rows: Float64Array, length: number): Float64Array {
  if (rows.length > length) return rows
  const larger = new Float64Array(Math.max(length, 16) * 2)
  larger.set(rows)
  return larger
}
