/**
 * sim/snapshot and sim/restore: the venue under a name, in scenarios, journals and programs. Source: coverage R64.
 */
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import { audit, auditCopy } from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue, type Venue } from '../../src/rpc/index.ts'
import { parseScenario } from '../../src/scenario/index.ts'

const events: Event[] = []

function opened(): Venue {
  events.length = 0
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL', 'ETH-30JAN26'],
    index: { btc_usd: 100_000, eth_usd: 3000 },
    accounts: { alice: { BTC: 10, ETH: 10 }, bob: { BTC: 10 } },
    sink: { emit: (event) => events.push(event) },
  })
}

const bid = { instrument_name: 'BTC-PERPETUAL', amount: 1000, price: 99_000 }
const trades = { instrument_name: 'BTC-PERPETUAL' }

describe('R64 sim.restore: a venue that is put back', () => {
  test('is as it was, with its histories and its clock', () => {
    const venue = opened()
    venue.as('alice').request('private/buy', bid)
    expect(venue.request('sim/snapshot', { name: 'before' })).toMatchObject({ ok: true })
    const { now } = venue
    const resultOf = (reply: { readonly ok: boolean }): unknown =>
      'result' in reply ? reply.result : reply
    const ask = (): unknown => [
      resultOf(venue.as('alice').request('private/get_open_orders', {})),
      resultOf(venue.as('alice').request('private/get_account_summary', { currency: 'BTC' })),
      resultOf(venue.request('public/get_last_trades_by_instrument', trades)),
    ]
    const answers = ask()
    venue
      .wait('1s')
      .as('bob')
      .request('private/sell', { ...bid, amount: 400 })
    venue.wait('1s').as('alice').request('private/cancel_all', {})
    expect(ask()).not.toEqual(answers)
    const number = venue.exchange.lastSequence
    expect(venue.request('sim/restore', { name: 'before' })).toMatchObject({ ok: true })
    expect(venue.now).toBe(now)
    expect(ask()).toEqual(answers)
    expect(venue.exchange.lastSequence).toBeGreaterThan(number)
    audit(venue.exchange)
    auditCopy(venue.exchange)
  })

  test('goes on the same as often as it is put back', () => {
    const venue = opened()
    venue.as('alice').request('private/buy', bid)
    venue.request('sim/snapshot', { name: 'a' })
    const positions = [1, 2].map(() => {
      venue
        .wait('1s')
        .as('bob')
        .request('private/sell', { ...bid, amount: 400 })
      const reply = venue.as('bob').request('private/get_positions', { currency: 'BTC' })
      const { lastSequence, eventCount } = venue.exchange
      venue.request('sim/restore', { name: 'a' })
      expect(venue.exchange.eventCount).toBeGreaterThan(eventCount)
      expect(venue.exchange.lastSequence).toBeGreaterThan(lastSequence)
      return reply.ok ? reply.result : null
    })
    expect(positions[0]).toMatchObject([{ size: -400 }])
    expect(positions[1]).toEqual(positions[0])
    const done = events.flatMap((event) => (event.kind === 'request_done' ? [event.cause] : []))
    expect(new Set(done).size).toBe(done.length)
  })

  test('needs a name that is known, and no replies that wait', () => {
    const venue = opened()
    expect(venue.request('sim/restore', { name: 'never' })).toMatchObject({
      error: { code: -32602, data: { param: 'name', reason: 'unknown_value' } },
    })
    for (let count = 0; count < 64; count += 1) venue.request('sim/snapshot', { name: `${count}` })
    expect(venue.request('sim/snapshot', { name: '63' })).toMatchObject({ ok: true })
    expect(venue.request('sim/snapshot', { name: '64' })).toMatchObject({
      error: { data: { param: 'name', reason: 'too_many' } },
    })
  })

  test('is refused in a file, whose tables cannot go back', () => {
    const text = [
      'version: 1',
      'title: Not to be put back',
      'start: 2026-01-05T09:00:00Z',
      'instruments: [BTC-PERPETUAL]',
      'steps: [{ at: 1s, call: sim/restore, params: { name: a } }]',
    ].join('\n')
    const parsed = parseScenario(text, 'a.yaml')
    const words = parsed.ok ? '' : parsed.error.map(formatInputError).join('\n')
    expect(words).toContain('no sim/restore in a file')
  })
})
