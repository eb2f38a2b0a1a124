/** Subscriptions of a program: notifications arrive after replies, at the ends of intervals, and after a restore. */
import { expect, test } from 'vitest'
import { openVenue, type Venue } from '../../src/index.ts'

const instrument_name = 'BTC-PERPETUAL'

function open(): Venue {
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument_name],
    index: { btc_usd: 50_000 },
    accounts: { ann: { BTC: 1 }, bob: { BTC: 1 } },
  })
}

test('orders of an account arrive after the reply, those of other accounts do not, and unsubscribing ends them', () => {
  const venue = open()
  const seen: unknown[] = []
  const end = venue.as('ann').subscribe('user.orders.any.any.raw', ({ channel, data }) => seen.push([channel, data]))
  const bid = { instrument_name, amount: 10, price: 49_000 } as const
  venue.as('bob').request('private/buy', bid, { advance: true })
  const onReply = (): unknown => seen.push('reply')
  venue.as('ann').request('private/buy', bid, { advance: true, onReply })
  expect(seen).toEqual([
    'reply',
    ['user.orders.any.any.raw', expect.objectContaining({ order_state: 'open', price: 49_000 })],
  ])
  end()
  venue.as('ann').request('private/cancel_all', {})
  expect(seen.length).toBe(2)
})

test('a channel with an interval is reported at the end of each interval while the clock moves', () => {
  const venue = open()
  const times: number[] = []
  venue.subscribe(`book.${instrument_name}.100ms`, () => times.push(venue.now))
  venue.wait('30ms')
  venue.as('ann').request('private/buy', { instrument_name, amount: 10, price: 49_000 }, { advance: true })
  const before = times.length
  venue.wait('1s')
  const start = Date.parse('2026-01-05T09:00:00Z') * 1000
  expect(times.slice(before).map((time) => time - start)).toEqual([100_000])
})

test('a take function may send requests', () => {
  const venue = open()
  const states: unknown[] = []
  venue.as('ann').subscribe('user.orders.any.any.raw', ({ data }) => {
    const { order_state: state, order_id: id } = data as { readonly order_state: string; readonly order_id: string }
    states.push(state)
    if (state === 'open') venue.as('ann').request('private/cancel', { order_id: id })
  })
  venue.as('ann').request('private/buy', { instrument_name, amount: 10, price: 49_000 }, { advance: true })
  expect(states).toEqual(['open', 'cancelled'])
})

test('a restore sends the first messages again', () => {
  const venue = open()
  venue.request('sim/snapshot', { name: 'before' })
  let books = 0
  venue.subscribe(`book.${instrument_name}.raw`, () => {
    books += 1
  })
  const before = books
  venue.request('sim/restore', { name: 'before' })
  expect(books).toBe(before + 1)
})

test('unknown names, private channels without an account, and routers without channels are refused', () => {
  const venue = open()
  const ignore = (): void => undefined
  expect(() => venue.subscribe('boook.BTC-PERPETUAL.raw', ignore)).toThrow(expect.objectContaining({ code: 'OPTION' }))
  expect(() => venue.subscribe('user.orders.any.any.raw', ignore)).toThrow('needs a token that may read it')
  expect(() => venue.as('nobody').subscribe('user.orders.any.any.raw', ignore)).toThrow('of nobody can be opened')
})
