/**
 * A replay market and its oracle: both take each step, and then the test compares their fills, outcomes, resting orders
 * with their places, positions and recorded levels, and checks the laws of recorded liquidity.
 *
 * Laws: fills from one recorded row never exceed its size; a message never puts more size ahead of an order; no order
 * rests while recorded liquidity remains at its price; sizes sum to zero including the account `market`; only deposits
 * change cash; level events add up to the visible book; events are numbered without gaps. `ReplayMarket` runs the
 * whole-state audit.
 */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import { aheadOf, priceOf, recordedLevels, recordedOf, remainingOf, visitOrders } from '../../src/book/index.ts'
import { assert, defined, type OrderId, ticks } from '../../src/core/index.ts'
import { viewDepth, viewPosition } from '../../src/engine/index.ts'
import { type Event, type ExchangeConfig, makeOrderId, numberOfId } from '../../src/model/index.ts'
import { type NaiveEntry, type NaiveOrder, NaiveReplay } from './naive-replay.ts'
import { orderInSlot } from './order-records.ts'
import { ReplayMarket, type WrittenRow } from './replay-market.ts'

const sides = ['buy', 'sell'] as const

/** A replay market and its oracle. */
export class ReplayDuel {
  readonly market: ReplayMarket
  readonly naive: NaiveReplay
  /** Counts of the fills by rule, the outcomes, and the findings. */
  readonly seen = new Map<string, number>()
  private readonly accounts: readonly string[]
  private readonly cash: bigint
  private readonly roomOfRow = new Map<number, number>()
  /** The book that the level events of the run add up to. */
  private readonly reported = { buy: new Map<number, number>(), sell: new Map<number, number>() }
  private reportedEvents = 0
  private number = 0
  private numberedEvents = 0
  private rows = 0
  private fills = 0

  constructor(config: Pick<ExchangeConfig, 'selfMatch'> & Partial<ExchangeConfig>, accounts: readonly string[]) {
    this.accounts = accounts
    this.market = new ReplayMarket(config, accounts)
    this.naive = new NaiveReplay(config.selfMatch)
    this.cash = this.market.cash()
  }

  /** Live orders, bids first, each side in match order. */
  live(): readonly NaiveOrder[] {
    return [...this.naive.queue('buy'), ...this.naive.queue('sell')]
  }

  place(entry: NaiveEntry): void {
    const { account, type, timeInForce, postOnly, price } = entry
    const limit = type === 'limit' ? ticks(price) : null
    this.command(
      () => this.market.order(account, entry, { type, timeInForce, postOnly, price: limit }),
      () => this.naive.place(entry),
    )
  }

  cancel(account: string, number: number): void {
    this.command(
      () => this.market.cancel(account, this.idOf(number)),
      () => this.naive.cancel(account, number),
    )
  }

  edit(account: string, number: number, to: { readonly price: number; readonly lots: number }): void {
    this.command(
      () => this.market.edit(account, this.idOf(number), to),
      () => this.naive.edit(account, number, to),
    )
  }

  book(rows: readonly WrittenRow[], options: { readonly snapshot: boolean; readonly uncross: boolean }): void {
    this.message(() => {
      const reported = this.numbered(rows)
      const finding = this.market.report('book', rows, options)
      this.naive.now = this.market.exchange.now
      same(finding, this.naive.book(reported, options))
      for (const { row, size } of this.naive.refreshed) {
        this.roomOfRow.set(row, size)
        this.count('refreshed')
      }
      if (finding.crossed) this.count(options.uncross ? 'uncrossed' : 'crossed')
      if (finding.unknownRemovals > 0) this.count('unknown_removal')
    })
  }

  trades(rows: readonly WrittenRow[]): void {
    this.message(() => {
      const reported = this.numbered(rows)
      this.market.report('trades', rows)
      this.naive.now = this.market.exchange.now
      this.naive.trades(reported)
    })
  }

  /** Compares the recorded levels of both. */
  compareLevels(): void {
    const recorded = this.market.exchange.instruments[0]?.book.recorded ?? undefined
    const book = defined(recorded, 'the instrument has a replay book')
    for (const side of sides) {
      same(
        recordedLevels(recordedOf(book, side)),
        this.naive.prices(side).map((price) => {
          const { size, taken, row } = defined(this.naive.levels[side].get(price), 'a level')
          return { price, size, taken, source: row }
        }),
      )
    }
  }

  /** Moves the time before the next step. */
  wait(micros: number): void {
    this.market.wait(micros)
  }

  private command(send: () => void, sendNaive: () => string): void {
    const from = this.market.events.length
    send()
    this.naive.now = this.market.exchange.now
    const outcome = sendNaive()
    same(outcomeOf(this.market.events.slice(from)), outcome)
    this.count(outcome)
    this.compare()
  }

  private message(report: () => void): void {
    const before = new Map(this.places())
    report()
    for (const [order, ahead] of this.places()) {
      assert(ahead <= (before.get(order) ?? -1), 'a message never puts more ahead of an order')
    }
    this.compare()
  }

  private numbered(rows: readonly WrittenRow[]) {
    return rows.map(([side, price, lots]) => {
      this.rows += 1
      this.roomOfRow.set(this.rows, lots)
      return { side, price, lots, row: this.rows }
    })
  }

  private compare(): void {
    this.checkNumbers()
    const fresh = this.naive.fills.slice(this.fills)
    this.fills = this.naive.fills.length
    same(this.market.fills(), fresh)
    for (const { rule, row, lots } of fresh) {
      this.count(rule)
      if (row === 0) continue
      const room = (this.roomOfRow.get(row) ?? 0) - lots
      assert(room >= 0, 'what one row fills is never more than its size')
      this.roomOfRow.set(row, room)
    }
    this.compareOrders()
    this.comparePositions()
    this.checkNothingLeft()
    if (this.market.exchange.config.bookEvents) this.compareReported()
    same(this.market.cash(), this.cash)
  }

  /** Event numbers rise without gaps; optional events have the number of the previous event. */
  private checkNumbers(): void {
    for (const { kind, number } of this.market.events.slice(this.numberedEvents)) {
      const counts = kind === 'level' || kind === 'print' ? 0 : 1
      assert(number === this.number + counts, 'events are numbered without gaps')
      this.number = number
    }
    this.numberedEvents = this.market.events.length
  }

  private compareOrders(): void {
    const { exchange } = this.market
    const { book } = defined(exchange.instruments[0], 'an instrument')
    for (const side of sides) {
      const queue: object[] = []
      visitOrders(book, side, (slot) => {
        const order = orderInSlot(exchange, slot)
        const { id, amount } = order
        const price = priceOf(exchange.slots, slot)
        const remaining = remainingOf(exchange.slots, slot)
        const ahead = aheadOf(exchange.slots, slot)
        queue.push({ number: numberOfId(id), price, amount, remaining, ahead })
      })
      same(
        queue,
        this.naive.queue(side).map(({ number, price, amount, remaining, ahead }) => {
          return { number, price, amount, remaining, ahead }
        }),
      )
    }
  }

  private comparePositions(): void {
    let total = 0
    for (const account of this.accounts) {
      const size = this.sizeOf(account)
      same(size, this.naive.positions.get(account) ?? 0)
      total += size
    }
    assert(this.sizeOf('market') === 0 - total, 'sizes sum to zero with the recorded market')
  }

  /** No order rests at a price while recorded liquidity remains that it would take. */
  private checkNothingLeft(): void {
    for (const side of sides) {
      const first = this.naive.queue(side)[0]
      if (first === undefined) continue
      for (const [other, level] of this.naive.levels[side === 'buy' ? 'sell' : 'buy']) {
        const reached = side === 'buy' ? other <= first.price : other >= first.price
        assert(!reached || level.size === level.taken, 'nothing is left for an order that rests')
      }
    }
  }

  /** The level events of the run add up to the visible book. */
  private compareReported(): void {
    for (const event of this.market.events.slice(this.reportedEvents)) {
      if (event.kind !== 'level') continue
      if (event.amount === 0) this.reported[event.side].delete(event.price)
      else this.reported[event.side].set(event.price, event.amount)
    }
    this.reportedEvents = this.market.events.length
    const { exchange, instrument } = this.market
    for (const side of sides) {
      const sign = side === 'buy' ? -1 : 1
      same(
        viewDepth(exchange, instrument, side, Number.POSITIVE_INFINITY),
        [...this.reported[side]].sort(([a], [b]) => (a - b) * sign).map(([price, amount]) => ({ price, amount })),
      )
    }
  }

  private places(): [number, number][] {
    return this.live().map(({ number, ahead }) => [number, ahead])
  }

  private sizeOf(account: string): number {
    const { exchange, instrument } = this.market
    return viewPosition(exchange, this.market.account(account), instrument).size
  }

  private idOf(number: number): OrderId {
    const { settlement } = defined(this.market.exchange.instruments[0], 'an instrument')
    return makeOrderId(settlement, number, 'ordinary')
  }

  /** Counts a situation that a run has reached. */
  count(key: string): void {
    this.seen.set(key, (this.seen.get(key) ?? 0) + 1)
  }
}

/** The refusal of a command, or the last state of its order. */
function outcomeOf(events: readonly Event[]): string {
  let order = 0
  let state = ''
  for (const event of events) {
    if (event.kind === 'refusal') return event.refusal.reason
    if (!('order' in event) || event.kind === 'bump') continue
    if (
      (event.kind === 'order' && event.change === 'opened') ||
      (event.kind === 'order' && event.change === 'edited') ||
      order === 0
    ) {
      order = event.order
    }
    if (event.order === order) state = event.state
  }
  return state
}

/** Compares quickly, and computes the difference only if the values differ. */
function same(engine: unknown, naive: unknown): void {
  if (!isDeepStrictEqual(engine, naive)) expect(engine).toEqual(naive)
}
