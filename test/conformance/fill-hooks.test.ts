/**
 * The effects of each single fill, in their order: the trade and its last price, linked orders and reduce-only orders,
 * each for the maker and then for the taker, then the maker's event. Placements come after the command.
 *
 * Source: trading.md C06; C26, C31 d, C32 c, i.
 */
import { describe, expect, test } from 'vitest'
import type { FillCondition, Side } from '../../src/model/index.ts'
import { type Market, market } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

function btc(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
}

type Member = OrderWords & { readonly side: Side }

function pair(words: OrderWords, other: Member, condition: FillCondition = 'first_hit'): OrderWords {
  const linked = { type: 'one_cancels_other', condition, secondaries: [other] } as const
  return { ...words, linked }
}

describe('C06 the hooks of a fill', () => {
  test('trade, links of the maker, links of the taker, reduce-only orders of both, the maker; then the rest', () => {
    const m = btc()
    m.give('alice', '100', '50000')
    m.give('bob', '-100', '50000')
    // Alice has a reduce-only ask and two linked orders, of which an ask is met. Bob has the mirror image.
    m.sell('alice', { amount: '100', price: '50400', reduceOnly: true })
    m.sell('alice', pair({ amount: '60', price: '50000' }, { side: 'buy', amount: '10', price: '49500' }))
    m.buy('bob', { amount: '100', price: '49600', reduceOnly: true })
    const taken = m.buy('bob', pair({ amount: '60', price: '50000' }, { side: 'sell', amount: '10', price: '50500' }))
    expect(storyOf(m, taken)).toEqual([
      ...['5 opened', '6 opened', 'trade 60 at 50000, 2 with 5'],
      ...['3 cancelled, oco_other_closed', '6 cancelled, oco_other_closed'],
      ...['1 resized to 40, reduce_only', '4 resized to 40, reduce_only'],
      ...['2 filled 60 of 60', '5 filled 60 of 60', 'done'],
    ])
  })

  test('protection before the next match: the taker does not match an order that a fill has ended', () => {
    const m = btc()
    m.sell('alice', pair({ amount: '10', price: '50000' }, { side: 'sell', amount: '10', price: '50000' }))
    m.sell('carol', { amount: '10', price: '50000' })
    expect(storyOf(m, m.buy('bob', { amount: '20', price: '50000' }))).toEqual([
      ...['4 opened', 'trade 10 at 50000, 1 with 4', '2 cancelled, oco_other_closed'],
      ...['1 filled 10 of 10', 'trade 10 at 50000, 3 with 4', '3 filled 10 of 10'],
      ...['4 filled 20 of 20', 'done'],
    ])
  })

  test('a maker that its own fill ends has no event except its end', () => {
    const m = btc()
    // Its partner trades with it, which the simulator may allow, and both fill completely.
    m.selfTrading('alice', 'off')
    const other: Member = { side: 'buy', amount: '200', price: '50000' }
    const words = pair({ amount: '500', price: '50000' }, other, 'complete_fill')
    expect(storyOf(m, m.sell('alice', words))).toEqual([
      ...['1 opened', '2 opened', 'trade 200 at 50000, 1 with 2', '1 cancelled, oco_other_closed'],
      ...['2 filled 200 of 200', 'done'],
    ])
  })

  test('placements follow the command: fired triggers first, then secondaries, in the order of the fills', () => {
    const m = btc()
    m.sell('carol', { amount: '10', price: '50000' })
    m.buy('bob', { amount: '10', price: '50000' })
    const trigger = { price: '50010' }
    m.buy('carol', { amount: '10', type: 'stop_limit', price: '49000', trigger })
    const later = { side: 'buy', amount: '10', price: '49100' } as const
    const linked = { type: 'one_triggers_other', secondaries: [later] } as const
    m.sell('alice', { amount: '10', price: '50005', linked })
    m.sell('alice', { amount: '10', price: '50010', linked })
    const swept = m.buy('bob', { amount: '20', price: '50010' })
    const story = storyOf(m, swept)
    // The first fill queues the placement of 5. The second fill fires 3 and queues the placement of 7.
    expect(story.slice(story.indexOf('done'))).toEqual([
      'done',
      ...['5 triggered as 9', '9 opened', '3 triggered as 10', '10 opened'],
      ...['7 triggered as 11', '11 opened'],
    ])
  })

  test('the first fill of a taker ends its partner, which the taker would have met next', () => {
    const m = btc()
    m.selfTrading('alice', 'off')
    m.sell('bob', { amount: '10', price: '50000' })
    const other: Member = { side: 'buy', amount: '20', price: '50005' }
    const first = pair({ amount: '10', price: '50005' }, other)
    expect(storyOf(m, m.sell('alice', first))).toEqual([
      ...['2 opened', '3 opened', 'trade 10 at 50000, 1 with 3', '2 cancelled, oco_other_closed'],
      ...['1 filled 10 of 10', '3 filled 10 of 20', 'done'],
    ])
  })

  test('a taker that ends with its partner stops at once, and icebergs that it met refill', () => {
    const m = btc()
    m.selfTrading('alice', 'cancel_maker')
    m.sell('bob', { amount: '3000', price: '50000', display: '1000' })
    const other: Member = { side: 'buy', amount: '4000', price: '50000' }
    const words = pair({ amount: '10', price: '50000' }, other, 'complete_fill')
    expect(storyOf(m, m.sell('alice', words))).toEqual([
      ...['2 opened', '3 opened', 'trade 1000 at 50000, 1 with 3', '1 filled 1000 of 3000'],
      ...['2 cancelled, risk_mitigation', '3 cancelled, oco_other_closed', '1 shows 1000', 'done'],
    ])
  })
})
