/**
 * Deadlines (`valid_until`) of requests whose order waits before it reaches its book.
 *
 * Source: trading.md 3; sessions-blocks-gateways.md 8.8; S220, S296.
 */
import { expect, test } from 'vitest'
import type { RequestParams } from '../../src/rpc/index.ts'
import { TimedDesk } from '../support/timed-desk.ts'

const future = 'ETH-27MAR26'
/** 2026-01-05T09:00Z in milliseconds. */
const start = 1_767_603_600_000

function waiting(): TimedDesk {
  const m = new TimedDesk({})
  m.result('maker', 'private/buy', { instrument_name: future, amount: 100, price: 3990 })
  return m
}

function sell(deadline: number): RequestParams {
  const valid_until = start + deadline
  return { instrument_name: future, amount: 100, price: 3990, valid_until }
}

test('B05 if the deadline passes during the speed bump, the order ends and its request is refused', () => {
  const m = waiting()
  const sent = m.ask('taker', 'private/sell', sell(5))
  m.until(20_000)
  expect(sent.at).toBe(10_000)
  expect(sent.reply.error).toMatchObject({ code: 13888 })
  expect(m.events.filter(({ kind }) => kind === 'trade')).toEqual([])
  expect(m.events).toContainEqual(expect.objectContaining({ kind: 'order', change: 'cancelled', reason: 'timed_out' }))
})

test('B05 an order released before its deadline matches; an order released at its deadline does not', () => {
  for (const [deadline, trades] of [
    [10, 0],
    [11, 1],
  ] as const) {
    const m = waiting()
    m.ask('taker', 'private/sell', sell(deadline))
    m.until(20_000)
    expect(m.events.filter(({ kind }) => kind === 'trade')).toHaveLength(trades)
  }
})

test('D20 the refusal of a request at its release names its command: a placement or an edit', () => {
  const m = waiting()
  m.ask('taker', 'private/sell', sell(5))
  m.until(20_000)
  const rests = { instrument_name: future, amount: 100, price: 4000 }
  const { order } = m.result('taker', 'private/sell', rests)
  const deadline = { price: 3990, valid_until: start + 25 }
  m.ask('taker', 'private/edit', { order_id: order.order_id, amount: 100, ...deadline })
  m.until(60_000)
  expect(m.eventsOf('refusal')).toMatchObject([
    { command: 'place_order', refusal: { reason: 'timed_out' } },
    { command: 'edit_order', refusal: { reason: 'timed_out' } },
  ])
})
