/** Replies match the schemas of results: a strict validator checks the replies of every scenario of the repository. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import { viewSession } from '../../src/engine/index.ts'
import {
  advanceRun,
  createRun,
  finishRun,
  parseScenario,
  type RunHooks,
  type ScenarioRun,
} from '../../src/scenario/index.ts'
import type { DeskMarket, Json } from '../support/desk-market.ts'
import { DirectMarket, perpetual } from '../support/direct-market.ts'
import { ReplyChecks } from '../support/reply-checks.ts'
import { repository } from '../support/repository.ts'
import { RfqMarket } from '../support/rfq-market.ts'
import { bitcoin, WalletMarket } from '../support/wallet-market.ts'

const folder = join(repository, 'scenarios')
const elsewhere = /^(?:population|backtest)\//
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !elsewhere.test(name))
  .filter((name) => !/^strategies:/m.test(readFileSync(join(folder, name), 'utf8')))
  .toSorted()
const checks = new ReplyChecks()

test.each(files)('%s', (name) => {
  const parsed = parseScenario(readFileSync(join(folder, name), 'utf8'), name)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  const faults: string[] = []
  // Requests of the set-up are answered before the run begins, without a session.
  const runs: ScenarioRun[] = []
  const onReply: RunHooks['onReply'] = (request, reply) => {
    const [run] = runs
    const session = run && viewSession(run.desk.exchange, request.session)
    if (reply.ok) faults.push(...checks.check(request.method, reply.result, session?.type))
  }
  const run = createRun(parsed.value, { onReply })
  runs.push(run)
  while (advanceRun(run, 1_000) === 'more');
  finishRun(run)
  expect(faults).toEqual([])
})

type Ask = readonly [account: string | null, method: string, params?: Json, session?: number]

/** Sends requests to a market and returns the faults of the replies, which must be results. */
function walk(m: DeskMarket | DirectMarket, asks: readonly Ask[]): readonly string[] {
  return asks.flatMap(([account, method, params = {}, session = 0]) => {
    const result = m.result(account, method, params, session)
    return checks.check(method, result, viewSession(m.venue.desk.exchange, session)?.type)
  })
}

/** Methods that no scenario calls. */
describe('methods that no scenario calls', () => {
  test('methods of the market', () => {
    const m = new DirectMarket()
    const btc = { currency: 'BTC' }
    const book = m.result(null, 'public/get_instrument', { instrument_name: perpetual })
    expect(
      walk(m, [
        [null, 'public/get_order_book_by_instrument_id', { instrument_id: book.instrument_id }],
        [null, 'public/get_contract_size', { instrument_name: perpetual }],
        [null, 'public/get_currencies'],
        [null, 'public/get_time'],
        [null, 'public/status'],
        ['alice', 'private/get_account_summaries', { extended: true }],
        ['alice', 'private/create_subaccount'],
        ['alice', 'private/get_block_trades', btc],
        [null, 'sim/advance', { to: 1_767_606_000_000 }],
        [null, 'sim/set_faults', { faults: [{ kind: 'drop', of: 'replies' }] }],
        [null, 'sim/get_faults'],
        [null, 'sim/stop_feeds'],
        [null, 'sim/set_public_methods', { allow_unauthenticated: true }],
      ]),
    ).toEqual([])
  })

  test('methods of direct access and of gateways', () => {
    const m = new DirectMarket()
    m.connect(5, { account: 'alice', type: 'rest_gateway' })
    const group = { mmp_group_id: 1 }
    const sizes = { quantity_limit: 10, max_quote_quantity: 5 }
    const terms = { index_name: 'eth_usd', interval: 60, frozen_time: 5, ...sizes }
    m.result('alice', 'private/set_mmp_config', { ...terms, mmp_group: 'g' })
    m.result('alice', 'private/set_mmp_config', terms)
    const order = m.place('alice', 1)
    const pair = { currency_pair: 'eth_usd' }
    expect(
      walk(m, [
        ['alice', 'sim/direct/cancel_order_by_id', { order_id: order.order_id }, 1],
        ['alice', 'sim/direct/mass_cancel', pair, 1],
        ['alice', 'sim/direct/mass_quote_cancel', group, 1],
        ['alice', 'sim/direct/get_mass_quote_mmp_status', group, 1],
        ['alice', 'sim/direct/get_orders_mmp_status', pair, 1],
        ['alice', 'public/get_instruments', {}, 5],
        [null, 'sim/lock_portfolio', { account: 'alice', locked: true }],
      ]),
    ).toEqual([])
  })

  test('methods of wallets', () => {
    const m = new WalletMarket()
    const btc = { currency: 'BTC' }
    m.add('alice')
    const entry = { account: 'alice', ...btc, type: 'withdrawal', address: bitcoin }
    expect(
      walk(m, [
        ['bob', 'private/create_deposit_address', btc],
        ['bob', 'private/get_current_deposit_address', btc],
        [null, 'sim/set_address', { ...entry, status: 'ready' }],
      ]),
    ).toEqual([])
  })

  test('methods of connections and Block RFQs', () => {
    const m = new RfqMarket()
    m.result(null, 'sim/connect', { session: 1, account: 'm1' })
    m.session = 1
    const faults = walk(m, [['m1', 'private/disable_cancel_on_disconnect']])
    m.session = 0
    const rfq = m.create()
    const quote = m.quote('m1', rfq, { direction: 'buy', prices: [0.0135, 0.0135] })
    const named = { block_rfq_quote_id: quote.block_rfq_quote_id }
    expect([
      ...faults,
      ...walk(m, [
        ['m1', 'private/cancel_block_rfq_quote', named],
        ['m1', 'private/cancel_all_block_rfq_quotes'],
        ['m1', 'private/cancel_all_block_rfq_quotes', { detailed: true }],
      ]),
    ]).toEqual([])
  })
})

test('every method was checked, except those of connections and those of gateways only', () => {
  // test/server/interface.test.ts calls these.
  const ofConnections = ['auth', 'disable_heartbeat', 'exchange_token', 'fork_token', 'hello']
  const alsoPrivate = ['subscribe', 'unsubscribe', 'unsubscribe_all']
  const ofGateways = ['get_alt_risk_limits', 'lock_portfolio', 'unlock_portfolio']
  const where = 'every other method is asked by a scenario, or by a walk of this file'
  expect([...checks.unseen()].sort(), where).toEqual(
    [
      ...[...ofConnections, 'set_heartbeat', 'test', ...alsoPrivate].map((name) => `public/${name}`),
      ...[...alsoPrivate, ...ofGateways].map((name) => `private/${name}`),
      'sim/fork',
    ].sort(),
  )
})
