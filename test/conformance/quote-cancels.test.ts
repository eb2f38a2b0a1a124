/**
 * Cancelling quotes: the quotes that a cancel covers, and the sessions that may send it.
 * Source: trading.md 6.16 (C35), C12; sessions-blocks-gateways.md 8.8, 8.11.
 */

import { describe, expect, test } from 'vitest'
import { viewOption } from '../../src/engine/index.ts'
import { defaultConfig } from '../../src/model/index.ts'
import { wordOf } from '../support/event-words.ts'
import { type Market, type Outcome, type Setup, start } from '../support/harness.ts'
import { protect } from '../support/protection-words.ts'
import { cancelQuotes, type EntryWords, openQuotes, quote, quotedMarket, refusedSides } from '../support/quote-words.ts'

const size = '1000'
const bid = { price: '49900', amount: size }
const ask = { price: '50100', amount: size }

/** Quotes of two instruments in two groups and two sets, and an ordinary order. */
function several(setup: Partial<Setup> = {}): Market {
  const m = quotedMarket(setup)
  protect(m, 'maker', { name: 'two' })
  quote(m, [
    { set: 'a', bid, ask },
    { instrument: 'BTC-27MAR26', set: 'b', bid },
  ])
  quote(m, { set: 'a', ask: { price: '50200', amount: size } }, { group: 'two' })
  m.buy('maker', { amount: '10', price: '49000' })
  return m
}

describe('quotes.cancel C35', () => {
  test('all cancels all quotes and no other order, in the order of their creation', () => {
    const m = several()
    const outcome = cancelQuotes(m)
    const cancelled = outcome.events.flatMap((event) =>
      event.kind === 'order' && event.change === 'cancelled' ? [`${event.side} ${event.reason}`] : [],
    )
    expect(cancelled).toEqual([...['buy user_request', 'sell user_request', 'buy user_request', 'sell user_request']])
    expect(outcome.count).toBe(4)
    expect(m.openOrders('maker')).toHaveLength(1)
    expect(cancelQuotes(m).count).toBe(0)
  })

  test.each([
    ['a set', { quoteSetId: 'a' }, 3],
    ['another set', { quoteSetId: 'b' }, 1],
    ['a set of nobody', { quoteSetId: 'c' }, 0],
    ['a kind', { kinds: ['future' as const] }, 4],
    ['another kind', { kinds: ['option' as const] }, 0],
    ['a currency', { currencies: ['BTC' as const] }, 4],
    ['another currency', { currencies: ['ETH' as const] }, 0],
    ['a pair', { pair: 'btc_usd' }, 4],
    ['a group and side', { group: 1, side: 'buy' as const }, 2],
    ['another group', { group: 2 }, 1],
  ])('%s', (_title, filter, count) => {
    expect(cancelQuotes(several(), filter).count).toBe(count)
  })

  test('an instrument', () => {
    const m = several()
    const { id } = m.instrument('BTC-27MAR26')
    expect(cancelQuotes(m, { instrument: id }).count).toBe(1)
  })

  test('needs a session that cancels quotes on disconnect (13042)', () => {
    const m = several()
    expect(cancelQuotes(m, {}, { session: 0 }).refusal).toEqual({ reason: 'cod_not_enabled' })
    expect(openQuotes(m)).toHaveLength(4)
  })

  test('quotes.freeze: with a freeze no new quotes are accepted for a second', () => {
    const m = several()
    const outcome = cancelQuotes(m, { currencies: ['BTC'] }, { freeze: true })
    expect(outcome.events.at(-2)).toMatchObject({
      ...{ kind: 'standing', protection: 'quote_freeze', change: 'on', group: 'BTC' },
      ...{ until: m.exchange.now + 1_000_000, cancelled: 4, session: 1 },
    })
    expect(quote(m, { bid }).refusal).toEqual({ reason: 'quotes_frozen' })
    m.wait(1_000_000)
    expect(quote(m, { bid }).refusal).toBeNull()
  })

  test('a cancel over direct access covers only its own quotes, and so does one over JSON-RPC', () => {
    const alt = { engine: 'alt' }
    const m = several({ instruments: { 'BTC-PERPETUAL': alt, 'BTC-27MAR26': alt } })
    const target = m.account('maker')
    m.send({ kind: 'set_permissions', target, member: true, mmp: null, massQuotes: null })
    m.send({
      ...{ kind: 'open_session', opened: 7, type: 'direct_access', target },
      ...{ gateway: 'BTC_A', schemaVersion: 19, cancelOnDisconnect: false, mobile: false },
    })
    const other = { instrument: 'BTC-27MAR26', ask: { price: '50100', amount: size } }
    quote(m, other, { group: 2, session: 7 })
    expect(cancelQuotes(m, {}, { session: 7 }).count).toBe(1)
    expect(cancelQuotes(m).count).toBe(4)
  })
})

describe('by delta C35', () => {
  const call = 'BTC-27MAR26-50000-C'
  const far = 'BTC-27MAR26-90000-C'
  const spread = 'BTC-CS-27MAR26-50000_90000'
  const future = 'BTC-27MAR26'

  /** A quote of two options, their spread and a future, under portfolio margin. */
  function options(): Market {
    const instruments = { [call]: {}, [far]: {}, [spread]: {}, [future]: {} }
    const m = quotedMarket({ instruments, models: { maker: 'segregated_pm' } })
    const entries: EntryWords[] = [
      { instrument: call, bid: { price: '0.05', amount: '1' } },
      { instrument: far, bid: { price: '0.0005', amount: '1' } },
      { instrument: spread, bid: { price: '0.01', amount: '1' } },
      { instrument: future, bid },
    ]
    const outcome = quote(m, entries)
    expect(refusedSides(m, outcome)).toEqual([])
    expect(openQuotes(m)).toHaveLength(4)
    return m
  }

  function deltaOf(m: Market, name: string): number {
    return viewOption(m.exchange, m.instrument(name).id)?.greeks?.delta9 ?? 0
  }

  test('options and their combos with a delta in the range, ends included; futures have no delta here', () => {
    const m = options()
    const near = deltaOf(m, call)
    const little = deltaOf(m, far)
    expect(near).toBeGreaterThan(little)
    const range = (min9: number, max9: number): number => cancelQuotes(m, { delta: { min9, max9 } }).count
    expect(range(near + 1, 2_000_000_000)).toBe(0)
    expect(range(near, near)).toBe(1)
    expect(range(near - little, near - little)).toBe(1)
    expect(range(0, little - 1)).toBe(0)
    expect(range(0, little)).toBe(1)
    expect(openQuotes(m)).toEqual([`${future} buy 1000@49900`])
  })

  test('the absolute value of the delta counts, for puts as for calls', () => {
    const put = 'BTC-27MAR26-50000-P'
    const m = quotedMarket({ instruments: { [put]: {} }, models: { maker: 'segregated_pm' } })
    quote(m, { instrument: put, bid: { price: '0.05', amount: '1' } })
    const delta9 = deltaOf(m, put)
    expect(delta9).toBeLessThan(0)
    expect(cancelQuotes(m, { delta: { min9: -delta9, max9: -delta9 } }).count).toBe(1)
  })
})

describe('8.8: quotes behind the speed bump', () => {
  /** ETH options wait 10 ms if they would match. */
  function bumped(): Market {
    const setup = {
      instruments: { 'ETH-27MAR26-3000-C': {} },
      index: { eth_usd: '3000' },
      accounts: { maker: { ETH: '1000' }, taker: { ETH: '1000' }, other: { ETH: '1000' } },
      models: { maker: 'segregated_pm' as const },
    }
    const { speedBumps } = defaultConfig(start)
    return quotedMarket({ ...setup, config: { speedBumps } }, { index: 'eth_usd' })
  }

  /** The reply does not wait, so that each request returns at once. */
  function send(m: Market, entry: EntryWords): Outcome {
    return quote(m, entry, { waits: false })
  }

  const resting = { price: '0.05', amount: '10' }

  test('only the side that would match waits; if it is cancelled, it ends at its release', () => {
    const m = bumped()
    m.sell('taker', { price: '0.11', amount: '4' })
    const outcome = send(m, {
      bid: { price: '0.11', amount: '10' },
      ask: { price: '0.12', amount: '10' },
    })
    expect(outcome.events.map(wordOf)).toEqual(['order opened', 'bump', 'order opened', 'request'])
    expect(cancelQuotes(m).count).toBe(1)
    // The side is free for a new quote, which is a separate order.
    send(m, { bid: resting })
    m.wait(10_000)
    const ends = m.events.filter((event) => event.kind === 'order' && event.change === 'cancelled')
    expect(ends.at(-1)).toMatchObject({ side: 'buy', filled: 4, reason: 'time_in_force' })
    expect(openQuotes(m)).toEqual(['ETH-27MAR26-3000-C buy 10@0.05'])
  })

  test('a waiting quote enters at once if its new price is passive, otherwise it waits again', () => {
    const m = bumped()
    m.sell('taker', { price: '0.11', amount: '4' })
    send(m, { bid: { price: '0.11', amount: '10' } })
    m.wait(4_000)
    send(m, { bid: { price: '0.115' } })
    m.wait(6_000)
    expect(m.depth('sell')).toEqual([['0.11', '4']])
    send(m, { bid: resting })
    expect(m.depth('buy')).toEqual([['0.05', '10']])
    m.wait(10_000)
    expect(m.depth('sell')).toEqual([['0.11', '4']])
  })

  test('a resting quote whose new price would match leaves the book and waits', () => {
    const m = bumped()
    m.sell('taker', { price: '0.11', amount: '4' })
    send(m, { bid: resting })
    send(m, { bid: { price: '0.11' } })
    expect(m.depth('buy')).toEqual([])
    m.wait(10_000)
    expect(m.depth('sell')).toEqual([])
    expect(m.depth('buy')).toEqual([['0.11', '6']])
  })
})
