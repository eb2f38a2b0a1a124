/**
 * Events as printed lines: names, decimals and ISO times; every kind can be printed as JSON.
 */
import { describe, expect, test } from 'vitest'
import type { Event } from '../../../src/model/index.ts'
import { openVenue, type Venue } from '../../../src/program/index.ts'
import { eventOut } from '../../../src/rpc/index.ts'

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
  waitingOrders(venue)
  return events.map((event) => eventOut(venue.exchange, event))
}

/** Orders that wait, depend on others, display a part or only reduce, and their later events. */
function waitingOrders(venue: Venue): void {
  venue.request('sim/create_account', { name: 'desk', main: 'maker' })
  const desk = venue.as('desk')
  venue.request('sim/deposit', { account: 'desk', currency: 'BTC', amount: 5 })
  desk.request('private/set_self_trading_config', {
    ...{ mode: 'cancel_maker', extended_to_subaccounts: true },
  })
  const order = { instrument_name, amount: 5000, price: 49_900 }
  const trailing = {
    ...{ amount: 100, direction: 'sell' as const, type: 'trailing_stop' as const },
    ...{ trigger: 'mark_price' as const, trigger_offset: 500 },
  }
  const exit = { amount: 100, direction: 'sell' as const, price: 50_500 }
  desk.request('private/buy', {
    ...{ ...order, display_amount: 1000, linked_order_type: 'one_triggers_one_cancels_other' },
    otoco_config: [exit, trailing],
  })
  venue.as('taker').request('private/sell', { instrument_name, amount: 1000, price: 49_900 })
  desk.request('private/sell', {
    ...{ ...order, amount: 100, price: 49_700, type: 'stop_limit' },
    ...{ trigger: 'mark_price', trigger_price: 49_800 },
  })
  const stop = { ...order, amount: 100, type: 'stop_market' as const, trigger_price: 49_800 }
  const reducing = { ...stop, trigger: 'mark_price' as const, reduce_only: true }
  venue.as('maker').request('private/sell', reducing)
  venue.request('sim/set_mark', { instrument_name, price: 49_800 })
  venue.request('sim/set_instrument_state', { instrument_name, state: 'locked' })
}

const lines = printed()

/** The first line of a family; for orders also by their change, as `order filled`. */
function first(word: string): object {
  const [kind, change] = word.split(' ')
  const found = lines.find(
    (line) =>
      'kind' in line && line.kind === kind && (change === undefined || ('change' in line && line.change === change)),
  )
  if (found === undefined) throw new Error(`no ${word}`)
  return found
}

test('numbers rise without gaps, and each line is JSON', () => {
  const numberOf = (line: object): unknown => ('event' in line ? line.event : undefined)
  const isLevel = (line: object): boolean => 'kind' in line && line.kind === 'level'
  const others = lines.filter((line) => !isLevel(line))
  expect(others.map(numberOf)).toEqual(others.map((_line, at) => at + 1))
  // A level has the number of the line before it.
  const levels = [...lines.entries()].filter(([, line]) => isLevel(line))
  expect(levels.length).toBeGreaterThan(4)
  for (const [at, line] of levels) expect(numberOf(line)).toBe(numberOf(lines[at - 1] ?? {}))
  expect(JSON.parse(JSON.stringify(lines))).toEqual(lines)
})

test('families of all sorts are printed', () => {
  const kinds = new Set(lines.map((line) => ('kind' in line ? line.kind : '')))
  expect([...kinds].toSorted()).toEqual(
    (
      'account cash funding funding_rate given_position index instrument ' +
      'level mark order refusal request self_trading state trade'
    ).split(' '),
  )
})

test('orders and trades, exactly', () => {
  const at = { time: '2026-01-05T09:00:00.000250Z', event: expect.any(Number) }
  expect(first('order opened')).toEqual({
    ...{ ...at, cause: 9, kind: 'order', change: 'opened', order: '1', account: 'maker' },
    ...{ instrument: instrument_name, side: 'sell', type: 'limit' },
    ...{ time_in_force: 'good_til_cancelled', price: 50_150, amount: 100, filled: 0 },
    ...{ average_price: 0, state: 'open', label: 'ask', shown: 100, created_at: at.time },
  })
  const cash = { fee_currency: 'BTC', realized: expect.any(Number) }
  expect(first('trade')).toEqual({
    ...{ ...at, cause: 10, kind: 'trade', trade: '1', trade_seq: 1 },
    instrument: instrument_name,
    ...{ side: 'buy', price: 50_150, amount: 40, tick_direction: 1, mark: 50_100, index: 50_000 },
    maker: {
      ...{ ...cash, account: 'maker', order: '1', side: 'sell', rule: 'book_maker', fee: 0 },
      ...{ balance: 1.5, position: -40, remaining: 60 },
    },
    taker: {
      ...{ ...cash, account: 'taker', order: '2', side: 'buy', rule: 'book_taker' },
      ...{ fee: 0.0000004, balance: 0.9999996, position: 20, remaining: 0 },
    },
  })
  expect(first('order edited')).toMatchObject({ post_only: 'slide', amount: 90, filled: 40 })
  expect(first('order cancelled')).toMatchObject({ reason: 'user_request', state: 'cancelled' })
  expect(first('level')).toMatchObject({ side: 'sell', price: 50_150, amount: 100 })
})

test('refusals name account, command and the error of the wire', () => {
  const refused = lines.filter((line) => 'kind' in line && line.kind === 'refusal')
  expect(refused).toMatchObject([
    {
      ...{ account: 'maker', command: 'cancel_order' },
      refusal: { code: 11044, message: 'not_open_order' },
    },
    { command: 'query', refusal: { code: 13009 } },
  ])
})

describe('orders that wait or depend on others', () => {
  const ofOrder = (order: string): readonly object[] => lines.filter((line) => 'order' in line && line.order === order)

  test('a primary that is an iceberg', () => {
    expect(ofOrder('3')[0]).toMatchObject({
      ...{ kind: 'order', change: 'opened', account: 'desk', display: 1000, shown: 1000 },
      links: { fill_condition: 'first_hit', secondaries: ['OTO-4', 'OTO-5'] },
    })
    expect(ofOrder('3')[0]).not.toHaveProperty('links.pair')
    expect(first('order refreshed')).toMatchObject({ order: '3', shown: 1000, filled: 1000 })
  })

  test('secondaries, before their turn and at it', () => {
    expect(ofOrder('OTO-4')).toMatchObject([
      {
        kind: 'order',
        change: 'opened',
        state: 'untriggered',
        links: { primary: '3', pair: 'OCO-4' },
        price: 50_500,
      },
      { kind: 'order', change: 'triggered', state: 'triggered', successor: '7' },
    ])
    expect(ofOrder('OTO-5')).toMatchObject([
      { trigger: { source: 'mark_price', offset: 500 } },
      { kind: 'order', change: 'triggered', successor: 'SLMS-8' },
    ])
    expect(ofOrder('SLMS-8')[0]).toMatchObject({
      ...{
        kind: 'order',
        change: 'opened',
        trigger: { price: 49_600, reference: 50_100 },
        links: { primary: '3' },
      },
    })
  })

  test('a trigger order that fires, and the order that it becomes', () => {
    expect(ofOrder('SLMS-9')).toMatchObject([
      {
        kind: 'order',
        change: 'opened',
        type: 'stop_limit',
        trigger: { source: 'mark_price', price: 49_800 },
      },
      { kind: 'order', change: 'triggered', state: 'triggered', successor: '11' },
    ])
    expect(ofOrder('SLMS-9')[0]).not.toHaveProperty('trigger.offset')
    expect(ofOrder('11')[0]).toMatchObject({ type: 'limit', triggered_by: 'SLMS-9' })
    expect(ofOrder('11')[0]).not.toHaveProperty('trigger')
  })

  test('one that is refused says why', () => {
    expect(first('order rejected')).toMatchObject({
      ...{ order: 'SLMS-10', state: 'rejected', reason: expect.any(String), reduce_only: true },
    })
  })

  test('settings and states', () => {
    const subaccount = lines.find((line) => 'account' in line && line.account === 'desk')
    expect(subaccount).toMatchObject({ kind: 'account', main: 'maker' })
    expect(first('self_trading')).toMatchObject({
      ...{ account: 'desk', mode: 'cancel_maker', extended: true },
    })
    expect(first('state')).toMatchObject({
      ...{ instrument: instrument_name, state: 'locked' },
    })
  })
})

test('controls', () => {
  expect(first('account')).toMatchObject({ house: true, margin_model: 'segregated_sm' })
  // The first money of a run is the deposit of the insurance fund.
  expect(first('cash')).toMatchObject({ account: 'house.insurance', change: 100 })
  const deposits = lines.filter((line) => 'account' in line && line.account === 'maker')
  expect(deposits).toContainEqual(expect.objectContaining({ change: 1.5, balance: 1.5 }))
  expect(first('given_position')).toMatchObject({ account: 'taker', change: -20, price: 50_000 })
  expect(first('index')).toMatchObject({ index: 'btc_usd', price: 50_000 })
  expect(first('mark')).toMatchObject({ price: 50_000, source: 'fair' })
})
