/**
 * Outages that controls begin and end: maintenance of the venue, indices that publish nothing, and the channel that
 * reports them. Source: market.md 3.1; sessions document 1.2, 3.4.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { advanceTo, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import { defaultConfig } from '../../src/model/index.ts'
import {
  createDesk,
  ownMethods,
  type RequestParams,
  type Subscriber,
  Subscriptions,
  submit,
  type VenueReply,
} from '../../src/rpc/index.ts'

const start = micros(1_767_603_600_000_000)
const SECOND = 1_000_000
const perpetual = 'BTC-PERPETUAL'
const bid = { instrument_name: perpetual, amount: 100, price: 49_000 }

/** Ten minutes before the daily settlement: books settle from 600 s to 660 s. */
const morning = { start: micros(start - 70 * 60 * SECOND), settlementTime: 60 * SECOND }

/** A desk whose clock the test moves, with a listener of the platform's state. */
function market(day: { readonly start: number; readonly settlementTime: number } | null = null) {
  const from = micros(day?.start ?? start)
  const usual = defaultConfig(from)
  const config = { ...usual, settlementTime: micros(day?.settlementTime ?? usual.settlementTime) }
  const subscriptionsOf: Subscriptions[] = []
  const states: string[] = []
  const watch = {
    emit: (event: Parameters<Subscriptions['events']['emit']>[0]) => {
      for (const subscriptions of subscriptionsOf) subscriptions.events.emit(event)
      if (event.kind === 'state') states.push(`${event.instrument} ${event.state}`)
    },
  }
  const sink = { emit: () => undefined }
  const desk = createDesk({ config, controls: true, methods: ownMethods, watch }, sink)
  const channelSubscriptions = new Subscriptions(desk)
  subscriptionsOf.push(channelSubscriptions)
  const reported: unknown[] = []
  const who: Subscriber = {
    link: 1,
    account: -1,
    allows: () => true,
    send: (text) => reported.push(JSON.parse(text).params.data),
  }
  const ask = (method: string, params: RequestParams = {}, account: string | null = null): VenueReply => {
    let reply: VenueReply | undefined
    const request = { time: desk.exchange.now, method, params, account, session: 0 }
    submit(desk, request, (given) => {
      reply = given
    })
    for (const each of subscriptionsOf) each.flush()
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
    advanceTo(desk.exchange, micros(from + seconds * SECOND), desk.sink)
    for (const each of subscriptionsOf) each.flush()
  }
  const outage = (active: boolean) => result('sim/set_index_outage', { index_name: 'btc_usd', active })
  const control = (state: string) => result('sim/set_instrument_state', { instrument_name: perpetual, state })
  const stateOf = (instrument_name: string) =>
    (result('public/ticker', { instrument_name }) as { readonly state: string }).state
  /** Another listener of the platform's state, which subscribes now. */
  const listen = (): unknown[] => {
    const heard: unknown[] = []
    const late = new Subscriptions(desk)
    const send = (text: string) => heard.push(JSON.parse(text).params.data)
    late.subscribe({ ...who, send }, 'platform_state', null)
    subscriptionsOf.push(late)
    return heard
  }
  for (const instrument_name of [perpetual, 'BTC_USDC-PERPETUAL']) {
    ask('sim/list_instrument', { instrument_name })
  }
  ask('sim/set_index', { index_name: 'btc_usd', price: 50_000 })
  ask('sim/set_index', { index_name: 'btc_usdc', price: 50_000 })
  ask('sim/create_account', { name: 'alice' })
  ask('sim/deposit', { account: 'alice', currency: 'BTC', amount: 1 })
  expect(channelSubscriptions.subscribe(who, 'platform_state', null)).toBe(true)
  return { desk, reported, states, result, codeOf, to, outage, control, stateOf, listen }
}

describe('rule outage.maintenance: requests that would change anything are refused', () => {
  test('with 11051; queries are answered, orders stay, and controls work', () => {
    const { desk, reported, result, codeOf } = market()
    result('private/buy', bid, 'alice')
    result('sim/set_maintenance', { active: true })
    expect(codeOf('private/buy', bid, 'alice')).toBe(11051)
    expect(codeOf('private/cancel_all', {}, 'alice')).toBe(11051)
    // The refusal comes before the check of parameters and of the account.
    expect(codeOf('private/buy', {}, 'nobody')).toBe(11051)
    expect(result('private/get_open_orders', {}, 'alice')).toHaveLength(1)
    result('sim/deposit', { account: 'alice', currency: 'BTC', amount: 1 })
    const copy = restore(snapshot(desk.exchange))
    expect(copy.ok && stateHash(copy.value)).toBe(stateHash(desk.exchange))
    expect(copy.ok && copy.value.outages).toEqual({
      isInMaintenance: true,
      isPublicClosed: false,
      indices: new Map(),
    })
    // A second call changes nothing.
    result('sim/set_maintenance', { active: true })
    result('sim/set_maintenance', { active: false })
    expect(codeOf('private/cancel_all', {}, 'alice')).toBeNull()
    expect(reported).toEqual([{ maintenance: true }, { maintenance: false }])
  })
})

describe('rule outage.index: an index publishes nothing', () => {
  test('its value stays; after three minutes its open books are locked until it publishes again', () => {
    const { desk, reported, states, result, codeOf, to } = market()
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
    expect(reported).toEqual([
      { price_index: 'btc_usd', locked: true },
      { price_index: 'btc_usd', locked: false },
    ])
  })

  test('the timer of an ended outage locks nothing, even if another outage has begun', () => {
    const { reported, states, to, outage } = market()
    outage(true)
    to(100)
    outage(false)
    // The end of the outage is not reported either.
    expect(reported).toEqual([])
    outage(true)
    to(200)
    expect(states).toEqual([])
    to(280)
    expect(states).toEqual(['0 locked'])
    expect(reported).toEqual([{ price_index: 'btc_usd', locked: true }])
  })

  test('a client that subscribes during a lock receives its end; a short outage sends nothing', () => {
    const { to, outage, listen } = market()
    outage(true)
    to(100)
    const early = listen()
    to(200)
    const late = listen()
    outage(false)
    outage(true)
    outage(false)
    expect(early).toEqual([
      { price_index: 'btc_usd', locked: true },
      { price_index: 'btc_usd', locked: false },
    ])
    expect(late).toEqual([{ price_index: 'btc_usd', locked: false }])
  })

  test.each([
    [100, ['0 locked']],
    [179, ['0 locked']],
    // The outage has already locked the book, and now the control locks it too.
    [180, ['0 locked']],
    [360, ['0 locked']],
  ])('a book that a control locks after %d s stays locked', (at, expected) => {
    const { states, to, outage, control } = market()
    outage(true)
    to(at)
    control('locked')
    to(420)
    outage(false)
    expect(states).toEqual(expected)
  })

  test('a book that a control opens during the outage opens, and the end of the outage does not open it again', () => {
    const { states, to, outage, control } = market()
    outage(true)
    to(200)
    control('open')
    control('halted')
    outage(false)
    expect(states).toEqual(['0 locked', '0 open', '0 halted'])
  })

  test('an instrument that is listed during the outage is locked once the index is stale', () => {
    const { desk, states, result, to, outage } = market()
    const list = (instrument_name: string) => result('sim/list_instrument', { instrument_name })
    outage(true)
    to(179)
    list('BTC-9JAN26')
    expect(states).toEqual([])
    to(200)
    list('BTC-16JAN26')
    list('ETH-PERPETUAL')
    expect(states).toEqual(['0 locked', '2 locked', '3 locked'])
    const copy = restore(snapshot(desk.exchange))
    expect(copy.ok && stateHash(copy.value)).toBe(stateHash(desk.exchange))
    outage(false)
    expect(states.slice(3)).toEqual(['0 open', '2 open', '3 open'])
  })

  test('a combo that reopens during the outage is locked until the index publishes again', () => {
    const { states, result, to, outage } = market()
    const name = 'BTC-FS-16JAN26_PERP'
    const combo = () =>
      result(
        'private/create_combo',
        {
          trades: [
            { instrument_name: 'BTC-16JAN26', amount: 10, direction: 'buy' },
            { instrument_name: perpetual, amount: 10, direction: 'sell' },
          ],
        },
        'alice',
      )
    const set = (instrument_name: string, state: string) =>
      result('sim/set_instrument_state', { instrument_name, state })
    result('sim/list_instrument', { instrument_name: 'BTC-16JAN26' })
    expect(combo()).toMatchObject({ id: name })
    set(name, 'inactive')
    outage(true)
    to(200)
    // A combo opens only if its legs are open.
    set(perpetual, 'open')
    set('BTC-16JAN26', 'open')
    states.length = 0
    combo()
    expect(states).toEqual(['3 open', '3 locked'])
    outage(false)
    expect(states.slice(2)).toEqual(['3 open'])
  })

  test.each([599, 600, 601, 605, 630, 660, 661])(
    'a book that was locked before its settlement is open if the index publishes again at %d s',
    (back) => {
      const { states, result, to, outage, stateOf } = market(morning)
      result('sim/list_instrument', { instrument_name: 'BTC-5JAN26' })
      to(60)
      outage(true)
      to(back)
      outage(false)
      to(900)
      expect(stateOf(perpetual)).toBe('open')
      expect(states.filter((state) => state.startsWith('0 ')).at(-1)).toBe('0 open')
      // A delivered book stays delivered.
      expect(states.filter((state) => state.startsWith('2 ')).at(-1)).toBe('2 delivered')
    },
  )

  test.each([
    [620, 630, 'open', 'open'],
    [620, 700, 'locked', 'open'],
    [660, 700, 'locked', 'open'],
  ])('stale at %d s while its books settle, publishing again at %d s: then %s and %s', (...of) => {
    const [stale, back, after, end] = of
    const { desk, to, outage, stateOf } = market(morning)
    to(stale - 180)
    outage(true)
    to(stale)
    if (stale < 660) expect(stateOf(perpetual)).toBe('settlement')
    to(Math.min(back, 661))
    const copy = restore(snapshot(desk.exchange))
    expect(copy.ok && stateHash(copy.value)).toBe(stateHash(desk.exchange))
    if (back < 661) outage(false)
    to(661)
    expect(stateOf(perpetual)).toBe(after)
    to(Math.max(back, 661))
    outage(false)
    expect(stateOf(perpetual)).toBe(end)
  })

  test.each<[string, readonly string[], string, string]>([
    ['locked before', ['locked'], 'locked', 'locked'],
    ['said to be locked while it settles', ['', 'locked'], 'locked', 'locked'],
    ['said to settle while it does', ['', 'settlement'], 'locked', 'open'],
    ['opened, and settled again', ['', 'open', 'settlement'], 'open', 'open'],
  ])('a book that is %s: a control overrides the outage', (_title, [before = '', ...then], after, end) => {
    const { to, outage, control, stateOf } = market(morning)
    outage(true)
    to(300)
    if (before !== '') control(before)
    to(610)
    for (const state of then) control(state)
    to(700)
    expect(stateOf(perpetual)).toBe(after)
    outage(false)
    expect(stateOf(perpetual)).toBe(end)
  })

  test('an instrument that is listed during the settlement opens at the end of the outage', () => {
    const { result, to, outage, stateOf } = market(morning)
    const instrument_name = 'BTC-16JAN26'
    outage(true)
    to(610)
    result('sim/list_instrument', { instrument_name })
    expect(stateOf(instrument_name)).toBe('settlement')
    to(700)
    expect(stateOf(instrument_name)).toBe('locked')
    outage(false)
    expect(stateOf(instrument_name)).toBe('open')
  })

  test('an unknown index is refused by name', () => {
    const { codeOf } = market()
    expect(codeOf('sim/set_index_outage', { index_name: 'doge_usd', active: true }, null)).toBe(-32602)
    expect(codeOf('sim/set_maintenance', {}, null)).toBe(-32602)
  })
})
