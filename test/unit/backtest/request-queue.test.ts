/**
 * The queue of requests that a latency creates: depth, lock time, withdrawal and overtaking, each by the codes of the
 * replies.
 *
 * Source: trading.md 3 (C05), 4.5; coverage R43.
 */
import { describe, expect, test } from 'vitest'
import {
  runLoop,
  type Strategy,
  type StrategyMethod,
  type StrategyVenue,
  type TimedRequest,
} from '../../../src/backtest/index.ts'
import type { RequestParams } from '../../../src/rpc/index.ts'
import { decodeJournal, encodeJournalRequest } from '../../../src/scenario/journal.ts'
import { offset, type RunWords, type StrategyRun, seatOf, strategyRun } from '../../support/strategy-run.ts'

const btc = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_000 }
const eth = { instrument_name: 'ETH-PERPETUAL', amount: 10, price: 1_950 }
const full = 10_047
const late = 10_050
const withdrawn = 13_666
const overtaken = 13_777

/** A request at microseconds after the start. */
type Sent = readonly [at: number, method: StrategyMethod, params: RequestParams]

/** Codes of the replies by request, 0 for successful ones, and the times of the replies. */
interface Answers extends StrategyRun {
  readonly codes: readonly number[]
  readonly times: readonly number[]
  readonly handed: readonly TimedRequest[]
}

/** Sends the listed requests in order from the account of alice. */
function answers(sent: readonly Sent[], { entry, ...words }: { readonly entry: number } & Partial<RunWords>): Answers {
  const codes: number[] = []
  const times: number[] = []
  const handed: TimedRequest[] = []
  const strategy: Strategy = {
    onStart: (venue) => {
      for (const at of new Set(sent.map(([time]) => time))) venue.setTimer(String(at), at)
    },
    onTimer: (name, venue) => {
      for (const [at, method, params] of sent) {
        if (String(at) === name) request(venue, method, params)
      }
    },
    onReply: (reply, venue) => {
      codes[reply.request - 1] = reply.ok ? 0 : reply.error.code
      times[reply.request - 1] = offset(venue.now)
    },
  }
  const run = strategyRun({
    seats: [seatOf('alice', strategy, { entry, response: 7 })],
    hooks: { onRequest: (taken) => handed.push(taken) },
    until: 60_000_000,
    ...words,
  })
  expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
  return { ...run, codes, times, handed }
}

/** A request in the form of an untyped program. */
function request(venue: StrategyVenue, method: StrategyMethod, params: RequestParams): void {
  venue.request(method, params as never)
}

function buys(times: number, params: RequestParams = btc, at = 0): Sent[] {
  return Array.from({ length: times }, (): Sent => [at, 'private/buy', params])
}

const places = (count: number): number[] => new Array<number>(count).fill(0)

describe('depth', () => {
  test('D06 the ninth request of a currency that waits is 10047, another currency has its own queue', () => {
    const { codes, times } = answers([...buys(10), ...buys(3, eth)], { entry: 50 })
    expect(codes).toEqual([...places(8), full, full, 0, 0, 0])
    expect(new Set(times)).toEqual(new Set([57]))
  })

  test('D06 a place is free once the exchange has taken its request, to the microsecond', () => {
    const sent = [...buys(8), ...buys(1, btc, 49), ...buys(1, btc, 50)]
    expect(answers(sent, { entry: 50 }).codes).toEqual([...places(8), full, 0])
  })

  test('D06 a refused request holds no place', () => {
    const sent = [...buys(8), ...buys(5, btc, 10), ...buys(8, btc, 50)]
    const refused = new Array<number>(5).fill(full)
    expect(answers(sent, { entry: 50 }).codes).toEqual([...places(8), ...refused, ...places(8)])
  })

  test('D06 all requests for the matching engine share the queue, queries and unreadable ones do not', () => {
    const sent: Sent[] = [
      [0, 'private/get_positions', { currency: 'BTC' }],
      [0, 'private/buy', { ...btc, price: 'low' }],
      [0, 'private/buy', { ...btc, instrument_name: 'BTC-NOTHING' }],
      [0, 'private/close_position', { instrument_name: 'BTC-PERPETUAL', type: 'market' }],
      [0, 'private/cancel', { order_id: '77' }],
      [0, 'private/cancel', { order_id: 'SLIB-77' }],
      [0, 'private/cancel_all_by_instrument', { instrument_name: 'BTC-PERPETUAL' }],
      [0, 'private/cancel_all_by_currency', { currency: 'BTC' }],
      [0, 'private/edit', { order_id: '77', amount: 10, price: 49_000 }],
      ...buys(2),
      [0, 'private/buy', btc],
      [0, 'private/cancel', { order_id: '78' }],
      [0, 'private/cancel', { order_id: 'ETH-78' }],
      [0, 'private/get_positions', { currency: 'BTC' }],
    ]
    const { codes } = answers(sent, { entry: 50 })
    expect(codes.slice(-5)).toEqual([0, full, full, 10_004, 0])
    expect(codes.slice(0, -4)).not.toContain(full)
  })

  test('D06 nothing waits without entry latency', () => {
    const sent: Sent[] = [...buys(20), [0, 'private/cancel_all', {}]]
    const { codes, desk } = answers(sent, { entry: 0 })
    expect(codes).toEqual(places(21))
    expect(desk.exchange.lastSequence).toBeGreaterThan(21)
  })

  test('D06 steps pass by the queue, and withdraw nothing from it', () => {
    const run = answers(buys(8), {
      entry: 50,
      wishes: [
        [10, 'alice', 'private/buy', btc],
        [20, 'alice', 'private/cancel_all'],
      ],
    })
    expect(run.codes).toEqual(places(8))
    expect(run.events.filter((event) => event.kind === 'order' && event.change === 'opened')).toHaveLength(9)
  })
})

describe('lock time', () => {
  test('D06 5 s in the queue are not too long, a microsecond more is 10050', () => {
    expect(answers(buys(2), { entry: 5_000_000 }).codes).toEqual([0, 0])
    expect(answers(buys(2), { entry: 5_000_001 }).codes).toEqual([late, late])
  })

  test('D06 requests outside of the queue never wait too long', () => {
    const sent: Sent[] = [...buys(1), [0, 'private/get_positions', { currency: 'BTC' }], [0, 'private/cancel_all', {}]]
    expect(answers(sent, { entry: 9_000_000 }).codes).toEqual([withdrawn, 0, 0])
  })

  test('D06 a request that has waited too long holds no place, and can no longer be withdrawn', () => {
    const sent: Sent[] = [
      ...buys(8),
      ...buys(1, btc, 5_000_000),
      ...buys(1, btc, 5_000_001),
      [5_000_002, 'private/cancel_all', {}],
    ]
    const { codes, times } = answers(sent, { entry: 6_000_000 })
    expect(codes).toEqual([...new Array<number>(8).fill(late), full, withdrawn, 0])
    expect(times[0]).toBe(6_000_007)
  })
})

describe('withdrawal', () => {
  test('D06 cancel_all withdraws the waiting orders and edits (13666), but not cancels', () => {
    const sent: Sent[] = [
      ...buys(40),
      ...buys(1, eth),
      [0, 'private/edit', { order_id: 'ETH-9', amount: 10, price: 1_900 }],
      [0, 'private/cancel', { order_id: 'ETH-9' }],
      [10, 'private/cancel_all', {}],
      ...buys(1, btc, 10),
    ]
    const { codes, handed, events } = answers(sent, { entry: 50 })
    const ended = [...new Array<number>(8).fill(withdrawn), ...new Array<number>(32).fill(full)]
    expect(codes).toEqual([...ended, withdrawn, withdrawn, 10_004, 0, 0])
    expect(events.filter((event) => event.kind === 'order' && event.change === 'opened')).toHaveLength(1)
    expect(handed.filter(({ refused }) => refused !== undefined)).toHaveLength(42)
  })

  test('D06 cancel_by_label withdraws requests with its label, with a currency only there', () => {
    const labelled = (params: RequestParams, label: string): Sent[] => buys(1, { ...params, label })
    const waiting = [...labelled(btc, 'a'), ...labelled(btc, 'b'), ...labelled(eth, 'a'), ...buys(1)]
    const all: Sent = [0, 'private/cancel_by_label', { label: 'a' }]
    expect(answers([...waiting, all], { entry: 50 }).codes).toEqual([withdrawn, 0, withdrawn, 0, 0])
    const some: Sent = [0, 'private/cancel_by_label', { label: 'a', currency: 'ETH' }]
    expect(answers([...waiting, some], { entry: 50 }).codes).toEqual([0, 0, withdrawn, 0, 0])
  })

  test('D06 an unreadable cancel withdraws nothing, nor do cancels of other kinds', () => {
    const sent: Sent[] = [
      ...buys(2, { ...btc, label: 'a' }),
      [0, 'private/cancel_all', { detailed: 'yes' }],
      [0, 'private/cancel_by_label', { label: '' }],
      [0, 'private/cancel_all_by_currency', { currency: 'BTC' }],
    ]
    expect(answers(sent, { entry: 50 }).codes).toEqual([0, 0, -32_602, -32_602, 0])
  })

  test('D06 cancel_by_label of a currency waits in its queue, and makes room there first', () => {
    const cancel: Sent = [0, 'private/cancel_by_label', { label: 'a', currency: 'BTC' }]
    expect(answers([...buys(8), cancel], { entry: 50 }).codes).toEqual([...places(8), full])
    const meant = [...buys(7), ...buys(1, { ...btc, label: 'a' })]
    expect(answers([...meant, cancel], { entry: 50 }).codes).toEqual([...places(7), withdrawn, 0])
  })
})

describe('overtaking', () => {
  const edit = (price: number, order_id = '1'): Sent => [100, 'private/edit', { order_id, amount: 10, price }]

  test('D06 an edit overtaken by a later edit of the same order is 13777', () => {
    const sent = [...buys(2), edit(48_000), edit(48_500, '2'), edit(48_100), edit(48_200)]
    const { codes, events } = answers(sent, { entry: 50 })
    expect(codes).toEqual([0, 0, overtaken, 0, overtaken, 0])
    expect(events.filter((event) => event.kind === 'order' && event.change === 'edited')).toHaveLength(2)
  })

  test('D06 edits by label overtake each other within their instrument', () => {
    const byLabel = (instrument_name: string, price: number): Sent => [
      100,
      'private/edit_by_label',
      { label: 'a', instrument_name, amount: 10, price },
    ]
    const sent = [
      ...buys(1, { ...btc, label: 'a' }),
      ...buys(1, { ...eth, label: 'a' }),
      byLabel('BTC-PERPETUAL', 48_000),
      byLabel('ETH-PERPETUAL', 1_900),
      byLabel('BTC-PERPETUAL', 48_100),
    ]
    expect(answers(sent, { entry: 50 }).codes).toEqual([0, 0, overtaken, 0, 0])
  })

  test('D06 an edit that overtakes finds room in a full queue', () => {
    const sent = [...buys(1), edit(48_000), ...buys(7, btc, 100), edit(48_100), ...buys(1, btc, 100)]
    expect(answers(sent, { entry: 50 }).codes).toEqual([0, overtaken, ...places(7), 0, full])
  })

  test('D06 an edit that the exchange has taken cannot be overtaken', () => {
    const again: Sent = [150, 'private/edit', { order_id: '1', amount: 10, price: 48_100 }]
    expect(answers([...buys(1), edit(48_000), again], { entry: 50 }).codes).toEqual([0, 0, 0])
  })
})

describe('the journal', () => {
  test('D06 records why the queue refused a request, only in the words of the venue', () => {
    const { handed } = answers([...buys(9), [0, 'private/cancel_all', {}]], { entry: 50 })
    const line = JSON.stringify(encodeJournalRequest(handed.at(-2) ?? missing(), 1))
    expect(line).toContain('"refused":"matching_engine_queue_full"')
    const wrong = line.replace('matching_engine_queue_full', 'bad_mood')
    const decoded = decodeJournal(`{}\n${wrong}\n`, 'journal.jsonl')
    const paths = decoded.ok ? [] : decoded.error.map(({ path }) => path)
    expect(paths).toContain('refused')
  })
})

function missing(): never {
  throw new Error('the request was handed over')
}
