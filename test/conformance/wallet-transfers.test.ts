/**
 * Rule: wallet.transfers. Transfers to other users, from their request to their end.
 *
 * Source: sessions-blocks-gateways.md 6.3.
 */
import { describe, expect, test } from 'vitest'
import { findAccount } from '../../src/engine/index.ts'
import { bitcoin, WalletMarket } from '../support/wallet-market.ts'

const btc = { currency: 'BTC' }

describe('rule wallet.transfers', () => {
  const submit = 'private/submit_transfer_to_user'

  test('a transfer to a user arrives at once, and both see it', () => {
    const m = new WalletMarket()
    const destination = m.befriend()
    const before = m.all()
    const sent = m.result('alice', submit, { ...btc, amount: 2, destination })
    expect(sent).toEqual({
      id: 1,
      created_timestamp: 1_767_603_600_005,
      updated_timestamp: 1_767_603_600_005,
      type: 'user',
      currency: 'BTC',
      amount: 2,
      other_side: 'bob',
      state: 'confirmed',
      direction: 'payment',
    })
    expect([m.balance('alice'), m.balance('bob')]).toEqual([8, 12])
    expect(m.all()).toBe(before)
    expect(m.listed('bob', 'get_transfers')).toEqual({
      data: [{ ...sent, other_side: 'alice', direction: 'income' }],
      count: 1,
    })
    // Transfers between accounts of one owner come between them in the list.
    const inside = m.result('alice', 'private/submit_transfer_to_subaccount', {
      ...{ ...btc, amount: 1 },
      destination: idOf(m, 'alice_1'),
    })
    const third = m.result('alice', submit, { ...btc, amount: 1, destination })
    expect(m.listed('alice', 'get_transfers')).toEqual({ data: [third, inside, sent], count: 3 })
    expect(third.id).toBe(3)
  })

  test('held transfers are prepared until a control or their sender ends them', () => {
    const m = new WalletMarket()
    const destination = m.befriend()
    m.result(null, 'sim/hold_transfers', { held: true })
    const asked = { ...btc, amount: 2, destination }
    for (let count = 0; count < 5; count += 1) {
      expect(m.result('alice', submit, asked).state).toBe('prepared')
    }
    expect(m.listed('bob', 'get_transfers').count).toBe(0)
    const cancel = 'private/cancel_transfer_by_id'
    expect(m.result('alice', cancel, { ...btc, id: 1 }).state).toBe('cancelled')
    expect(m.refusal('alice', cancel, { ...btc, id: 1 })).toBe('12100 transfer_not_allowed')
    expect(m.refusal('alice', cancel, { ...btc, id: 9 })).toBe('11053 transfer_not_found')
    expect(m.refusal('bob', cancel, { ...btc, id: 2 })).toBe('11053 transfer_not_found')
    expect(m.move('transfer', 2, 'confirmed')).toMatchObject({ state: 'confirmed' })
    expect([m.balance('alice'), m.balance('bob')]).toEqual([8, 12])
    expect(m.refusal('alice', cancel, { ...btc, id: 2 })).toBe('12100 transfer_not_allowed')
    m.move('transfer', 3, 'waiting_for_admin')
    expect(m.refusal('alice', cancel, { ...btc, id: 3 })).toBe('12100 transfer_not_allowed')
    expect(m.move('transfer', 3, 'withdrawal_limit').state).toBe('withdrawal_limit')
    expect(m.move('transfer', 4, 'rejected').state).toBe('rejected')
    // The money is no longer available.
    m.result(null, 'sim/deposit', { account: 'alice', ...btc, amount: -7 })
    expect(m.move('transfer', 5, 'confirmed').state).toBe('insufficient_funds')
    expect(m.refusal(null, 'sim/move_transfer', { id: 5, state: 'confirmed' })).toBe('10010 already_closed')
    expect(m.refusal(null, 'sim/move_transfer', { id: 6, state: 'confirmed' })).toBe('11053 transfer_not_found')
    m.result(null, 'sim/hold_transfers', { held: false })
    expect(m.result('alice', submit, { ...asked, amount: 1 }).state).toBe('confirmed')
  })

  test('it requires an address of the book and sufficient funds', () => {
    const m = new WalletMarket()
    const destination = m.befriend()
    const asked = { ...btc, amount: 1, destination }
    expect(m.refusal('alice', submit, { ...asked, destination: bitcoin })).toBe('11091 invalid_transfer_address')
    expect(m.refusal('bob', submit, asked)).toBe('11091 invalid_transfer_address')
    expect(m.refusal('alice', submit, { ...asked, currency: 'ETH' })).toBe('11091 invalid_transfer_address')
    expect(m.refusal('alice', submit, { ...asked, amount: 11 })).toBe('10009 not_enough_funds')
    expect(m.refusal('alice', submit, { ...asked, amount: 0 })).toBe('-32602 Invalid params amount not_above_zero')
    expect(m.refusal('alice_1', submit, asked)).toBe('13012 unavailable_in_subaccount')
    const named = m.result('alice', submit, { ...asked, nonce: 'nonce-one' })
    expect(m.result('alice', submit, { ...asked, amount: 5, nonce: 'nonce-one' })).toEqual(named)
    expect(m.balance('bob')).toBe(11)
  })
})

function idOf(m: WalletMarket, name: string): number {
  return findAccount(m.venue.exchange, name)?.id ?? -1
}
