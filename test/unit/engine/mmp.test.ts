/**
 * Windows and counters of market-maker protection.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../../src/core/index.ts'
import { clearWindow, countTrade, reachedLimit } from '../../../src/engine/state/mmp-groups.ts'
import type { MmpConfig } from '../../../src/model/index.ts'

function none(): Parameters<typeof countTrade>[0] {
  return { windowStart: null, quantity9: 0, delta9: 0, vega9: 0 }
}

const interval = micros(10)
const trade = { quantity9: 5, delta9: -3, vega9: 2 }
const unlimited: MmpConfig = {
  ...{ interval, frozenTime: micros(0), quantity9: null, delta9: null, vega9: null },
  ...{ maxQuote9: 0, tradeCount: null },
}

describe('windows', () => {
  test('Rule: mmp.window C39 the first trade opens a window, and trades until its end add up', () => {
    const counters = none()
    expect(countTrade(counters, trade, { now: micros(100), interval })).toBe(true)
    expect(countTrade(counters, trade, { now: micros(109), interval })).toBe(false)
    expect(counters).toEqual({ windowStart: 100, quantity9: 10, delta9: -6, vega9: 4 })
  })

  test('a trade at its end opens the next, with counters at nothing', () => {
    const counters = none()
    countTrade(counters, trade, { now: micros(100), interval })
    expect(countTrade(counters, trade, { now: micros(110), interval })).toBe(true)
    expect(counters).toEqual({ windowStart: 110, ...trade })
  })

  test('a window starts with a trade, not at the end of the last one', () => {
    const counters = none()
    countTrade(counters, trade, { now: micros(100), interval })
    countTrade(counters, trade, { now: micros(115), interval })
    expect(counters.windowStart).toBe(115)
    expect(countTrade(counters, trade, { now: micros(124), interval })).toBe(false)
  })

  test('both directions add up in quantity and net out in delta and vega', () => {
    const counters = none()
    countTrade(counters, { quantity9: 10, delta9: 10, vega9: 7 }, { now: micros(0), interval })
    countTrade(counters, { quantity9: 10, delta9: -10, vega9: -9 }, { now: micros(1), interval })
    expect(counters).toEqual({ windowStart: 0, quantity9: 20, delta9: 0, vega9: -2 })
  })

  test('counters stop at the largest safe integer', () => {
    const counters = none()
    const most = Number.MAX_SAFE_INTEGER
    for (const now of [0, 1]) {
      countTrade(counters, { quantity9: most, delta9: -most, vega9: 0 }, { now: micros(now), interval })
    }
    expect(counters).toEqual({ windowStart: 0, quantity9: most, delta9: -most, vega9: 0 })
  })

  test('a cleared counter has no window', () => {
    const counters = none()
    countTrade(counters, trade, { now: micros(100), interval })
    clearWindow(counters)
    expect(counters).toEqual(none())
  })
})

describe('limits', () => {
  const traded = { windowStart: micros(0), quantity9: 20, delta9: -5, vega9: 8 }

  test.each([
    ['quantity', { quantity9: 20 }],
    ['delta', { delta9: 5 }],
    ['vega', { vega9: 8 }],
  ] as const)('%s is reached at its value', (trigger, limit) => {
    expect(reachedLimit(traded, { ...unlimited, ...limit })).toBe(trigger)
    const [name = 'quantity9', value = 0] = Object.entries(limit)[0] ?? []
    expect(reachedLimit(traded, { ...unlimited, [name]: value + 1 })).toBeNull()
  })

  test('an unmonitored limit is never reached', () => {
    expect(reachedLimit(traded, unlimited)).toBeNull()
  })

  test('Rule: mmp.limits C38 the first of quantity, delta and vega is reported', () => {
    const limits = { ...unlimited, quantity9: 30, delta9: 1, vega9: 1 }
    expect(reachedLimit(traded, limits)).toBe('delta')
    expect(reachedLimit(traded, { ...limits, quantity9: 1 })).toBe('quantity')
    expect(reachedLimit({ ...traded, delta9: 0 }, limits)).toBe('vega')
  })
})
