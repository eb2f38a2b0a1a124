/**
 * Mass quotes: reasons to refuse a whole request, in the order of validation.
 * Source: trading.md 6.16 (C34), C07, C12; sessions-blocks-gateways.md 2.6, 8.2, 8.5, 8.6.
 */
import { describe, expect, test } from 'vitest'
import { micros } from '../../src/core/index.ts'
import { anyOrder, type OrderFilter, type Refusal } from '../../src/model/index.ts'
import type { Market, Outcome } from '../support/harness.ts'
import { protect, reset } from '../support/protection-words.ts'
import { type EntryWords, openQuotes, openQuoting, quote, quotedMarket, refusedSides } from '../support/quote-words.ts'

const bid = { price: '49900', amount: '1000' }

function permit(
  m: Market,
  may: { readonly member?: boolean; readonly mmp?: boolean; readonly massQuotes?: boolean },
): Outcome {
  return m.send({
    ...{ kind: 'set_permissions', target: m.account('maker') },
    ...{ member: may.member ?? null, mmp: may.mmp ?? null, massQuotes: may.massQuotes ?? null },
  })
}

/** A maker who is a Member quotes over direct access with session 7. */
function directMarket(): Market {
  const m = quotedMarket({ instruments: { 'BTC-PERPETUAL': { engine: 'alt' } } })
  permit(m, { member: true })
  m.send({
    ...{ kind: 'open_session', opened: 7, type: 'direct_access', target: m.account('maker') },
    ...{ gateway: 'BTC_A', schemaVersion: 19, cancelOnDisconnect: false, mobile: false },
  })
  return m
}

const direct = { session: 7, group: 1 }

function reasonOf({ refusal }: Outcome): Refusal['reason'] | undefined {
  return refusal?.reason
}

describe('quotes.request C34', () => {
  test('6.16: a request at its deadline is refused (13888)', () => {
    const m = quotedMarket()
    const validUntil = micros(m.exchange.now)
    expect(reasonOf(quote(m, { bid }, { validUntil }))).toBe('timed_out')
    expect(quote(m, { bid }, { validUntil: micros(validUntil + 1) }).refusal).toBeNull()
  })

  test('2.6: a quote needs a session that cancels it on disconnect (13042)', () => {
    const m = quotedMarket()
    expect(reasonOf(quote(m, { bid }, { session: 0 }))).toBe('cod_not_enabled')
    m.session = 2
    m.send({ kind: 'query' }, 'maker')
    expect(reasonOf(quote(m, { bid }, { session: 2 }))).toBe('cod_not_enabled')
    expect(openQuotes(m)).toEqual([])
    openQuoting(m, 'maker', 2)
    expect(quote(m, { bid }, { session: 2 }).refusal).toBeNull()
    m.session = 0
    m.send({ kind: 'close_session', closed: 2, how: 'disconnect' })
    expect(openQuotes(m)).toEqual([])
  })

  test('staff must allow mass quotes and market-maker protection (13902, 13040)', () => {
    const m = quotedMarket()
    permit(m, { massQuotes: false, mmp: false })
    expect(reasonOf(quote(m, { bid }))).toBe('mass_quotes_disabled')
    permit(m, { massQuotes: true })
    expect(reasonOf(quote(m, { bid }))).toBe('mmp_required')
    permit(m, { mmp: true })
    expect(quote(m, { bid }).refusal).toBeNull()
  })

  test('8.2: a portfolio of a Member may quote only over direct access (13902)', () => {
    const m = quotedMarket()
    permit(m, { member: true })
    expect(reasonOf(quote(m, { bid }))).toBe('mass_quotes_disabled')
  })

  test('C34e: a group that the account does not have, or that has no limits, is refused', () => {
    const m = quotedMarket()
    protect(m, 'other', { name: 'theirs' })
    const unknown = 'other_reject unknown_mmp_group'
    expect(reasonOf(quote(m, { bid }, { group: 'theirs' }))).toBe(unknown)
    expect(reasonOf(quote(m, { bid }, { group: 'ONE' }))).toBe(unknown)
    protect(m, 'maker', { name: 'one', interval: 0 })
    expect(reasonOf(quote(m, { bid }))).toBe(unknown)
  })

  test('C34e: all instruments must belong to one index, that of the group', () => {
    const instruments = { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {} }
    const m = quotedMarket({ instruments, index: { btc_usd: '50000', eth_usd: '3000' } })
    const ether: EntryWords = { instrument: 'ETH-PERPETUAL', bid: { price: '2990', amount: '10' } }
    expect(quote(m, [{ bid }, ether]).refusal).toMatchObject({
      ...{ reason: 'invalid_params', param: 'quotes', problem: 'mixed_indexes' },
    })
    expect(quote(m, ether).refusal).toMatchObject({
      ...{ reason: 'invalid_params', param: 'quotes', problem: 'index_not_of_group' },
    })
  })

  test('C34e: at most 100 bids and 100 asks', () => {
    const m = quotedMarket()
    const bids = Array.from({ length: 101 }, () => ({ bid }))
    expect(quote(m, bids).refusal).toMatchObject({ param: 'quotes', problem: 'too_many' })
    const ask = { price: '50100', amount: '10' }
    expect(quote(m, [...bids.slice(1), { ask }]).refusal).toBeNull()
  })

  test('6.16: spot takes no quotes, and options take none under standard margin (10031)', () => {
    const instruments = { BTC_USDC: {}, 'BTC_USDC-PERPETUAL': {}, 'BTC-27MAR26-50000-C': {} }
    const index = { btc_usd: '50000', btc_usdc: '50000' }
    const accounts = { maker: { BTC: '10', USDC: '1000000' } }
    const m = quotedMarket({ instruments, index, accounts })
    protect(m, 'maker', { name: 'spot', index: 'btc_usdc' })
    const amount = { price: '0.05', amount: '1' }
    expect(reasonOf(quote(m, { instrument: 'BTC-27MAR26-50000-C', bid: amount }))).toBe('invalid_args_for_instrument')
    const coins = { price: '49900', amount: '1' }
    expect(reasonOf(quote(m, { bid: coins }, { group: 'spot' }))).toBe('invalid_args_for_instrument')
    expect(quote(m, [], { group: 'spot' }).refusal).toBeNull()
  })

  test('under portfolio margin options take quotes', () => {
    const instruments = { 'BTC-27MAR26-50000-C': {} }
    const models = { maker: 'segregated_pm' } as const
    const m = quotedMarket({ instruments, models })
    const outcome = quote(m, { bid: { price: '0.05', amount: '1' } })
    expect([outcome.refusal, refusedSides(m, outcome)]).toEqual([null, []])
  })

  test('C07: of several errors the earliest step decides', () => {
    const m = quotedMarket()
    permit(m, { massQuotes: false })
    const late = { validUntil: micros(m.exchange.now), group: 'none', session: 0 }
    expect(reasonOf(quote(m, { bid }, late))).toBe('timed_out')
    expect(reasonOf(quote(m, { bid }, { group: 'none', session: 0 }))).toBe('cod_not_enabled')
    expect(reasonOf(quote(m, { bid }, { group: 'none' }))).toBe('mass_quotes_disabled')
    const fault = { step: 7, refusal: { reason: 'not_found' } } as const
    expect(reasonOf(quote(m, { bid }, { session: 0, fault }))).toBe('not_found')
  })
})

describe('direct access 8.5, 8.6', () => {
  test('needs no cancel on disconnect; its quotes belong to its session, without a client order id', () => {
    const m = directMarket()
    const outcome = quote(m, { bid }, direct)
    expect(outcome.order).toMatchObject({
      ...{ session: 7, extras: { direct: { clientOrderId: null, cancelOnDisconnect: false } } },
    })
  })

  test.each([
    ['a group by an unknown number', { bid }, { group: 9 }, 'other_reject unknown_mmp_group'],
    ['the group of orders', { bid }, { group: 2 }, 'other_reject unknown_mmp_group'],
    ['a group without limits', { bid }, { group: 3 }, 'mmp_group_disabled'],
  ])('%s is refused', (_title, entry, words, reason) => {
    const m = directMarket()
    protect(m, 'maker', {})
    protect(m, 'maker', { name: 'gone' })
    protect(m, 'maker', { name: 'gone', interval: 0 })
    expect(reasonOf(quote(m, entry, { ...direct, ...words }))).toBe(reason)
  })

  test('accepts 15 instruments, each once', () => {
    const m = directMarket()
    const many = Array.from({ length: 16 }, () => ({ bid }))
    expect(reasonOf(quote(m, many, direct))).toBe('too_many_quotes')
    expect(reasonOf(quote(m, [{ bid }, { bid }], direct))).toBe('duplicate_instrument')
  })

  test('an invalid amount refuses the whole request', () => {
    const m = directMarket()
    const small = { price: '50100', amount: '0', fault: qtyTooLow }
    expect(reasonOf(quote(m, { bid, ask: small }, direct))).toBe('qty_too_low')
    expect(openQuotes(m)).toEqual([])
  })

  test('quotes.priority: a quote that is sent again unchanged keeps its place', () => {
    const m = directMarket()
    const own = quote(m, { bid }, direct).order?.order
    m.buy('other', { amount: '1000', price: '49900' })
    quote(m, { bid }, { ...direct, id: 'again' })
    const [trade] = m.sell('taker', { amount: '10', price: '49900' }).trades
    expect(trade?.maker.order).toBe(own)
  })

  test('8.9 R11: the reset flag ends a freeze, but not in its first second', () => {
    const m = directMarket()
    protect(m, 'maker', { name: 'one', quantity: 0.1 })
    quote(m, { bid: { price: '49900', amount: '10000' } }, direct)
    m.sell('taker', { amount: '10000', price: '49900' })
    const resets = { ...direct, resetMmp: true }
    m.wait(999_999)
    expect(reasonOf(quote(m, { bid }, resets))).toBe('mmp_min_freeze_time_not_elapsed')
    m.wait(1)
    expect(reasonOf(quote(m, { bid }, direct))).toBe('mmp_trigger')
    expect(quote(m, { bid }, resets).events).toMatchObject([
      { kind: 'mmp', change: 'reset', session: 7 },
      { kind: 'order', change: 'opened' },
      { kind: 'request' },
    ])
  })
})

describe('quotes.freeze C12', () => {
  const ask = { price: '50100', amount: '1000' }

  /** Cancels the orders that match a filter, and freezes quotes. */
  function freeze(m: Market, filter: Partial<OrderFilter> = {}): Outcome {
    const cancelled = { ...anyOrder, ...filter }
    return m.send({ kind: 'cancel_orders', filter: cancelled, freezesQuotes: true }, 'maker')
  }

  test('a bulk cancel with a freeze cancels quotes and refuses new ones for a second (13043)', () => {
    const m = quotedMarket()
    quote(m, { bid, ask })
    const { events } = freeze(m)
    expect(events).toMatchObject([
      ...[
        { kind: 'order', change: 'cancelled' },
        { kind: 'order', change: 'cancelled' },
      ],
      {
        ...{ kind: 'standing', protection: 'quote_freeze', change: 'on', group: null },
        ...{ until: m.exchange.now + 1_000_000, cancelled: 2 },
      },
      { kind: 'request' },
    ])
    expect(m.buy('maker', { amount: '10', price: '49900' }).refusal).toBeNull()
    m.wait(999_999)
    expect(reasonOf(quote(m, { bid }))).toBe('quotes_frozen')
    expect(reasonOf(quote(m, { bid: { amount: '0' } }))).toBe('quotes_frozen')
    m.wait(1)
    expect(quote(m, { bid }).refusal).toBeNull()
  })

  test('C12f: the freeze covers the currencies of the filter', () => {
    const instruments = { 'BTC-PERPETUAL': {}, 'ETH-PERPETUAL': {} }
    const index = { btc_usd: '50000', eth_usd: '3000' }
    const accounts = { maker: { BTC: '10', ETH: '10' } }
    const m = quotedMarket({ instruments, index, accounts })
    const ether = { instrument: 'ETH-PERPETUAL', bid: { price: '2990', amount: '10' } }
    protect(m, 'maker', { name: 'ether', index: 'eth_usd' })
    for (const filter of [
      { currencies: ['ETH' as const] },
      { pair: 'eth_usd' },
      { instrument: m.instrument('ETH-PERPETUAL').id },
    ]) {
      expect(freeze(m, filter).events[0]).toMatchObject({ group: 'ETH', cancelled: 0 })
      expect(quote(m, { bid }).refusal).toBeNull()
      expect(reasonOf(quote(m, ether, { group: 'ether' }))).toBe('quotes_frozen')
      m.wait(1_000_000)
    }
    expect(quote(m, ether, { group: 'ether' }).refusal).toBeNull()
  })

  test('C34f: a frozen group takes no quotes until it is reset (13030)', () => {
    const m = quotedMarket({}, { quantity: 0.1 })
    quote(m, { bid: { price: '49900', amount: '10000' }, ask })
    m.sell('taker', { amount: '10000', price: '49900' })
    expect(openQuotes(m)).toEqual([])
    expect(reasonOf(quote(m, { bid }))).toBe('mmp_trigger')
    reset(m, 'maker', { name: 'one' })
    expect(quote(m, { bid }).refusal).toBeNull()
  })
})

const qtyTooLow = { step: 11, refusal: { reason: 'qty_too_low' } } as const
