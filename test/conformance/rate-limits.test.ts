/**
 * Rate limits: the cost of requests, the limits, and the refusals.
 * Source: trading.md 8 (C47); sessions document 1.7, 8.12, 8.15; coverage R15, R16.
 */

import { describe, expect, test } from 'vitest'
import { fork, stateHash } from '../../src/engine/index.ts'
import { defaultRateLimits, type Event, type RateLimitTerms } from '../../src/model/index.ts'
import { submit } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket } from '../support/desk-market.ts'
import { directMarket, orderOf } from '../support/direct-market.ts'
import { wordOf } from '../support/event-words.ts'

const perpetual = 'BTC-PERPETUAL'
const bid = { instrument_name: perpetual, amount: 10, price: 49_000 }
const tooMany = '10028 too_many_requests'

function market(
  limits: Partial<RateLimitTerms>,
  more: Parameters<typeof deskMarket>[0] = {},
): { readonly m: DeskMarket; readonly acted: () => readonly string[] } {
  const seen: string[] = []
  const emit = (event: Event): void => {
    if (event.kind === 'standing') seen.push(`${event.group} ${event.change}`)
  }
  const rateLimits = { ...defaultRateLimits, enabled: true, ...limits }
  const m = deskMarket({ ...more, config: { ...more?.config, rateLimits }, sink: { emit } })
  return { m, acted: () => seen.splice(0) }
}

/** Sends this many requests, a millisecond apart; returns how many were answered. */
function answered(times: number, ask: () => { readonly ok: boolean }): number {
  return Array.from({ length: times }, ask).filter(({ ok }) => ok).length
}

describe('limit.rate', () => {
  test('R15 nothing is limited unless the run sets limits', () => {
    const { m, acted } = market({ enabled: false })
    expect(answered(150, () => m.ask('alice', 'private/get_positions'))).toBe(150)
    expect(answered(60, () => m.ask('alice', 'private/buy', bid))).toBe(60)
    expect(acted()).toEqual([])
  })

  test('C47 a bucket starts full, gains with each millisecond and holds at most its burst', () => {
    const { m, acted } = market({ trading: { burst: 3, rate: 5 } })
    const cancel = { order_id: 'BTC-1' }
    const orders = [1, 2, 3, 4].map(() => m.ask('alice', 'private/buy', bid).ok)
    expect(orders).toEqual([true, true, true, false])
    expect(acted()).toEqual(['trading acted'])
    // Five thousandths per millisecond: 200 ms after the first request there is one whole token again.
    m.venue.wait('195ms')
    expect(m.refusal('alice', 'private/buy', bid)).toBe(tooMany)
    expect(m.ask('alice', 'private/buy', bid).ok).toBe(true)
    expect(m.refusal('alice', 'private/cancel', cancel)).toBe(tooMany)
    m.venue.wait('1h')
    expect(answered(4, () => m.ask('alice', 'private/buy', bid))).toBe(3)
    expect(m.ask('bob', 'private/buy', bid).ok).toBe(true)
  })

  test('C47 C07 a request that fails an earlier check costs nothing, one that is refused later pays', () => {
    const { m } = market({ trading: { burst: 2, rate: 0 } })
    expect(m.refusal(null, 'private/buy', bid)).toContain('unauthorized')
    expect(m.refusal('alice', 'private/no_such', bid)).toContain('Method not found')
    expect(m.refusal('alice', 'private/buy', { ...bid, amount: 'much' })).toContain('-32602')
    const reducing = { ...bid, reduce_only: true }
    expect(m.refusal('alice', 'private/buy', reducing)).toBe('11030 other_reject reduce_direction')
    // The rate limit is reported rather than the other error.
    expect(m.refusal('alice', 'private/buy', { ...bid, amount: 'much' })).toBe(tooMany)
    expect(m.ask('alice', 'private/get_positions').ok).toBe(true)
  })

  test('C47 expensive methods have separate pools', () => {
    const { m, acted } = market({})
    const ask = (method: string): boolean => m.ask('alice', method, {}).ok
    expect(answered(60, () => m.ask('alice', 'public/get_instruments'))).toBe(50)
    const log = { currency: 'BTC', start_timestamp: 0, end_timestamp: 2e12 }
    expect(answered(9, () => m.ask('alice', 'private/get_transaction_log', log))).toBe(8)
    expect(answered(101, () => m.ask('alice', 'private/get_positions'))).toBe(101)
    expect(new Set(acted())).toEqual(new Set(['get_instruments acted', 'get_transaction_log acted']))
    // A request without an account does not pay.
    expect(answered(60, () => m.ask(null, 'public/get_instruments'))).toBe(60)
    expect(ask('private/get_positions')).toBe(true)
  })

  test('S316 C47 a cancel that may reach everything pays from cancel_all, a narrower one from trading or spot', () => {
    const { m, acted } = market(
      {
        trading: { burst: 0, rate: 0 },
        spot: { burst: 0, rate: 0 },
        cancelAll: { burst: 0, rate: 0 },
      },
      { instruments: [perpetual, 'BTC_USDC'], index: { btc_usd: 50_000, btc_usdc: 50_000 } },
    )
    const bucketOf = (method: string, params: object): string | undefined => {
      expect(m.refusal('alice', `private/${method}`, params as never)).toBe(tooMany)
      return acted()[0]
    }
    expect(bucketOf('cancel_all', {})).toBe('cancel_all acted')
    expect(bucketOf('cancel_by_label', { label: 'a' })).toBe('cancel_all acted')
    expect(bucketOf('cancel_by_label', { label: 'a', currency: 'BTC' })).toBe('trading acted')
    expect(bucketOf('cancel_all_by_currency', { currency: 'BTC' })).toBe('trading acted')
    const pair = { currency_pair: 'btc_usd' }
    expect(bucketOf('cancel_all_by_currency_pair', pair)).toBe('trading acted')
    const byInstrument = 'cancel_all_by_instrument'
    expect(bucketOf(byInstrument, { instrument_name: perpetual })).toBe('trading acted')
    expect(bucketOf(byInstrument, { instrument_name: 'BTC_USDC' })).toBe('spot acted')
    const byKind = 'cancel_all_by_kind_or_type'
    expect(bucketOf(byKind, { currency: 'any' })).toBe('cancel_all acted')
    expect(bucketOf(byKind, { currency: 'BTC' })).toBe('trading acted')
    expect(bucketOf(byKind, { currency: 'BTC', kind: 'spot' })).toBe('spot acted')
    expect(bucketOf('buy', bid)).toBe('trading acted')
    expect(bucketOf('buy', { ...bid, instrument_name: 'BTC_USDC' })).toBe('spot acted')
  })

  test('C47 an edit and a cancel pay for the instrument of their order', () => {
    const { m, acted } = market(
      { trading: { burst: 0, rate: 0 }, spot: { burst: 1, rate: 0 } },
      {
        instruments: ['BTC_USDC'],
        index: { btc_usdc: 50_000 },
        accounts: { alice: { USDC: 100_000 } },
      },
    )
    const spot = { instrument_name: 'BTC_USDC', amount: 0.01, price: 49_500 }
    const { order } = m.result('alice', 'private/buy', spot)
    expect(m.refusal('alice', 'private/edit', { order_id: order.order_id, amount: 0.02 })).toBe(tooMany)
    expect(m.refusal('alice', 'private/cancel', { order_id: order.order_id })).toBe(tooMany)
    expect(acted()).toEqual(['spot acted', 'spot acted'])
  })

  test('C47 six moves of positions at once and a hundred a week; the refusal shows how long to wait', () => {
    const { m, acted } = market({}, { accounts: { alice: { BTC: 10 } } })
    const target_uid = m.result('alice', 'private/create_subaccount').id
    const summary = { currency: 'BTC', extended: true }
    const source_uid = m.result('alice', 'private/get_account_summary', summary).id
    const move = (): ReturnType<DeskMarket['ask']> =>
      m.ask('alice', 'private/move_positions', {
        ...{ currency: 'BTC', source_uid, target_uid },
        trades: [{ instrument_name: perpetual, amount: 10 }],
      })
    const codes = (times: number): readonly number[] => Array.from({ length: times }, () => move().error?.code ?? 0)
    const first = codes(7)
    expect(first.slice(0, 6)).not.toContain(10028)
    expect(first[6]).toBe(10028)
    for (let more = 0; more < 94; more += 1) {
      m.venue.wait('10s')
      expect(codes(1)).not.toContain(10028)
    }
    m.venue.wait('1h')
    const { code, message } = move().error
    expect(code).toBe(13780)
    // The first move was 94 times 10.001 s, an hour and a few milliseconds ago.
    expect(message).toBe(`move_positions_over_limit ${168 * 3600 - 3600 - 940}`)
    expect(acted()).toEqual(['move_positions acted', 'move_positions acted'])
    m.venue.wait(`${168}h`)
    expect(codes(1)).not.toContain(13780)
  })

  test('C47 mass quotes: a guaranteed rate, then one of messages and one of sides; otherwise all is refused', () => {
    const { m, acted } = market({
      guaranteedMassQuotes: { burst: 1, rate: 0 },
      maximumMassQuotes: { burst: 2, rate: 0 },
      maximumQuotes: { burst: 3, rate: 0 },
    })
    m.session = 1
    m.result('alice', 'private/enable_cancel_on_disconnect', { scope: 'connection' })
    m.result('alice', 'private/set_mmp_config', {
      ...{ index_name: 'btc_usd', mmp_group: 'one', interval: 10, frozen_time: 10 },
      ...{ quantity_limit: 5, max_quote_quantity: 1 },
    })
    acted()
    const quote = (...sides: readonly ('bid' | 'ask')[]): ReturnType<DeskMarket['ask']> => {
      const terms = { bid: { price: 49_000, amount: 10 }, ask: { price: 51_000, amount: 10 } }
      const chosen = Object.fromEntries(sides.map((side) => [side, terms[side]]))
      const quotes = [{ instrument_name: perpetual, quote_set_id: 's', ...chosen }]
      return m.ask('alice', 'private/mass_quote', { quote_id: 'q', mmp_group: 'one', quotes })
    }
    // First the guaranteed message; then one message with two sides, which leaves one message and one side.
    expect(quote('bid', 'ask').ok).toBe(true)
    expect(quote('bid', 'ask').ok).toBe(true)
    expect(quote('bid', 'ask').error).toMatchObject({ code: 13903, message: 'too_many_quotes' })
    expect(acted()).toEqual(['maximum_quotes acted'])
    // The refused message cost nothing.
    expect(quote('bid').ok).toBe(true)
    expect(quote('bid').error.code).toBe(13903)
    expect(acted()).toEqual(['maximum_mass_quotes acted'])
  })

  test('R15 direct access pays tokens of its Member and gateway; cancels are never refused', () => {
    const rateLimits = { ...defaultRateLimits, enabled: true }
    const m = directMarket({ config: { rateLimits } })
    const acted = (): readonly string[] =>
      m.events.splice(0).flatMap((event) => {
        return event.kind === 'standing' ? [`${event.group} ${event.change}`] : []
      })
    acted()
    // 100,000 tokens, and 100 more each millisecond. The first of these finds the bucket full, so the n-th order finds
    // 100,000 - (n - 1) * 1,900.
    for (let number = 1; number <= 52; number += 1) m.place('alice', number)
    expect(m.refusal('alice', 53)).toBe('25 RATE_LIMIT NewOrderReject')
    expect(acted()).toEqual(['ETH_A orders acted'])
    const cancel = (number: number): void => {
      m.result('alice', 'sim/direct/cancel_order', { client_order_id: number }, 1)
    }
    // A cancel uses the tokens that are there and is never refused.
    for (const number of [1, 2, 3]) cancel(number)
    expect(m.refusal('alice', 53)).toBe('25 RATE_LIMIT NewOrderReject')
    // Bob belongs to another Member.
    m.place('bob', 1)
    m.venue.wait('16ms')
    expect(m.refusal('alice', 53)).toBe('25 RATE_LIMIT NewOrderReject')
    m.place('alice', 53)
    expect(acted()).toHaveLength(2)
  })

  test('R15 if the run says so, a request over the limit ends its WebSocket and cancels its orders', () => {
    const events: Event[] = []
    const rateLimits = {
      ...{ ...defaultRateLimits, enabled: true, disconnects: true },
      trading: { burst: 1, rate: 0 },
    }
    const m = deskMarket({
      config: { rateLimits },
      sink: { emit: (event) => void events.push(event) },
    })
    m.session = 4
    m.result('alice', 'private/enable_cancel_on_disconnect', { scope: 'connection' })
    m.result('alice', 'private/buy', bid)
    events.length = 0
    const { desk, now: time } = m.venue.wait('1ms')
    const request = { time, method: 'private/buy', params: bid, account: 'alice', session: 4 }
    const codes: (number | null)[] = []
    submit(desk, request, (reply) => codes.push(reply.ok ? null : reply.error.code))
    expect(codes).toEqual([10028])
    expect(events.map(wordOf)).toEqual([...['standing', 'order cancelled', 'session', 'refusal'], 'request'])
    expect(events[1]).toMatchObject({ reason: 'cancel_on_disconnect' })
    expect(events[2]).toMatchObject({ change: 'closed', how: 'rate_limit', cancelled: 1 })
    expect(m.venue.exchange.sessions.has(4)).toBe(false)
  })

  test('R15 S320 the account summary shows the limits of the run', () => {
    const limits = (of: Partial<RateLimitTerms>): object => {
      const { m } = market(of)
      return m.result('alice', 'private/get_account_summary', { currency: 'BTC', extended: true }).limits
    }
    expect(limits({ trading: { burst: 7, rate: 3 } })).toEqual({
      limits_per_currency: false,
      non_matching_engine: { burst: 100, rate: 20 },
      matching_engine: {
        trading: { total: { burst: 7, rate: 3 } },
        spot: { burst: 250, rate: 200 },
        quotes: { burst: 500, rate: 500 },
        max_quotes: { burst: 10, rate: 10 },
        guaranteed_quotes: { burst: 2, rate: 2 },
        cancel_all: { burst: 250, rate: 200 },
      },
    })
  })

  test('R15 buckets are part of the state: a copy of the exchange continues in the same way', () => {
    const { m } = market({ trading: { burst: 2, rate: 5 } })
    m.result('alice', 'private/buy', bid)
    const copy = fork(m.venue.exchange)
    expect(stateHash(copy)).toBe(stateHash(m.venue.exchange))
    expect([...copy.rates.buckets]).toEqual([...m.venue.exchange.rates.buckets])
    expect(copy.rates.buckets.size).toBe(1)
  })
})

describe('limit.gateway-minute', () => {
  test('R16 S314 open orders over the REST interface: ten per calendar minute, for each gateway separately', () => {
    const { m, acted } = market({ enabled: false })
    m.result(null, 'sim/set_permissions', { account: 'alice', member: true })
    for (const [session, gateway] of [
      [1, 'BTC_A'],
      [2, 'BTC_B'],
    ] as const) {
      const of = { session, type: 'rest_gateway', account: 'alice', gateway }
      m.result(null, 'sim/connect', of)
    }
    const ask = (): ReturnType<DeskMarket['ask']> => m.ask('alice', 'private/get_open_orders')
    acted()
    m.session = 1
    expect(answered(12, ask)).toBe(10)
    expect(acted()).toEqual(new Array(2).fill('BTC_A gateway_open_orders acted'))
    m.session = 2
    expect(answered(12, ask)).toBe(10)
    m.session = 0
    expect(answered(12, ask)).toBe(12)
    // It is a calendar minute, not sixty seconds from the first request.
    m.session = 1
    m.venue.at('2026-01-05T09:00:59.990Z')
    expect(ask().error.code).toBe(10028)
    m.venue.at('2026-01-05T09:00:59.999Z')
    expect(ask().ok).toBe(true)
  })

  test('R16 S315 risk limits over the REST interface: one request per calendar minute, even if refused later', () => {
    const m = directMarket()
    m.connect(3, { account: 'alice', type: 'rest_gateway', gateway: 'ETH_A' })
    m.connect(4, { account: 'bob', type: 'rest_gateway', gateway: 'ETH_A' })
    const code = (account: string, session: number): number =>
      m.ask(account, 'private/get_alt_risk_limits', {}, session).error?.code ?? 0
    expect(code('alice', 3)).not.toBe(10028)
    expect(code('alice', 3)).toBe(10028)
    expect(code('bob', 4)).not.toBe(10028)
    m.venue.at('2026-01-05T09:01:00Z')
    expect(code('alice', 3)).not.toBe(10028)
  })
})

test('D16 the tokens of direct access belong to the Member and are shared by its portfolios', () => {
  const rateLimits = { ...defaultRateLimits, enabled: true }
  const m = directMarket({ config: { rateLimits } })
  m.result(null, 'sim/create_account', { name: 'alice_2', main: 'alice' })
  m.result(null, 'sim/deposit', { account: 'alice_2', currency: 'ETH', amount: 1000 })
  m.connect(3, { account: 'alice_2' })
  for (let number = 1; number <= 52; number += 1) m.place('alice', number)
  expect(m.refusal('alice', 53)).toBe('25 RATE_LIMIT NewOrderReject')
  const asked = [orderOf(1), 3] as const
  expect(m.ask('alice_2', 'sim/direct/new_order', ...asked).error?.data).toMatchObject({
    reject: 'NewOrderReject',
  })
  // The second portfolio uses the tokens that the first one left.
  m.venue.wait('40ms')
  expect(m.ask('alice_2', 'sim/direct/new_order', ...asked).ok).toBe(true)
  expect(m.ask('alice_2', 'sim/direct/new_order', orderOf(2), 3).ok).toBe(true)
  expect(m.refusal('alice', 53)).toBe('25 RATE_LIMIT NewOrderReject')
})
