/**
 * Seeded random markets: 20 seeds of 2,000 commands, all laws after each twentieth command, or after each
 * where the whole is asked for. The state hash at the end of each is golden, so that a change of behaviour is
 * seen; a change that is meant is committed with its reason.
 */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { apply, createExchange, stateHash } from '../../src/engine/index.ts'
import type { Command, Event, EventSink } from '../../src/model/index.ts'
import { CommandStream, configOf, everyKind, type World } from '../support/command-stream.ts'
import { Laws } from '../support/laws.ts'
import { isWhole } from '../support/property-runs.ts'

const commandsPerRun = 2000
/** Commands between two looks at all laws. */
const lawsEvery = isWhole ? 1 : 20

/** State hash after the run of each seed, from 1. */
const golden: readonly string[] = [
  'f59383220f25746a4db1ab4b06e0953c',
  'bdb36917e8a9c1190b9de5d09893b946',
  '8a12c4c1ce886112c04b2723b8378b3a',
  'a4cec8c4b6d6f0a36eee65c35e1ce30f',
  '10e7c883c3bce545b47ab3367fe6fbfd',
  '4fe25fa63410d180f291115647f62fc2',
  'a23e09e93589851a48258169993f637d',
  '2b7d067db0e6828280bd7ac884cfc09b',
  '3e39047124932091224243e239ec2ab1',
  'a1e00249f4d22101253ed0fce228bf88',
  'a63fd796bf240fa898729ec2413357ef',
  '48e26b446968ddfd6ac7a97fe49ae5fb',
  '126d15788c6384f6600e0f002720a074',
  '7a02b78f7fb1eb73325f7162fe17d8ca',
  '59c94f3959f2e6cf8024b5a521577f5f',
  'cce249c2c505b7320081aaf21aa08613',
  '92d38d82f3d05249cab27f07d815d99d',
  '1237baf5719e3c9ab8b49681e42153aa',
  '3040c8d5808b47307c6792e96d384b26',
  'c5066bfa7f827aa560d0f3d43b50c001',
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
      kinds.set(event.kind, (kinds.get(event.kind) ?? 0) + 1)
    },
  }
  const exchange = createExchange(configOf(world), sink)
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

  test.each(Array.from({ length: 20 }, (_, at) => at + 1))('seed %i', (seed) => {
    const { hash, kinds } = run(seed)
    for (const [kind, count] of kinds) together.set(kind, (together.get(kind) ?? 0) + count)
    // Each market does something of everything; one of options and combos trades less.
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(30)
    expect(kinds.get('order_edited') ?? 0).toBeGreaterThan(20)
    expect(kinds.get('order_triggered') ?? 0).toBeGreaterThan(10)
    expect(kinds.get('order_resized') ?? 0).toBeGreaterThan(0)
    expect(hash).toBe(golden[seed - 1])
  })

  test('do much of everything together', () => {
    for (const [kind, least] of [
      ...([
        ['trade', 2000],
        ['order_edited', 1000],
        ['order_triggered', 800],
      ] as const),
      ...([
        ['order_resized', 200],
        ['position_settled', 300],
        ['funding_accrued', 300],
      ] as const),
      ...([
        ['delivery_price_fixed', 100],
        ['mark_changed', 5000],
      ] as const),
    ]) {
      expect([kind, Math.min(least, together.get(kind) ?? 0)]).toEqual([kind, least])
    }
  })
})
