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
  '0ebe39a7d21acf2efc2b50c80665c92d',
  '1bde5455013d74de37104bc8a73349a2',
  'f1674090c4be4962029cfcbf858a1473',
  'e71ed1c25066d42b0f7c1833f5c33847',
  'e6a79c11eb5df624f99b2958f10470ed',
  'd472a3761a44b5eeafc842b33c55959f',
  '8f06db10e36dff1fef546a59839ab28c',
  'e09b970946b171741aa1ac392367b51d',
  '56783a754c8d9069c80086834e5f82a7',
  '914dd095d9955297f7aed0e6dfa75f70',
  '55e3fc94431a6d7b3b19164eacfa4ea9',
  'b3d8650a13eff2c61675768d53cb5891',
  '2cbf92b88819d870b6e4a17bc937cf2e',
  '9f8a59bd8582778d54481b3bf61dbd33',
  '3f67ba12ea474ad90b5051223475b270',
  '86b782f3387e6a988c212a295d63d240',
  'a1635f6444b156bbc97fcf4e6a29cfc3',
  'ba40333ddfc5733fd319a953b45190ff',
  '78e6c5c27f32435ec109dab3087bc6c0',
  '518cd0a08f17b1f1c461e38c635bdc67',
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
    ]),
    accounts: random.int(2, 4),
    rich: random.int(0, 3) > 0,
    selfMatch: pick(['reject_taker', 'reject_taker', 'cancel_maker', 'off']),
    priceBands: random.int(0, 4) > 0,
    bookEvents: random.int(0, 1) === 0,
    orderLimit: pick([20, 1000]),
    kinds: everyKind,
    spread: pick([1, 3, 10]),
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
    }
    step(stream.next(intent))
  }
  return { hash: stateHash(exchange), kinds }
}

describe('random markets', () => {
  test.each(Array.from({ length: 20 }, (_, at) => at + 1))('seed %i', (seed) => {
    const { hash, kinds } = run(seed)
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(50)
    expect(hash).toBe(golden[seed - 1])
  })
})
