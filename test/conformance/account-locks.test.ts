/**
 * Staff lock accounts and trim their orders.
 * Source: coverage R52; trading.md 4.1, 5.1.
 */
import { describe, expect, test } from 'vitest'
import type { Event, EventOf } from '../../src/model/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const perpetual = 'BTC-PERPETUAL'
const bid = { instrument_name: perpetual, amount: 100, price: 49_000 }

interface WatchedRun {
  readonly m: DeskMarket
  readonly standing: () => readonly EventOf<'standing'>[]
  readonly reasons: () => readonly (string | null)[]
}

function watched(options: Parameters<typeof deskMarket>[0] = {}): WatchedRun {
  const events: Event[] = []
  const m = deskMarket({ ...options, sink: { emit: (event) => void events.push(event) } })
  return {
    m,
    standing: () => events.filter((event) => event.kind === 'standing'),
    reasons: () =>
      events.flatMap((event) =>
        event.kind === 'order' && event.change === 'cancelled' && 'reason' in event ? [event.reason] : [],
      ),
  }
}

/** Pam has portfolio margin and the given deposit in BTC. At an index of 50,000 her orders need margin. */
function portfolio(deposit: number): WatchedRun {
  const market = watched()
  const { m } = market
  m.result(null, 'sim/create_account', { name: 'pam', margin_model: 'segregated_pm' })
  m.result(null, 'sim/deposit', { account: 'pam', currency: 'BTC', amount: deposit })
  return market
}

/** Withdraws nearly all free funds of Pam and lets the index fall. */
function squeeze(m: DeskMarket, price: number): void {
  const { available_funds: free } = m.result('pam', 'private/get_account_summary', {
    currency: 'BTC',
  })
  const amount = -Number((free - 0.0005).toFixed(8))
  m.result(null, 'sim/deposit', { account: 'pam', currency: 'BTC', amount })
  m.result(null, 'sim/set_index', { index_name: 'btc_usd', price })
}

describe('account.lock', () => {
  test('R52 S089 a lock of positions cancels all orders and allows only orders that reduce a position', () => {
    const { m, standing, reasons } = watched({
      instruments: [perpetual, 'BTC_USDC'],
      index: { btc_usd: 50_000, btc_usdc: 50_000 },
      accounts: { alice: { BTC: 10, USDC: 100_000 }, bob: { BTC: 10 } },
    })
    m.result(null, 'sim/give_position', {
      ...{ account: 'alice', instrument_name: perpetual, amount: 1_000, price: 50_000 },
    })
    const first = m.result('alice', 'private/buy', bid).order
    const spot = { instrument_name: 'BTC_USDC', amount: 0.01, price: 49_500 }
    m.result('alice', 'private/buy', spot)
    const stop = { ...bid, type: 'stop_limit', trigger: 'index_price', trigger_price: 51_000 }
    m.result('alice', 'private/buy', stop)
    m.result('bob', 'private/buy', bid)
    m.result(null, 'sim/lock_positions', { account: 'alice' })
    expect(reasons()).toEqual(['position_locked', 'position_locked', 'position_locked'])
    expect(standing()).toMatchObject([{ protection: 'position_lock', change: 'on', until: null, cancelled: 3 }])
    const state = m.result('alice', 'private/get_order_state', { order_id: first.order_id })
    expect(state).toMatchObject({ order_state: 'cancelled', cancel_reason: 'position_locked' })

    expect(m.refusal('alice', 'private/buy', bid)).toBe('11098 account_locked')
    expect(m.refusal('alice', 'private/buy', spot)).toBe('10072 disabled_while_position_lock')
    const reducing = { ...bid, price: 51_000, reduce_only: true }
    const { order } = m.result('alice', 'private/sell', reducing)
    const edit = { order_id: order.order_id, amount: 50 }
    expect(m.result('alice', 'private/edit', edit).order.amount).toBe(50)
    expect(m.refusal('alice', 'private/edit', { ...edit, reduce_only: false })).toBe('11098 account_locked')
    expect(m.result('alice', 'private/cancel', edit).order_state).toBe('cancelled')
    expect(m.ask('bob', 'private/buy', bid).ok).toBe(true)

    // A second lock changes nothing. After the lock ends, the account can place all orders again.
    m.result(null, 'sim/lock_positions', { account: 'alice' })
    m.result(null, 'sim/lock_positions', { account: 'alice', locked: false })
    expect(standing().map(({ change }) => change)).toEqual(['on', 'off'])
    expect(m.ask('alice', 'private/buy', bid).ok).toBe(true)
  })

  test('R52 private/get_user_locks shows the lock', () => {
    const { m } = watched()
    const locks = (): Json => m.result('alice', 'private/get_user_locks')[0]
    expect(locks()).toEqual({ currency: 'BTC', locked: false, enabled: false })
    m.result(null, 'sim/lock_positions', { account: 'alice' })
    expect(locks()).toMatchObject({ locked: true, enabled: true, message: 'position lock' })
    m.result(null, 'sim/lock_positions', { account: 'alice', locked: false })
    expect(locks()).toEqual({ currency: 'BTC', locked: false, enabled: false })
  })

  test('R52 S088 a lock of portfolio margin cancels all orders and refuses new orders and edits', () => {
    const { m, standing, reasons } = portfolio(1)
    m.result('pam', 'private/buy', bid)
    m.result(null, 'sim/lock_portfolio_margin', { account: 'pam' })
    expect(reasons()).toEqual(['pme_account_locked'])
    expect(standing()).toMatchObject([{ protection: 'portfolio_margin_lock', cancelled: 1 }])
    expect(m.refusal('pam', 'private/buy', bid)).toBe('10019 locked_by_admin')
    expect(
      m.refusal('pam', 'private/close_position', {
        ...{ instrument_name: perpetual, type: 'market' },
      }),
    ).toBe('10019 locked_by_admin')
    expect(m.result('pam', 'private/cancel_all')).toBe(0)
    m.result(null, 'sim/lock_portfolio_margin', { account: 'pam', locked: false })
    expect(m.ask('pam', 'private/buy', bid).ok).toBe(true)
  })

  test('R52 only accounts of traders with portfolio margin can be locked this way and trimmed', () => {
    const { m } = watched()
    const refusal = (method: string, account: string): string => m.refusal(null, method, { account })
    expect(refusal('sim/lock_portfolio_margin', 'alice')).toContain('not_portfolio_margin')
    expect(refusal('sim/trim_orders', 'alice')).toContain('not_portfolio_margin')
    for (const method of ['sim/lock_positions', 'sim/lock_portfolio_margin', 'sim/trim_orders']) {
      expect(refusal(method, 'nobody')).toContain('account unknown_account')
      expect(refusal(method, 'insurance')).toContain('unknown_account')
    }
  })

  test('R52 a locked account cannot take part in a move that its lock forbids', () => {
    const { m } = watched({ accounts: { alice: { BTC: 10 } } })
    const id = (account: string): number =>
      m.result(account, 'private/get_account_summary', { currency: 'BTC', extended: true }).id
    const target = m.result('alice', 'private/create_subaccount')
    m.result(null, 'sim/give_position', {
      ...{ account: 'alice', instrument_name: perpetual, amount: 1_000, price: 50_000 },
    })
    const move = (): Json =>
      m.ask('alice', 'private/move_positions', {
        ...{ currency: 'BTC', source_uid: id('alice'), target_uid: target.id },
        trades: [{ instrument_name: perpetual, amount: 10 }],
      })
    m.result(null, 'sim/deposit', { account: target.username, currency: 'BTC', amount: 1 })
    expect(move().ok).toBe(true)
    m.result(null, 'sim/lock_positions', { account: 'alice' })
    expect(move().ok).toBe(true)
    m.result(null, 'sim/lock_positions', { account: target.username })
    expect(move().error.message).toBe('account_locked')
  })
})

describe('account.trim', () => {
  test('R52 S088 a trim cancels the newest orders that raise the margin until the margin fits', () => {
    const { m, standing, reasons } = portfolio(1)
    m.result(null, 'sim/give_position', {
      ...{ account: 'pam', instrument_name: perpetual, amount: 10_000, price: 50_000 },
    })
    const sizes = [50_000, 60_000, 70_000]
    const ids = sizes.map((amount) => m.result('pam', 'private/buy', { ...bid, amount }).order.order_id)
    const stop = { ...bid, type: 'stop_limit', trigger: 'index_price', trigger_price: 51_000 }
    m.result('pam', 'private/buy', stop)
    const margins = (): Json => m.result('pam', 'private/get_account_summary', { currency: 'BTC' })
    // An account whose margin fits keeps its orders.
    expect(m.result(null, 'sim/trim_orders', { account: 'pam' })).toBe(0)
    expect(standing()).toEqual([])
    squeeze(m, 49_800)
    expect(margins().initial_margin).toBeGreaterThan(margins().margin_balance)
    expect(m.result(null, 'sim/trim_orders', { account: 'pam' })).toBe(1)
    expect(reasons()).toEqual(['pme_risk_reduction'])
    expect(standing()).toMatchObject([{ protection: 'order_trim', change: 'acted', cancelled: 1 }])
    const last = m.result('pam', 'private/get_order_state', { order_id: ids[2] })
    expect(last).toMatchObject({ order_state: 'cancelled', cancel_reason: 'pme_risk_reduction' })
    expect(margins().initial_margin).toBeLessThanOrEqual(margins().margin_balance)
  })

  test('R52 a trim keeps orders that lower the margin, and stops when no order raises it', () => {
    const { m, reasons } = portfolio(1)
    m.result(null, 'sim/give_position', {
      ...{ account: 'pam', instrument_name: perpetual, amount: 150_000, price: 50_000 },
    })
    const raising = m.result('pam', 'private/buy', { ...bid, amount: 1_000 }).order
    const lowering = { ...bid, amount: 1_000, price: 51_000 }
    const kept = m.result('pam', 'private/sell', lowering).order
    const margins = (): Json => m.result('pam', 'private/get_account_summary', { currency: 'BTC' })
    squeeze(m, 49_500)
    expect(m.result(null, 'sim/trim_orders', { account: 'pam' })).toBe(1)
    expect(reasons()).toEqual(['pme_risk_reduction'])
    const open = m.result('pam', 'private/get_open_orders')
    expect(open.map((order: Json) => order.order_id)).toEqual([kept.order_id])
    expect(open[0].order_id).not.toBe(raising.order_id)
    expect(margins().initial_margin).toBeGreaterThan(margins().margin_balance)
  })
})
