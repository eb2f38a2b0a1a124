/** Transfers of money and positions between accounts of one owner. Source: sessions document 6.1, 6.3. */
import { describe, expect, test } from 'vitest'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'

const to = 'private/submit_transfer_to_subaccount'
const between = 'private/submit_transfer_between_subaccounts'
const list = 'private/get_transfers'
const move = 'private/move_positions'
const perpetual = { instrument_name: 'BTC-PERPETUAL' }
const call = { instrument_name: 'BTC-27MAR26-60000-C' }
const btc = { currency: 'BTC' }

/** Alice with two subaccounts, and Bob with one. */
function family(): DeskMarket & { readonly ids: Readonly<Record<string, number>> } {
  const m = deskMarket({ instruments: ['BTC-PERPETUAL', call.instrument_name, 'ETH-PERPETUAL'] })
  for (const [name, main] of [
    ['desk', 'alice'],
    ['fund', 'alice'],
    ['other', 'bob'],
  ]) {
    m.result(null, 'sim/create_account', { name: name ?? '', main: main ?? '' })
  }
  const ids: Record<string, number> = {}
  for (const name of ['alice', 'bob', 'desk', 'fund', 'other']) {
    const { id } = m.result(name, 'private/get_account_summary', { ...btc, extended: true })
    ids[name] = id
  }
  return Object.assign(m, { ids })
}

const balanceOf = (m: DeskMarket, account: string): number =>
  m.result(account, 'private/get_account_summary', btc).balance

describe('transfers of money', () => {
  test('from a main account to its subaccount, with immediate effect', () => {
    const m = family()
    const transfer = m.result('alice', to, { ...btc, amount: 2.5, destination: m.ids.desk ?? 0 })
    expect(transfer).toEqual({
      ...{ id: 1, type: 'subaccount', ...btc, amount: 2.5, other_side: 'desk' },
      ...{ state: 'confirmed', direction: 'payment' },
      created_timestamp: expect.any(Number),
      updated_timestamp: transfer.created_timestamp,
    })
    expect([balanceOf(m, 'alice'), balanceOf(m, 'desk')]).toEqual([7.5, 2.5])
    expect(m.result('desk', list, btc)).toEqual({
      data: [{ ...transfer, other_side: 'alice', direction: 'income' }],
      count: 1,
    })
  })

  test('between subaccounts the main account names the source; a subaccount is its own source', () => {
    const m = family()
    const [desk, fund] = [m.ids.desk ?? 0, m.ids.fund ?? 0]
    m.result('alice', to, { ...btc, amount: 3, destination: desk })
    m.result('alice', between, { ...btc, amount: 1, source: desk, destination: fund })
    m.result('desk', between, { ...btc, amount: 0.5, destination: fund })
    m.result('fund', between, { ...btc, amount: 0.25, destination: m.ids.alice ?? 0 })
    expect(['alice', 'desk', 'fund'].map((name) => balanceOf(m, name))).toEqual([7.25, 1.5, 1.25])
  })

  test('an account cannot move money of other owners: 13021', () => {
    const m = family()
    const refused = (account: string, params: Json): string =>
      m.refusal(account, between, { ...btc, amount: 1, ...params })
    const { alice, bob, desk, fund, other } = m.ids
    expect(refused('alice', { destination: bob })).toBe('13021 forbidden')
    expect(refused('alice', { source: other, destination: bob })).toBe('13021 forbidden')
    expect(refused('desk', { source: alice, destination: desk })).toBe('13021 forbidden')
    expect(refused('desk', { source: fund, destination: desk })).toBe('13021 forbidden')
    expect(refused('alice', { destination: 999 })).toBe('13021 forbidden')
    expect(refused('alice', { destination: alice })).toBe('-32602 Invalid params destination same_as_source')
  })

  test('no more than the account can withdraw: 10009', () => {
    const m = family()
    m.result(null, 'sim/give_position', {
      account: 'alice',
      ...perpetual,
      amount: 50_000,
      price: 5e4,
    })
    const { available_withdrawal_funds } = m.result('alice', 'private/get_account_summary', btc)
    expect(available_withdrawal_funds).toBeLessThan(10)
    const destination = m.ids.desk ?? 0
    expect(m.refusal('alice', to, { ...btc, amount: 10, destination })).toBe('10009 not_enough_funds')
    m.result('alice', to, { ...btc, amount: available_withdrawal_funds, destination })
    expect(m.refusal('alice', to, { ...btc, amount: 1e-7, destination })).toBe('10009 not_enough_funds')
  })

  test('a known nonce returns its transfer, whatever the other parameters', () => {
    const m = family()
    const asked = { ...btc, amount: 1, destination: m.ids.desk ?? 0, nonce: 'first-one' }
    const transfer = m.result('alice', to, asked)
    expect(transfer.nonce).toBe('first-one')
    const again = { ...asked, amount: 5, destination: 999 }
    expect(m.result('alice', to, again)).toEqual(transfer)
    expect(m.result('desk', between, again)).toEqual(transfer)
    expect(balanceOf(m, 'alice')).toBe(9)
    // A nonce is known only among accounts of its owner.
    const foreign = { ...asked, destination: m.ids.other ?? 0 }
    expect(m.result('bob', to, foreign).other_side).toBe('other')
    expect(m.refusal('alice', to, { ...asked, nonce: 'short' })).toBe('-32602 Invalid params nonce too_small')
  })

  test('the list shows one currency, newest first, in pages', () => {
    const m = family()
    m.result(null, 'sim/deposit', { account: 'alice', currency: 'ETH', amount: 5 })
    const destination = m.ids.desk ?? 0
    for (const amount of [1, 2, 3]) m.result('alice', to, { ...btc, amount, destination })
    m.result('alice', to, { currency: 'ETH', amount: 4, destination })
    const amounts = (params: Json): number[] => m.result('alice', list, params).data.map(({ amount }: Json) => amount)
    expect(amounts(btc)).toEqual([3, 2, 1])
    expect(amounts({ ...btc, count: 1, offset: 1 })).toEqual([2])
    expect(m.result('alice', list, { ...btc, count: 1 }).count).toBe(3)
    expect(amounts({ currency: 'ETH' })).toEqual([4])
    expect(m.result('bob', list, btc)).toEqual({ data: [], count: 0 })
    expect(m.refusal('alice', list, { ...btc, count: 0 })).toBe('-32602 Invalid params count too_small')
  })

  test('an invalid amount is refused', () => {
    const m = family()
    const refused = (amount: Json): string => m.refusal('alice', to, { ...btc, amount, destination: m.ids.desk ?? 0 })
    expect(refused(0)).toBe('-32602 Invalid params amount not_above_zero')
    expect(refused(-1)).toBe('-32602 Invalid params amount not_above_zero')
    expect(refused({ decimal: '0.1234567891' })).toBe('-32602 Invalid params amount too_many_decimals')
  })

  test('both logs show it, with the account on the other side', () => {
    const m = family()
    m.result('alice', to, { ...btc, amount: 2, destination: m.ids.desk ?? 0 })
    const span = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }
    const logOf = (account: string): Json =>
      m.result(account, 'private/get_transaction_log', { ...btc, ...span, query: 'transfer' }).logs
    expect(logOf('alice')).toMatchObject([
      { type: 'transfer', change: -2, amount: 2, role: 'source', other_user: 'desk', balance: 8 },
    ])
    expect(logOf('desk')).toMatchObject([
      { type: 'transfer', change: 2, role: 'destination', other_user: 'alice', balance: 2 },
    ])
  })
})

describe('private/move_positions', () => {
  function held(): ReturnType<typeof family> {
    const m = family()
    m.result(null, 'sim/give_position', {
      account: 'alice',
      ...perpetual,
      amount: 1000,
      price: 48e3,
    })
    m.result(null, 'sim/give_position', { account: 'alice', ...call, amount: -0.5, price: 0.04 })
    m.result('alice', to, { ...btc, amount: 4, destination: m.ids.desk ?? 0 })
    return m
  }

  test('at a price, or at the average price of the position; numbers may be strings', () => {
    const m = held()
    const [source_uid, target_uid] = [m.ids.alice ?? 0, m.ids.desk ?? 0]
    const trades = [
      { ...perpetual, amount: '110', price: '35800' },
      { ...call, amount: 0.2 },
    ]
    expect(m.result('alice', move, { ...btc, source_uid, target_uid, trades })).toEqual([
      { source_uid, target_uid, ...perpetual, direction: 'sell', price: 35_800, amount: 110 },
      { source_uid, target_uid, ...call, direction: 'buy', price: 0.04, amount: 0.2 },
    ])
    const of = (account: string, instrument: Json): Json => m.result(account, 'private/get_position', instrument)
    expect(of('desk', perpetual)).toMatchObject({ size: 110, average_price: 35_800 })
    expect(of('alice', perpetual)).toMatchObject({ size: 890, average_price: 48_000 })
    expect(of('desk', call)).toMatchObject({ size: -0.2, average_price: 0.04 })
    expect(of('alice', call)).toMatchObject({ size: -0.3 })
  })

  test('the logs show the premium of a moved option, and mark it as a transfer', () => {
    const m = held()
    const [source_uid, target_uid] = [m.ids.alice ?? 0, m.ids.desk ?? 0]
    m.result('alice', move, { source_uid, target_uid, trades: [{ ...call, amount: 0.5 }] })
    const span = { start_timestamp: 0, end_timestamp: 4_000_000_000_000 }
    const rowOf = (account: string): Json =>
      m.result(account, 'private/get_transaction_log', { ...btc, ...span, query: 'option' }).logs[0]
    expect(rowOf('alice')).toMatchObject({
      ...{ type: 'transfer', side: 'close buy', change: -0.02, commission: 0, position: 0 },
      ...{ role: 'source', other_user: 'desk' },
    })
    expect(rowOf('desk')).toMatchObject({
      ...{ type: 'transfer', side: 'open sell', change: 0.02, position: -0.5, role: 'destination' },
    })
  })

  test('all moves of a request, or none', () => {
    const m = held()
    const ids = { source_uid: m.ids.alice ?? 0, target_uid: m.ids.desk ?? 0 }
    const trades = [
      { ...perpetual, amount: 100 },
      { ...call, amount: 0.7 },
    ]
    expect(m.ask('alice', move, { ...ids, trades }).ok).toBe(false)
    expect(m.result('desk', 'private/get_positions', {})).toEqual([])
  })

  test('invalid moves are refused', () => {
    const m = held()
    const { alice, desk, bob, other } = m.ids
    const refused = (account: string, params: Json): string =>
      m.refusal(account, move, {
        ...{ source_uid: alice ?? 0, target_uid: desk ?? 0 },
        ...{ trades: [{ ...perpetual, amount: 100 }], ...params },
      })
    expect(refused('alice', { target_uid: bob ?? 0 })).toBe('13021 forbidden')
    expect(refused('bob', { source_uid: other ?? 0, target_uid: desk ?? 0 })).toBe('13021 forbidden')
    expect(refused('alice', { target_uid: alice ?? 0 })).toBe('-32602 Invalid params target_uid same_as_source')
    expect(refused('alice', { trades: [] })).toBe('-32602 Invalid params trades too_small')
    const unknown = [{ instrument_name: 'SOL-PERPETUAL', amount: 1 }]
    expect(refused('alice', { trades: unknown })).toBe('13020 not_found')
    expect(refused('alice', { currency: 'ETH' })).toBe('10020 invalid_or_unsupported_instrument')
    const zero = [{ ...perpetual, amount: 100, price: 0 }]
    expect(refused('alice', { trades: zero })).toBe('-32602 Invalid params trades.0.price not_a_price')
    const odd = [{ ...perpetual, amount: 15 }]
    expect(refused('alice', { trades: odd })).toBe('10027 non_integer_contract_amount')
  })
})
