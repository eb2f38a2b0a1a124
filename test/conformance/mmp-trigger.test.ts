/**
 * Market-maker protection counts fills, cancels the orders of a group and freezes it.
 * Source: trading.md 7.2, C38-C44; sessions-blocks-gateways.md 8.9; coverage R11.
 */
import { describe, expect, test } from 'vitest'
import type { OrderId } from '../../src/core/index.ts'
import type { MmpConfig } from '../../src/model/index.ts'
import { idOf, kindsOf, type Market, market, type Outcome } from '../support/harness.ts'
import { configOf, mmpEvents, protect, protectedOrder } from '../support/protection-words.ts'

const mmp = { extras: protectedOrder }

/** A maker with 10 BTC and a taker. A lot is 10 USD, and a coin costs 50,000 USD. */
function quiet(): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC-27MAR26': {} },
    accounts: { maker: { BTC: '10' }, other: { BTC: '10' }, taker: { BTC: '10' } },
    index: { btc_usd: '50000' },
  })
}

/** The orders that a protection cancelled, in order. */
function pulledBy({ events }: Outcome): readonly OrderId[] {
  return events.flatMap((event) =>
    event.kind === 'order' && event.change === 'cancelled' && event.reason === 'mmp_trigger' ? [event.order] : [],
  )
}

describe('a quantity limit', () => {
  test('Rule: mmp.fill S090 C39 C44: a sweep stops matching the group at the fill that reaches its limit', () => {
    const m = quiet()
    protect(m, 'maker', { quantity: 2 })
    const first = m.sell('maker', { amount: '50000', price: '50000', ...mmp })
    const second = m.sell('maker', { amount: '50010', price: '50010', ...mmp })
    const third = m.sell('maker', { amount: '50020', price: '50020', ...mmp })
    const plain = m.sell('maker', { amount: '1000', price: '50030' })
    const outcome = m.buy('taker', { amount: '160000', price: '50030' })
    expect(outcome.trades.map((trade) => trade.amount)).toEqual([5000, 5001, 100])
    expect(kindsOf(outcome)).toEqual([
      'order opened',
      ...['trade', 'mmp', 'order filled'],
      ...['trade', 'order cancelled', 'mmp', 'order filled'],
      ...['trade', 'order filled', 'order filled'],
      'request',
    ])
    const pulled = outcome.events.find((event) => event.kind === 'order' && event.change === 'cancelled')
    expect(pulled).toMatchObject({ order: idOf(third), reason: 'mmp_trigger' })
    expect(mmpEvents(outcome)).toMatchObject([
      { change: 'window_opened', quantity9: 1_000_000_000, delta9: -1_000_000_000 },
      {
        ...{ change: 'triggered', trigger: 'quantity', quantity9: 2_000_000_000, cancelled: 1 },
        frozenUntil: m.exchange.now + 10_000_000,
      },
    ])
    expect([first, second, plain].map((placed) => placed.refusal)).toEqual([null, null, null])
  })

  test('Rule: mmp.foresight C21 DESIGN 4: fill-or-kill does not count orders that a trip would cancel', () => {
    const m = quiet()
    protect(m, 'maker', { quantity: 1 })
    for (const price of ['50000', '50000']) m.sell('maker', { amount: '50000', price, ...mmp })
    const killed = { timeInForce: 'fill_or_kill', price: '50000' } as const
    expect(m.buy('taker', { amount: '60000', ...killed }).trades).toEqual([])
    expect(m.openOrders('maker')).toHaveLength(2)
    // The whole first offer fills before the trip.
    expect(m.buy('taker', { amount: '50000', ...killed }).trades).toHaveLength(1)
    expect(m.openOrders('maker')).toEqual([])
    // A protected taker that trips its own group fills no more either.
    protect(m, 'other', { quantity: 1 })
    for (const price of ['50000', '50000']) m.sell('taker', { amount: '50000', price })
    expect(m.buy('other', { amount: '60000', ...killed, ...mmp }).trades).toEqual([])
    expect(m.buy('other', { amount: '50000', ...killed, ...mmp }).trades).toHaveLength(1)
  })

  test('C39: a partly filled maker order is cancelled with its remainder', () => {
    const m = quiet()
    protect(m, 'maker', { quantity: 1 })
    m.sell('maker', { amount: '100000', price: '50000', ...mmp })
    const outcome = m.buy('taker', { amount: '60000', price: '50000' })
    expect(outcome.trades).toHaveLength(1)
    expect(m.openOrders('maker')).toEqual([])
    expect(outcome.events.find((event) => event.kind === 'order' && event.change === 'cancelled')).toMatchObject({
      filled: 6000,
      reason: 'mmp_trigger',
    })
  })

  test('C39: fills of a protected taker count too, and a trip cancels the taker with its group', () => {
    const m = quiet()
    protect(m, 'maker', { quantity: 1 })
    const resting = m.buy('maker', {
      amount: '1000',
      price: '49000',
      instrument: 'BTC-27MAR26',
      ...mmp,
    })
    for (const price of ['50000', '50010']) m.sell('taker', { amount: '50000', price })
    const outcome = m.buy('maker', { amount: '100000', price: '50010', ...mmp })
    expect(outcome.trades).toHaveLength(1)
    expect(pulledBy(outcome)).toEqual([idOf(resting), idOf(outcome)])
    expect(m.openOrders('maker')).toEqual([])
  })
})

describe('D18 a change of one limit of a group', () => {
  const limits: Required<MmpConfig> = {
    ...configOf({ quantity: 5, delta: 3, vega: 5 }),
    tradeCount: 5,
  }

  test.each(Object.keys(limits) as (keyof MmpConfig)[])('is reported: %s', (limit) => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { maker: { BTC: '10' } },
      index: { btc_usd: '50000' },
    })
    const key = { index: 'all', name: null, blockRfq: true }
    const set = (config: MmpConfig): readonly string[] =>
      mmpEvents(m.send({ kind: 'set_mmp_config', key, config }, 'maker')).map(({ change }) => change)
    expect(set(limits)).toEqual(['configured'])
    expect(set({ ...limits })).toEqual([])
    expect(set({ ...limits, [limit]: (limits[limit] ?? 0) + 1 })).toEqual(['configured'])
  })
})
