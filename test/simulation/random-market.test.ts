/**
 * Seeded random markets: 20 seeds of 2,000 commands, with all laws checked after each command. `npm test` runs four of
 * the seeds and checks the laws after every twentieth command. The final state hash of each seed is golden, so a change
 * of behaviour fails the test; the commit of an intended change gives the reason.
 */

import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { apply, stateHash } from '../../src/engine/index.ts'
import type { Command, Event, EventSink } from '../../src/model/index.ts'
import { CommandStream, everyKind, exchangeOf, type World } from '../support/command-stream.ts'
import { wordOf } from '../support/event-words.ts'
import { Laws } from '../support/laws.ts'
import { isWhole, sampledNumbers } from '../support/property-runs.ts'

const commandsPerRun = 2000
/** Commands between two checks of all laws. */
const lawsEvery = isWhole ? 1 : 20

/** State hash after the run of each seed, from 1 on. */
const golden: readonly string[] = [
  'bef1bee930bb95bec1cda130c9c6165f',
  '41af929f6fb3eb27a6b71ea653320a04',
  '64eb1c4e151157872aa1e08ee1719a80',
  '98ceb02d28cdd4b0312a05dbb59229de',
  '4fb0235776581bec28ec3a8e2c39bdda',
  '6dff80fd760f1bb9e9d33cabbbdbdb94',
  '6e0a416f08a7da9c00780dcefa7c503f',
  '907b4fe012b29ca1ae4c9cad751e934c',
  'a3fb48f74969d27c9617aeaecf84f7b6',
  '31eff8e6d29dc5145d1d0ccbd13c3ce6',
  '6039ebfe519af3ce03cf848c7b381971',
  '614f850a808a50a9300a46f0216f47ed',
  '440efb1e5dd1a637e8c98bdd7ad82d41',
  'd8cde7ea80b0ad9881e7096ee93d9494',
  '1a1a4d2c68810c461fce949ccfb262e7',
  '857e64e6fa99d81b1db92f4355f56069',
  '6c78b8109535f923d782e2c8176df1d8',
  '3400df6105a556c12efda3ee97572b42',
  'fc2ca36bddef3d8cc1dc82dcde183cb3',
  'aa34d147268872535d57ff2289381d91',
]

function worldOf(seed: number): World {
  const random = randomStream(seed, 'world')
  const pick = <T>(choices: readonly [T, ...T[]]): T => choices[random.int(0, choices.length - 1)] ?? choices[0]
  return {
    instruments: pick([
      [0, 1, 6],
      [0, 3, 4],
      [2, 5, 7],
      [0, 2],
      [6, 7],
      [8, 1, 6],
      [0, 9, 11],
      [10, 12, 13],
    ]),
    accounts: random.int(2, 4),
    subaccounts: random.int(0, 2),
    rich: random.int(0, 3) > 0,
    unknownIndex: random.int(0, 7) === 0,
    selfMatch: pick(['reject_taker', 'reject_taker', 'cancel_maker', 'off']),
    priceBands: random.int(0, 4) > 0,
    bookEvents: random.int(0, 1) === 0,
    marks: pick(['index', 'venue']),
    longestWait: 1,
    fund: pick(['1000000', '1', '0']),
    settlementTime: pick([0, 0, 5_000_000]),
    listedFutures: [],
    liquidations: false,
    models: ['segregated_sm'],
    feePpm: pick([[1_000_000], [500_000, 1_000_000]]),
    orderLimit: pick([20, 1000]),
    triggerLimit: pick([8, 100]),
    secondaryLimit: pick([8, 100]),
    // Accounts with losses beyond their equity, and participants of the programme, would soon stop trading.
    kinds: everyKind.filter((kind) => kind !== 'loss' && kind !== 'participant'),
    spread: pick([1, 3, 10]),
    scale: pick([1, 100]),
    skipsAll: seed % 2 === 0,
  }
}

function run(seed: number): { readonly hash: string; readonly kinds: ReadonlyMap<string, number> } {
  const world = worldOf(seed)
  const random = randomStream(seed, 'intents')
  const stream = new CommandStream(world)
  const laws = new Laws()
  const kinds = new Map<string, number>()
  const sink: EventSink = {
    emit(event: Event) {
      laws.emit(event)
      stream.observe(event)
      kinds.set(wordOf(event), (kinds.get(wordOf(event)) ?? 0) + 1)
    },
  }
  const exchange = exchangeOf(world, sink)
  let steps = 0
  const step = (command: Command): void => {
    apply(exchange, command, sink)
    steps += 1
    if (steps % lawsEvery === 0) laws.check(exchange)
  }
  for (const command of stream.opening()) step(command)
  for (let count = 0; count < commandsPerRun; count += 1) {
    const intent = {
      kind: random.int(0, 1000),
      who: random.int(0, 3),
      where: random.int(0, 23),
      buys: random.int(0, 1) === 0,
      offset: random.int(-6, 6),
      size: random.int(1, 12),
      pick: random.int(0, 100_000),
      detail: random.int(0, 100_000_000),
    }
    step(stream.next(intent))
  }
  laws.check(exchange)
  return { hash: stateHash(exchange), kinds }
}

describe('random markets', () => {
  const together = new Map<string, number>()

  test.each(sampledNumbers(golden.length, 2))('seed %i', (seed) => {
    const { hash, kinds } = run(seed)
    for (const [kind, count] of kinds) together.set(kind, (together.get(kind) ?? 0) + count)
    // Each market uses every kind of action; a market of options and combos trades less.
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(30)
    expect(kinds.get('order edited') ?? 0).toBeGreaterThan(20)
    expect(kinds.get('order triggered') ?? 0).toBeGreaterThan(10)
    expect(kinds.get('order resized') ?? 0).toBeGreaterThan(0)
    expect(hash).toBe(golden[seed - 1])
  })

  // A sample of the markets may miss some kinds.
  if (!isWhole) return
  test('reach every kind of action many times together', () => {
    for (const [kind, least] of [
      ...([
        ['trade', 2000],
        ['order edited', 1000],
        ['order triggered', 800],
      ] as const),
      ...([
        ['order resized', 200],
        ['settlement', 300],
        ['funding', 300],
      ] as const),
      ...([
        ['delivery_price', 100],
        ['mark', 5000],
      ] as const),
    ]) {
      expect([kind, Math.min(least, together.get(kind) ?? 0)]).toEqual([kind, least])
    }
  })
})
