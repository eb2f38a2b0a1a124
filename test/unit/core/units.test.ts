/** Constructors of units: the values that they refuse, and that the compiler keeps units apart. */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/assert.ts'
import {
  type Amount,
  accountId,
  amount,
  currencyId,
  instrumentId,
  type Lots,
  lots,
  type Micros,
  micros,
  orderId,
  type Price9,
  price9,
  sequence,
  type Ticks,
  ticks,
  tradeId,
} from '../../../src/core/units.ts'

const MAX = Number.MAX_SAFE_INTEGER
const wrong = [0.5, Number.NaN, Number.POSITIVE_INFINITY, MAX + 1, -MAX - 1]
const indices = [micros, accountId, instrumentId, currencyId, orderId, tradeId, sequence]

describe('constructors of units', () => {
  test('prices and sizes are safe integers of either sign', () => {
    for (const make of [ticks, price9, lots]) {
      for (const value of [0, 1, -1, MAX, -MAX]) expect(make(value)).toBe(value)
      for (const value of wrong) expect(() => make(value)).toThrow(AssertionFailure)
    }
  })

  test('times, ids and sequences are not negative', () => {
    for (const make of indices) {
      for (const value of [0, 1, MAX]) expect(make(value)).toBe(value)
      for (const value of [...wrong, -1]) expect(() => make(value)).toThrow(AssertionFailure)
    }
  })

  test('a negative zero becomes zero', () => {
    for (const make of [ticks, price9, lots, ...indices]) {
      expect(Object.is(make(-0), 0)).toBe(true)
    }
  })

  test('the failure names the unit and the value', () => {
    expect(() => lots(0.5)).toThrow('a size in lots is a safe integer, found 0.5')
    expect(() => orderId(-1)).toThrow('an order id is a safe integer of at least 0, found -1')
  })

  test('units do not mix', () => {
    expectTypeOf(ticks(1)).not.toExtend<Price9>()
    expectTypeOf(price9(1)).not.toExtend<Ticks>()
    expectTypeOf(lots(1)).not.toExtend<Micros>()
    expectTypeOf(micros(1)).not.toExtend<Lots>()
    expectTypeOf(amount(1n)).not.toExtend<number>()
    expectTypeOf(1).not.toExtend<Lots>()
    expectTypeOf(1n).not.toExtend<Amount>()
    expectTypeOf(lots(1)).toExtend<number>()
    expect(amount(-5n)).toBe(-5n)
  })
})
