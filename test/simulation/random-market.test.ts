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
  '04c654a50a51f890757dfb0305cd79c9',
  '1dbfe45108ac5e2049e0a59938cbe4f0',
  '6c19861e9be8dfeafe8f091bd6fb17e5',
  '0670e4c862debe9d9b9d72d81efcce19',
  '95f0e25d3858a760675fcd903e202867',
  '03d65d35d8e6fc6319103ed62dd8df83',
  '3ad5cc7987fa3c01e6015c10fc273e69',
  'a36fe4677834f6f176adc8871150e92b',
  '543ad8d71801dd9713841c9c877cc02b',
  '6945222928fa4d17b72e656eb944752a',
  'b00caa59b7508f50d50e20900e4ff531',
  '7ac0335cf9fea489330f991c4ab41919',
  '54501507396c23f3fabb8cb9bb9207f1',
  '8849efa18a5b0307b53a2e95c760e5b0',
  '1322cead3b002691107966495db3c8b9',
  'ce43500c563335363db829784342e277',
  '2a22625bdb471eee18278259870d9b80',
  'c16c31f9442a615e9f22d5a559ee19e4',
  '34354076230cd0c252c27c75c36edf81',
  '0b26bee3dbf5fa6989bdf3ad0df39f14',
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
