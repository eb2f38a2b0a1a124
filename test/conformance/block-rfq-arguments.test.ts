/**
 * Each test makes one parameter of a method of Block RFQs wrong: the answer has the code, the reason and the parameter,
 * and nothing changes.
 * Source: sessions document 5.1, 5.4, 5.5, 5.7.
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { stateHash } from '../../src/engine/index.ts'
import { findMethod } from '../../src/gateways/index.ts'
import { call } from '../support/block-market.ts'
import type { Json } from '../support/desk-market.ts'
import { standingHash } from '../support/laws.ts'
import { quoteOf, RfqVenue, usualAccept, usualLeg, usualRfq } from '../support/rfq-venue.ts'

/** Wrong values for each kind of parameter. */
const wrongOf = {
  whole: [1.5, 'one', true, {}, []],
  count: [0, 1.5, 1001, 'one', {}],
  decimal: ['one', true, {}, []],
  direction: ['up', 'BUY', 1, {}],
  instruction: ['some', 1, {}],
  force: ['immediate_or_cancel', 'fok', 1, {}],
  state: ['created', 1, {}],
  role: ['broker', 1, {}],
  currency: ['XYZ', 'btc', 1, {}],
  text: [1, true, {}, []],
  label: [1, {}, 'x'.repeat(65), '😀'.repeat(65)],
  flag: ['yes', 1, {}],
  list: ['one', 1, {}],
  legs: ['one', 1, {}, []],
  object: ['one', 1, []],
} as const

type Sort = keyof typeof wrongOf

const hedge = { instrument_name: 'BTC-PERPETUAL', direction: 'sell', price: 50_000, amount: 1_000 }
const hedgeFields: Json = {
  'hedge.instrument_name': 'text',
  'hedge.direction': 'direction',
  'hedge.price': 'decimal',
  'hedge.amount': 'decimal',
}
/** The number of the first account. */
const TAKER = 4
const page: Json = { count: 'count' }

interface Described {
  readonly account: string | null
  /** Parameters without a mistake. */
  readonly params: Json
  readonly required: readonly string[]
  readonly fields: { readonly [path: string]: Sort }
}

/** The methods and the kinds of their parameters. */
const described: { readonly [method: string]: Described } = {
  'private/create_block_rfq': {
    account: 'taker',
    params: {
      ...usualRfq,
      ...{ hedge, label: 'a', makers: ['ALPHA1'], disclosed: true },
      trade_allocations: [{ user_id: TAKER, amount: 25 }],
    },
    required: [
      ...['legs', 'legs.0.instrument_name', 'legs.0.amount', 'legs.0.direction'],
      'trade_allocations.0.amount',
    ],
    fields: {
      legs: 'legs',
      'legs.0.instrument_name': 'text',
      'legs.0.amount': 'decimal',
      'legs.0.direction': 'direction',
      hedge: 'object',
      ...hedgeFields,
      label: 'label',
      makers: 'list',
      'makers.0': 'text',
      disclosed: 'flag',
      trade_allocations: 'list',
      'trade_allocations.0.user_id': 'whole',
      'trade_allocations.0.amount': 'decimal',
      'trade_allocations.0.client_info': 'object',
    },
  },
  'private/cancel_block_rfq': {
    account: 'taker',
    params: { block_rfq_id: 1 },
    required: ['block_rfq_id'],
    fields: { block_rfq_id: 'whole' },
  },
  'private/accept_block_rfq': {
    account: 'taker',
    params: { ...usualAccept, hedge },
    required: [
      ...['block_rfq_id', 'price', 'amount', 'direction', 'legs', 'time_in_force'],
      ...['legs.0.instrument_name', 'legs.0.ratio', 'legs.0.direction'],
    ],
    fields: {
      block_rfq_id: 'whole',
      price: 'decimal',
      amount: 'decimal',
      direction: 'direction',
      legs: 'legs',
      'legs.0.instrument_name': 'text',
      'legs.0.ratio': 'decimal',
      'legs.0.direction': 'direction',
      hedge: 'object',
      ...hedgeFields,
      time_in_force: 'force',
    },
  },
  'private/cancel_block_rfq_trigger': {
    account: 'taker',
    params: { block_rfq_id: 1 },
    required: ['block_rfq_id'],
    fields: { block_rfq_id: 'whole' },
  },
  'private/get_block_rfqs': {
    account: 'taker',
    params: { count: 1, state: 'open', role: 'any', block_rfq_id: 1, currency: 'BTC' },
    required: [],
    fields: {
      ...page,
      state: 'state',
      role: 'role',
      continuation: 'whole',
      block_rfq_id: 'whole',
      currency: 'currency',
    },
  },
  'private/add_block_rfq_quote': {
    account: 'alpha',
    params: { ...quoteOf(), hedge, label: 'a', execution_instruction: 'any_part_of' },
    required: [
      ...['block_rfq_id', 'amount', 'direction', 'legs'],
      ...['legs.0.instrument_name', 'legs.0.ratio', 'legs.0.direction'],
    ],
    fields: {
      block_rfq_id: 'whole',
      amount: 'decimal',
      direction: 'direction',
      legs: 'legs',
      'legs.0.instrument_name': 'text',
      'legs.0.ratio': 'decimal',
      'legs.0.direction': 'direction',
      'legs.0.price': 'decimal',
      label: 'label',
      hedge: 'object',
      ...hedgeFields,
      execution_instruction: 'instruction',
      price: 'decimal',
      expires_at: 'whole',
    },
  },
  'private/edit_block_rfq_quote': {
    account: 'alpha',
    params: {
      ...{ block_rfq_quote_id: 1, amount: 25, legs: [{ ...usualLeg, price: 0.05 }], hedge },
    },
    required: [...['amount', 'legs'], ...['legs.0.instrument_name', 'legs.0.ratio', 'legs.0.direction']],
    fields: {
      block_rfq_quote_id: 'whole',
      block_rfq_id: 'whole',
      label: 'label',
      amount: 'decimal',
      legs: 'legs',
      'legs.0.instrument_name': 'text',
      'legs.0.ratio': 'decimal',
      'legs.0.direction': 'direction',
      'legs.0.price': 'decimal',
      hedge: 'object',
      ...hedgeFields,
      price: 'decimal',
    },
  },
  'private/cancel_block_rfq_quote': {
    account: 'alpha',
    params: { block_rfq_quote_id: 1 },
    required: [],
    fields: { block_rfq_quote_id: 'whole', block_rfq_id: 'whole', label: 'label' },
  },
  'private/cancel_all_block_rfq_quotes': {
    account: 'alpha',
    params: {},
    required: [],
    fields: { block_rfq_id: 'whole', detailed: 'flag' },
  },
  'private/get_block_rfq_quotes': {
    account: 'alpha',
    params: {},
    required: [],
    fields: { block_rfq_id: 'whole', label: 'label', block_rfq_quote_id: 'whole' },
  },
  'private/get_block_rfq_makers': { account: 'taker', params: {}, required: [], fields: {} },
  'private/get_block_rfq_user_info': { account: 'taker', params: {}, required: [], fields: {} },
  'public/get_block_rfq_trades': {
    account: null,
    params: { currency: 'BTC' },
    required: ['currency'],
    fields: { currency: 'currency', continuation: 'text', ...page },
  },
}

/** A market with an RFQ of 25 calls and a quote of alpha on it. */
function market(): RfqVenue {
  const m = new RfqVenue()
  m.create({ hedge })
  m.quote('alpha', { hedge })
  return m
}

/** A copy in which one place has another value, or is missing if the value is undefined. */
function changed(params: Json, path: string, value: Json): Json {
  const copy = structuredClone(params)
  const names = path.split('.')
  const last = names.pop() ?? ''
  let place = copy
  for (const name of names) place = place[name]
  if (value === undefined) delete place[last]
  else place[last] = value
  return copy
}

/** Code, parameter and reason of a refusal. The call must not change anything. */
function faultOf(m: RfqVenue, of: { account: string | null; method: string; params: Json }): Json {
  const { exchange } = m.venue
  const before = standingHash(exchange)
  const { code, data } = m.error(of.account, of.method, of.params)
  expect(standingHash(exchange)).toBe(before)
  return { code, param: data?.param, reason: data?.reason }
}

describe('each parameter', () => {
  test('the table has every parameter of every method', () => {
    const missing: string[] = []
    for (const [method, { fields }] of Object.entries(described)) {
      const found = findMethod(method)
      if (found === undefined) {
        missing.push(method)
        continue
      }
      const { properties = {} } = z.toJSONSchema(found.params, {
        io: 'input',
        unrepresentable: 'any',
      })
      for (const name of Object.keys(properties)) {
        if (!(name in fields)) missing.push(`${method} ${name}`)
      }
    }
    expect(missing).toEqual([])
  })

  test.each(Object.entries(described))('a refusal by %s names the wrong parameter', (method, of) => {
    const m = market()
    const hash = stateHash(m.venue.exchange)
    const { account, params, fields, required } = of
    for (const [path, sort] of Object.entries(fields)) {
      for (const value of wrongOf[sort]) {
        const fault = faultOf(m, { account, method, params: changed(params, path, value) })
        expect([path, value, fault.code]).toEqual([path, value, -32602])
        // If an object or a list is malformed or incomplete, the refusal may name its first part.
        expect([path, value, `${fault.param}.`]).toEqual([
          ...[path, value],
          expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')}\\.`)),
        ])
        expect([path, value, fault.reason]).toEqual([path, value, expect.stringMatching(/./)])
      }
    }
    for (const path of required) {
      const fault = faultOf(m, { account, method, params: changed(params, path, undefined) })
      expect([path, fault.code, fault.param]).toEqual([path, -32602, path])
    }
    expect(hash).not.toBe('')
  })
})

describe('parameters that contradict each other', () => {
  const client = { client_id: 7, client_link_id: TAKER, name: 'First' }

  test.each([
    ['nobody', { amount: 25 }, ''],
    ['an account and a client', { user_id: TAKER, client_info: client, amount: 25 }, ''],
    ['an account that nobody has', { user_id: 999, amount: 25 }, ''],
    ['a client of nobody', { client_info: { ...client, client_link_id: 999 }, amount: 25 }, ''],
    ['a client without a number', { client_info: { ...client, client_id: 'x' }, amount: 25 }, '.client_info.client_id'],
    ['a client without a name', { client_info: { ...client, name: 1 }, amount: 25 }, '.client_info.name'],
    ['a foreign account', { user_id: TAKER + 1, amount: 25 }, ''],
    ['no amount at all', { user_id: TAKER, amount: 0 }, ''],
    ['less than nothing', { user_id: TAKER, amount: -25 }, ''],
  ])('S143 an allocation of %s', (_, share, place) => {
    const params = { ...usualRfq, trade_allocations: [share] }
    const method = 'private/create_block_rfq'
    const fault = faultOf(market(), { account: 'taker', method, params })
    expect([11029, -32602, 10021, 10002]).toContain(fault.code)
    if (fault.code === 10021 || fault.code === 10002) return
    expect(`${fault.param}.`).toMatch(new RegExp(`^trade_allocations(\\.0)?${place.replaceAll('.', '\\.')}\\.`))
    expect(fault.reason).toMatch(/./)
  })

  const edited = { amount: 25, legs: [{ ...usualLeg, price: 0.05 }] }

  test.each([
    ['private/edit_block_rfq_quote', edited],
    ['private/edit_block_rfq_quote', { ...edited, block_rfq_id: 1 }],
    ['private/edit_block_rfq_quote', { ...edited, label: 'a' }],
    ['private/cancel_block_rfq_quote', {}],
    ['private/cancel_block_rfq_quote', { block_rfq_id: 1 }],
    ['private/cancel_block_rfq_quote', { label: 'a' }],
  ])('%s names a quote by its id, or by RFQ and label: %j', (method, params) => {
    expect(faultOf(market(), { account: 'alpha', method, params })).toMatchObject({
      ...{ code: -32602, param: expect.stringMatching(/^(block_rfq|label)/) },
    })
  })

  test.each([
    ['S132 all or none of a part', { execution_instruction: 'all_or_none', amount: 20 }, 'amount'],
    ['another hedge', { hedge: { ...hedge, amount: 990 } }, 'hedge'],
    ['a hedge at another price', { hedge: { ...hedge, price: 50_001 } }, 'hedge'],
    ['a leg too many', { legs: [1, 2].map(() => ({ ...usualLeg, price: 0.05 })) }, 'legs'],
    ['an end that is past', { expires_at: 1 }, 'expires_at'],
    ['the label of another open quote', { label: 'taken' }, 'label'],
    ['a price that is not that of the legs', { legs: [{ ...usualLeg, price: 0.05 }], price: 1 }, 'price'],
  ])('a quote with %s', (_, change, param) => {
    const m = market()
    m.quote('bravo', { hedge, label: 'taken' })
    const params = { ...quoteOf(), hedge, ...change }
    const fault = faultOf(m, { account: 'bravo', method: 'private/add_block_rfq_quote', params })
    expect(fault).toMatchObject({
      ...{ code: 11029, param: expect.stringMatching(new RegExp(`^${param}`)) },
      reason: expect.stringMatching(/./),
    })
  })

  test.each([
    ['too many legs', { legs: Array.from({ length: 21 }, () => usualRfq.legs[0]) }, 'legs'],
    ['a leg twice', { legs: [usualRfq.legs[0], usualRfq.legs[0]] }, 'legs'],
    ['an alias of nobody', { makers: ['NOBODY'] }, 'makers'],
    ['four anonymous makers', { disclosed: false, makers: ['ALPHA1', 'BRAVO2', 'CHARLIE3', 'DELTA4'] }, ''],
    ['a hedge of another coin', { hedge: { ...hedge, instrument_name: 'ETH-PERPETUAL', price: 2500 } }, 'hedge'],
    ['an option as a hedge', { hedge: { ...hedge, instrument_name: call, price: 0.05, amount: 25 } }, 'hedge'],
  ])('an RFQ with %s', (_, change, param) => {
    const params = { ...usualRfq, ...change }
    const fault = faultOf(market(), {
      account: 'taker',
      method: 'private/create_block_rfq',
      params,
    })
    expect(fault).toMatchObject({
      ...{ code: expect.toBeOneOf([11029, -32602]), param: expect.stringMatching(`^${param}`) },
      reason: expect.stringMatching(/./),
    })
  })

  test.each([1e15, 1e16, 9_007_199_254_740_991, 1e30, -25, 0, 1e-9, 25.000_000_001])(
    'an amount of %d is refused by a rule and breaks nothing',
    (amount) => {
      const m = market()
      const legs = [{ instrument_name: call, amount, direction: 'buy' }]
      const fault = faultOf(m, {
        account: 'taker',
        method: 'private/create_block_rfq',
        params: { legs },
      })
      expect([10021, 10002, -32602]).toContain(fault.code)
      const quoted = faultOf(m, {
        ...{ account: 'alpha', method: 'private/add_block_rfq_quote' },
        params: { ...quoteOf({ amount }), hedge },
      })
      expect([10021, 10002, 11029, -32602]).toContain(quoted.code)
    },
  )

  test('two legs of large sizes without a common divisor have an amount of one step', () => {
    const m = new RfqVenue()
    const legs = [
      { instrument_name: 'BTC-PERPETUAL', amount: 8_999_999_990, direction: 'buy' },
      { instrument_name: 'BTC-27MAR26', amount: 8_999_999_980, direction: 'sell' },
    ]
    const rfq = m.create({ legs })
    expect(rfq).toMatchObject({ amount: 10, min_trade_amount: 10 })
    expect(rfq.legs.map((leg: Json) => leg.ratio)).toEqual([899_999_999, 899_999_998])
  })
})
