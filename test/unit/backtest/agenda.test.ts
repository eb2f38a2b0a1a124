/** The agenda of strategies, compared with a search through all of them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAgenda, findDue, noteDue } from '../../../src/backtest/strategy/agenda.ts'

const PLACES = 5

test('it finds the first time and all strategies that are due then, in any order of changes', () => {
  const step = fc.record({
    place: fc.nat(PLACES - 1),
    act: fc.constantFrom('add', 'drop', 'find'),
    time: fc.nat(12),
    before: fc.oneof(fc.nat(14), fc.constant(Number.POSITIVE_INFINITY)),
  })
  let found = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const agenda = createAgenda()
      const times = Array.from({ length: PLACES }, (): number[] => [])
      const dueOf = (place: number): number => Math.min(...(times[place] ?? []))
      for (const { place, act, time, before } of steps) {
        if (act === 'add') {
          times[place]?.push(time)
          noteDue(agenda, place, time)
        } else if (act === 'drop') times[place]?.pop()
        else {
          const least = Math.min(...times.map((_, at) => dueOf(at)))
          const isDue = least < before
          const places = [...times.keys()].filter((at) => isDue && dueOf(at) === least)
          expect(findDue(agenda, dueOf, before)).toBe(isDue ? least : Number.POSITIVE_INFINITY)
          expect(agenda.found).toEqual(places)
          found += places.length
        }
      }
    }),
    { numRuns: 1000, seed: 5 },
  )
  expect(found).toBeGreaterThan(300)
})
