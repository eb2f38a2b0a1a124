/**
 * Seeded random markets: 20 seeds of 2,000 commands, all laws after each command; `npm test` runs four of the seeds, with all
 * laws after each twentieth command. The state hash at the end of each is golden, so that a change of behaviour is
 * seen; a change that is meant is committed with its reason.
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
/** Commands between two looks at all laws. */
const lawsEvery = isWhole ? 1 : 20

/** State hash after the run of each seed, from 1. */
const golden: readonly string[] = [
  'e583791fe7a5bbabaa53520489b5fceb',
  '74a6b94baf2ef3946934ba6feb4aa0c2',
  '6cb66bb54c06b53dc60163c453af5eee',
  'aa8823cbf4cb7837b4ecca1cc8eb0e7c',
  '503c6d0b6a93a4cd097b40a0a1c875b7',
  'fb2bef26fd43018e5f2c3dc73944d037',
  '4de891151217b24ee2693be7d67eb82f',
  '37fa761ef377cc71ad3ff0fcdacca681',
  '0f40f511f053629d50297b7c4233d8a7',
  'e9abd372085ac48c8e5d37bc961ec7f1',
  '0f938f11289227334fb22f2c831e3738',
  '2611af75a1c3ffdff246a281b1244490',
  '5400dde3e1715e5edbc46fec923836a6',
  '1e8c32e4067e7aeebd6d52e10da46b5f',
  '08a6ce3b2bf8d33cc1c3faca9daa0e82',
  'd8b36d37dae78e7f79df9e84a6c8cf68',
  'c26d121e3c5717bc06a2f6c7618b6f1b',
  '8927fa4e12c6b1af791846be8482256c',
  '53e3d388e11d2c53ce4e6a53bca2ef86',
  'c56b7ce36daeff17bc7586314e6f77bd',
]

function worldOf(seed: number): World {
  const random = randomStream(seed, 'world')
  const pick = <T>(choices: readonly [T, ...T[]]): T =>
    choices[random.int(0, choices.length - 1)] ?? choices[0]
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
    // Accounts that cannot bear their losses, and participants of the programme, would soon trade no more.
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

  test.each(sampledNumbers(golden.length, 4))('seed %i', (seed) => {
    const { hash, kinds } = run(seed)
    for (const [kind, count] of kinds) together.set(kind, (together.get(kind) ?? 0) + count)
    // Each market does something of everything; one of options and combos trades less.
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(30)
    expect(kinds.get('order edited') ?? 0).toBeGreaterThan(20)
    expect(kinds.get('order triggered') ?? 0).toBeGreaterThan(10)
    expect(kinds.get('order resized') ?? 0).toBeGreaterThan(0)
    expect(hash).toBe(golden[seed - 1])
  })

  // Few of the markets need not reach everything.
  if (!isWhole) return
  test('do much of everything together', () => {
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
