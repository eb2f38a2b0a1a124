/**
 * Random latencies and feeds, strategies that make and take: everything arrives exactly its latency after its cause, in
 * the order of the causes, and a strategy's clock never goes back.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../src/backtest/index.ts'
import type { Event } from '../../src/model/index.ts'
import { isWhole } from '../support/property-runs.ts'
import { marketOf, type Recorded, seatOf, start, strategyRun } from '../support/strategy-run.ts'

const latency = fc.record({ feed: fc.nat(9), entry: fc.nat(9), response: fc.nat(9) })

const recorded = fc
  .array(fc.record({ wait: fc.nat(4), middle: fc.nat(6), print: fc.boolean(), size: fc.nat(9) }), {
    maxLength: 40,
  })
  .map((list) => {
    let at = 1
    return list.map(({ wait, middle, print, size }): Recorded => {
      at += wait
      const ticks = 100_000 + middle
      if (print) return { at, kind: 'trades', rows: [['buy', ticks, 1 + size]] }
      const rows = [
        ['buy', ticks - 1, 1 + size],
        ['sell', ticks + 1, 10 - size],
      ] as const
      return { at, snapshot: true, rows }
    })
  })

/** The callbacks of a strategy, by its own clock. */
class Told {
  /** The clock at every callback. */
  readonly clock: number[] = []
  /** With the exchange time of the message. */
  readonly books: (readonly [now: number, time: number])[] = []
  readonly prints: (readonly [now: number, time: number])[] = []
  readonly orders: number[] = []
  readonly fills: number[] = []
  /** With the number of the request. */
  readonly replies: (readonly [now: number, request: number])[] = []
  readonly sent: number[] = []
}

/** Buys and sells in turn, at the best price or across, and cancels on a fill. */
function busy(reported: Told): Strategy {
  let turn = 0
  return {
    onBook: (view, venue) => {
      reported.clock.push(venue.now)
      reported.books.push([venue.now, view.time])
      turn += 1
      const price = turn % 3 === 0 ? view.bestAsk : view.bestBid
      const order = { instrument_name: 'BTC-PERPETUAL', amount: 30, price }
      reported.sent.push(venue.now)
      venue.request(turn % 2 === 0 ? 'private/sell' : 'private/buy', order)
    },
    onTrade: (print, venue) => {
      reported.clock.push(venue.now)
      reported.prints.push([venue.now, print.time])
    },
    onOrder: (_, venue) => {
      reported.clock.push(venue.now)
      reported.orders.push(venue.now)
    },
    onFill: (_, venue) => {
      reported.clock.push(venue.now)
      reported.fills.push(venue.now)
      const [oldest] = venue.openOrders
      if (oldest === undefined) return
      reported.sent.push(venue.now)
      venue.request('private/cancel', { order_id: oldest.order_id })
    },
    onReply: (reply, venue) => {
      reported.clock.push(venue.now)
      reported.replies.push([venue.now, reply.request])
    },
  }
}

test('everything arrives its latency after its cause, in the order of the causes', () => {
  let fills = 0
  fc.assert(
    fc.property(fc.array(latency, { minLength: 3, maxLength: 3 }), recorded, (each, messages) => {
      const parties = ['alice', 'bob', 'carol'].flatMap((name, at) => {
        const own = each[at]
        return own === undefined ? [] : [{ name, reported: new Told(), ...own }]
      })
      const arrivals: { readonly account: string | null; readonly time: number }[] = []
      const run = strategyRun({
        seats: parties.map(({ name, reported, ...own }) => seatOf(name, busy(reported), own)),
        market: marketOf(messages),
        until: 10_000,
        hooks: { onRequest: ({ account, time }) => arrivals.push({ account, time }) },
      })
      expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
      const timesOf = (kind: Recorded['kind']): number[] =>
        messages.filter((message) => (message.kind ?? 'book') === kind).map(({ at }) => start + at)
      for (const { name, reported, feed, entry, response } of parties) {
        expect(reported.clock).toEqual(reported.clock.toSorted((left, right) => left - right))
        expect(reported.books).toEqual(timesOf('book').map((time) => [time + feed, time]))
        expect(reported.prints).toEqual(timesOf('trades').map((time) => [time + feed, time]))
        const reached = arrivals.flatMap(({ account, time }) => (account === name ? [time] : []))
        expect(reached).toEqual(reported.sent.map((time) => time + entry))
        const answered = reached.map((time, index) => [time + response, index + 1])
        expect(reported.replies).toEqual(answered)
        const id = run.desk.exchange.accountIds.get(name)
        const ordered = run.events.flatMap((event) => orderTimes(event, id))
        expect(reported.orders).toEqual(ordered.map((time) => time + response))
        const filled = run.events.flatMap((event) => fillTimes(event, id))
        expect(reported.fills).toEqual(filled.map((time) => time + response))
        fills += filled.length
      }
    }),
    { seed: 11, numRuns: 150 },
  )
  // The runs have enough fills.
  expect(fills).toBeGreaterThan(isWhole ? 500 : 0)
})

function orderTimes(event: Event, account: number | undefined): number[] {
  return 'order' in event && event.account === account ? [event.time] : []
}

/** The time of a trade, once for each side that is the account's. */
function fillTimes(event: Event, account: number | undefined): number[] {
  if (event.kind !== 'trade') return []
  return [event.maker, event.taker].flatMap((fill) => (fill.account === account ? [event.time] : []))
}
