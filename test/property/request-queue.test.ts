/**
 * Random requests at random times with random latencies: the request queue of an account refuses exactly the requests
 * that a naive implementation of the rule refuses, which checks the whole list again for every request.
 *
 * Source: trading.md 3 (C05).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runLoop, type Strategy, type StrategyMethod } from '../../src/backtest/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'
import { seatOf, strategyRun } from '../support/strategy-run.ts'

/** A request, with the inputs of the rule. */
interface Wanted {
  readonly method: StrategyMethod
  readonly params: RequestParams
  readonly queue: 'BTC' | 'ETH' | null
  readonly ends?: (other: Wanted) => 13_666 | 13_777 | null
}

const prices = { BTC: 49_000, ETH: 1_950 } as const
const currency = fc.constantFrom('BTC', 'ETH')
const label = fc.constantFrom('a', 'b')

const order = fc
  .record({ queue: currency, label: fc.option(label, { nil: undefined }), sells: fc.boolean() })
  .map(({ queue, sells, ...named }): Wanted => {
    const side = sells ? ('private/sell' as const) : ('private/buy' as const)
    const price = sells ? Math.ceil((prices[queue] * 1.05) / 10) * 10 : prices[queue]
    const given = { instrument_name: `${queue}-PERPETUAL`, amount: 10, price }
    const { label: word } = named
    return { method: side, params: word === undefined ? given : { ...given, label: word }, queue }
  })

const edit = fc
  .record({ queue: currency, name: fc.constantFrom('a', 'b', '1', '2') })
  .map(({ queue, name }): Wanted => {
    const change = { amount: 10, price: prices[queue] - 50 }
    const isId = name === '1' || name === '2'
    const method = isId ? ('private/edit' as const) : ('private/edit_by_label' as const)
    const params: RequestParams = isId
      ? { ...change, order_id: queue === 'BTC' ? name : `ETH-${name}` }
      : { ...change, label: name, instrument_name: `${queue}-PERPETUAL` }
    const same = (other: Wanted): boolean =>
      other.method === method &&
      ['order_id', 'label', 'instrument_name'].every((key) => other.params[key] === params[key])
    return { method, params, queue, ends: (other) => (same(other) ? 13_777 : null) }
  })

const isOrder = ({ method }: Wanted): boolean => /^private\/(buy|sell|edit|edit_by_label)$/.test(method)

const cancel = currency.map(
  (queue): Wanted => ({
    method: 'private/cancel',
    params: { order_id: queue === 'BTC' ? '1' : 'ETH-1' },
    queue,
  }),
)

const cancelAll = fc.constant<Wanted>({
  method: 'private/cancel_all',
  params: {},
  queue: null,
  ends: (other) => (isOrder(other) ? 13_666 : null),
})

const cancelByLabel = fc.record({ word: label, queue: fc.option(currency) }).map(
  ({ word, queue }): Wanted => ({
    method: 'private/cancel_by_label',
    params: queue === null ? { label: word } : { label: word, currency: queue },
    queue,
    ends: (other) => {
      const isMeant = isOrder(other) && other.params['label'] === word
      return isMeant && (queue === null || other.queue === queue) ? 13_666 : null
    },
  }),
)

const aside = fc.constantFrom<Wanted>(
  { method: 'private/get_positions', params: { currency: 'BTC' }, queue: null },
  {
    method: 'private/buy',
    params: { instrument_name: 'BTC-PERPETUAL', amount: 'ten' },
    queue: null,
  },
)

const wanted = fc.oneof(
  { weight: 12, arbitrary: order },
  { weight: 4, arbitrary: edit },
  { weight: 2, arbitrary: cancel },
  { weight: 1, arbitrary: cancelAll },
  { weight: 1, arbitrary: cancelByLabel },
  { weight: 1, arbitrary: aside },
)

const plan = fc
  .record({
    entry: fc.constantFrom(0, 1, 40, 4_999_999, 5_000_000, 5_000_001, 9_000_000),
    list: fc.array(fc.record({ one: wanted, wait: fc.nat(90) }), {
      minLength: 5,
      maxLength: 60,
      size: 'max',
    }),
  })
  .map(({ entry, list }) => {
    let at = 0
    // Many are sent together, some when an earlier one arrives or gives up, some in between.
    const waits = [entry, entry - 1, 5_000_000, 5_000_001, Math.floor(entry / 9), entry + 1]
    const timed = list.map(({ one, wait }) => {
      at += Math.max(0, waits[wait] ?? 0)
      return { ...one, at }
    })
    return { entry, sent: timed }
  })

/** The code of each request of the list by the rule; 0 for a request that the queue accepts. */
function naiveCodes(sent: readonly (Wanted & { readonly at: number })[], entry: number): readonly number[] {
  const codes = sent.map(() => 0)
  for (const [index, { queue, at, ends }] of sent.entries()) {
    const waiting = sent.flatMap((other, before) => {
      const isGone = other.at + entry <= at || at - other.at > 5_000_000
      return before < index && other.queue !== null && codes[before] === 0 && !isGone ? [before] : []
    })
    const left = waiting.filter((before) => {
      codes[before] = ends?.(sent[before] as Wanted) ?? 0
      return codes[before] === 0
    })
    const ahead = left.filter((before) => sent[before]?.queue === queue)
    if (queue !== null && ahead.length >= 8) codes[index] = 10_047
  }
  return codes.map((code, index) => {
    const isLate = entry > 5_000_000 && sent[index]?.queue !== null
    return code === 0 && isLate ? 10_050 : code
  })
}

const queueCodes = new Set([10_047, 10_050, 13_666, 13_777])

test('D06 the queue of requests refuses the same requests as a naive implementation of the rule', () => {
  const seen = new Map<number, number>()
  fc.assert(
    fc.property(plan, ({ entry, sent }) => {
      const codes: number[] = []
      const strategy: Strategy = {
        onStart: (venue) => {
          for (const at of new Set(sent.map((each) => each.at))) venue.setTimer(String(at), at)
        },
        onTimer: (name, venue) => {
          for (const { at, method, params } of sent) {
            if (String(at) === name) venue.request(method, params as never)
          }
        },
        onReply: (reply) => {
          const code = reply.ok ? 0 : reply.error.code
          codes[reply.request - 1] = queueCodes.has(code) ? code : 0
        },
      }
      const { loop } = strategyRun({
        seats: [seatOf('alice', strategy, { entry })],
        until: 2_000_000_000,
      })
      expect(runLoop(loop, Number.POSITIVE_INFINITY)).toBe('done')
      expect(codes).toEqual(naiveCodes(sent, entry))
      for (const code of codes) seen.set(code, (seen.get(code) ?? 0) + 1)
    }),
    { ...askedSeed(6), numRuns: askedRuns(1_000, 1, 40) },
  )
  const reached = [...queueCodes].filter((code) => (seen.get(code) ?? 0) > 10)
  if (isWhole) expect(reached).toEqual([...queueCodes])
}, 60_000)
