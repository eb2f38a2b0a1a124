/**
 * Orders whose fills place others: checks at the request, display while they wait, placement, and end.
 *
 * Source: trading.md 6.14, 5.1, C02, C06, C07, C32 f to i; S079, S094.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import {
  defaultConfig,
  type FillCondition,
  formOfId,
  NO_ORDER,
  type OrderChanged,
  type Side,
} from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, priceOf, type Setup, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { orderKindsOf, storyOf } from '../support/story.ts'

const rich = { BTC: '1000', USDC: '1000000' }

function btc(config: Setup['config'] = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, BTC_USDC: {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000', btc_usdc: '50000' },
    config,
  })
}

type Secondary = OrderWords & { readonly side: Side }

/** A buy of 100 at 49990 whose fills place the others. */
function oto(secondaries: readonly Secondary[], condition: FillCondition = 'first_hit'): OrderWords {
  const linked = { type: 'one_triggers_other', condition, secondaries } as const
  return { amount: '100', price: '49990', linked }
}

const profit: Secondary = { side: 'sell', amount: '100', price: '50400', label: 'profit' }
const stop: Secondary = {
  ...{ side: 'sell', amount: '100', type: 'stop_market' },
  trigger: { source: 'mark_price', price: '49600' },
}

function opened(outcome: Outcome): OrderChanged[] {
  return outcome.events.filter((event): event is OrderChanged => event.kind === 'order' && event.change === 'opened')
}

function idsOf(outcome: Outcome): OrderId[] {
  return opened(outcome).map(({ order }) => order)
}

describe('rule order.one-triggers-other: secondaries exist from the start', () => {
  test('untriggered, with ids in a separate format, linked both ways', () => {
    const m = btc()
    const placed = m.buy('alice', oto([profit, stop]))
    expect(storyOf(m, placed)).toEqual(['1 opened', '2 opened, waits', '3 opened, waits', 'done'])
    const [primary, first, second] = idsOf(placed)
    expect([primary, first, second].map((id) => formOfId(id ?? NO_ORDER))).toEqual([
      ...['ordinary', 'secondary', 'secondary'],
    ])
    const waits = { condition: 'first_hit', pair: NO_ORDER, primary, secondaries: [] }
    expect(opened(placed)).toMatchObject([
      { links: { pair: NO_ORDER, primary: NO_ORDER, secondaries: [first, second] } },
      { state: 'untriggered', price: priceOf('50400'), label: 'profit', links: waits },
      { state: 'untriggered', price: 0, trigger: { price: priceOf('49600') }, links: waits },
    ])
  })

  test('in no book, without margin, and not as orders of the day', () => {
    const m = btc()
    const day = { ...profit, timeInForce: 'good_til_day' } as const
    m.buy('alice', oto([]))
    const held = m.wallet('alice', 'BTC').initialMargin
    m.cancelAll('alice')
    m.buy('alice', oto([day, { ...stop, timeInForce: 'good_til_day' }]))
    expect([m.depth('sell'), m.wallet('alice', 'BTC').initialMargin]).toEqual([[], held])
    expect(storyOf(m, m.wait(23 * 3_600_000_000))).toEqual(['done'])
    expect(m.openOrders('alice')).toHaveLength(3)
  })

  test('the trigger of a waiting one is not watched, and a trailing one has no price yet', () => {
    const m = btc()
    const trailing: Secondary = {
      ...{ side: 'sell', amount: '100', type: 'trailing_stop' },
      trigger: { source: 'mark_price', offset: '100' },
    }
    const placed = m.buy('alice', oto([stop, trailing]))
    expect(opened(placed)[2]?.trigger).toEqual({
      ...{ source: 'mark_price', price: 0, offset: priceOf('100'), reference: 0 },
    })
    expect(orderKindsOf(m.mark('49500'))).toEqual(['mark', 'request'])
    m.mark('50000')
    // The trailing order is placed: it starts from the current price of its source.
    const turn = m.sell('bob', { amount: '10', price: '49990' })
    expect(opened(turn).at(-1)?.trigger).toMatchObject({
      ...{ price: priceOf('49900'), reference: priceOf('50000') },
    })
  })
})

describe('rule order.one-triggers-other: checks at the request', () => {
  const refused = (m: Market, words: OrderWords): string | undefined => m.buy('alice', words).refusal?.reason

  test.each([
    ['its amount', { ...profit, amount: '0' }, 'qty_too_low'],
    ['a limit price', { side: 'sell', amount: '10' }, 'invalid_price'],
    ['a price on the grid', { ...profit, price: '0' }, 'price_wrong_tick'],
    [
      'a trigger price on the grid',
      { ...stop, trigger: { source: 'mark_price', price: '0' } },
      'trigger_price_wrong_tick',
    ],
  ] as const)('%s', (_what, secondary, reason) => {
    const m = btc()
    expect(refused(m, oto([profit, secondary]))).toBe(reason)
    expect(m.openOrders('alice')).toEqual([])
  })

  test('not checked: band, funds, own orders, post-only, position, and whether its trigger already holds', () => {
    const m = btc()
    m.buy('alice', { amount: '10', price: '49980' })
    const later: readonly Secondary[] = [
      { ...profit, price: '1' },
      { ...profit, amount: '900000000' },
      { ...profit, price: '49980', postOnly: 'reject' },
      { side: 'buy', amount: '100', price: '49000', reduceOnly: true },
      { ...stop, trigger: { source: 'mark_price', price: '50000' } },
      { ...stop, trigger: { source: 'last_price', price: '50000' } },
      { side: 'sell', amount: '10', type: 'market_limit' },
    ]
    expect(refused(m, oto(later))).toBeUndefined()
  })

  test('C07 the earlier step decides, then the request order, then the order of the entries', () => {
    const m = btc()
    const small = { ...profit, amount: '0' }
    const offGrid = { ...profit, price: '0' }
    expect(refused(m, { ...oto([offGrid, small]), price: '0' })).toBe('qty_too_low')
    expect(refused(m, { ...oto([small]), amount: '9000000010' })).toBe('invalid_amount')
    expect(refused(m, oto([{ ...small, amount: '9000000010' }, small]))).toBe('invalid_amount')
    const wrongTrigger: Secondary = { ...stop, trigger: { source: 'mark_price', price: '0' } }
    expect(refused(m, { ...oto([wrongTrigger]), price: '60000' })).toBe('trigger_price_wrong_tick')
    expect(refused(m, { ...oto([profit]), price: '60000' })).toBe('price_too_high')
  })

  test('C32 h limits on dormant secondaries: one of futures, and one of spot', () => {
    const { openOrderLimits } = defaultConfig(start)
    const m = btc({ openOrderLimits: { ...openOrderLimits, secondaries: 2 } })
    const spot: OrderWords = {
      ...oto([{ ...profit, amount: '0.1' }]),
      ...{ instrument: 'BTC_USDC', amount: '0.1' },
    }
    const refusal = { reason: 'no_more_oto_orders', limit: 2 }
    expect(m.buy('alice', oto([profit, profit, profit])).refusal).toEqual(refusal)
    m.buy('alice', oto([profit]))
    const second = m.buy('alice', oto([profit]))
    expect(m.buy('alice', oto([profit])).refusal).toEqual(refusal)
    for (const expected of [null, null, refusal]) {
      expect(m.buy('alice', spot).refusal).toEqual(expected)
    }
    expect(m.buy('bob', oto([profit])).refusal).toBeNull()
    m.cancel('alice', idOf(second))
    expect(m.buy('alice', oto([profit])).refusal).toBeNull()
  })
})

describe('rule order.secondary: first_hit, any fill places all (C06, C32 i)', () => {
  test('after the command, in the order of the request, with its cause', () => {
    const m = btc()
    m.buy('alice', oto([profit, stop]))
    const filled = m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, filled)).toEqual([
      ...['4 opened', 'trade 10 at 49990, 1 with 4', '1 filled 10 of 100', '4 filled 10 of 10'],
      'done',
      ...['2 triggered as 5', '5 opened', '3 triggered as 6', '6 opened, waits'],
    ])
    expect(new Set(filled.events.map(({ cause }) => cause)).size).toBe(1)
    expect(m.depth('sell')).toEqual([['50400', '100']])
  })

  test('once: later fills and the end of the primary place nothing more', () => {
    const m = btc()
    const placed = m.buy('alice', oto([profit]))
    m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' })).at(-1)).toBe('done')
    expect(storyOf(m, m.cancel('alice', idOf(placed)))).toEqual(['1 cancelled, user_request', 'done'])
    expect(m.depth('sell')).toEqual([['50400', '100']])
  })

  test('C32 f a placed order names its primary; the dormant one names the placed order', () => {
    const m = btc()
    const placed = m.buy('alice', oto([profit]))
    const turn = m.sell('bob', { amount: '10', price: '49990' }).events.slice(-2)
    const [, second] = idsOf(placed)
    expect(turn).toMatchObject([
      { kind: 'order', change: 'triggered', order: second, state: 'triggered', label: 'profit' },
      { kind: 'order', change: 'opened', state: 'open', label: 'profit', triggeredBy: NO_ORDER },
    ])
    const [dormant, order] = turn.filter((event): event is OrderChanged => 'order' in event)
    expect(dormant?.successor).toBe(order?.order)
    expect(order?.links).toEqual({
      ...{ condition: 'first_hit', pair: NO_ORDER, primary: idOf(placed), secondaries: [] },
    })
  })

  test('when the primary fills at its entry', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, m.buy('alice', oto([profit])))).toEqual([
      ...['2 opened', '3 opened, waits', 'trade 10 at 49990, 1 with 2'],
      ...['1 filled 10 of 10', '2 filled 10 of 100', 'done', '3 triggered as 4', '4 opened'],
    ])
  })

  test('the end of the remainder does not undo it, because the fill came first', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '49990' })
    const ioc = { ...oto([profit]), timeInForce: 'immediate_or_cancel' } as const
    expect(storyOf(m, m.buy('alice', ioc)).slice(-5)).toEqual([
      ...['1 filled 10 of 10', '2 cancelled, time_in_force', 'done', '3 triggered as 4'],
      '4 opened',
    ])
  })

  test('a placed order may match at once and cause further placements', () => {
    const m = btc()
    m.sell('bob', { amount: '10', price: '50000' })
    m.buy('bob', { amount: '10', price: '49980' })
    m.buy(
      'alice',
      oto([
        { side: 'buy', amount: '10', price: '50000' },
        { ...stop, type: 'stop_limit', price: '50300', trigger: { price: '49980' } },
      ]),
    )
    const filled = m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, filled).slice(5)).toEqual([
      ...['4 triggered as 7', '7 opened', 'trade 10 at 50000, 1 with 7', '1 filled 10 of 10'],
      ...['7 filled 10 of 10', '5 triggered as 8', '8 opened, waits'],
    ])
  })
})

describe('rule order.secondary: complete_fill, only the last fill places them', () => {
  test('a partial fill followed by a cancel never places them', () => {
    const m = btc()
    const placed = m.buy('alice', oto([profit, stop], 'complete_fill'))
    expect(storyOf(m, m.sell('bob', { amount: '90', price: '49990' })).at(-1)).toBe('done')
    expect(storyOf(m, m.cancel('alice', idOf(placed)))).toEqual([
      ...['1 cancelled, user_request', '2 cancelled, oto_primary_closed'],
      ...['3 cancelled, oto_primary_closed', 'done'],
    ])
  })

  test('the fill of the rest places them', () => {
    const m = btc()
    m.buy('alice', oto([profit], 'complete_fill'))
    m.sell('bob', { amount: '90', price: '49990' })
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' })).slice(-3)).toEqual([
      ...['done', '2 triggered as 5', '5 opened'],
    ])
  })
})

describe('rule order.links-close: a primary that closes without a fill closes its secondaries', () => {
  test.each([
    ['its owner', {}, (m: Market) => m.cancelAll('alice', { types: 'in_book' }), 'user_request'],
    [
      'the end of the session',
      { timeInForce: 'good_til_day' },
      (m: Market) => m.wait(23 * 3_600_000_000),
      'settlement',
    ],
  ] as const)('%s', (_what, more, end, reason) => {
    const m = btc()
    m.buy('alice', { ...oto([profit, stop]), ...more })
    expect(storyOf(m, end(m))).toEqual([
      ...[`1 cancelled, ${reason}`, '2 cancelled, oto_primary_closed'],
      ...['3 cancelled, oto_primary_closed', 'done'],
    ])
    expect(m.openOrders('alice')).toEqual([])
  })

  test('immediate or cancel without a match', () => {
    const m = btc()
    const ioc = { ...oto([profit]), timeInForce: 'immediate_or_cancel' } as const
    expect(storyOf(m, m.buy('alice', ioc))).toEqual([
      ...['1 opened', '2 opened, waits', '1 cancelled, time_in_force'],
      ...['2 cancelled, oto_primary_closed', 'done'],
    ])
  })

  test('a primary that waits for a price keeps them when it fires; if it is refused, they are closed', () => {
    const waits: OrderWords = {
      ...oto([profit]),
      ...{ type: 'stop_limit', trigger: { source: 'mark_price', price: '50100' } },
    }
    const m = btc()
    expect(storyOf(m, m.buy('alice', waits))).toEqual(['1 opened, waits', '2 opened, waits', 'done'])
    const fired = m.mark('50100')
    expect(storyOf(m, fired)).toEqual(['mark 50100', 'done', '1 triggered as 3', '3 opened'])
    expect(opened(fired)[0]?.links.secondaries).toHaveLength(1)
    const turn = m.sell('bob', { amount: '10', price: '49990' })
    expect(storyOf(m, turn).slice(-2)).toEqual(['2 triggered as 5', '5 opened'])
    expect(opened(turn).at(-1)?.links.primary).toBe(opened(fired)[0]?.order)
    const n = btc()
    n.buy('alice', { ...waits, reduceOnly: true })
    expect(storyOf(n, n.mark('50100')).slice(2)).toEqual([
      ...['1 rejected, reduce_direction', '2 cancelled, oto_primary_closed'],
    ])
  })
})

describe('rule order.secondary: a user may cancel or edit a dormant one (C32 g)', () => {
  test('a cancel ends only that one', () => {
    const m = btc()
    const [, first] = idsOf(m.buy('alice', oto([profit, stop])))
    expect(storyOf(m, m.cancel('alice', first ?? NO_ORDER))).toEqual([...['2 cancelled, user_request', 'done']])
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' })).slice(-3)).toEqual([
      ...['done', '3 triggered as 5', '5 opened, waits'],
    ])
  })

  test('an edit takes effect at the placement; the trigger price is not yet checked against its source', () => {
    const m = btc()
    const [, first = NO_ORDER, second = NO_ORDER] = idsOf(m.buy('alice', oto([profit, stop])))
    const edited = m.edit('alice', first, { amount: '5000', price: '50300', display: '1000' })
    expect(edited.order).toMatchObject({ state: 'untriggered', replaced: true, amount: 500 })
    expect(m.edit('alice', second, { triggerPrice: '50100' }).refusal).toBeNull()
    expect(m.edit('alice', second, { triggerPrice: '0' }).refusal?.reason).toBe('trigger_price_wrong_tick')
    expect(m.edit('alice', first, { price: '0' }).refusal?.reason).toBe('price_wrong_tick')
    expect(storyOf(m, m.sell('bob', { amount: '10', price: '49990' })).slice(-3)).toEqual([
      ...['2 triggered as 5', '5 opened', '3 rejected, trigger_price_too_high'],
    ])
    expect(m.depth('sell')).toEqual([['50300', '1000']])
  })
})
