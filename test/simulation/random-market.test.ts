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
  '6a22015eafa7d355ccda27abce69b0ad',
  '578b316a2eb8a47db74374205e05c5b9',
  '56d12ee871346aae50e783035d05b206',
  'afa3cda682019e2274c6fb99296b306b',
  '7eb3623b8afcd3af531043375ea0f0f0',
  'e10b0bddd3cd14d42574dd0f0cd9cb7f',
  '7d273d0aeff714785870821872145a3c',
  '4cc0fe10949631521df8541bc8c0e1b6',
  'e97478cdb0baff1837e46e8c8cc8bbcb',
  'f770f90a9ad9549f77135acff408cc7b',
  '203372bace6ab7bc433af388a03d8bf0',
  'b0b2669cf79696c9bae6d1b1a3285c98',
  'e850a4da212f1b96c5aae12927a2de03',
  '632e4b35e3b8f0b4647458c08597b9d0',
  '79b724846b6a27ca54e66ca4e87bdbbf',
  '190c26d15abeda9a3d93f92f585e490e',
  '8b5c1a0b8a8b5b44f843fcd3d9d2dc60',
  '7da1a8744c2a3b9b0bec4650ef2f6f46',
  'f6bb9ba629ab4929dd0ac5c296cc7c56',
  'c73a01f542c1b5846f9f9165acc8c663',
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
    feePpm: pick([[1_000_000], [500_000, 1_000_000]]),
    orderLimit: pick([20, 1000]),
    triggerLimit: pick([8, 100]),
    secondaryLimit: pick([8, 100]),
    // Accounts that cannot bear their losses would soon trade no more.
    kinds: everyKind.filter((kind) => kind !== 'loss'),
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
    // Each market does something of everything.
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(40)
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
        ['order_triggered', 1000],
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
