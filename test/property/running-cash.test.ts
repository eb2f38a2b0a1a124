/**
 * Random days of trades, options, transfers, funding, settlements, liquidations and bankruptcies: after every request
 * the cash that follows from the events equals the ledger's, logs add up to balances, and a desk restored in the middle
 * answers and continues like the original.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount, micros } from '../../src/core/index.ts'
import { allAccounts, viewWallet } from '../../src/engine/index.ts'
import { currencies } from '../../src/model/index.ts'
import type { VenueOptions } from '../../src/program/index.ts'
import { type Desk, snapshotDesk, submit } from '../../src/rpc/index.ts'
import { type DeskMarket, deskMarket, type Json } from '../support/desk-market.ts'
import { askedRuns, isWhole } from '../support/property-runs.ts'
import { restoredDesk } from '../support/restored-desk.ts'

const accounts = ['alice', 'bob', 'carol', 'desk'] as const
const inverse = ['BTC-PERPETUAL', 'BTC-6JAN26', 'BTC-9JAN26'] as const
const linear = ['BTC_USDC-PERPETUAL', 'BTC_USDC'] as const
const options = ['BTC-6JAN26-50000-C', 'BTC-9JAN26-48000-P', 'BTC_USDC-9JAN26-52000-C'] as const

interface Request {
  readonly account: string | null
  readonly method: string
  readonly params: Json
}

const someone = fc.constantFrom(...accounts)
const price = fc.integer({ min: 88, max: 112 }).map((step) => step * 500)

const order = fc
  .record({
    account: someone,
    side: fc.constantFrom('buy', 'sell'),
    instrument_name: fc.constantFrom(...inverse, ...linear),
    type: fc.constantFrom('limit', 'limit', 'market'),
    size: fc.integer({ min: 1, max: 300 }),
    price,
  })
  .map(({ account, side, size, ...rest }): Request => {
    const coins = rest.instrument_name.includes('USDC')
    const of = { ...rest, amount: coins ? size / 1000 : size * 100 }
    return { account, method: `private/${side}`, params: of }
  })

const optionOrder = fc
  .record({
    account: someone,
    side: fc.constantFrom('buy', 'sell'),
    instrument_name: fc.constantFrom(...options),
    type: fc.constantFrom('limit', 'limit', 'market'),
    size: fc.integer({ min: 1, max: 30 }),
    step: fc.integer({ min: 1, max: 20 }),
  })
  .map(({ account, side, size, step, ...rest }): Request => {
    const coins = rest.instrument_name.includes('USDC')
    const of = { ...rest, amount: size / 10, price: coins ? step * 250 : step / 200 }
    return { account, method: `private/${side}`, params: of }
  })

/** A transfer of money or of a part of a position between alice and her subaccount. */
const transfer = fc.oneof(
  fc
    .record({ currency: fc.constantFrom('BTC', 'USDC'), amount: fc.integer({ min: 1, max: 90 }) })
    .map(({ currency, amount: size }): Request => {
      const params = { currency, amount: size / 10, destination: DESK }
      return { account: 'alice', method: 'private/submit_transfer_to_subaccount', params }
    }),
  fc
    .record({
      instrument_name: fc.constantFrom(...inverse, ...options),
      amount: fc.integer({ min: 1, max: 20 }),
    })
    .map(({ instrument_name, amount: size }): Request => {
      const isOption = instrument_name.length > 'BTC-PERPETUAL'.length
      const trades = [{ instrument_name, amount: isOption ? size / 10 : size * 100 }]
      const params = { source_uid: ALICE, target_uid: DESK, trades }
      return { account: 'alice', method: 'private/move_positions', params }
    }),
)

/** Accounts are numbered as they are opened: four of the house, alice, bob, carol, desk. */
const ALICE = 4
const DESK = 7

const control = fc.oneof(
  fc.record({ price }).map(({ price: to }): Request => {
    return { account: null, method: 'sim/set_index', params: { index_name: 'btc_usd', price: to } }
  }),
  fc.record({ price }).map(({ price: to }): Request => {
    return { account: null, method: 'sim/set_index', params: { index_name: 'btc_usdc', price: to } }
  }),
  fc
    .record({ instrument_name: fc.constantFrom('BTC-PERPETUAL', 'BTC_USDC-PERPETUAL'), price })
    .map((params): Request => ({ account: null, method: 'sim/set_mark', params })),
  fc
    .record({
      account: someone,
      instrument_name: fc.constantFrom(...inverse),
      amount: fc.integer({ min: -3000, max: 3000 }).map((size) => size * 100),
      price,
    })
    .map((params): Request => ({ account: null, method: 'sim/give_position', params })),
  fc
    .record({
      account: someone,
      currency: fc.constantFrom('BTC', 'USDC'),
      amount: fc.integer({ min: -20, max: 30 }).map((size) => size / 10),
    })
    .map((params): Request => ({ account: null, method: 'sim/deposit', params })),
)

/** Requests, each with its delay after the previous one. */
function stepsOf(requests: fc.Arbitrary<Request>): fc.Arbitrary<readonly Step[]> {
  return fc.array(
    fc.record({
      wait: fc.constantFrom(0, 1, 60_000, 3_600_000, 10_000_000, 40_000_000),
      request: requests,
    }),
    { minLength: 10, maxLength: 60 },
  )
}

interface Step {
  readonly wait: number
  readonly request: Request
}

const futures = fc.oneof(
  { arbitrary: order, weight: 3 },
  { arbitrary: transfer, weight: 1 },
  { arbitrary: control, weight: 2 },
)

const withOptions = fc.oneof({ arbitrary: futures, weight: 3 }, { arbitrary: optionOrder, weight: 2 })

function opened(listed: readonly string[] = [], config: VenueOptions['config'] = {}): DeskMarket {
  const m = deskMarket({
    instruments: [...inverse, ...linear, ...listed],
    index: { btc_usd: 50_000, btc_usdc: 50_000 },
    accounts: {
      alice: { BTC: 10, USDC: 200_000 },
      bob: { BTC: 10, USDC: 200_000 },
    },
    config: { insuranceFund: { BTC: amount(20_000_000n) }, priceBands: false, ...config },
  })
  m.result(null, 'sim/create_account', { name: 'carol', fee_factor: 0.5 })
  m.result(null, 'sim/deposit', { account: 'carol', currency: 'BTC', amount: 0.1 })
  m.result(null, 'sim/deposit', { account: 'carol', currency: 'USDC', amount: 30_000 })
  m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
  m.result(null, 'sim/deposit', { account: 'desk', currency: 'BTC', amount: 2 })
  // More than it can afford: a fall of five percent takes all its money, and more than the fund.
  const held = { account: 'carol', instrument_name: 'BTC-PERPETUAL', amount: 100_000 }
  m.result(null, 'sim/give_position', { ...held, price: 50_000 })
  return m
}

function answer(desk: Desk, request: Request): unknown {
  let found: unknown
  const { account, method, params } = request
  const time = micros(desk.exchange.now + 1)
  submit(desk, { time, method, params, account, session: 0 }, (reply) => {
    found = reply
  })
  return found
}

/** Queries of settlements, summaries and trades. */
const queries: readonly Request[] = [
  ...['BTC', 'USDC'].flatMap((currency) => [
    { account: null, method: 'public/get_last_settlements_by_currency', params: { currency } },
    { account: null, method: 'public/get_book_summary_by_currency', params: { currency } },
    { account: null, method: 'public/get_last_trades_by_currency', params: { currency } },
    ...accounts.flatMap((account) => [
      { account, method: 'private/get_settlement_history_by_currency', params: { currency } },
      { account, method: 'private/get_account_summaries', params: {} },
      { account, method: 'private/get_positions', params: {} },
      { account, method: 'private/get_transfers', params: { currency } },
      { account, method: 'private/get_subaccounts', params: { with_portfolio: true } },
      { account, method: 'private/get_user_locks', params: {} },
      {
        ...{ account, method: 'private/get_transaction_log' },
        params: { currency, start_timestamp: 0, end_timestamp: 4_000_000_000_000, count: 250 },
      },
    ]),
  ]),
  ...['public/get_funding_chart_data', 'public/get_tradingview_chart_data'].map((method) => ({
    ...{ account: null, method },
    params: {
      ...{ instrument_name: 'BTC-PERPETUAL', length: '24h', resolution: '60' },
      ...{ start_timestamp: 0, end_timestamp: 4_000_000_000_000 },
    },
  })),
  ...['public/get_delivery_prices', 'public/get_index_price'].map((method) => ({
    ...{ account: null, method, params: { index_name: 'btc_usd' } },
  })),
]

/** Sends all queries, and adds up every log to the balances of its account. */
function assertLogsAddUp(m: DeskMarket, list: readonly Step[]): void {
  for (const { wait, request } of list) {
    m.venue.wait(`${wait}ms`)
    m.ask(request.account, request.method, request.params)
  }
  const { exchange, history } = m.venue.desk
  for (const { id, house } of allAccounts(exchange)) {
    if (house) continue
    for (const currency of currencies) {
      const rows = (history.transactions.windows.rows.get(id) ?? []).filter((row) => row.currency === currency)
      let balance = 0n
      for (const row of rows) {
        balance += row.change
        expect(row.balance).toBe(balance)
      }
      expect(balance).toBe(viewWallet(exchange, id, currency).balance)
    }
  }
}

test('cash follows the events through random days, and logs add up to it', () => {
  let settled = 0
  let bankrupt = 0
  let taxed = 0
  fc.assert(
    fc.property(stepsOf(futures), (list) => {
      const m = opened()
      assertLogsAddUp(m, list)
      const { history } = m.venue.desk
      for (const records of history.settlements.rows.values()) {
        settled += records.length
        for (const record of records) {
          if (record.kind !== 'currency_bankruptcy') continue
          bankrupt += 1
          if (record.tax > 0n) taxed += 1
        }
      }
    }),
    { numRuns: askedRuns(3000, 100, 100) },
  )
  // The runs are long enough for the situations that they test.
  if (isWhole) expect([settled > 50, bankrupt > 0, taxed > 0]).toEqual([true, true, true])
})

test('the same holds with options, whose marks stay on their smile', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(stepsOf(withOptions), (list) => {
      const m = opened(options, { marks: 'index' })
      assertLogsAddUp(m, list)
      const { transactions, instruments } = m.venue.desk.history
      for (const rows of transactions.windows.rows.values()) {
        for (const { type, instrument } of rows) {
          const kind = instrument === null ? 'money' : instruments.get(instrument)?.kind
          seen.add(`${type} ${kind}`)
        }
      }
    }),
    { numRuns: askedRuns(1500, 100, 100) },
  )
  const expected = ['trade option', 'transfer money']
  if (isWhole) expect(expected.filter((each) => !seen.has(each))).toEqual([])
})

test('a desk that is restored at any step answers and continues the same', () => {
  fc.assert(
    fc.property(stepsOf(withOptions), fc.nat(59), (list, cut) => {
      const m = opened(options, { marks: 'index' })
      let copy: Desk | undefined
      let law = m.cash
      for (const [at, { wait, request }] of list.entries()) {
        m.venue.wait(`${wait}ms`)
        m.ask(request.account, request.method, request.params)
        if (copy === undefined && at === Math.min(cut, list.length - 1)) {
          law = m.cash.fork()
          const { desk } = m.venue
          copy = restoredDesk(desk, law.sink)
        } else if (copy !== undefined) {
          submit(copy, { ...request, time: m.venue.now, session: 0 }, null)
        }
      }
      if (copy === undefined) throw new Error('the cut lies within the list')
      law.check(copy)
      for (const query of queries) {
        expect(answer(copy, query)).toEqual(answer(m.venue.desk, query))
      }
      expect(snapshotDesk(copy)).toEqual(snapshotDesk(m.venue.desk))
    }),
    { numRuns: askedRuns(1000, 100, 100) },
  )
})
