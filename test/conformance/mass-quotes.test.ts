/**
 * Mass quotes: the effects of each side, and its place in the queue.
 * Source: trading.md 6.10, 6.16 (C34, C35); coverage S073, S103.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import { idOf, kindsOf, type Market, type Outcome } from '../support/harness.ts'
import { protect } from '../support/protection-words.ts'
import { openQuotes, quote, quotedMarket, refusedSides } from '../support/quote-words.ts'

const both = {
  bid: { price: '49900', amount: '1000' },
  ask: { price: '50100', amount: '2000' },
}

/** Orders in the events of a request, each once, in order. */
function reportedOf({ events }: Outcome): readonly OrderId[] {
  return [...new Set(events.flatMap((event) => ('extras' in event ? [event.order] : [])))]
}

/** The owner of the bid that a sale of this amount meets first in the queue at 49,900. */
function firstMet(m: Market): OrderId | undefined {
  const [trade] = m.sell('taker', { amount: '10', price: '49900' }).trades
  return trade?.maker.order
}

describe('a quote', () => {
  test('S103 C34: is a limit order of its group that stays until it is cancelled', () => {
    const m = quotedMarket()
    const outcome = quote(m, both, { id: 'first' })
    expect(kindsOf(outcome)).toEqual(['order opened', 'order opened', 'request'])
    expect(outcome.count).toBe(2)
    expect(outcome.order).toMatchObject({
      ...{ side: 'buy', type: 'limit', timeInForce: 'good_til_cancelled', label: '' },
      ...{ amount: 100, display: 0, session: 1 },
      extras: {
        mmp: { group: 1, index: 'btc_usd', name: 'one' },
        quote: { quoteId: 'first', quoteSetId: 's' },
        direct: null,
      },
    })
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 1000@49900', 'BTC-PERPETUAL sell 2000@50100'])
  })

  test('C34: a new quote replaces the old one under the same id', () => {
    const m = quotedMarket()
    const first = quote(m, both)
    const second = quote(m, {
      bid: { price: '49950', amount: '500' },
      ask: { price: '50050', amount: '300' },
    })
    expect(reportedOf(second)).toEqual(reportedOf(first))
    expect(kindsOf(second)).toEqual(['order edited', 'order edited', 'request'])
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 500@49950', 'BTC-PERPETUAL sell 300@50050'])
  })

  test('6.16: a missing price or amount is taken from the resting quote', () => {
    const m = quotedMarket()
    quote(m, both)
    quote(m, { bid: { price: '49950' }, ask: { amount: '70' } })
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 1000@49950', 'BTC-PERPETUAL sell 70@50100'])
  })

  test('6.16: without a resting quote, a missing price or amount refuses the side', () => {
    const m = quotedMarket()
    const outcome = quote(m, { bid: { price: '49950' }, ask: { amount: '70' } })
    expect(outcome.events).toMatchObject([
      { kind: 'quote_refusal', refusal: { reason: 'invalid_params', param: 'bid.amount' } },
      { kind: 'quote_refusal', refusal: { reason: 'invalid_params', param: 'ask.price' } },
      { kind: 'request' },
    ])
  })

  test('6.16: an amount of 0 cancels that side; without a resting quote it does nothing', () => {
    const m = quotedMarket()
    const [bid] = reportedOf(quote(m, both))
    const outcome = quote(m, { bid: { amount: '0' } })
    expect(outcome.events[0]).toMatchObject({
      ...{ kind: 'order', change: 'cancelled', order: bid, reason: 'user_request' },
    })
    expect(kindsOf(quote(m, { bid: { amount: '0' } }))).toEqual(['request'])
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL sell 2000@50100'])
  })

  test('S073 C34: fills count over the whole life of a quote, and its amount is the open amount', () => {
    const m = quotedMarket()
    const [bid] = reportedOf(quote(m, both))
    m.sell('taker', { amount: '400', price: '49900' })
    const outcome = quote(m, { bid: { amount: '900' } })
    expect(outcome.order).toMatchObject({ order: bid, amount: 130, filled: 40 })
    expect(openQuotes(m)[0]).toBe('BTC-PERPETUAL buy 900@49900')
    const filled = m.sell('taker', { amount: '900', price: '49900' })
    expect(filled.events.find((event) => event.kind === 'order' && event.change === 'filled')).toMatchObject({
      ...{ order: bid, amount: 130, filled: 130, state: 'filled' },
    })
    expect(reportedOf(quote(m, { bid: both.bid }))).not.toContain(bid)
  })

  test('C34: groups are layers, each with one quote per instrument and side', () => {
    const m = quotedMarket()
    protect(m, 'maker', { name: 'two' })
    quote(m, both)
    quote(m, { bid: { price: '49800', amount: '5000' } }, { group: 'two' })
    quote(m, { bid: { price: '49850' } }, { group: 'two' })
    expect(openQuotes(m)).toEqual([
      'BTC-PERPETUAL buy 1000@49900',
      'BTC-PERPETUAL sell 2000@50100',
      'BTC-PERPETUAL buy 5000@49850',
    ])
  })

  test('7.3: needs no margin of its quotes: the margin of the group covers them', () => {
    // 3 % of 10 BTC are held for the group.
    const accounts = { maker: { BTC: '0.4' }, taker: { BTC: '10' } }
    const m = quotedMarket({ accounts }, { maxQuote: 10 })
    const size = { price: '49900', amount: '400000' }
    expect(m.buy('maker', size).refusal).toMatchObject({ reason: 'not_enough_funds' })
    const initial = m.wallet('maker', 'BTC').initialMargin
    expect(openQuotes(m)).toEqual([])
    quote(m, { bid: size })
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 400000@49900'])
    expect(m.wallet('maker', 'BTC').initialMargin).toBe(initial)
  })

  test('C28: cannot be edited (10031); a cancel by id frees its side', () => {
    const m = quotedMarket()
    const order = idOf(quote(m, both))
    expect(m.edit('maker', order, { price: '49950' }).refusal).toEqual({
      reason: 'invalid_args_for_instrument',
    })
    expect(m.cancel('maker', order).refusal).toBeNull()
    expect(idOf(quote(m, { bid: both.bid }))).not.toBe(order)
  })

  test('4.5 C12: is cancelled by bulk cancels of its instrument', () => {
    const m = quotedMarket()
    quote(m, both)
    expect(m.cancelAll('maker', { side: 'sell' }).count).toBe(1)
    expect(m.cancelAll('maker', { kinds: ['option'] }).count).toBe(0)
    expect(m.cancelAll('maker').count).toBe(1)
    expect(openQuotes(m)).toEqual([])
  })
})

describe('quotes.priority 6.10', () => {
  /** A quote at 49,900 with an order of another account behind it. */
  function queued(): { readonly m: Market; readonly own: OrderId; readonly behind: OrderId } {
    const m = quotedMarket()
    const own = idOf(quote(m, { bid: both.bid }))
    const behind = idOf(m.buy('other', { amount: '1000', price: '49900' }))
    return { m, own, behind }
  }

  test.each([
    ['less of it keeps its place', { amount: '500' }, 's', true],
    ['another set alone keeps it', {}, 'other', true],
    ['less of it in another set keeps it', { amount: '500' }, 'other', true],
    ['more of it loses it', { amount: '1010' }, 's', false],
    ['sent again as it is, it loses it', {}, 's', false],
    ['sent again as it is with both terms, it loses it', both.bid, 's', false],
  ])('%s', (_title, bid, set, keeps) => {
    const { m, own, behind } = queued()
    quote(m, { bid, set })
    expect(firstMet(m)).toBe(keeps ? own : behind)
  })

  test('a changed price loses the place, even if it changes back', () => {
    const { m, behind } = queued()
    quote(m, { bid: { price: '49890' } })
    quote(m, { bid: { price: '49900' } })
    expect(firstMet(m)).toBe(behind)
  })
})

describe('quotes.independent-sides C34', () => {
  test('a refused side leaves the other side and the resting quotes unchanged', () => {
    const m = quotedMarket()
    quote(m, both)
    const outcome = quote(m, {
      bid: { price: '30000' },
      ask: { price: '90000', amount: '10000000' },
    })
    expect(refusedSides(m, outcome)).toEqual(['BTC-PERPETUAL sell other_reject max_quote_quantity'])
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 1000@30000', 'BTC-PERPETUAL sell 2000@50100'])
  })

  test('a bid at or above its ask refuses both sides, including prices taken from resting quotes (13910)', () => {
    const m = quotedMarket()
    const crossed = ['BTC-PERPETUAL buy quote_crossed', 'BTC-PERPETUAL sell quote_crossed']
    const same = { price: '50000', amount: '10' }
    expect(refusedSides(m, quote(m, { bid: same, ask: same }))).toEqual(crossed)
    quote(m, both)
    expect(refusedSides(m, quote(m, { bid: { price: '50100' }, ask: { amount: '10' } }))).toEqual(crossed)
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 1000@49900', 'BTC-PERPETUAL sell 2000@50100'])
  })

  test('a side that is cancelled does not count as crossed', () => {
    const m = quotedMarket()
    quote(m, both)
    const outcome = quote(m, { bid: { price: '50200' }, ask: { amount: '0' } })
    expect(refusedSides(m, outcome)).toEqual(['BTC-PERPETUAL buy order_overlap'])
    expect(refusedSides(m, quote(m, { bid: { price: '50200' } }))).toEqual([])
  })

  test('a side that would meet a quote of another group is refused, or cancels it (C27)', () => {
    const m = quotedMarket()
    protect(m, 'maker', { name: 'two' })
    quote(m, both)
    const bid = { price: '50150', amount: '10' }
    expect(refusedSides(m, quote(m, { bid }, { group: 'two' }))).toEqual(['BTC-PERPETUAL buy order_overlap'])
    m.selfTrading('maker', 'cancel_maker')
    const outcome = quote(m, { bid }, { group: 'two' })
    expect(outcome.events.find((event) => event.kind === 'order' && event.change === 'cancelled')).toMatchObject({
      ...{ side: 'sell', reason: 'risk_mitigation' },
    })
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 1000@49900', 'BTC-PERPETUAL buy 10@50150'])
  })

  test.each([
    ['an amount below the minimum', { price: '49900', amount: '0' }, 'qty_too_low'],
    ['a price off the grid', { price: '49900', amount: '10' }, 'price_wrong_tick'],
  ])('an error %s in a side refuses only that side', (_title, bid, reason) => {
    const m = quotedMarket()
    const step = reason === 'qty_too_low' ? 11 : 12
    const fault = { step, refusal: { reason } } as const
    const outcome = quote(m, { bid: { ...bid, fault: fault as never }, ask: both.ask })
    expect(refusedSides(m, outcome)).toEqual([`BTC-PERPETUAL buy ${reason}`])
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL sell 2000@50100'])
  })

  test.each([
    ['a price above the band', { bid: { price: '51000', amount: '10' } }, 'buy price_too_high'],
    ['a price off the grid', { bid: { price: '0', amount: '10' } }, 'buy price_wrong_tick'],
    [
      'a post-only side that would take',
      { bid: { price: '50200', amount: '10', postOnly: 'reject' as const } },
      'buy post_only_reject',
    ],
  ])('%s', (_title, entry, expected) => {
    const m = quotedMarket()
    m.sell('other', { amount: '1000', price: '50200' })
    expect(refusedSides(m, quote(m, entry))).toEqual([`BTC-PERPETUAL ${expected}`])
  })

  test('a post-only side moves to the nearest price inside the spread', () => {
    const m = quotedMarket()
    m.sell('other', { amount: '1000', price: '50200' })
    quote(m, { bid: { price: '50300', amount: '10', postOnly: 'slide' } })
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 10@50199.5'])
  })

  test('C36: the limit of open orders applies, and a changed quote does not count twice', () => {
    const m = quotedMarket({
      config: {
        openOrderLimits: { total: 1, future: 9, option: 9, spot: 9, triggers: 9, secondaries: 9 },
      },
    })
    expect(refusedSides(m, quote(m, both))).toEqual(['BTC-PERPETUAL sell pme_max_total_open_orders'])
    expect(refusedSides(m, quote(m, { bid: { amount: '50' } }))).toEqual([])
  })

  test('a book that takes no orders refuses the sides; a locked book lets them be cancelled', () => {
    const m = quotedMarket()
    quote(m, both)
    m.bookState('locked')
    const outcome = quote(m, [
      { bid: { price: '49950' }, ask: { amount: '0' } },
      { instrument: 'BTC-27MAR26', bid: both.bid },
    ])
    expect(refusedSides(m, outcome)).toEqual(['BTC-PERPETUAL buy locked_by_admin'])
    expect(openQuotes(m)).toEqual(['BTC-PERPETUAL buy 1000@49900', 'BTC-27MAR26 buy 1000@49900'])
  })
})

describe('quotes.side-order 6.16', () => {
  function sidesOf(m: Market, outcome: Outcome): readonly string[] {
    return outcome.events.flatMap((event) => {
      if (!('extras' in event)) return []
      return [`${m.exchange.instruments[event.instrument]?.instrument.name} ${event.side}`]
    })
  }

  test.each([
    ['the bid is first', '49890', '50110', 'buy', 'sell'],
    ['where both fall too', '49890', '50090', 'buy', 'sell'],
    ['where both rise the ask is', '49910', '50110', 'sell', 'buy'],
  ])('%s', (_title, bid, ask, first, second) => {
    const m = quotedMarket()
    quote(m, both)
    const outcome = quote(m, { bid: { price: bid }, ask: { price: ask } })
    expect(sidesOf(m, outcome)).toEqual([`BTC-PERPETUAL ${first}`, `BTC-PERPETUAL ${second}`])
  })

  test('so that a quote can rise above its own old ask', () => {
    const m = quotedMarket()
    quote(m, both)
    const rising = { bid: { price: '50200' }, ask: { price: '50300' } }
    expect(refusedSides(m, quote(m, rising))).toEqual([])
    const falling = { bid: { price: '49800' }, ask: { price: '49900' } }
    expect(refusedSides(m, quote(m, falling))).toEqual([])
  })

  test('entries are processed in the order of the list', () => {
    const m = quotedMarket()
    const outcome = quote(m, [
      { instrument: 'BTC-27MAR26', ask: both.ask },
      { bid: both.bid },
      { instrument: 'BTC-27MAR26', bid: both.bid },
    ])
    expect(sidesOf(m, outcome)).toEqual(['BTC-27MAR26 sell', 'BTC-PERPETUAL buy', 'BTC-27MAR26 buy'])
  })

  test('C39 C44: a fill that trips the group cancels its quotes and refuses the sides after it', () => {
    const m = quotedMarket({}, { quantity: 1 })
    m.sell('other', { amount: '60000', price: '50000' })
    const outcome = quote(m, [
      { instrument: 'BTC-27MAR26', bid: both.bid },
      { bid: { price: '50000', amount: '60000' }, ask: both.ask },
    ])
    expect(outcome.trades).toHaveLength(1)
    expect(refusedSides(m, outcome)).toEqual(['BTC-PERPETUAL sell mmp_trigger'])
    expect(openQuotes(m)).toEqual([])
    expect(quote(m, { ask: both.ask }).refusal).toEqual({ reason: 'mmp_trigger' })
  })
})
