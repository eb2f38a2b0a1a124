/**
 * Tests against the exchange: an example, and a property test over random requests.
 */
import { openVenue, type Venue } from 'pitclock'
import { findInstrument } from 'pitclock/engine'
import { assertLaws, fc, orderRequest } from 'pitclock/testing'
import { expect, test } from 'vitest'

const perpetual = 'BTC-PERPETUAL'

function open(): Venue {
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [perpetual],
    index: { btc_usd: 60000 },
    accounts: { maker: { BTC: 1 }, taker: { BTC: 1 } },
  })
}

test('a taker pays the price of the maker', () => {
  const venue = open()
  const order = { instrument_name: perpetual, amount: 1000 }
  venue.as('maker').request('private/sell', { ...order, price: 60010 })
  const reply = venue
    .wait('5ms')
    .as('taker')
    .request('private/buy', { ...order, type: 'market' })
  expect(reply.ok && reply.result.order.average_price).toBe(60010)
})

test('random requests break no law of the exchange', () => {
  const instrument = findInstrument(open().exchange, perpetual)
  if (instrument === undefined) throw new RangeError(`${perpetual} is listed`)
  const accounts = ['maker', 'taker']
  const request = orderRequest({ instrument, accounts, price: 60000, spread: 6, lotsMax: 300 })
  fc.assert(
    fc.property(fc.array(request, { maxLength: 50 }), (requests) => {
      const venue = open()
      for (const { account, method, params } of requests) {
        // The generator makes parameters that fit the method.
        venue
          .wait('1ms')
          .as(account)
          .request(method, params as never)
      }
      assertLaws(venue.desk)
    }),
    { numRuns: 20 },
  )
})
