/**
 * Funding of perpetuals: its rate, the increments of the accumulator, and the funding of a position.
 *
 * A rate for 8 hours is an excess over an index: the relevant part of the premium, in 1e-17 of the quote currency,
 * divided by an index in 1e-9, so that it is exact. Shown rates are in 1e-8. The accumulator is the sum that one unit
 * of size paid since listing: 1e-24 coin for each USD of inverse contracts, 1e-18 quote for each coin of linear ones.
 * Each result is the exact value of its formula, rounded half away from zero once.
 * Source: market.md 3.3, 3.4; T29-T38; golden funding-rate.
 */
import { type Amount, amount, assert, divHalfAwayBig, divNearest, type Micros, safeNumber } from '../core/index.ts'
import type { FundingTerms, PositionPayoff } from '../model/index.ts'
import { CERTAINLY } from './mark.ts'

const RATE_SCALE = 100_000_000n
const RATE_SCALE_DOUBLE = 100_000_000
/** 8 hours in microseconds. */
const FUNDING_PERIOD = 28_800_000_000n
const TEN_25 = 10_000_000_000_000_000_000_000_000n
/** Divisors that convert position times accumulator to nano. */
const INVERSE_TO_NANO = 1_000_000_000_000_000_000_000_000n
const LINEAR_TO_NANO = 1_000_000_000_000_000_000n

/** Mark and index price in 1e-9 at a time. */
interface FundingPoint {
  readonly mark9: number
  readonly index9: number
  readonly terms: FundingTerms
  readonly time: Micros
}

/**
 * The funding rate at a mark and an index, times the index, in 1e-17: the premium beyond the damper at that time, at
 * most the cap. Positive: longs pay.
 */
export function fundingExcess(at: FundingPoint): bigint {
  assert(at.index9 > 0 && at.mark9 > 0, 'mark and index are positive')
  const premium9 = at.mark9 - at.index9
  const damper8 = damperAt(at.terms, at.time)
  // Most premiums are far within the damper, and each mark calls this function.
  if (Math.abs(premium9) * RATE_SCALE_DOUBLE < damper8 * at.index9 * CERTAINLY) return 0n
  const index = BigInt(at.index9)
  const beyond = BigInt(Math.abs(premium9)) * RATE_SCALE - BigInt(damper8) * index
  if (beyond <= 0n) return 0n
  const cap = BigInt(at.terms.cap8) * index
  const excess = beyond < cap ? beyond : cap
  return premium9 < 0 ? -excess : excess
}

/** A rate for users, in 1e-8, rounded half away from zero. */
export function fundingRate8(excess: bigint, index9: number): number {
  return excess === 0n ? 0 : safeNumber(divHalfAwayBig(excess, BigInt(index9)))
}

/** A span of time with a constant funding rate. */
interface FundingSpan {
  readonly payoff: PositionPayoff
  readonly excess: bigint
  readonly elapsed: number
  readonly index9: number
}

/** Increment of the accumulator in `elapsed` microseconds, at one rate and the index with which it was computed. */
export function fundingIncrement(span: FundingSpan): bigint {
  assert(span.elapsed >= 0 && span.index9 > 0, 'funding time moves forward and the index is known')
  if (span.excess === 0n || span.elapsed === 0) return 0n
  const share = span.excess * BigInt(span.elapsed)
  const index = BigInt(span.index9)
  if (span.payoff === 'inverse') return divHalfAwayBig(share * TEN_25, FUNDING_PERIOD * index * index)
  return divHalfAwayBig(share * 10n, FUNDING_PERIOD)
}

/** The increment of the accumulator in doubles. */
export function fundingIncrementNear(span: Parameters<typeof fundingIncrement>[0]): number {
  if (span.excess === 0n || span.elapsed === 0) return 0
  const share = Number(span.excess) * span.elapsed * PER_PERIOD
  return span.payoff === 'inverse' ? divNearest(divNearest(share * 1e25, span.index9), span.index9) : share * 10
}

/** Microseconds as a share of a funding period. */
const PER_PERIOD = 1 / 28_800_000_000

/**
 * Funding that a position of `lots`, negative for a short one, receives while the accumulator moves; negative if it
 * pays.
 */
export function fundingOf(payoff: PositionPayoff, lots: number, amountStep9: number, from: bigint, to: bigint): Amount {
  if (lots === 0 || from === to) return amount(0n)
  const received = BigInt(lots) * BigInt(amountStep9) * (from - to)
  return amount(divHalfAwayBig(received, payoff === 'inverse' ? INVERSE_TO_NANO : LINEAR_TO_NANO))
}

function damperAt({ dampers }: FundingTerms, time: Micros): number {
  let rate8 = 0
  for (const damper of dampers) {
    if (damper.from > time) break
    rate8 = damper.rate8
  }
  return rate8
}
