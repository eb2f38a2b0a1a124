/**
 * Engine integers as JSON numbers. Each is the double nearest to the exact decimal, so up to 15 significant digits
 * print exactly.
 */
import {
  type Amount,
  divNearest,
  type Lots,
  type Micros,
  millisOf,
  mulDivFloor,
  type Price9,
  rescaleHalfAway,
  scaledToNumber,
} from '../../core/index.ts'
import { amount9OfLots, balanceDigits, type Currency, contracts9OfLots, type SizeUnits } from '../../model/index.ts'

const NANO_SCALE = 9
const NANO = 1_000_000_000
const NANOS_PER_MICRO = 1000

/** A price: one correctly rounded division of a safe integer. */
export function priceOut(price: Price9): number {
  return divNearest(price, NANO)
}

/** A size as `amount`. */
export function amountOut(units: SizeUnits, size: Lots): number {
  const exact = size * units.amountStep9
  if (Number.isSafeInteger(exact)) return divNearest(exact, NANO)
  return scaledToNumber(amount9OfLots(units, size), NANO_SCALE)
}

/** A size as `contracts`. */
export function contractsOut(units: SizeUnits, size: Lots): number {
  if (units.amountStep9 === units.contractSize9) return size
  const exact = size * mulDivFloor(units.amountStep9, NANO, units.contractSize9)
  if (Number.isSafeInteger(exact)) return divNearest(exact, NANO)
  return scaledToNumber(contracts9OfLots(units, size), NANO_SCALE)
}

/** Parts per million as a percentage. */
export function percentOfPpm(ppm: number): number {
  return scaledToNumber(BigInt(ppm), 4)
}

/** Money with 9 decimals: positions, fees, settlement records (market.md 0). */
export function moneyOut(money: Amount): number {
  return scaledToNumber(money, NANO_SCALE)
}

/** Money with the digits of an account balance, rounded half away from zero. */
export function balanceOut(currency: Currency, money: bigint): number {
  const digits = balanceDigits(currency)
  return scaledToNumber(rescaleHalfAway(money, NANO_SCALE, digits), digits)
}

/** Money with the digits of an account balance, cut toward zero (available_withdrawal_funds). */
export function balanceCut(currency: Currency, money: bigint): number {
  const digits = balanceDigits(currency)
  const unit = 10n
  let cut = money
  for (let digit = digits; digit < NANO_SCALE; digit += 1) cut = (cut - (cut % unit)) / unit
  return scaledToNumber(cut, digits)
}

/** A value in 1e-9 with this number of decimals, rounded half away from zero. */
export function digitsOut(value: bigint, digits: number): number {
  return scaledToNumber(rescaleHalfAway(value, NANO_SCALE, digits), digits)
}

/** A greek of a position (market.md 0). */
export function greekOut(value: bigint): number {
  return digitsOut(value, 5)
}

/** A volatility in 1e-9 as percent with 2 decimals, rounded half away from zero (market.md 0). */
export function percentOut(volatility9: number): number {
  return scaledToNumber(rescaleHalfAway(BigInt(volatility9) * 100n, NANO_SCALE, 2), 2)
}

/** A time in milliseconds. */
export function timeOut(time: Micros): number {
  return millisOf(time)
}

/**
 * A time in nanoseconds, as in direct access and the alternative engine. Doubles cannot hold all such numbers, but
 * these end in three zeros, so each prints exactly.
 */
export function nanosOut(time: Micros): number {
  return time * NANOS_PER_MICRO
}
