/**
 * A venue in a program: its options, its clock, and the types of its methods.
 */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type MethodParams, type MethodResult, methodNames } from '../../../src/gateways/index.ts'
import type { Event } from '../../../src/model/index.ts'
import { openVenue, type Venue, type VenueOptions } from '../../../src/program/index.ts'
import type { VenueError } from '../../../src/rpc/index.ts'
import type { WireOrder } from '../../../src/rpc/wire/orders.ts'
import type { WireUserTrade } from '../../../src/rpc/wire/trades.ts'

const options: VenueOptions = {
  start: '2026-01-05T09:00:00Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 50_000 },
  accounts: { maker: { BTC: 1 }, taker: { BTC: 1, USDC: 5 } },
}

const bid = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 49_500 }

describe('openVenue', () => {
  test('lists, prices, opens and deposits, in this order', () => {
    const events: Event[] = []
    const venue = openVenue({ ...options, sink: { emit: (event) => events.push(event) } })
    const said = new Set(events.filter(({ cause }) => cause > 0).map(({ kind }) => kind))
    said.delete('request')
    expect([...said]).toEqual(['instrument', 'index', 'mark', 'account', 'cash'])
    const summary = venue.as('taker').request('private/get_account_summary', { currency: 'USDC' })
    expect(summary).toMatchObject({ ok: true, result: { balance: 5 } })
  })

  test('with nothing but a time it is an empty exchange', () => {
    const venue = openVenue({ start: '2026-01-05T09:00:00Z' })
    expect(venue.request('public/get_instruments', {})).toMatchObject({ ok: true, result: [] })
  })

  test.each([
    ['a start that is no time', { start: 'today' }, 'a time: expected'],
    ['a start without offset', { start: '2026-01-05T09:00:00' }, 'a time: expected'],
    ['U6 an unknown currency', { accounts: { ann: { BTCC: 1 } } }, 'did you mean BTC?'],
    ['an unknown instrument', { instruments: ['nonsense'] }, 'the venue cannot start: Invalid params'],
    ['an index that is none', { index: { BTC: 1 } }, 'index_name invalid'],
    ['a price that is none', { index: { btc_usd: -1 } }, 'the venue cannot start'],
    ['an account with a dot', { accounts: { 'a.b': {} } }, 'without dots'],
    ['a currency that is none', { accounts: { a: { DOGE: 1 } } }, 'currency unknown_value'],
    ['money that is not there', { accounts: { a: { BTC: -1 } } }, 'expected an amount from 0, found -1'],
  ])('%s: a RangeError that says so', (_title, wrong, message) => {
    expect(() => openVenue({ ...options, ...wrong })).toThrow(RangeError)
    expect(() => openVenue({ ...options, ...wrong })).toThrow(message)
  })

  test('U5 no options: a RangeError that says so', () => {
    for (const none of [undefined, null]) {
      expect(() => openVenue(none as never)).toThrow('openVenue: expected an object of options, found ')
    }
  })
})

describe('the clock of a venue', () => {
  const time = (venue: Venue): unknown => {
    const reply = venue.request('public/get_time', {})
    return reply.ok ? reply.result : reply.error
  }
  const first = 1_767_603_600_000

  test('does not move by itself', () => {
    const venue = openVenue(options)
    expect([time(venue), time(venue)]).toEqual([first, first])
    expect(venue.now).toBe(first * 1000)
  })

  test('waits durations, and moves to times', () => {
    const venue = openVenue(options)
    expect(time(venue.wait('5ms').wait('1.5s'))).toBe(first + 1505)
    expect(time(venue.at('2026-01-05T10:00:02+01:00'))).toBe(first + 2000)
    expect(time(venue.at('2026-01-05T09:00:02Z'))).toBe(first + 2000)
  })

  test('a wait is counted from where sim/advance left the clock', () => {
    const venue = openVenue(options)
    venue.request('sim/advance', { to: first + 10_000 })
    expect(venue.now).toBe((first + 10_000) * 1000)
    expect(time(venue.wait('5ms'))).toBe(first + 10_005)
    expect(() => venue.at('2026-01-05T09:00:05Z')).toThrow('at or after the clock')
  })

  test('V13 sim/advance moves by a duration or to a time, and a request has exactly one of both', () => {
    const venue = openVenue(options).wait('250us')
    expect(venue.request('sim/advance', { by: '1.5s' })).toMatchObject({ ok: true, result: first + 1500 })
    expect(venue.now).toBe(first * 1000 + 1_500_250)
    expect(venue.request('sim/advance', { by: '0s' })).toMatchObject({ ok: true, result: first + 1500 })
    expect(venue.request('sim/advance', { to: first + 2000 })).toMatchObject({ ok: true, result: first + 2000 })
    const refused = [
      [{}, 'to', 'required'],
      [{ to: first + 3000, by: '1s' }, 'by', 'not_with_to'],
      [{ by: '-1s' }, 'by', 'a duration such as'],
      [{ by: '1.5us' }, 'by', 'whole microseconds'],
      [{ by: '104249d' }, 'by', 'too_large'],
    ] as const
    for (const [params, param, problem] of refused) {
      const answer = venue.request('sim/advance', params)
      expect(answer).toMatchObject({ ok: false, error: { code: -32602, data: { param } } })
      expect(JSON.stringify(answer)).toContain(problem)
    }
    expect(venue.now).toBe((first + 2000) * 1000)
  })

  test('never goes back, and names text that it cannot read', () => {
    const venue = openVenue(options).wait('1s')
    expect(() => venue.at('2026-01-05T09:00:00Z')).toThrow(RangeError)
    expect(() => venue.at('soon')).toThrow('a time: expected')
    expect(() => venue.wait('-5ms')).toThrow('a duration: expected')
    expect(() => venue.wait('5')).toThrow(RangeError)
    expect(venue.now).toBe((first + 1000) * 1000)
  })

  test('timers fall due on the way: a day order ends at 08:00', () => {
    const venue = openVenue(options)
    const maker = venue.as('maker')
    maker.request('private/buy', { ...bid, time_in_force: 'good_til_day' })
    venue.wait('23h')
    expect(maker.request('private/get_open_orders', {})).toMatchObject({ result: [] })
  })
})

describe('asking', () => {
  test('requests name their account; an unknown one is unauthorized', () => {
    const venue = openVenue(options)
    const placed = venue.as('maker').request('private/buy', bid)
    const taken = venue.as('taker').request('private/sell', { ...bid, type: 'market' })
    if (!placed.ok || !taken.ok) throw new Error('refused')
    expect(placed.result.order.order_state).toBe('open')
    expect(taken.result.trades.map(({ amount, price }) => [amount, price])).toEqual([[10, 49_500]])
    const nobody = venue.as('nobody').request('private/get_positions', {})
    expect(nobody.ok ? 0 : nobody.error.code).toBe(13009)
  })

  test('two venues are independent', () => {
    const [one, other] = [openVenue(options), openVenue(options)]
    one.as('maker').request('private/buy', bid)
    expect(other.as('maker').request('private/get_open_orders', {})).toMatchObject({ result: [] })
  })
})

describe('methods are typed by name', () => {
  test('parameters', () => {
    const maker = openVenue(options).as('maker')
    expectTypeOf(maker.request<'private/buy'>)
      .parameter(1)
      .toEqualTypeOf<MethodParams<'private/buy'>>()
    expectTypeOf<MethodParams<'private/buy'>['type']>().toEqualTypeOf<
      | 'limit'
      | 'market'
      | 'market_limit'
      | 'stop_limit'
      | 'take_limit'
      | 'stop_market'
      | 'take_market'
      | 'trailing_stop'
      | undefined
    >()
    expectTypeOf<MethodParams<'private/cancel'>>().toEqualTypeOf<{ order_id: string }>()
    const wrong = [
      // @ts-expect-error an amount is a number
      maker.request('private/buy', { ...bid, amount: '10' }),
      // @ts-expect-error an instrument is needed
      maker.request('private/buy', { amount: 10 }),
      // @ts-expect-error there is no such method
      maker.request('private/purchase', bid),
      // @ts-expect-error there is no such type
      maker.request('private/sell', { ...bid, type: 'iceberg' }),
      // @ts-expect-error there is no such currency
      maker.request('private/get_account_summary', { currency: 'DOGE' }),
      // @ts-expect-error a linked order has a direction
      maker.request('private/buy', { ...bid, otoco_config: [{ amount: 10 }] }),
      // @ts-expect-error there is no such depth
      maker.request('public/get_order_book', { instrument_name: 'BTC-PERPETUAL', depth: 7 }),
    ]
    expect(wrong.map(({ ok }) => ok)).toEqual(wrong.map(() => false))
  })

  test('results', () => {
    const maker = openVenue(options).as('maker')
    const placed = maker.request('private/buy', bid)
    // @ts-expect-error a result is there only once `ok` was looked at
    expect(placed.result).toBeDefined()
    if (placed.held !== undefined) throw new Error('held')
    if (!placed.ok) {
      expectTypeOf(placed.error).toEqualTypeOf<VenueError>()
      throw new Error(placed.error.message)
    }
    expectTypeOf(placed.result.order).toEqualTypeOf<WireOrder>()
    expectTypeOf(placed.result.trades).toEqualTypeOf<readonly WireUserTrade[]>()
    expectTypeOf<MethodResult<'private/cancel_by_label'>>().toEqualTypeOf<number>()
    expectTypeOf<MethodResult<'private/cancel_all'>>().toEqualTypeOf<
      number | readonly { readonly order: WireOrder }[]
    >()
    expectTypeOf<MethodResult<'private/get_open_orders'>>().toEqualTypeOf<readonly WireOrder[]>()
    // @ts-expect-error an order has no such field
    expect(placed.result.order.order_number).toBeUndefined()
  })

  test('the table has every method under its scope', () => {
    expect(methodNames.every((name) => /^(?:public|private|sim)\/[a-z_]+(?:\/[a-z_]+)?$/.test(name))).toBe(true)
    expect(new Set(methodNames).size).toBe(methodNames.length)
  })
})
