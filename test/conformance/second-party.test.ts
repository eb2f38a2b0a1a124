/**
 * D7: rules about one account, tested from the other account's side. While an account is being liquidated, no money and
 * no position moves to it or from it, whichever account sends the request.
 *
 * Source: market.md 6.6 (R53); sessions-blocks-gateways.md 4.6, 5.7, 6.3; coverage R52.
 */
import { describe, expect, test } from 'vitest'
import { findAccount } from '../../src/engine/index.ts'
import { BlockMarket, usualTerms, usualTrade } from '../support/block-market.ts'
import type { DeskMarket, Json } from '../support/desk-market.ts'
import { RfqVenue } from '../support/rfq-venue.ts'
import { WalletMarket } from '../support/wallet-market.ts'

const perpetual = 'BTC-PERPETUAL'

/** Starts a liquidation that does not end, because the book is empty. */
function liquidate(m: DeskMarket, account: string): void {
  const { balance } = m.result(account, 'private/get_account_summary', { currency: 'BTC' })
  const amount = Math.round(balance * 40_000) * 10
  m.result(null, 'sim/give_position', {
    account,
    instrument_name: perpetual,
    amount,
    price: 50_000,
  })
  m.result(null, 'sim/set_index', { index_name: 'btc_usd', price: 45_000 })
  m.venue.wait('2s')
  const { exchange } = m.venue
  const row = exchange.accounts[findAccount(exchange, account)?.id ?? -1]
  expect(row?.liquidations).toHaveLength(1)
}

const numberOf = (m: DeskMarket, account: string): number =>
  m.result(account, 'private/get_account_summary', { currency: 'BTC', extended: true }).id

/** Transfers of money and positions, with the two accounts, the account that sends the request, and the request. */
const movements: readonly {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly asks: string
  readonly ask: (m: WalletMarket, asks: string) => Json
}[] = [
  {
    name: 'a transfer to another user',
    ...{ from: 'alice', to: 'bob', asks: 'alice' },
    ask: (m, asks) => {
      const { address } = m.result('bob', 'private/get_current_deposit_address', {
        currency: 'BTC',
      })
      const params = { currency: 'BTC', amount: 0.001, destination: address }
      return m.ask(asks, 'private/submit_transfer_to_user', params)
    },
  },
  {
    name: 'a transfer to a subaccount',
    ...{ from: 'alice', to: 'alice_1', asks: 'alice' },
    ask: (m, asks) => {
      const destination = numberOf(m, 'alice_1')
      const params = { currency: 'BTC', amount: 0.001, destination }
      return m.ask(asks, 'private/submit_transfer_to_subaccount', params)
    },
  },
  ...['alice', 'alice_1'].map((from) => ({
    name: `a transfer between subaccounts from ${from}`,
    ...{ from, to: from === 'alice' ? 'alice_1' : 'alice', asks: 'alice' },
    ask: (m: WalletMarket, asks: string) => {
      const [source, destination] = [from, from === 'alice' ? 'alice_1' : 'alice'].map((name) => numberOf(m, name))
      const params = { currency: 'BTC', amount: 0.001, source, destination }
      return m.ask(asks, 'private/submit_transfer_between_subaccounts', params as Json)
    },
  })),
  ...['alice', 'alice_1'].map((from) => ({
    name: `a move of positions from ${from}`,
    ...{ from, to: from === 'alice' ? 'alice_1' : 'alice', asks: 'alice' },
    ask: (m: WalletMarket, asks: string) => {
      const [source_uid, target_uid] = [from, from === 'alice' ? 'alice_1' : 'alice'].map((name) => numberOf(m, name))
      const trades = [{ instrument_name: perpetual, amount: 10, price: 45_000 }]
      const params = { currency: 'BTC', source_uid, target_uid, trades }
      return m.ask(asks, 'private/move_positions', params as Json)
    },
  })),
]

/** A venue in which each transfer is possible. */
function ready(): WalletMarket {
  const m = new WalletMarket()
  m.befriend()
  m.result(null, 'sim/deposit', { account: 'alice_1', currency: 'BTC', amount: 10 })
  for (const account of ['alice', 'alice_1']) {
    const given = { account, instrument_name: perpetual, amount: 1_000, price: 50_000 }
    m.result(null, 'sim/give_position', given)
  }
  return m
}

describe.each(movements)('D7 $name', ({ from, to, asks, ask }) => {
  test('happens if neither account is under liquidation', () => {
    const m = ready()
    expect(ask(m, asks)).toMatchObject({ ok: true })
  })

  test.each(['from', 'to'] as const)('is refused if the account that it goes %s is under liquidation', (side) => {
    const m = ready()
    liquidate(m, side === 'from' ? from : to)
    expect(ask(m, asks)).toMatchObject({ ok: false, error: { message: 'account_locked' } })
  })
})

describe('D7 a trade without a book', () => {
  test.each(['maker', 'taker'])('a block trade is refused if the %s is under liquidation', (account) => {
    const m = new BlockMarket()
    // A price within the band both before and after the fall.
    const trades = [{ ...usualTrade, price: 49_000 }]
    const counterparty_signature = m.sign('maker', { ...usualTerms, trades, role: 'maker' })
    liquidate(m, account)
    const before = m.sizeOf(account, perpetual)
    expect(m.refused({ trades, counterparty_signature })).toMatch(/account_locked/)
    expect(m.sizeOf(account, perpetual)).toBe(before)
  })

  test('a Block RFQ skips a maker under liquidation and trades with the next one', () => {
    const m = new RfqVenue()
    m.create()
    m.quote('alpha', { price: 0.049 })
    m.quote('bravo', { price: 0.05 })
    m.grace()
    liquidate(m, 'alpha')
    m.accept()
    expect(m.seen('taker').trades).toMatchObject([{ maker: 'BRAVO2' }])
  })

  test('a Block RFQ of a taker under liquidation does not trade', () => {
    const m = new RfqVenue()
    m.create()
    m.quote('alpha')
    m.grace()
    liquidate(m, 'taker')
    expect(m.refused()).toMatch(/account_locked/)
    expect(m.seen('taker').state).toBe('open')
  })
})
