/**
 * Snapshots of a desk: a restored desk answers like the original, now and after more requests; bytes that are not a
 * snapshot are refused with their place.
 */
import { describe, expect, test } from 'vitest'
import { decodeValue, encodeValue, micros } from '../../../src/core/index.ts'
import { stateHash } from '../../../src/engine/index.ts'
import { defaultConfig, type Event, type EventSink } from '../../../src/model/index.ts'
import { historyUnit } from '../../../src/rpc/history/index.ts'
import {
  createDesk,
  type Desk,
  ownMethods,
  type RequestParams,
  restoreDesk,
  snapshotDesk,
  submit,
  type VenueReply,
} from '../../../src/rpc/index.ts'

const start = micros(1_767_603_600_000_000)
const silent: EventSink = { emit: () => {} }

function ask(desk: Desk, account: string | null, method: string, params: RequestParams = {}): VenueReply {
  let answer: VenueReply | undefined
  const time = micros(desk.exchange.now + 1)
  submit(desk, { time, method, params, account, session: 0 }, (reply) => {
    answer = reply
  })
  if (answer === undefined) throw new Error('no reply')
  return answer
}

/** Two accounts, trades of several orders, a market order at rest, an ended and a live order. */
function busyDesk(controls = true): Desk {
  const history = { trades: 100, endedOrders: 100 }
  const desk = createDesk({ config: defaultConfig(start), controls: true, methods: ownMethods, history }, silent)
  ask(desk, null, 'sim/list_instrument', { instrument_name: 'BTC-PERPETUAL' })
  ask(desk, null, 'sim/list_instrument', { instrument_name: 'BTC_USDC-PERPETUAL' })
  ask(desk, null, 'sim/set_index', { index_name: 'btc_usd', price: 50_000 })
  ask(desk, null, 'sim/set_index', { index_name: 'btc_usdc', price: 50_000 })
  for (const name of ['alice', 'bob']) {
    ask(desk, null, 'sim/create_account', { name })
    ask(desk, null, 'sim/deposit', { account: name, currency: 'BTC', amount: 10 })
    ask(desk, null, 'sim/deposit', { account: name, currency: 'USDC', amount: 100_000 })
  }
  const instrument_name = 'BTC-PERPETUAL'
  ask(desk, 'alice', 'private/sell', { instrument_name, amount: 100, price: 50_000, label: 'a' })
  ask(desk, 'alice', 'private/sell', { instrument_name, amount: 100, price: 50_010 })
  ask(desk, 'bob', 'private/buy', { instrument_name, amount: 150, type: 'market' })
  ask(desk, 'bob', 'private/buy', { instrument_name, amount: 10, price: 49_000 })
  ask(desk, 'bob', 'private/cancel', { order_id: '4' })
  ask(desk, 'bob', 'private/buy', {
    ...{ instrument_name: 'BTC_USDC-PERPETUAL', amount: 0.01, price: 49_000 },
    time_in_force: 'good_til_day',
  })
  const stop = { instrument_name, amount: 100, type: 'stop_market', trigger: 'mark_price' }
  ask(desk, 'alice', 'private/sell', { ...stop, trigger_price: 49_000, label: 'a' })
  ask(desk, 'alice', 'private/sell', { ...stop, trigger_price: 49_900 })
  ask(desk, null, 'sim/set_mark', { instrument_name, price: 49_900 })
  ask(desk, null, 'sim/advance', { to: 1_767_690_000_000 })
  ask(desk, 'bob', 'private/buy', {
    ...{ instrument_name, amount: 5000, display_amount: 1000, price: 49_000 },
    linked_order_type: 'one_triggers_one_cancels_other',
    otoco_config: [
      { amount: 100, direction: 'sell', price: 50_500 },
      { ...stop, instrument_name: null, direction: 'sell', trigger_price: 48_900 },
    ],
  })
  return controls ? desk : { ...desk, controls }
}

/** Everything that a reader can ask, and the state below. */
function looks(desk: Desk): unknown {
  const instrument_name = 'BTC-PERPETUAL'
  return {
    state: stateHash(desk.exchange),
    tape: ask(desk, null, 'public/get_last_trades_by_instrument', { instrument_name }),
    ticker: ask(desk, null, 'public/ticker', { instrument_name }),
    settled: ask(desk, null, 'public/get_last_settlements_by_currency', { currency: 'BTC' }),
    funding: ask(desk, null, 'public/get_funding_chart_data', { instrument_name, length: '24h' }),
    chart: ask(desk, null, 'public/get_tradingview_chart_data', {
      ...{ instrument_name, resolution: '60', start_timestamp: 0, end_timestamp: 2e12 },
    }),
    of: ['alice', 'bob'].map((name) => [
      ask(desk, name, 'private/get_open_orders'),
      ask(desk, name, 'private/get_positions'),
      ask(desk, name, 'private/get_account_summary', { currency: 'BTC' }),
      ask(desk, name, 'private/get_settlement_history_by_instrument', { instrument_name }),
      ask(desk, name, 'private/get_transaction_log', {
        ...{ currency: 'BTC', start_timestamp: 0, end_timestamp: 2e12 },
      }),
      ask(desk, name, 'private/get_user_trades_by_instrument', { instrument_name }),
      ask(desk, name, 'private/get_order_history_by_currency', {
        ...{ currency: 'BTC', include_unfilled: true },
      }),
      ask(desk, name, 'private/get_trigger_order_history', { currency: 'BTC' }),
      ask(desk, name, 'private/get_order_state_by_label', { currency: 'BTC', label: 'a' }),
      ...['1', '2', '3', '4', 'SLMS-5', 'SLMS-6', '7', '8', 'OTO-9', 'BTC_USDC-1'].flatMap((order_id) => [
        ask(desk, name, 'private/get_order_state', { order_id }),
        ask(desk, name, 'private/get_user_trades_by_order', { order_id }),
      ]),
    ]),
  }
}

function restored(bytes: Uint8Array, sink: EventSink = silent): Desk {
  const desk = restoreDesk(bytes, sink, { methods: ownMethods })
  if (!desk.ok) throw new Error(JSON.stringify(desk.error))
  return desk.value
}

describe('a snapshot of a desk', () => {
  test('is the same bytes again when it was restored', () => {
    const bytes = snapshotDesk(busyDesk())
    expect(snapshotDesk(restored(bytes))).toEqual(bytes)
  })

  test('answers every query like the original', () => {
    const desk = busyDesk()
    const copy = restored(snapshotDesk(desk))
    expect(looks(copy)).toEqual(looks(desk))
  })

  test('continues like the desk: the same events, replies and bytes', () => {
    const events: [Event[], Event[]] = [[], []]
    const desk = busyDesk()
    const twin = restored(snapshotDesk(desk), { emit: (event) => events[1].push(event) })
    const first = restored(snapshotDesk(desk), { emit: (event) => events[0].push(event) })
    for (const copy of [first, twin]) {
      const instrument_name = 'BTC-PERPETUAL'
      ask(copy, 'bob', 'private/buy', { instrument_name, amount: 100, type: 'market' })
      ask(copy, 'alice', 'private/cancel_all')
    }
    expect(events[0].length).toBeGreaterThan(4)
    expect(events[1]).toEqual(events[0])
    expect(looks(twin)).toEqual(looks(first))
    expect(snapshotDesk(twin)).toEqual(snapshotDesk(first))
  })

  test('requests to the copy do not change the desk', () => {
    const desk = busyDesk()
    const before = snapshotDesk(desk)
    ask(restored(before), 'alice', 'private/cancel_all')
    expect(snapshotDesk(desk)).toEqual(before)
  })

  test('keeps whether controls are served', () => {
    const copy = restored(snapshotDesk(busyDesk(false)))
    expect(ask(copy, null, 'sim/advance', { to: 1_767_603_700_000 })).toMatchObject({
      error: { code: -32601 },
    })
  })

  test('no request is on its way between requests; a snapshot in the middle of one is refused', () => {
    const desk = busyDesk()
    expect(desk.pending.size).toBe(0)
    ask(desk, 'alice', 'private/buy', { instrument_name: 'BTC-PERPETUAL' })
    ask(desk, 'alice', 'private/nonsense')
    expect(desk.pending.size).toBe(0)
    let inside: unknown
    const curious = restored(snapshotDesk(desk), {
      emit: () => {
        try {
          snapshotDesk(curious)
        } catch (error) {
          inside = error
        }
      },
    })
    ask(curious, 'alice', 'private/get_positions')
    expect(String(inside)).toContain('every request is answered or waiting')
  })
})

describe('bytes that are not a snapshot of a desk', () => {
  const bytes = snapshotDesk(busyDesk())

  function faultOf(of: Uint8Array): unknown {
    const desk = restoreDesk(of, silent, { methods: ownMethods })
    return desk.ok ? 'restored' : desk.error
  }

  test('another magic, a cut and bytes after the end are refused with their place', () => {
    expect(faultOf(new Uint8Array())).toMatchObject({ section: null, offset: 0 })
    expect(faultOf(bytes.slice(0, 100))).toMatchObject({ section: 'engine', offset: 100 })
    expect(faultOf(bytes.slice(0, -1))).toMatchObject({ section: 'kept' })
    expect(faultOf(Uint8Array.of(...bytes, 0))).toMatchObject({
      ...{ section: null, offset: bytes.length },
    })
  })

  test('a flipped bit anywhere is refused', () => {
    for (let at = 0; at < bytes.length; at += 97) {
      const bad = bytes.slice()
      bad[at] = (bad[at] ?? 0) ^ 1
      expect([at, faultOf(bad)]).toMatchObject([at, { offset: expect.any(Number) }])
    }
  })
})

describe('a history as plain data', () => {
  test('survives the codec of snapshots unchanged', () => {
    const { history } = busyDesk()
    const state = historyUnit.save(history)
    const decoded = decodeValue(encodeValue(state))
    expect(decoded).toEqual({ ok: true, value: state })
    if (!decoded.ok) return
    const copy = historyUnit.load(decoded.value)
    expect(copy).toEqual(history)
    copy.ended.push(...copy.ended)
    copy.trades.rows.clear()
    expect(historyUnit.save(history)).toEqual(state)
  })
})
