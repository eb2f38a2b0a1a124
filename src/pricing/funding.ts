/**
 * Funding of perpetuals: its rate, what the accumulator gains, and what a position receives.
 *
 * Rates are for 8 hours in 1e-8. The accumulator is what one unit of size paid since listing: 1e-24
 * coin for each USD of inverse contracts, 1e-18 quote for each coin of linear ones. Each result is the
 * exact value of its formula, rounded half away from zero once.
 * Source: market.md 3.3, 3.4; T29-T38; golden funding-rate.
 */
import {
  type Amount,
  amount,
  assert,
  divHalfAwayBig,
  type Micros,
  mulDivHalfAway,
} from '../core/index.ts'
import type { FundingTerms } from '../model/index.ts'

const RATE_SCALE = 100_000_000
/** 8 hours in microseconds. */
const FUNDING_PERIOD = 28_800_000_000n
const TEN_25 = 10_000_000_000_000_000_000_000_000n
/** From the unit of a position times its accumulator to nano. */
const INVERSE_TO_NANO = 1_000_000_000_000_000_000_000_000n
const LINEAR_TO_NANO = 1_000_000_000_000_000_000n

/**
 * The rate at a mark and an index: the premium beyond what the damper of that time leaves free, at most
 * the cap. Positive: longs pay.
 */
export function fundingRate8(at: {
  readonly mark9: number
  readonly index9: number
  readonly terms: FundingTerms
  readonly time: Micros
}): number {
  const { mark9, index9, terms, time } = at
  assert(index9 > 0 && mark9 > 0, 'mark and index are positive')
  const premium9 = mark9 - index9
  const distance = Math.abs(premium9)
  // Damper and cap are at most 1, so from a premium of 2 on the cap decides.
  const isCapped = distance - index9 > index9
  const premium8 = isCapped ? 0 : mulDivHalfAway(distance, RATE_SCALE, index9)
  const beyond = isCapped ? terms.cap8 : Math.max(0, premium8 - damperAt(terms, time))
  const rate8 = Math.min(terms.cap8, beyond)
  return premium9 < 0 ? -rate8 + 0 : rate8
}

/** What the accumulator gains in `elapsed` microseconds at one rate and one index. */
export function fundingIncrement(span: {
  readonly payoff: 'inverse' | 'linear'
  readonly rate8: number
  readonly elapsed: number
  readonly index9: number
}): bigint {
  const { payoff, rate8, elapsed, index9 } = span
  assert(elapsed >= 0 && index9 > 0, 'funding runs forward on a known index')
  if (rate8 === 0 || elapsed === 0) return 0n
  const share = BigInt(rate8) * BigInt(elapsed)
  if (payoff === 'inverse') return divHalfAwayBig(share * TEN_25, FUNDING_PERIOD * BigInt(index9))
  return divHalfAwayBig(share * BigInt(index9) * 10n, FUNDING_PERIOD)
}

/**
 * What a position of `lots`, negative for a short one, receives while the accumulator moves; negative
 * is paid.
 */
export function fundingOf(holding: {
  readonly payoff: 'inverse' | 'linear'
  readonly lots: number
  readonly amountStep9: number
  readonly from: bigint
  readonly to: bigint
}): Amount {
  const { payoff, lots, amountStep9, from, to } = holding
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
