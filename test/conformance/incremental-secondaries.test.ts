/**
 * Secondaries that are placed in proportion to the fills of their primary.
 *
 * Source: trading.md 6.14, C32 e; C06.
 */
import { describe, expect, test } from 'vitest'
import { defaultConfig, NO_ORDER, type Side } from '../../src/model/index.ts'
import { type Market, market, type Outcome, priceOf, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000', USDC: '1000000' }

type Secondary = OrderWords & { readonly side: Side }

const profit: Secondary = { side: 'sell', amount: '100', price: '50400' }

function placed(secondaries: readonly Secondary[], words: Partial<OrderWords> = {}): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
  m.buy('alice', {
    ...{ amount: '300', price: '49990', ...words },
    linked: { type: 'one_triggers_other', condition: 'incremental', secondaries },
  })
  return m
}

function fill(m: Market, amount: string): Outcome {
  return m.sell('bob', { amount, price: '49990' })
}

/** The events that a fill of the primary causes. */
function turnsAfter(m: Market, amount: string): string[] {
  const story = storyOf(m, fill(m, amount))
  return story.slice(story.indexOf('done') + 1)
}

describe('rule order.secondary: incremental, floor(its amount x filled / amount) (C32 e)', () => {
  test('the first fill places the order, later fills raise it, and the last one sets the full amount', () => {
    const m = placed([profit])
    // After 10 of 30 lots: 3 of 10. After 15: 5. After 16: still 5. After 29: 9. After 30: all.
    expect(turnsAfter(m, '100')).toEqual(['4 opened'])
    expect(m.depth('sell')).toEqual([['50400', '30']])
    expect(turnsAfter(m, '50')).toEqual(['4 resized to 50, linked_order'])
    expect(turnsAfter(m, '10')).toEqual([])
    expect(turnsAfter(m, '130')).toEqual(['4 resized to 90, linked_order'])
    expect(turnsAfter(m, '10')).toEqual(['2 triggered as 4', '4 resized to 100, linked_order'])
    expect(m.depth('sell')).toEqual([['50400', '100']])
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('a primary that fills at once places the whole order', () => {
    const m = placed([profit])
    expect(turnsAfter(m, '300')).toEqual(['2 triggered as 4', '4 opened'])
  })

  test('a fill that is too small for one lot of the secondary places nothing', () => {
    const m = placed([profit])
    expect(turnsAfter(m, '20')).toEqual([])
    expect(turnsAfter(m, '10')).toEqual(['5 opened'])
  })

  test('a secondary larger than its primary grows faster', () => {
    const m = placed([{ ...profit, amount: '1000' }])
    // 1 of 30 lots: 3 of 100. 2 of 30: 6.
    expect(turnsAfter(m, '10')).toEqual(['4 opened'])
    expect(turnsAfter(m, '10')).toEqual(['4 resized to 60, linked_order'])
  })

  test('each fill of a command updates the secondaries in order, and several secondaries in their order', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: rich, bob: rich },
      index: { btc_usd: '50000' },
    })
    m.sell('bob', { amount: '100', price: '49980' })
    m.sell('bob', { amount: '50', price: '49985' })
    const second: Secondary = { side: 'sell', amount: '60', price: '50300' }
    const entered = m.buy('alice', {
      ...{ amount: '300', price: '49990' },
      linked: {
        ...{ type: 'one_triggers_other', condition: 'incremental' },
        secondaries: [profit, second],
      },
    })
    const story = storyOf(m, entered)
    // 10 of 30: 3 of 10 and 2 of 6; then 15 of 30: 5 of 10 and 3 of 6.
    expect(story.slice(story.indexOf('done') + 1)).toEqual([
      ...['6 opened', '7 opened'],
      ...['6 resized to 50, linked_order', '7 resized to 30, linked_order'],
    ])
  })

  test('a raise loses the place in the queue', () => {
    const m = placed([profit])
    fill(m, '100')
    m.sell('carol', { amount: '10', price: '50400' })
    fill(m, '50')
    const [trade] = m.buy('bob', { amount: '10', price: '50400' }).trades
    expect(trade?.maker.account).toBe(m.account('carol'))
  })

  test('if the placed order is already filled, another order is placed for the difference', () => {
    const m = placed([profit])
    fill(m, '100')
    m.buy('bob', { amount: '30', price: '50400' })
    expect(turnsAfter(m, '50')).toEqual(['7 opened'])
    expect(m.depth('sell')).toEqual([['50400', '20']])
  })

  test('a partly filled order is raised by the difference', () => {
    const m = placed([profit])
    fill(m, '100')
    m.buy('bob', { amount: '10', price: '50400' })
    const raised = fill(m, '50')
    expect(raised.events.at(-1)).toMatchObject({
      ...{
        kind: 'order',
        change: 'resized',
        amount: 5,
        filled: 1,
        reason: 'linked_order',
        state: 'open',
      },
    })
    expect(m.depth('sell')).toEqual([['50400', '40']])
  })

  test('the same happens if the placed order is already cancelled', () => {
    const m = placed([profit])
    const first = fill(m, '100').events.at(-1)
    if (first === undefined || !('order' in first)) throw new Error('placed nothing')
    m.cancel('alice', first.order)
    expect(turnsAfter(m, '50')).toEqual(
      ['5 opened']
        .map(() => '5 opened')
        .slice(1)
        .concat('6 opened')
        .slice(-1),
    )
    expect(m.depth('sell')).toEqual([['50400', '20']])
    expect(turnsAfter(m, '150')).toEqual(['2 triggered as 6', '6 resized to 70, linked_order'])
  })

  test('a cancelled primary leaves the placed part, and the rest is never placed', () => {
    const m = placed([profit])
    fill(m, '100')
    const [primary] = m.openOrders('alice')
    expect(storyOf(m, m.cancel('alice', primary?.order.id ?? NO_ORDER))).toEqual([
      ...['1 cancelled, user_request', '2 cancelled, oto_primary_closed', 'done'],
    ])
    expect(m.depth('sell')).toEqual([['50400', '30']])
  })

  test('when the rest of the primary ends, its last fills place first, then the rest of the secondary ends', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: rich, bob: rich },
      index: { btc_usd: '50000' },
    })
    m.sell('bob', { amount: '100', price: '49990' })
    const entered = m.buy('alice', {
      ...{ amount: '300', price: '49990', timeInForce: 'immediate_or_cancel' },
      linked: { type: 'one_triggers_other', condition: 'incremental', secondaries: [profit] },
    })
    expect(storyOf(m, entered).slice(-4)).toEqual([
      ...['2 cancelled, time_in_force', 'done', '4 opened', '3 cancelled, oto_primary_closed'],
    ])
    expect(m.depth('sell')).toEqual([['50400', '30']])
  })

  test('a refused part ends the secondary, and the primary stays', () => {
    const m = placed([{ side: 'buy', amount: '100', price: '50100' }])
    expect(turnsAfter(m, '100')).toEqual(['4 opened'])
    const [order] = m.openOrders('alice').filter((view) => view.order.amount === 3)
    m.cancel('alice', order?.order.id ?? NO_ORDER)
    // The band of buys now ends at 50039.5.
    m.mark('49300')
    expect(turnsAfter(m, '50')).toEqual(['2 rejected, price_too_high'])
    expect(turnsAfter(m, '50')).toEqual([])
    expect(m.depth('buy')).toEqual([['49990', '100']])
  })

  test('a placed part that waits for a price is raised in its place, and keeps its extreme price', () => {
    const m = placed([
      {
        ...{ side: 'sell', amount: '100', type: 'trailing_stop' },
        trigger: { source: 'mark_price', offset: '100' },
      },
    ])
    expect(turnsAfter(m, '100')).toEqual(['4 opened, waits'])
    m.mark('50100')
    m.mark('50050')
    const raised = fill(m, '50')
    expect(raised.events.at(-1)).toMatchObject({
      ...{ kind: 'order', change: 'resized', amount: 5, state: 'untriggered', rested: false },
      trigger: { price: priceOf('50000'), reference: priceOf('50000') },
    })
  })

  test('if a placed part has fired, the resulting order is raised next', () => {
    const m = placed([
      {
        ...{ side: 'sell', amount: '100', type: 'stop_limit', price: '50200' },
        trigger: { source: 'mark_price', price: '49900' },
      },
    ])
    expect(turnsAfter(m, '100')).toEqual(['4 opened, waits'])
    expect(storyOf(m, m.mark('49900')).slice(2)).toEqual(['4 triggered as 5', '5 opened'])
    expect(turnsAfter(m, '200')).toEqual(['2 triggered as 5', '5 resized to 100, linked_order'])
    expect(m.depth('sell')).toEqual([['50200', '100']])
  })

  test('an edit below the placed amount is refused; a larger amount changes the proportion', () => {
    const m = placed([profit])
    fill(m, '100')
    const dormant = m.openOrders('alice').find(({ order }) => order.amount === 10)
    const id = dormant?.order.id ?? NO_ORDER
    expect(m.edit('alice', id, { amount: '30' }).refusal?.reason).toBe('invalid_amount')
    expect(m.edit('alice', id, { amount: '200' }).refusal).toBeNull()
    // 15 of 30 lots: 10 of 20.
    expect(turnsAfter(m, '50')).toEqual(['4 resized to 100, linked_order'])
  })

  test('a part may be smaller than the minimum order: only the size step counts', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': { min_trade_amount: '100', amount_step: '10' } },
      accounts: { alice: rich, bob: rich },
      index: { btc_usd: '50000' },
    })
    m.buy('alice', {
      ...{ amount: '300', price: '49990' },
      linked: { type: 'one_triggers_other', condition: 'incremental', secondaries: [profit] },
    })
    expect(turnsAfter(m, '100')).toEqual(['4 opened'])
    expect(m.depth('sell')).toEqual([['50400', '30']])
    expect(turnsAfter(m, '200')).toEqual(['2 triggered as 4', '4 resized to 100, linked_order'])
  })

  test('a part that would exceed the limit of trigger orders is refused, which ends the secondary', () => {
    const { openOrderLimits } = defaultConfig(start)
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: rich, bob: rich },
      index: { btc_usd: '50000' },
      config: { openOrderLimits: { ...openOrderLimits, triggers: 1 } },
    })
    const trigger = { source: 'mark_price', price: '49600' } as const
    m.buy('alice', {
      ...{ amount: '300', price: '49990' },
      linked: {
        ...{ type: 'one_triggers_other', condition: 'incremental' },
        secondaries: [{ side: 'sell', amount: '100', type: 'stop_market', trigger }],
      },
    })
    // The secondary counts as one; its part would be one more.
    expect(turnsAfter(m, '100')).toEqual(['2 rejected, max_open_orders'])
  })
})

test('a fill of one partner does not reduce the other while the other waits for its update', () => {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
  m.sell('bob', { amount: '100', price: '49985' })
  m.buy('carol', { amount: '20', price: '49980' })
  const entered = m.buy('alice', {
    ...{ amount: '300', price: '49990', timeInForce: 'immediate_or_cancel' },
    linked: {
      ...{ type: 'one_triggers_one_cancels_other', condition: 'incremental' },
      secondaries: [
        { side: 'sell', amount: '100', price: '49980' },
        { side: 'sell', amount: '100', price: '50300' },
      ],
    },
  })
  const story = storyOf(m, entered)
  // A third of each. 2 of the first 3 lots fill before the second one is placed.
  expect(story.slice(story.indexOf('done') + 1)).toEqual([
    ...['6 opened', 'trade 20 at 49980, 2 with 6', '2 filled 20 of 20', '6 filled 20 of 30'],
    ...['4 cancelled, oto_primary_closed', '7 opened', '5 cancelled, oto_primary_closed'],
  ])
  expect(m.depth('sell')).toEqual([
    ['49980', '10'],
    ['50300', '30'],
  ])
})
