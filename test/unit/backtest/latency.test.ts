/**
 * The times at which messages reach a strategy and the exchange: latencies to the microsecond, the order inside one
 * instant, and that no message overtakes its cause.
 */
import { describe, expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import {
  marketOf,
  offset,
  type RunWords,
  type StrategyRun,
  seatOf,
  start,
  strategyRun,
} from '../../support/strategy-run.ts'

const order = { instrument_name: 'BTC-PERPETUAL', amount: 100 }

function runAll(words: RunWords): StrategyRun {
  const run = strategyRun(words)
  expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('done')
  return run
}

/** A strategy that logs its callbacks with their times, as `kind@offset`. */
function diary(lines: string[], own: Strategy = {}): Strategy {
  const note = (text: string, now: number): void => {
    lines.push(`${text}@${offset(now)}`)
  }
  return {
    onStart: (venue) => {
      note('start', venue.now)
      own.onStart?.(venue)
    },
    onBook: (view, venue) => {
      note(`book ${view.bestBid} ${view.bestAsk} of ${offset(view.time)}`, venue.now)
      own.onBook?.(view, venue)
    },
    onTrade: (print, venue) => {
      note(`print ${print.side} ${print.amount} at ${print.price}`, venue.now)
      own.onTrade?.(print, venue)
    },
    onOrder: (changed, venue) => {
      note(`order ${changed.order_state} ${changed.filled_amount}`, venue.now)
      own.onOrder?.(changed, venue)
    },
    onFill: (fill, venue) => {
      note(`fill ${fill.rule} ${fill.amount} at ${fill.price}`, venue.now)
      own.onFill?.(fill, venue)
    },
    onReply: (reply, venue) => {
      note(`reply ${reply.request} ${reply.ok ? 'ok' : reply.error.code}`, venue.now)
      own.onReply?.(reply, venue)
    },
    onTimer: (name, venue) => {
      note(`timer ${name}`, venue.now)
      own.onTimer?.(name, venue)
    },
  }
}

describe('latencies', () => {
  test('a recorded message arrives after the feed latency, a request after the entry latency', () => {
    const lines: string[] = []
    const strategy = diary(lines, {
      onBook: (_, venue) => {
        if (venue.openOrders.length === 0) {
          venue.request('private/buy', { ...order, price: 49_000 })
        }
      },
    })
    const rows = [
      ['buy', 99_999, 5],
      ['sell', 100_001, 7],
    ] as const
    const run = runAll({
      seats: [seatOf('alice', strategy, { feed: 2_000, entry: 5_000, response: 3_001 })],
      market: marketOf([{ at: 100, snapshot: true, rows }]),
      until: 1_000_000,
    })
    expect(lines).toEqual(['start@0', 'book 49999.5 50000.5 of 100@2100', 'order open 0@10101', 'reply 1 ok@10101'])
    const opened = run.events.find((event) => event.kind === 'order' && event.change === 'opened')
    expect(offset(opened?.time ?? 0)).toBe(7_100)
  })

  test('a reply after a fill cannot overtake it, and a rejection neither', () => {
    const lines: string[] = []
    let placed = ''
    const strategy = diary(lines, {
      onStart: (venue) => venue.request('private/sell', { ...order, price: 50_100 }),
      onOrder: (changed) => {
        placed = changed.order_id
      },
      onTimer: (_, venue) => venue.request('private/cancel', { order_id: placed }),
      onReply: (reply, venue) => {
        // The cancel arrives one microsecond after the buyer.
        if (reply.request === 1) venue.setTimer('cancel', start + 20_001 - 5_000 - venue.now)
      },
    })
    const buy = { ...order, price: 50_100 }
    runAll({
      seats: [seatOf('alice', strategy, { entry: 5_000, response: 4_000 })],
      wishes: [[20_000, 'bob', 'private/buy', buy]],
      until: 1_000_000,
    })
    expect(lines).toEqual([
      'start@0',
      'book NaN 50100 of 5000@5000',
      'order open 0@9000',
      'reply 1 ok@9000',
      'timer cancel@15001',
      'print buy 100 at 50100@20000',
      'book NaN NaN of 20000@20000',
      'fill book_maker 100 at 50100@24000',
      'order filled 100@24000',
      'reply 2 11044@24001',
    ])
  })

  test('events of timers of the exchange reach a strategy in time', () => {
    const lines: string[] = []
    const day = 23 * 3_600_000_000
    const strategy = diary(lines, {
      onStart: (venue) => {
        venue.request('private/buy', { ...order, price: 49_000, time_in_force: 'good_til_day' })
      },
    })
    runAll({ seats: [seatOf('alice', strategy, { response: 7 })], until: 2 * day })
    expect(lines.at(-1)).toBe(`order cancelled 0@${day + 7}`)
  })

  test('without an end the run ends with the last recorded message or request', () => {
    const lines: string[] = []
    const strategy = diary(lines, {
      onStart: (venue) => venue.setTimer('tick', '1ms'),
      onTimer: (name, venue) => venue.setTimer(name, '1ms'),
    })
    const rows = [['buy', 99_999, 5]] as const
    runAll({
      seats: [seatOf('alice', strategy, { feed: 10 })],
      market: marketOf([{ at: 2_500, rows }]),
    })
    expect(lines).toEqual(['start@0', 'timer tick@1000', 'timer tick@2000'])
  })
})

describe('one instant', () => {
  test('responses, recorded messages, timers: each in its order, strategies in file order', () => {
    const lines: string[] = []
    const shared: string[] = []
    const diaryOf = (name: string): Strategy => {
      const own: string[] = []
      const strategy = diary(own, {
        onStart: (venue) => {
          venue.setTimer('t', 100)
          venue.request('private/buy', { ...order, price: 49_000 })
        },
      })
      return new Proxy(strategy, {
        get: (target, key: keyof Strategy) => {
          const callback = target[key] as ((...all: unknown[]) => unknown) | undefined
          if (callback === undefined) return undefined
          return (...all: unknown[]) => {
            const before = own.length
            callback.apply(target, all)
            shared.push(...own.slice(before).map((line) => `${name}: ${line}`))
          }
        },
      })
    }
    runAll({
      seats: [
        seatOf('alice', diaryOf('alice'), { feed: 50, entry: 40, response: 60 }),
        seatOf('bob', diaryOf('bob'), { feed: 50, entry: 40, response: 60 }),
      ],
      market: marketOf([
        { at: 50, rows: [['buy', 99_998, 1]] },
        { at: 50, rows: [['buy', 99_999, 1]] },
      ]),
      until: 1_000,
    })
    expect(lines).toEqual([])
    expect(shared.filter((line) => line.endsWith('@100'))).toEqual([
      'alice: order open 0@100',
      'alice: reply 1 ok@100',
      'bob: order open 0@100',
      'bob: reply 1 ok@100',
      'alice: book 49999 NaN of 50@100',
      'bob: book 49999 NaN of 50@100',
      'alice: book 49999.5 NaN of 50@100',
      'bob: book 49999.5 NaN of 50@100',
      'alice: timer t@100',
      'bob: timer t@100',
    ])
  })

  test('timers of the exchange come before those of strategies, and so do their messages', () => {
    const day = 86_400_000_000
    const settles = day - 3_600_000_000
    const lines: string[] = []
    const strategy: Strategy = {
      onStart: (venue) => venue.setTimer('eight', settles),
      onSettlement: ({ instrument }) => lines.push(`settled ${instrument}`),
      onTimer: (name, venue) => {
        // The session that the settlement began is still empty.
        lines.push(`timer ${name}, ${venue.funds('BTC').sessionFloating} of this session`)
      },
    }
    const short = { ...order, price: 50_000 }
    runAll({
      seats: [seatOf('alice', strategy)],
      wishes: [
        [10, 'alice', 'private/buy', short],
        [20, 'bob', 'private/sell', short],
        [30, null, 'sim/set_index', { index_name: 'btc_usd', price: 51_000 }],
      ],
      until: day,
    })
    expect(lines).toEqual(['settled BTC-PERPETUAL', 'settled ETH-PERPETUAL', 'timer eight, 0 of this session'])
  })

  test('requests of steps come before those of strategies, and these in file order', () => {
    const place = (): Strategy => ({
      onStart: (venue) => venue.request('private/buy', { ...order, price: 49_000 }),
    })
    const run = runAll({
      seats: [seatOf('bob', place(), { entry: 10 }), seatOf('alice', place(), { entry: 10 })],
      wishes: [[10, 'carol', 'private/buy', { ...order, price: 49_000 }]],
    })
    const names = run.events
      .flatMap((event) => (event.kind === 'order' && event.change === 'opened' ? [event.account] : []))
      .map((account) => run.desk.exchange.accounts[account]?.account.name)
    expect(names).toEqual(['carol', 'bob', 'alice'])
  })

  test('a request without entry latency reaches the exchange before later deliveries', () => {
    const lines: string[] = []
    const strategy = diary(lines, {
      onBook: (view, venue) => {
        if (view.bestBid === 49_999) venue.request('private/buy', { ...order, price: 49_000 })
      },
    })
    runAll({
      seats: [seatOf('alice', strategy)],
      market: marketOf([
        { at: 50, rows: [['buy', 99_998, 1]] },
        { at: 50, rows: [['buy', 99_999, 1]] },
      ]),
    })
    expect(lines).toEqual([
      'start@0',
      'book 49999 NaN of 50@50',
      'order open 0@50',
      'reply 1 ok@50',
      'book 49999.5 NaN of 50@50',
    ])
  })

  test('a strategy that answers itself without end is stopped and named', () => {
    const endless: Strategy = {
      onStart: (venue) => venue.setTimer('again', 0),
      onTimer: (name, venue) => venue.setTimer(name, 0),
    }
    const run = strategyRun({ seats: [seatOf('alice', endless)], until: 1_000 })
    expect(runLoop(run.loop, Number.POSITIVE_INFINITY)).toBe('failed')
    expect(run.loop.fault).toMatchObject({
      file: 'alice.ts',
      path: 'onTimer',
      expected: 'at most 100000 callbacks at 2026-01-05T09:00:00Z',
    })
  })

  test('zero latencies answer within the instant', () => {
    const lines: string[] = []
    const strategy = diary(lines, {
      onStart: (venue) => venue.request('private/buy', { ...order, price: 49_000 }),
      onReply: (reply, venue) => {
        if (reply.request < 3) venue.request('private/buy', { ...order, price: 49_000 })
      },
    })
    runAll({ seats: [seatOf('alice', strategy)] })
    expect(lines).toEqual([
      'start@0',
      ...[1, 2, 3].flatMap((number) => ['order open 0@0', `reply ${number} ok@0`]),
      // The book of the closed market that they made, last in its instant.
      ...[1, 2, 3].map(() => 'book 49000 NaN of 0@0'),
    ])
  })
})
