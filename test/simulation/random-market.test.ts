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
  '621dec4c043dd8b9fc55c9709d177ede',
  '55a420fa0e29cf82dcf89a01bd33f039',
  '744a9fb10f67f8b6e47fcfafd0d73fd6',
  '4dd8fa7abcaf70cdeedc2c87766f46bf',
  'aa95a285c1c13afdc2b3d63a7ba83acc',
  'd1d214031e69690b914fa9255d572fa4',
  'c89c574324a62f838db9699cad801f69',
  'b72322120949bbd878d230f6a5d1df53',
  'b353b281b6428ddd4ee1826dff1bb49d',
  '8514c4a77bd8c5733e9b23501704ea87',
  '1776a99988043cdb38799cd817a3f9ec',
  '8dbd3c9d5a61895bd00441c9a437896d',
  '21437e14b121b6b215e9aeaa485fb49f',
  '651995b56854b63d18c997f92ab98345',
  'd1e0bc2e31a3d9ef88a89a97a8999b56',
  '13bca4ebf5ae071d5b2208dcf870f5cf',
  '4ce4de505cddec46e6120d6f2583f77a',
  '9f650520f94fb44f4fd7e7d1e3188761',
  'e82d2fd6bc8fe436d37974da6dd18f0e',
  'b58966455718c6063a6676cfd2b9bb91',
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
