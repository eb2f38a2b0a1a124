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
  '8ca6cf67306b825f12250c04c58ea576',
  'cdf4147e97ff634f80a5a4861c18ced5',
  '0806f9208565897d1c3c40f208549945',
  '620040533235a6b57174b0d3c92a94cb',
  '4c65d0be7f7443ecaa25a7ff254811a2',
  '000fb9395aff07124a2b00029d3f26e8',
  'ea1b4e494bedfeb3723c6de928f503e2',
  'ab289db1bee1aa8c89eaea5e43e9dfa4',
  '8ac4ba9132073be49e7813caa8899574',
  'd21e544523f487f2ee59bcf201e9b58c',
  'aad8894d86408a0630aa20fb1364f39c',
  'd11e95e3023cb7e1844d6a2ddbbf366a',
  'a81a93ab0b747365e1f799106291e79f',
  '79e9948e8738b046980256aa9cec859c',
  '6bd240d14fa10ff01b103b7ad9995559',
  'a4436440cdcd1da8a453bf9d014c2c12',
  '9cb44aa2020810b485a10a0a8348c565',
  '40e3c68948b30f1d8f1fcbb2addb76d3',
  '801dc4e14b0252cdc8a4882055e1d6c3',
  '7c37805c43750407743a9a0dddcbfd12',
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
