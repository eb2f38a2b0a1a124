/** Slots: low ones first, reused once released, kept over growth. */
import { describe, expect, test } from 'vitest'
import {
  createOrderSlots,
  ownerOf,
  priceOf,
  releaseSlot,
  remainingOf,
  setSlot,
  takeSlot,
} from '../../../src/book/index.ts'
import { AssertionFailure } from '../../../src/core/assert.ts'

describe('slots of orders', () => {
  test('are handed out from 0 and keep their content when the arrays grow', () => {
    const slots = createOrderSlots()
    for (let order = 0; order < 1000; order += 1) {
      expect(takeSlot(slots, order % 7, -order, order)).toBe(order)
    }
    expect(slots.used).toBe(1000)
    for (let order = 0; order < 1000; order += 1) {
      expect([ownerOf(slots, order), priceOf(slots, order) + 0, remainingOf(slots, order)]).toEqual([
        order % 7,
        0 - order,
        order,
      ])
    }
  })

  test('the last released is the next taken', () => {
    const slots = createOrderSlots()
    for (let order = 0; order < 5; order += 1) takeSlot(slots, 1, 1, 1)
    releaseSlot(slots, 1)
    releaseSlot(slots, 3)
    const next = [2, 3, 4].map((price) => takeSlot(slots, 2, price, 9))
    expect(next).toEqual([3, 1, 5])
    expect([priceOf(slots, 3), priceOf(slots, 1), slots.used]).toEqual([2, 3, 6])
  })

  test('a slot is released once', () => {
    const slots = createOrderSlots()
    const slot = takeSlot(slots, 1, 1, 1)
    releaseSlot(slots, slot)
    expect(() => releaseSlot(slots, slot)).toThrow(AssertionFailure)
  })

  test('price and size of an order outside a book can be set', () => {
    const slots = createOrderSlots()
    const slot = takeSlot(slots, 1, 1, 1)
    setSlot(slots, slot, 5, 0)
    expect([priceOf(slots, slot), remainingOf(slots, slot)]).toEqual([5, 0])
  })
})
