/**
 * Sizes of an instrument: exact conversions between lots, amounts, contracts and coin.
 *
 * A lot is the amount step. Amounts and contracts are bigints in 1e-9, because 10 million USD in 1e-9 exceeds the safe
 * integers. The amount unit is USD for inverse futures and base coin for everything else; contracts = amount / contract
 * size, and one lot is always a whole number of 1e-9 contracts (the catalogue's sizes and `overrideSpec` ensure this).
 * Zero and negative sizes convert too: other code decides whether they may trade.
 *
 * Rule: sizes.contracts, sizes.coin. Source: market.md 2; interface document, "Amount units"; S029, S030, S203.
 */
import {
  assert,
  type DecimalFault,
  divFloorBig,
  divHalfAwayBig,
  err,
  formatScaled,
  type Lots,
  lots,
  ok,
  type Price9,
  parseScaled,
  type Result,
  safeNumber,
} from '../../core/index.ts'
import type { InstrumentSpec } from '../instrument.ts'

/** The part of a specification that measures sizes. */
export type SizeUnits = Pick<InstrumentSpec, 'amountStep9' | 'contractSize9'>

/**
 * Reason why a text is not a size: it is not a plain decimal; not a whole number of amount steps; or more lots than a
 * safe integer.
 */
export type SizeFault = 'not_a_decimal' | 'off_step' | 'too_large'

const SCALE = 9
const NANO = 1_000_000_000n
const LOTS_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** The amount of a size, in 1e-9 of the amount unit. */
export function amount9OfLots(units: SizeUnits, size: Lots): bigint {
  return BigInt(size) * BigInt(units.amountStep9)
}

/** The amount of a size as plain decimal text. */
export function amountTextOfLots(units: SizeUnits, size: Lots): string {
  return formatScaled(amount9OfLots(units, size), SCALE)
}

/** The size of an amount in 1e-9 of the amount unit. */
export function lotsOfAmount9(units: SizeUnits, amount9: bigint): Result<Lots, SizeFault> {
  return wholeLots(amount9, BigInt(units.amountStep9))
}

/** The size of an amount in decimal text. */
export function lotsOfAmountText(units: SizeUnits, text: string): Result<Lots, SizeFault> {
  const scaled = parseScaled(text, SCALE)
  return scaled.ok ? lotsOfAmount9(units, scaled.value) : err(faultOf(scaled.error))
}

/** The contracts of a size, in 1e-9 contracts. */
export function contracts9OfLots(units: SizeUnits, size: Lots): bigint {
  return BigInt(size) * contracts9PerLot(units)
}

/** The contracts of a size as plain decimal text. */
export function contractsTextOfLots(units: SizeUnits, size: Lots): string {
  return formatScaled(contracts9OfLots(units, size), SCALE)
}

/** The size of a number of contracts in 1e-9. */
export function lotsOfContracts9(units: SizeUnits, contracts9: bigint): Result<Lots, SizeFault> {
  return wholeLots(contracts9, contracts9PerLot(units))
}

/** The size of a number of contracts in decimal text. */
export function lotsOfContractsText(units: SizeUnits, text: string): Result<Lots, SizeFault> {
  const scaled = parseScaled(text, SCALE)
  return scaled.ok ? lotsOfContracts9(units, scaled.value) : err(faultOf(scaled.error))
}

/**
 * `size_currency`: a size in 1e-9 of the base coin. Inverse sizes are USD and divided by the mark, to the nearest unit,
 * halves away from zero (R04); all other sizes are already in coin.
 */
export function coinSize9(spec: SizeUnits & Pick<InstrumentSpec, 'payoff'>, size: Lots, mark: Price9): bigint {
  const amount9 = amount9OfLots(spec, size)
  if (spec.payoff !== 'inverse') return amount9
  assert(mark > 0, 'the mark of an inverse instrument is positive')
  return divHalfAwayBig(amount9 * NANO, BigInt(mark))
}

/** Contracts of one lot in 1e-9, which must be a whole number. */
function contracts9PerLot({ amountStep9, contractSize9 }: SizeUnits): bigint {
  const product = BigInt(amountStep9) * NANO
  const quotient = divFloorBig(product, BigInt(contractSize9))
  assert(quotient * BigInt(contractSize9) === product, 'a lot is whole 1e-9 contracts')
  return quotient
}

function wholeLots(value: bigint, perLot: bigint): Result<Lots, SizeFault> {
  const quotient = divFloorBig(value, perLot)
  if (quotient * perLot !== value) return err('off_step')
  if (quotient > LOTS_MAX || quotient < -LOTS_MAX) return err('too_large')
  return ok(lots(safeNumber(quotient)))
}

/** More than nine decimals are finer than any step. */
function faultOf({ kind }: DecimalFault): SizeFault {
  return kind === 'too_many_decimals' ? 'off_step' : kind
}
