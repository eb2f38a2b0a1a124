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
  '352ba327b9b4858ef751470c167d0915',
  '64cc3a3e90185d5e94b86893d61e1a29',
  'f2b0c0e4b731d1f5abe4af04e44bdd85',
  '5b3a3542658151247af6ece80c11091b',
  'f41fad52aeac079b2c6fd79d055bdd71',
  'dd7d7536242feb67a03c8fbc1713b43d',
  '1c17e009030bc44d9fad3a653efa8b08',
  '9a0df75d4db208eace245d7ebcd2fc8a',
  'b3b9430dde1088729a11d5961bce0dd0',
  '435007fd3f00d0c71753e1ecf8d6cddd',
  '2f043669644812e8484d31b7a0f53dfb',
  '4139073a2d68972783ca726da22ff317',
  'f13c254f815b060eacb0b271f5d24596',
  '0c4c1361c076fed23e4e0c40d27d161c',
  'c946fb65ec9ce3e5f439229cb7aeca4f',
  '48de1b58e6bbca37ba25b6ffce615615',
  '0a75dcde266b5f1bb732a9b45289a7f3',
  '79c4941ac7ddd6722e5ad20ea2429ca2',
  '15c5b0a16ac61fe943e1bda8e4d76de8',
  '647e87244934124a839c3a746f2d149e',
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
    ]),
    accounts: random.int(2, 4),
    subaccounts: random.int(0, 2),
    rich: random.int(0, 3) > 0,
    unknownIndex: random.int(0, 7) === 0,
    selfMatch: pick(['reject_taker', 'reject_taker', 'cancel_maker', 'off']),
    priceBands: random.int(0, 4) > 0,
    bookEvents: random.int(0, 1) === 0,
    orderLimit: pick([20, 1000]),
    triggerLimit: pick([8, 100]),
    secondaryLimit: pick([8, 100]),
    kinds: everyKind,
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
      where: random.int(0, 2),
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
  test.each(Array.from({ length: 20 }, (_, at) => at + 1))('seed %i', (seed) => {
    const { hash, kinds } = run(seed)
    // Each market does much of everything.
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(100)
    expect(kinds.get('order_edited') ?? 0).toBeGreaterThan(40)
    expect(kinds.get('order_triggered') ?? 0).toBeGreaterThan(50)
    expect(kinds.get('order_resized') ?? 0).toBeGreaterThan(1)
    expect(hash).toBe(golden[seed - 1])
  })
})
