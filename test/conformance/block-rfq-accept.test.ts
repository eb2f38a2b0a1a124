/**
 * Accepting a Block RFQ: matching, hedges, allocations, the resulting block trades, and who may accept when.
 * Source: sessions document 5.3, 5.7; coverage R26, R76.
 */
import { describe, expect, test } from 'vitest'
import { call, put } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { fiveMakers, RfqVenue, usualLeg } from '../support/rfq-venue.ts'

const hedge = { instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 50_000, amount: 1_000 }
const whole = { execution_instruction: 'all_or_none' }

/** A market with an RFQ of 100 calls. */
function hundred(params: Json = {}): RfqVenue {
  const m = new RfqVenue()
  m.create({ legs: [{ instrument_name: call, amount: 100, direction: 'buy' }], ...params })
  return m
}

const all = { amount: 100 }
const sizes = (m: RfqVenue, instrument = call): number[] =>
  ['taker', 'alpha', 'bravo', 'charlie'].map((name) => m.sizeOf(name, instrument))

describe('matching', () => {
  test('S134 several makers share a fill; each trades at its own price, and the last one in part', () => {
    const m = hundred()
    m.quote('alpha', { amount: 60, price: 0.051 })
    m.quote('bravo', { amount: 50, price: 0.05 })
    m.quote('charlie', { amount: 100, price: 0.052 })
    const result = m.grace().accept({ ...all, price: 0.051 })
    expect(result.block_trades).toMatchObject([
      { id: 'BLOCK-1', trades: [{ amount: 50, price: 0.05 }] },
      { id: 'BLOCK-2', trades: [{ amount: 50, price: 0.051 }] },
    ])
    expect(sizes(m)).toEqual([100, -50, -50, 0])
    const { state, trades } = m.seen('taker')
    expect(state).toBe('filled')
    expect(trades).toMatchObject([
      { direction: 'buy', price: 0.05, amount: 50, maker: 'BRAVO2' },
      { direction: 'buy', price: 0.051, amount: 50, maker: 'ALPHA1' },
    ])
  })

  test('several quotes of one maker form one block, each at its own price, before the block of the next maker', () => {
    const m = hundred({ hedge })
    m.quote('alpha', { amount: 40, price: 0.05, hedge })
    m.quote('bravo', { amount: 30, price: 0.051, hedge })
    m.quote('alpha', { amount: 60, price: 0.052, hedge })
    const { block_trades } = m.grace().accept({ ...all, price: 0.052, hedge })
    expect(block_trades.map((each: Json) => each.id)).toEqual(['BLOCK-1', 'BLOCK-2'])
    const [first, second] = block_trades.map((each: Json) =>
      each.trades.map(({ amount, price, block_trade_leg_count: legs }: Json) => {
        return [amount, price, legs]
      }),
    )
    expect(first).toEqual([
      [40, 0.05, 4],
      [400, 50_000, 4],
      [30, 0.052, 4],
      [300, 50_000, 4],
    ])
    expect(second).toEqual([
      [30, 0.051, 2],
      [300, 50_000, 2],
    ])
    expect(m.seen('taker').trades).toMatchObject([
      { amount: 40, price: 0.05 },
      { amount: 30, price: 0.051 },
      { amount: 30, price: 0.052 },
    ])
    expect(sizes(m)).toEqual([100, -70, -30, 0])
    const own = m.result('alpha', 'private/get_block_trades', { block_rfq_id: 1 })
    expect(own).toMatchObject([{ id: 'BLOCK-1' }])
    expect(own[0].trades).toHaveLength(4)
  })

  test('S133 at one price an all_or_none quote comes before any_part_of and fills the amount alone', () => {
    const m = hundred()
    m.quote('alpha', { amount: 100 })
    m.quote('bravo', { amount: 100, ...whole })
    m.grace().accept(all)
    expect(sizes(m)).toEqual([100, 0, -100, 0])
  })

  test('an all_or_none quote is used if it is as good as the worst price of the parts, and not if it is worse', () => {
    for (const [price, expected] of [
      [0.051, [100, 0, 0, -100]],
      [0.0511, [100, -50, -50, 0]],
    ] as const) {
      const m = hundred()
      m.quote('alpha', { amount: 50, price: 0.05 })
      m.quote('bravo', { amount: 50, price: 0.051 })
      m.quote('charlie', { amount: 100, price, ...whole })
      m.grace().accept({ ...all, price: 0.06 })
      expect(sizes(m)).toEqual(expected)
    }
  })

  test('at one price the earlier quote comes first', () => {
    const m = hundred()
    m.quote('bravo', { amount: 100 })
    m.quote('alpha', { amount: 100 })
    m.grace().accept(all)
    expect(sizes(m)).toEqual([100, 0, -100, 0])
  })

  test('a taker who sells trades with the bids, and the maker buys', () => {
    const m = hundred()
    m.quote('alpha', { amount: 100, direction: 'buy', price: 0.05 })
    m.quote('bravo', { amount: 50, direction: 'buy', price: 0.052 })
    m.grace().accept({ ...all, direction: 'sell', price: 0.05 })
    expect(sizes(m)).toEqual([-100, 50, 50, 0])
    expect(m.seen('taker').trades).toMatchObject([
      { direction: 'sell', price: 0.052, amount: 50 },
      { direction: 'sell', price: 0.05, amount: 50 },
    ])
  })

  test('an accept whose amount the quotes within the limit cannot fill is refused and changes nothing', () => {
    const m = hundred()
    m.quote('alpha', { amount: 60 })
    m.quote('bravo', { amount: 60, price: 0.051 })
    m.grace()
    expect(m.refused(all)).toBe('13907 not_fully_filled')
    expect(sizes(m)).toEqual([0, 0, 0, 0])
    expect(m.seen('taker').state).toBe('open')
    m.accept({ ...all, price: 0.051 })
  })

  test('a quote whose maker lacks funds is cancelled, and the other quotes fill the amount', () => {
    const m = new RfqVenue()
    m.create()
    m.result(null, 'sim/deposit', { account: 'poor', currency: 'BTC', amount: 100 })
    m.quote('poor', { price: 0.049 })
    m.quote('alpha', { price: 0.05 })
    m.result(null, 'sim/deposit', { account: 'poor', currency: 'BTC', amount: -100 })
    m.grace()
    expect(m.refused({ price: 0.049 })).toBe('13907 not_fully_filled')
    m.accept({ price: 0.05 })
    expect([m.sizeOf('poor', call), m.sizeOf('alpha', call)]).toEqual([0, -25])
    expect(m.result('poor', 'private/get_block_rfq_quotes', {})).toEqual([])
  })

  test('a taker with insufficient funds is refused', () => {
    const m = new RfqVenue()
    m.result(null, 'sim/deposit', { account: 'rival', currency: 'BTC', amount: -999.9999 })
    m.create({}, 'rival')
    m.quote('alpha')
    m.grace()
    expect(m.refused({}, 'rival')).toMatch(/^10009 not_enough_funds/)
  })
})

describe('who may accept an RFQ, and when', () => {
  test('not within the first five seconds, to the millisecond', () => {
    const m = hundred()
    const made = m.venue.now
    m.quote('alpha', all)
    m.venue.wait('4990ms')
    while ((m.venue.now - made) / 1000 + 1 < 5_000) {
      expect(m.refused(all)).toMatch(/^11030 other_reject.* ?grace_period/)
    }
    expect((m.venue.now - made) / 1000).toBe(4_999)
    m.accept(all)
  })

  test('only its taker, once, while it is open', () => {
    const m = hundred()
    m.quote('alpha', all)
    m.grace()
    expect(m.refused(all, 'rival')).toMatch(/^(13021|13020) /)
    expect(m.refused(all, 'alpha')).toBe('13021 forbidden')
    expect(m.refused({ ...all, block_rfq_id: 2 })).toBe('13020 not_found')
    m.accept(all)
    expect(m.refused(all)).toBe('10010 already_closed')
  })

  test('the amount and the legs must match the RFQ', () => {
    const m = hundred()
    m.quote('alpha', all)
    m.grace()
    expect(m.refused({ amount: 50 })).toMatch(/^11029 invalid_arguments amount/)
    const legs = (change: Json): Json => ({ ...all, legs: [{ ...usualLeg, ...change }] })
    expect(m.refused(legs({ direction: 'sell' }))).toMatch(/^11029 invalid_arguments legs/)
    expect(m.refused(legs({ ratio: 2 }))).toMatch(/^11029 invalid_arguments legs/)
    expect(m.refused(legs({ instrument_name: put }))).toMatch(/^11029 invalid_arguments legs/)
    // A taker who sells names the legs with the same directions.
    m.quote('bravo', { ...all, direction: 'buy', price: 0.04 })
    m.accept({ ...all, direction: 'sell', price: 0.04 })
  })
})

describe('the results of an accept', () => {
  test('S044 S045 S140 each maker has its own block trade, and all trades name the RFQ', () => {
    const m = new RfqVenue()
    m.create({
      legs: [
        { instrument_name: call, amount: 50, direction: 'buy' },
        { instrument_name: put, amount: 25, direction: 'sell' },
      ],
    })
    const legs = [
      { instrument_name: call, ratio: 2, direction: 'buy' },
      { instrument_name: put, ratio: 1, direction: 'sell' },
    ]
    const priced = [
      { ...legs[0], price: 0.05 },
      { ...legs[1], price: 0.04 },
    ]
    expect(m.quote('alpha', { legs: priced }).price).toBe(0.06)
    const result = m.grace().accept({ legs, price: 0.06 })
    expect(result.block_trades).toHaveLength(1)
    const [block] = result.block_trades
    expect(block).toMatchObject({ id: 'BLOCK-1' })
    const marks = { block_rfq_id: 1, block_trade_id: 'BLOCK-1', block_trade_leg_count: 2 }
    expect(block.trades).toMatchObject([
      { instrument_name: call, amount: 50, price: 0.05, liquidity: 'T', ...marks },
      { instrument_name: put, amount: 25, price: 0.04, liquidity: 'T', ...marks },
    ])
    const tape = m.result(null, 'public/get_last_trades_by_instrument', { instrument_name: call })
    expect(tape.trades).toMatchObject([{ direction: 'buy', ...marks }])
    const own = (account: string, instrument_name: string): Json =>
      m.result(account, 'private/get_user_trades_by_instrument', { instrument_name }).trades
    expect(own('alpha', put)).toMatchObject([{ direction: 'buy', liquidity: 'M', ...marks, fee: 0 }])
    expect(own('taker', put)).toMatchObject([{ direction: 'sell', liquidity: 'T', ...marks }])
    expect(sizes(m)).toEqual([50, -50, 0, 0])
    expect(sizes(m, put)).toEqual([-25, 25, 0, 0])
    expect(m.seen('taker').index_prices).toEqual([50_000])
    expect(m.result('alpha', 'private/get_block_trades', { block_rfq_id: 1 })).toMatchObject([{ id: 'BLOCK-1' }])
    expect(m.result('alpha', 'private/get_block_trades', { block_rfq_id: 2 })).toEqual([])
  })

  test('S142 a maker sees its own trade’s alias only', () => {
    const m = hundred()
    m.quote('alpha', { amount: 60 })
    m.quote('bravo', { amount: 40 })
    m.quote('charlie', { amount: 100, price: 0.06 })
    m.grace().accept(all)
    const seen = (account: string): Json => m.seen(account).trades.map(({ amount, maker }: Json) => [amount, maker])
    expect(seen('alpha')).toEqual([
      [60, 'ALPHA1'],
      [40, undefined],
    ])
    expect(seen('bravo')).toEqual([
      [60, undefined],
      [40, 'BRAVO2'],
    ])
    expect(m.seen('charlie').state).toBe('filled')
    expect(JSON.stringify(m.seen('charlie'))).not.toMatch(/ALPHA1|BRAVO2|CHARLIE3/)
  })

  test('S142 S139 in an undisclosed RFQ neither side learns who its counterparty was', () => {
    const m = hundred({ disclosed: false, makers: fiveMakers })
    m.quote('alpha', { amount: 60 })
    m.quote('bravo', { amount: 40 })
    m.grace()
    const result = m.accept(all)
    const { makers, ...taker } = m.seen('taker')
    expect(makers).toEqual(fiveMakers)
    expect(JSON.stringify([taker, result])).not.toMatch(/ALPHA1|BRAVO2|CHARLIE3/)
    expect(JSON.stringify(m.seen('alpha'))).not.toMatch(/BRAVO2|TANGO/)
    const tape = m.result(null, 'public/get_block_rfq_trades', { currency: 'BTC' })
    expect(JSON.stringify(tape)).not.toMatch(/ALPHA1|BRAVO2|TANGO/)
  })

  test('S138 the hedge is split by fills, the largest gets the remainder, and the side follows the taker', () => {
    const m = hundred({ hedge })
    m.quote('alpha', { amount: 33.4, hedge })
    m.quote('bravo', { amount: 33.3, hedge })
    m.quote('charlie', { amount: 33.3, hedge })
    m.grace().accept({ ...all, hedge })
    expect(sizes(m)).toEqual([100, -33.4, -33.3, -33.3])
    expect(sizes(m, 'BTC-PERPETUAL')).toEqual([-1_000, 340, 330, 330])
    const amounts = m.seen('taker').trades.map((each: Json) => each.hedge_amount)
    expect(amounts).toEqual([340, 330, 330])
    const second = hundred({ hedge })
    second.quote('alpha', { ...all, direction: 'buy', hedge })
    second.grace().accept({ ...all, direction: 'sell', hedge })
    expect(sizes(second, 'BTC-PERPETUAL')).toEqual([1_000, -1_000, 0, 0])
  })

  test('S143 allocations book the fill on the named accounts', () => {
    const m = new RfqVenue()
    const legs = [{ instrument_name: call, amount: 100, direction: 'buy' }]
    const trade_allocations = [
      { user_id: m.numberOf('taker'), amount: 33.3 },
      { user_id: m.numberOf('desk'), amount: 66.7 },
    ]
    const rfq = m.create({ legs, trade_allocations })
    expect(rfq.trade_allocations).toMatchObject(trade_allocations)
    expect(m.seen('alpha')).not.toHaveProperty('trade_allocations')
    m.quote('alpha', all)
    m.grace().accept(all)
    expect([...sizes(m), m.sizeOf('desk', call)]).toEqual([33.3, -100, 0, 0, 66.7])
    const own = (account: string): Json =>
      m.result(account, 'private/get_user_trades_by_instrument', { instrument_name: call }).trades
    expect(own('desk')).toMatchObject([{ amount: 66.7, direction: 'buy', liquidity: 'T' }])
    expect(m.seen('alpha')).not.toHaveProperty('trade_allocations')
    expect(JSON.stringify(own('alpha'))).not.toContain('trade_allocations')
  })

  test('the other quotes are cancelled and cannot be edited', () => {
    const m = hundred()
    m.quote('alpha', all)
    m.quote('bravo', { ...all, price: 0.06 })
    m.grace().accept(all)
    expect(m.result('bravo', 'private/get_block_rfq_quotes', {})).toEqual([])
    const edited = {
      ...{ block_rfq_quote_id: 2, amount: 100 },
      legs: [{ ...usualLeg, price: 0.05 }],
    }
    expect(m.refusal('bravo', 'private/edit_block_rfq_quote', edited)).toMatch(/^(10010|13020) /)
  })

  test('the public list of trades shows the RFQ with its legs, prices and marks', () => {
    const m = hundred({ hedge })
    m.quote('alpha', { amount: 60, price: 0.05, hedge })
    m.quote('bravo', { amount: 60, price: 0.051, hedge })
    m.grace().accept({ ...all, price: 0.06, hedge })
    const tape = m.result(null, 'public/get_block_rfq_trades', { currency: 'BTC' })
    expect(tape.continuation).toBeNull()
    expect(tape.block_rfqs).toMatchObject([
      {
        ...{ id: 1, direction: 'buy', amount: 100, combo_id: null },
        legs: [{ instrument_name: call, direction: 'buy', ratio: 1 }],
        trades: [
          { direction: 'buy', price: 0.05, amount: 60 },
          { direction: 'buy', price: 0.051, amount: 40 },
        ],
        hedge,
        index_prices: { btc_usd: 50_000 },
        mark_price: expect.any(Number),
      },
    ])
    expect(m.result(null, 'public/get_block_rfq_trades', { currency: 'ETH' }).block_rfqs).toEqual([])
  })

  test('the public list of trades is read in pages', () => {
    const m = new RfqVenue()
    for (let rfq = 1; rfq <= 3; rfq += 1) {
      m.create()
      m.quote('alpha', { block_rfq_id: rfq })
      m.grace().accept({ block_rfq_id: rfq })
    }
    const page = (params: Json): Json => {
      const { block_rfqs, continuation } = m.result(null, 'public/get_block_rfq_trades', {
        ...{ currency: 'any', count: 2 },
        ...params,
      })
      return { ids: block_rfqs.map((each: Json) => each.id), continuation }
    }
    const first = page({})
    expect(first.ids).toEqual([3, 2])
    expect(first.continuation).toMatch(/^\d+:\d+$/)
    expect(page({ continuation: first.continuation })).toEqual({ ids: [1], continuation: null })
  })
})
