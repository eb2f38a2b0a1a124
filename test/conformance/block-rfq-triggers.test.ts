/**
 * Triggers of a Block RFQ, which rest until quotes fill them.
 * Source: interface document, trade_trigger; sessions document 5.8; coverage R55.
 */
import { describe, expect, test } from 'vitest'
import { call } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { RfqVenue, usualLeg } from '../support/rfq-venue.ts'

const rests = { time_in_force: 'good_til_cancelled' }
const takeBack = 'private/cancel_block_rfq_trigger'

/** A market with an RFQ whose first five seconds are over. */
function waiting(): RfqVenue {
  const m = new RfqVenue()
  m.create()
  return m.grace()
}

describe('a trigger', () => {
  test('S135 S137 it rests if no quotes fill it, and only its taker sees it', () => {
    const m = waiting()
    m.quote('alpha', { price: 0.051 })
    expect(m.accept(rests)).toEqual({
      ...{ block_trades: [] },
      trade_trigger: { state: 'untriggered', price: 0.05, direction: 'buy' },
    })
    expect(m.seen('taker').trade_trigger).toEqual({
      ...{ state: 'untriggered', price: 0.05, direction: 'buy' },
    })
    expect(m.seen('alpha')).not.toHaveProperty('trade_trigger')
    expect(m.seen('taker').state).toBe('open')
  })

  test('S135 an RFQ without a trigger has no such field', () => {
    const m = waiting()
    expect(m.seen('taker')).not.toHaveProperty('trade_trigger')
  })

  test('it trades at once if quotes can fill it', () => {
    const m = waiting()
    m.quote('alpha')
    const result = m.accept(rests)
    expect(result.block_trades).toHaveLength(1)
    expect(m.sizeOf('taker', call)).toBe(25)
  })

  test('S136 R55 a quote that can fill the trigger executes it, and the RFQ no longer shows it', () => {
    const m = waiting()
    m.accept(rests)
    m.quote('alpha', { price: 0.0501 })
    expect(m.seen('taker').state).toBe('open')
    const quote = m.quote('bravo', { price: 0.05 })
    expect(quote).toMatchObject({ block_rfq_quote_id: 2 })
    const seen = m.seen('taker')
    expect(seen).toMatchObject({ state: 'filled', trades: [{ price: 0.05, maker: 'BRAVO2' }] })
    expect(seen).not.toHaveProperty('trade_trigger')
    expect(m.sizeOf('bravo', call)).toBe(-25)
  })

  test('an edit of a quote can execute it too', () => {
    const m = waiting()
    m.quote('alpha', { price: 0.051 })
    m.accept(rests)
    m.result('alpha', 'private/edit_block_rfq_quote', {
      ...{ block_rfq_quote_id: 1, amount: 25, legs: [{ ...usualLeg, price: 0.05 }] },
    })
    expect(m.seen('taker').state).toBe('filled')
  })

  test('S171 S261 S136 S137 its taker cancels it, and the answer is the whole RFQ', () => {
    const m = waiting()
    const none = '13020 not_found'
    expect(m.refusal('taker', takeBack, { block_rfq_id: 1 })).toBe(none)
    m.accept(rests)
    const cancelled = m.result('taker', takeBack, { block_rfq_id: 1 })
    const trade_trigger = {
      ...{ state: 'cancelled', price: 0.05, direction: 'buy', cancel_reason: 'User cancelled' },
    }
    expect(cancelled).toMatchObject({ block_rfq_id: 1, state: 'open', trade_trigger })
    expect(cancelled).toEqual(m.seen('taker'))
    expect(m.refusal('taker', takeBack, { block_rfq_id: 1 })).toBe(none)
    expect(m.refusal('alpha', takeBack, { block_rfq_id: 1 })).toMatch(/^13021 forbidden/)
    expect(m.refusal('taker', takeBack, { block_rfq_id: 2 })).toBe(none)
    m.quote('alpha')
    expect(m.seen('taker').state).toBe('open')
  })

  test('a new trigger replaces the old one on its side; each side can have a trigger', () => {
    const m = waiting()
    m.accept({ ...rests, price: 0.049 })
    m.accept({ ...rests, price: 0.06, direction: 'sell' })
    expect(m.seen('taker').trade_trigger).toMatchObject({ price: 0.06, direction: 'sell' })
    m.accept({ ...rests, price: 0.048 })
    expect(m.seen('taker').trade_trigger).toEqual({
      ...{ state: 'untriggered', price: 0.048, direction: 'buy' },
    })
    m.quote('alpha', { price: 0.049 })
    expect(m.seen('taker').state).toBe('open')
    m.quote('bravo', { price: 0.06, direction: 'buy' })
    expect(m.seen('taker')).toMatchObject({ state: 'filled', trades: [{ direction: 'sell' }] })
    expect(m.sizeOf('taker', call)).toBe(-25)
    // The trigger of the other side was cancelled with the end of the RFQ, or is no longer shown.
    expect(m.seen('taker').trade_trigger?.state).not.toBe('untriggered')
  })

  test('S137 it ends with its RFQ and gives the reason', () => {
    const cancelled = waiting()
    cancelled.accept(rests)
    const rfq = cancelled.result('taker', 'private/cancel_block_rfq', { block_rfq_id: 1 })
    expect(rfq.trade_trigger).toMatchObject({
      ...{ state: 'cancelled', cancel_reason: 'Block RFQ cancelled' },
    })
    const expired = waiting()
    expired.accept(rests)
    expired.venue.wait('5m')
    expect(expired.seen('taker').trade_trigger).toMatchObject({
      ...{ state: 'cancelled', cancel_reason: 'Block RFQ expired' },
    })
  })

  test('a trigger whose taker lacks funds does not trade and gives the reason', () => {
    const m = new RfqVenue()
    m.create({}, 'rival')
    m.grace().accept(rests, 'rival')
    m.result(null, 'sim/deposit', { account: 'rival', currency: 'BTC', amount: -999.9999 })
    m.quote('alpha')
    const seen: Json = m.seen('rival')
    expect(seen.state).toBe('open')
    expect(seen.trade_trigger).toMatchObject({
      ...{ state: 'cancelled', cancel_reason: 'Not enough funds' },
    })
    expect(m.sizeOf('alpha', call)).toBe(0)
    expect(m.result('alpha', 'private/get_block_rfq_quotes', {})).toHaveLength(1)
  })
})

test('D13 if two triggers can trade at once, that of the buyer does', () => {
  for (const order of [
    ['buy', 'sell'],
    ['sell', 'buy'],
  ] as const) {
    const m = new RfqVenue()
    m.create()
    m.grace()
    m.quote('alpha', { price: 0.05 })
    m.quote('bravo', { price: 0.05, direction: 'buy' })
    // Makers without funds are skipped, so both triggers rest although there are quotes for them.
    const pay = (amount: number): void => {
      for (const account of ['alpha', 'bravo']) {
        m.result(null, 'sim/deposit', { account, currency: 'BTC', amount })
      }
    }
    pay(-999.999)
    for (const direction of order) {
      expect(m.accept({ ...rests, direction }).block_trades).toEqual([])
    }
    pay(999.999)
    // The next event of a maker checks both triggers.
    m.quote('charlie', { price: 0.06 })
    expect(m.seen('taker')).toMatchObject({ state: 'filled', trades: [{ maker: 'ALPHA1' }] })
    expect(m.sizeOf('taker', call)).toBe(25)
  }
})
