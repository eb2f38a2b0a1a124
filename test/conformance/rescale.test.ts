/**
 * A change of the price and size steps of an instrument that trades.
 * Source: sessions-blocks-gateways.md 8.7 (cancel reason 17), 8.13.
 */
import { describe, expect, test } from 'vitest'
import type { InstrumentId } from '../../src/core/index.ts'
import { auditCopy, viewMarket } from '../../src/engine/index.ts'
import { openVenue } from '../../src/program/index.ts'
import type { Json } from '../support/desk-market.ts'
import { type DirectMarket, directMarket, future, option, perpetual, rejectOf } from '../support/direct-market.ts'

const rescale = 'sim/rescale'

function reported(m: DirectMarket, session: number): readonly Json[] {
  return m.result(null, 'sim/get_session_messages', { session })
}

describe('order.rescale', () => {
  test('S324 orders off the new steps end, and direct access gets reason 17', () => {
    const m = directMarket()
    m.place('alice', 1, { price: 2970 })
    m.place('alice', 2, { price: 2970.5 })
    m.place('alice', 3, { price: 2965, amount: 1005 })
    const limit = { instrument_name: perpetual, amount: 1000 }
    m.result('carol', 'private/buy', { ...limit, price: 2960.25 })
    m.result('carol', 'private/buy', { ...limit, price: 2960 })
    const steps = { instrument_name: perpetual, tick_size: 0.5, amount_step: 10 }
    expect(m.result(null, rescale, steps)).toEqual({ cancelled: 2 })
    expect(reported(m, 1)).toMatchObject([
      {
        ...{ message: 'OrdersCanceled', flags: ['is_last_message'] },
        orders: [{ client_order_id: '3', cancel_reason: { code: 17, name: 'QTY_TICK_SIZE_RESCALE' } }],
      },
    ])
    const [left, ...others] = m.result('carol', 'private/get_open_orders')
    expect([left?.price, others]).toEqual([2960, []])
    const ended = m.result('carol', 'private/get_order_history_by_instrument', {
      ...{ instrument_name: perpetual, include_unfilled: true },
    })
    // JSON-RPC has no separate reason for it.
    expect(ended[0]).toMatchObject({ price: 2960.25, cancel_reason: 'risk_mitigation' })
    const [row] = m.events.filter((event) => event.kind === 'standing').slice(-1)
    expect(row).toMatchObject({ protection: 'rescale', group: perpetual, cancelled: 2 })
    // A tick of 0.5 in 1e-9 from the first price on, and a size step of ten steps of the listing.
    expect(row).toMatchObject({
      instrument: { tickSteps: [{ above: 0, tick9: 500_000_000 }], stepLots: 10 },
    })
    const { instrument } = row as { readonly instrument: { readonly id: InstrumentId } }
    expect(m.venue.desk.history.instruments.get(instrument.id)).toEqual(instrument)
  })

  test('new orders, amends and quotes must match the steps, and the instrument shows them', () => {
    const m = directMarket()
    m.place('alice', 1)
    m.result(null, rescale, { instrument_name: perpetual, tick_size: 1, amount_step: 100 })
    expect(m.result(null, 'public/get_instrument', { instrument_name: perpetual })).toMatchObject({
      ...{ tick_size: 1, tick_size_steps: [], min_trade_amount: 100, contract_size: 1 },
    })
    expect(m.refusal('alice', 2, { price: 2970.5 })).toBe('6 INVALID_PRICE NewOrderReject')
    expect(m.refusal('alice', 2, { amount: 150 })).toBe('5 INVALID_QUANTITY NewOrderReject')
    expect(m.refusal('alice', 2, { amount: 50 })).toBe('5 INVALID_QUANTITY NewOrderReject')
    const amend = { client_order_id: 1, amount: 950 }
    expect(rejectOf(m.error('alice', 'sim/direct/amend_order', amend, 1))).toBe('5 INVALID_QUANTITY AmendOrderReject')
    const order = { instrument_name: perpetual, price: 2950 }
    expect(m.error('carol', 'private/buy', { ...order, amount: 150 })).toMatchObject({
      message: 'non_integer_contract_amount',
    })
    expect(m.place('alice', 2, { amount: 200, price: 2971 })).toMatchObject({ status: 'active' })
  })

  test('steps can become finer again, down to those of the listing; an option’s tick steps stay above its tick', () => {
    const m = directMarket()
    const listed = m.result(null, 'public/get_instrument', { instrument_name: option })
    m.result(null, rescale, { instrument_name: option, tick_size: 0.0005 })
    expect(m.result(null, 'public/get_instrument', { instrument_name: option })).toMatchObject({
      ...{ tick_size: 0.0005, tick_size_steps: [] },
    })
    m.result(null, rescale, { instrument_name: option, tick_size: listed.tick_size })
    expect(m.result(null, 'public/get_instrument', { instrument_name: option })).toEqual(listed)
    m.result(null, rescale, { instrument_name: perpetual, amount_step: 10, tick_size: 0.5 })
    m.result(null, rescale, { instrument_name: perpetual, amount_step: 1, tick_size: 0.05 })
    expect(m.place('alice', 1, { price: 2970.05, amount: 11 })).toMatchObject({ status: 'active' })
  })

  test('trigger orders end if their trigger price is off the grid, and orders behind the speed bump end too', () => {
    const m = directMarket()
    const stop = {
      instrument_name: perpetual,
      amount: 100,
      type: 'stop_market',
      trigger: 'index_price',
    }
    m.result('carol', 'private/buy', { ...stop, trigger_price: 3100.05 })
    m.result('carol', 'private/buy', { ...stop, trigger_price: 3100 })
    m.result(null, rescale, { instrument_name: perpetual, tick_size: 0.5 })
    const waiting: readonly Json[] = m.result('carol', 'private/get_open_orders', { type: 'all' })
    expect(waiting.map(({ trigger_price }) => trigger_price)).toEqual([3100])
    m.place('alice', 1, { instrument_name: future, price: 2970 })
    m.place('bob', 7, { instrument_name: future, price: 2969.75, side: 'sell' })
    expect(m.result(null, rescale, { instrument_name: future, tick_size: 0.5 })).toEqual({
      cancelled: 1,
    })
    m.venue.wait('10ms')
    expect(reported(m, 2)).toMatchObject([{ orders: [{ cancel_reason: { code: 17 } }] }])
    expect(reported(m, 1)).toEqual([])
  })

  test('fills and positions keep their value, and a snapshot keeps the steps', () => {
    const m = directMarket()
    m.place('alice', 1, { price: 2970.25, amount: 15 })
    m.place('bob', 1, { price: 2970.25, side: 'sell', amount: 15 })
    m.result(null, rescale, { instrument_name: perpetual, amount_step: 10, tick_size: 0.5 })
    const where = { instrument_name: perpetual }
    expect(m.result('alice', 'private/get_position', where)).toMatchObject({
      ...{ size: 15, average_price: 2970.25 },
    })
    m.reopen()
    auditCopy(m.venue.exchange)
    expect(m.refusal('alice', 2, { price: 2970.25 })).toContain('Reject')
    m.place('alice', 2, { price: 2970.5, amount: 20 })
    m.result(null, rescale, { instrument_name: option, tick_size: 0.0005 })
    auditCopy(m.venue.exchange)
  })
})

describe('instruments.rescale', () => {
  test('margins are computed only for sizes that match the steps', () => {
    const m = directMarket()
    m.result(null, rescale, { instrument_name: perpetual, amount_step: 100 })
    const margins = { instrument_name: perpetual, price: 3000 }
    const off = m.error('carol', 'private/get_margins', { ...margins, amount: 130 })
    expect(off.message).toBe('non_integer_contract_amount')
    expect(m.result('carol', 'private/get_margins', { ...margins, amount: 200 }).buy).toBeGreaterThan(0)
  })

  test('a block is the smallest order plus whole steps', () => {
    const m = directMarket()
    const listed = { instrument_name: 'ETH-26JUN26', min_trade_amount: 12, amount_step: 1 }
    m.result(null, 'sim/list_instrument', listed)
    const { instrument_name } = listed
    const block = (amount: number): string => {
      const trade = { instrument_name, price: 3000, amount, direction: 'buy' }
      const terms = { timestamp: 1_767_603_600_000, nonce: 'n', role: 'maker', trades: [trade] }
      const reply = m.ask('carol', 'private/verify_block_trade', terms)
      return reply.ok ? 'signed' : reply.error.message
    }
    // As listed, a block must be a multiple of the smallest order.
    expect(block(120_004)).toBe('invalid_amount')
    m.result(null, rescale, { instrument_name, amount_step: 4 })
    expect([120_004, 120_002, 8].map(block)).toEqual(['signed', 'invalid_amount', 'invalid_amount'])
  })

  test('invalid steps are refused with the valid values, and change nothing', () => {
    const m = directMarket()
    const where = { instrument_name: perpetual }
    m.place('alice', 1)
    for (const [params, param] of [
      [{ tick_size: 0.03 }, 'tick_size'],
      [{ tick_size: 0.01 }, 'tick_size'],
      [{ tick_size: 2000 }, 'tick_size'],
      [{ tick_size: 0 }, 'tick_size'],
      [{ amount_step: 0.5 }, 'amount_step'],
      [{ amount_step: -10 }, 'amount_step'],
    ] as const) {
      const error = m.error(null, rescale, { ...where, ...params })
      expect(error).toMatchObject({ code: -32602, data: { param } })
      expect(error.data?.detail).toContain('expected')
    }
    const unknown = m.error(null, rescale, { instrument_name: 'ETH-NOTHING', tick_size: 1 })
    expect(unknown.message).toBe('not_found')
    expect(m.result(null, 'public/get_instrument', where)).toMatchObject({ tick_size: 0.05 })
    expect(reported(m, 1)).toEqual([])
  })
})

test.each([false, true])('a01 the band is on the new grid, even if it was computed before: %s', (isRead) => {
  const name = 'BTC-9JAN26-90000-P'
  const venue = openVenue({
    ...{ start: '2026-01-05T08:10:00Z', instruments: [name], index: { btc_usd: 100_000 } },
    accounts: { alice: { BTC: 10 } },
  })
  const { exchange } = venue
  const bandOf = (): readonly number[] => {
    const { bandMin, bandMax } = viewMarket(exchange, exchange.instruments[0]?.instrument.id as never)
    return [bandMin, bandMax]
  }
  if (isRead) bandOf()
  const steps = { instrument_name: name, tick_size: 1 }
  expect(venue.request(rescale, steps)).toMatchObject({ ok: true })
  const order = { instrument_name: name, amount: 1, price: 1 }
  expect(venue.as('alice').request('private/buy', order)).toMatchObject({ ok: true })
  expect(bandOf()[1]).toBe(1_000_000_000)
})
