/**
 * Trailing stops: their trigger price follows the best price since their placement.
 *
 * Source: trading.md 6.13 (KB-TRAIL), C31 b, c; coverage R48.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import type { Side, Trigger } from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, priceOf, priceText } from '../support/harness.ts'
import type { TriggerWords } from '../support/market-words.ts'
import { storyOf } from '../support/story.ts'

const rich = { BTC: '1000' }

function btc(index: string): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: rich, bob: rich },
    index: { btc_usd: index },
  })
}

function trail(m: Market, side: Side, offset: string, more: TriggerWords = {}): OrderId {
  const trigger = { source: 'index_price', offset, ...more } as const
  return idOf(m[side]('alice', { amount: '10', type: 'trailing_stop', trigger }))
}

/** The trigger of an order, as the reply to an edit without changes shows it. */
function shown(m: Market, order: OrderId): Trigger | null {
  return m.edit('alice', order, {}).order?.trigger ?? null
}

function shownPrice(m: Market, order: OrderId): string {
  return priceText(shown(m, order)?.price ?? priceOf('0'))
}

function hasFired(outcome: Outcome): boolean {
  return outcome.events.some((event) => event.kind === 'order' && event.change === 'triggered')
}

describe('rule order.trigger: a trailing stop (C31 b)', () => {
  test('sell, as documented: 5000 below 120000 is 115000, and below 125000 it is 120000; it never moves back', () => {
    const m = btc('120000')
    const order = trail(m, 'sell', '5000')
    expect(shown(m, order)).toEqual({
      source: 'index_price',
      price: priceOf('115000'),
      offset: priceOf('5000'),
      reference: priceOf('120000'),
    })
    for (const [index, price] of [
      ['119000', '115000'],
      ['125000', '120000'],
      ['121000', '120000'],
      ['125000', '120000'],
      ['120000.5', '120000'],
    ] as const) {
      expect(hasFired(m.index('btc_usd', index))).toBe(false)
      expect([index, shownPrice(m, order)]).toEqual([index, price])
    }
    // It fires when the price is reached. The reference stays the value of the source at the placement.
    const fired = m.index('btc_usd', '120000')
    expect(storyOf(m, fired).slice(-4)).toEqual(['done', '1 triggered as 2', '2 opened', '2 rested'])
    expect(fired.events.find((event) => event.kind === 'order' && event.change === 'triggered')).toMatchObject({
      trigger: { price: priceOf('120000'), reference: priceOf('120000'), offset: priceOf('5000') },
    })
  })

  test('buy: the offset above the lowest price', () => {
    const m = btc('120000')
    const order = trail(m, 'buy', '5000')
    for (const [index, price] of [
      ['121000', '125000'],
      ['110000', '115000'],
      ['114999.5', '115000'],
      ['112000', '115000'],
    ] as const) {
      expect(hasFired(m.index('btc_usd', index))).toBe(false)
      expect([index, shownPrice(m, order)]).toEqual([index, price])
    }
    expect(hasFired(m.index('btc_usd', '115000'))).toBe(true)
  })

  test('a jump over the trigger price fires it too; a new extreme does not', () => {
    const m = btc('50000')
    trail(m, 'sell', '100')
    expect(hasFired(m.index('btc_usd', '60000'))).toBe(false)
    expect(hasFired(m.index('btc_usd', '40000'))).toBe(true)
  })

  test('each source; with last_price each trade moves it', () => {
    const m = btc('50000')
    const trade = (price: string): Outcome => {
      m.sell('bob', { amount: '10', price })
      return m.buy('alice', { amount: '10', price })
    }
    trade('50000')
    trail(m, 'sell', '100', { source: 'last_price' })
    trail(m, 'sell', '100', { source: 'mark_price' })
    expect(hasFired(trade('50050'))).toBe(false)
    m.mark('50200')
    // The order on the last price fires at 49950, the order on the mark at 50100.
    expect(hasFired(trade('49950.5'))).toBe(false)
    expect(hasFired(trade('49950'))).toBe(true)
    expect(hasFired(m.mark('50100.5'))).toBe(false)
    expect(hasFired(m.mark('50100'))).toBe(true)
  })

  test('a trigger price in its request is ignored (R48)', () => {
    const m = btc('50000')
    const order = trail(m, 'sell', '100', { price: '1' })
    expect(shownPrice(m, order)).toBe('49900')
  })

  test('the exact value is compared; the shown value is rounded half up to the grid', () => {
    const m = btc('50000.3')
    const sell = trail(m, 'sell', '10')
    const buy = trail(m, 'buy', '10')
    // Exactly 49990.3 and 50010.3.
    expect([shownPrice(m, sell), shownPrice(m, buy)]).toEqual(['49990.5', '50010.5'])
    expect(hasFired(m.index('btc_usd', '50010.299999999'))).toBe(false)
    expect(hasFired(m.index('btc_usd', '50010.3'))).toBe(true)
    // The trigger price of the sell follows to 50000.3. The order from the buy is cancelled, so the sell cannot match
    // it.
    m.cancelAll('alice', { types: 'in_book' })
    expect(hasFired(m.index('btc_usd', '50000.300000001'))).toBe(false)
    expect(hasFired(m.index('btc_usd', '50000.3'))).toBe(true)
  })

  test.each([
    ['50000.25', '49990.5', '50010.5'],
    ['50000.249999999', '49990', '50010'],
    ['50000.74', '49990.5', '50010.5'],
    ['50000.75', '49991', '50011'],
  ])('at an index of %s shows %s and %s', (index, sells, buys) => {
    const m = btc(index)
    expect(shownPrice(m, trail(m, 'sell', '10'))).toBe(sells)
    expect(shownPrice(m, trail(m, 'buy', '10'))).toBe(buys)
  })

  test('it becomes a market order with all requested terms', () => {
    const m = btc('50000')
    m.give('alice', '100', '50000')
    m.buy('bob', { amount: '10', price: '49800' })
    m.sell('alice', {
      ...{ amount: '30', type: 'trailing_stop', label: 'tail', reduceOnly: true },
      ...{ timeInForce: 'immediate_or_cancel', trigger: { source: 'index_price', offset: '100' } },
    })
    const fired = m.index('btc_usd', '49900')
    expect(storyOf(m, fired).slice(3)).toEqual([
      ...['2 triggered as 3', '3 opened', 'trade 10 at 49800, 1 with 3', '1 filled 10 of 10'],
      '3 cancelled, time_in_force',
    ])
    expect(fired.events.at(-1)).toMatchObject({ type: 'market', label: 'tail', reduceOnly: true })
  })
})

describe('rule order.trigger: editing the offset keeps the extreme (C31 b)', () => {
  test('sell: from the highest price since placement, not from the current one', () => {
    const m = btc('50000')
    const order = trail(m, 'sell', '200')
    m.index('btc_usd', '50300')
    m.index('btc_usd', '50150')
    const edited = m.edit('alice', order, { triggerOffset: '160' })
    expect(storyOf(m, edited)).toEqual(['1 edited', 'done'])
    expect(edited.order).toMatchObject({
      ...{ state: 'untriggered', replaced: true },
      trigger: {
        ...{ price: priceOf('50140'), offset: priceOf('160') },
        reference: priceOf('50000'),
      },
    })
    expect(hasFired(m.index('btc_usd', '50140.5'))).toBe(false)
    expect(hasFired(m.index('btc_usd', '50140'))).toBe(true)
  })

  test('an offset at which it would have fired is refused: sells 10034, buys 10035', () => {
    const m = btc('50000')
    const sell = trail(m, 'sell', '200')
    m.index('btc_usd', '50150')
    const buy = trail(m, 'buy', '400')
    m.index('btc_usd', '50100')
    m.index('btc_usd', '50250')
    m.index('btc_usd', '50200')
    // The highest is 50250, the lowest 50100.
    const refusals = [
      m.edit('alice', sell, { triggerOffset: '50' }),
      m.edit('alice', buy, { triggerOffset: '100' }),
    ].map(({ refusal }) => refusal?.reason)
    expect(refusals).toEqual(['trigger_price_too_high', 'trigger_price_too_low'])
    expect([shownPrice(m, sell), shownPrice(m, buy)]).toEqual(['50050', '50500'])
    expect(m.edit('alice', sell, { triggerOffset: '50.5' }).refusal).toBeNull()
    expect(m.edit('alice', buy, { triggerOffset: '100.5' }).refusal).toBeNull()
    expect([shownPrice(m, sell), shownPrice(m, buy)]).toEqual(['50199.5', '50200.5'])
  })

  test('an offset of zero: 10044', () => {
    const m = btc('50000')
    const order = trail(m, 'sell', '200')
    expect(m.edit('alice', order, { triggerOffset: '0' }).refusal?.reason).toBe('trigger_price_wrong_tick')
  })

  test('other edits change neither the extreme price nor the offset', () => {
    const m = btc('50000')
    const order = trail(m, 'buy', '100')
    m.index('btc_usd', '49950')
    m.index('btc_usd', '50000')
    const edited = m.edit('alice', order, { amount: '70' })
    expect(edited.order).toMatchObject({ amount: 7, trigger: { price: priceOf('50050') } })
    expect(hasFired(m.index('btc_usd', '50049.5'))).toBe(false)
    expect(hasFired(m.index('btc_usd', '50050'))).toBe(true)
  })
})
