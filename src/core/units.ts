/**
 * Branded units of the engine. Only the constructors here create brands, and they check.
 *
 * | Unit | Meaning | Range |
 * |---|---|---|
 * | `Micros` | microseconds since the epoch, UTC | safe integer >= 0 |
 * | `Ticks` | price as a count of the instrument's base book tick | safe integer, may be negative |
 * | `Price9` | price as a count of 1e-9 quote units | safe integer: |price| <= 9,007,199 |
 * | `Lots` | size as a count of the instrument's amount step | safe integer |
 * | `Amount` | money as a count of 1e-9 of its currency ("nano") | bigint |
 *
 * Adding two branded numbers gives a plain number, which must pass a constructor, and so a check, again.
 */
import { AssertionFailure } from './assert.ts'

declare const unit: unique symbol

/** A safe integer with its unit in its type. */
type Branded<Name extends string> = number & { readonly [unit]: Name }

/** A point of virtual time: integer microseconds since the epoch. */
export type Micros = Branded<'Micros'>
/** A book price in base ticks of its instrument. */
export type Ticks = Branded<'Ticks'>
/** A price in 1e-9 quote units; every price outside a book has this unit. */
export type Price9 = Branded<'Price9'>
/** A size in amount steps of its instrument; a position is signed. */
export type Lots = Branded<'Lots'>
/** Money in 1e-9 of its currency. */
export type Amount = bigint & { readonly [unit]: 'Amount' }

/** Index of an account in the order of creation, from 0. */
export type AccountId = Branded<'AccountId'>
/** Index of an instrument in the order of listing, from 0 (the wire shows 1000 + id). */
export type InstrumentId = Branded<'InstrumentId'>
/** Index of a currency in `currencies` of the model. */
export type CurrencyId = Branded<'CurrencyId'>
/** An order: its number within the settlement currency and that currency, see `model/ids.ts`. */
export type OrderId = Branded<'OrderId'>
/** A trade: its number within the settlement currency and that currency, see `model/ids.ts`. */
export type TradeId = Branded<'TradeId'>
/** Sequence number of a request or timer; unique in a run and rising. */
export type Sequence = Branded<'Sequence'>

/*
 * Each constructor is small enough that an optimising compiler inlines it, and builds its message only on failure,
 * because the hottest paths call it. Adding zero turns -0 into 0, which keeps hashes and printed values canonical.
 */

function isSafe(value: number): boolean {
  return Number.isSafeInteger(value)
}

function isIndex(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function refuse(value: number, what: string): never {
  throw new AssertionFailure(`${what}, found ${value}`, true)
}

/**
 * Creates a virtual time from integer microseconds.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not a safe integer from 0.
 *
 * @example
 * console.log(micros(1_500_000)) // 1500000
 */
export function micros(value: number): Micros {
  if (!isIndex(value)) refuse(value, 'a time in microseconds is a safe integer of at least 0')
  return (value + 0) as Micros
}

/**
 * Creates a book price from a count of base ticks.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not a safe integer.
 *
 * @example
 * // At a tick of 0.5, a price of 50,000.
 * console.log(ticks(100_000)) // 100000
 */
export function ticks(value: number): Ticks {
  if (!isSafe(value)) refuse(value, 'a price in ticks is a safe integer')
  return (value + 0) as Ticks
}

/** The highest price in 1e-9 quote units: 9,007,199. */
export const PRICE9_MAX = 9_007_199_000_000_000

/**
 * Creates a price from a count of 1e-9 quote units.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not a safe integer.
 *
 * @example
 * console.log(price9(1_500_000_000)) // 1500000000
 */
export function price9(value: number): Price9 {
  if (!isSafe(value)) refuse(value, 'a price in 1e-9 is a safe integer')
  return (value + 0) as Price9
}

/**
 * Creates a size from a count of amount steps.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not a safe integer.
 *
 * @example
 * // At a step of 10 USD, an amount of 1,000 USD.
 * console.log(lots(100)) // 100
 */
export function lots(value: number): Lots {
  if (!isSafe(value)) refuse(value, 'a size in lots is a safe integer')
  return (value + 0) as Lots
}

/**
 * Creates an amount of money from a count of 1e-9 of the currency.
 *
 * @example
 * // One and a half coins.
 * console.log(amount(1_500_000_000n)) // 1500000000n
 */
export function amount(value: bigint): Amount {
  return value as Amount
}

/**
 * Creates an account id from its index.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not an index.
 *
 * @example
 * console.log(accountId(3)) // 3
 */
export function accountId(value: number): AccountId {
  if (!isIndex(value)) refuse(value, 'an account id is a safe integer of at least 0')
  return (value + 0) as AccountId
}

/**
 * Creates an instrument id from its index.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not an index.
 *
 * @example
 * console.log(instrumentId(0)) // 0
 */
export function instrumentId(value: number): InstrumentId {
  if (!isIndex(value)) refuse(value, 'an instrument id is a safe integer of at least 0')
  return (value + 0) as InstrumentId
}

/** A currency from its index. */
export function currencyId(value: number): CurrencyId {
  if (!isIndex(value)) refuse(value, 'a currency id is a safe integer of at least 0')
  return (value + 0) as CurrencyId
}

/**
 * Creates an order id from its encoded number.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not an integer from 0.
 *
 * @example
 * console.log(orderId(7)) // 7
 */
export function orderId(value: number): OrderId {
  if (!isIndex(value)) refuse(value, 'an order id is a safe integer of at least 0')
  return (value + 0) as OrderId
}

/** A trade id from its encoded number. */
export function tradeId(value: number): TradeId {
  if (!isIndex(value)) refuse(value, 'a trade id is a safe integer of at least 0')
  return (value + 0) as TradeId
}

/**
 * A sequence number.
 *
 * @throws AssertionFailure with the code `DEFECT` if the value is not an integer from 0.
 *
 * @example
 * console.log(sequence(1)) // 1
 */
export function sequence(value: number): Sequence {
  if (!isIndex(value)) refuse(value, 'a sequence number is a safe integer of at least 0')
  return (value + 0) as Sequence
}
