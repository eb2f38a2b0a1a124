/**
 * Profiles of accounts: the fields of get_subaccounts and of the account summary that an owner chooses. Source:
 * coverage R56.
 */
import { describe, expect, test } from 'vitest'
import { restore, snapshot } from '../../src/engine/index.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'

const account = 'alice'
const chosen = {
  email: 'alice@example.org',
  login_enabled: true,
  is_password: true,
  receive_notifications: true,
  security_keys_enabled: true,
  security_keys_assignments: ['login', 'withdrawal'],
}

const listed = (m: ReturnType<typeof deskMarket>, who = account): Json =>
  m.result(who, 'private/get_subaccounts', { with_portfolio: true })[0]

describe('R56 profiles', () => {
  test('fields that are not set are false, empty or the name; portfolios are those of BTC and ETH', () => {
    const own = listed(deskMarket())
    expect(own).toMatchObject({
      ...{ email: 'alice@example.com', login_enabled: false, is_password: false },
      ...{ receive_notifications: false, security_keys_enabled: false },
      security_keys_assignments: [],
    })
    expect(Object.keys(own.portfolio)).toEqual(['btc', 'eth'])
  })

  test('fields that are set are shown, and omitted fields stay unchanged', () => {
    const m = deskMarket()
    m.result(null, 'sim/set_profile', { account, ...chosen, portfolio: ['SOL', 'USDC'] })
    expect(listed(m)).toMatchObject(chosen)
    expect(Object.keys(listed(m).portfolio)).toEqual(['btc', 'eth', 'usdc', 'sol'])
    expect(listed(m).portfolio.sol).toMatchObject({ currency: 'sol', balance: 0 })
    m.result(null, 'sim/set_profile', { account, login_enabled: false })
    expect(listed(m)).toMatchObject({ ...chosen, login_enabled: false })
    const summary = m.result(account, 'private/get_account_summary', {
      ...{ currency: 'BTC', extended: true },
    })
    expect(summary).toMatchObject({
      ...{ email: chosen.email, login_enabled: false, security_keys_enabled: true },
    })
    expect(listed(m, 'bob')).toMatchObject({ email: 'bob@example.com', is_password: false })
    const copy = restore(snapshot(m.venue.desk.exchange))
    expect(copy.ok && [...copy.value.profiles]).toEqual([...m.venue.desk.exchange.profiles])
  })

  test('an account that is no trader and an invalid profile are refused', () => {
    const m = deskMarket()
    const refused = (params: Json): string => m.refusal(null, 'sim/set_profile', params)
    expect(refused({ account: 'nobody' })).toBe('-32602 Invalid params account unknown_account')
    expect(refused({ account: 'house.insurance' })).toContain('account')
    for (const [field, wrong] of [
      ['email', ''],
      ['login_enabled', 'yes'],
      ['is_password', 1],
      ['receive_notifications', 'on'],
      ['security_keys_enabled', 'no'],
      ['security_keys_assignments', 'login'],
      ['portfolio', ['DOGE']],
    ] as const) {
      expect([field, refused({ account, [field]: wrong })]).toEqual([
        field,
        expect.stringMatching(new RegExp(`^-32602 Invalid params ${field}`)),
      ])
    }
  })
})
