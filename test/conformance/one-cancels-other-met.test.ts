/**
 * Linked partners of which one waits for a price, and partners that an incoming order meets.
 *
 * Source: trading.md 6.14, C21, C27, C32 d.
 */
import { describe, expect, test } from 'vitest'
import type { FillCondition, Side } from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, type Setup } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { orderKindsOf, storyOf } from '../support/story.ts'

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

function pair(words: OrderWords, other: Member, condition: FillCondition = 'first_hit'): OrderWords {
  return { ...words, linked: { type: 'one_cancels_other', condition, secondaries: [other] } }
}

/** A take-profit order at 50400 and a stop order at 49600. */
const profit = { amount: '100', price: '50400' } as const
const stop: Member = {
  ...{ side: 'sell', amount: '100', type: 'stop_market' },
  trigger: { source: 'mark_price', price: '49600' },
}

describe('rule order.one-cancels-other: a member that fires (C32 d)', () => {
  test('does not cancel the other; the fills of the resulting order do', () => {
    const m = btc()
    m.sell('alice', pair(profit, { ...stop, type: 'stop_limit', price: '49700' }))
    const fired = m.mark('49600')
    expect(storyOf(m, fired)).toEqual(['mark 49600', 'done', '2 triggered as 3', '3 opened'])
    expect(m.depth('sell')).toEqual([
      ['49700', '100'],
      ['50400', '100'],
    ])
    expect(storyOf(m, m.buy('bob', { amount: '10', price: '49700' }))).toEqual([
      ...['4 opened', 'trade 10 at 49700, 3 with 4', '1 cancelled, oco_other_closed'],
      ...['3 filled 10 of 100', '4 filled 10 of 10', 'done'],
    ])
  })

  test('the resulting order inherits the link and is cancelled with the other', () => {
    const m = btc()
    const placed = m.sell('alice', pair(profit, { ...stop, type: 'stop_limit', price: '49700' }))
    const opened = m.mark('49600').events.at(-1)
    expect(opened).toMatchObject({ links: { condition: 'first_hit', pair: idOf(placed) } })
    expect(storyOf(m, m.cancel('alice', idOf(placed)))).toEqual([
      ...['1 cancelled, user_request', '3 cancelled, oco_other_closed', 'done'],
    ])
  })

  test('fills at the activation cancel the other at once', () => {
    const m = btc()
    m.sell('alice', pair(profit, stop))
    m.buy('bob', { amount: '30', price: '49590' })
    expect(storyOf(m, m.mark('49600')).slice(2)).toEqual([
      ...['2 triggered as 4', '4 opened', 'trade 30 at 49590, 3 with 4'],
      ...['1 cancelled, oco_other_closed', '3 filled 30 of 30', '4 filled 30 of 100', '4 rested'],
    ])
  })

  test('complete_fill and incremental count the fills of the resulting order', () => {
    for (const [condition, line] of [
      ['complete_fill', undefined],
      ['incremental', '1 resized to 70, linked_order'],
    ] as const) {
      const m = btc()
      m.sell('alice', pair(profit, stop, condition))
      m.buy('bob', { amount: '30', price: '49590' })
      const fired = storyOf(m, m.mark('49600'))
      expect(fired.find((reported) => reported.startsWith('1 '))).toBe(line)
    }
  })

  test('if the resulting order is refused, the other stays, alone', () => {
    const m = btc()
    const placed = m.sell('alice', pair(profit, { ...stop, reduceOnly: true }))
    expect(storyOf(m, m.mark('49600'))).toEqual([...['mark 49600', 'done', '2 rejected, reduce_direction']])
    expect(m.depth('sell')).toEqual([['50400', '100']])
    expect(storyOf(m, m.cancel('alice', idOf(placed)))).toEqual(['1 cancelled, user_request', 'done'])
  })

  test('the request order may be the one that waits for a price', () => {
    const m = btc()
    const { side: _sell, ...waits } = stop
    const placed = m.sell('alice', pair(waits, { side: 'sell', ...profit }))
    expect(storyOf(m, placed)).toEqual(['1 opened, waits', '2 opened', 'done'])
    m.mark('50400')
    m.buy('bob', { amount: '10', price: '50400' })
    expect(m.openOrders('alice')).toHaveLength(1)
    expect(orderKindsOf(m.mark('49600'))).toEqual(['mark', 'request'])
  })

  test('one update fires both: the fills of the first end the other before its activation', () => {
    const m = btc()
    const trigger = { source: 'mark_price', price: '50200' } as const
    const words: OrderWords = { amount: '100', type: 'stop_market', trigger }
    const later = { ...trigger, price: '50300' }
    m.buy('alice', pair(words, { ...words, side: 'buy', trigger: later }))
    m.sell('bob', { amount: '500', price: '50000' })
    expect(storyOf(m, m.mark('50300')).slice(2)).toEqual([
      ...['1 triggered as 4', '4 opened', 'trade 100 at 50000, 3 with 4'],
      ...['2 cancelled, oco_other_closed', '3 filled 100 of 500', '4 filled 100 of 100'],
    ])
    expect(m.openOrders('alice')).toEqual([])
  })
})

describe('rule order.one-cancels-other: an incoming order counts the linked orders as they will be (C21, C27)', () => {
  const near = { amount: '100', price: '50000' } as const
  const far = { side: 'sell', amount: '100', price: '50010' } as const

  function met(condition: FillCondition, words: OrderWords, more: Setup['config'] = {}): Outcome {
    const m = btc(more)
    m.sell('alice', pair(near, far, condition))
    m.sell('carol', { amount: '100', price: '50020' })
    return m.buy('bob', words)
  }

  test.each(['first_hit', 'complete_fill', 'incremental'] as const)(
    'fill or kill, %s: the far partner does not count once the near one is taken',
    (condition) => {
      const words = { price: '50010', timeInForce: 'fill_or_kill' } as const
      const over = met(condition, { ...words, amount: '110' })
      expect([over.order?.state, over.trades]).toEqual(['cancelled', []])
      expect(met(condition, { ...words, amount: '100' }).order?.state).toBe('filled')
      const beyond = met(condition, { ...words, amount: '200', price: '50020' })
      expect(beyond.trades.map(({ amount }) => amount)).toEqual([10, 10])
    },
  )

  test('self-match: an own order behind the partners is reached by fewer lots than the book shows', () => {
    const m = btc()
    m.sell('alice', pair(near, far))
    m.sell('bob', { amount: '10', price: '50020' })
    expect(m.buy('bob', { amount: '110', price: '50020' }).refusal?.reason).toBe('order_overlap')
    expect(m.buy('bob', { amount: '100', price: '50020' }).order?.state).toBe('filled')
  })

  test('incremental, at one price: an iceberg, then its reduced partner, whose fill ends the iceberg', () => {
    const timeInForce = 'fill_or_kill'
    for (const [amount, state] of [
      ['1410', 'cancelled'],
      ['1400', 'filled'],
    ] as const) {
      const m = btc()
      const iceberg = { amount: '3000', price: '50000', display: '1000' }
      m.sell('alice', pair(iceberg, { side: 'sell', amount: '600', price: '50000' }, 'incremental'))
      // A third of the iceberg is filled, so a third of 600 is cut. Another 400 fill the partner.
      const taken = m.buy('bob', { amount, price: '50000', timeInForce })
      expect(taken.order?.state).toBe(state)
      if (state === 'cancelled') continue
      expect(storyOf(m, taken)).toEqual([
        ...['3 opened', 'trade 1000 at 50000, 1 with 3', '2 resized to 400, linked_order'],
        ...['1 filled 1000 of 3000', 'trade 400 at 50000, 2 with 3'],
        ...['1 cancelled, oco_other_closed', '2 filled 400 of 400', '3 filled 1400 of 1400'],
        'done',
      ])
    }
  })

  test('cancel_maker: a taker that would cancel its own partner ends with it, so it cannot fill', () => {
    const m = btc({ selfMatch: 'cancel_maker' })
    m.sell('bob', { amount: '500', price: '50005' })
    const fok: Member = {
      ...{ side: 'buy', amount: '200', price: '50010', timeInForce: 'fill_or_kill' },
    }
    expect(storyOf(m, m.sell('alice', pair(near, fok)))).toEqual([
      ...['2 opened', '3 opened', '3 cancelled, time_in_force', '2 cancelled, oco_other_closed'],
      'done',
    ])
  })
})
