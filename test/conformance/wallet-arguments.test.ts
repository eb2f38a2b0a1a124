/**
 * Every method of the wallet refuses every wrong field with its code, reason and parameter, and the state does not
 * change. `desk-market.ts` compares the state after each refusal.
 */
import { describe, expect, test } from 'vitest'
import { findMethod } from '../../src/gateways/index.ts'
import { writtenParams } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { bitcoin, details, WalletMarket } from '../support/wallet-market.ts'

const btc = { currency: 'BTC' }
const entry = { ...btc, type: 'withdrawal', address: bitcoin }

/** The account for each method, and valid parameters. */
const methods: readonly (readonly [method: string, account: string | null, params: Json])[] = [
  ['private/get_address_book', 'alice', { ...btc, type: 'withdrawal' }],
  [
    'private/add_to_address_book',
    'alice',
    {
      ...{ ...btc, type: 'deposit_source', address: bitcoin, network: 'n', tag: 't' },
      ...{ ...details, beneficiary_vasp_website: 'w', beneficiary_company_name: 'c' },
      extra_currencies: [],
    },
  ],
  ['private/update_in_address_book', 'alice', { ...entry, ...details, id: 'i' }],
  ['private/remove_from_address_book', 'alice', { ...entry, network: 'n', tag: 't', id: 'i' }],
  ['private/get_deposits', 'alice', { ...btc, count: 1, offset: 0 }],
  ['private/get_current_deposit_address', 'bob', btc],
  ['private/create_deposit_address', 'alice', btc],
  [
    'private/withdraw',
    'alice',
    { ...btc, address: bitcoin, amount: 1, priority: 'low', nonce: 'nonce-one', network: 'n' },
  ],
  ['private/cancel_withdrawal', 'alice', { ...btc, id: 1 }],
  ['private/get_withdrawals', 'alice', { ...btc, count: 1, offset: 0 }],
  ['private/submit_transfer_to_user', 'alice', { ...btc, amount: 1, destination: bitcoin, nonce: 'nonce-one' }],
  ['private/cancel_transfer_by_id', 'alice', { ...btc, id: 1 }],
  ['private/get_transfers', 'alice', { ...btc, count: 1, offset: 0 }],
  ['sim/set_wallet_type', null, { account: 'alice', type: 'legacy' }],
  [
    'sim/set_address',
    null,
    {
      ...{ account: 'alice', ...entry, network: 'n', tag: 't', id: 'i' },
      ...{ status: 'ready', requires_confirmation: true },
    },
  ],
  ['sim/hold_transfers', null, { held: true }],
  [
    'sim/receive_deposit',
    null,
    {
      ...{ account: 'bob', ...btc, amount: 1, source_address: 's', transaction_id: 't', note: 'n' },
    },
  ],
  ['sim/move_deposit', null, { id: 1, state: 'completed' }],
  ['sim/move_withdrawal', null, { id: 1, state: 'confirmed' }],
  ['sim/move_transfer', null, { id: 1, state: 'confirmed' }],
]

const wrong: readonly Json[] = [
  ...['', 'nonsense', 'x'.repeat(300), 'ALL', 0, -1, 1.5, 1e300, true, null, [], {}, ['nonsense']],
  { decimal: 'nonsense' },
]

describe('wrong fields of the methods of the wallet', () => {
  test.each(methods)('%s refuses each wrong or missing field', (method, account, params) => {
    const m = new WalletMarket()
    m.ready('alice')
    m.befriend()
    const { shape } = findMethod(method)?.params ?? never()
    let refused = 0
    expect(Object.keys(params).filter((name) => !(name in shape))).toEqual([])
    for (const [name, schema] of Object.entries(shape)) {
      const isOptional = schema.safeParse(undefined).success
      const values = wrong.filter(
        // Null means absent for an optional field.
        (value) => !schema.safeParse(value).success && !(isOptional && value === null),
      )
      expect(values.length, name).toBeGreaterThan(2)
      for (const value of values) {
        const { code, message, data } = m.error(account, method, { ...params, [name]: value })
        // In a list the refusal names the parameter of the item.
        const param = String(data?.param).split('.')[0]
        expect([code, message, param], name).toEqual([-32602, 'Invalid params', name])
        expect(data?.reason, name).toMatch(/^\w+/)
        refused += 1
      }
      if (isOptional) continue
      const { [name]: _, ...rest } = params
      expect(m.refusal(account, method, rest)).toBe(`-32602 Invalid params ${name} required`)
      refused += 1
    }
    expect(refused).toBeGreaterThan(4)
    expect(m.book('alice')).toHaveLength(1)
  })

  test.each(methods.filter(([method]) => method.startsWith('sim/') && method !== 'sim/hold_transfers'))(
    '%s refuses unknown names',
    (method, account, params) => {
      const m = new WalletMarket()
      const isOfAccount = 'account' in params
      if (isOfAccount) {
        for (const name of ['nobody', 'house.fees']) {
          expect(m.refusal(account, method, { ...params, account: name })).toBe(
            '-32602 Invalid params account unknown_account',
          )
        }
        return
      }
      expect(m.refusal(account, method, params)).toMatch(/^(?:13020 not_found|11053 transfer_not_found)$/)
    },
  )
})

test('R57 tokens and second factors are hidden in the journal', () => {
  const asked = { currency: 'BTC', address: bitcoin, amount: 1 }
  const secrets = { tfa: '123456', authorization_data: 'one', access_token: 'two', password: 'six' }
  const hidden = { tfa: '***', authorization_data: '***', access_token: '***', password: '***' }
  for (const method of ['private/withdraw', 'private/remove_from_address_book']) {
    expect(writtenParams(method, { ...asked, ...secrets })).toEqual({ ...asked, ...hidden })
  }
})

function never(): never {
  throw new Error('the method is in the table')
}
