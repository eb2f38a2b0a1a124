/** Generated traffic is mostly accepted, keeps every law, and its malformed requests are always refused. */
import { expect, test } from 'vitest'
import {
  type FeedFaultKind,
  faultRule,
  fc,
  malformedRequest,
  marketScenario,
  pricePath,
  recordVenue,
  type TrafficFamily,
  tradeFeed,
  traffic,
  trafficFamilies,
  trafficMarket,
} from '../../../src/testing/index.ts'

const space = { instrument: 'BTC-PERPETUAL', accounts: ['ann', 'bob', 'eve'], price: 50_000, spread: 20, lotsMax: 100 }

test('at least 85 % of whole scenarios at full size are accepted, and every law holds', () => {
  const outcomes = new Map<string, number>()
  const drawn = fc.sample(fc.noShrink(marketScenario()), { numRuns: 60, seed: 47 })
  for (const { market, requests } of drawn) {
    const recorded = recordVenue(market)
    for (const request of requests) {
      const answer = recorded.send(request)
      if (answer === null) continue
      const outcome = answer.ok
        ? 'ok'
        : `${request.method} ${answer.error?.message} ${JSON.stringify(answer.error?.data)}`
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    recorded.checkLaws()
  }
  const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0)
  const refused = [...outcomes].filter(([outcome]) => outcome !== 'ok').sort(([, a], [, b]) => b - a)
  const share = (outcomes.get('ok') ?? 0) / total
  expect(total).toBeGreaterThan(1000)
  expect(share, JSON.stringify(refused.slice(0, 10))).toBeGreaterThanOrEqual(0.85)
})

test('traffic has every family, and only those that were asked for', () => {
  const methods = (families: readonly TrafficFamily[]): Set<string> =>
    new Set(
      fc
        .sample(traffic({ ...space, families }), { numRuns: 30, seed: 1 })
        .flat()
        .map(({ method }) => method),
    )
  const all = methods(trafficFamilies)
  for (const family of trafficFamilies) {
    const own = methods([family])
    expect(own.size, family).toBeGreaterThan(0)
    // Queries are too many for one sample.
    if (family !== 'query') expect([...own].filter((method) => !all.has(method))).toEqual([])
  }
  expect(methods(['wallet'])).toEqual(new Set(['sim/deposit']))
})

test('traffic shrinks to one request of the first account without a wait', () => {
  const failing = fc.check(
    fc.property(traffic(space), (requests) => !requests.some(({ method }) => method === 'private/buy')),
    { seed: 1 },
  )
  expect(failing.counterexample?.[0]).toEqual([
    {
      ...{ after: '0ms', account: 'ann', method: 'private/buy' },
      params: { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 50_000, post_only: false },
    },
  ])
})

test('malformed requests are refused and change no balance', () => {
  const recorded = recordVenue({ ...trafficMarket(space), strict: false })
  fc.assert(
    fc.property(malformedRequest(space), (request) => {
      expect(recorded.send(request)?.ok).toBe(false)
    }),
    { numRuns: 200 },
  )
  recorded.checkLaws()
})

test('price paths, faults and feeds keep to their constraints and shrink to short ones', () => {
  fc.assert(
    fc.property(pricePath({ price: 100, length: 20, moveMax: 10 }), (path) => {
      expect(path.length).toBe(20)
      path.reduce((before, price) => {
        expect(Math.abs(price / before - 1)).toBeLessThanOrEqual(0.010_001)
        return price
      }, 100)
    }),
    { numRuns: 20 },
  )
  const venue = recordVenue(trafficMarket(space))
  for (const rule of fc.sample(faultRule(), { numRuns: 50, seed: 1 })) {
    const params = { faults: [rule] } as never
    expect(venue.send({ account: null, method: 'sim/set_faults', params })?.ok, JSON.stringify(rule)).toBe(true)
  }
  const times = (faults: readonly FeedFaultKind[]): readonly number[][] =>
    fc.sample(tradeFeed({ symbol: 'A', price: 10, start: 1e15, faults }), { numRuns: 30, seed: 1 }).map((text) =>
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',')[2])),
    )
  expect(
    times([])
      .flat()
      .every((time, at, all) => at === 0 || time - (all[at - 1] ?? 0) <= 100_000),
  ).toBe(true)
  expect(times(['gap']).some((rows) => rows.some((time, at) => time - (rows[at - 1] ?? time) === 600_000_000))).toBe(
    true,
  )
  expect(times(['duplicate']).some((rows) => rows.some((time, at) => time === rows[at - 1]))).toBe(true)
  expect(times(['backward']).some((rows) => rows.some((time, at) => time < (rows[at - 1] ?? 0)))).toBe(true)
})

test.each<readonly [string, string, () => unknown]>([
  ['traffic', 'families', () => traffic({ ...space, familys: [] } as never)],
  ['traffic', 'order', () => traffic({ ...space, families: ['orders' as never] })],
  ['trafficMarket', 'accounts', () => trafficMarket({ ...space, acounts: [] } as never)],
  ['malformedRequest', 'price', () => malformedRequest({ ...space, prise: 1 } as never)],
  ['pricePath', 'length', () => pricePath({ price: 1, lenght: 3 } as never)],
  ['tradeFeed', 'faults', () => tradeFeed({ symbol: 'A', price: 1, start: 0, fault: [] } as never)],
  ['marketScenario', 'instruments', () => marketScenario({ instrument: {} } as never)],
])('%s refuses an unknown constraint and suggests %s', (name, meant, call) => {
  expect(call).toThrow(expect.objectContaining({ code: 'OPTION', message: expect.stringContaining(name) }))
  expect(call).toThrow(`did you mean ${meant}?`)
})
