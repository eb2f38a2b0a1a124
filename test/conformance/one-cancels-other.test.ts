/**
 * Two orders that cancel each other: how they are placed, and what closes them.
 *
 * Source: trading.md 6.14, 5.1, C06 step 2, C07, C32 a to d; S093.
 */
import { describe, expect, test } from 'vitest'
import { defaultConfig, type FillCondition, NO_ORDER, type Side } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market, type Setup, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

function btc(config: Setup['config'] = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
    config,
  })
}

type Member = OrderWords & { readonly side: Side }

/** An order with a second order; each cancels the other. */
function pair(words: OrderWords, other: Member, condition: FillCondition = 'first_hit'): OrderWords {
  return { ...words, linked: { type: 'one_cancels_other', condition, secondaries: [other] } }
}

const bid = { amount: '100', price: '49990' } as const
const ask = { side: 'sell', amount: '100', price: '50010' } as const

describe('rule order.one-cancels-other: both become active together (C32 b)', () => {
  test('the request order first; the link of both is named after the first', () => {
    const m = btc()
    const placed = m.buy('alice', pair(bid, ask))
    expect(storyOf(m, placed)).toEqual(['1 opened', '2 opened', 'done'])
    const links = { condition: 'first_hit', pair: idOf(placed), primary: NO_ORDER, secondaries: [] }
    expect(placed.events.slice(0, 2)).toMatchObject([
      { side: 'buy', state: 'open', links },
      { side: 'sell', state: 'open', links },
    ])
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[['49990', '100']], [['50010', '100']]])
  })

  test('their prices may be in any order', () => {
    const m = btc()
    const dear = { side: 'buy', amount: '10', price: '49999' } as const
    expect(m.buy('alice', pair(bid, dear)).refusal).toBeNull()
  })

  test('if one is refused both are, and nothing is left', () => {
    const m = btc()
    for (const [words, other, reason] of [
      [bid, { ...ask, price: '49000' }, 'price_too_low'],
      [{ ...bid, price: '60000' }, ask, 'price_too_high'],
      [bid, { ...ask, reduceOnly: true }, 'other_reject reduce_direction'],
    ] as const) {
      const refused = m.buy('alice', pair(words, other))
      expect(refused.refusal?.reason).toBe(reason)
      expect(kindsOf(refused)).toEqual(['refusal', 'request'])
    }
    expect(m.openOrders('alice')).toEqual([])
  })

  test('C07 the earlier failing step of the two decides; on ties, the request order', () => {
    const m = btc()
    const reason = (words: OrderWords, other: OrderWords): string | undefined =>
      m.buy('alice', pair(words, { side: 'sell', ...other })).refusal?.reason
    expect(reason({ amount: '10', price: '0' }, { amount: '0', price: '1' })).toBe('qty_too_low')
    expect(reason({ amount: '0', price: '1' }, { amount: '10', price: '0' })).toBe('qty_too_low')
    const far = { amount: '10', price: '90000' }
    const near = { amount: '10', price: '10000' }
    expect(reason(far, near)).toBe('price_too_high')
    expect(m.sell('alice', pair(near, { side: 'buy', ...far })).refusal?.reason).toBe('price_too_low')
  })

  test('funds must cover both', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '0.01' } },
      index: { btc_usd: '50000' },
    })
    // 20000 USD at 50000 need a little more than 0.008 coin. Twice that exceeds the balance.
    const one = { amount: '20000', price: '50000' }
    const two = { side: 'buy', ...one } as const
    expect(m.buy('alice', pair(one, two)).refusal).toEqual({ reason: 'not_enough_funds' })
    expect(m.buy('alice', pair(one, { ...two, side: 'sell', price: '50010' })).refusal).toBeNull()
    m.cancelAll('alice')
    expect(m.buy('alice', one).refusal).toBeNull()
  })

  test('limits count both', () => {
    const { openOrderLimits } = defaultConfig(start)
    const m = btc({ openOrderLimits: { ...openOrderLimits, future: 1, triggers: 1 } })
    expect(m.buy('alice', pair(bid, ask)).refusal).toEqual({
      ...{ reason: 'pme_max_future_open_orders', limit: 1 },
    })
    const stop = (price: string): OrderWords => ({
      ...{ amount: '10', type: 'stop_market' },
      trigger: { source: 'mark_price', price },
    })
    expect(m.buy('alice', pair(stop('51000'), { ...stop('49000'), side: 'sell' })).refusal).toEqual({
      reason: 'no_more_triggers',
      limit: 1,
    })
    expect(m.buy('alice', pair(bid, { ...stop('49000'), side: 'sell' })).refusal).toBeNull()
  })

  test('C27 members that would match each other are refused, or the first is cancelled and the second with it', () => {
    const crossing = pair({ amount: '100', price: '50010' }, { ...ask, price: '50000' })
    expect(btc().buy('alice', crossing).refusal).toEqual({ reason: 'order_overlap' })
    const m = btc({ selfMatch: 'cancel_maker' })
    expect(storyOf(m, m.buy('alice', crossing))).toEqual([
      ...['1 opened', '2 opened', '1 cancelled, risk_mitigation', '2 cancelled, oco_other_closed'],
      'done',
    ])
  })

  test('display applies only to the request order', () => {
    const m = btc()
    m.buy('alice', pair({ ...bid, amount: '5000', display: '1000' }, { ...ask, amount: '5000' }))
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[['49990', '1000']], [['50010', '5000']]])
  })
})

describe('rule order.one-cancels-other: first_hit, any fill cancels the other (C32 c)', () => {
  test('a fill as maker, before the maker’s own event (C06)', () => {
    const m = btc()
    m.buy('alice', pair(bid, ask))
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' }))).toEqual([
      ...['3 opened', 'trade 10 at 49990, 1 with 3', '2 cancelled, oco_other_closed'],
      ...['1 filled 10 of 100', '3 filled 10 of 10', 'done'],
    ])
    expect(m.depth('buy')).toEqual([['49990', '90']])
  })

  test('a fill of the second one too', () => {
    const m = btc()
    m.buy('alice', pair(bid, ask))
    m.buy('bob', { amount: '10', price: '50010' })
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[], [['50010', '90']]])
  })

  test('a fill of the request order at its entry: the second is never placed', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '49990' })
    m.buy('bob', { amount: '10', price: '49980' })
    // The ask would have met the bid of the same pair.
    expect(storyOf(m, m.buy('alice', pair(bid, { ...ask, price: '49980' })))).toEqual([
      'refused, order_overlap',
      'done',
    ])
    expect(storyOf(m, m.buy('alice', pair(bid, { ...ask, price: '49995' })))).toEqual([
      ...['3 opened', '4 opened', 'trade 10 at 49990, 1 with 3'],
      ...['4 cancelled, oco_other_closed', '1 filled 10 of 10', '3 filled 10 of 100', 'done'],
    ])
  })

  test('a fill of the second at its entry: the first, which rests, is cancelled', () => {
    const m = btc()
    m.buy('bob', { amount: '10', price: '50000' })
    expect(storyOf(m, m.buy('alice', pair(bid, { ...ask, price: '50000' })))).toEqual([
      ...['2 opened', '3 opened', 'trade 10 at 50000, 1 with 3'],
      ...['2 cancelled, oco_other_closed', '1 filled 10 of 10', '3 filled 10 of 100', 'done'],
    ])
  })

  test('the second checks fill or kill at its own placement, after the fills of the first', () => {
    const m = btc()
    m.sell('bob', { amount: '100', price: '50000' })
    const fok: Member = {
      side: 'buy',
      ...{ amount: '100', price: '50000', timeInForce: 'fill_or_kill' },
    }
    const first = { amount: '200', price: '50000' }
    expect(storyOf(m, m.buy('alice', pair(first, fok, 'complete_fill')))).toEqual([
      ...['2 opened', '3 opened', 'trade 100 at 50000, 1 with 2'],
      ...['1 filled 100 of 100', '2 filled 100 of 200'],
      ...['3 cancelled, time_in_force', '2 cancelled, oco_other_closed', 'done'],
    ])
  })
})

describe('rule order.one-cancels-other: complete_fill, only a full fill cancels the other', () => {
  test('a partial fill does nothing, the last fill does', () => {
    const m = btc()
    m.buy('alice', pair(bid, ask, 'complete_fill'))
    m.sell('bob', { amount: '90', price: '49990' })
    expect(m.depth('sell')).toEqual([['50010', '100']])
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' }))).toEqual([
      ...['4 opened', 'trade 10 at 49990, 1 with 4', '2 cancelled, oco_other_closed'],
      ...['1 filled 100 of 100', '4 filled 10 of 10', 'done'],
    ])
  })

  test('both may be partly filled', () => {
    const m = btc()
    m.buy('alice', pair(bid, ask, 'complete_fill'))
    m.sell('bob', { amount: '90', price: '49990' })
    m.buy('bob', { amount: '50', price: '50010' })
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[['49990', '10']], [['50010', '50']]])
  })
})

describe('rule order.one-cancels-other: incremental, in proportion (C32 c)', () => {
  const first = { amount: '300', price: '49990' }

  test('the other is cut to floor(its amount x filled / amount), rounded to the size step', () => {
    const m = btc()
    m.buy('alice', pair(first, ask, 'incremental'))
    const fill = (amount: string): string[] =>
      storyOf(m, m.sell('bob', { amount, price: '49990' })).filter((line) => line.startsWith('2 '))
    // After 10 lots of 30: 3 of 10 lots. After 15: 5. After 16: still 5. After 29: 9.
    expect(fill('100')).toEqual(['2 resized to 70, linked_order'])
    expect(fill('50')).toEqual(['2 resized to 50, linked_order'])
    expect(fill('10')).toEqual([])
    expect(fill('130')).toEqual(['2 resized to 10, linked_order'])
    expect(fill('10')).toEqual(['2 cancelled, oco_other_closed'])
  })

  test('both ways: the part that was cut counts as if it were still there', () => {
    const m = btc()
    m.buy('alice', pair(first, ask, 'incremental'))
    m.sell('bob', { amount: '100', price: '49990' })
    // The ask has 7 of 10 lots left. Filling 2 of its 10 cuts 6 of the 30 of the bid.
    expect(storyOf(m, m.buy('bob', { amount: '20', price: '50010' }))).toEqual([
      ...['4 opened', 'trade 20 at 50010, 2 with 4', '1 resized to 240, linked_order'],
      ...['2 filled 20 of 70', '4 filled 20 of 20', 'done'],
    ])
    // After 12 of 30 are filled, floor(10 x 12 / 30) = 4 are cut: one more than before.
    expect(storyOf(m, m.sell('bob', { amount: '20', price: '49990' }))[2]).toBe('2 resized to 60, linked_order')
    expect([m.depth('buy'), m.depth('sell')]).toEqual([[['49990', '120']], [['50010', '40']]])
  })

  test('a cut keeps the place, and takes the hidden part of an iceberg first', () => {
    const m = btc()
    const iceberg = { ...ask, amount: '3000' }
    const placed = m.sell('alice', {
      ...pair({ ...iceberg, display: '1000' }, { side: 'buy', amount: '300', price: '49990' }, 'incremental'),
    })
    m.sell('carol', { amount: '10', price: '50010' })
    m.sell('bob', { amount: '100', price: '49990' })
    expect(m.depth('sell')).toEqual([['50010', '1010']])
    m.sell('bob', { amount: '190', price: '49990' })
    // 2900 of 3000 are cut.
    expect(m.depth('sell')).toEqual([['50010', '110']])
    const [trade] = m.buy('bob', { amount: '10', price: '50010' }).trades
    expect(trade?.maker.order).toBe(idOf(placed))
  })

  test('an order that waits for a price is cut while it waits', () => {
    const m = btc()
    const stop: Member = {
      ...{ side: 'sell', amount: '100', type: 'stop_market' },
      trigger: { source: 'mark_price', price: '49500' },
    }
    m.buy('alice', pair(first, stop, 'incremental'))
    const filled = m.sell('bob', { amount: '100', price: '49990' })
    expect(storyOf(m, filled)[2]).toBe('2 resized to 70, linked_order')
    expect(filled.events[2]).toMatchObject({ state: 'untriggered', amount: 7, rested: false })
  })
})

describe('rule order.links-close: closing one closes the other, for any reason', () => {
  test('a cancel by its owner, right after it; this includes the order that waits for a price', () => {
    const stop: Member = {
      ...{ side: 'sell', amount: '100', type: 'stop_market' },
      trigger: { source: 'mark_price', price: '49500' },
    }
    for (const other of [ask, stop]) {
      const m = btc()
      const placed = m.buy('alice', pair(bid, other))
      expect(storyOf(m, m.cancel('alice', idOf(placed)))).toEqual([
        ...['1 cancelled, user_request', '2 cancelled, oco_other_closed', 'done'],
      ])
      expect(m.openOrders('alice')).toEqual([])
    }
  })

  test('the end of an immediate-or-cancel remainder', () => {
    const m = btc()
    const ioc = { ...bid, timeInForce: 'immediate_or_cancel' } as const
    expect(storyOf(m, m.buy('alice', pair(ioc, ask)))).toEqual([
      ...['1 opened', '2 opened', '1 cancelled, time_in_force', '2 cancelled, oco_other_closed'],
      'done',
    ])
  })

  test('the end of the session', () => {
    const m = btc()
    m.buy('alice', pair({ ...bid, timeInForce: 'good_til_day' }, ask))
    expect(storyOf(m, m.wait(23 * 3_600_000_000))).toEqual([
      ...['1 cancelled, settlement', '2 cancelled, oco_other_closed', 'done'],
    ])
  })

  test('the loss of the position that a reduce-only member reduces', () => {
    const m = btc()
    m.give('alice', '100', '50000')
    m.sell('alice', pair({ ...ask, reduceOnly: true }, { ...bid, side: 'buy' }))
    expect(storyOf(m, m.give('alice', '-100', '50000'))).toEqual([
      ...['given_position', '1 cancelled, risk_mitigation', '2 cancelled, oco_other_closed'],
      ...['given_position', 'done'],
    ])
  })

  test('an edit that fails with reject-post-only', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    const placed = m.buy('alice', pair({ ...bid, postOnly: 'reject' }, ask))
    expect(storyOf(m, m.edit('alice', idOf(placed), { price: '50000' }))).toEqual([
      ...['2 cancelled, edit_post_only_reject', '3 cancelled, oco_other_closed', 'done'],
    ])
  })

  test('an own order on the other side (cancel_maker)', () => {
    const m = btc({ selfMatch: 'cancel_maker' })
    m.buy('alice', pair(bid, ask))
    expect(storyOf(m, m.sell('alice', { amount: '10', price: '49990' }))).toEqual([
      ...['3 opened', '1 cancelled, risk_mitigation', '2 cancelled, oco_other_closed', 'done'],
    ])
  })
})
