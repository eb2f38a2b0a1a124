/**
 * Random requests for every kind of order, by related accounts: nothing throws, the laws hold after each, and an order
 * is the same whichever query returns it.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowOfInstrument } from '../../../src/engine/state/orders.ts'
import { isOtocoPrimary } from '../../../src/rpc/history/index.ts'
import { orderOut, type RequestParams, secondariesNow } from '../../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../../support/desk-market.ts'
import { askedRuns } from '../../support/property-runs.ts'

const accounts = ['alice', 'bob', 'desk'] as const
const instruments = ['BTC-PERPETUAL', 'BTC_USDC-PERPETUAL', 'BTC_USDC'] as const

const price = fc.integer({ min: 98, max: 102 }).map((step) => step * 500)
const amount = fc.constantFrom(10, 100, 1000, 5000)

const terms = fc.record(
  {
    type: fc.constantFrom(
      ...['limit', 'limit', 'limit', 'market', 'market_limit', 'stop_limit', 'stop_market'],
      ...['take_limit', 'take_market', 'trailing_stop'],
    ),
    price,
    time_in_force: fc.constantFrom(...['good_til_cancelled', 'good_til_day', 'immediate_or_cancel', 'fill_or_kill']),
    label: fc.constantFrom('', 'a', 'b'),
    post_only: fc.boolean(),
    reduce_only: fc.constantFrom(false, false, true),
    trigger: fc.constantFrom('mark_price', 'index_price', 'last_price'),
    trigger_price: price,
    trigger_offset: fc.constantFrom(500, 1000),
  },
  { requiredKeys: ['type', 'price'] },
)

/** Terms that fit together, as far as the type decides. */
function fitting(params: Json): Json {
  const { trigger, trigger_price, trigger_offset, post_only, time_in_force, ...rest } = params
  const waits = /stop|take/.test(rest.type)
  const gtc = time_in_force === undefined || time_in_force === 'good_til_cancelled'
  return {
    ...rest,
    ...(waits
      ? {
          trigger: trigger ?? 'mark_price',
          trigger_price: trigger_price ?? 50_500,
          trigger_offset: trigger_offset ?? 500,
        }
      : {}),
    ...(rest.type.endsWith('limit') && rest.type !== 'market_limit' && gtc ? { post_only } : {}),
    time_in_force,
  }
}

const entry = fc
  .tuple(terms, amount, fc.constantFrom('buy', 'sell'))
  .map(([params, size, direction]) => ({ ...fitting(params), amount: size, direction }))

const placing = fc
  .record({
    side: fc.constantFrom('buy', 'sell'),
    instrument: fc.constantFrom(...instruments),
    terms: terms.map(fitting),
    amount,
    display_amount: fc.constantFrom(undefined, undefined, 1000),
    linked_order_type: fc.constantFrom(
      ...[undefined, undefined, 'one_triggers_other', 'one_cancels_other'],
      'one_triggers_one_cancels_other',
    ),
    condition: fc.constantFrom(undefined, 'first_hit', 'complete_fill', 'incremental'),
    entries: fc.array(entry, { minLength: 2, maxLength: 2 }),
  })
  .map((order) => {
    const { linked_order_type: type } = order
    const linked = {
      ...{ linked_order_type: type, trigger_fill_condition: order.condition },
      otoco_config: type === 'one_cancels_other' ? order.entries.slice(1) : order.entries,
    }
    return {
      method: `private/${order.side}`,
      params: sized(order.instrument, {
        ...{ ...order.terms, amount: order.amount, display_amount: order.display_amount },
        ...(type === undefined ? {} : linked),
      }),
    }
  })

/** Amounts in coin for instruments in coin. */
function sized(instrument_name: string, params: Json): Json {
  const unit = (value: number): number => (instrument_name === 'BTC-PERPETUAL' ? value : value / 1e4)
  const of = (each: Json): Json => ({ ...each, amount: unit(each.amount) })
  const { otoco_config, display_amount, reduce_only, ...rest } = params
  return {
    ...of(rest),
    ...(instrument_name === 'BTC_USDC' ? {} : { reduce_only }),
    ...(display_amount === undefined ? {} : { display_amount: unit(display_amount) }),
    ...(otoco_config === undefined ? {} : { otoco_config: otoco_config.map(of) }),
    instrument_name,
  }
}

/** Changes of the n-th order that the account has open. */
const changing = fc
  .record({
    pick: fc.nat(20),
    what: fc.constantFrom('edit', 'edit', 'cancel'),
    change: fc.record(
      {
        scale: fc.constantFrom(1, 2, 0.5),
        price,
        trigger_price: price,
        trigger_offset: fc.constantFrom(500, 1000),
        display_amount: fc.constantFrom(0, 1000),
        reduce_only: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  })
  .map((change) => ({ method: change.what, params: change as Json }))

const others = fc.oneof(
  price.map((to) => ({ method: 'sim/set_index', params: { index_name: 'btc_usd', price: to } })),
  price.map((to) => ({
    ...{ method: 'sim/set_mark', params: { instrument_name: 'BTC_USDC-PERPETUAL', price: to } },
  })),
  fc.constantFrom('all', 'limit', 'trigger_all').map((type) => ({
    method: 'private/cancel_all_by_currency',
    params: { currency: 'BTC', type, detailed: true },
  })),
  fc.constant({ method: 'private/cancel_by_label', params: { label: 'a' } }),
  fc.constant({
    method: 'private/close_position',
    params: { instrument_name: 'BTC-PERPETUAL', type: 'market' },
  }),
  fc.tuple(fc.constantFrom('reject_taker', 'cancel_maker'), fc.boolean()).map(([mode, wide]) => ({
    method: 'private/set_self_trading_config',
    params: { mode, extended_to_subaccounts: wide },
  })),
)

const request = fc.tuple(
  fc.constantFrom(...accounts),
  fc.oneof({ weight: 8, arbitrary: placing }, { weight: 4, arbitrary: changing }, others),
)

function market(): DeskMarket {
  const m = deskMarket({
    ...{ instruments: [...instruments], index: { btc_usd: 50_000, btc_usdc: 50_000 } },
    accounts: { alice: { BTC: 50, USDC: 500_000 }, bob: { BTC: 5, USDC: 50_000 } },
  })
  m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
  m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 5 })
  m.result(null, 'sim/deposit', { account: 'desk', currency: 'USDC', amount: 50_000 })
  for (const instrument_name of instruments) {
    // A last price, and a book on both sides.
    const order = sized(instrument_name, { amount: 1000, price: 50_000 })
    m.result('bob', 'private/sell', order)
    m.result('alice', 'private/buy', order)
    m.result('bob', 'private/sell', { ...order, price: 50_500 })
    m.result('bob', 'private/buy', { ...order, price: 49_500 })
  }
  return m
}

/** The request with its order, or undefined if no order is open. */
function resolved(m: DeskMarket, account: string, method: string, params: Json): Json {
  if (method !== 'edit' && method !== 'cancel') return { method, params }
  const open = m.result(account, 'private/get_open_orders')
  const order = open[params.pick % open.length]
  if (order === undefined) return undefined
  const { order_id } = order
  if (method === 'cancel') return { method: 'private/cancel', params: { order_id } }
  const { scale = 1, trigger_price, trigger_offset, display_amount, price, ...change } = params.change
  const isTrailing = order.order_type === 'trailing_stop'
  const moved = isTrailing ? { trigger_offset } : { trigger_price }
  const triggers = order.trigger === undefined ? {} : moved
  const hasLimit = order.price !== 'market_price'
  const coin = order.instrument_name !== 'BTC-PERPETUAL'
  const shown = display_amount === undefined || !hasLimit ? {} : { display_amount: display_amount / (coin ? 1e4 : 1) }
  const limited = hasLimit ? { price } : {}
  const whole = coin ? 1e4 : 0.1
  const amount = Math.round(order.amount * scale * whole) / whole
  return {
    method: 'private/edit',
    params: { ...change, ...triggers, ...limited, ...shown, order_id, amount },
  }
}

/** Fields that change without an event: the trigger price of a trailing stop. */
function still(order: Json): Json {
  const { trigger_price, instrument_id, product_group, ...rest } = order
  return order.order_type === 'trailing_stop' ? rest : { ...rest, trigger_price }
}

function checkOrders(m: DeskMarket): void {
  const { history } = m.venue.desk
  for (const account of accounts) {
    const open = m.result(account, 'private/get_open_orders')
    const ids = new Set(open.map((order: Json) => order.order_id))
    for (const order of open) {
      const { order_id, oto_order_ids } = order
      // A primary names only existing secondaries (D08).
      for (const id of oto_order_ids ?? []) expect(ids).toContain(id)
      const state = m.result(account, 'private/get_order_state', { order_id })
      expect(still(state)).toEqual(still(order))
    }
    const live = [...history.orders.values()].filter(
      ({ state, account: owner }) =>
        (state === 'open' || state === 'untriggered') && m.venue.exchange.accounts[owner]?.account.name === account,
    )
    const reported = new Map(
      live.map((event) => {
        const { instrument } = rowOfInstrument(m.venue.exchange, event.instrument)
        const otoco = isOtocoPrimary(history, event)
        const secondaries = secondariesNow(m.venue.exchange, event, otoco)
        const order = orderOut(event, instrument, secondaries)
        return [order.order_id, still(order)]
      }),
    )
    expect(reported).toEqual(new Map(open.map((order: Json) => [order.order_id, still(order)])))
  }
}

test('an order is the same in every query', () => {
  fc.assert(
    fc.property(fc.array(request, { minLength: 5, maxLength: 60 }), (requests) => {
      const m = market()
      for (const [account, { method, params }] of requests) {
        const of = resolved(m, account, method, params)
        if (of === undefined) continue
        const asker = of.method.startsWith('sim/') ? null : account
        const reply = m.ask(asker, of.method, of.params as RequestParams)
        if (reply.ok && reply.result.order !== undefined) {
          const { order, trades } = reply.result
          for (const trade of trades) expect(trade.order_id).toBe(order.order_id)
          const filled = trades.reduce((sum: number, trade: Json) => sum + trade.amount, 0)
          if (!order.replaced) expect(order.filled_amount).toBeCloseTo(filled, 6)
        }
        checkOrders(m)
      }
    }),
    { numRuns: askedRuns(400, 10, 150) },
  )
})
