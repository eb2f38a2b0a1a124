/**
 * Outages that controls begin and end: the maintenance of the venue, indices that publish nothing, and the channel that
 * tells of them. Source: market.md 3.1; sessions document 1.2, 3.4.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { advanceTo, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import { defaultConfig } from '../../src/model/index.ts'
import {
  ChannelHub,
  createDesk,
  type RequestParams,
  type Subscriber,
  submit,
  type VenueReply,
} from '../../src/rpc/index.ts'

const start = micros(1_767_603_600_000_000)
const SECOND = 1_000_000
const perpetual = 'BTC-PERPETUAL'
const bid = { instrument_name: perpetual, amount: 100, price: 49_000 }

/** A desk whose clock the test moves, with a listener of the platform's state. */
function market() {
  let hub: ChannelHub | undefined
  const states: string[] = []
  const watch = {
    emit: (event: Parameters<ChannelHub['events']['emit']>[0]) => {
      hub?.events.emit(event)
      if (event.kind === 'state') states.push(`${event.instrument} ${event.state}`)
    },
  }
  const sink = { emit: () => undefined }
  const desk = createDesk({ config: defaultConfig(start), controls: true, watch }, sink)
  hub = new ChannelHub(desk)
  const told: unknown[] = []
  const who: Subscriber = {
    link: 1,
    account: -1,
    allows: () => true,
    send: (text) => told.push(JSON.parse(text).params.data),
  }
  const ask = (
    method: string,
    params: RequestParams = {},
    account: string | null = null,
  ): VenueReply => {
    let reply: VenueReply | undefined
    const request = { time: desk.exchange.now, method, params, account, session: 0 }
    submit(desk, request, (given) => {
      reply = given
    })
    hub?.flush()
    if (reply === undefined) throw new Error(`${method} was not answered`)
    return reply
  }
  const result = (method: string, params: RequestParams = {}, account: string | null = null) => {
    const reply = ask(method, params, account)
    if (!reply.ok) throw new Error(`${method}: ${JSON.stringify(reply.error)}`)
    return reply.result
  }
  const codeOf = (method: string, params: RequestParams, account: string | null) => {
    const reply = ask(method, params, account)
    return reply.ok ? null : reply.error.code
  }
  const to = (seconds: number): void => {
    advanceTo(desk.exchange, micros(start + seconds * SECOND), desk.sink)
    hub?.flush()
  }
  for (const instrument_name of [perpetual, 'BTC_USDC-PERPETUAL']) {
    ask('sim/list_instrument', { instrument_name })
  }
  ask('sim/set_index', { index_name: 'btc_usd', price: 50_000 })
  ask('sim/set_index', { index_name: 'btc_usdc', price: 50_000 })
  ask('sim/create_account', { name: 'alice' })
  ask('sim/deposit', { account: 'alice', currency: 'BTC', amount: 1 })
  expect(hub.subscribe(who, 'platform_state', null)).toBe(true)
  return { desk, told, states, result, codeOf, to }
}

describe('rule outage.maintenance: what would change anything is refused', () => {
  test('with 11051, queries are answered, orders stay, and controls go on', () => {
    const { desk, told, result, codeOf } = market()
    result('private/buy', bid, 'alice')
    result('sim/set_maintenance', { active: true })
    expect(codeOf('private/buy', bid, 'alice')).toBe(11051)
    expect(codeOf('private/cancel_all', {}, 'alice')).toBe(11051)
    // Before anybody looks at what it says, or who says it.
    expect(codeOf('private/buy', {}, 'nobody')).toBe(11051)
    expect(result('private/get_open_orders', {}, 'alice')).toHaveLength(1)
    result('sim/deposit', { account: 'alice', currency: 'BTC', amount: 1 })
    const copy = restore(snapshot(desk.exchange))
    expect(copy.ok && stateHash(copy.value)).toBe(stateHash(desk.exchange))
    expect(copy.ok && copy.value.outages).toEqual({ isInMaintenance: true, indices: new Map() })
    // Twice is once.
    result('sim/set_maintenance', { active: true })
    result('sim/set_maintenance', { active: false })
    expect(codeOf('private/cancel_all', {}, 'alice')).toBeNull()
    expect(told).toEqual([{ maintenance: true }, { maintenance: false }])
  })
})

describe('rule outage.index: an index publishes nothing', () => {
  test('it keeps its value, and after three minutes its open books are locked until it is back', () => {
    const { desk, told, states, result, codeOf, to } = market()
    const index = () => result('public/get_index_price', { index_name: 'btc_usd' })
    result('sim/set_index_outage', { index_name: 'btc_usd', active: true })
    result('sim/set_index', { index_name: 'btc_usd', price: 51_000 })
    expect(index()).toMatchObject({ index_price: 50_000 })
    to(179)
    expect(codeOf('private/buy', bid, 'alice')).toBeNull()
    const copy = restore(snapshot(desk.exchange))
    if (!copy.ok) throw new Error(copy.error.found)
    expect(stateHash(copy.value)).toBe(stateHash(desk.exchange))
    to(180)
    advanceTo(copy.value, micros(start + 180 * SECOND), { emit: () => undefined })
    expect(stateHash(copy.value)).toBe(stateHash(desk.exchange))
    expect(codeOf('private/buy', bid, 'alice')).toBe(10019)
    expect(states).toEqual(['0 locked'])
    result('sim/set_index_outage', { index_name: 'btc_usd', active: false })
    expect(states).toEqual(['0 locked', '0 open'])
    expect(codeOf('private/buy', bid, 'alice')).toBeNull()
    result('sim/set_index', { index_name: 'btc_usd', price: 51_000 })
    expect(index()).toMatchObject({ index_price: 51_000 })
    expect(told).toEqual([
      { price_index: 'btc_usd', locked: true },
      { price_index: 'btc_usd', locked: false },
    ])
  })

  test('an outage that ended before locks nothing, also where another one has begun', () => {
    const { states, result, to } = market()
    const set = (active: boolean) =>
      result('sim/set_index_outage', { index_name: 'btc_usd', active })
    set(true)
    to(100)
    set(false)
    set(true)
    to(200)
    expect(states).toEqual([])
    to(280)
    expect(states).toEqual(['0 locked'])
  })

  test('what a control has locked or settled meanwhile stays so', () => {
    const { states, result, to } = market()
    result('sim/set_index_outage', { index_name: 'btc_usd', active: true })
    result('sim/set_instrument_state', { instrument_name: perpetual, state: 'locked' })
    to(200)
    result('sim/set_index_outage', { index_name: 'btc_usd', active: false })
    expect(states).toEqual(['0 locked'])
  })

  test('an index that there is not is refused by name', () => {
    const { codeOf } = market()
    expect(codeOf('sim/set_index_outage', { index_name: 'doge_usd', active: true }, null)).toBe(
      -32602,
    )
    expect(codeOf('sim/set_maintenance', {}, null)).toBe(-32602)
  })
})
