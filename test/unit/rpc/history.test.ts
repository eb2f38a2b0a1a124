/** The history's bounds: the oldest records go first, and the rest answers as if nothing had gone. */
import { describe, expect, test } from 'vitest'
import { micros } from '../../../src/core/index.ts'
import { defaultConfig, type HistoryLimits } from '../../../src/model/index.ts'
import { createHistory } from '../../../src/rpc/history/index.ts'
import { createDesk, type Desk, ownMethods, type RequestParams, submit } from '../../../src/rpc/index.ts'
import type { Json } from '../../support/desk-market.ts'

const start = micros(1_767_603_600_000_000)
const instrument_name = 'BTC-PERPETUAL'

function ask(desk: Desk, account: string | null, method: string, params: RequestParams): Json {
  let answer: Json
  const time = desk.exchange.now
  submit(desk, { time, method, params, account, session: 0 }, (reply) => {
    answer = reply.ok ? reply.result : reply.error
  })
  return answer
}

/** A desk on which alice and bob have made `count` trades, two ended orders each. */
function traded(history: Partial<HistoryLimits>, count: number): Desk {
  const desk = createDesk({ config: defaultConfig(start), controls: true, methods: ownMethods, history }, noSink)
  ask(desk, null, 'sim/list_instrument', { instrument_name })
  ask(desk, null, 'sim/set_index', { index_name: 'btc_usd', price: 50_000 })
  for (const name of ['alice', 'bob']) {
    ask(desk, null, 'sim/create_account', { name })
    ask(desk, null, 'sim/deposit', { account: name, currency: 'BTC', amount: 10 })
  }
  for (let trade = 0; trade < count; trade += 1) {
    ask(desk, 'alice', 'private/sell', { instrument_name, amount: 10, price: 50_000 })
    const { order, trades } = ask(desk, 'bob', 'private/buy', {
      ...{ instrument_name, amount: 10, type: 'market' },
    })
    expect([order.order_state, trades.length]).toEqual(['filled', 1])
  }
  return desk
}

const noSink = { emit: (): void => {} }
const all = { instrument_name, sorting: 'asc', count: 1000 }

function kept(desk: Desk): { readonly tape: number[]; readonly own: number[] } {
  const seqs = (reply: Json): number[] => reply.trades.map((trade: Json) => trade.trade_seq)
  return {
    tape: seqs(ask(desk, null, 'public/get_last_trades_by_instrument', all)),
    own: seqs(ask(desk, 'alice', 'private/get_user_trades_by_instrument', all)),
  }
}

describe('limits', () => {
  test('at least the limit is kept, less than twice as much, and always the newest', () => {
    for (const limit of [1, 2, 5]) {
      for (const count of [1, 4, 9, 10, 11, 23]) {
        const { tape, own } = kept(traded({ trades: limit, endedOrders: 100 }, count))
        expect(tape.length).toBeGreaterThanOrEqual(Math.min(limit, count))
        expect(tape.length).toBeLessThan(Math.max(2 * limit, 2))
        expect(tape).toEqual(Array.from({ length: tape.length }, (_, at) => count - tape.length + at + 1))
        expect(own).toEqual(tape)
      }
    }
  })

  test('the stored part answers the same as an endless history', () => {
    const small = traded({ trades: 5, endedOrders: 100 }, 23)
    const large = traded({ trades: 1000, endedOrders: 1000 }, 23)
    for (const range of [{ start_seq: 21 }, { count: 3 }, { sorting: 'desc', count: 4 }]) {
      for (const [account, method] of [
        [null, 'public/get_last_trades_by_instrument'],
        ['bob', 'private/get_user_trades_by_instrument'],
      ] as const) {
        const params = { instrument_name, ...range }
        const [{ trades }, { trades: expected }] = [small, large].map((desk) => ask(desk, account, method, params))
        expect(trades).toEqual(expected)
      }
    }
  })

  test('ended orders go with their trades; live ones stay however old', () => {
    const desk = traded({ trades: 100, endedOrders: 2 }, 0)
    ask(desk, 'alice', 'private/buy', { instrument_name, amount: 10, price: 49_500 })
    for (let order = 0; order < 10; order += 1) {
      ask(desk, 'alice', 'private/sell', { instrument_name, amount: 10, price: 50_000 })
      ask(desk, 'bob', 'private/buy', { instrument_name, amount: 10, type: 'market' })
    }
    const state = (account: string, order_id: string): Json => {
      const reply = ask(desk, account, 'private/get_order_state', { order_id })
      return reply.order_state ?? reply.code
    }
    expect(state('alice', '1')).toBe('open')
    expect(state('alice', '2')).toBe(10004)
    expect(state('alice', '20')).toBe('filled')
    expect(state('bob', '21')).toBe('filled')
    const { history } = desk
    expect(history.ended.length).toBeLessThan(4)
    expect(history.orders.values()).toHaveLength(history.ended.length + 1)
    // The engine still knows from the number that the dropped order has ended.
    expect(ask(desk, 'alice', 'private/cancel', { order_id: '2' }).code).toBe(11044)
  })

  test('the least history still answers every request', () => {
    const desk = traded({ trades: 1, endedOrders: 1 }, 3)
    for (let order = 0; order < 4; order += 1) {
      ask(desk, 'alice', 'private/sell', { instrument_name, amount: 10, price: 50_000 + order })
    }
    const buy = { instrument_name, amount: 50, price: 50_010, time_in_force: 'immediate_or_cancel' }
    const { order, trades } = ask(desk, 'bob', 'private/buy', buy)
    expect([order.order_state, order.filled_amount, trades.length]).toEqual(['cancelled', 40, 4])
  })

  test('a bulk cancel lists more orders than the history stores', () => {
    const desk = traded({ trades: 1, endedOrders: 1 }, 0)
    for (let order = 0; order < 5; order += 1) {
      ask(desk, 'alice', 'private/sell', { instrument_name, amount: 10, price: 50_000 + order })
    }
    const cancelled = ask(desk, 'alice', 'private/cancel_all', { detailed: true })
    expect(cancelled.map((each: Json) => each.order.order_id)).toEqual(['1', '2', '3', '4', '5'])
  })

  test('a link that ends with its request is answered at any limit', () => {
    const desk = traded({ trades: 1, endedOrders: 1 }, 0)
    ask(desk, 'alice', 'private/sell', { instrument_name, amount: 10, price: 50_000 })
    const { order, trades } = ask(desk, 'bob', 'private/buy', {
      ...{ instrument_name, amount: 10, price: 50_000, linked_order_type: 'one_cancels_other' },
      otoco_config: [{ amount: 10, direction: 'sell', price: 50_500 }],
    })
    expect([order.order_state, trades.length]).toEqual(['filled', 1])
  })

  test('results of trigger orders go with the other ended orders', () => {
    const desk = traded({ trades: 1, endedOrders: 2 }, 0)
    const stop = { instrument_name, amount: 10, type: 'stop_market', trigger: 'mark_price' }
    for (let order = 1; order <= 3; order += 1) {
      ask(desk, 'alice', 'private/sell', { ...stop, trigger_price: 49_000 })
      ask(desk, 'alice', 'private/cancel_all', {})
    }
    const entries = (): Json =>
      ask(desk, 'alice', 'private/get_trigger_order_history', { currency: 'BTC' }).entries.map(
        (entry: Json) => entry.trigger_order_id,
      )
    expect(entries()).toEqual(['SLMS-3', 'SLMS-2', 'SLMS-1'])
    ask(desk, 'alice', 'private/sell', { ...stop, trigger_price: 49_000 })
    ask(desk, 'alice', 'private/cancel_all', {})
    expect(entries()).toEqual(['SLMS-4', 'SLMS-3'])
  })

  test('a limit below one is refused', () => {
    for (const limits of [
      { trades: 0, endedOrders: 1 },
      { trades: 1, endedOrders: 0 },
      { trades: 1.5, endedOrders: 1 },
    ]) {
      expect(() => createHistory(limits)).toThrow('a limit of the history is at least 1')
    }
  })
})

test('a reply shows its order even if another order ends after it', () => {
  const desk = traded({ endedOrders: 1 }, 0)
  const sale = { amount: 10, type: 'limit', price: 50_000 }
  ask(desk, 'alice', 'private/sell', {
    ...{ instrument_name, ...sale, linked_order_type: 'one_cancels_other' },
    otoco_config: [{ ...sale, direction: 'sell', price: 60_000 }],
  })
  const cancelled = ask(desk, 'alice', 'private/cancel', { order_id: '1' })
  expect([cancelled.order_id, cancelled.order_state]).toEqual(['1', 'cancelled'])
  expect(desk.history.ended).toHaveLength(2)
})

test('fills of orders that are older than the history are left out of user trades', () => {
  const desk = traded({ trades: 10, endedOrders: 10 }, 0)
  ask(desk, 'alice', 'private/sell', { instrument_name, amount: 20, price: 50_000 })
  const { orders } = desk.history
  for (const { order } of orders.values()) orders.delete(order)
  ask(desk, 'bob', 'private/buy', { instrument_name, amount: 10, type: 'market' })
  expect(kept(desk)).toEqual({ tape: [1], own: [] })
  expect(ask(desk, 'alice', 'private/get_order_state', { order_id: '1' }).filled_amount).toBe(10)
})

describe('records of money and prices', () => {
  const day = 86_400_000
  const settledAt = Date.UTC(2026, 0, 6, 8)

  /** A desk after `days` settlements, its mark changed once a minute in between. */
  function settled(history: Partial<HistoryLimits>, days: number): Desk {
    const desk = traded(history, 1)
    for (let count = 0; count < days; count += 1) {
      const at = settledAt + count * day
      for (let minute = 0; minute < 3; minute += 1) {
        ask(desk, null, 'sim/advance', { to: at - (3 - minute) * 60_000 })
        ask(desk, null, 'sim/set_mark', { instrument_name, price: 50_000 + minute })
        ask(desk, 'alice', 'private/sell', { instrument_name, amount: 10, price: 50_000 })
        ask(desk, 'bob', 'private/buy', { instrument_name, amount: 10, type: 'market' })
      }
      ask(desk, null, 'sim/advance', { to: at })
    }
    return desk
  }

  const currency = 'BTC'
  const range = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }

  test('each kind keeps its limit at least and less than twice as much, the newest', () => {
    const money = { settlements: 3, accountSettlements: 3, transactions: 5 }
    const limits = { ...money, prices: 4, candles: 3 }
    const desk = settled(limits, 9)
    const { settlements, ownSettlements, deliveries, marks, candles, transactions } = desk.history
    const kept = {
      settlements: [settlements.rows.get(currency), deliveries.rows.get('btc_usd')],
      accountSettlements: [...ownSettlements.rows.values()],
      prices: [...marks.values()].map(({ times }) => times),
      candles: [...candles.rows.values()],
      transactions: [...transactions.windows.rows.values()],
    }
    for (const [name, lists] of Object.entries(kept)) {
      const limit = limits[name as keyof typeof limits]
      for (const list of lists) {
        expect([name, (list?.length ?? 0) >= limit]).toEqual([name, true])
        expect([name, (list?.length ?? 0) < 2 * limit]).toEqual([name, true])
      }
    }
    const page = ask(desk, null, 'public/get_last_settlements_by_currency', { currency })
    expect(page.settlements[0].timestamp).toBe(settledAt + 8 * day)
    const { data } = ask(desk, null, 'public/get_delivery_prices', { index_name: 'btc_usd' })
    expect(data[0]).toEqual({ date: '2026-01-14', delivery_price: 50_000 })
  })

  test('the stored part answers the same as an endless history, balances too', () => {
    const small = settled({ settlements: 2, accountSettlements: 2, prices: 4, candles: 2, transactions: 2 }, 4)
    const large = settled({}, 4)
    for (const [account, method, params] of [
      [null, 'public/get_last_settlements_by_currency', { currency, count: 2 }],
      ['alice', 'private/get_settlement_history_by_currency', { currency, count: 2 }],
      [null, 'public/get_delivery_prices', { index_name: 'btc_usd', count: 2 }],
    ] as const) {
      const [{ records_total: _, continuation: __, truncated_before: ___, ...few }, all] = [small, large].map((desk) =>
        ask(desk, account, method, params),
      )
      expect(all).toMatchObject(few)
    }
    const log = { ...range, currency, count: 2 }
    const [short, long] = [small, large].map((desk) => ask(desk, 'bob', 'private/get_transaction_log', log))
    expect(short.logs).toEqual(long.logs)
  })

  test('limits below one are refused', () => {
    for (const name of [...(['settlements', 'accountSettlements', 'prices', 'candles', 'transactions'] as const)]) {
      expect(() => createHistory({ [name]: 0 })).toThrow('at least 1')
    }
  })
})
