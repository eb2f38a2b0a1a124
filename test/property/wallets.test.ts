/**
 * Laws of wallets over random requests: money is conserved, also while withdrawals are pending; a refused request
 * changes nothing; repeated requests lead to the same state and events wherever the desk is cut; and no event contains
 * data of beneficiaries.
 *
 * The venue of these tests checks the laws of state and cash after each request (`desk-market.ts`).
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceTo, auditCopy, type Exchange, stateHash, totalCash } from '../../src/engine/index.ts'
import { cashOf } from '../../src/ledger/index.ts'
import { controlledStates, currencyIdOf, type Event } from '../../src/model/index.ts'
import { type Desk, submit } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'
import { restoredDesk } from '../support/restored-desk.ts'
import { bitcoin, details, ethereum, WalletMarket } from '../support/wallet-market.ts'

const accounts = ['alice', 'bob', 'third', 'alice_1'] as const
const currencies = ['BTC', 'USDC'] as const
const settings = {
  addressWait: 60_000_000,
  confirmationTime: 150_000_000,
  completionTime: 100_000_000,
  depositTime: 80_000_000,
  fees: { BTC: 7n, USDC: 1_000_000_000n },
}

const step = fc.record({
  what: fc.constantFrom(
    ...['add', 'ready', 'update', 'remove', 'address', 'receive', 'withdraw', 'withdraw'],
    ...['cancel', 'befriend', 'send', 'send', 'revoke', 'move', 'move', 'move', 'hold', 'wait'],
    ...['type', 'trade'],
  ),
  account: fc.constantFrom('alice', ...accounts),
  currency: fc.constantFrom('BTC', ...currencies),
  amount: fc.constantFrom(1, 0.5, 9, 400, 1e-9, 0, -1, 12),
  id: fc.integer({ min: 1, max: 5 }),
  sort: fc.constantFrom('deposit', 'withdrawal', 'transfer'),
  state: fc.nat(4),
  nonce: fc.constantFrom(undefined, undefined, 'nonce-one', 'nonce-two'),
  tag: fc.constantFrom(undefined, '1', '2'),
  isHeld: fc.boolean(),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Parameters without undefined ones. */
function given(params: Json): Json {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined))
}

interface Sent {
  readonly account: string | null
  readonly method: string
  readonly params: Json
  readonly time: number
}

/** A market that records its requests and replies. */
class RememberingMarket extends WalletMarket {
  readonly sent: Sent[] = []
  /** Successful replies, by method. */
  readonly done = new Map<string, number>()

  override ask(account: string | null, method: string, params: Json = {}): Json {
    const reply = super.ask(account, method, params)
    this.remembered().push({ account, method, params, time: this.venue.now })
    if (reply.ok) this.doneNow().set(method, (this.doneNow().get(method) ?? 0) + 1)
    return reply
  }

  // The base class sends requests before the fields of this class exist.
  private remembered(): Sent[] {
    return this.sent ?? []
  }

  private doneNow(): Map<string, number> {
    return this.done ?? new Map()
  }
}

const placeOf = (currency: string): string => (currency === 'BTC' ? bitcoin : ethereum)

/** Sends the request of a step; refusals are answers too. */
function take(m: RememberingMarket, each: Step): void {
  const { what, account, currency, amount, id, sort, state, nonce, tag, isHeld } = each
  const entry = given({ currency, type: 'withdrawal', address: placeOf(currency), tag })
  switch (what) {
    case 'add':
      m.ask(account, 'private/add_to_address_book', { ...entry, ...details })
      return
    case 'ready':
      m.ask(null, 'sim/set_address', { account, ...entry, status: isHeld ? 'waiting' : 'ready' })
      return
    case 'update':
      m.ask(account, 'private/update_in_address_book', { ...entry, ...details, label: what })
      return
    case 'remove':
      m.ask(account, 'private/remove_from_address_book', {
        ...entry,
        currency: isHeld ? 'all' : currency,
      })
      return
    case 'address':
      m.ask(account, 'private/create_deposit_address', { currency })
      return
    case 'receive':
      m.ask(null, 'sim/receive_deposit', { account, currency, amount })
      return
    case 'withdraw': {
      const sent = given({ currency, address: placeOf(currency), amount, nonce, tag })
      const { ok } = m.ask(account, 'private/withdraw', sent)
      const last = { id: lastOf(m, 'withdrawal'), state: 'confirmed' }
      if (ok && isHeld) m.ask(null, 'sim/move_withdrawal', last)
      return
    }
    case 'cancel':
      m.ask(account, 'private/cancel_withdrawal', {
        currency,
        id: isHeld ? lastOf(m, 'withdrawal') : id,
      })
      return
    case 'befriend':
    case 'send': {
      const reply = m.ask('bob', 'private/get_current_deposit_address', { currency })
      const address = reply.ok ? reply.result.address : bitcoin
      const friend = { currency, type: 'transfer', address, ...details }
      if (what === 'befriend') m.ask(account, 'private/add_to_address_book', friend)
      const sent = given({ currency, amount, destination: address, nonce })
      m.ask(account, 'private/submit_transfer_to_user', sent)
      return
    }
    case 'revoke':
      m.ask(account, 'private/cancel_transfer_by_id', {
        currency,
        id: isHeld ? lastOf(m, 'transfer') : id,
      })
      return
    case 'move':
      m.ask(null, `sim/move_${sort}`, {
        id: isHeld ? lastOf(m, sort) : id,
        state: controlledStates[sort][state % controlledStates[sort].length] ?? '',
      })
      return
    case 'hold':
      m.ask(null, 'sim/hold_transfers', { held: isHeld })
      return
    case 'type':
      m.ask(null, 'sim/set_wallet_type', { account, type: isHeld ? 'third_party' : 'legacy' })
      return
    case 'trade':
      m.ask(account, 'private/buy', {
        ...{ instrument_name: 'BTC-PERPETUAL', amount: 100_000, price: 50_000 },
        time_in_force: 'good_til_cancelled',
      })
      return
    default:
      m.venue.wait('90s')
  }
}

/** The number of the last payment of a sort. */
function lastOf({ venue: { exchange } }: RememberingMarket, sort: Step['sort']): number {
  const { depositCount, withdrawalCount } = exchange.wallets
  if (sort === 'transfer') return exchange.transferCount
  return sort === 'deposit' ? depositCount : withdrawalCount
}

function run(
  steps: readonly Step[],
  { emit, after }: { emit: (event: Event) => void; after: (m: RememberingMarket) => void },
): RememberingMarket {
  const m = new RememberingMarket(settings, { emit })
  for (const currency of currencies) {
    for (const account of ['alice', 'bob']) {
      m.ask(account, 'private/create_deposit_address', { currency })
      m.ask(account, 'private/add_to_address_book', {
        ...{ currency, type: 'withdrawal', address: placeOf(currency) },
        ...details,
      })
    }
  }
  const { address } = m.ask('bob', 'private/get_current_deposit_address', {
    currency: 'BTC',
  }).result
  m.ask('alice', 'private/add_to_address_book', {
    ...{ currency: 'BTC', type: 'transfer', address },
    ...details,
  })
  m.venue.wait('61s')
  for (const each of steps) {
    take(m, each)
    after(m)
  }
  return m
}

const steps = fc.array(step, { minLength: 40, maxLength: 60, size: 'max' })

/** Money of pending withdrawals, from the accounts and from the withdrawals themselves. */
function expectTransit(exchange: Exchange): void {
  const { transit, payments } = exchange.wallets
  for (const currency of currencies) {
    const id = currencyIdOf(currency)
    const waits = transit < 0 ? 0n : cashOf(exchange.ledger, transit * 16 + id)
    const own = [...payments.values()].filter((each) => each.type === 'withdrawal' && each.currency === currency)
    const booked = own.filter(({ state }) => state === 'confirmed' || state === 'interrupted')
    expect(waits).toBe(booked.reduce((sum, { amount, fee }) => sum + amount + fee, 0n))
    expect(own.every(({ state, confirmedAt }) => (state === 'unconfirmed') === (confirmedAt === null))).toBe(true)
  }
}

test('money is conserved over deposits, pending withdrawals and transfers, and most of them succeed', () => {
  const reached = new Map<string, number>()
  const property = fc.property(steps, (taken) => {
    // Money from outside, less money sent there, by currency.
    const outside = new Map<string, bigint>()
    const emit = (event: Event): void => {
      if (event.kind !== 'payment') return
      reached.set(event.state, (reached.get(event.state) ?? 0) + 1)
      if (event.state !== 'completed') return
      const sign = event.type === 'deposit' ? 1n : -1n
      outside.set(event.currency, (outside.get(event.currency) ?? 0n) + sign * event.amount)
    }
    const before = new Map<string, bigint>()
    const m = run(taken, {
      emit,
      after: ({ venue: { exchange, now, desk } }) => {
        advanceTo(exchange, now, desk.sink)
        for (const currency of currencies) {
          const cash = totalCash(exchange, currencyIdOf(currency)) - (outside.get(currency) ?? 0n)
          expect(cash).toBe(before.get(currency) ?? cash)
          before.set(currency, cash)
        }
        expectTransit(exchange)
      },
    })
    auditCopy(m.venue.exchange)
  })
  fc.assert(property, { ...askedSeed(7), numRuns: askedRuns(40, 1, 4) })
  if (!isWhole) return
  // Each state of the laws is reached.
  const states = ['pending', 'completed', 'unconfirmed', 'confirmed', 'cancelled', 'rejected']
  for (const state of [...states, 'prepared', 'interrupted', 'waiting_for_admin']) {
    expect(reached.get(state), state).toBeGreaterThan(0)
  }
})

test('the requests of a run, repeated, give the same state and events, even if the desk is cut before any of them', () => {
  const property = fc.property(steps, fc.nat(60), (taken, cut) => {
    const reported: Event[] = []
    const m = run(taken, { emit: (event) => void reported.push(event), after: () => undefined })
    const hash = stateHash(m.venue.exchange)
    const again: Event[] = []
    const sink = { emit: (event: Event) => void again.push(event) }
    let desk: Desk = new WalletMarket(settings, sink).venue.desk
    for (const [at, { account, method, params, time }] of m.sent.entries()) {
      if (at === cut) desk = restoredDesk(desk, sink)
      submit(desk, { time: time as never, method, params, account, session: 0 }, null)
    }
    advanceTo(desk.exchange, m.venue.now, desk.sink)
    expect(stateHash(desk.exchange)).toBe(hash)
    expect(again).toEqual(reported)
  })
  fc.assert(property, { ...askedSeed(11), numRuns: askedRuns(40, 1, 4) })
})

test('R57 no event contains data of beneficiaries', () => {
  const property = fc.property(steps, (taken) => {
    const secret = new RegExp([details.beneficiary_first_name, details.beneficiary_address, details.label].join('|'))
    const emit = (event: Event): void => {
      const text = JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      expect(text).not.toMatch(secret)
    }
    run(taken, { emit, after: () => undefined })
  })
  fc.assert(property, { ...askedSeed(13), numRuns: askedRuns(20, 1, 2) })
})
