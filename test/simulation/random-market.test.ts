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
  'c57e00b9a5351c33de70ab351eade02e',
  'eeb739a1c775b4e2c5bfef2ad70903e7',
  '6bd3b2c5678bd5904062a550f8311f20',
  'fc4e0ec74f5939a7d91192c4e3d34f54',
  'b1238da540f2b9ff4805b5bff9e7040d',
  '76cd32d0405f70731e479b009e7b7179',
  'ce235039f2121edd9eca8df07d37ddb9',
  'd2e2fff2678b227d6d2698489070b8ed',
  'b10a767da180e923e6d83d5676a1bc22',
  '58848831095ebebf13258e57842baf29',
  '857289ebd2d99f50dbb888f9cbfcae3c',
  '1de43ce2a9fabbed8323edc8179aaaad',
  '2e1ab27c27d66e142bd19f465cced02c',
  'a14d53116d87e3a7a389b44ebcc35fb8',
  'a5f22c67135be4aa1c5b83170214d04d',
  '1f1aecf7bf9dceaf4160c7f614a89ded',
  '8ae8fc904139de372195f2ab6bedb9f0',
  'e77c263d97f43ac73c1054e061559be4',
  'ba7008bda318c73cd964a9ef94bd7d65',
  '0ab1d5c68f7d33f17a9106e2543b1c95',
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
