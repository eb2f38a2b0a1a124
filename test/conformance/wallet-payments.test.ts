/**
 * Rule: wallet.payments, wallet.deposits, wallet.withdrawals. Deposits and withdrawals, from their request to their
 * end.
 *
 * Source: sessions-blocks-gateways.md 6.4.
 */
import { describe, expect, test } from 'vitest'
import { findAccount } from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import type { Json } from '../support/desk-market.ts'
import { bitcoin, WalletMarket } from '../support/wallet-market.ts'

const create = 'private/create_deposit_address'
const current = 'private/get_current_deposit_address'
const btc = { currency: 'BTC' }

describe('rule wallet.deposits', () => {
  test('an account has the addresses that it made: for Bitcoin one a day, for others one in all', () => {
    const m = new WalletMarket()
    expect(m.refusal('alice', current, btc)).toBe('11097 no_deposit_address')
    const first = m.result('alice', create, btc)
    expect(first).toMatchObject({ currency: 'BTC', type: 'deposit' })
    expect(first.address).toMatch(/^bc1q[02-9ac-hj-np-z]{38}$/)
    expect(m.result('alice', current, btc)).toEqual(first)
    const soon = '11095 disabled_deposit_address_creation'
    expect(m.refusal('alice', create, btc)).toBe(soon)
    m.venue.wait('1d')
    const second = m.result('alice', create, btc)
    expect(second.address).not.toBe(first.address)
    expect(m.result('alice', current, btc)).toEqual(second)
    // Another currency of the same chain has the same address.
    const usdc = m.result('alice', create, { currency: 'USDC' })
    expect(usdc.address).toMatch(/^0x[0-9a-f]{40}$/)
    expect(m.result('alice', create, { currency: 'ETH' }).address).toBe(usdc.address)
    expect(m.result('alice', create, { currency: 'BNB' }).address).not.toBe(usdc.address)
    m.venue.wait('1d')
    expect(m.refusal('alice', create, { currency: 'USDC' })).toBe(soon)
    for (const currency of ['SOL', 'XRP']) {
      const { address } = m.result('alice', create, { currency })
      // The address has the format of its currency.
      const source = { currency, address, type: 'deposit_source' }
      expect(m.add('bob', source)).toMatchObject({ address, status: 'ready' })
    }
  })

  test('a deposit is pending until it is completed, and then its money is available', () => {
    const m = new WalletMarket()
    const received = { account: 'alice', ...btc, amount: 0.5, source_address: bitcoin }
    expect(m.refusal(null, 'sim/receive_deposit', received)).toBe('11097 no_deposit_address')
    const { address } = m.result('alice', create, btc)
    const before = m.all()
    const deposit = m.result(null, 'sim/receive_deposit', { ...received, transaction_id: 'abc' })
    expect(deposit).toEqual({
      id: 1,
      currency: 'BTC',
      address,
      source_address: bitcoin,
      amount: 0.5,
      state: 'pending',
      transaction_id: 'abc',
      received_timestamp: 1_767_603_600_005,
      updated_timestamp: 1_767_603_600_005,
      note: '',
      clearance_state: 'in_progress',
      refund_transaction_id: null,
    })
    expect(m.balance('alice')).toBe(10)
    const done = m.move('deposit', 1, 'completed')
    expect(done).toMatchObject({ state: 'completed', clearance_state: 'success' })
    expect(done.updated_timestamp).toBeGreaterThan(done.received_timestamp)
    expect(m.balance('alice')).toBe(10.5)
    expect(m.all() - before).toBe(500_000_000n)
    expect(m.refusal(null, 'sim/move_deposit', { id: 1, state: 'rejected' })).toBe('10010 already_closed')
    expect(m.refusal(null, 'sim/move_deposit', { id: 2, state: 'rejected' })).toBe('13020 not_found')
    m.result(null, 'sim/receive_deposit', received)
    m.move('deposit', 2, 'rejected')
    m.result(null, 'sim/receive_deposit', received)
    m.move('deposit', 3, 'replaced')
    const page = m.listed('alice', 'get_deposits')
    expect(page.count).toBe(3)
    expect(page.data.map(({ state }: Json) => state)).toEqual(['replaced', 'rejected', 'completed'])
    expect(m.result('alice', 'private/get_deposits', { ...btc, count: 1, offset: 1 })).toMatchObject({
      data: [{ state: 'rejected' }],
      count: 3,
    })
    expect(m.balance('alice')).toBe(10.5)
    expect(m.listed('bob', 'get_deposits')).toEqual({ data: [], count: 0 })
    const log = m.result('alice', 'private/get_transaction_log', {
      ...btc,
      start_timestamp: 0,
      end_timestamp: 1_767_700_000_000,
    })
    expect(log.logs[0]).toMatchObject({ type: 'deposit', change: 0.5, balance: 10.5 })
  })

  test('deposits complete after the time that the run sets', () => {
    const m = new WalletMarket({ depositTime: 60_000_000 })
    m.result('alice', create, btc)
    m.result(null, 'sim/receive_deposit', { account: 'alice', ...btc, amount: 1 })
    m.venue.wait('59s')
    expect(m.balance('alice')).toBe(10)
    m.venue.wait('1s')
    expect(m.balance('alice')).toBe(11)
  })
})

describe('rule wallet.withdrawals', () => {
  test('a withdrawal is unconfirmed, confirmed and completed; its money leaves when it is confirmed', () => {
    const m = new WalletMarket({ fees: { BTC: 100_000n } })
    m.ready('alice')
    const before = m.all()
    const asked = m.withdraw('alice', { nonce: 'nonce-one' })
    expect(asked).toEqual({
      id: 1,
      currency: 'BTC',
      address: bitcoin,
      amount: 1,
      fee: 0.0001,
      priority: 'high',
      state: 'unconfirmed',
      transaction_id: null,
      created_timestamp: 1_767_603_600_005,
      confirmed_timestamp: null,
      updated_timestamp: 1_767_603_600_005,
      nonce: 'nonce-one',
    })
    expect(m.balance('alice')).toBe(10)
    const confirmed = m.move('withdrawal', 1, 'confirmed')
    expect(confirmed).toMatchObject({ state: 'confirmed', transaction_id: null })
    expect(confirmed.confirmed_timestamp).toBe(confirmed.updated_timestamp)
    expect(m.balance('alice')).toBe(8.9999)
    // The money is still in the venue.
    expect(m.all()).toBe(before)
    const completed = m.move('withdrawal', 1, 'completed')
    expect(completed.transaction_id).toMatch(/^[0-9a-f]{64}$/)
    expect(m.balance('alice')).toBe(8.9999)
    expect(before - m.all()).toBe(1_000_000_000n)
    expect(m.listed('alice', 'get_withdrawals')).toEqual({ data: [completed], count: 1 })
    expect(m.refusal(null, 'sim/move_withdrawal', { id: 1, state: 'rejected' })).toBe('10010 already_closed')
    const log = m.result('alice', 'private/get_transaction_log', {
      ...btc,
      start_timestamp: 0,
      end_timestamp: 1_767_700_000_000,
    })
    expect(log.logs[0]).toMatchObject({ type: 'withdrawal', change: -1.0001, balance: 8.9999 })
    expect(m.result(null, 'public/get_currencies')[0]).toMatchObject({ withdrawal_fee: 0.0001 })
  })

  test('a withdrawal to an entry without confirmation starts as confirmed', () => {
    const m = new WalletMarket({ needsConfirmation: false, addressWait: 0 })
    expect(m.add('alice')).toMatchObject({ status: 'ready', requires_confirmation: false })
    expect(m.withdraw('alice', { priority: 'very_low' })).toMatchObject({
      state: 'confirmed',
      priority: 'very_low',
    })
    expect(m.balance('alice')).toBe(9)
    const named = { account: 'alice', ...btc, address: bitcoin }
    m.result(null, 'sim/set_address', { ...named, requires_confirmation: true })
    expect(m.withdraw('alice').state).toBe('unconfirmed')
    m.result(null, 'sim/set_address', { ...named, status: 'confirmed' })
    expect(m.withdraw('alice').state).toBe('unconfirmed')
  })

  test('funds are checked at the request and at the confirmation', () => {
    const m = new WalletMarket({ fees: { BTC: 1n } })
    m.ready('alice')
    const refused = { ...btc, address: bitcoin, amount: 10 }
    expect(m.refusal('alice', 'private/withdraw', refused)).toBe('10009 not_enough_funds')
    const [one, two] = [m.withdraw('alice', { amount: 6 }), m.withdraw('alice', { amount: 6 })]
    expect(m.move('withdrawal', one.id, 'confirmed').state).toBe('confirmed')
    expect(m.move('withdrawal', two.id, 'confirmed').state).toBe('rejected')
    // The fee took one unit of 1e-9, which the digits of a balance do not show.
    expect(m.balance('alice')).toBe(4)
    expect(m.refusal(null, 'sim/move_withdrawal', { id: two.id, state: 'completed' })).toBe('10010 already_closed')
  })

  test('a withdrawal is cancelled before or after its confirmation, and the money returns with the fee', () => {
    const m = new WalletMarket({ fees: { BTC: 100_000n } })
    m.ready('alice')
    const cancel = 'private/cancel_withdrawal'
    m.withdraw('alice')
    expect(m.result('alice', cancel, { ...btc, id: 1 }).state).toBe('cancelled')
    m.withdraw('alice')
    m.move('withdrawal', 2, 'confirmed')
    expect(m.refusal('bob', cancel, { ...btc, id: 2 })).toBe('13020 not_found')
    expect(m.refusal('alice', cancel, { currency: 'USDC', id: 2 })).toBe('13020 not_found')
    expect(m.result('alice', cancel, { ...btc, id: 2 }).state).toBe('cancelled')
    expect(m.balance('alice')).toBe(10)
    expect(m.refusal('alice', cancel, { ...btc, id: 2 })).toBe('10010 already_closed')
    expect(m.refusal('alice', cancel, { ...btc, id: 9 })).toBe('13020 not_found')
  })

  test('a withdrawal is interrupted and continues, or is rejected', () => {
    const m = new WalletMarket()
    m.ready('alice')
    m.withdraw('alice')
    const bad = { id: 1, state: 'completed' }
    expect(m.refusal(null, 'sim/move_withdrawal', bad)).toBe('-32602 Invalid params state does_not_follow_unconfirmed')
    m.move('withdrawal', 1, 'confirmed')
    expect(m.move('withdrawal', 1, 'interrupted').state).toBe('interrupted')
    expect(m.balance('alice')).toBe(9)
    expect(m.move('withdrawal', 1, 'confirmed').state).toBe('confirmed')
    expect(m.balance('alice')).toBe(9)
    m.move('withdrawal', 1, 'interrupted')
    expect(m.move('withdrawal', 1, 'rejected').state).toBe('rejected')
    expect(m.balance('alice')).toBe(10)
  })

  test('if the run sets times, unconfirmed withdrawals are cancelled and confirmed ones completed', () => {
    const m = new WalletMarket({ confirmationTime: 60_000_000, completionTime: 30_000_000 })
    m.ready('alice')
    m.withdraw('alice')
    m.withdraw('alice')
    m.move('withdrawal', 2, 'confirmed')
    m.venue.wait('2m')
    const states = m.listed('alice', 'get_withdrawals').data.map(({ state }: Json) => state)
    expect(states).toEqual(['completed', 'cancelled'])
    expect(m.balance('alice')).toBe(9)
  })

  test('a known nonce returns its withdrawal, whatever the other parameters', () => {
    const m = new WalletMarket()
    m.ready('alice')
    const first = m.withdraw('alice', { nonce: 'nonce-one' })
    const again = m.withdraw('alice', { nonce: 'nonce-one', amount: 7, address: 'nowhere' })
    expect(again).toEqual(first)
    expect(m.listed('alice', 'get_withdrawals').count).toBe(1)
    expect(
      m.refusal('alice', 'private/withdraw', {
        ...btc,
        address: bitcoin,
        amount: 1,
        nonce: 'short',
      }),
    ).toMatch(/^-32602 Invalid params nonce/)
  })

  test('it requires a ready address of the book, and a main account', () => {
    const m = new WalletMarket()
    const asked = { ...btc, address: bitcoin, amount: 1 }
    const withdraw = 'private/withdraw'
    expect(m.refusal('alice', withdraw, asked)).toBe('11090 invalid_addr')
    m.add('alice')
    expect(m.refusal('alice', withdraw, asked)).toBe('11090 invalid_addr')
    m.result(null, 'sim/set_address', {
      account: 'alice',
      ...btc,
      address: bitcoin,
      status: 'ready',
    })
    expect(m.refusal('alice', withdraw, { ...asked, amount: 0 })).toBe('-32602 Invalid params amount not_above_zero')
    expect(m.refusal('alice', withdraw, { ...asked, amount: -1 })).toBe('-32602 Invalid params amount not_above_zero')
    expect(m.refusal('alice', withdraw, { ...asked, amount: { decimal: '0.0000000001' } })).toBe(
      '-32602 Invalid params amount too_many_decimals',
    )
    expect(m.refusal('alice', withdraw, { ...asked, priority: 'soon' })).toMatch(/^-32602 .* priority/)
    expect(m.refusal('alice', withdraw, { ...asked, currency: 'ALL' })).toMatch(/^-32602 .* currency/)
    expect(m.refusal('alice_1', withdraw, asked)).toBe('13012 unavailable_in_subaccount')
    m.result(null, 'sim/set_address', {
      ...{ account: 'alice', ...btc, address: bitcoin },
      status: 'admin_locked',
    })
    expect(m.refusal('alice', withdraw, asked)).toBe('11090 invalid_addr')
    // If a third-party wallet has several entries, the request must identify one.
    m.ready('third', { network: 'bitcoin' })
    m.ready('third', { network: 'lightning' })
    expect(m.refusal('third', withdraw, asked)).toBe('11029 invalid_arguments address names_several_entries')
    expect(m.withdraw('third', { network: 'lightning' }).state).toBe('unconfirmed')
  })
})

test('rule wallet.payments: each movement has two sides, and an event reports each change with its reason', () => {
  const reported: string[] = []
  const emit = (event: Event): void => {
    if (event.kind === 'cash') reported.push(`cash ${event.account} ${event.change}`)
    if (event.kind !== 'payment') return
    const { state, reason, counterparty, change, balance } = event
    reported.push(`${state} ${reason} ${counterparty} ${change} ${balance}`)
  }
  const m = new WalletMarket({ fees: { BTC: 2n }, completionTime: 1_000_000 }, { emit })
  const [alice, house] = ['alice', 'house.fees'].map((name) => idOf(m, name))
  m.ready('alice')
  reported.length = 0
  m.withdraw('alice')
  m.move('withdrawal', 1, 'confirmed')
  const transit = idOf(m, 'house.withdrawals')
  m.venue.wait('1s')
  expect(reported).toEqual([
    'unconfirmed user_request -1 0 10000000000',
    `cash ${alice} -1000000002`,
    `cash ${transit} 1000000002`,
    `confirmed control ${transit} -1000000002 8999999998`,
    `cash ${transit} -1000000000`,
    `cash ${transit} -2`,
    `cash ${house} 2`,
    `completed time_over ${transit} 0 8999999998`,
  ])
  m.withdraw('alice', { amount: 5 })
  m.withdraw('alice', { amount: 5 })
  m.move('withdrawal', 2, 'confirmed')
  reported.length = 0
  m.move('withdrawal', 3, 'confirmed')
  expect(reported).toEqual(['rejected not_enough_funds -1 0 3999999996'])
  m.result('alice', 'private/cancel_withdrawal', { currency: 'BTC', id: 2 })
  expect(reported.slice(1)).toEqual([
    `cash ${transit} -5000000002`,
    `cash ${alice} 5000000002`,
    `cancelled user_request ${transit} 5000000002 8999999998`,
  ])
})

function idOf(m: WalletMarket, name: string): number {
  return findAccount(m.venue.exchange, name)?.id ?? -1
}

describe('D5 the timer of an earlier state does nothing', () => {
  const times = { addressWait: 0, confirmationTime: 200_000_000, completionTime: 100_000_000 }

  /** A withdrawal of alice that waits for its completion. */
  function confirmed(): WalletMarket {
    const m = new WalletMarket(times)
    m.ready('alice')
    expect(m.withdraw('alice').state).toBe('unconfirmed')
    m.move('withdrawal', 1, 'confirmed')
    return m
  }

  const stateOf = (m: WalletMarket): string => m.listed('alice', 'get_withdrawals').data[0].state

  test('a withdrawal that was interrupted and confirmed again waits its full time', () => {
    const m = confirmed()
    m.venue.wait('60s')
    m.move('withdrawal', 1, 'interrupted')
    m.venue.wait('60s')
    expect(stateOf(m)).toBe('interrupted')
    m.move('withdrawal', 1, 'confirmed')
    m.venue.wait('60s')
    expect(stateOf(m)).toBe('confirmed')
    m.venue.wait('40s')
    expect(stateOf(m)).toBe('completed')
  })

  test('also if it returns to its state within one instant', () => {
    const m = new WalletMarket(times)
    m.ready('alice')
    expect(m.withdraw('alice').state).toBe('unconfirmed')
    m.venue.wait('150s')
    for (const state of ['confirmed', 'interrupted', 'confirmed', 'interrupted'] as const) {
      expect(m.venue.request('sim/move_withdrawal', { id: 1, state })).toMatchObject({ ok: true })
    }
    m.venue.wait('500s')
    expect(stateOf(m)).toBe('interrupted')
  })
})
