/**
 * A primary order whose fills place two linked orders; each of the two cancels the other (OTOCO).
 *
 * Source: trading.md 6.14, 5.1, C32 c to f.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import { type FillCondition, NO_ORDER, type OrderChanged, type Side } from '../../src/model/index.ts'
import { type Market, market, type Outcome, type Setup } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

type Secondary = OrderWords & { readonly side: Side }

/** A take-profit order at 50400 and a stop order at 49600. */
const profit: Secondary = { side: 'sell', amount: '100', price: '50400' }
const stop: Secondary = {
  ...{ side: 'sell', amount: '100', type: 'stop_limit', price: '49700' },
  trigger: { source: 'mark_price', price: '49600' },
}

interface Bracket {
  readonly m: Market
  readonly placed: Outcome
  /** The primary and both secondaries. */
  readonly ids: readonly OrderId[]
}

function bracket(
  condition: FillCondition = 'first_hit',
  secondaries: readonly Secondary[] = [profit, stop],
  more: { readonly words?: Partial<OrderWords>; readonly config?: Setup['config'] } = {},
): Bracket {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: '50000' },
    config: more.config ?? {},
  })
  const placed = m.buy('alice', {
    ...{ amount: '100', price: '49990', ...more.words },
    linked: { type: 'one_triggers_one_cancels_other', condition, secondaries },
  })
  return { m, placed, ids: opened(placed).map(({ order }) => order) }
}

function opened(outcome: Outcome): OrderChanged[] {
  return outcome.events.filter((event): event is OrderChanged => event.kind === 'order' && event.change === 'opened')
}

function fill(m: Market, amount: string): Outcome {
  return m.sell('bob', { amount, price: '49990' })
}

/** The events that a fill of the primary causes. */
function turnsAfter(m: Market, amount: string): string[] {
  const story = storyOf(m, fill(m, amount))
  return story.slice(story.indexOf('done') + 1)
}

describe('rule order.one-triggers-other: a primary with two that cancel each other', () => {
  test('both wait, linked to the primary and to each other; the first one names the pair', () => {
    const { m, placed, ids } = bracket()
    expect(storyOf(m, placed)).toEqual(['1 opened', '2 opened, waits', '3 opened, waits', 'done'])
    const [primary = NO_ORDER, first = NO_ORDER, second = NO_ORDER] = ids
    const condition = 'first_hit'
    expect(opened(placed).map(({ links }) => links)).toEqual([
      { condition, pair: NO_ORDER, primary: NO_ORDER, secondaries: [first, second] },
      { condition, pair: first, primary, secondaries: [] },
      { condition, pair: first, primary, secondaries: [] },
    ])
  })

  test('a fill places both; they stay linked to each other and to the primary', () => {
    const { m, ids } = bracket()
    const turn = fill(m, '10')
    expect(storyOf(m, turn).slice(-4)).toEqual([
      ...['2 triggered as 5', '5 opened', '3 triggered as 6', '6 opened, waits'],
    ])
    const [primary, pair] = ids
    const links = { condition: 'first_hit', pair, primary, secondaries: [] }
    expect(opened(turn).slice(-2)).toMatchObject([{ links }, { links }])
  })

  test('a fill of one cancels the other', () => {
    const { m } = bracket()
    fill(m, '100')
    expect(storyOf(m, m.buy('bob', { amount: '10', price: '50400' })).slice(1)).toEqual([
      ...['trade 10 at 50400, 5 with 7', '6 cancelled, oco_other_closed'],
      ...['5 filled 10 of 100', '7 filled 10 of 10', 'done'],
    ])
  })

  test('a stop that fires stays next to the other order until it fills', () => {
    const { m } = bracket()
    fill(m, '100')
    expect(storyOf(m, m.mark('49600')).slice(2)).toEqual(['6 triggered as 7', '7 opened'])
    expect(m.openOrders('alice')).toHaveLength(2)
    expect(storyOf(m, m.buy('bob', { amount: '100', price: '49700' })).slice(2, 3)).toEqual([
      '5 cancelled, oco_other_closed',
    ])
  })

  test('complete_fill: a partial fill of the primary places nothing; one of a placed order cancels nothing', () => {
    const { m } = bracket('complete_fill')
    expect(turnsAfter(m, '90')).toEqual([])
    expect(turnsAfter(m, '10')).toHaveLength(4)
    m.buy('bob', { amount: '90', price: '50400' })
    expect(m.openOrders('alice')).toHaveLength(2)
    const last = storyOf(m, m.buy('bob', { amount: '10', price: '50400' }))
    expect(last).toContain('7 cancelled, oco_other_closed')
  })
})

describe('rule order.secondary: the placement of two orders that cancel each other', () => {
  test('if the first order fills at its placement, the other ends before its own placement', () => {
    const { m } = bracket('first_hit', [{ ...profit, price: '49980' }, stop])
    m.buy('bob', { amount: '30', price: '49980' })
    expect(turnsAfter(m, '100')).toEqual([
      ...['2 triggered as 6', '6 opened', 'trade 30 at 49980, 4 with 6'],
      ...['3 cancelled, oco_other_closed', '4 filled 30 of 30', '6 filled 30 of 100'],
    ])
  })

  test('if the first order ends at its placement, the other ends too', () => {
    const ioc = { ...profit, timeInForce: 'immediate_or_cancel' } as const
    const { m } = bracket('first_hit', [ioc, stop])
    expect(turnsAfter(m, '10')).toEqual([
      ...['2 triggered as 5', '5 opened', '5 cancelled, time_in_force'],
      '3 cancelled, oco_other_closed',
    ])
  })

  test('if the first order is refused, the other is placed alone (C32 d)', () => {
    const { m } = bracket('first_hit', [{ ...profit, price: '1' }, stop])
    const turn = fill(m, '10')
    expect(storyOf(m, turn).slice(-3)).toEqual([
      ...['2 rejected, price_too_low', '3 triggered as 5', '5 opened, waits'],
    ])
    const id = opened(turn).at(-1)?.order ?? NO_ORDER
    expect(storyOf(m, m.cancel('alice', id))).toEqual(['5 cancelled, user_request', 'done'])
  })

  test('if the second order is refused, the first stays alone', () => {
    const { m } = bracket('first_hit', [profit, { ...profit, price: '1' }])
    expect(turnsAfter(m, '10')).toEqual(['2 triggered as 5', '5 opened', '3 rejected, price_too_low'])
    expect(m.depth('sell')).toEqual([['50400', '100']])
  })
})

describe('rule order.links-close: brackets', () => {
  test('if the primary is cancelled, both end for that reason', () => {
    const { m, ids } = bracket()
    expect(storyOf(m, m.cancel('alice', ids[0] ?? NO_ORDER))).toEqual([
      ...['1 cancelled, user_request', '2 cancelled, oto_primary_closed'],
      ...['3 cancelled, oto_primary_closed', 'done'],
    ])
  })

  test('if one dormant order is cancelled, the other ends and the primary stays', () => {
    for (const [which, other] of [
      [1, 3],
      [2, 2],
    ] as const) {
      const { m, ids } = bracket()
      expect(storyOf(m, m.cancel('alice', ids[which] ?? NO_ORDER))).toEqual([
        ...[`${which + 1} cancelled, user_request`, `${other} cancelled, oco_other_closed`],
        'done',
      ])
      expect(turnsAfter(m, '10')).toEqual([])
    }
  })

  test('if one placed order is cancelled, the other ends', () => {
    const { m } = bracket()
    const [first] = opened(fill(m, '10')).slice(-2)
    expect(storyOf(m, m.cancel('alice', first?.order ?? NO_ORDER))).toEqual([
      ...['5 cancelled, user_request', '6 cancelled, oco_other_closed', 'done'],
    ])
  })
})

describe('rule order.secondary: incremental brackets', () => {
  test('both grow with the primary and reduce each other in proportion', () => {
    const { m } = bracket('incremental')
    expect(turnsAfter(m, '40')).toEqual(['5 opened', '6 opened, waits'])
    expect(turnsAfter(m, '20')).toEqual([...['5 resized to 60, linked_order', '6 resized to 60, linked_order']])
    // 3 of 6 lots filled cut 3 of the other 6.
    expect(storyOf(m, m.buy('bob', { amount: '30', price: '50400' }))[2]).toBe('6 resized to 30, linked_order')
    expect(turnsAfter(m, '40')).toEqual([
      ...['2 triggered as 5', '5 resized to 100, linked_order'],
      ...['3 triggered as 6', '6 resized to 70, linked_order'],
    ])
  })

  test('a filled part ends the placed part of the other order, but not the parts still to come', () => {
    const { m } = bracket('incremental')
    fill(m, '40')
    expect(storyOf(m, m.buy('bob', { amount: '40', price: '50400' })).slice(1)).toEqual([
      ...['trade 40 at 50400, 5 with 7', '6 cancelled, oco_other_closed'],
      ...['5 filled 40 of 40', '7 filled 40 of 40', 'done'],
    ])
    expect(turnsAfter(m, '20')).toEqual(['9 opened', '10 opened, waits'])
    expect(m.depth('sell')).toEqual([['50400', '20']])
  })

  test('if the first order ends at the placement of its part, the other places nothing in that step', () => {
    const ioc = { ...profit, timeInForce: 'immediate_or_cancel' } as const
    const { m } = bracket('incremental', [ioc, stop])
    expect(turnsAfter(m, '40')).toEqual(['5 opened', '5 cancelled, time_in_force'])
    expect(turnsAfter(m, '60')).toEqual([
      ...['2 triggered as 7', '7 opened', '7 cancelled, time_in_force'],
      '3 cancelled, oco_other_closed',
    ])
    expect(m.openOrders('alice')).toEqual([])
  })

  test('if the primary is cancelled, the placed parts stay and stay linked', () => {
    const { m, ids } = bracket('incremental')
    fill(m, '40')
    expect(storyOf(m, m.cancel('alice', ids[0] ?? NO_ORDER))).toEqual([
      ...['1 cancelled, user_request', '2 cancelled, oto_primary_closed'],
      ...['3 cancelled, oto_primary_closed', 'done'],
    ])
    expect(m.openOrders('alice')).toHaveLength(2)
    expect(storyOf(m, m.buy('bob', { amount: '40', price: '50400' }))).toContain('6 cancelled, oco_other_closed')
  })
})
