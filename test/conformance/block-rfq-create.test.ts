/**
 * Creating a Block RFQ: the object, which account sees which fields, and which requests are refused.
 * Source: interface document, Block RFQ; sessions document 5.1-5.4; coverage R46, R55.
 */
import { describe, expect, test } from 'vitest'
import { call, put, START } from '../support/block-market.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { aliases, fiveMakers, future, makers, RfqVenue } from '../support/rfq-venue.ts'

const create = 'private/create_block_rfq'
const leg = (instrument_name: string, amount: number, direction = 'buy'): Json => ({
  ...{ instrument_name, amount, direction },
})
const hedge = { instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 50_000, amount: 1_000 }

describe('the object of an RFQ', () => {
  test('S115 S116 S117 S120 S121 S123 S127 S128 as the taker sees it, exactly', () => {
    const m = new RfqVenue()
    const rfq = m.create()
    const at = m.venue.now / 1000
    expect(rfq).toEqual({
      ...{ block_rfq_id: 1, creation_timestamp: at, expiration_timestamp: at + 300_000 },
      ...{ role: 'taker', state: 'open', amount: 25, min_trade_amount: 25, combo_id: null },
      ...{ legs: [{ instrument_name: call, ratio: 1, direction: 'buy' }], disclosed: true },
      ...{ taker: 'TANGO', taker_rating: '0-1', makers: [], bids: [], asks: [] },
      mark_price: expect.any(Number),
    })
    expect(m.seen('taker')).toEqual(rfq)
    const second = m.create()
    expect(second.block_rfq_id).toBe(2)
    expect(Number.isInteger(at) && at > START).toBe(true)
  })

  test('S116 S119 S125 S126 S135 a maker sees neither targets, label, app, quotes nor allocations', () => {
    const m = new RfqVenue()
    m.result(null, 'sim/create_key', { account: 'taker', name: 'app', app_name: 'blotter' })
    const asked = { label: 'mine', makers: ['ALPHA1', 'BRAVO2'] }
    const rfq = m.create(asked, 'taker/app')
    expect(rfq).toMatchObject({ ...asked, app_name: 'blotter' })
    m.quote('alpha')
    m.grace()
    const { taker_rating, ...seen } = m.seen('alpha')
    const { creation_timestamp, expiration_timestamp, mark_price } = rfq
    expect(seen).toEqual({
      ...{ block_rfq_id: 1, creation_timestamp, expiration_timestamp, role: 'maker' },
      ...{ state: 'open', amount: 25, min_trade_amount: 25, combo_id: null, mark_price },
      ...{ legs: [{ instrument_name: call, ratio: 1, direction: 'buy' }], disclosed: true },
      taker: 'TANGO',
    })
    expect(taker_rating).toBe('0-1')
    // A maker who is not among the targets does not see the RFQ.
    expect(m.seen('charlie')).toBeUndefined()
    expect(m.seen('rival')).toBeUndefined()
    const quoted = m.refusal('charlie', 'private/add_block_rfq_quote', {
      ...{ block_rfq_id: 1, amount: 25, direction: 'sell' },
      legs: [{ instrument_name: call, ratio: 1, direction: 'buy', price: 0.05 }],
    })
    expect(quoted).toMatch(/^(13020|13021) /)
  })

  test('S120 S122 the amount of several legs is their greatest common divisor, and their ratios are integers', () => {
    const m = new RfqVenue()
    const rfq = m.create({ legs: [leg(call, 75), leg(put, 50, 'sell')] })
    expect(rfq.amount).toBe(25)
    expect(rfq.legs).toEqual([
      { instrument_name: call, ratio: 3, direction: 'buy' },
      { instrument_name: put, ratio: 2, direction: 'sell' },
    ])
    const odd = m.create({ legs: [leg('BTC-PERPETUAL', 200_010), leg(future, 200_000, 'sell')] })
    expect(odd.amount).toBe(10)
    expect(odd.legs.map((each: Json) => each.ratio)).toEqual([20_001, 20_000])
  })

  test('S121 the smallest amount lets each leg reach its block minimum', () => {
    const m = new RfqVenue()
    const least = (...legs: Json[]): number => m.create({ legs }).min_trade_amount
    expect(least(leg(call, 100))).toBe(25)
    expect(least(leg(call, 100), leg(put, 200))).toBe(25)
    // 3 x 8.4 = 25.2 is the first multiple of the step that reaches 25.
    expect(least(leg(call, 90), leg(put, 150))).toBe(8.4)
    expect(least(leg('BTC-PERPETUAL', 600_000))).toBe(200_000)
    expect(m.refusal('taker', create, { legs: [leg(call, 24.9)] })).toMatch(/^10002 /)
    expect(m.refusal('taker', create, { legs: [leg(call, 25.05)] })).toMatch(/^10021 /)
  })

  test('S124 legs of a listed combo show its id', () => {
    const m = new RfqVenue()
    const trades = [leg(call, 1), leg(put, 1, 'sell')]
    const { id } = m.result('rival', 'private/create_combo', { trades })
    expect(m.create({ legs: [leg(call, 25), leg(put, 25, 'sell')] }).combo_id).toBe(id)
    expect(m.create({ legs: [leg(call, 25), leg(put, 50, 'sell')] }).combo_id).toBeNull()
  })

  test('S125 S311 R46 a label has 64 code points at most', () => {
    const m = new RfqVenue()
    const label = '😀'.repeat(64)
    expect(m.create({ label }).label).toBe(label)
    expect(m.refusal('taker', create, { legs: [leg(call, 25)], label: `${label}x` })).toMatch(
      /^-32602 Invalid params label /,
    )
  })

  test('S127 R55 mark_price is the price of the legs at their marks, until the fill replaces it', () => {
    const m = new RfqVenue()
    m.result(null, 'sim/set_mark', { instrument_name: call, price: 0.05 })
    m.result(null, 'sim/set_mark', { instrument_name: put, price: 0.04 })
    const legs = [leg(call, 50), leg(put, 25, 'sell')]
    expect(m.create({ legs }).mark_price).toBe(0.06)
    m.result(null, 'sim/set_mark', { instrument_name: call, price: 0.06 })
    expect(m.seen('alpha').mark_price).toBe(0.06)
    const quoted = [
      { instrument_name: call, ratio: 2, direction: 'buy' },
      { instrument_name: put, ratio: 1, direction: 'sell' },
    ]
    const priced = quoted.map((each, at) => ({ ...each, price: [0.06, 0.04][at] }))
    m.quote('alpha', { legs: priced })
    m.grace().accept({ legs: quoted, price: 0.08 })
    expect(m.seen('taker').mark_price).toBe(0.08)
    expect(m.seen('alpha').mark_price).toBe(0.08)
  })

  test('S138 both sides see the hedge as the taker requested it', () => {
    const m = new RfqVenue()
    expect(m.create({ hedge }).hedge).toEqual(hedge)
    expect(m.seen('alpha').hedge).toEqual(hedge)
  })

  test('S128 S139 an undisclosed RFQ shows no alias of the taker, and must ask at least five makers or all', () => {
    const m = new RfqVenue()
    const hidden = { disclosed: false }
    const few = { ...{ legs: [leg(call, 25)] }, ...hidden, makers: fiveMakers.slice(1) }
    expect(m.refusal('taker', create, few)).toMatch(/^11029 invalid_arguments/)
    for (const asked of [hidden, { ...hidden, makers: fiveMakers }]) {
      const rfq = m.create(asked)
      expect(rfq).toMatchObject({ disclosed: false })
      expect(rfq).not.toHaveProperty('taker')
      expect(m.seen('alpha', rfq.block_rfq_id)).not.toHaveProperty('taker')
      expect(m.seen('alpha', rfq.block_rfq_id)).toMatchObject({ disclosed: false })
    }
  })
})

describe('makers', () => {
  test('the list shows the aliases of makers, and each user sees its own role', () => {
    const m = new RfqVenue()
    const listed = m.result('taker', 'private/get_block_rfq_makers', {})
    expect(listed.toSorted()).toEqual([...fiveMakers, 'POOR6'].toSorted())
    const info = m.result('alpha', 'private/get_block_rfq_user_info', {})
    expect(info.parent).toMatchObject({ identity: 'ALPHA1', is_maker: true })
    expect(info.users).toMatchObject([{ identity: 'ALPHA1', is_maker: true }])
    const taker = m.result('taker', 'private/get_block_rfq_user_info', {})
    expect(taker.parent).toMatchObject({ is_maker: false })
    expect(taker.users).toHaveLength(2)
  })

  test('S119 an RFQ without targets asks all makers; the taker‘s own accounts cannot be targets', () => {
    const m = new RfqVenue()
    m.party('desk', { maker: true, maker_alias: 'OWN' })
    m.create()
    for (const name of makers) expect(m.seen(name)).toMatchObject({ role: 'maker' })
    expect(m.result('taker', 'private/get_block_rfq_makers', {})).not.toContain('OWN')
    for (const alias of ['OWN', 'NOBODY']) {
      const asked = { legs: [leg(call, 25)], makers: ['ALPHA1', alias] }
      expect(m.refusal('taker', create, asked)).toMatch(/^11029 invalid_arguments makers/)
    }
  })

  test('self-match prevention covers one owner’s accounts: a taker neither sees nor accepts their quotes', () => {
    for (const prevents of [false, true]) {
      const m = new RfqVenue()
      m.party('desk', { maker: true, maker_alias: 'OWN' })
      m.result('taker', 'private/set_self_trading_config', {
        ...{ mode: 'reject_taker', extended_to_subaccounts: false },
        block_rfq_self_match_prevention: prevents,
      })
      m.create()
      m.quote('desk', { price: 0.049 })
      m.quote('alpha', { price: 0.05 })
      m.grace()
      expect(m.seen('taker').asks).toMatchObject([{ price: prevents ? 0.05 : 0.049 }])
      if (prevents) expect(m.refused({ price: 0.049 })).toBe('13907 not_fully_filled')
      m.accept()
      const sizes = ['taker', 'desk', 'alpha'].map((name) => m.sizeOf(name, call))
      expect(sizes).toEqual(prevents ? [25, 0, -25] : [25, -25, 0])
    }
  })
})

describe('requests that are refused', () => {
  const refusedBy = (m: RfqVenue, params: Json): string => m.refusal('taker', create, params)

  test('legs in several quote currencies, the same instrument twice, combos, and instruments that are not open', () => {
    const m = new RfqVenue()
    const mixed = [leg(call, 25), leg('BTC-PERPETUAL', 200_000)]
    expect(refusedBy(m, { legs: mixed })).toMatch(/^11029 invalid_arguments legs/)
    const twice = [leg(call, 25), leg(call, 25, 'sell')]
    expect(refusedBy(m, { legs: twice })).toMatch(/^11029 invalid_arguments legs/)
    const trades = [leg(call, 1), leg(put, 1, 'sell')]
    const { id } = m.result('rival', 'private/create_combo', { trades })
    expect(refusedBy(m, { legs: [leg(id, 25)] })).toMatch(/^10020 /)
    expect(refusedBy(m, { legs: [leg('BTC-NOWHERE', 25)] })).toMatch(/^13020 /)
    m.result(null, 'sim/set_instrument_state', { instrument_name: call, state: 'halted' })
    expect(refusedBy(m, { legs: [leg(call, 25)] })).toMatch(/^10012 /)
  })

  test('S138 a hedge that does not match the legs', () => {
    const m = new RfqVenue()
    const refused = (change: Json): string => refusedBy(m, { legs: [leg(call, 25)], hedge: { ...hedge, ...change } })
    expect(refused({ instrument_name: 'ETH-PERPETUAL', price: 2_500 })).toMatch(/^11029 invalid_arguments hedge/)
    expect(refused({ instrument_name: put, price: 0.05, amount: 25 })).toMatch(/^11029 /)
    expect(refused({ price: 50_000.005 })).toMatch(/^10043 /)
    expect(refused({ price: 55_000.01 })).toMatch(/^10007 /)
    expect(refused({ price: 44_999.99 })).toMatch(/^10005 /)
    expect(refused({ amount: 1_005 })).toMatch(/^10021 /)
    // The block minimum does not apply to a hedge.
    expect(m.create({ hedge: { ...hedge, amount: 10 } }).hedge.amount).toBe(10)
  })

  test('more than 25 open RFQs of one taker', () => {
    const m = new RfqVenue()
    for (let count = 0; count < 25; count += 1) m.create()
    expect(refusedBy(m, { legs: [leg(call, 25)] })).toBe('13907 too_many_open_block_rfqs')
    m.create({}, 'rival')
    m.result('taker', 'private/cancel_block_rfq', { block_rfq_id: 7 })
    expect(m.create().block_rfq_id).toBe(27)
  })

  test('S143 allocations that do not sum to the amount, or name an account that the taker does not own', () => {
    const m = new RfqVenue()
    const refused = (trade_allocations: Json): string => refusedBy(m, { legs: [leg(call, 25)], trade_allocations })
    const own = { user_id: m.numberOf('taker') }
    expect(refused([{ ...own, amount: 24.9 }])).toMatch(/^11029 invalid_arguments trade_alloc/)
    expect(refused([{ user_id: m.numberOf('rival'), amount: 25 }])).toMatch(/^11029 invalid_arguments /)
    expect(refused([{ amount: 25 }])).toMatch(/^-32602 Invalid params trade_allocations/)
  })
})

test('only aliases that were set name makers', () => {
  const m = new RfqVenue()
  m.create({ makers: [aliases.echo] })
  expect(m.seen('echo')).toBeDefined()
  expect(m.seen('alpha')).toBeUndefined()
})

describe('A2 a leg whose mark price is missing or tiny', () => {
  const instrument_name = 'ETH_USDC-PERPETUAL'
  const ask = (m: DeskMarket, amount: number): string =>
    m.refusal('alice', 'private/create_block_rfq', {
      legs: [{ instrument_name, amount, direction: 'buy' }],
    })

  test.each([1, 100, 800_000])('if a leg has no mark, the refusal asks to try again: %d', (amount) => {
    const m = deskMarket()
    m.result(null, 'sim/list_instrument', { instrument_name })
    expect(ask(m, amount)).toBe('10040 retry')
  })

  test('at the smallest mark no amount reaches the minimum value', () => {
    const m = deskMarket({ instruments: [instrument_name], index: { eth_usdc: 3000 } })
    m.result(null, 'sim/set_mark', { instrument_name, price: 0.000000001 })
    expect(ask(m, 100)).toBe('10021 invalid_amount')
  })
})

test('house.rounding receives neither money nor positions from outside, because audits would count them', () => {
  const m = deskMarket()
  const account = 'house.rounding'
  const words = '-32602 Invalid params account controls cannot change the rounding account'
  expect(m.refusal(null, 'sim/deposit', { account, currency: 'BTC', amount: 1 })).toBe(words)
  const position = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 50_000 }
  expect(m.refusal(null, 'sim/give_position', { account, ...position })).toBe(words)
})
