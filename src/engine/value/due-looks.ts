/**
 * Schedules checks of accounts. The next liquidation round checks suspects, and the next whole minute checks accounts
 * whose margin shrinks because of funding. Other files perform these checks (`funding-look.ts`, `day/round.ts`).
 *
 * A round runs at each whole second while there are suspects, after all other timers of that second. An account that
 * one of these timers made suspect belongs to the round of the same second, all other suspects to the next one.
 * Source: market.md 6.6; R02; DESIGN 4.
 */
import { cancel, MICROS_PER_SECOND, type Micros, micros, modFloor } from '../../core/index.ts'
import { type AccountRow, type Exchange, setTimer } from '../state/index.ts'

const MINUTE_MICROS = 60_000_000

/** Makes an account a suspect of the next round. */
export function suspect(exchange: Exchange, account: number): void {
  exchange.suspects.add(account)
  awaitRound(exchange)
}

/** Sets the timer of the next liquidation round, if none is set. */
export function awaitRound(exchange: Exchange): void {
  if (exchange.isRoundAwaited) return
  exchange.isRoundAwaited = true
  const past = modFloor(exchange.now, MICROS_PER_SECOND)
  // During timers of a whole second, the round of that second is still to come, unless it already ran.
  const isToCome = exchange.isInTimers && past === 0 && exchange.lastRound !== exchange.now
  const time = isToCome ? exchange.now : micros(exchange.now - past + MICROS_PER_SECOND)
  setTimer(exchange.timers, time, { kind: 'liquidation_round' })
}

/** True if a perpetual that an account has ever held currently has a funding rate. */
export function paysFunding(exchange: Exchange, { perpetuals }: AccountRow): boolean {
  if (exchange.paying === 0) return false
  for (const { row } of perpetuals) {
    if (row.funding !== null && row.funding.excess !== 0n) return true
  }
  return false
}

/** Sets the funding check for the next whole minute, unless it is already set for then or earlier. */
export function awaitFundingLook(exchange: Exchange): void {
  if (!exchange.config.liquidation.enabled) return
  const soon = micros(exchange.now - modFloor(exchange.now, MINUTE_MICROS) + MINUTE_MICROS)
  if (exchange.fundingLook !== null && exchange.fundingLook.time <= soon) return
  if (exchange.fundingLook !== null) cancel(exchange.timers, exchange.fundingLook.timer)
  scheduleFundingLook(exchange, soon)
}

/** Sets the funding check as `awaitFundingLook` does, if an account pays or receives funding. */
export function awaitWearOn(exchange: Exchange, account: AccountRow): void {
  // Checked first, because its cost does not grow with the number of perpetuals that the account ever held.
  if (!isFundingCheckAwaited(exchange) && paysFunding(exchange, account)) awaitFundingLook(exchange)
}

/** True if a funding check is set for the next whole minute or earlier, or if no perpetual has a funding rate. */
export function isFundingCheckAwaited({ paying, fundingLook, now }: Exchange): boolean {
  if (paying === 0) return true
  const past = modFloor(now, MINUTE_MICROS)
  return fundingLook !== null && fundingLook.time <= now - past + MINUTE_MICROS
}

/** Sets the next funding check. */
export function scheduleFundingLook(exchange: Exchange, time: Micros): void {
  const timer = setTimer(exchange.timers, time, { kind: 'funding_look' })
  exchange.fundingLook = { time, timer }
}
