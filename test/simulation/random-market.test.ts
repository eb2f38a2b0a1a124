/**
 * Seeded random markets: 20 seeds of 2,000 commands, all laws after each command. The state hash at
 * the end of each is golden, so that a change of behaviour is seen; a change that is meant is
 * committed with its reason.
 */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { apply, createExchange, stateHash } from '../../src/engine/index.ts'
import type { Command, Event, EventSink } from '../../src/model/index.ts'
import { CommandStream, configOf, everyKind, type World } from '../support/command-stream.ts'
import { Laws } from '../support/laws.ts'

const commandsPerRun = 2000

/** State hash after the run of each seed, from 1. */
const golden: readonly string[] = [
  '27e92303458080db1aead0641046ab90',
  'e55f6ff5ddd43c26da57f9d801aa1880',
  'ec21c218d9f87a8ba231fd550589e6d5',
  'a52e27d016fec3899c0ce0f6d70e6c27',
  '36d2c07e4aa48297928658059fa1fb50',
  '14082153360cecc62eddcdeeb6e0b5ff',
  '61ce31b2bafbd8f95376149125bc0bcf',
  'fccd2d7dfd91097a5f1ccc9a604ab978',
  '77baf02e7a91172b52b121a0dcb6351f',
  'e0de57c00db9bb0f7c26a322e1b2d90f',
  '918bc6ae70e85f6de6a8938c1772a77e',
  '61097757701372ccab17c6a92c29173f',
  '10555f0b983ab7b8f72da5ffd5f52645',
  '8337e4d4e5eef5ec819ac226bd4359b8',
  '290af84b6942f6ebcbacf5abf6e2dabb',
  '267a3f7879242cc09c07ae1ea5c45523',
  '38540068c1e0e4b321a0f586cd391abc',
  '2eab6f213e92646b9740ec9deaaf0a27',
  '427f2222d58015d693a9a190caf62143',
  'cff786ecc6136e82c08e10f486e8fc6c',
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
  const step = (command: Command): void => {
    apply(exchange, command, sink)
    laws.check(exchange)
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
