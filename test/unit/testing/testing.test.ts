/** The property-test kit in a user's program: generated requests to a venue, and the laws. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findInstrument } from '../../../src/engine/index.ts'
import { openVenue, type Venue } from '../../../src/index.ts'
import { fillConditions, triggerOrderTypes, triggerSources } from '../../../src/model/index.ts'
import { assertLaws, type GeneratedRequest, orderRequest, type SpecialKind } from '../../../src/testing/index.ts'
import { repository } from '../../support/repository.ts'

const instrument_name = 'BTC-PERPETUAL'
const accounts = ['maker', 'taker', 'third']

function open(): Venue {
  return openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: [instrument_name],
    index: { btc_usd: 50_000 },
    accounts: Object.fromEntries(accounts.map((name) => [name, { BTC: 1 }])),
  })
}

function space(lotsMax = 300): Parameters<typeof orderRequest>[0] {
  const instrument = findInstrument(open().exchange, instrument_name)
  if (instrument === undefined) throw new Error('the venue lists it')
  return { instrument, accounts, price: 50_000, spread: 6, lotsMax }
}

/** The reply, which the parameters of a generated request fit by their method. */
function ask(venue: Venue, { account, method, params }: GeneratedRequest): string {
  const reply = venue
    .wait('1ms')
    .as(account)
    .request(method, params as never)
  return reply.ok ? 'done' : (reply.error?.message ?? 'held')
}

test('the guide has each field of the space of requests, with its default', () => {
  const folder = join(repository, 'src/testing')
  const [, fields = ''] =
    /interface RequestSpace \{([^}]*)\}/.exec(readFileSync(join(folder, 'order-requests.ts'), 'utf8')) ?? []
  const declared = [...fields.matchAll(/readonly (\w+)(\?)?:/g)].map(([, name, mark]) => [name, mark === '?'])
  const guide = readFileSync(join(folder, 'README.md'), 'utf8')
  const [, table = ''] = /\| Field \| Meaning \| Default \|\n([\s\S]*?)\n\n/.exec(guide) ?? []
  const rows = [...table.matchAll(/^\| `(\w+)` \|.*\| *(.*?) *\|$/gm)]
  expect(rows.map(([, name, preset]) => [name, preset !== ''])).toEqual(declared)
})

describe('orderRequest', () => {
  test('50 streams trade, and every law holds after each request', () => {
    const replies = new Map<string, number>()
    let trades = 0
    const requests = fc.array(orderRequest(space()), { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(requests, (stream) => {
        const venue = open()
        for (const request of stream) {
          const reply = ask(venue, request)
          replies.set(reply, (replies.get(reply) ?? 0) + 1)
          assertLaws(venue.desk)
        }
        trades += [...venue.desk.history.trades.rows.values()].flat().length
      }),
      { numRuns: 50 },
    )
    // Requests are valid: only the market refuses any, never their form.
    const refusals = ['done', 'order_overlap', 'not_enough_funds']
    expect([...replies.keys()].filter((reply) => !refusals.includes(reply))).toEqual([])
    expect(replies.get('done')).toBeGreaterThan(100)
    expect(trades).toBeGreaterThan(20)
  })

  test('every kind of request comes, on the grid of prices and in whole amount steps', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(orderRequest(space(5)), ({ account, method, params }) => {
        expect(accounts).toContain(account)
        if (method === 'private/cancel_all') {
          expect(params).toEqual({})
          kinds.add(method)
          return
        }
        const { instrument_name: name, amount, price, type } = params
        expect(name).toBe(instrument_name)
        expect([10, 20, 30, 40, 50]).toContain(amount)
        if (type === undefined) {
          expect(Math.abs(Number(price) - 50_000)).toBeLessThanOrEqual(3)
          expect(Number(price) % 0.5).toBe(0)
        } else expect(params).toMatchObject({ type: 'market', time_in_force: 'immediate_or_cancel' })
        kinds.add(`${method} ${type ?? 'limit'}`)
      }),
      { numRuns: 300 },
    )
    expect([...kinds].toSorted()).toEqual([
      'private/buy limit',
      'private/buy market',
      'private/cancel_all',
      'private/sell limit',
      'private/sell market',
    ])
  })

  test('a largest order below the minimum gives the minimum', () => {
    const [request] = fc.sample(orderRequest({ ...space(0), accounts: ['maker'] }), 1)
    expect(request?.account).toBe('maker')
    fc.assert(
      fc.property(orderRequest(space(0)), ({ method, params }) => {
        expect(params['amount']).toBe(method === 'private/cancel_all' ? undefined : 10)
      }),
    )
  })

  test('the name of an instrument gives that of the catalogue; unknown names throw', () => {
    const named = fc.sample(orderRequest({ ...space(), instrument: instrument_name }), { seed: 3 })
    expect(named).toEqual(fc.sample(orderRequest(space()), { seed: 3 }))
    expect(() => orderRequest({ ...space(), instrument: 'BTC-PERP' })).toThrow(
      expect.objectContaining({ code: 'INSTRUMENT' }),
    )
  })

  test('requests shrink to a smallest order of the first account at the middle price', () => {
    const failing = fc.check(
      fc.property(orderRequest(space()), ({ method, params }) => {
        return method === 'private/cancel_all' || params['price'] === undefined
      }),
    )
    expect(failing.counterexample).toEqual([
      {
        account: 'maker',
        method: 'private/buy',
        params: { instrument_name, amount: 10, price: 50_000, post_only: false },
      },
    ])
  })
})

describe('kinds of orders in a space', () => {
  const kinds: readonly SpecialKind[] = ['trigger', 'reduce_only', 'iceberg', 'oco']

  /** Parameters of orders of one kind; icebergs are at least 1,010 USD. */
  function sampleOf(kind: SpecialKind): readonly Readonly<Record<string, unknown>>[] {
    const marks: Readonly<Record<SpecialKind, string>> = {
      ...{ trigger: 'trigger', reduce_only: 'reduce_only' },
      ...{ iceberg: 'display_amount', oco: 'otoco_config', advanced: 'advanced' },
    }
    const requests = fc.sample(orderRequest({ ...space(500), kinds: [kind] }), 400)
    const params = requests.map((request) => request.params)
    return params.filter((each) => marks[kind] in each)
  }

  test('only the requested kinds come', () => {
    const plain = fc.sample(orderRequest(space()), 200).flatMap(({ params }) => Object.keys(params))
    expect(new Set(plain)).toEqual(
      new Set(['instrument_name', 'amount', 'price', 'post_only', 'type', 'time_in_force']),
    )
    for (const kind of kinds) expect(sampleOf(kind).length).toBeGreaterThan(20)
  })

  test('trigger orders have a source, and a price or an offset', () => {
    const found = sampleOf('trigger')
    for (const { type, price, trigger_price, trigger_offset } of found) {
      expect(price !== undefined).toBe(type === 'stop_limit' || type === 'take_limit')
      expect(trigger_price === undefined).toBe(type === 'trailing_stop')
      expect(trigger_offset !== undefined).toBe(type === 'trailing_stop')
      if (trigger_offset !== undefined) expect([0.5, 1, 1.5, 2, 2.5, 3]).toContain(trigger_offset)
      else expect(Math.abs(Number(trigger_price) - 50_000)).toBeLessThanOrEqual(3)
    }
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(triggerOrderTypes))
    expect(new Set(found.map(({ trigger }) => trigger))).toEqual(new Set(triggerSources))
  })

  test('icebergs show at least a hundred smallest sizes, and not too small a share', () => {
    const all = [
      ...sampleOf('iceberg'),
      ...fc
        .sample(orderRequest({ ...space(500_000), kinds: ['iceberg'] }), 400)
        .map(({ params }) => params)
        .filter((params) => 'display_amount' in params),
    ]
    for (const params of all) {
      const [amount, shown] = [Number(params['amount']), Number(params['display_amount'])]
      expect(shown).toBeGreaterThanOrEqual(1_000)
      expect(amount).toBeGreaterThan(shown)
      expect(amount - shown).toBeLessThan(100 * shown)
    }
  })

  test('partners name one other order, under any condition', () => {
    const found = sampleOf('oco')
    for (const { otoco_config: others } of found) {
      expect(others).toEqual([
        {
          direction: expect.stringMatching(/^(?:buy|sell)$/),
          ...{ amount: expect.any(Number), price: expect.any(Number) },
        },
      ])
    }
    const conditions = new Set(found.map((params) => params['trigger_fill_condition']))
    expect(conditions).toEqual(new Set(fillConditions))
  })

  test('streams of all kinds trade, and every law holds after each request', () => {
    const replies = new Map<string, number>()
    let trades = 0
    const requests = fc.array(orderRequest({ ...space(), kinds }), { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(requests, (stream) => {
        const venue = open()
        for (const request of stream) {
          const reply = ask(venue, request)
          replies.set(reply, (replies.get(reply) ?? 0) + 1)
          assertLaws(venue.desk)
        }
        trades += [...venue.desk.history.trades.rows.values()].flat().length
      }),
      { numRuns: 50 },
    )
    const refusals = [
      ...['done', 'order_overlap', 'not_enough_funds', 'other_reject reduce_direction'],
      ...['trigger_price_too_high', 'trigger_price_too_low', 'invalid_trigger_price'],
    ]
    expect([...replies.keys()].filter((reply) => !refusals.includes(reply))).toEqual([])
    expect(replies.get('done')).toBeGreaterThan(100)
    expect(trades).toBeGreaterThan(20)
  })
})

test('options trade at prices, volatilities and values, and every law holds', () => {
  const name = 'BTC-27MAR26-50000-C'
  const begin = (): Venue =>
    openVenue({
      start: '2026-01-05T09:00:00Z',
      instruments: [name],
      index: { btc_usd: 50_000 },
      accounts: Object.fromEntries(accounts.map((account) => [account, { BTC: 1 }])),
    })
  const instrument = findInstrument(begin().exchange, name)
  if (instrument === undefined) throw new Error('the venue lists it')
  const options = { instrument, accounts, price: 0.1, spread: 6, lotsMax: 5 }
  const replies = new Set<string>()
  let trades = 0
  const stream = fc.array(orderRequest({ ...options, kinds: ['advanced'] }), { minLength: 20, maxLength: 40 })
  fc.assert(
    fc.property(stream, (requests) => {
      const venue = begin()
      for (const request of requests) {
        replies.add(ask(venue, request))
        assertLaws(venue.desk)
      }
      trades += [...venue.desk.history.trades.rows.values()].flat().length
    }),
    { numRuns: 30 },
  )
  const refusals = ['done', 'order_overlap', 'not_enough_funds', 'price_too_low', 'price_too_high']
  // A volatility or a value may come to a price that crosses the book and cannot slide.
  refusals.push('post_only_price_modification_not_possible')
  expect([...replies].filter((reply) => !refusals.includes(reply.split(' ')[0] ?? ''))).toEqual([])
  expect(trades).toBeGreaterThan(10)
})

test('a space refuses kinds and options that do not exist', () => {
  expect(() => orderRequest({ ...space(), kinds: ['triger' as never] })).toThrow('did you mean trigger?')
  expect(() => orderRequest({ ...space(), kind: [] } as never)).toThrow('did you mean kinds?')
})
