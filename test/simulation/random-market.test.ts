/**
 * Seeded random markets: 20 seeds of 1,000 commands, all laws after each twentieth command; where the whole is
 * asked for after each, and 2,000 commands more. The state hash after 1,000 is golden, so that a change of
 * behaviour is seen; a change that is meant is committed with its reason.
 */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../src/core/index.ts'
import { apply, createExchange, stateHash } from '../../src/engine/index.ts'
import type { Command, Event, EventSink } from '../../src/model/index.ts'
import { CommandStream, configOf, everyKind, type World } from '../support/command-stream.ts'
import { Laws } from '../support/laws.ts'
import { isWhole } from '../support/property-runs.ts'

const commandsPerRun = 1000
/** Commands after those, without a golden hash. */
const commandsBeyond = isWhole ? 2000 : 0
/** Commands between two looks at all laws. */
const lawsEvery = isWhole ? 1 : 20

/** State hash after the run of each seed, from 1. */
const golden: readonly string[] = [
  'bef918008c89f22a7088032b9dda10b2',
  '9614ddda82e872d2ed44a97e2c911ba7',
  '71792961547a23a8b5ca76fa9edbe820',
  '1abeb8527cce9aaf8ce2f148dca583a5',
  '4b60c40ddeeaac3316c9bd8c7bafc78c',
  'ad9bc0a311050f6eb3f62fc71871a78a',
  'b2e73f7ec6d6391f365092b53c495fc2',
  '3cf10a01bde492706bbeb11ce2a1605e',
  '6494450eb8c361b58430d704602a5055',
  '17be192dd0e202332ab91ae2f93ec26a',
  '6596fd48ba2cec614fd0a8f1de004c14',
  'a2e3578c140bd88784692430f3110a10',
  '32d2c9130baad5e7e1c47517420f2f5d',
  'e650f6d2e19677e5be2382266cf45199',
  'e215736d2987ec5fe179c55cf69f882b',
  '205bb656dce8b610a8220790215f2fb0',
  '2544b8f797d76e83f306fe39ae41f6b6',
  'ff44da6b39ac6fbc4a7b74aedcf2a653',
  '4962524ac1eae6306ad7809bafb83ad3',
  '7ce06e38dba598c536abc646eb6a42e0',
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
  const send = (): void => {
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
  for (let count = 0; count < commandsPerRun; count += 1) send()
  laws.check(exchange)
  const hash = stateHash(exchange)
  for (let count = 0; count < commandsBeyond; count += 1) send()
  laws.check(exchange)
  return { hash, kinds }
}

describe('random markets', () => {
  const together = new Map<string, number>()

  test.each(Array.from({ length: 20 }, (_, at) => at + 1))('seed %i', (seed) => {
    const { hash, kinds } = run(seed)
    for (const [kind, count] of kinds) together.set(kind, (together.get(kind) ?? 0) + count)
    // Each market does something of everything; one of options and combos trades less.
    expect(kinds.get('trade') ?? 0).toBeGreaterThan(15)
    expect(kinds.get('order_edited') ?? 0).toBeGreaterThan(10)
    expect(kinds.get('order_triggered') ?? 0).toBeGreaterThan(3)
    expect(hash).toBe(golden[seed - 1])
  })

  test('do much of everything together', () => {
    for (const [kind, least] of [
      ...([
        ['trade', 1000],
        ['order_edited', 500],
        ['order_triggered', 400],
      ] as const),
      ...([
        ['order_resized', 100],
        ['position_settled', 150],
        ['funding_accrued', 150],
      ] as const),
      ...([
        ['delivery_price_fixed', 50],
        ['mark_changed', 2500],
      ] as const),
    ]) {
      expect([kind, Math.min(least, together.get(kind) ?? 0)]).toEqual([kind, least])
    }
  })
})
