/**
 * The event of a refused request names an instrument that is listed, or none.
 */
import { expect, test } from 'vitest'
import { openVenue } from '../../../src/program/index.ts'

test('a refusal names the instrument of its request where that is listed', () => {
  const named: (readonly [string, number])[] = []
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
    accounts: { trader: { BTC: 1 } },
    sink: {
      emit: (event) => {
        if (event.kind === 'refusal') named.push([event.refusal.reason, event.instrument])
      },
    },
  })
  const ask = (method: 'private/buy', params: object): void => {
    // Clients may send values that the types of a program refuse.
    venue.as('trader').request(method, params as never)
  }
  ask('private/buy', { instrument_name: 'ETH-PERPETUAL', amount: 10, price: 0.001 })
  ask('private/buy', { instrument_name: 'BTC-1JAN20', amount: 10, price: 50_000 })
  ask('private/buy', { amount: 'ten' })
  expect(named).toEqual([
    ['price_wrong_tick', 1],
    ['not_found', -1],
    ['invalid_params', -1],
  ])
})
