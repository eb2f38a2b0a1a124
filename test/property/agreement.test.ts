/**
 * The engine and the naive exchange agree: event by event, and after every command in cash, equity,
 * margins, reserves, positions and queues. Every command passes the laws of `laws.ts`.
 *
 * PITCLOCK_RUNS sets the number of runs; the seed of a failure is printed and replays it.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remainingOf, visitOrders } from '../../src/book/index.ts'
import { accountId, instrumentId } from '../../src/core/index.ts'
import { createExchange, type Exchange, viewPosition, viewWallet } from '../../src/engine/index.ts'
import { orderAt } from '../../src/engine/state/orders.ts'
import { readHolding } from '../../src/ledger/index.ts'
import type { Event } from '../../src/model/index.ts'
import {
  CommandStream,
  configOf,
  type Intent,
  intentArbitrary,
  type World,
  worldArbitrary,
} from '../support/command-stream.ts'
import { applyLawfully, Laws } from '../support/laws.ts'
import { NaiveExchange } from '../support/naive-exchange.ts'

const runs = Number(process.env['PITCLOCK_RUNS'] ?? 300)

/** Runs both and compares after every command. Returns how many events there were. */
function compareRun(world: World, intents: readonly Intent[]): readonly Event[] {
  const stream = new CommandStream(world)
  const laws = new Laws()
  const exchange = createExchange(configOf(world), laws)
  const naive = new NaiveExchange(configOf(world))
  const all: Event[] = []
  const step = (command: ReturnType<CommandStream['next']>): void => {
    const events = applyLawfully(exchange, command, laws)
    compareEvents(events, naive.apply(command))
    compareState(exchange, naive)
    for (const event of events) stream.observe(event)
    all.push(...events)
  }
  for (const command of stream.opening()) step(command)
  for (const intent of intents) step(stream.next(intent))
  return all
}

/** Compares quickly, and shows the difference only where there is one. */
function same(engine: unknown, naive: unknown): void {
  if (!isDeepStrictEqual(engine, naive)) expect(engine).toEqual(naive)
}

function compareEvents(engine: readonly Event[], naive: readonly Event[]): void {
  same(engine.length, naive.length)
  for (const [at, event] of engine.entries()) {
    const twin = naive[at]
    if (twin === undefined || !('averagePrice' in event && 'averagePrice' in twin)) {
      same(event, twin)
      continue
    }
    // Sums of coin are kept to 1e-18, which can move the eighth decimal of an average by one.
    const near = Math.abs(event.averagePrice - twin.averagePrice) <= 10
    same(event, near ? { ...twin, averagePrice: event.averagePrice } : twin)
  }
}

function compareState(exchange: Exchange, naive: NaiveExchange): void {
  for (let account = 0; account < naive.accounts.length; account += 1) {
    for (const currency of ['BTC', 'ETH', 'USDC'] as const) {
      const wallet = viewWallet(exchange, accountId(account), currency)
      const { balance, equity, initialMargin, maintenanceMargin, spotReserve, available } = wallet
      same(
        [balance, equity, initialMargin, maintenanceMargin, spotReserve, available],
        naive.wallet(account, currency),
      )
    }
  }
  for (const [at, market] of naive.markets.entries()) {
    const row = exchange.instruments[at]
    if (row === undefined) throw new Error('both list the same instruments')
    for (const holding of row.holdings) {
      const account = exchange.holdings[holding]?.account ?? -1
      const { size, entry, session, realized } = readHolding(exchange.ledger, holding)
      const twin = naive.position(market, account)
      same(
        [size, entry, session, realized],
        [...[Number(twin.size), twin.entry, twin.session, twin.realized]],
      )
      const view = viewPosition(exchange, accountId(account), instrumentId(at))
      same(view.initialMargin, naive.initial(market, account))
    }
    for (const side of ['buy', 'sell'] as const) {
      const queue: (readonly [number, number])[] = []
      visitOrders(row.book, side, (slot) => {
        queue.push([orderAt(exchange, slot).id, remainingOf(exchange.slots, slot)])
      })
      const twin = naive.queue(market, side)
      same(
        queue,
        twin.map(({ id, amount, filled }) => [id, Number(amount - filled)]),
      )
    }
  }
}

describe('the engine agrees with the naive exchange', () => {
  test('on random command streams over random worlds', () => {
    const seen = new Map<string, number>()
    const intents = fc.array(intentArbitrary, { maxLength: 120, size: 'max' })
    fc.assert(
      fc.property(worldArbitrary, intents, (world, steps) => {
        for (const event of compareRun(world, steps)) {
          const key = event.kind === 'request_refused' ? event.refusal.reason : event.kind
          seen.set(key, (seen.get(key) ?? 0) + 1)
        }
      }),
      { numRuns: runs, endOnFailure: false },
    )
    // The streams reach what they are for.
    for (const key of [
      ...['trade', 'order_opened', 'order_filled', 'order_rested', 'order_edited'],
      ...['order_cancelled', 'cash_posted', 'position_given', 'index_changed', 'mark_changed'],
      ...['qty_too_low', 'order_overlap', 'order_not_found', 'not_enough_funds', 'already_closed'],
      ...['not_owner_of_order', 'invalid_amount', 'not_open_order', 'post_only_reject'],
      ...['timed_out', 'price_too_high', 'price_too_low', 'not_enough_funds_in_currency'],
      ...['pme_max_future_open_orders', 'max_spot_open_orders', 'unsupported_arg_combination'],
      ...['invalid_params'],
    ]) {
      expect([key, seen.get(key) ?? 0]).not.toEqual([key, 0])
    }
  })
})
