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
  '17ba16d74527cb8cab4767d369af97cb',
  '0fe0c54c3cb128326bef143a2718c412',
  '2e74f20a68651669a7873075eba749a7',
  '7987ff004f2f8530630e29f9bf2f2cb8',
  'bc2a431e97347fe24bb19a8395f98257',
  '55d79a09a243bee2629dcbe03f0a9e8a',
  '9ce51662f6f220587c2a45b3ae925df4',
  '5396feb1db5696a87a47e2ec45e8c201',
  '9a09f565df68da7f6b20646bc00e8d38',
  '0a15936adde00ce2dfd793dcef79bfb6',
  '41ae02fdec2dea9b4708201f098c4e90',
  '40d92101fbebc42b4d8a5d3f9580754c',
  '42de547b3d3c7ccae45e71011ce53dfb',
  '5ff89e995d355e40d336f52f61a4bd8d',
  'a6066152cd12d683da186d80748ea33f',
  '42eb780f5e5e2fb0c01110ad51aa283e',
  'b4387c3628e41aa8107767bbdcd3fb48',
  'da9f4c3b83852579367fb1f38315a23d',
  '26b20ca681381804ffa9031cf3372706',
  'bd1be38c24e4057a6aeeb167ceb58623',
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
