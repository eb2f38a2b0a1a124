/**
 * Faults of messages to strategies: delayed, doubled, lost and reordered messages, in a recorded market of two
 * strategies that share a feed latency.
 */
import { describe, expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { faultCounts, type SaidRule } from '../../../src/faults/index.ts'
import { marketOf, offset, type Recorded, seatOf, strategyRun } from '../../support/strategy-run.ts'

const instrument_name = 'BTC-PERPETUAL'

/** A book whose best bid rises by one tick every millisecond, and trades at the third millisecond. */
const recorded: readonly Recorded[] = [
  ...[1, 2, 3, 4, 5, 6].flatMap((at): Recorded[] => [
    {
      at: at * 1000,
      snapshot: at === 1,
      rows: [['buy', 99_990 + at, 10], ...(at === 1 ? [['sell', 100_010, 10] as const] : [])],
    },
    ...(at === 3
      ? [
          {
            at: 3000,
            kind: 'trades' as const,
            rows: [
              ['buy', 100_010, 1],
              ['sell', 99_993, 2],
            ] as const,
          },
        ]
      : []),
  ]),
]

/** The messages to two strategies, in microseconds from the start. */
function reported(...faults: readonly SaidRule[]): {
  readonly alice: readonly string[]
  readonly bob: readonly string[]
  readonly counts: object
} {
  const logs: { [name: string]: string[] } = { alice: [], bob: [] }
  const reader = (name: string): Strategy => ({
    onBook: (view, venue) => {
      logs[name]?.push(`${offset(venue.now)} bid ${view.bestBid}`)
    },
    onTrade: ({ amount }, venue) => {
      // The strategy reads only messages that have reached it.
      const { bestBid } = venue.view(instrument_name)
      logs[name]?.push(`${offset(venue.now)} trade ${amount} at bid ${bestBid}`)
    },
  })
  const seats = ['alice', 'bob'].map((name) => seatOf(name, reader(name), { feed: 100 }))
  const run = strategyRun({ seats, market: marketOf(recorded), faults, until: 20_000 })
  expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
  const { alice = [], bob = [] } = logs
  return { alice, bob, counts: faultCounts(run.desk.faults) }
}

const bid = (at: number, of = at): string => `${at * 1000 + 100} bid ${(99_990 + of) / 2}`
const trades = (at: number, bidOf: number): string[] =>
  [10, 20].map((amount) => `${at} trade ${amount} at bid ${(99_990 + bidOf) / 2}`)
const plain = [bid(1), bid(2), bid(3), ...trades(3100, 3), bid(4), bid(5), bid(6)]

describe('a strategy with faults, next to one without', () => {
  test('without faults both hear all', () => {
    expect(reported()).toEqual({ alice: plain, bob: plain, counts: [] })
    expect(reported({ kind: 'drop', of: 'notifications', probability: 0 })).toMatchObject({
      alice: plain,
      bob: plain,
    })
  })

  test('a dropped message leaves its book unchanged until the next one', () => {
    const channels = ['book']
    const found = reported({
      kind: 'drop',
      of: 'notifications',
      channels,
      account: 'bob',
      every: 3,
      most: 1,
    })
    expect(found.alice).toEqual(plain)
    expect(found.bob).toEqual([bid(1), bid(2), ...trades(3100, 2), bid(4), bid(5), bid(6)])
    expect(found.counts).toEqual([{ kind: 'drop', of: 'notifications', count: 1 }])
  })

  test('a delayed one is complete when it comes, and says nothing if another came before', () => {
    const late = (by: string): readonly string[] =>
      reported({
        kind: 'delay',
        of: 'notifications',
        channels: ['book'],
        account: 'bob',
        every: 3,
        most: 1,
        by,
      }).bob
    const before = [bid(1), bid(2), ...trades(3100, 2)]
    expect(late('400us')).toEqual([...[...before, '3500 bid 49996.5'], ...[bid(4), bid(5), bid(6)]])
    expect(late('1500us')).toEqual([...before, bid(4), bid(5), bid(6)])
  })

  test('a doubled one comes twice, and late trades come in the order of their delay', () => {
    const twice = reported({
      kind: 'double',
      of: 'notifications',
      channels: ['trades'],
      account: 'bob',
    })
    expect(twice.bob).toEqual([
      ...[bid(1), bid(2), bid(3), ...trades(3100, 3), ...trades(3100, 3)],
      ...[bid(4), bid(5), bid(6)],
    ])
    const late = reported({
      kind: 'delay',
      of: 'notifications',
      channels: ['trades'],
      account: 'bob',
      by: '1ms',
    })
    expect(late.bob).toEqual([bid(1), bid(2), bid(3), ...trades(4100, 3), bid(4), bid(5), bid(6)])
    const swapped = reported({
      kind: 'reorder',
      of: 'notifications',
      channels: ['trades'],
      account: 'bob',
    })
    expect(swapped.bob).toEqual([bid(1), bid(2), bid(3), bid(4), ...trades(4100, 4), bid(5), bid(6)])
  })

  test('a half-open connection carries nothing', () => {
    expect(reported({ kind: 'half_open', account: 'bob' })).toMatchObject({ alice: plain, bob: [] })
  })
})

test('callbacks of requests run once, repeated replies go to onReply, and lost ones never come', () => {
  const heard: string[] = []
  const strategy: Strategy = {
    onStart: (venue) => {
      for (const method of ['private/get_positions', 'private/get_transfers'] as const) {
        venue.request(method, { currency: 'BTC' } as never, () => heard.push(`${method} function`))
      }
    },
    onReply: ({ method }) => {
      heard.push(`${method} onReply`)
    },
  }
  const faults: SaidRule[] = [
    { kind: 'double', of: 'replies', methods: ['private/get_positions'] },
    { kind: 'drop', of: 'replies', methods: ['private/get_transfers'] },
  ]
  const run = strategyRun({ seats: [seatOf('alice', strategy)], faults, until: 10_000 })
  expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
  expect(heard).toEqual(['private/get_positions function', 'private/get_positions onReply'])
  // No callback is pending, so the run can be saved.
  expect(run.loop.seats.map(({ seat }) => seat.functionsWaiting)).toEqual([0])
})
