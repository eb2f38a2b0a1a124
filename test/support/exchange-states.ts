/** States of an exchange after random runs, for laws about all parts of a state. */
import fc from 'fast-check'
import { micros } from '../../src/core/index.ts'
import { apply, type Exchange, restore, snapshot } from '../../src/engine/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { createDesk, submit } from '../../src/rpc/index.ts'
import { CommandStream, everyKind, exchangeOf, intentArbitrary, type World } from './command-stream.ts'
import { intentArbitrary as protectionIntents } from './protection-intents.ts'
import { runProtections } from './protection-run.ts'
import { headScenario } from './protection-world.ts'
import { ReplayMarket } from './replay-market.ts'

const nothing = { emit: (): void => undefined }

const busyWorld: World = {
  instruments: [15, 16, 20, 0, 2, 6],
  accounts: 4,
  subaccounts: 1,
  rich: true,
  unknownIndex: false,
  selfMatch: 'off',
  priceBands: true,
  bookEvents: true,
  marks: 'venue',
  longestWait: 1,
  fund: '1',
  settlementTime: 300,
  listedFutures: ['ETH'],
  liquidations: true,
  models: ['cross_pm', 'cross_sm', 'segregated_sm', 'segregated_pm'],
  feePpm: [1_000_000],
  orderLimit: 1000,
  triggerLimit: 100,
  secondaryLimit: 100,
  kinds: everyKind.filter((kind) => !['loss', 'cancel_all'].includes(kind)),
  spread: 3,
  scale: 100,
  skipsAll: false,
}

/** Orders of every kind, options, combos, transfers, settlements and liquidations. */
function traded(seed: number, count: number): Exchange {
  const stream = new CommandStream(busyWorld)
  const sink = { emit: (event: Event): void => stream.observe(event) }
  const exchange = exchangeOf(busyWorld, sink)
  for (const command of stream.opening()) apply(exchange, command, sink)
  for (const intent of fc.sample(intentArbitrary, { seed, numRuns: count })) {
    apply(exchange, stream.next(intent), sink)
  }
  return exchange
}

/** Sessions, groups, quotes and rate limits, at the moment when most requests wait behind the speed bump. */
export function protectedMarket(seed: number): Exchange {
  const { sent } = runProtections(fc.sample(protectionIntents, { seed, numRuns: 70 }))
  let best: Uint8Array | undefined
  let most = -1
  const { config: settings, setup, start } = headScenario()
  const { exchange, ...desk } = createDesk({ config: settings, controls: true, methods: venueMethods }, nothing)
  const whole = { ...desk, exchange }
  for (const { method, account, params } of setup) {
    submit(whole, { time: start, method, params, account, session: 0 }, null)
  }
  for (const { method, account, session, params, at } of sent) {
    submit(whole, { time: micros(start + at), method, params, account, session }, null)
    const waiting = exchange.heldRequests.size * 4 + exchange.bumps.size + exchange.slots.used
    if (waiting <= most) continue
    most = waiting
    best = snapshot(exchange)
  }
  const found = best === undefined ? undefined : restore(best)
  if (found === undefined || !found.ok) throw new Error('a run has requests')
  return found.value
}

/** Recorded levels, partly filled, with orders in their queues. */
function recorded(): Exchange {
  const market = new ReplayMarket()
  market.report(
    'book',
    [
      ['buy', 99_990, 500],
      ['buy', 99_980, 700],
      ['sell', 100_010, 400],
      ['sell', 100_020, 90],
    ],
    { snapshot: true },
  )
  market.order('own', { side: 'buy', lots: 50, price: 99_990 })
  market.order('other', { side: 'sell', lots: 60, price: 99_990 })
  market.order('own', { side: 'buy', lots: 30, price: 100_010 })
  return market.exchange
}

/** Delivered options. */
function delivered(): Exchange {
  const venue = openVenue({
    start: '2026-01-06T07:00:00Z',
    instruments: ['BTC-6JAN26-100000-P', 'BTC-6JAN26-100000-C', 'BTC-6JAN26', 'BTC-30JAN26-90000-C'],
    index: { btc_usd: 90_000 },
    accounts: { alice: { BTC: 10 } },
  })
  venue.at('2026-01-06T09:00:00Z')
  venue.as('alice').request('public/get_time', {})
  return venue.exchange
}

/** All states by name. */
export const states: readonly (readonly [string, () => Exchange])[] = [
  ['orders, options and combos', () => traded(5, 150)],
  ['liquidations and settlements', () => traded(11, 120)],
  ['protections', () => protectedMarket(3)],
  ['recorded levels', recorded],
  ['delivered options', delivered],
]
