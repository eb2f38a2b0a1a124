/**
 * How Block RFQs end (cancelled, expired, filled), how they are listed, and ratings of takers.
 * Source: interface document, States and transitions; sessions document 5.1, 5.9, 5.10.
 */
import { describe, expect, test } from 'vitest'
import { call, put } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { RfqVenue } from '../support/rfq-venue.ts'

const cancel = 'private/cancel_block_rfq'
const list = 'private/get_block_rfqs'
const quotes = 'private/get_block_rfq_quotes'

describe('ends', () => {
  test('S117 S170 S260 the taker cancels it: the answer is the whole object, and its quotes end too', () => {
    const m = new RfqVenue()
    m.create()
    m.quote('alpha')
    expect(m.refusal('alpha', cancel, { block_rfq_id: 1 })).toBe('13021 forbidden')
    expect(m.refusal('rival', cancel, { block_rfq_id: 1 })).toMatch(/^(13020|13021) /)
    expect(m.refusal('taker', cancel, { block_rfq_id: 2 })).toBe('13020 not_found')
    expect(m.refusal('taker', cancel, { block_rfq_id: 'one' })).toMatch(/^-32602 Invalid params block_rfq_id /)
    const cancelled = m.result('taker', cancel, { block_rfq_id: 1 })
    expect(cancelled).toMatchObject({ ...{ block_rfq_id: 1, state: 'cancelled', role: 'taker' } })
    expect(cancelled).toEqual(m.seen('taker'))
    expect(m.refusal('taker', cancel, { block_rfq_id: 1 })).toBe('10010 already_closed')
    expect(m.result('alpha', quotes, {})).toEqual([])
    expect(m.seen('alpha').state).toBe('cancelled')
  })

  test('S260 cancelling needs the scope block_rfq:read_write, and queries need block_rfq:read', () => {
    const m = new RfqVenue()
    m.create()
    const reader = { account: 'taker', name: 'reader', scopes: ['block_rfq:read'] }
    m.result(null, 'sim/create_key', reader)
    const writer = { account: 'taker', name: 'writer', scopes: ['block_rfq:read_write'] }
    m.result(null, 'sim/create_key', writer)
    for (const method of [cancel, 'private/cancel_block_rfq_trigger']) {
      expect(m.refusal('taker/reader', method, { block_rfq_id: 1 })).toMatch(/^13021 forbidden/)
    }
    expect(m.result('taker/reader', list, {}).block_rfqs).toHaveLength(1)
    expect(m.result('taker/writer', cancel, { block_rfq_id: 1 }).state).toBe('cancelled')
  })

  test('S115 S117 S178 it expires after five minutes, before requests of the same instant', () => {
    const m = new RfqVenue()
    const { expiration_timestamp } = m.create()
    m.quote('alpha')
    m.grace()
    m.venue.at(new Date(expiration_timestamp - 2).toISOString())
    expect(m.seen('taker')).toMatchObject({ state: 'open', asks: [{ price: 0.05 }] })
    // The request arrives at the instant of the expiry.
    expect(m.refused()).toBe('10010 already_closed')
    expect(m.venue.now / 1000).toBe(expiration_timestamp)
    expect(m.seen('taker')).toMatchObject({ state: 'expired', bids: [], asks: [] })
    expect(m.seen('alpha').state).toBe('expired')
    expect(m.result('alpha', quotes, {})).toEqual([])
    expect(m.refusal('taker', cancel, { block_rfq_id: 1 })).toBe('10010 already_closed')
  })

  test('it is cancelled when a leg or the hedge is no longer open', () => {
    const m = new RfqVenue()
    m.create()
    m.create({
      legs: [{ instrument_name: put, amount: 25, direction: 'buy' }],
      hedge: { instrument_name: 'BTC-PERPETUAL', direction: 'buy', price: 50_000, amount: 1_000 },
    })
    m.quote('alpha')
    m.result(null, 'sim/set_instrument_state', { instrument_name: call, state: 'halted' })
    expect(m.seen('taker').state).toBe('cancelled')
    expect(m.seen('taker', 2).state).toBe('open')
    expect(m.result('alpha', quotes, {})).toEqual([])
    const perpetual = { instrument_name: 'BTC-PERPETUAL' }
    m.result(null, 'sim/set_instrument_state', { ...perpetual, state: 'halted' })
    expect(m.seen('taker', 2).state).toBe('cancelled')
  })

  test('an RFQ that has ended cannot be quoted, changed or accepted', () => {
    const m = new RfqVenue()
    m.create()
    m.quote('alpha')
    m.grace().result('taker', cancel, { block_rfq_id: 1 })
    expect(m.refused()).toBe('10010 already_closed')
    const quote = {
      ...{ block_rfq_id: 1, amount: 25, direction: 'sell' },
      legs: [{ instrument_name: call, ratio: 1, direction: 'buy', price: 0.05 }],
    }
    expect(m.refusal('alpha', 'private/add_block_rfq_quote', quote)).toMatch(/^10010 /)
    expect(m.sizeOf('taker', call)).toBe(0)
  })
})

describe('lists', () => {
  /** Five RFQs: filled, cancelled, expired, two open, the last of another taker. */
  function several(): RfqVenue {
    const m = new RfqVenue()
    m.create({ legs: [{ instrument_name: put, amount: 25, direction: 'buy' }] })
    m.venue.wait('290s')
    m.create()
    m.create()
    m.quote('alpha', { block_rfq_id: 2 })
    m.grace().accept({ block_rfq_id: 2 })
    m.result('taker', cancel, { block_rfq_id: 3 })
    m.venue.wait('10s')
    m.create()
    m.create({}, 'rival')
    return m
  }

  const ids = (m: RfqVenue, account: string, params: Json): number[] =>
    m.result(account, list, params).block_rfqs.map((each: Json) => each.block_rfq_id)

  test('S117 by state, newest first; traded means filled, closed means not open', () => {
    const m = several()
    const of = (state: string): number[] => ids(m, 'taker', { state })
    expect(ids(m, 'taker', {})).toEqual([4, 3, 2, 1])
    expect(of('open')).toEqual([4])
    expect([of('filled'), of('traded')]).toEqual([[2], [2]])
    expect([of('cancelled'), of('expired'), of('closed')]).toEqual([[3], [1], [3, 2, 1]])
  })

  test('S116 by role, currency, id and page', () => {
    const m = several()
    expect(ids(m, 'alpha', {})).toEqual([5, 4, 3, 2, 1])
    expect(ids(m, 'alpha', { role: 'taker' })).toEqual([])
    expect(ids(m, 'taker', { role: 'taker' })).toEqual([4, 3, 2, 1])
    expect(ids(m, 'taker', { role: 'maker' })).toEqual([])
    expect(ids(m, 'rival', {})).toEqual([5])
    expect(ids(m, 'alpha', { block_rfq_id: 3 })).toEqual([3])
    expect(ids(m, 'alpha', { currency: 'ETH' })).toEqual([])
    expect(ids(m, 'alpha', { currency: 'BTC', count: 1 })).toEqual([5])
    const first = m.result('alpha', list, { count: 2 })
    expect(first.continuation).not.toBeNull()
    expect(ids(m, 'alpha', { count: 2, continuation: first.continuation })).toEqual([3, 2])
    const last = m.result('alpha', list, { count: 10, continuation: first.continuation })
    expect(last.continuation).toBeNull()
  })
})

describe('ratings', () => {
  const ratingOf = (m: RfqVenue): unknown =>
    m.result('taker', 'private/get_block_rfq_user_info', {}).users.map((each: Json) => each.taker_rating)[0]

  test('S118 S141 an RFQ counts if it was filled, or if its taker saw a full solution for a second', () => {
    const m = new RfqVenue()
    expect(ratingOf(m)).toBeUndefined()
    // An RFQ without quotes does not count.
    m.create()
    m.grace().result('taker', cancel, { block_rfq_id: 1 })
    expect(m.seen('taker')).toMatchObject({ included_in_taker_rating: false })
    expect(ratingOf(m)).toBeUndefined()
    // Here the taker sees a quote for less than a second.
    m.create()
    m.quote('alpha', { block_rfq_id: 2 })
    m.venue.wait('5800ms')
    m.result('taker', cancel, { block_rfq_id: 2 })
    expect(m.seen('taker', 2)).toMatchObject({ included_in_taker_rating: false })
    // This RFQ is filled.
    m.create()
    m.quote('alpha', { block_rfq_id: 3 })
    m.grace().accept({ block_rfq_id: 3 })
    expect(m.seen('taker', 3)).toMatchObject({ included_in_taker_rating: true })
    expect(m.seen('alpha', 3)).not.toHaveProperty('included_in_taker_rating')
    expect(ratingOf(m)).toBe(100)
    // Here the taker sees a quote for long and does not accept it.
    m.create()
    m.quote('alpha', { block_rfq_id: 4 })
    m.venue.wait('6s')
    expect(m.seen('taker', 4)).not.toHaveProperty('included_in_taker_rating')
    m.result('taker', cancel, { block_rfq_id: 4 })
    expect(m.seen('taker', 4)).toMatchObject({ included_in_taker_rating: true })
    expect(ratingOf(m)).toBe(50)
    expect(m.create().taker_rating).toBe('2-3')
  })

  test('S118 an RFQ stops counting after thirty days', () => {
    const m = new RfqVenue()
    m.create()
    m.quote('alpha')
    m.grace().accept()
    expect(ratingOf(m)).toBe(100)
    m.venue.wait('29d')
    expect(ratingOf(m)).toBe(100)
    m.venue.wait('25h')
    expect(ratingOf(m)).toBeUndefined()
  })
})
