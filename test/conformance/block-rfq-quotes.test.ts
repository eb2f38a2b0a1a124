/**
 * Quotes on a Block RFQ: how makers add, edit and cancel them, their limits, and how the taker sees them.
 * Source: interface document, Block RFQ, Quote; sessions document 5.1, 5.5, 5.6.
 */
import { describe, expect, test } from 'vitest'
import { call, put } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { aliases, fiveMakers, future, quoteOf, RfqVenue, usualLeg } from '../support/rfq-venue.ts'

const add = 'private/add_block_rfq_quote'
const edit = 'private/edit_block_rfq_quote'
const cancel = 'private/cancel_block_rfq_quote'
const cancelAll = 'private/cancel_all_block_rfq_quotes'
const list = 'private/get_block_rfq_quotes'

/** A market with an RFQ of 100 calls. Quotes must be for at least 25. */
function hundred(params: Json = {}): RfqVenue {
  const m = new RfqVenue()
  m.create({ legs: [{ instrument_name: call, amount: 100, direction: 'buy' }], ...params })
  return m
}

const priced = (price: number): Json => ({ legs: [{ ...usualLeg, price }] })

describe('a quote', () => {
  test('S131 as its maker sees it, exactly; any_part_of is the default', () => {
    const m = hundred()
    const quote = m.quote('alpha', { amount: 50, label: 'q' })
    const at = m.venue.now / 1000
    expect(quote).toEqual({
      ...{ block_rfq_quote_id: 1, block_rfq_id: 1, creation_timestamp: at },
      ...{ last_update_timestamp: at, quote_state: 'open', execution_instruction: 'any_part_of' },
      ...{ price: 0.05, amount: 50, direction: 'sell', filled_amount: 0, replaced: false },
      legs: [{ ...usualLeg, price: 0.05 }],
      label: 'q',
      expires_at: m.seen('alpha').expiration_timestamp,
    })
    expect(m.result('alpha', list, {})).toEqual([quote])
    expect(m.result('bravo', list, {})).toEqual([])
  })

  test('an edit keeps id, label and creation time, replaces legs and amount, and loses time priority', () => {
    const m = hundred()
    const first = m.quote('alpha', { amount: 100, label: 'q' })
    m.quote('bravo', { amount: 100 })
    const edited = m.result('alpha', edit, {
      ...{ block_rfq_quote_id: 1, amount: 60, ...priced(0.06) },
    })
    expect(edited).toMatchObject({
      ...{ block_rfq_quote_id: 1, label: 'q', creation_timestamp: first.creation_timestamp },
      ...{ last_update_timestamp: m.venue.now / 1000, replaced: true, amount: 60, price: 0.06 },
      legs: [{ ...usualLeg, price: 0.06 }],
    })
    const byLabel = { block_rfq_id: 1, label: 'q', amount: 100, ...priced(0.05) }
    expect(m.result('alpha', edit, byLabel)).toMatchObject({ block_rfq_quote_id: 1, price: 0.05 })
    m.grace().accept({ amount: 100 })
    // Bravo quoted before the edit.
    expect([m.sizeOf('alpha', call), m.sizeOf('bravo', call)]).toEqual([0, -100])
  })

  test('it is cancelled by id, by label, or with all others', () => {
    const m = hundred()
    m.quote('alpha', { label: 'one' })
    m.quote('alpha', { label: 'two' })
    m.quote('alpha', { label: 'three', price: 0.051 })
    expect(m.result('alpha', cancel, { block_rfq_quote_id: 1 })).toMatchObject({
      ...{ quote_state: 'cancelled', quote_state_reason: 'user_request', label: 'one' },
    })
    expect(m.result('alpha', cancel, { block_rfq_id: 1, label: 'two' })).toMatchObject({
      ...{ quote_state: 'cancelled', block_rfq_quote_id: 2 },
    })
    m.create({}, 'rival')
    m.quote('alpha', { block_rfq_id: 2 })
    m.quote('bravo')
    expect(m.result('alpha', cancelAll, { block_rfq_id: 2 })).toBe(1)
    expect(m.result('alpha', cancelAll, { detailed: true })).toMatchObject([
      { block_rfq_quote_id: 3, quote_state: 'cancelled' },
    ])
    expect(m.result('alpha', cancelAll, {})).toBe(0)
    expect(m.result('bravo', list, {})).toHaveLength(1)
    expect(m.refusal('alpha', cancel, { block_rfq_quote_id: 1 })).toMatch(/^(10010|13020) /)
    expect(m.refusal('alpha', cancel, { block_rfq_quote_id: 5 })).toMatch(/^(13020|13021) /)
  })

  test('a maker lists its own quotes, filtered by RFQ, label or id', () => {
    const m = hundred()
    m.create({}, 'rival')
    m.quote('alpha', { label: 'a' })
    m.quote('alpha', { label: 'a', block_rfq_id: 2 })
    m.quote('alpha', { label: 'b', price: 0.051 })
    const ids = (params: Json): number[] => m.result('alpha', list, params).map((each: Json) => each.block_rfq_quote_id)
    expect(ids({}).toSorted()).toEqual([1, 2, 3])
    expect(ids({ block_rfq_id: 1 }).toSorted()).toEqual([1, 3])
    expect(ids({ block_rfq_id: 1, label: 'b' })).toEqual([3])
    expect(ids({ block_rfq_quote_id: 2 })).toEqual([2])
  })

  test('it ends at its own end time, which is never after that of its RFQ', () => {
    const m = hundred()
    const expires_at = m.venue.now / 1000 + 10_000
    m.quote('alpha', { amount: 100, expires_at })
    m.quote('bravo', { amount: 100, price: 0.051, expires_at: expires_at + 900_000 })
    m.grace()
    expect(m.seen('taker').asks).toMatchObject([{ price: 0.05, expiration_timestamp: expires_at }])
    m.venue.at('2026-01-05T09:00:10.300Z')
    expect(m.result('alpha', list, {})).toEqual([])
    const { expiration_timestamp, asks } = m.seen('taker')
    expect(asks).toMatchObject([{ price: 0.051, expiration_timestamp }])
    const late = { expires_at: m.venue.now / 1000 }
    expect(m.refusal('alpha', add, quoteOf(late))).toMatch(/^11029 invalid_arguments expires_at/)
  })
})

describe('limits and crossings', () => {
  test('the price of a quote must agree with the prices of its legs', () => {
    const m = hundred()
    for (const price of [0.0495, 0.0505]) {
      const quote = { ...quoteOf({ amount: 50, ...priced(0.05) }), price }
      expect(m.refusal('alpha', add, quote)).toMatch(/^11029 invalid_arguments price/)
    }
    m.result('alpha', add, { ...quoteOf({ amount: 50, ...priced(0.05) }), price: 0.05 })
  })

  test('S132 all_or_none needs the whole amount, any_part_of between the minimum and the whole', () => {
    const m = hundred()
    const refused = (params: Json): string => m.refusal('alpha', add, quoteOf(params))
    const whole = { execution_instruction: 'all_or_none' }
    expect(refused({ ...whole, amount: 50 })).toMatch(/^11029 invalid_arguments amount/)
    expect(m.quote('alpha', { ...whole, amount: 100 })).toMatchObject(whole)
    expect(refused({ amount: 24.9 })).toMatch(/^(10002|11029) /)
    expect(refused({ amount: 100.1 })).toMatch(/^11029 /)
    expect(refused({ amount: 25.05 })).toMatch(/^(10021|11029) /)
    expect(m.quote('alpha', { amount: 25 }).amount).toBe(25)
  })

  test('a maker may have five quotes on a side and ten on an RFQ', () => {
    const m = hundred()
    for (let count = 0; count < 5; count += 1) m.quote('alpha', { price: (50 + count) / 1000 })
    expect(m.refusal('alpha', add, quoteOf())).toMatch(/^13906 /)
    for (let count = 0; count < 5; count += 1) {
      m.quote('alpha', { price: 0.04, direction: 'buy' })
    }
    expect(m.refusal('alpha', add, quoteOf())).toMatch(/^1390[56] /)
    m.quote('bravo')
    m.result('alpha', cancelAll, {})
    m.quote('alpha')
  })

  test('quotes of one maker may not cross; quotes of different makers may', () => {
    const m = hundred()
    m.quote('alpha', { price: 0.05 })
    const bid = { direction: 'buy', price: 0.05 }
    expect(m.refusal('alpha', add, quoteOf(bid))).toMatch(/^13910 /)
    m.quote('alpha', { ...bid, price: 0.0499 })
    m.quote('bravo', { ...bid, price: 0.06 })
    const over = { block_rfq_quote_id: 2, amount: 25, ...priced(0.0501) }
    expect(m.refusal('alpha', edit, over)).toMatch(/^13910 /)
    expect(m.refusal('alpha', add, quoteOf({ price: 0.0498 }))).toMatch(/^13910 /)
  })

  test('a label is unique among the open quotes of a maker on an RFQ', () => {
    const m = hundred()
    m.quote('alpha', { label: 'q' })
    expect(m.refusal('alpha', add, quoteOf({ label: 'q' }))).toMatch(/^11029 invalid_arguments label/)
    m.quote('bravo', { label: 'q' })
    m.result('alpha', cancel, { block_rfq_id: 1, label: 'q' })
    m.quote('alpha', { label: 'q' })
  })

  test('legs must match the RFQ for quotes of both sides; prices must be on their tick and near the mark', () => {
    const m = hundred()
    const refused = (leg: Json): string =>
      m.refusal('alpha', add, quoteOf({ legs: [{ ...usualLeg, price: 0.05, ...leg }] }))
    expect(refused({ direction: 'sell' })).toMatch(/^11029 invalid_arguments legs/)
    expect(refused({ ratio: 2 })).toMatch(/^11029 invalid_arguments legs/)
    expect(refused({ instrument_name: put })).toMatch(/^11029 invalid_arguments legs/)
    expect(refused({ price: 0.05005 })).toMatch(/^10043 /)
    expect(refused({ price: 0.5 })).toMatch(/^10007 /)
    const none = m.refusal('alpha', add, { ...quoteOf(), legs: [] })
    expect(none).toMatch(/^(11029|-32602) /)
    m.quote('alpha', { direction: 'buy', price: 0.04 })
  })

  test('an account that is no maker, or has insufficient funds, cannot quote', () => {
    const m = hundred()
    expect(m.refusal('rival', add, quoteOf())).toMatch(/^(13021|13020) /)
    expect(m.refusal('taker', add, quoteOf())).toMatch(/^(13021|13020) /)
    expect(m.refusal('poor', add, quoteOf({ amount: 100 }))).toMatch(/^10009 /)
    expect(m.refusal('alpha', add, quoteOf({ block_rfq_id: 7 }))).toMatch(/^13020 /)
  })

  test('the price of a spread of futures stands for its legs; if both are given, they must agree', () => {
    const m = new RfqVenue()
    m.create({
      legs: [
        { instrument_name: future, amount: 200_000, direction: 'buy' },
        { instrument_name: 'BTC-PERPETUAL', amount: 200_000, direction: 'sell' },
      ],
    })
    const legs = [
      { instrument_name: future, ratio: 1, direction: 'buy' },
      { instrument_name: 'BTC-PERPETUAL', ratio: 1, direction: 'sell' },
    ]
    const base = { ...quoteOf(), amount: 200_000 }
    const quote = m.result('alpha', add, { ...base, legs, price: 12.5 })
    expect(quote.price).toBe(12.5)
    const [bought, sold] = quote.legs.map((each: Json) => each.price)
    expect(bought - sold).toBeCloseTo(12.5, 6)
    const both = [
      { ...legs[0], price: 50_010 },
      { ...legs[1], price: 50_000 },
    ]
    expect(m.result('bravo', add, { ...base, legs: both, price: 10 }).price).toBe(10)
    expect(m.refusal('bravo', add, { ...base, legs: both, price: 11 })).toMatch(/^11029 invalid_arguments price/)
  })
})

describe('the taker’s view', () => {
  test('S123 S129 S130 no quotes for five seconds, then the best full solution of each side', () => {
    const m = hundred()
    const soon = m.venue.now / 1000 + 60_000
    m.quote('alpha', { amount: 60, price: 0.051, expires_at: soon })
    m.quote('bravo', { amount: 60, price: 0.05 })
    m.quote('charlie', { amount: 100, price: 0.04, direction: 'buy' })
    m.quote('delta', { amount: 60, price: 0.045, direction: 'buy' })
    expect(m.seen('taker')).toMatchObject({ bids: [], asks: [] })
    m.grace()
    const { asks, bids, expiration_timestamp } = m.seen('taker')
    expect(asks).toMatchObject([
      {
        ...{ maker: 'BRAVO2', makers: ['BRAVO2', 'ALPHA1'], price: 0.051, amount: 100 },
        ...{ execution_instruction: 'any_part_of', expiration_timestamp: soon, expires_at: soon },
        last_update_timestamp: expect.any(Number),
      },
    ])
    expect(bids).toMatchObject([
      {
        maker: 'DELTA4',
        makers: ['DELTA4', 'CHARLIE3'],
        price: 0.04,
        amount: 100,
        expiration_timestamp,
      },
    ])
    expect(m.seen('alpha')).not.toHaveProperty('asks')
  })

  test('S123 quotes that do not fill the whole amount are not shown', () => {
    const m = hundred()
    m.quote('alpha', { amount: 60 })
    m.grace()
    expect(m.seen('taker')).toMatchObject({ bids: [], asks: [] })
    m.quote('bravo', { amount: 40, price: 0.06 })
    expect(m.seen('taker').asks).toMatchObject([{ price: 0.06 }])
  })

  test('S128 S129 makers of an undisclosed RFQ are anonymous', () => {
    const m = hundred({ disclosed: false, makers: fiveMakers })
    m.quote('alpha', { amount: 100 })
    m.grace()
    expect(m.seen('taker').asks).toMatchObject([{ maker: 'ANONYMOUS', makers: ['ANONYMOUS'] }])
  })

  test('S131 S133 the execution instruction shown belongs to the quote that would trade', () => {
    const m = hundred()
    m.quote('alpha', { amount: 100 })
    m.quote('bravo', { amount: 100, execution_instruction: 'all_or_none' })
    m.grace()
    expect(m.seen('taker').asks).toMatchObject([{ maker: aliases.bravo, execution_instruction: 'all_or_none' }])
  })
})
