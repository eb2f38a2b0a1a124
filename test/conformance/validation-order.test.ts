/**
 * The order of validation: the first failing step decides, whether the request reader (`command.fault`) or the engine
 * found the error. Source: trading.md C07.
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
import { idOf, type Market, market, type Outcome, start } from '../support/harness.ts'
import type { OrderWords } from '../support/market-words.ts'

const rich = { BTC: '1000', USDC: '1000' }
const stepped = 'SOL_USDC-PERPETUAL'
const option = 'BTC-27MAR26-50000-C'
const steps = Object.entries(validationStep)
const above = { source: 'mark_price', price: '51000' } as const
const secondary = { side: 'sell', amount: '10', price: '51000' } as const

function fault(step: ValidationStep): Fault {
  return {
    step,
    refusal: { reason: 'invalid_params', param: `step ${step}`, problem: 'found by the reader' },
  }
}

/** Bob asks at 50000 and alice at 50010. Alice has little money, and can have one more order. */
function trap(): Market {
  const { openOrderLimits } = defaultConfig(start)
  const m = market({
    instruments: {
      ...{ 'BTC-PERPETUAL': {}, BTC_USDC: {} },
      ...{ [stepped]: { tick_size: '0.0001' }, [option]: {} },
    },
    // The grid of coin options.
    tickSteps: { [stepped]: [{ above: price9(5_000_000), tick9: 500_000 }] },
    accounts: { alice: { BTC: '0.01' }, bob: rich },
    index: { btc_usd: '50000', sol_usdc: '0.02' },
    config: { openOrderLimits: { ...openOrderLimits, future: 2, triggers: 1, secondaries: 1 } },
  })
  m.sell('bob', { amount: '10', price: '50000' })
  m.sell('alice', { amount: '10', price: '50010' })
  return m
}

function lock(m: Market): void {
  m.bookState('locked')
}

const waiting = { type: 'stop_limit' } as const

/** One request for each check of the engine, without any other error. */
const findings: readonly (readonly [ValidationStep, RejectReason, (fault?: Fault) => Outcome])[] = [
  finding('validUntil', 'timed_out', { validUntil: start }),
  [validationStep.instrument, 'not_found', (found) => unlisted(trap(), found)],
  finding('bookState', 'locked_by_admin', {}, lock),
  finding('amount', 'qty_too_low', { amount: '0' }),
  finding('amount', 'invalid_amount', { amount: '9000000010' }),
  finding('amount', 'invalid_max_show_amount', { amount: '3000', display: '990' }),
  finding('price', 'price_wrong_tick', { price: '0' }),
  finding('price', 'other_reject no_opposite_price', { type: 'market_limit' }, (m) => {
    m.cancelAll('alice')
    m.cancelAll('bob')
  }),
  finding('triggerPrice', 'trigger_price_wrong_tick', {
    ...waiting,
    trigger: { source: 'mark_price', price: '0' },
  }),
  finding('triggerPrice', 'trigger_price_too_low', {
    ...waiting,
    trigger: { source: 'mark_price', price: '50000' },
  }),
  finding('triggerPrice', 'trigger_price_too_high', {
    type: 'take_limit',
    trigger: { source: 'mark_price', price: '50000' },
  }),
  finding('triggerPrice', 'invalid_trigger_price', { ...waiting, trigger: { price: '51000' } }),
  finding('postOnly', 'post_only_reject', { price: '50000', postOnly: 'reject' }),
  finding('priceBand', 'price_too_high', { price: '50750.5' }),
  finding('priceBand', 'retry', { instrument: 'BTC_USDC', amount: '0.001' }),
  finding('reduceOnly', 'other_reject reduce_direction', { reduceOnly: true }),
  finding('openOrderLimits', 'pme_max_future_open_orders', {}, (m) => {
    m.buy('alice', { amount: '10', price: '49000' })
  }),
  finding('openOrderLimits', 'no_more_triggers', { ...waiting, trigger: above }, (m) => {
    m.buy('alice', { amount: '10', price: '49000', ...waiting, trigger: above })
  }),
  finding('openOrderLimits', 'no_more_oto_orders', {
    linked: {
      type: 'one_triggers_other',
      secondaries: [secondary, secondary],
    },
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
      trigger: null,
      advanced: null,
      display: lots(0),
      linked: null,
      validUntil: null,
      extras: null,
    },
    'alice',
    found,
  )
}

describe('rule order.validation: the earliest failing step decides (C07)', () => {
  test.each(findings)('the engine’s check at step %i alone: %s', (_step, reason, request) => {
    expect(request().refusal?.reason).toBe(reason)
  })

  test.each(findings)('the engine’s check at step %i (%s) with a fault of every other step', (at, reason, request) => {
    for (const [, step] of steps) {
      const expected = at < step ? reason : 'invalid_params'
      expect([step, request(fault(step)).refusal?.reason]).toEqual([step, expected])
    }
  })

  test.each(steps)('a fault at %s refuses an otherwise valid order', (_name, step) => {
    const m = trap()
    const order = m.buy('alice', { amount: '10', price: '49000', fault: fault(step) })
    expect(order.refusal).toEqual(fault(step).refusal)
    expect(m.openOrders('alice')).toHaveLength(1)
  })

  test('all errors at once: each correction shows the next step', () => {
    const m = trap()
    m.buy('alice', { amount: '10', price: '49000' })
    lock(m)
    let words: OrderWords = {
      ...{ amount: '0', price: '0', postOnly: 'reject', validUntil: m.exchange.now },
      ...{ reduceOnly: true, display: '100' },
    }
    const found: (RejectReason | undefined)[] = []
    const repair = (change: Partial<OrderWords> = {}): void => {
      words = { ...words, ...change }
      found.push(m.buy('alice', words).refusal?.reason)
    }
    repair()
    const { validUntil: _late, ...timely } = words
    words = timely
    repair()
    m.bookState('open')
    repair()
    repair({ amount: '9000000010' })
    repair({ amount: '1000000' })
    repair({ display: '0' })
    repair({ price: '60000' })
    repair({ postOnly: 'off' })
    repair({ price: '50010' })
    repair({ reduceOnly: false })
    m.cancelAll('alice')
    m.sell('alice', { amount: '10', price: '50010' })
    repair()
    m.deposit('alice', 'BTC', '100')
    repair()
    repair({ price: '49000' })
    expect(found).toEqual([
      'timed_out',
      'locked_by_admin',
      'qty_too_low',
      'invalid_amount',
      'invalid_max_show_amount',
      'price_wrong_tick',
      'post_only_reject',
      'price_too_high',
      'other_reject reduce_direction',
      'pme_max_future_open_orders',
      'not_enough_funds',
      'order_overlap',
      undefined,
    ])
  })

  test('an order that waits for a price: amount, price, trigger price, triggers, and no further checks', () => {
    const m = trap()
    m.buy('alice', { amount: '10', price: '51000', ...waiting, trigger: above })
    const found: (RejectReason | undefined)[] = []
    let words: OrderWords = {
      ...{ ...waiting, amount: '0', price: '0', display: '100', reduceOnly: true },
      trigger: { ...above, price: '0' },
    }
    const repair = (change: Partial<OrderWords> = {}): void => {
      words = { ...words, ...change }
      found.push(m.buy('alice', words).refusal?.reason)
    }
    repair()
    repair({ amount: '1000000' })
    repair({ display: '0' })
    repair({ price: '60000' })
    repair({ trigger: { ...above, price: '50000' } })
    repair({ trigger: above })
    m.cancelAll('alice', { types: ['stop_limit'] })
    // Neither post-only, the band, reduce-only, funds nor own orders are checked now.
    repair({ postOnly: 'reject' })
    expect(found).toEqual([
      'qty_too_low',
      'invalid_max_show_amount',
      'price_wrong_tick',
      'trigger_price_wrong_tick',
      'trigger_price_too_low',
      'no_more_triggers',
      undefined,
    ])
  })

  test('a limit order without a price: 10023; off the grid at its price: 10043', () => {
    const m = trap()
    expect(m.buy('alice', { amount: '10' }).refusal?.reason).toBe('invalid_price')
    const buy = (price: string): Outcome => m.buy('bob', { instrument: stepped, amount: '1', price })
    m.mark('0.0225', stepped)
    expect(buy('0.0226').refusal?.reason).toBe('price_wrong_tick')
    expect(buy('0.0225').refusal).toBeNull()
  })

  test('edits: order, state, amount, price, band, reduce-only, margin, self-match in this order', () => {
    const m = trap()
    const order = idOf(m.buy('alice', { amount: '10', price: '49000' }))
    const refused = (words: Parameters<Market['edit']>[2]): RejectReason | undefined =>
      m.edit('alice', order, words).refusal?.reason
    lock(m)
    expect(refused({ amount: '0', validUntil: m.exchange.now })).toBe('timed_out')
    expect(refused({ amount: '0' })).toBe('locked_by_admin')
    m.bookState('open')
    expect(refused({ amount: '0', price: '0' })).toBe('invalid_amount')
    expect(refused({ amount: '9000000010', price: '0' })).toBe('invalid_amount')
    const all = { amount: '1000000', reduceOnly: true }
    expect(refused({ ...all, price: '0', display: '990' })).toBe('invalid_max_show_amount')
    expect(refused({ ...all, price: '0', postOnly: 'reject' })).toBe('price_wrong_tick')
    expect(refused({ ...all, price: '60000' })).toBe('price_too_high')
    expect(refused({ ...all, price: '50010' })).toBe('other_reject reduce_direction')
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
