/**
 * The arithmetic of the liquidity support programme: the capacity of a participant, the shares of participants in a
 * position, the cost of a transfer, and the ranking of accounts for auto-deleveraging.
 *
 * Money is in nano of USD, sizes in lots.
 * Source: sessions-blocks-gateways.md 7.1-7.4; R54.
 */
import { assert, divFloorBig, divHalfAwayBig, PRICE9_MAX, type Price9, price9, safeNumber } from '../../core/index.ts'

const PPM = 1_000_000n

/**
 * The price of a transfer: the mark, moved against the liquidated side. It is below the mark for closing a long, and
 * above it for closing a short. It is at most the greatest price.
 */
export function transferPrice(mark: Price9, isLong: boolean, spreadPpm: number): Price9 {
  const factor = PPM + BigInt(isLong ? -spreadPpm : spreadPpm)
  const price = Number(divHalfAwayBig(BigInt(mark) * factor, PPM))
  return price9(Math.min(PRICE9_MAX, Math.max(1, price)))
}

/** Commission of the liquidated account for a transfer, rounded like fees to 1e-8 of the currency. */
export function transferCommission(notional: bigint, ppm: number): bigint {
  return divHalfAwayBig(notional * BigInt(ppm), PPM * 10n) * 10n
}

/** Share of an ADL counterparty in a commission: half of it. Assumed: no share is published. */
export function counterpartyShare(commission: bigint): bigint {
  return divFloorBig(commission, 2n)
}

/** Equity, holdings and limits of a participant. */
interface CapacityTerms {
  readonly equity: bigint
  /** Present notional of the participant. */
  readonly notional: bigint
  readonly capacityFactor: number
  readonly limitPpm: number
  /** Used part of the limit in this window. */
  readonly used: bigint
}

/** Notional that a participant can still take, limited by its largest notional and by the limit of its group. */
export function remainingCapacity(of: CapacityTerms): bigint {
  const held = of.equity * BigInt(of.capacityFactor) - of.notional
  const limit = divFloorBig(of.equity * BigInt(of.limitPpm), PPM) - of.used
  const least = held < limit ? held : limit
  return least > 0n ? least : 0n
}

/** A participant that can take a part. */
export interface Candidate {
  readonly account: number
  readonly capacity: bigint
  /** The capacity in lots, rounded down. */
  readonly lots: number
}

/** A part of a position for a participant. */
interface Assignment {
  readonly account: number
  readonly lots: number
}

/**
 * Shares a position among participants in proportion to their capacity, rounded down to lots. The remainder goes lot by
 * lot to those with the largest capacity. Participants are ordered by falling capacity, then by id. A part without
 * enough capacity is not assigned.
 */
export function assign(size: number, candidates: readonly Candidate[]): readonly Assignment[] {
  assert(size > 0, 'the quantity to assign is above zero')
  const sorted = [...candidates].sort((left, right) => {
    if (left.capacity === right.capacity) return left.account - right.account
    return left.capacity > right.capacity ? -1 : 1
  })
  const total = sorted.reduce((sum, { capacity }) => sum + capacity, 0n)
  if (total === 0n) return []
  const parts = sorted.map(({ account, capacity, lots }) => {
    const share = safeNumber(divFloorBig(BigInt(size) * capacity, total))
    return { account, lots: Math.min(lots, share), room: lots }
  })
  let left = size - parts.reduce((sum, { lots }) => sum + lots, 0)
  // A participant without room is skipped, so one pass may not be enough.
  let open = parts.filter(({ lots, room }) => lots < room)
  while (left > 0 && open.length > 0) {
    for (const part of open) {
      if (left === 0) break
      part.lots += 1
      left -= 1
    }
    open = open.filter(({ lots, room }) => lots < room)
  }
  return parts.filter(({ lots }) => lots > 0).map(({ account, lots }) => ({ account, lots }))
}

/** Profit, cost and value of a position and the equity of its account. */
interface ScoredPosition {
  /** Profit since opening, signed. */
  readonly profit: bigint
  readonly cost: bigint
  readonly value: bigint
  readonly equity: bigint
}

/**
 * Rank of a position for auto-deleveraging: its profit over its cost, times its leverage, in 1e-9. An account without
 * value counts as worth one unit.
 */
export function deleveragingScore(of: ScoredPosition): bigint {
  const equity = of.equity > 0n ? of.equity : 1n
  const basis = of.cost > 0n ? of.cost : 1n
  return divHalfAwayBig(of.profit * of.value * 1_000_000_000n, basis * equity)
}
