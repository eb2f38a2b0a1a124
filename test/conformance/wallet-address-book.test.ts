/** Rule: wallet.address-book. Address books of both types of wallets. Rows: S166, S267-S272; R74. */
import { describe, expect, test } from 'vitest'
import { bitcoin, details, ethereum, WalletMarket } from '../support/wallet-market.ts'

const remove = 'private/remove_from_address_book'
const update = 'private/update_in_address_book'
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const other = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT'

describe('rule wallet.address-book: entries and their states', () => {
  test('an address for withdrawals waits for 72 hours and is then ready', () => {
    const m = new WalletMarket()
    const entry = m.add('alice')
    expect(entry).toEqual({
      currency: 'BTC',
      address: bitcoin,
      type: 'withdrawal',
      creation_timestamp: 1_767_603_600_003,
      ...details,
      info_required: false,
      status: 'waiting',
      waiting_timestamp: 1_767_603_600_003 + 259_200_000,
      requires_confirmation: true,
      requires_confirmation_change: false,
    })
    expect(m.book('alice')).toEqual([entry])
    m.venue.wait('259199s')
    expect(m.book('alice')).toMatchObject([{ status: 'waiting' }])
    m.venue.wait('1s')
    expect(m.book('alice')).toMatchObject([{ status: 'ready' }])
    // The entry is in no other account's book, and in no other book of this account.
    expect(m.book('bob')).toEqual([])
    expect(m.book('alice', 'BTC', 'transfer')).toEqual([])
  })

  test('addresses of other users and of deposit sources are ready at once', () => {
    const m = new WalletMarket()
    m.befriend()
    expect(m.book('alice', 'BTC', 'transfer')).toMatchObject([{ status: 'ready', requires_confirmation: false }])
    const source = m.add('alice', { type: 'deposit_source' })
    expect(source.status).toBe('ready')
    expect('waiting_timestamp' in source).toBe(false)
  })

  test('a token of Ethereum is added for all tokens, or for the named ones', () => {
    const m = new WalletMarket()
    m.add('alice', { currency: 'USDC', address: ethereum })
    for (const token of ['USDC', 'USDT', 'EURR', 'STETH', 'USYC', 'PAXG', 'USDE']) {
      expect(m.book('alice', token), token).toMatchObject([{ currency: token, address: ethereum }])
    }
    expect([...m.book('alice', 'ETH'), ...m.book('alice', 'BNB')]).toEqual([])
    m.add('bob', { currency: 'USDC', address: ethereum, extra_currencies: ['USDT', 'USDC'] })
    expect(m.book('bob', 'USDT')).toHaveLength(1)
    expect(m.book('bob', 'USDC')).toHaveLength(1)
    expect(m.book('bob', 'EURR')).toEqual([])
    // It already exists for USDT, and is added for the others.
    m.add('bob', { currency: 'EURR', address: ethereum.toUpperCase().replace('0X', '0x') })
    expect(m.book('bob', 'USDT')).toHaveLength(1)
    expect(m.book('bob', 'PAXG')).toHaveLength(1)
    // Removing it from one leaves the others.
    m.result('alice', remove, { currency: 'USDT', type: 'withdrawal', address: ethereum })
    expect(m.book('alice', 'USDT')).toEqual([])
    expect(m.book('alice', 'USDC')).toHaveLength(1)
  })

  test('an update changes the details of an entry, but not its state', () => {
    const m = new WalletMarket()
    m.add('alice')
    const { beneficiary_first_name: _first, beneficiary_last_name: _last, ...shared } = details
    const company = { ...shared, label: 'desk', beneficiary_company_name: 'Example Ltd' }
    const named = { currency: 'BTC', type: 'withdrawal', address: bitcoin }
    expect(m.result('alice', update, { ...named, ...company })).toBe('ok')
    const [entry] = m.book('alice')
    expect(entry).toMatchObject({ ...company, status: 'waiting' })
    expect('beneficiary_first_name' in entry).toBe(false)
    expect(m.refusal('bob', update, { ...named, ...details })).toBe('13020 not_found')
    expect(m.refusal('alice', update, { ...named, address: other, ...details })).toBe('13020 not_found')
  })

  test('each invalid entry is refused with its own code', () => {
    const m = new WalletMarket()
    const { address: own } = m.result('alice', 'private/create_deposit_address', {
      currency: 'BTC',
    })
    const { address: bobs } = m.result('bob', 'private/create_deposit_address', { currency: 'BTC' })
    m.add('alice')
    const cases = [
      [{ address: 'nonsense' }, '11090 invalid_addr'],
      [{ address: ethereum }, '11090 invalid_addr'],
      [{ currency: 'ETH' }, '11090 invalid_addr'],
      [{ address: own }, '11096 address_belongs_to_user'],
      [{ address: own, type: 'transfer' }, '11096 address_belongs_to_user'],
      [{ address: bobs }, '11096 address_belongs_to_user'],
      [{ type: 'transfer' }, '11091 invalid_transfer_address'],
      [{}, '11092 address_already_exist'],
      [{ extra_currencies: ['USDC'] }, '-32602 Invalid params extra_currencies only_erc20_currencies'],
      [
        { currency: 'USDC', address: ethereum, extra_currencies: ['ETH'] },
        '-32602 Invalid params extra_currencies only_erc20_currencies',
      ],
      [{ beneficiary_first_name: undefined }, '-32602 Invalid params beneficiary_first_name required'],
      [{ beneficiary_last_name: undefined }, '-32602 Invalid params beneficiary_last_name required'],
    ] as const
    for (const [params, refusal] of cases) {
      expect(m.addRefused('alice', params)).toBe(refusal)
    }
    // A subaccount belongs to the same user.
    expect(m.addRefused('alice_1', { address: own, type: 'transfer' })).toBe('11096 address_belongs_to_user')
  })

  test('a book has at most a hundred entries of a currency and a type', () => {
    const m = new WalletMarket({ addressesMax: 2 })
    m.add('alice')
    m.add('alice', { address: other })
    const third = { address: '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy' }
    expect(m.addRefused('alice', third)).toBe('11093 max_addr_count_exceeded')
    m.add('alice', { ...third, type: 'deposit_source' })
    m.add('bob', third)
  })
})

describe('entries of third-party wallets', () => {
  test('S166 an entry is identified by its id, a UUID7, or by address, network and tag', () => {
    const m = new WalletMarket()
    const one = m.add('third', { network: 'bitcoin', tag: '1' })
    const two = m.add('third', { network: 'bitcoin', tag: '2' })
    expect(one.id).toMatch(UUID7)
    expect(two.id).toMatch(UUID7)
    expect(one.id).not.toBe(two.id)
    // Its first 48 bits are the time at which it was added.
    expect(Number.parseInt(one.id.replaceAll('-', '').slice(0, 12), 16)).toBe(one.creation_timestamp)
    expect(one).toMatchObject({ network: 'bitcoin', tag: '1' })
    expect(m.addRefused('third', { network: 'bitcoin', tag: '2' })).toBe('11092 address_already_exist')
    const named = { currency: 'BTC', type: 'withdrawal', address: bitcoin }
    m.result('third', remove, { ...named, network: 'bitcoin', tag: '1' })
    expect(m.book('third')).toEqual([two])
    // The same run has the same ids.
    const again = new WalletMarket().add('third', { network: 'bitcoin', tag: '1' })
    expect(again.id).toBe(one.id)
    // The venue's own wallets have none of these fields.
    const legacy = m.add('alice', { network: 'bitcoin', tag: '1' })
    expect(['id', 'network', 'tag'].filter((field) => field in legacy)).toEqual([])
  })

  test('S268 a third-party wallet accepts any currency of a portfolio, or all', () => {
    const m = new WalletMarket()
    m.add('third', { currency: 'USDC', address: ethereum })
    m.add('third', { currency: 'ETH', address: ethereum })
    m.add('third')
    const named = { currency: 'all', type: 'withdrawal', address: ethereum }
    expect(m.result('third', remove, named)).toBe('ok')
    for (const currency of ['USDC', 'USDT', 'ETH', 'USDE']) {
      expect(m.book('third', currency)).toEqual([])
    }
    expect(m.book('third')).toHaveLength(1)
    m.result('third', remove, { currency: 'BTC', type: 'withdrawal', address: bitcoin })
    expect(m.refusal('third', remove, named)).toBe('13020 not_found')
    m.add('alice')
    expect(m.refusal('alice', remove, { ...named, address: bitcoin })).toBe(
      '-32602 Invalid params currency only third-party wallets accept all',
    )
  })

  test('S271 id may replace the address on third-party wallets; network and tag distinguish entries', () => {
    const m = new WalletMarket()
    const one = m.add('third', { network: 'bitcoin' })
    m.add('third', { network: 'lightning' })
    const named = { currency: 'BTC', type: 'withdrawal' }
    const both = '11029 invalid_arguments'
    expect(m.refusal('third', remove, { ...named, address: bitcoin })).toBe(`${both} address names_several_entries`)
    // R74. If both are given, they must name the same entry.
    expect(m.refusal('third', remove, { ...named, id: one.id, address: other })).toBe(`${both} id names_another_entry`)
    expect(m.refusal('third', remove, { ...named, id: one.id, network: 'lightning' })).toBe(
      `${both} id names_another_entry`,
    )
    expect(m.refusal('third', remove, { ...named, id: 'unheard-of' })).toBe('13020 not_found')
    expect(m.refusal('third', remove, { ...named, type: 'transfer', id: one.id })).toBe('13020 not_found')
    expect(m.refusal('third', remove, named)).toBe('-32602 Invalid params address required')
    expect(m.book('third')).toHaveLength(2)
    m.result('third', remove, { ...named, id: one.id, address: bitcoin, network: 'bitcoin' })
    m.result('third', remove, { ...named, address: bitcoin })
    expect(m.book('third')).toEqual([])
  })

  test('S271 R74 network, tag and id are ignored on the venue’s own wallets', () => {
    const m = new WalletMarket()
    m.add('alice', { network: 'bitcoin', tag: '1' })
    expect(m.addRefused('alice', { network: 'lightning', tag: '2' })).toBe('11092 address_already_exist')
    const place = { address: bitcoin, network: 'nowhere', tag: '7', id: 'unheard-of' }
    expect(m.result('alice', remove, { currency: 'BTC', type: 'withdrawal', ...place })).toBe('ok')
    expect(m.book('alice')).toEqual([])
  })
})

describe('private/remove_from_address_book', () => {
  test('S267 currency and type are required', () => {
    const m = new WalletMarket()
    m.add('alice')
    expect(m.refusal('alice', remove, { type: 'withdrawal', address: bitcoin })).toBe(
      '-32602 Invalid params currency required',
    )
    expect(m.refusal('alice', remove, { currency: 'BTC', address: bitcoin })).toBe(
      '-32602 Invalid params type required',
    )
  })

  test('S269 its type is transfer or withdrawal', () => {
    const m = new WalletMarket()
    const address = m.befriend()
    m.add('alice')
    m.add('alice', { type: 'deposit_source' })
    expect(m.refusal('alice', remove, { currency: 'BTC', type: 'deposit_source', address: bitcoin })).toMatch(
      /^-32602 Invalid params type /,
    )
    m.result('alice', remove, { currency: 'BTC', type: 'transfer', address })
    m.result('alice', remove, { currency: 'BTC', type: 'withdrawal', address: bitcoin })
    expect(m.book('alice', 'BTC', 'deposit_source')).toHaveLength(1)
  })

  test('S270 the address is required on the venue’s own wallets, and must exist', () => {
    const m = new WalletMarket()
    m.add('alice')
    const named = { currency: 'BTC', type: 'withdrawal' }
    expect(m.refusal('alice', remove, { ...named, id: 'one' })).toBe('-32602 Invalid params address required')
    expect(m.refusal('alice', remove, { ...named, address: other })).toBe('13020 not_found')
    expect(m.refusal('bob', remove, { ...named, address: bitcoin })).toBe('13020 not_found')
  })

  test('S272 its result is ok', () => {
    const m = new WalletMarket()
    m.add('alice')
    const named = { currency: 'BTC', type: 'withdrawal', address: bitcoin }
    expect(m.result('alice', remove, named)).toBe('ok')
    expect(m.refusal('alice', remove, named)).toBe('13020 not_found')
  })
})
