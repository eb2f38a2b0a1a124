/**
 * Events as printed lines: names, decimals and ISO times; every kind can be printed as JSON.
 */
import { expect, test } from 'vitest'
import type { Event } from '../../../src/model/index.ts'
import { eventOut, openVenue } from '../../../src/rpc/index.ts'

const instrument_name = 'BTC-PERPETUAL'

function printed(): readonly object[] {
  const events: Event[] = []
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument_name],
    index: { btc_usd: 50_000 },
    accounts: { maker: { BTC: 1.5 }, taker: { BTC: 1 } },
    config: { bookEvents: true },
    sink: { emit: (event) => events.push(event) },
  })
  venue.request('sim/set_mark', { instrument_name, price: 50_100 })
  venue.request('sim/give_position', {
    ...{ account: 'taker', instrument_name, amount: -20, price: 50_000 },
  })
  const maker = venue.wait('250us').as('maker')
  maker.request('private/sell', { instrument_name, amount: 100, price: 50_150, label: 'ask' })
  venue.as('taker').request('private/buy', { instrument_name, amount: 40, type: 'market' })
  maker.request('private/edit', { order_id: '1', amount: 90, post_only: true })
  maker.request('private/cancel', { order_id: '1' })
  maker.request('private/cancel', { order_id: '1' })
  venue.as('nobody').request('private/get_positions', {})
  return events.map((event) => eventOut(venue.exchange, event))
}

const lines = printed()

function first(kind: string): object {
  const found = lines.find((line) => 'kind' in line && line.kind === kind)
  if (found === undefined) throw new Error(`no ${kind}`)
  return found
}

test('numbers rise without gaps, and each line is JSON', () => {
  const numberOf = (line: object): unknown => ('event' in line ? line.event : undefined)
  const isLevel = (line: object): boolean => 'kind' in line && line.kind === 'level_changed'
  const others = lines.filter((line) => !isLevel(line))
  expect(others.map(numberOf)).toEqual(others.map((_line, at) => at + 1))
  // A level has the number of the line before it.
  const levels = [...lines.entries()].filter(([, line]) => isLevel(line))
  expect(levels).toHaveLength(4)
  for (const [at, line] of levels) expect(numberOf(line)).toBe(numberOf(lines[at - 1] ?? {}))
  expect(JSON.parse(JSON.stringify(lines))).toEqual(lines)
})

test('every kind of event is printed', () => {
  const kinds = new Set(lines.map((line) => ('kind' in line ? line.kind : '')))
  expect([...kinds].toSorted()).toEqual(
    (
      'account_opened cash_posted index_changed instrument_listed level_changed mark_changed ' +
      'order_cancelled order_edited order_filled order_opened position_given request_done ' +
      'request_refused trade'
    ).split(' '),
  )
})

test('orders and trades, exactly', () => {
  const at = { time: '2026-01-05T09:00:00.000250Z', event: expect.any(Number) }
  expect(first('order_opened')).toEqual({
    ...{ ...at, cause: 9, kind: 'order_opened', order: '1', account: 'maker' },
    ...{ instrument: instrument_name, side: 'sell', type: 'limit' },
    ...{ time_in_force: 'good_til_cancelled', price: 50_150, amount: 100, filled: 0 },
    ...{ average_price: 0, state: 'open', label: 'ask' },
  })
  const cash = { fee_currency: 'BTC', realized: expect.any(Number) }
  expect(first('trade')).toEqual({
    ...{ ...at, cause: 10, kind: 'trade', trade: '1', seq: 1, instrument: instrument_name },
    ...{ side: 'buy', price: 50_150, amount: 40, tick_direction: 1, mark: 50_100 },
    maker: {
      ...{ ...cash, account: 'maker', order: '1', side: 'sell', rule: 'book_maker', fee: 0 },
      ...{ position: -40, remaining: 60 },
    },
    taker: {
      ...{ ...cash, account: 'taker', order: '2', side: 'buy', rule: 'book_taker' },
      ...{ fee: 0.0000004, position: 20, remaining: 0 },
    },
  })
  expect(first('order_edited')).toMatchObject({ post_only: 'slide', amount: 90, filled: 40 })
  expect(first('order_cancelled')).toMatchObject({ reason: 'user_request', state: 'cancelled' })
  expect(first('level_changed')).toMatchObject({ side: 'sell', price: 50_150, amount: 100 })
})

test('refusals name account, command and the error as the wire has it', () => {
  const refused = lines.filter((line) => 'kind' in line && line.kind === 'request_refused')
  expect(refused).toMatchObject([
    {
      ...{ account: 'maker', command: 'cancel_order' },
      error: { code: 11044, message: 'not_open_order' },
    },
    { account: null, command: 'query', error: { code: 13009 } },
  ])
})

test('controls', () => {
  expect(first('account_opened')).toMatchObject({ house: true, margin_model: 'segregated_sm' })
  expect(first('cash_posted')).toMatchObject({ account: 'maker', change: 1.5, balance: 1.5 })
  expect(first('position_given')).toMatchObject({ account: 'taker', change: -20, price: 50_000 })
  expect(first('index_changed')).toMatchObject({ index: 'btc_usd', price: 50_000 })
  expect(first('mark_changed')).toMatchObject({ price: 50_000, source: 'index' })
})
