/**
 * Pages of records: with any page size, following the token gives every record once, newest first; a text that is not a
 * token is refused.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestPage, tokenFault } from '../../../src/rpc/methods/record-pages.ts'

const micros = 9_007_199_254_740_991

const recordLists = fc
  .array(fc.record({ time: fc.nat(micros), number: fc.nat(micros) }), { maxLength: 30 })
  .map((list) => list.toSorted((left, right) => left.time - right.time || left.number - right.number))

test('the pages together are the list, newest first', () => {
  fc.assert(
    fc.property(recordLists, fc.integer({ min: 1, max: 7 }), (list, count) => {
      // Two records never share time and number.
      const unique = [...new Map(list.map((each) => [`${each.time} ${each.number}`, each])).values()]
      const found: unknown[] = []
      let continuation: string | undefined
      for (let page = 0; page <= unique.length && continuation !== 'none'; page += 1) {
        const next = newestPage(unique, count, continuation)
        expect(next.records.length).toBe(Math.min(count, unique.length - found.length))
        found.push(...next.records)
        continuation = next.continuation
        if (continuation !== 'none') expect(tokenFault(continuation)).toBeNull()
      }
      expect(continuation).toBe('none')
      expect(found).toEqual(unique.toReversed())
    }),
  )
})

test('a new record does not move the pages behind a token', () => {
  const list = [1, 2, 3, 4].map((number) => ({ time: number, number }))
  const first = newestPage(list, 2)
  const more = [...list, { time: 9, number: 9 }]
  const second = newestPage(more, 2, first.continuation)
  expect(second).toEqual({ records: [list[1], list[0]], continuation: 'none' })
})

test.each(['', '0', 'none', 'l', 'O', '1.2', ' ', 'é', 'z'.repeat(20), 'z'.repeat(19)])('%j is no token', (token) => {
  const refusal = { reason: 'invalid_params', param: 'continuation', problem: 'invalid' }
  expect(tokenFault(token)).toMatchObject({ refusal })
})

test('an absent token is valid', () => {
  expect(tokenFault(undefined)).toBeNull()
})
