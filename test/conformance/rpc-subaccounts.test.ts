/**
 * The list of subaccounts, its portfolios, and their positions and orders.
 * Source: interface document, Subaccount and private/get_subaccounts; sessions document 6.1; coverage R56,
 * R57.
 */
import { describe, expect, test } from 'vitest'
import { auditCopy } from '../../src/engine/index.ts'
import { withoutSecrets } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const method = 'private/get_subaccounts'
const details = 'private/get_subaccounts_details'
const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const portfolioFields = [
  ...['currency', 'balance', 'equity', 'margin_balance', 'initial_margin', 'maintenance_margin'],
  ...['available_funds', 'available_withdrawal_funds', 'additional_reserve', 'spot_reserve'],
]

/** A main account with two subaccounts, of which one has another margin model, and an account of another owner. */
function family(): DeskMarket {
  const m = deskMarket({
    instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'BTC_USDC-PERPETUAL', 'BTC_USDC'],
    index: { btc_usd: 50_000, eth_usd: 2_500, btc_usdc: 50_000 },
  })
  m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
  const cross = { name: 'cross', main: 'alice', margin_model: 'cross_pm' }
  m.result(null, 'sim/create_account', cross)
  m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 2 })
  return m
}

function idOf(m: DeskMarket, account: string): number {
  return m.result(account, 'private/get_account_summary', { currency: 'BTC', extended: true }).id
}

/** The products of a subaccount, in the order of the reply. */
const products = ['perpetual', 'futures', 'options', 'future_combos', 'option_combos', 'spots']

describe('private/get_subaccounts', () => {
  test('S144 S145 S146 S147 S262 a main account sees itself, then its subaccounts, in full', () => {
    const m = family()
    const list: Json = m.result('alice', method)
    expect(list.map(({ username }: Json) => username)).toEqual(['alice', 'desk', 'cross'])
    const [main, desk, cross] = list
    expect(desk).toEqual({
      ...{ id: idOf(m, 'desk'), type: 'subaccount', email: 'desk@example.com' },
      ...{ username: 'desk', system_name: 'desk', is_password: false, login_enabled: false },
      ...{ receive_notifications: false, margin_model: 'segregated_sm' },
      ...{ security_keys_enabled: false, security_keys_assignments: [], referrals_count: 0 },
      disabled_trading_products: [],
      trading_products_details: products.map((product) => ({
        ...{ product, enabled: true, overwriteable: true },
      })),
      proof_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      proof_id_signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(main).toMatchObject({
      id: idOf(m, 'alice'),
      type: 'main',
      margin_model: 'segregated_sm',
    })
    expect(cross).toMatchObject({ type: 'subaccount', margin_model: 'cross_pm' })
  })

  test('S146 all four margin models', () => {
    const m = deskMarket()
    for (const margin_model of ['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm']) {
      m.result(null, 'sim/create_account', { name: margin_model, margin_model })
      expect(m.result(margin_model, method)).toMatchObject([{ margin_model }])
    }
    const wrong = { name: 'carol', margin_model: 'isolated' }
    expect(m.refusal(null, 'sim/create_account', wrong)).toBe('-32602 Invalid params margin_model unknown_value')
  })

  test('S263 a subaccount sees only the name of its main account, and its own entry in full', () => {
    const m = family()
    const list: Json = m.result('desk', method, { with_portfolio: true })
    expect(list).toHaveLength(2)
    expect(list[0]).toEqual({
      ...{ id: idOf(m, 'alice'), type: 'main', email: '', username: 'alice' },
      ...{ system_name: 'alice', is_password: false, receive_notifications: false },
    })
    expect(list[1]).toMatchObject({ username: 'desk', margin_model: 'segregated_sm' })
    expect(list[1].portfolio.btc).toMatchObject({ balance: 2 })
  })

  test('S148 S155 a portfolio and an unconfirmed email only if they are requested', () => {
    const m = family()
    for (const each of m.result('alice', method, { with_portfolio: false })) {
      expect(each).not.toHaveProperty('portfolio')
      expect(each).not.toHaveProperty('not_confirmed_email')
    }
    for (const each of m.result('alice', method, { with_portfolio: true })) {
      expect(each).toHaveProperty('portfolio')
      expect(each.not_confirmed_email).toBeNull()
    }
    expect(m.refusal('alice', method, { with_portfolio: 'yes' })).toBe(
      '-32602 Invalid params with_portfolio wrong_type',
    )
  })

  test('S149 R56 entries for BTC and ETH always, for other currencies if the account uses them', () => {
    const m = family()
    const portfolioOf = (): Json => m.result('desk', method, { with_portfolio: true })[1].portfolio
    expect(Object.keys(portfolioOf())).toEqual(['btc', 'eth'])
    expect(portfolioOf().eth.currency).toBe('eth')
    // First an order, then a position, then a balance.
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'USDC', amount: 10_000 })
    expect(Object.keys(portfolioOf())).toEqual(['btc', 'eth', 'usdc'])
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'USDC', amount: -10_000 })
    expect(Object.keys(portfolioOf())).toEqual(['btc', 'eth'])
    const given = { account: 'desk', instrument_name: 'BTC_USDC-PERPETUAL', price: 50_000 }
    m.result(null, 'sim/give_position', { ...given, amount: 0.1 })
    expect(Object.keys(portfolioOf())).toEqual(['btc', 'eth', 'usdc'])
    m.result(null, 'sim/give_position', { ...given, amount: -0.1 })
    expect(Object.keys(portfolioOf())).toEqual(['btc', 'eth'])
    m.result('desk', 'private/sell', { instrument_name: 'BTC_USDC', amount: 0.5, price: 50_500 })
    expect(Object.keys(portfolioOf())).toEqual(['btc', 'eth', 'usdc'])
  })

  test('S150 S151 S152 an entry has the figures of the account summary', () => {
    const m = family()
    m.result('desk', 'private/buy', { ...perpetual, amount: 10_000, price: 49_500 })
    m.result('desk', 'private/sell', { instrument_name: 'BTC_USDC', amount: 0.5, price: 50_500 })
    const { btc } = m.result('desk', method, { with_portfolio: true })[1].portfolio
    const summary = m.result('desk', 'private/get_account_summary', { currency: 'BTC' })
    expect(Object.keys(btc)).toEqual(portfolioFields)
    for (const field of portfolioFields.slice(1)) expect(btc[field]).toBe(summary[field])
    expect(btc).toMatchObject({ balance: 2, spot_reserve: 0.5, additional_reserve: 0 })
    expect(btc.initial_margin).toBeGreaterThan(0)
  })

  test('S154 R57 proofs differ by account, stay the same, and are never written to the journal', () => {
    const m = family()
    const reply = m.ask('alice', method)
    const proofs = reply.result.map(({ proof_id }: Json) => proof_id)
    expect(new Set(proofs).size).toBe(3)
    expect(m.result('alice', method)[0].proof_id).toBe(proofs[0])
    const written = JSON.stringify(withoutSecrets(reply))
    for (const { proof_id, proof_id_signature } of reply.result) {
      expect(written).not.toContain(proof_id)
      expect(written).not.toContain(proof_id_signature)
    }
    expect(written).toContain('"username":"desk"')
    const refused = m.ask('alice', method, { with_portfolio: 1 })
    expect(withoutSecrets(refused)).toBe(refused)
  })
})

describe('private/get_subaccounts_details', () => {
  test('positions of each account in a currency, and orders if they are requested', () => {
    const m = family()
    m.result(null, 'sim/give_position', { account: 'desk', ...perpetual, amount: 1000, price: 5e4 })
    const eth = { account: 'desk', instrument_name: 'ETH-PERPETUAL', amount: 10, price: 2500 }
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'ETH', amount: 5 })
    m.result(null, 'sim/give_position', eth)
    m.result('desk', 'private/buy', { ...perpetual, amount: 10, price: 49_500, label: 'one' })
    m.result('desk', 'private/buy', { instrument_name: 'ETH-PERPETUAL', amount: 1, price: 2490 })
    const plain: Json = m.result('alice', details, { currency: 'BTC' })
    const ids = ['alice', 'desk', 'cross'].map((name) => idOf(m, name))
    expect(plain.map(({ uid }: Json) => uid)).toEqual(ids)
    expect(plain[0]).toEqual({ uid: ids[0], positions: [] })
    expect(plain[1].positions).toEqual([m.result('desk', 'private/get_position', perpetual)])
    const full: Json = m.result('alice', details, { currency: 'BTC', with_open_orders: true })
    expect(full[0].open_orders).toEqual([])
    expect(full[1].open_orders).toMatchObject([{ ...perpetual, label: 'one', amount: 10 }])
  })

  test('a subaccount sees only its own', () => {
    const m = family()
    const list: Json = m.result('desk', details, { currency: 'BTC', with_open_orders: true })
    expect(list).toEqual([{ uid: idOf(m, 'desk'), positions: [], open_orders: [] }])
    expect(m.refusal('desk', details)).toBe('-32602 Invalid params currency required')
  })
})

describe('private/create_subaccount', () => {
  const create = 'private/create_subaccount'

  test('a main account has up to 20 subaccounts, named after it: 12001', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_account', { name: 'alice_2' })
    const made = m.result('alice', create)
    expect(made).toEqual(m.result('alice_1', method)[1])
    expect(made).toMatchObject({ username: 'alice_1', type: 'subaccount' })
    // Another owner's account has the name alice_2.
    expect(m.result('alice', create).username).toBe('alice_3')
    for (let count = 2; count < 20; count += 1) m.result('alice', create)
    expect(m.refusal('alice', create)).toBe('12001 too_many_subaccounts')
    expect(m.result('alice', method)).toHaveLength(21)
    expect(m.result('alice_1', 'private/get_account_summary', { currency: 'BTC' }).balance).toBe(0)
  })

  test('a subaccount cannot create one: 13012', () => {
    expect(family().refusal('desk', create)).toBe('13012 unavailable_in_subaccount')
  })

  test('it pays the same fraction of fees as its main account', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_account', { name: 'carol', fee_factor: 0.5 })
    m.result('carol', create)
    m.result(null, 'sim/deposit', { account: 'carol_1', currency: 'BTC', amount: 1 })
    m.result('bob', 'private/sell', { ...perpetual, amount: 1000, price: 50_000 })
    const { trades } = m.result('carol_1', 'private/buy', {
      ...{ ...perpetual, amount: 1000, price: 50_000 },
    })
    expect(trades[0].fee).toBe(0.000005)
  })
})

test('Q02 S151 R56 additional_reserve is the reserve of open buys of options, on cross_sm only', () => {
  const m = deskMarket({ instruments: ['BTC-27MAR26-60000-C'] })
  const order = { instrument_name: 'BTC-27MAR26-60000-C', amount: 1, price: 0.03 }
  const reserves = ['segregated_sm', 'segregated_pm', 'cross_sm', 'cross_pm'].map((model) => {
    m.result(null, 'sim/create_account', { name: model, margin_model: model })
    m.result(null, 'sim/deposit', { account: model, currency: 'BTC', amount: 10 })
    m.result(model, 'private/buy', order)
    const [own] = m.result(model, method, { with_portfolio: true })
    return own.portfolio.btc.additional_reserve
  })
  expect(reserves).toEqual([0, 0, 0.0303, 0])
})

describe('settings of a subaccount that its main account changes', () => {
  const detailsOf = (m: DeskMarket, account: string): Json =>
    m.result('alice', method).find(({ system_name }: Json) => system_name === account)

  test('V12 a name is shown as username, must be unique, and is never required in requests', () => {
    const m = family()
    const rename = 'private/change_subaccount_name'
    const sid = idOf(m, 'desk')
    expect(m.result('alice', rename, { sid, name: 'hedge' })).toBe('ok')
    expect(detailsOf(m, 'desk')).toMatchObject({ username: 'hedge', system_name: 'desk' })
    expect(m.result('desk', 'private/get_positions', {})).toEqual([])
    const taken = '12002 wrong_subaccount_name'
    for (const name of ['alice', 'cross', 'bob', '', 'a b', 'x'.repeat(33)]) {
      expect(m.refusal('alice', rename, { sid, name })).toBe(taken)
    }
    expect(m.refusal('alice', rename, { sid: idOf(m, 'cross'), name: 'hedge' })).toBe(taken)
    // Its old name is free, and its account name is still valid.
    m.result('alice', rename, { sid: idOf(m, 'cross'), name: 'desk' })
    expect(m.refusal('alice', rename, { sid, name: 'desk' })).toBe(taken)
    m.result('alice', rename, { sid, name: 'hedge' })
  })

  test('V12 a new subaccount never gets the username of another account', () => {
    const m = family()
    const rename = 'private/change_subaccount_name'
    m.result('alice', rename, { sid: idOf(m, 'desk'), name: 'alice_3' })
    expect(m.result('alice', 'private/create_subaccount').username).toBe('alice_4')
    expect(m.refusal(null, 'sim/create_account', { name: 'alice_3' })).toContain('already exists')
  })

  test('V12 login, notifications and email are shown, and the access log records the login', () => {
    const m = family()
    const sid = idOf(m, 'desk')
    m.result('alice', 'private/toggle_subaccount_login', { sid, state: 'enable' })
    m.result('alice', 'private/toggle_notifications_from_subaccount', { sid, state: true })
    m.result('alice', 'private/set_email_for_subaccount', { sid, email: 'desk@example.org' })
    expect(detailsOf(m, 'desk')).toMatchObject({
      ...{ login_enabled: true, receive_notifications: true, email: 'desk@example.org' },
    })
    m.result('alice', 'private/toggle_subaccount_login', { sid, state: 'disable' })
    expect(detailsOf(m, 'desk').login_enabled).toBe(false)
    const { data } = m.result('alice', 'private/get_access_log')
    expect(data.map(({ log }: Json) => log)).toEqual(['disabled_subaccount_login', 'enabled_subaccount_login'])
  })

  test('V12 account.remove an empty subaccount can be removed, and then no request reaches it', () => {
    const m = family()
    const remove = 'private/remove_subaccount'
    const subaccount_id = idOf(m, 'desk')
    expect(m.refusal('alice', remove, { subaccount_id })).toContain('the subaccount still has a balance')
    const transfer = { currency: 'BTC', amount: 2, destination: idOf(m, 'alice') }
    m.result('desk', 'private/submit_transfer_between_subaccounts', {
      ...{ ...transfer, source: subaccount_id },
    })
    const order = { ...perpetual, amount: 10, price: 10 }
    m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 1 })
    const placed = m.result('desk', 'private/buy', { ...order, price: 49_500 })
    expect(m.refusal('alice', remove, { subaccount_id })).toContain('open orders')
    m.result('desk', 'private/cancel', { order_id: placed.order.order_id })
    m.result('desk', 'private/submit_transfer_between_subaccounts', {
      ...{ ...transfer, amount: 1, source: subaccount_id },
    })
    m.result(null, 'sim/set_block_rfq_role', { account: 'desk', maker: true, maker_alias: 'OWN' })
    expect(m.result('bob', 'private/get_block_rfq_makers')).toEqual(['OWN'])
    expect(m.result('alice', remove, { subaccount_id })).toBe('ok')
    expect(m.result('alice', method).map(({ username }: Json) => username)).toEqual(['alice', 'cross'])
    expect(m.refusal('desk', 'private/get_positions')).toContain('13009 unauthorized')
    expect(
      m.refusal('alice', 'private/submit_transfer_to_subaccount', {
        ...{ currency: 'BTC', amount: 1, destination: subaccount_id },
      }),
    ).toBe('13021 forbidden')
    expect(
      m.refusal('alice', 'private/get_account_summary', {
        ...{ currency: 'BTC', subaccount_id },
      }),
    ).toBe('13021 forbidden')
    expect(m.refusal(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 1 })).toContain('unknown_account')
    expect(m.refusal('alice', remove, { subaccount_id })).toContain('unknown_subaccount')
    auditCopy(m.venue.exchange)
    const { username } = m.result('alice', 'private/create_subaccount')
    expect(username).not.toBe('desk')
    expect(m.result('bob', 'private/get_block_rfq_makers')).toEqual([])
  })

  test('V12 only a main account may do so, and only for its own subaccounts', () => {
    const m = family()
    const sid = idOf(m, 'desk')
    const asked: readonly (readonly [string, object])[] = [
      ['change_subaccount_name', { sid, name: 'x' }],
      ['toggle_subaccount_login', { sid, state: 'enable' }],
      ['toggle_notifications_from_subaccount', { sid, state: true }],
      ['set_email_for_subaccount', { sid, email: 'x' }],
      ['remove_subaccount', { subaccount_id: sid }],
    ]
    for (const [name, params] of asked) {
      expect(m.refusal('desk', `private/${name}`, { ...params })).toBe('13012 unavailable_in_subaccount')
      expect(m.refusal('bob', `private/${name}`, { ...params })).toContain('unknown_subaccount')
    }
    const own = { subaccount_id: idOf(m, 'alice') }
    expect(m.refusal('alice', 'private/remove_subaccount', own)).toContain('unknown_subaccount')
  })
})
