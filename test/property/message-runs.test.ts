/**
 * Law: the loop applies recorded messages in runs, and however a caller cuts these runs, events and samples of equity are
 * those of one message at a time.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLoop, runLoop } from '../../src/backtest/index.ts'
import { MICROS_PER_SECOND, micros } from '../../src/core/index.ts'
import { defaultConfig, type Event, fanOut } from '../../src/model/index.ts'
import type { EquityRecord } from '../../src/results/index.ts'
import { createDesk, ownMethods } from '../../src/rpc/index.ts'
import { createEquitySamples, fundingSink } from '../../src/scenario/run/equity-samples.ts'
import { sampledHooks } from '../../src/scenario/run/run.ts'
import { askedRuns } from '../support/property-runs.ts'
import {
  marketOf,
  type Recorded,
  requestsOf,
  setUpOf,
  start,
  type Wish,
} from '../support/strategy-run.ts'

/** Often at one time, and often on the second. */
const time = fc.nat({ max: 20 }).map((quarters) => quarters * 250_000)

const message: fc.Arbitrary<Recorded> = fc
  .record({
    at: time,
    price: fc.integer({ min: 99_998, max: 100_002 }),
    isBuy: fc.boolean(),
    isPrint: fc.boolean(),
  })
  .map(({ at, price, isBuy, isPrint }) => ({
    at,
    kind: isPrint ? 'trades' : 'book',
    rows: [[isBuy ? 'buy' : 'sell', price, 10]],
  }))

const wish: fc.Arbitrary<Wish> = fc.oneof(
  // Money in a currency that the account has not had is sampled at once.
  fc
    .record({
      at: time,
      account: fc.constantFrom('alice', 'bob', 'carol'),
      currency: fc.constantFrom('USDC', 'USDT', 'EURR', 'SOL', 'XRP'),
    })
    .map(({ at, account, currency }): Wish => {
      return [at, null, 'sim/deposit', { account, currency, amount: 1 }]
    }),
  fc
    .record({ at: time, price: fc.integer({ min: 49_998, max: 50_002 }) })
    .map(({ at, price }): Wish => {
      return [at, 'bob', 'private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 100, price }]
    }),
)

interface Case {
  readonly messages: readonly Recorded[]
  readonly wishes: readonly Wish[]
  readonly every: number | null
}

/** The events and samples of a run that goes on by so many inputs at a time. */
function outcomeOf({ messages, wishes, every }: Case, limits: readonly number[]): unknown {
  const events: Event[] = []
  const rows: EquityRecord[] = []
  const funded = new Map()
  const sink = fanOut([{ emit: (event: Event) => void events.push(event) }, fundingSink(funded)])
  // Marks that follow the index leave few timers, so runs are long.
  const config = { ...defaultConfig(start), marks: 'index' as const }
  const desk = createDesk({ config, controls: true, methods: ownMethods }, sink)
  const samples = createEquitySamples(desk, {
    ...{ every: every === null ? null : micros(every), watchers: [], funded },
    record: (row) => void rows.push({ ...row }),
  })
  const market = marketOf([...messages].sort((left, right) => left.at - right.at))
  const inOrder = [...wishes].sort((left, right) => left[0] - right[0])
  const sources = [requestsOf([...setUpOf(true), ...inOrder])]
  const loop = createLoop(desk, sources, sampledHooks({}, samples, null), { market })
  for (let at = 0; ; at += 1) {
    if (runLoop(loop, limits[at % limits.length] ?? 1) === 'done') return { events, rows }
  }
}

test('runs of messages come to what one message at a time comes to', () => {
  const cases = fc.record({
    messages: fc.array(message, { maxLength: 30 }),
    wishes: fc.array(wish, { maxLength: 10 }),
    every: fc.constantFrom(null, MICROS_PER_SECOND, 700_000),
  })
  const limits = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(cases, limits, (given, cuts) => {
      const single = outcomeOf(given, [1])
      expect(outcomeOf(given, [Number.POSITIVE_INFINITY])).toEqual(single)
      expect(outcomeOf(given, cuts)).toEqual(single)
    }),
    { numRuns: askedRuns(500, 1, 60) },
  )
})
