/**
 * The order of validation: the first failing step decides, whether the reader of the request found
 * it (`command.fault`) or the engine. Source: trading.md C07.
 */
import { describe, expect, test } from 'vitest'
import { instrumentId, lots, price9 } from '../../src/core/index.ts'
import {
  defaultConfig,
  type Fault,
  type RejectReason,
  type ValidationStep,
  validationStep,
} from '../../src/model/index.ts'
import {
  idOf,
  type Market,
  market,
  type OrderWords,
  type Outcome,
  start,
} from '../support/harness.ts'

const rich = { BTC: '1000', USDC: '1000' }
const stepped = 'SOL_USDC-PERPETUAL'
const option = 'BTC-27MAR26-50000-C'
const steps = Object.entries(validationStep)

function fault(step: ValidationStep): Fault {
  return {
    step,
    refusal: { reason: 'invalid_params', param: `step ${step}`, problem: 'found by the reader' },
  }
}

/** Asks of 50000 by bob and of 50010 by alice herself; alice has little money and one order left. */
function trap(): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, [stepped]: { tick_size: '0.0001' }, [option]: {} },
    // The grid of coin options.
    tickSteps: { [stepped]: [{ above: price9(5_000_000), tick9: 500_000 }] },
    accounts: { alice: { BTC: '0.01' }, bob: rich },
    index: { btc_usd: '50000', sol_usdc: '0.02' },
    config: { openOrderLimits: { ...defaultConfig(start).openOrderLimits, future: 2 } },
  })
  m.sell('bob', { amount: '10', price: '50000' })
  m.sell('alice', { amount: '10', price: '50010' })
  return m
}

function lock(m: Market): void {
  const [row] = m.exchange.instruments
  if (row !== undefined) row.state = 'locked'
}

/** One request for each finding of the engine, with nothing else wrong about it. */
const findings: readonly (readonly [ValidationStep, RejectReason, (fault?: Fault) => Outcome])[] = [
  finding('validUntil', 'timed_out', { validUntil: start }),
  [validationStep.instrument, 'not_found', (found) => unlisted(trap(), found)],
  finding('bookState', 'locked_by_admin', {}, lock),
  finding('argumentCombination', 'not_implemented', { reduceOnly: true }),
  finding('argumentCombination', 'not_implemented', { instrument: option, price: '0.01' }, (m) => {
    m.mark('0.01', option)
  }),
  finding('amount', 'qty_too_low', { amount: '0' }),
  finding('amount', 'invalid_amount', { amount: '9000000010' }),
  finding('price', 'price_wrong_tick', { price: '0' }),
  finding('postOnly', 'post_only_reject', { price: '50000', postOnly: 'reject' }),
  finding('priceBand', 'price_too_high', { price: '50750.5' }),
  finding('openOrderLimits', 'pme_max_future_open_orders', {}, (m) => {
    m.buy('alice', { amount: '10', price: '49000' })
  }),
  finding('margin', 'not_enough_funds', { amount: '1000000' }),
  finding('selfMatch', 'order_overlap', { amount: '20', price: '50010' }),
]

function finding(
  step: keyof typeof validationStep,
  reason: RejectReason,
  words: Partial<OrderWords>,
  before: (m: Market) => void = () => {},
): (typeof findings)[number] {
  const request = (found?: Fault): Outcome => {
    const m = trap()
    before(m)
    const order = { amount: '10', price: '49000', ...words }
    return m.buy('alice', found === undefined ? order : { ...order, fault: found })
  }
  return [validationStep[step], reason, request]
}

function unlisted(m: Market, found?: Fault): Outcome {
  return m.send(
    {
      kind: 'place_order',
      instrument: instrumentId(99),
      side: 'buy',
      type: 'limit',
      timeInForce: 'good_til_cancelled',
      price: null,
      amount: lots(1),
      label: '',
      postOnly: 'off',
      reduceOnly: false,
      validUntil: null,
    },
    'alice',
    found,
  )
}

describe('rule order.validation: the earliest failing step decides (C07)', () => {
  test.each(findings)('the engine at step %i alone: %s', (_step, reason, request) => {
    expect(request().refusal?.reason).toBe(reason)
  })

  test.each(findings)(
    'the engine at step %i (%s) with a fault of every other step',
    (at, reason, request) => {
      for (const [, step] of steps) {
        const expected = at < step ? reason : 'invalid_params'
        expect([step, request(fault(step)).refusal?.reason]).toEqual([step, expected])
      }
    },
  )

  test.each(steps)('a fault at %s refuses an order that is otherwise right', (_name, step) => {
    const m = trap()
    const order = m.buy('alice', { amount: '10', price: '49000', fault: fault(step) })
    expect(order.refusal).toEqual(fault(step).refusal)
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('all at once: each repair shows the next step', () => {
    const m = trap()
    m.buy('alice', { amount: '10', price: '49000' })
    lock(m)
    let words: OrderWords = {
      ...{ amount: '0', price: '0', postOnly: 'reject', validUntil: m.exchange.now },
      reduceOnly: true,
    }
    const refused = (): RejectReason | undefined => m.buy('alice', words).refusal?.reason
    const found = [refused()]
    const { validUntil: _late, ...timely } = words
    words = timely
    found.push(refused())
    const [row] = m.exchange.instruments
    if (row !== undefined) row.state = 'open'
    found.push(refused())
    words = { ...words, reduceOnly: false }
    found.push(refused())
    words = { ...words, amount: '9000000010' }
    found.push(refused())
    words = { ...words, amount: '1000000' }
    found.push(refused())
    words = { ...words, price: '60000' }
    found.push(refused())
    words = { ...words, postOnly: 'off' }
    found.push(refused())
    words = { ...words, price: '50010' }
    found.push(refused())
    m.cancelAll('alice')
    m.sell('alice', { amount: '10', price: '50010' })
    found.push(refused())
    m.deposit('alice', 'BTC', '100')
    found.push(refused())
    words = { ...words, price: '49000' }
    expect(found).toEqual([
      'timed_out',
      'locked_by_admin',
      'not_implemented',
      'qty_too_low',
      'invalid_amount',
      'price_wrong_tick',
      'post_only_reject',
      'price_too_high',
      'pme_max_future_open_orders',
      'not_enough_funds',
      'order_overlap',
    ])
    expect(refused()).toBeUndefined()
  })

  test('a limit order without a price: 10023; off the grid of its price: 10043', () => {
    const m = trap()
    expect(m.buy('alice', { amount: '10' }).refusal?.reason).toBe('invalid_price')
    const buy = (price: string): Outcome =>
      m.buy('bob', { instrument: stepped, amount: '1', price })
    m.mark('0.0225', stepped)
    expect(buy('0.0226').refusal?.reason).toBe('price_wrong_tick')
    expect(buy('0.0225').refusal).toBeNull()
  })

  test('edits: order, state, amount, price, band, margin, self-match in this order', () => {
    const m = trap()
    const order = idOf(m.buy('alice', { amount: '10', price: '49000' }))
    const refused = (words: Parameters<Market['edit']>[2]): RejectReason | undefined =>
      m.edit('alice', order, words).refusal?.reason
    lock(m)
    expect(refused({ amount: '0', validUntil: m.exchange.now })).toBe('timed_out')
    expect(refused({ amount: '0' })).toBe('locked_by_admin')
    const [row] = m.exchange.instruments
    if (row !== undefined) row.state = 'open'
    expect(refused({ amount: '0', price: '0' })).toBe('invalid_amount')
    expect(refused({ amount: '9000000010', price: '0' })).toBe('invalid_amount')
    expect(refused({ amount: '1000000', price: '0' })).toBe('price_wrong_tick')
    expect(refused({ amount: '1000000', price: '60000' })).toBe('price_too_high')
    expect(refused({ amount: '1000000', price: '50010' })).toBe('not_enough_funds')
    expect(refused({ amount: '20', price: '50010' })).toBe('order_overlap')
    for (const [, step] of steps) {
      const words = { amount: '1000000', price: '60000', fault: fault(step) }
      expect(refused(words)).toBe(step > 15 ? 'price_too_high' : 'invalid_params')
    }
  })

  test('cancels: a fault refuses them too, and the order stays', () => {
    const m = trap()
    const order = idOf(m.buy('alice', { amount: '10', price: '49000' }))
    expect(m.cancel('alice', order, fault(4)).refusal?.reason).toBe('invalid_params')
    expect(m.cancel('bob', order, fault(9)).refusal?.reason).toBe('not_owner_of_order')
    expect(m.openOrders('alice')).toHaveLength(2)
  })
})
