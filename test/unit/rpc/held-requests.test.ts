/**
 * Requests of programs that the speed bump holds: their replies come after time has moved. And mistakes in spelling.
 */
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Asked, type Held, type MethodReply, openVenue, type Venue } from '../../../src/index.ts'

const instrument_name = 'ETH-30JAN26'
const limit = { instrument_name, amount: 5, price: 4000 }
const start = 1_767_603_600_000_000

/** A future behind the speed bump with an offer that takers wait for. */
function bumped(strict = true): Venue {
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument_name],
    index: { eth_usd: 4000 },
    accounts: { maker: { ETH: 10 }, taker: { ETH: 10 } },
    strict,
  })
  venue.as('maker').request('private/sell', { ...limit, amount: 10 })
  return venue
}

/** The request is held, or the test fails. */
function heldOf<M extends 'private/buy'>(asked: Asked<M>): Held<M> {
  if (asked.held === undefined) throw new Error('nothing held it')
  return asked as Held<M>
}

describe('a request that the speed bump holds', () => {
  test('D01 says until when, and its reply is there once time has moved', () => {
    const venue = bumped()
    const held = heldOf(venue.as('taker').request('private/buy', limit))
    expect(held.held).toBeGreaterThan(start)
    expect(held.held).toBeLessThanOrEqual(start + 10_000)
    expect(venue.reply(held.id)).toBeUndefined()
    venue.wait('10ms')
    const reply = venue.reply(held.id)
    expectTypeOf(reply).toEqualTypeOf<MethodReply<'private/buy'> | undefined>()
    expect(reply).toMatchObject({ ok: true, result: { order: { order_state: 'filled' } } })
    const trades = venue.request('public/get_last_trades_by_instrument', { instrument_name })
    expect(trades.ok && trades.result.trades).toMatchObject([{ amount: 5, price: 4000 }])
  })

  test('D01 calls a function at the time of the reply, which may ask in its turn', () => {
    const venue = bumped()
    const reported: [number, boolean][] = []
    const asked = venue.as('taker').request('private/buy', limit, {
      onReply: (reply) => {
        reported.push([venue.now, reply.ok])
        venue.as('taker').request(
          'private/get_open_orders',
          {},
          {
            onReply: ({ ok }) => reported.push([venue.now, ok]),
          },
        )
      },
    })
    const { held } = heldOf(asked)
    expect(reported).toEqual([])
    venue.wait('1s')
    expect(reported).toEqual([
      [held, true],
      [held, true],
    ])
    expect(venue.now).toBe(start + 1_000_000)
  })

  test('D01 with advance the clock moves until the reply is there', () => {
    const venue = bumped()
    const plain = bumped()
    const { held } = heldOf(plain.as('taker').request('private/buy', limit))
    const answered = venue.as('taker').request('private/buy', limit, { advance: true })
    expect(answered.reply).toMatchObject({ ok: true, result: { trades: [{ amount: 5 }] } })
    expect(answered.held).toBeUndefined()
    expect(venue.now).toBe(held)
    // Nothing holds a query, whose type says so.
    expect(venue.as('taker').request('private/get_open_orders', {}).reply).toMatchObject({
      result: [],
    })
  })

  test('D01 an immediate answer is an answer: the reply, and its parts', () => {
    const venue = bumped()
    const asked = venue.as('taker').request('private/buy', { ...limit, price: 3900 })
    expect(asked.held).toBeUndefined()
    expect(JSON.parse(JSON.stringify(asked))).toMatchObject({ reply: { ok: true } })
    expect(asked.ok && asked.result.order.order_state).toBe('open')
    expect(venue.reply(asked.id)).toBeUndefined()
  })
})

describe('misspelt names in a program', () => {
  test('U02 parameters, in lists too, are refused before anything is sent', () => {
    const venue = bumped()
    const before = venue.exchange.lastSequence
    const maker = venue.as('maker')
    const wrong = { ...limit, price: 4001, post_onyl: true } as typeof limit
    expect(() => maker.request('private/buy', wrong)).toThrow(
      'private/buy: post_onyl: expected a parameter of the method, found post_onyl (did you mean post_only?)',
    )
    const linked = { ...limit, otoco_config: [{ direction: 'buy', amuont: 1 }] } as typeof limit
    expect(() => maker.request('private/buy', linked)).toThrow('otoco_config.0.amuont')
    const moved = { advnace: true } as object
    expect(() => maker.request('private/buy', limit, moved)).toThrow('did you mean advance?')
    expect(venue.exchange.lastSequence).toBe(before)
  })

  test('U02 options and settings of a venue', () => {
    const options = { start: '2026-01-05T09:00:00Z' }
    const wrong = { ...options, acounts: { a: { BTC: 1 } } }
    expect(() => openVenue(wrong)).toThrow('found acounts (did you mean accounts?)')
    const config = { priceBand: false } as object
    expect(() => openVenue({ ...options, config })).toThrow('did you mean priceBands?')
    expect(openVenue({ ...wrong, strict: false }).request('public/get_time', {}).ok).toBe(true)
  })

  test('U02 with strict: false the venue ignores unknown names', () => {
    const wrong = { ...limit, price: 3900, post_onyl: true } as typeof limit
    expect(bumped(false).as('taker').request('private/buy', wrong).ok).toBe(true)
  })
})
