/** Law: a heap of numbers returns them in order. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clearNumbers, createNumberHeap, peekNumber, popNumber, pushNumber } from '../../../src/core/index.ts'

test('numbers come out from the smallest up, each with its value, after any earlier removals', () => {
  const key = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(Number.NEGATIVE_INFINITY))
  const steps = fc.array(fc.option(key, { nil: null, freq: 3 }), { maxLength: 200 })
  fc.assert(
    fc.property(steps, (each) => {
      const heap = createNumberHeap()
      const model: { key: number; value: number }[] = []
      for (const [value, step] of each.entries()) {
        if (step !== null) {
          pushNumber(heap, step, value)
          model.push({ key: step, value })
          continue
        }
        const least = Math.min(...model.map((entry) => entry.key))
        expect(peekNumber(heap)).toBe(least)
        if (model.length === 0) continue
        const popped = popNumber(heap)
        const at = model.findIndex((entry) => entry.value === popped)
        expect(model[at]?.key).toBe(least)
        model.splice(at, 1)
      }
      expect(heap.size).toBe(model.length)
    }),
  )
})

test('an empty heap has an infinite first number, returns nothing, and takes only numbers', () => {
  const heap = createNumberHeap()
  expect(peekNumber(heap)).toBe(Number.POSITIVE_INFINITY)
  expect(() => popNumber(heap)).toThrow('a removed number is in the heap')
  expect(() => pushNumber(heap, Number.NaN, 1)).toThrow('a heap holds numbers')
  expect(() => pushNumber(heap, 1, 2 ** 31)).toThrow('a heap holds numbers')
  pushNumber(heap, 1, 7)
  clearNumbers(heap)
  expect(heap.size).toBe(0)
})
