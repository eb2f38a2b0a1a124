/** A venue for wallets: two users with money, a subaccount of the first, and a wallet at a third party. */
import { totalCash } from '../../src/engine/index.ts'
import type { EventSink } from '../../src/model/index.ts'
import { currencyIdOf } from '../../src/model/index.ts'
import { DeskMarket, type Json } from './desk-market.ts'

/** Addresses that belong to no account of the venue. */
export const bitcoin = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
export const ethereum = '0xde709f2102306220921060314715629080e2fb77'

/** The owner's data of an address. */
export const details = {
  label: 'cold store',
  beneficiary_vasp_name: 'Somebody',
  beneficiary_vasp_did: 'did:example:123',
  beneficiary_first_name: 'Ada',
  beneficiary_last_name: 'Example',
  beneficiary_address: 'Nowhere 1',
  agreed: true,
  personal: true,
}

/** A venue with methods for wallets. */
export class WalletMarket extends DeskMarket {
  constructor(wallet: object = {}, sink?: EventSink) {
    super({
      ...(sink === undefined ? {} : { sink }),
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 50_000 },
      config: { marks: 'index', wallet },
      accounts: {
        alice: { BTC: 10, USDC: 1_000 },
        bob: { BTC: 10 },
        third: { BTC: 10, USDC: 1_000, USDT: 1_000 },
      },
    })
    this.result(null, 'sim/create_account', { name: 'alice_1', main: 'alice' })
    this.result(null, 'sim/set_wallet_type', { account: 'third', type: 'third_party' })
  }

  /** The entry of an address that an account adds. */
  add(account: string, params: Json = {}): Json {
    return this.result(account, 'private/add_to_address_book', {
      ...{ currency: 'BTC', type: 'withdrawal', address: bitcoin },
      ...details,
      ...params,
    })
  }

  /** The refusal of an address that an account adds. */
  addRefused(account: string, params: Json): string {
    const usual = { currency: 'BTC', type: 'withdrawal', address: bitcoin }
    const entries: [string, Json][] = Object.entries({ ...usual, ...details, ...params })
    // Undefined fields are omitted.
    const given = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
    return this.refusal(account, 'private/add_to_address_book', given)
  }

  /** The entries of an address book. */
  book(account: string, currency = 'BTC', type = 'withdrawal'): Json {
    return this.result(account, 'private/get_address_book', { currency, type })
  }

  /** Adds an address that is ready for withdrawals. */
  ready(account: string, params: Json = {}): void {
    this.add(account, params)
    const { currency = 'BTC', address = bitcoin, network, tag } = params
    const place = JSON.parse(JSON.stringify({ currency, address, network, tag }))
    this.result(null, 'sim/set_address', { account, ...place, status: 'ready' })
  }

  /** A withdrawal to that address. */
  withdraw(account: string, params: Json = {}): Json {
    const usual = { currency: 'BTC', address: bitcoin, amount: 1 }
    return this.result(account, 'private/withdraw', { ...usual, ...params })
  }

  /** The cash of an account. */
  balance(account: string, currency = 'BTC'): number {
    return this.result(account, 'private/get_account_summary', { currency }).balance
  }

  /** Adds Bob's deposit address to Alice's address book. */
  befriend(currency = 'BTC'): string {
    const { address } = this.result('bob', 'private/create_deposit_address', { currency })
    this.add('alice', { currency, type: 'transfer', address })
    return address
  }

  /** The Bitcoin of all accounts in 1e-9. */
  all(): bigint {
    return totalCash(this.venue.exchange, currencyIdOf('BTC'))
  }

  /** Moves a payment to another state, like an operator of the venue. */
  move(type: string, id: number, state: string): Json {
    return this.result(null, `sim/move_${type}`, { id, state })
  }

  /** The Bitcoin entries that a query lists for an account. */
  listed(account: string, method: string): Json {
    return this.result(account, `private/${method}`, { currency: 'BTC' })
  }
}
