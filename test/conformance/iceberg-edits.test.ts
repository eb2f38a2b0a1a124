/**
 * Editing icebergs: the visible amount afterwards, and the place in the queue.
 *
 * Source: trading.md 6.7, 6.10, C25, C28 b, d.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import { idOf, kindsOf, type Market, market, type Outcome, priceOf } from '../support/harness.ts'
import type { EditWords } from '../support/market-words.ts'

const rich = { BTC: '1000' }

interface Queue {
  readonly m: Market
  readonly order: OrderId
}

/** An iceberg of bob, of which `taken` is already filled, before an order of carol. */
function queue(words: { readonly amount: string; readonly display: string; readonly taken?: string }): Queue {
  const { amount, display, taken } = words
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich, carol: rich },
    index: { btc_usd: '50000' },
  })
  const order = idOf(m.sell('bob', { amount, price: '50000', display }))
  if (taken !== undefined) m.buy('alice', { amount: taken, price: '50000' })
  m.sell('carol', { amount: '10', price: '50000' })
  return { m, order }
}

/** The visible amount of the iceberg after an edit, and whether it is still first in the queue. */
function seenAfter(
  { m, order }: Queue,
  words: EditWords,
): { readonly shown: number; readonly display: number; readonly first: boolean } {
  const edited: Outcome = m.edit('bob', order, words)
  expect([edited.refusal, kindsOf(edited)]).toEqual([null, ['order edited', 'request']])
  const { shown = 0, display = 0, price } = edited.order ?? {}
  const seen = new Map(m.depth('sell')).get('50000')
  const isThere = price === priceOf('50000')
  expect(seen).toBe(String(isThere ? 10 * shown + 10 : 10))
  const [trade] = m.buy('alice', { amount: '10', price: '50000' }).trades
  return { shown: 10 * shown, display: 10 * display, first: trade?.maker.order === order }
}

describe('rule order.edit-priority: icebergs', () => {
  const fresh = { amount: '5000', display: '2000' }
  const eaten = { ...fresh, taken: '1500' }

  test.each([
    // A full visible part of 2000, of 5000 in all.
    [fresh, {}, 2000, 2000, true],
    [fresh, { amount: '3000' }, 2000, 2000, true],
    [fresh, { amount: '2500' }, 2000, 2000, true],
    [fresh, { amount: '2000' }, 2000, 0, true],
    [fresh, { amount: '700' }, 700, 0, true],
    [fresh, { amount: '5010' }, 2000, 2000, false],
    [fresh, { price: '50010' }, 2000, 2000, false],
    [fresh, { display: '1000' }, 1000, 1000, true],
    [fresh, { display: '2010' }, 2010, 2010, false],
    [fresh, { display: '0' }, 5000, 0, false],
    [fresh, { display: '5000' }, 5000, 0, false],
    [fresh, { amount: '3000', display: '1000' }, 1000, 1000, true],
    [fresh, { amount: '6000', display: '1000' }, 1000, 1000, false],
    // 500 of the visible part of 2000 and 3500 of the whole are left.
    [eaten, {}, 500, 2000, true],
    [eaten, { amount: '2500' }, 500, 2000, true],
    [eaten, { amount: '2010' }, 500, 2000, true],
    [eaten, { amount: '2000' }, 500, 0, true],
    [eaten, { amount: '1800' }, 300, 0, true],
    [eaten, { amount: '5010' }, 2000, 2000, false],
    [eaten, { display: '1000' }, 500, 1000, true],
    [eaten, { display: '3000' }, 3000, 3000, false],
    [eaten, { display: '0' }, 3500, 0, false],
    // After the edit all 900 that are left would be visible; 400 of them were hidden.
    [eaten, { amount: '2400', display: '2400' }, 900, 0, false],
    [eaten, { postOnly: 'slide' }, 500, 2000, true],
  ] as const)('%o edited by %o: shows %i by %i, first %s', (words, edit, shown, display, first) => {
    expect(seenAfter(queue(words), edit)).toEqual({ shown, display, first })
  })

  test('a refill shows at most the remainder, even if the display size is larger', () => {
    const small = queue({ ...fresh, taken: '4000' })
    // 1000 are left, all of them visible.
    expect(seenAfter(small, { amount: '5500' })).toEqual({
      shown: 1500,
      display: 2000,
      first: false,
    })
  })

  test('a plain order becomes an iceberg and keeps its place', () => {
    const plain = queue({ amount: '5000', display: '0' })
    expect(seenAfter(plain, { display: '1000' })).toEqual({
      shown: 1000,
      display: 1000,
      first: true,
    })
  })

  test('an iceberg that became a normal order stays normal', () => {
    const { m, order } = queue(fresh)
    m.edit('bob', order, { amount: '1500' })
    expect(m.edit('bob', order, { amount: '5000' }).order).toMatchObject({
      ...{ display: 0, shown: 500 },
    })
  })

  test('the first refill after an edit has the new size', () => {
    const { m, order } = queue(fresh)
    m.edit('bob', order, { display: '1000' })
    m.buy('alice', { amount: '1010', price: '50000' })
    expect(m.depth('sell')).toEqual([['50000', '1000']])
  })

  test('C28 d a refused edit leaves the iceberg unchanged', () => {
    const { m, order } = queue(eaten)
    for (const words of [{ display: '990' }, { amount: '300000' }]) {
      expect(m.edit('bob', order, words).refusal).toEqual({ reason: 'invalid_max_show_amount' })
    }
    expect(seenAfter({ m, order }, {})).toEqual({ shown: 500, display: 2000, first: true })
  })

  test('C28 e an edit whose price crosses matches with the whole amount', () => {
    const { m, order } = queue(eaten)
    m.buy('alice', { amount: '3000', price: '49990' })
    const edited = m.edit('bob', order, { price: '49990' })
    expect(edited.trades.map(({ amount }) => amount)).toEqual([300])
    expect(edited.order).toMatchObject({ filled: 450, shown: 50 })
  })
})
