/** The integer map compared with `Map`, under random work and with colliding keys. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../src/core/assert.ts'
import { createIntMap, type IntMap, intMapDelete, intMapGet, intMapSet } from '../../../src/core/int-map.ts'
import { randomStream } from '../../../src/core/random.ts'

function agree(map: IntMap, twin: ReadonlyMap<number, number>): void {
  expect(map.size).toBe(twin.size)
  for (const [key, slot] of twin) expect(intMapGet(map, key)).toBe(slot)
}

describe('an integer map', () => {
  test('behaves like Map, for any keys', () => {
    const key = fc.oneof(
      fc.integer({ min: 0, max: 40 }),
      fc.maxSafeNat(),
      // Ids of orders are multiples of 16 with a currency in the low digits.
      fc.integer({ min: 0, max: 60 }).map((number) => number * 16),
      fc.integer({ min: 0, max: 20 }).map((high) => high * 2 ** 32),
      fc.integer({ min: 0, max: 9 }).map((off) => Number.MAX_SAFE_INTEGER - off),
    )
    const step = fc.record({ key, slot: fc.integer({ min: 0, max: 1000 }), remove: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const map = createIntMap()
        const twin = new Map<number, number>()
        for (const { key: at, slot, remove } of steps) {
          expect(intMapGet(map, at)).toBe(twin.get(at) ?? -1)
          if (remove) expect(intMapDelete(map, at)).toBe(twin.delete(at))
          else {
            intMapSet(map, at, slot)
            twin.set(at, slot)
          }
          expect(intMapGet(map, at)).toBe(twin.get(at) ?? -1)
        }
        agree(map, twin)
      }),
    )
  })

  test('a long life of rising ids with deletions leaves nothing behind', () => {
    const random = randomStream(11, 'int-map')
    const map = createIntMap()
    const twin = new Map<number, number>()
    const live: number[] = []
    for (let id = 1; id <= 30_000; id += 1) {
      intMapSet(map, id * 16, id & 0xffff)
      twin.set(id * 16, id & 0xffff)
      live.push(id * 16)
      while (live.length > 200) {
        const at = random.int(0, live.length - 1)
        const [key = -1] = live.splice(at, 1)
        expect(intMapDelete(map, key)).toBe(true)
        expect(intMapDelete(map, key)).toBe(false)
        twin.delete(key)
      }
    }
    agree(map, twin)
    expect(map.mask).toBeLessThan(512)
  })

  test('a chain that wraps around the end survives deletion of its head', () => {
    const map = createIntMap()
    const keys: number[] = []
    for (let key = 0; keys.length < 11; key += 1) {
      const probe = createIntMap()
      intMapSet(probe, key, 0)
      // Keys whose home is one of the last two cells of a map of 16.
      if (probe.cells.indexOf(key) >= 2 * 14) keys.push(key)
    }
    for (const [slot, key] of keys.entries()) intMapSet(map, key, slot)
    for (const [gone, key] of keys.entries()) {
      expect(intMapDelete(map, key)).toBe(true)
      for (const [slot, other] of keys.entries()) {
        expect(intMapGet(map, other)).toBe(slot <= gone ? -1 : slot)
      }
    }
  })

  test('negative keys and slots fail an assertion', () => {
    const map = createIntMap()
    expect(() => intMapSet(map, -1, 0)).toThrow(AssertionFailure)
    expect(() => intMapSet(map, 0, -1)).toThrow(AssertionFailure)
    expect(intMapGet(map, 0)).toBe(-1)
  })
})
