/**
 * A frozen group of market-maker protection, and the ways in which the freeze ends.
 * Source: trading.md 7.2, C41, C42, C43; sessions-blocks-gateways.md 8.9; coverage R11.
 */
import { describe, expect, test } from 'vitest'
import { fork, stateHash } from '../../src/engine/index.ts'
import type { PlacementExtras } from '../../src/model/index.ts'
import { idOf, type Market, market, type Outcome, start } from '../support/harness.ts'
import { mmpEvents, protect, protectedOrder, reset } from '../support/protection-words.ts'

const mmp = { extras: protectedOrder }
const second = 1_000_000
const frozen = { reason: 'mmp_trigger' }

/** A maker whose group has tripped at the start. A trade of one coin trips it. */
function tripped(words: { readonly frozenTime?: number; readonly interval?: number } = {}, speedBumps = false): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': { engine: 'alt', gateway: 'BTC' }, 'BTC-27MAR26': {} },
    accounts: { maker: { BTC: '10' }, other: { BTC: '10' }, taker: { BTC: '10' } },
    index: { btc_usd: '50000' },
    config: { speedBumps },
  })
  protect(m, 'maker', { quantity: 1, ...words })
  trip(m)
  return m
}

function trip(m: Market, account = 'maker'): Outcome {
  m.sell(account, { amount: '50000', price: '50000', ...mmp })
  return m.buy('taker', { amount: '50000', price: '50000' })
}

function quote(m: Market, account = 'maker'): Outcome {
  return m.buy(account, { amount: '10', price: '49000', ...mmp })
}

describe('a freeze', () => {
  test('Rule: mmp.freeze C41 new orders are refused to the last millisecond of the freeze, then accepted', () => {
    const m = tripped({ frozenTime: 3 })
    expect(quote(m).refusal).toEqual(frozen)
    m.wait(3 * second - 1)
    expect(quote(m).refusal).toEqual(frozen)
    const over = m.wait(1)
    expect(mmpEvents(over)).toMatchObject([
      { change: 'unfrozen', quantity9: 0, delta9: 0, windowStart: null, frozenUntil: null },
    ])
    expect(quote(m).refusal).toBeNull()
  })

  test('the counters are zero after it, and the next fill starts a new count', () => {
    const m = tripped({ frozenTime: 1, interval: 100 })
    m.wait(second)
    m.sell('maker', { amount: '40000', price: '50000', ...mmp })
    const outcome = m.buy('taker', { amount: '40000', price: '50000' })
    expect(mmpEvents(outcome)).toMatchObject([{ change: 'window_opened', quantity9: 800_000_000 }])
    m.sell('maker', { amount: '10000', price: '50000', ...mmp })
    const next = m.buy('taker', { amount: '10000', price: '50000' })
    expect(mmpEvents(next)).toMatchObject([{ change: 'triggered', quantity9: 1_000_000_000 }])
  })

  test('a frozen time of 0 freezes until a reset', () => {
    const m = tripped({ frozenTime: 0 })
    expect(m.exchange.mmpGroups[0]?.freeze).toMatchObject({ until: null, timer: null })
    m.wait(3600 * second)
    expect(quote(m).refusal).toEqual(frozen)
    expect(mmpEvents(reset(m, 'maker'))).toMatchObject([{ change: 'reset', cancelled: 0 }])
    expect(quote(m).refusal).toBeNull()
  })

  test('it covers one group: orders without the flag, other indices and other accounts continue', () => {
    const m = tripped()
    expect(m.buy('maker', { amount: '10', price: '49000' }).refusal).toBeNull()
    protect(m, 'other', { quantity: 1 })
    expect(quote(m, 'other').refusal).toBeNull()
  })

  test('S317 it cancels the group’s orders in all instruments of the index, in the order of creation', () => {
    const m = tripped({ frozenTime: 1 })
    m.wait(second)
    const ids = ['BTC-27MAR26', 'BTC-PERPETUAL', 'BTC-27MAR26'].map((instrument, at) =>
      idOf(m.buy('maker', { instrument, amount: '100', price: `${49_000 - at * 10}`, ...mmp })),
    )
    const plain = idOf(m.buy('maker', { amount: '10', price: '48000' }))
    const events = trip(m).events.flatMap((event) =>
      event.kind === 'order' && event.change === 'cancelled' ? [event.order] : [],
    )
    expect(events).toEqual(ids)
    expect(m.openOrders('maker').map(({ order }) => order.id)).toEqual([plain])
  })

  test('C45 a frozen group stays frozen when it is configured again, even after a removal', () => {
    const m = tripped()
    protect(m, 'maker', { quantity: 2 })
    expect(quote(m).refusal).toEqual(frozen)
    protect(m, 'maker', { interval: 0 })
    expect(quote(m).refusal).toEqual({ reason: 'other_reject mmp_not_configured' })
    protect(m, 'maker', { quantity: 2 })
    expect(quote(m).refusal).toEqual(frozen)
    m.wait(10 * second)
    expect(quote(m).refusal).toBeNull()
  })

  test('a resting order without the flag cannot join a frozen group', () => {
    const m = tripped()
    const plain = idOf(m.buy('maker', { amount: '10', price: '48000' }))
    expect(m.edit('maker', plain, { amount: '10', mmp: true }).refusal).toEqual(frozen)
    expect(m.edit('maker', plain, { amount: '10', mmp: false }).refusal).toBeNull()
  })
})

describe('a reset', () => {
  test('R11 over JSON-RPC it ends the freeze at once; for direct access the first second must pass', () => {
    const m = tripped()
    m.wait(200_000)
    expect(mmpEvents(reset(m, 'maker'))).toMatchObject([{ change: 'reset' }])
    expect(quote(m).refusal).toBeNull()
    expect(m.exchange.mmpGroups[0]?.freeze).toMatchObject({ isReset: true, until: start + second })
    expect(mmpEvents(m.wait(800_000))).toMatchObject([{ change: 'unfrozen' }])
    expect(m.exchange.mmpGroups[0]?.freeze).toBeNull()
    expect(quote(m).refusal).toBeNull()
  })

  test('trades after a reset in the first second stay counted', () => {
    const m = tripped()
    reset(m, 'maker')
    m.sell('maker', { amount: '40000', price: '50000', ...mmp })
    m.buy('taker', { amount: '40000', price: '50000' })
    m.wait(second)
    expect(m.exchange.mmpGroups[0]).toMatchObject({ quantity9: 800_000_000, windowStart: start })
  })

  test('a reset group can trip again, also in the first second', () => {
    const m = tripped({ frozenTime: 5 })
    reset(m, 'maker')
    m.wait(500_000)
    expect(mmpEvents(trip(m)).at(-1)).toMatchObject({
      ...{ change: 'triggered', frozenUntil: start + 5_500_000 },
    })
    expect(mmpEvents(m.wait(500_000))).toEqual([])
    expect(quote(m).refusal).toEqual(frozen)
    expect(mmpEvents(m.wait(4_500_000))).toMatchObject([{ change: 'unfrozen' }])
  })

  test('C42 resetting a group that is not frozen or does not exist is neither an error nor an event', () => {
    const m = tripped({ frozenTime: 1 })
    m.wait(second)
    expect(reset(m, 'maker')).toMatchObject({ refusal: null, count: 0 })
    expect(mmpEvents(reset(m, 'other'))).toEqual([])
    expect(reset(m, 'maker', { index: 'eth_usd', name: 'none' }).refusal).toBeNull()
  })
})

/** Opens a direct-access session of the maker's portfolio. */
function connect(m: Market): void {
  m.send({
    ...{ kind: 'set_permissions', target: m.account('maker'), member: true },
    ...{ mmp: null, massQuotes: null },
  })
  m.send({
    ...{ kind: 'open_session', opened: 7, type: 'direct_access', target: m.account('maker') },
    ...{ gateway: 'BTC_A', schemaVersion: 19, cancelOnDisconnect: false, mobile: false },
  })
}

function directOrder(resetMmp: boolean): { readonly extras: PlacementExtras } {
  const direct = { clientOrderId: null, cancelOnDisconnect: false }
  return { extras: { mmp: true, resetMmp, direct, lasting: null } }
}

describe('direct access', () => {
  function ask(m: Market, resets = false): Outcome {
    const words = { amount: '10', price: '49000', ...directOrder(resets) }
    return m.over(7, () => m.buy('maker', words))
  }

  test('Rule: mmp.first-second S297 S317 R11 C42 nothing ends a freeze in its first second; then a flag does', () => {
    const m = tripped({ frozenTime: 0 })
    connect(m)
    const early = { reason: 'mmp_min_freeze_time_not_elapsed' }
    expect(ask(m).refusal).toEqual(early)
    m.wait(second - 1)
    expect(ask(m, true).refusal).toEqual(early)
    m.wait(1)
    expect(ask(m).refusal).toEqual(frozen)
    const lifted = ask(m, true)
    expect(lifted.refusal).toBeNull()
    expect(lifted.events.slice(0, 2)).toMatchObject([
      { kind: 'mmp', change: 'reset', session: 7 },
      { kind: 'order', change: 'opened' },
    ])
    expect(ask(m).refusal).toBeNull()
  })

  test('R11 after a reset over JSON-RPC it is refused until a second has passed, and then accepted', () => {
    const m = tripped({ frozenTime: 0 })
    connect(m)
    m.wait(100_000)
    reset(m, 'maker')
    expect(quote(m).refusal).toBeNull()
    expect(ask(m).refusal).toEqual({ reason: 'mmp_min_freeze_time_not_elapsed' })
    m.wait(900_000)
    expect(ask(m).refusal).toBeNull()
  })
})

describe('behind the speed bump', () => {
  test('an order that waits when its group trips becomes immediate-or-cancel, and its fill does not count', () => {
    const m = market({
      instruments: {
        'BTC-PERPETUAL': {},
        'BTC-27MAR26': { engine: 'alt', gateway: 'BTC', speed_bump_ms: '10' },
      },
      accounts: { maker: { BTC: '10' }, other: { BTC: '10' }, taker: { BTC: '10' } },
      index: { btc_usd: '50000' },
      config: { speedBumps: true },
    })
    protect(m, 'maker', { quantity: 1 })
    connect(m)
    const future = { instrument: 'BTC-27MAR26', amount: '1000', price: '50000' }
    m.buy('other', future)
    const words = { ...future, amount: '2000', ...directOrder(false) }
    const pending = idOf(m.over(7, () => m.sell('maker', words)))
    const fill = trip(m)
    expect(mmpEvents(fill).at(-1)).toMatchObject({ change: 'triggered', cancelled: 0 })
    expect(fill.events.filter(({ kind }) => kind === 'bump')).toMatchObject([
      { change: 'converted', order: pending, reason: 'mmp_trigger' },
    ])
    const released = m.wait(10_000)
    expect(released.trades).toMatchObject([{ amount: 100, taker: { order: pending } }])
    expect(mmpEvents(released)).toEqual([])
    expect(m.exchange.mmpGroups[0]?.quantity9).toBe(1_000_000_000)
    expect(m.openOrders('maker')).toEqual([])
  })

  test('a waiting order counts in the maximum quote quantity at once', () => {
    const m = tripped({ frozenTime: 1 }, true)
    m.wait(second)
    m.list('BTC-26JUN26', { engine: 'alt', gateway: 'BTC', speed_bump_ms: '10' })
    connect(m)
    protect(m, 'maker', { maxQuote: 1 })
    const words = { instrument: 'BTC-26JUN26', amount: '30000', price: '50000' }
    m.buy('other', words)
    const sell = (): Outcome => m.over(7, () => m.sell('maker', { ...words, ...directOrder(false) }))
    expect(sell().refusal).toBeNull()
    expect(sell().refusal).toEqual({ reason: 'other_reject max_quote_quantity' })
  })
})

test('a freeze survives a snapshot: it ends in the copy as in the original', () => {
  const m = tripped({ frozenTime: 2 })
  const copy = fork(m.exchange)
  expect(stateHash(copy)).toBe(stateHash(m.exchange))
  expect(copy.mmpGroups).toEqual(m.exchange.mmpGroups)
  const kept = m.exchange.mmpGroups[0]
  expect(copy.accounts[kept?.account ?? -1]?.mmpGroups).toEqual([kept])
})
