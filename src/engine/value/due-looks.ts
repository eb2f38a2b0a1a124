/**
 * Marks that something may have become of an account: it is suspect and the next liquidation round looks at
 * it, or funding wears its margin away and the next whole minute looks. The looks themselves are above.
 *
 * A round runs at each whole second while there are suspects, after all other timers of that second: what
 * one of these made suspect belongs to the same second, all else to the next.
 * Source: market.md 6.6; R02; DESIGN 4.
 */
import { cancel, MICROS_PER_SECOND, type Micros, micros, modFloor } from '../../core/index.ts'
import { type AccountRow, type Exchange, setTimer } from '../state/index.ts'

const MINUTE_MICROS = 60_000_000

/** Lets the next round look at an account. */
export function suspect(exchange: Exchange, account: number): void {
  exchange.suspects.add(account)
  awaitRound(exchange)
}

/** Sets the next round of liquidations, where none is awaited. */
export function awaitRound(exchange: Exchange): void {
  if (exchange.isRoundAwaited) return
  exchange.isRoundAwaited = true
  const { now } = exchange
  const past = modFloor(now, MICROS_PER_SECOND)
  // Within timers of a whole second its round is still to come, unless it ran already.
  const isToCome = exchange.isInTimers && past === 0 && exchange.lastRound !== now
  const time = isToCome ? now : micros(now - past + MICROS_PER_SECOND)
  setTimer(exchange.timers, time, { kind: 'liquidation_round' })
}

/** True if a perpetual that an account ever held has a funding rate now. */
export function paysFunding({ paying }: Exchange, { perpetuals }: AccountRow): boolean {
  if (paying === 0) return false
  for (const { row } of perpetuals) {
    if (row.funding !== null && row.funding.excess !== 0n) return true
  }
  return false
}

/** Makes sure that accounts are looked at not later than the next whole minute. */
export function awaitFundingLook(exchange: Exchange): void {
  if (!exchange.config.liquidation.enabled) return
  const soon = micros(exchange.now - modFloor(exchange.now, MINUTE_MICROS) + MINUTE_MICROS)
  const { fundingLook } = exchange
  if (fundingLook !== null && fundingLook.time <= soon) return
  if (fundingLook !== null) cancel(exchange.timers, fundingLook.timer)
  scheduleFundingLook(exchange, soon)
}

/** Makes sure of the same where an account pays funding, or gets some. */
export function awaitWearOn(exchange: Exchange, account: AccountRow): void {
  // Asked first, as it does not grow with what the account ever held.
  if (!isFundingWatched(exchange) && paysFunding(exchange, account)) awaitFundingLook(exchange)
}

/** True if funding is looked at at the next whole minute or sooner, or nobody pays any. */
export function isFundingWatched({ paying, fundingLook, now }: Exchange): boolean {
  if (paying === 0) return true
  const past = modFloor(now, MINUTE_MICROS)
  return fundingLook !== null && fundingLook.time <= now - past + MINUTE_MICROS
}

/** Sets the next look at funding. */
export function scheduleFundingLook(exchange: Exchange, time: Micros): void {
  const timer = setTimer(exchange.timers, time, { kind: 'funding_look' })
  exchange.fundingLook = { time, timer }
}
