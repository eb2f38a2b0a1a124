/** Sinks and the log between them: the events that readers get after one of them throws. */
import { expect, test } from 'vitest'
import type { Event } from '../../../../src/model/index.ts'
import { fanOut, logOf, sinkOf } from '../../../../src/model/index.ts'
import { randomEvents } from '../../../support/random-events.ts'

test('a sink that throws loses the events that were not read, and later ones have their numbers', () => {
  const seen: Event[] = []
  let isBroken = true
  const breaking = sinkOf({
    order: () => {
      if (isBroken) throw new Error('broken')
    },
  })
  const keeping = sinkOf({
    order: (event) => seen.push(event),
    request: (event) => seen.push(event),
  })
  const log = logOf(fanOut([breaking, keeping]))
  const events = randomEvents({ seed: 3, length: 200, tradingOnly: true }).filter(
    ({ kind }) => kind === 'order' || kind === 'request',
  )
  const half = events.length / 2
  const [lost, kept] = [events.slice(0, half), events.slice(half)]
  for (const event of lost) {
    try {
      log.append(event)
      log.read()
    } catch (error) {
      expect(error).toEqual(new Error('broken'))
    }
  }
  isBroken = false
  seen.length = 0
  for (const event of kept) log.append(event)
  log.read()
  const placeOf = ({ kind, time, number, cause }: Event): object => ({ kind, time, number, cause })
  expect(kept.length).toBeGreaterThan(20)
  expect(seen.map(placeOf)).toEqual(kept.map(placeOf))
})
