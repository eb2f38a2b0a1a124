/**
 * Runs the engine and the naive exchange on the same commands. After each command it compares events, cash, equity,
 * margins, reserves, positions, queues and live orders, and checks the laws of `laws.ts`.
 */

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { remainingOf, shownOf, visitOrders } from '../../src/book/index.ts'
import { accountId, dayBoundaryAfter, instrumentId, micros } from '../../src/core/index.ts'
import {
  applyMarketMessage,
  type Exchange,
  marginsOf,
  openOrders,
  viewMarket,
  viewPosition,
} from '../../src/engine/index.ts'
import { readHolding } from '../../src/ledger/index.ts'
import { anyOrder, type Command, type Event, type MarketMessage } from '../../src/model/index.ts'
import {
  CommandStream,
  configOf,
  exchangeOf,
  type Intent,
  intentArbitrary,
  type World,
  worldArbitrary,
} from './command-stream.ts'
import { wordOf } from './event-words.ts'
import { applyLawfully, Laws } from './laws.ts'
import { NaiveExchange } from './naive-exchange.ts'
import { remainingOf as naiveRemaining } from './naive-orders.ts'
import { orderInSlot } from './order-records.ts'
import { askedRuns, askedSeed, unreached } from './property-runs.ts'
import { shrunkSteps, writeShrunk } from './shrunk-run.ts'

/**
 * Runs of each of the two halves: a quarter of PITCLOCK_RUNS, because one run drives two exchanges and checks every
 * law. With few runs the check of `reached` may fail.
 */
export const agreementRuns = askedRuns(2000, 4, 24)

/** Words that some hundred runs of the streams must reach. */
const reached = [
  ...['trade', 'book_maker', 'hidden', 'order opened', 'order filled', 'order rested'],
  ...['order edited', 'order resized', 'order refreshed', 'order triggered', 'order rejected'],
  ...['order cancelled', 'cash', 'given_position', 'index', 'mark'],
  ...['self_trading', 'state', 'instrument'],
  ...['mark index', 'mark set', 'mark fair', 'mark delivery'],
  ...['funding_rate', 'funding', 'delivery_price', 'delivery fee'],
  ...['settlement settlement', 'settlement delivery'],
  ...['instrument_settlement settlement', 'instrument_settlement delivery'],
  ...['bankruptcy', 'shared_loss', 'currency_bankruptcy', 'settled late'],
  ...['qty_too_low', 'order_overlap', 'order_not_found', 'not_enough_funds', 'already_closed'],
  ...['not_owner_of_order', 'invalid_amount', 'not_open_order', 'post_only_reject', 'timed_out'],
  ...['price_too_high', 'price_too_low', 'not_enough_funds_in_currency', 'invalid_params'],
  ...['pme_max_total_open_orders', 'pme_max_future_open_orders', 'max_spot_open_orders'],
  ...['no_more_triggers', 'no_more_oto_orders', 'unsupported_arg_combination', 'retry'],
  ...['invalid_price', 'price_wrong_tick', 'invalid_max_show_amount', 'trigger_price_wrong_tick'],
  ...['trigger_price_too_high', 'trigger_price_too_low', 'invalid_trigger_price', 'book_closed'],
  ...['settlement_in_progress', 'locked_by_admin', 'invalid_args_for_instrument'],
  ...['other_reject no_opposite_price', 'other_reject reduce_direction'],
  ...['user_request', 'risk_mitigation', 'edit_post_only_reject', 'oco_other_closed'].map(cancelled),
  ...['oto_primary_closed', 'settlement', 'time_in_force', 'expiry'].map(cancelled),
  ...['order resized reduce_only', 'order resized linked_order'],
  ...['reduce_direction', 'not_enough_funds', 'order_overlap', 'post_only'].map(rejected),
  ...['max_open_orders', 'book_closed', 'price_too_high', 'price_too_low'].map(rejected),
  ...['no_opposite_price', 'trigger_price_too_high', 'trigger_price_too_low'].map(rejected),
]

/** Words that the runs did not reach. */
export function notReached(seen: ReadonlyMap<string, number>): readonly string[] {
  return unreached(reached, seen)
}

function cancelled(reason: string): string {
  return `order cancelled ${reason}`
}

function rejected(reason: string): string {
  return `order rejected ${reason}`
}

/** Runs both exchanges and compares them after every command. `onCommand` gets each command with its events. */
export function compareRun(
  world: World,
  intents: readonly Intent[],
  onCommand: (command: Command, events: readonly Event[]) => void,
): void {
  const pair = new Pair(world)
  for (const intent of intents) {
    const command = pair.stream.next(intent)
    onCommand(command, pair.apply(command))
  }
}

/** Like `compareRun`, but every fourth step is a recorded message with index and mark prices. */
export function compareWithFeed(
  world: World,
  intents: readonly Intent[],
  onEvents: (events: readonly Event[]) => void,
): void {
  const pair = new Pair(world)
  for (const intent of intents) {
    const isRecorded = intent.pick % 4 === 1
    onEvents(isRecorded ? pair.report(pair.stream.ticker(intent)) : pair.apply(pair.stream.next(intent)))
  }
}

/** The engine and the naive exchange of one world, with their command stream. */
class Pair {
  readonly stream: CommandStream
  private readonly laws = new Laws()
  private readonly exchange: Exchange
  private readonly naive: NaiveExchange

  constructor(world: World) {
    this.stream = new CommandStream(world)
    const opening: Event[] = []
    const sink = { emit: (event: Event): void => void [this.laws.emit(event), opening.push(event)] }
    this.exchange = exchangeOf(world, sink)
    this.naive = new NaiveExchange(configOf(world))
    this.compare(opening, this.naive.beginning)
    for (const command of this.stream.opening()) this.apply(command)
  }

  /** Both apply a command and must agree. */
  apply(command: Command): readonly Event[] {
    const expected = this.naive.apply(command)
    const isRefused = expected.some(({ kind }) => kind === 'refusal')
    this.compare(applyLawfully(this.exchange, command, this.laws, isRefused), expected)
    return expected
  }

  /** Both take a recorded message of an index and must agree. */
  report(message: MarketMessage): readonly Event[] {
    const { time, instrument, rows } = message
    const reported = [...rows.price].map((index, at) => ({ index, mark: rows.amount[at] ?? 0 }))
    const expected = this.naive.record({ time, instrument, rows: reported })
    const events: Event[] = []
    const sink = { emit: (event: Event): void => void [this.laws.emit(event), events.push(event)] }
    applyMarketMessage(this.exchange, message, sink)
    this.laws.check(this.exchange)
    this.compare(events, expected)
    return expected
  }

  private compare(events: readonly Event[], expected: readonly Event[]): void {
    compareEvents(events, expected)
    for (const event of expected) this.stream.observe(event)
    // A command without other events, such as a query or a refused request, changed nothing.
    if (expected.some(({ kind }) => kind !== 'request' && kind !== 'refusal')) {
      this.naive.margins.unchanged(() => compareState(this.exchange, this.naive))
    }
  }
}

/**
 * Runs random streams over random worlds from a seed, or from that of PITCLOCK_SEED (`random` for a new
 * one). Returns how often each word was reached. A failure is shrunk and written as a scenario, and names
 * the seed that replays it.
 */
export function agreeOnStreams(runs: number, preset: number): ReadonlyMap<string, number> {
  const seen = new Map<string, number>()
  const count = (_command: Command, events: readonly Event[]): void => {
    for (const word of events.flatMap(wordsOf)) seen.set(word, (seen.get(word) ?? 0) + 1)
  }
  const intents = fc.array(intentArbitrary, { maxLength: 120, size: 'max' })
  const property = fc.property(worldArbitrary, intents, (world, steps) => {
    compareRun(world, steps, count)
  })
  const details = fc.check(property, { numRuns: runs, endOnFailure: true, ...askedSeed(preset) })
  if (details.counterexample !== null) {
    const [world, steps] = details.counterexample
    const problemOf = (some: readonly Intent[]): string | null => {
      try {
        compareRun(world, some, () => {})
        return null
      } catch (error) {
        return String(error)
      }
    }
    const shrunk = shrunkSteps(steps, (some) => problemOf(some) !== null)
    const problem = problemOf(shrunk) ?? String(details.errorInstance)
    const path = writeShrunk(world, shrunk, { seed: details.seed, problem })
    throw new Error(`run ${details.numRuns} of PITCLOCK_SEED=${details.seed}, see ${path}`, {
      cause: details.errorInstance,
    })
  }
  return seen
}

/** The words that an event counts for: its kind, its reason, its refusal, the rule of its maker's fill. */
function wordsOf(event: Event): readonly string[] {
  if (event.kind === 'refusal') return [event.refusal.reason]
  if (event.kind === 'trade') return [event.kind, event.maker.rule]
  if (event.kind === 'mark') return [event.kind, `mark ${event.source}`]
  if (event.kind === 'settlement' || event.kind === 'instrument_settlement') {
    const word = `${event.kind} ${event.type}`
    if ('fee' in event) return event.fee === 0n ? [word] : [word, 'delivery fee']
    const isLate = event.time !== dayBoundaryAfter(micros(event.time - 1))
    return isLate ? [word, 'settled late'] : [word]
  }
  const reason = 'reason' in event ? event.reason : null
  const word = wordOf(event)
  return reason === null ? [word] : [word, `${word} ${reason}`]
}

/** Compares quickly, and computes the difference only if the values differ. */
function same(engine: unknown, naive: unknown): void {
  if (!isDeepStrictEqual(engine, naive)) expect(engine).toEqual(naive)
}

function compareEvents(engine: readonly Event[], naive: readonly Event[]): void {
  for (const [at, twin] of naive.entries()) {
    const event = engine[at]
    if (event === undefined) same(event, twin)
    else if ('averagePrice' in event && 'averagePrice' in twin) same(event, nearest(event, twin))
    else if ('maintenance' in event && 'maintenance' in twin) same(event, withNear(event, twin))
    else same(event, twin)
  }
  same(engine[naive.length], undefined)
}

/** Sums of coin are kept to 1e-18, which can move the eighth decimal of an average by one. */
function nearest<T extends { readonly averagePrice: number }>(engine: { readonly averagePrice: number }, naive: T): T {
  const near = Math.abs(engine.averagePrice - naive.averagePrice) <= 10
  return near ? { ...naive, averagePrice: engine.averagePrice } : naive
}

/** The margins of an account or of an event, in nano. */
interface Margins {
  readonly initial: bigint
  readonly maintenance: bigint
  readonly available?: bigint
}

/**
 * A scenario rounds the profit of an option once, to 1e-9 for one coin, and the oracle's doubles may round a tie in
 * USDC to the other side. Such a difference is about 1e-12 of a margin; a wrong rule makes a larger one.
 */
function withNear<T extends Margins>(engine: Margins, naive: T): T {
  const [initial, maintenance] = [engine.initial, engine.maintenance]
  const isNear = isNearMargin(initial, naive.initial) && isNearMargin(maintenance, naive.maintenance)
  if (!isNear || naive.available === undefined) return isNear ? { ...naive, initial, maintenance } : naive
  return { ...naive, initial, maintenance, available: naive.available + naive.initial - initial }
}

function isNearMargin(engine: bigint, naive: bigint): boolean {
  const difference = engine < naive ? naive - engine : engine - naive
  return difference <= naive / 100_000_000_000n
}

function compareState(exchange: Exchange, naive: NaiveExchange): void {
  for (let account = 0; account < naive.state.accounts.length; account += 1) {
    for (const currency of ['BTC', 'ETH', 'USDC'] as const) {
      const margins = marginsOf(exchange, accountId(account), currency)
      const { usd, currency: _currency, ...wallet } = margins
      const twin = naive.margins.wallet(account, currency)
      const isPortfolio = naive.state.accounts[account]?.model.endsWith('_pm')
      same(wallet, isPortfolio ? withNear(wallet, twin) : twin)
    }
    compareOrders(exchange, naive, account)
  }
  for (const [at, market] of naive.state.markets.entries()) {
    const row = exchange.instruments[at]
    if (row === undefined) throw new Error('both list the same instruments')
    for (const holding of row.holdings) {
      const account = exchange.holdings[holding]?.account ?? -1
      const { size, entry, day, realized } = readHolding(exchange.ledger, holding)
      const twin = naive.state.upToDate(market, account)
      const view = viewPosition(exchange, accountId(account), instrumentId(at))
      // Under the other models, the margin of a position is part of the margin of its pair or of the whole account.
      const isOwn = naive.state.accounts[account]?.model === 'segregated_sm'
      same(
        [size, entry, day, realized, view.funding, isOwn ? view.initialMargin : 0n],
        [
          ...[Number(twin.size), twin.entry, twin.session, twin.realized, twin.funding],
          isOwn ? naive.margins.initial(market, account) : 0n,
        ],
      )
    }
    const view = viewMarket(exchange, instrumentId(at))
    same(
      [view.mark, view.funding?.rate8 ?? 0, view.funding?.accumulated ?? 0n],
      [Number(market.mark), Number(market.rate), naive.state.accumulatedNow(market)],
    )
    for (const side of ['buy', 'sell'] as const) {
      const queue: (readonly [number, number, number])[] = []
      visitOrders(row.book, side, (slot) => {
        const left = remainingOf(exchange.slots, slot)
        const { id } = orderInSlot(exchange, slot)
        queue.push([id, left, shownOf(exchange.slots, slot)])
      })
      const twin = naive.orders.queue(market, side)
      same(
        queue,
        twin.map((order) => [order.id, Number(naiveRemaining(order)), Number(order.tip)]),
      )
    }
  }
}

function compareOrders(exchange: Exchange, naive: NaiveExchange, account: number): void {
  const views = openOrders(exchange, accountId(account), anyOrder)
  const byId = [...views].sort((a, b) => a.order.id - b.order.id)
  const twins = naive.viewOrders(account)
  same(byId.length, twins.length)
  for (const [at, twin] of twins.entries()) {
    const view = byId[at]
    if (view === undefined) return
    const { order, price, filled, averagePrice, createdAt, updatedAt, state, shown } = view
    const engine = {
      ...{ id: order.id, account: view.account, instrument: view.instrument.id, price },
      ...{ amount: order.amount, filled, display: order.display, averagePrice },
      ...{ createdAt, updatedAt, state, rested: view.rested, shown },
      ...{ trigger: view.trigger, links: view.links },
    }
    same(engine, nearest(view, twin))
  }
}
