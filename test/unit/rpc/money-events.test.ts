/**
 * Events of the venue's money as printed lines: names, decimals, exact accumulators.
 */
import { expect, test } from 'vitest'
import type { Event } from '../../../src/model/index.ts'
import { eventOut } from '../../../src/rpc/index.ts'
import { dayInstruments, settledDay } from '../../support/settled-day.ts'

const [perpetual, delivered] = dayInstruments

function printed(): readonly object[] {
  const events: Event[] = []
  const m = settledDay({ emit: (event) => events.push(event) })
  const { exchange } = m.venue
  // Ten minutes at a mark above the index, then a fill that touches both.
  m.result(null, 'sim/set_mark', { instrument_name: perpetual, price: 45_100 })
  m.venue.wait('10m')
  m.result('alice', 'private/sell', { instrument_name: perpetual, amount: 10, price: 45_100 })
  m.result('bob', 'private/buy', { instrument_name: perpetual, amount: 10, price: 45_100 })
  return events.map((event) => eventOut(exchange, event))
}

const lines = printed()

function all(kind: string): readonly object[] {
  return lines.filter((line) => 'kind' in line && line.kind === kind)
}

test('a rate and the funding of two holders', () => {
  const [rate] = all('funding_rate').slice(-1)
  // 100 / 45000 above the index, less 0.025 %.
  expect(rate).toMatchObject({ instrument: perpetual, rate: 0.00197222, mark: 45_100 })
  const [maker, taker] = all('funding')
  // 600.002 s at that rate, for each USD: a long pays, and the short receives the same.
  expect(maker).toMatchObject({
    ...{ account: 'alice', instrument: perpetual, position: 50_000, from: '0' },
    ...{ to: '0.000000000913068887174211', funding: -0.000045653 },
  })
  expect(taker).toMatchObject({ account: 'bob', position: -50_000, funding: 0.000045653 })
})

test('a settlement, a delivery and their sums', () => {
  expect(all('delivery_price')).toMatchObject([{ index: 'btc_usd', price: 45_000, samples: 450 }])
  expect(all('settlement')).toMatchObject([
    { type: 'delivery', account: 'alice', instrument: delivered, session_profit_loss: 0.022621424 },
    { type: 'delivery', account: 'bob', instrument: delivered, position: 10_000, fee: 0 },
    { type: 'settlement', account: 'house.positions', instrument: perpetual, position: -300_000 },
    { type: 'settlement', account: 'alice', instrument: perpetual, currency: 'BTC', mark: 45_000 },
    { type: 'settlement', account: 'bob', session_profit_loss: 0.111111111, profit_loss: 0 },
    { type: 'settlement', account: 'carol', balance: -0.066666667, funding: 0 },
  ])
  expect(all('instrument_settlement')).toMatchObject([
    { type: 'delivery', instrument: delivered, position: 10_000, index: 45_000 },
    { type: 'settlement', instrument: perpetual, position: 350_000 },
    { type: 'settlement', instrument: 'BTC-27MAR26', position: 0 },
  ])
  expect(all('instrument_settlement')[0]).not.toHaveProperty('fee')
})

test('a bankruptcy and who paid for it', () => {
  expect(all('bankruptcy')).toMatchObject([
    { account: 'carol', currency: 'BTC', loss: 0.066666667, session_profit_loss: -0.666666667 },
  ])
  expect(all('shared_loss')).toMatchObject([{ account: 'bob', tax: 0.016666667 }])
  expect(all('currency_bankruptcy')).toMatchObject([
    {
      ...{ currency: 'BTC', loss: 0.066666667, funded: 0.05, socialized: 0.016666667 },
      ...{ tax: 0.016666667, tax_rate: 0.188345869, session_profit_loss: 0.088489687, fund: 0 },
    },
  ])
})
