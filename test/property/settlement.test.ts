/**
 * Law: value is conserved to the last unit over many days. Twelve accounts trade inverse and linear perpetuals and
 * futures with daily expiries for thirty days: funding runs, every 08:00 settles and delivers, accounts go bankrupt.
 * After every command all laws of `laws.ts` are checked.
 *
 * PITCLOCK_RUNS sets the number of runs, PITCLOCK_SEED (a number, or `random`) their first seed. A failure is not
 * shrunk, because months are long; `agreement.test.ts` shrinks disagreements with the naive exchange.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Command, Event } from '../../src/model/index.ts'
import { CommandStream, exchangeOf, type Intent, intentArbitrary, type World } from '../support/command-stream.ts'
import { start } from '../support/command-world.ts'
import { applyLawfully, Laws } from '../support/laws.ts'
import { askedRuns, askedSeed, unreached } from '../support/property-runs.ts'

/** Ten runs of this seed reach every situation that the end of the test requires. */
const seed = askedSeed(3)
const runs = askedRuns(2000, 200, 200)
const day = 86_400_000_000
const days = 30

/** Positions, prices and days; orders and their fills are a third of it. */
const kinds: World['kinds'] = [
  ...(['limit', 'limit', 'taker', 'taker', 'market', 'day', 'reduce', 'stop', 'cancel'] as const),
  ...(['index', 'index', 'index', 'index', 'mark', 'give', 'give', 'loss', 'deposit'] as const),
  ...(['wait', 'wait', 'session', 'session', 'session', 'state', 'query', 'list'] as const),
]

const worldArbitrary: fc.Arbitrary<World> = fc.record({
  // Perpetuals of both payoffs, futures of two currencies, a pair whose currencies they settle in.
  instruments: fc.constantFrom([0, 3, 6], [1, 13, 12], [0, 1, 4], [9, 10, 11]),
  accounts: fc.constant(12),
  subaccounts: fc.constantFrom(0, 3),
  rich: fc.boolean(),
  unknownIndex: fc.constant(false),
  selfMatch: fc.constantFrom('reject_taker', 'cancel_maker', 'off'),
  priceBands: fc.boolean(),
  bookEvents: fc.constant(false),
  marks: fc.constantFrom('venue', 'venue', 'index'),
  longestWait: fc.constant(40),
  fund: fc.constantFrom('1000000', '1', '0.00000001', '0'),
  settlementTime: fc.constantFrom(0, 0, 50_000),
  listedFutures: fc.constantFrom(['BTC'], ['BTC_USDC'], ['ETH']),
  liquidations: fc.constant(false),
  models: fc.constant(['segregated_sm'] as const),
  feePpm: fc.constantFrom([1_000_000], [0, 333_333, 1_000_000]),
  orderLimit: fc.constant(1000),
  triggerLimit: fc.constant(100),
  secondaryLimit: fc.constant(100),
  kinds: fc.constant(kinds),
  spread: fc.constantFrom(3, 200),
  scale: fc.constantFrom(1, 100),
  skipsAll: fc.boolean(),
})

/** Runs the intents and then day after day until the month is over. */
function runDays(world: World, intents: readonly Intent[], see: (event: Event) => void): void {
  const stream = new CommandStream(world)
  const laws = new Laws()
  const opening = {
    emit(event: Event): void {
      laws.emit(event)
      stream.observe(event)
    },
  }
  const exchange = exchangeOf(world, opening)
  const step = (command: Command): void => {
    const events = applyLawfully(exchange, command, laws)
    for (const event of events) {
      stream.observe(event)
      see(event)
    }
  }
  for (const command of stream.opening()) step(command)
  for (const intent of intents) step(stream.next(intent))
  const last: Intent = {
    ...{ kind: kinds.indexOf('session'), who: 0, where: 0, buys: true, offset: 1, size: 1 },
    ...{ pick: 1, detail: 2 },
  }
  while (stream.time < start + days * day) step(stream.next(last))
}

test('many accounts, many days: gains and losses sum to zero', { timeout: 300_000 }, () => {
  const seen = new Map<string, number>()
  const see = (event: Event): void => {
    const word = 'type' in event ? `${event.kind} ${event.type}` : event.kind
    seen.set(word, (seen.get(word) ?? 0) + 1)
  }
  const intents = fc.array(intentArbitrary, { minLength: 100, maxLength: 400, size: 'max' })
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      runDays(world, steps, see)
    }),
    { numRuns: runs, endOnFailure: true, ...seed },
  )
  const words = [
    ...['settlement settlement', 'settlement delivery', 'funding'],
    ...['instrument_settlement settlement', 'instrument_settlement delivery', 'delivery_price'],
    ...['instrument', 'bankruptcy', 'shared_loss', 'currency_bankruptcy'],
  ]
  expect(unreached(words, seen)).toEqual([])
})
