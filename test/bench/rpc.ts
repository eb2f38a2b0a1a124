/**
 * One request in the venue's own words, from its parameters to its reply: a limit order that rests,
 * and its cancel.
 */
import { openVenue } from '../../src/program/index.ts'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const pairs = 20_000
const rounds = 7

/** The time of one request with its reply. */
export function benchRequests(): BenchRow[] {
  const venue = openVenue({
    start: '2026-01-05T07:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 100_000 },
    accounts: { maker: { BTC: 1000 } },
  })
  const maker = venue.as('maker')
  const work = (): void => {
    for (let pair = 0; pair < pairs; pair += 1) {
      const params = {
        instrument_name: 'BTC-PERPETUAL',
        amount: 10,
        type: 'limit' as const,
        price: 99_000 + (pair % 100),
      }
      const placed = maker.request('private/buy', params)
      if (!placed.ok) throw new RangeError(`expected an order, found ${placed.error?.message}`)
      const { order_id } = placed.result.order
      const cancelled = maker.request('private/cancel', { order_id })
      if (!cancelled.ok) throw new RangeError(`expected a cancel, found ${cancelled.error?.message}`)
    }
  }
  work()
  const seconds = Array.from({ length: rounds }, () => secondsOf(work))
  const micros = (median(seconds) / pairs / 2) * 1e6
  return [{ name: 'one request with its reply', value: micros, unit: 'us', target: '<= 5' }]
}
