/**
 * Law: a desk answers every query the same after a restore. All queries of the method table are sent, for each account
 * and without one, at random cuts of random runs: orders, options, combos, settlements, deliveries, liquidations; and
 * protections with sessions, groups and the speed bump.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Micros, micros, randomStream } from '../../src/core/index.ts'
import { apply, auditCopy, stateHash } from '../../src/engine/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import type { Event } from '../../src/model/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { createDesk, type Desk, submit, type VenueReply, type VenueRequest } from '../../src/rpc/index.ts'
import { methodParams } from '../../src/testing/index.ts'
import { BlockMarket, usualTerms } from '../support/block-market.ts'
import { CommandStream, configOf, intentArbitrary, type World, worldArbitrary } from '../support/command-stream.ts'
import { DirectMarket } from '../support/direct-market.ts'
import { askedRuns, askedSeed, isWhole, sampledNumbers } from '../support/property-runs.ts'
import { intentArbitrary as protectionIntents } from '../support/protection-intents.ts'
import { runProtections } from '../support/protection-run.ts'
import { headScenario } from '../support/protection-world.ts'
import { queryNames } from '../support/query-params.ts'
import { restoredDesk } from '../support/restored-desk.ts'
import { acceptTerms, RfqMarket } from '../support/rfq-market.ts'
import { WalletMarket } from '../support/wallet-market.ts'

const nothing = { emit: (): void => undefined }

function answer(desk: Desk, request: VenueRequest): VenueReply {
  let reply: VenueReply | undefined
  submit(desk, request, (given) => {
    reply = given
  })
  if (reply === undefined) throw new Error(`${request.method} is answered at once`)
  return reply
}

/** Sends all queries to both desks, and records which methods had a result. */
function expectSameAnswers(desk: Desk, seed: number, answered: Set<string>): void {
  const copy = restoredDesk(desk)
  const chance = randomStream(seed, 'questions')
  const time: Micros = desk.exchange.now
  const names = desk.exchange.accounts.filter(({ account }) => !account.house)
  const askers = [
    ...names.map(({ account }) => ({ account: account.name, session: 0 })),
    ...[...desk.exchange.sessions.values()].flatMap(({ session, account }) => {
      const name = desk.exchange.accounts[account]?.account.name
      return name === undefined ? [] : [{ account: name, session }]
    }),
  ]
  for (const method of queryNames) {
    // A client greets over a WebSocket, which its first request opens.
    const session = method === 'public/hello' ? 999 : 0
    const who = method.startsWith('public/') ? [{ account: null, session }] : askers
    for (const { account, session } of who) {
      for (let count = 0; count < (account === null ? 6 : 2); count += 1) {
        const params = methodParams(method, desk, (choices) => chance.int(0, choices - 1))
        const request = { time, method, params, account, session }
        const own = answer(desk, request)
        expect({ request, reply: answer(copy, request) }).toEqual({ request, reply: own })
        if (own.ok) answered.add(method)
      }
    }
  }
}

/** A run of engine commands, recorded by a desk's history. */
function tradedDesk(world: World, intents: Parameters<CommandStream['next']>[0][]): Desk {
  const stream = new CommandStream(world)
  const sink = { emit: (event: Event): void => stream.observe(event) }
  const desk = createDesk({ config: configOf(world), controls: true, methods: venueMethods }, sink)
  for (const command of stream.opening()) apply(desk.exchange, command, desk.sink)
  for (const intent of intents) apply(desk.exchange, stream.next(intent), desk.sink)
  return desk
}

/** A run of requests up to a cut, at which replies may be pending. */
function protectedDesk(seed: number, share: number): Desk {
  const { sent } = runProtections(fc.sample(protectionIntents, { seed, numRuns: 60 }))
  const { config, setup, start } = headScenario()
  const desk = createDesk({ config, controls: true, methods: venueMethods }, nothing)
  for (const { method, account, params } of setup) {
    submit(desk, { time: start, method, params, account, session: 0 }, null)
  }
  for (const { method, account, session, params, at } of sent.slice(0, Math.ceil(sent.length * share))) {
    submit(desk, { time: micros(start + at), method, params, account, session }, null)
  }
  return desk
}

describe('H05 a restored desk answers like the original', () => {
  const answered = new Set<string>()

  test('at any cut of any run', () => {
    const intents = fc.array(intentArbitrary, { minLength: 20, maxLength: 90, size: 'max' })
    const property = fc.property(worldArbitrary, intents, fc.nat(1_000_000), (world, steps, seed) => {
      const desk = tradedDesk(world, steps)
      auditCopy(desk.exchange)
      expectSameAnswers(desk, seed, answered)
    })
    fc.assert(property, { ...askedSeed(5), numRuns: askedRuns(12, 1, 4) })
  }, 120_000)

  test('at any cut of runs with sessions and protections', () => {
    for (const seed of sampledNumbers(4, 1)) {
      const desk = protectedDesk(seed, (seed % 3) / 3 + 0.3)
      auditCopy(desk.exchange)
      expectSameAnswers(desk, seed, answered)
    }
  }, 120_000)

  test('with combos, and over the interface of a gateway', () => {
    const venue = openVenue({
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-FS-27MAR26_PERP', 'ETH-PERPETUAL'],
      index: { btc_usd: 90_000, eth_usd: 3000 },
      accounts: { gate: { BTC: 10, ETH: 100 } },
      permissions: { gate: { member: true } },
    })
    const session = { session: 9, account: 'gate', gateway: 'ETH_A' } as const
    expect(venue.request('sim/connect', { ...session, type: 'rest_gateway' })).toMatchObject({
      ok: true,
    })
    venue.request('sim/set_risk_limits', { index_name: 'eth_usd', max_future_position: 10 })
    for (let seed = 1; seed <= 8; seed += 1) expectSameAnswers(venue.desk, seed, answered)
  })

  test('with direct access, quotes of a group and orders under protection', () => {
    const m = new DirectMarket()
    const limits = { interval: 10, frozen_time: 0, quantity_limit: 1, max_quote_quantity: 100 }
    const group = { index_name: 'eth_usd', mmp_group: 'quotes', ...limits }
    m.result('alice', 'private/set_mmp_config', group)
    m.result('alice', 'private/set_mmp_config', { index_name: 'eth_usd', ...limits })
    m.place('alice', 1, { price: 2970 })
    auditCopy(m.venue.exchange)
    for (let seed = 1; seed <= 6; seed += 1) expectSameAnswers(m.venue.desk, seed, answered)
  })

  test('with block trades, executed and waiting for approval', () => {
    const m = new BlockMarket()
    m.trade()
    const key = { account: 'maker', name: 'desk', features: ['block_trade_approval'] }
    m.result(null, 'sim/create_key', key)
    const terms = { ...usualTerms, nonce: 'two' }
    const counterparty_signature = m.sign('maker/desk', { ...terms, role: 'maker' })
    const asked = { ...terms, role: 'taker', counterparty_signature }
    m.result('taker', 'private/execute_block_trade', asked)
    auditCopy(m.venue.exchange)
    for (let seed = 1; seed <= 6; seed += 1) expectSameAnswers(m.venue.desk, seed, answered)
  })

  test('with wallets: entries, deposits, withdrawals and transfers', () => {
    const m = new WalletMarket()
    const destination = m.befriend()
    m.ready('alice')
    m.withdraw('alice')
    m.result('alice', 'private/create_deposit_address', { currency: 'BTC' })
    m.result(null, 'sim/receive_deposit', { account: 'alice', currency: 'BTC', amount: 1 })
    const sent = { currency: 'BTC', amount: 1, destination }
    m.result('alice', 'private/submit_transfer_to_user', sent)
    auditCopy(m.venue.exchange)
    for (let seed = 1; seed <= 6; seed += 1) expectSameAnswers(m.venue.desk, seed, answered)
  })

  test('with Block RFQs, quoted, waiting for quotes and filled', () => {
    const m = new RfqMarket()
    const filled = m.create()
    m.quote('m1', filled, { prices: [0.05, 0.02] })
    m.pass('5s')
    m.accept(filled, { price: 0.01 })
    const open = m.create({ makers: ['M1', 'M2'] })
    m.quote('m1', open, { prices: [0.05, 0.02] })
    m.pass('5s')
    m.accept(open, { price: 0.005, time_in_force: 'good_til_cancelled' })
    auditCopy(m.venue.exchange)
    for (let seed = 1; seed <= 6; seed += 1) expectSameAnswers(m.venue.desk, seed, answered)
    // A copy that was cut between quote and acceptance fills like the run.
    const copy = restoredDesk(m.venue.desk)
    const params = acceptTerms(open, { price: 0.01 })
    const request = {
      time: m.venue.now,
      method: 'private/accept_block_rfq',
      params,
      account: 'taker',
      session: 0,
    }
    expect(answer(copy, request)).toEqual(answer(m.venue.desk, request))
    expect(stateHash(copy.exchange)).toBe(stateHash(m.venue.desk.exchange))
  })

  test.runIf(isWhole)('and every query had a result at least once', () => {
    // A query without any result would prove nothing.
    expect(queryNames.filter((name) => !answered.has(name))).toEqual([])
  })

  test('also for a delivered option', () => {
    const instruments = ['BTC-6JAN26-100000-P', 'BTC-6JAN26-100000-C', 'BTC-6JAN26']
    const venue = openVenue({
      ...{ start: '2026-01-06T07:00:00Z', instruments, index: { btc_usd: 90_000 } },
      accounts: { alice: { BTC: 10 } },
    })
    venue.at('2026-01-06T09:00:00Z').request('public/get_time', {})
    const copy = restoredDesk(venue.desk)
    for (const instrument_name of instruments) {
      const [amount, price] = instrument_name === 'BTC-6JAN26' ? [1000, 90_000] : [15, 0.0002]
      const params = { instrument_name, amount, price }
      const request = {
        time: venue.now,
        method: 'private/get_margins',
        params,
        account: 'alice',
        session: 0,
      }
      expect(answer(copy, request)).toEqual(answer(venue.desk, request))
    }
  })
})
