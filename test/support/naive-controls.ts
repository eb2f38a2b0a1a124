/**
 * Events of the naive exchange, its clock, and the controls of the simulator.
 */
import {
  type Command,
  type CommandOf,
  type Event,
  houseAccountNames,
  type InstrumentSpec,
  type OrderChanged,
  type Refusal,
} from '../../src/model/index.ts'
import { LARGEST, NaiveChecks } from './naive-checks.ts'
import { averageOf, fillPosition, moneyOf, type NaivePosition } from './naive-money.ts'
import type { NaiveMarket, NaiveOrder } from './naive-state.ts'

const DAY = 86_400_000_000
const EIGHT = 28_800_000_000

type Draft = { readonly kind: Event['kind']; readonly [field: string]: unknown }

/** The state with a voice, a clock and controls. */
export class NaiveControls extends NaiveChecks {
  protected events: Event[] = []
  protected cause = 0
  private count = houseAccountNames.length

  protected control(
    command: Exclude<
      Command,
      { kind: 'place_order' | 'edit_order' | 'cancel_order' | 'cancel_orders' }
    >,
  ): number | Refusal {
    switch (command.kind) {
      case 'query':
        return 0
      case 'advance_time':
        this.advance(command.to)
        return 1
      case 'open_account': {
        const { name, marginModel } = command
        this.accounts.push(name)
        const account = this.accounts.length - 1
        this.emit({ kind: 'account_opened', account, name, marginModel, house: false })
        return 1
      }
      case 'list_instrument':
        return this.list(command.spec)
      case 'follow_mid':
        throw new Error('the naive exchange has no recorded books')
      case 'deposit': {
        const { target, currency, amount } = command
        if (this.balance(target, currency) + amount > LARGEST) {
          const problem = 'a balance is at most 9 billion units'
          return { reason: 'invalid_params', param: 'amount', problem }
        }
        if (amount < 0n && this.available(target, currency) + amount < 0n) {
          return { reason: 'not_enough_funds' }
        }
        this.post(target, currency, amount)
        const balance = this.balance(target, currency)
        this.emit({ kind: 'cash_posted', account: target, currency, change: amount, balance })
        return 1
      }
      case 'give_position':
        return this.give(command)
      case 'set_index': {
        const { index, price } = command
        this.indices.set(index, BigInt(price))
        this.emit({ kind: 'index_changed', index, price })
        for (const market of this.markets) {
          if (market.spec.priceIndex !== index || market.pinned) continue
          this.setMark(market, BigInt(price), 'index')
        }
        return 1
      }
      case 'set_mark': {
        const market = this.markets[command.instrument]
        if (market === undefined) return { reason: 'not_found' }
        market.pinned = command.price !== null
        const price = BigInt(command.price ?? this.indexOf(market))
        if (price > 0n) this.setMark(market, price, command.price === null ? 'index' : 'set')
        return 1
      }
    }
  }

  protected list(spec: InstrumentSpec): number {
    const market: NaiveMarket = {
      ...{ spec, mark: 0n, pinned: false, resting: [], trades: [], direction: 1 },
      positions: new Map(),
    }
    this.markets.push(market)
    const id = this.markets.length - 1
    this.emit({ kind: 'instrument_listed', instrument: { ...spec, id } })
    if (this.indexOf(market) > 0n) this.setMark(market, this.indexOf(market), 'index')
    return 1
  }

  protected give(command: CommandOf<'give_position'>): number | Refusal {
    const market = this.markets[command.instrument]
    if (market === undefined) return { reason: 'not_found' }
    if (market.spec.payoff === 'spot') return { reason: 'invalid_args_for_instrument' }
    if (command.size === 0) return { reason: 'invalid_amount' }
    if (market.mark === 0n) return { reason: 'retry' }
    for (const [account, change] of [
      [command.target, command.size],
      [1, -command.size],
    ] as const) {
      const fill = { lots: BigInt(change), price: BigInt(command.price) }
      const { spec } = market
      const before = moneyOf(spec, this.position(market, account).realized)
      const position = this.book(market, account, fill)
      this.emit({
        ...{ kind: 'position_given', account, instrument: command.instrument, change },
        ...{ price: command.price, realized: moneyOf(spec, position.realized) - before },
        position: Number(position.size),
      })
    }
    return 1
  }

  protected book(
    market: NaiveMarket,
    account: number,
    fill: { readonly lots: bigint; readonly price: bigint },
  ): NaivePosition {
    const position = this.position(market, account)
    fillPosition(market.spec, position, fill)
    market.positions.set(account, position)
    return position
  }

  protected setMark(market: NaiveMarket, price: bigint, source: 'index' | 'set'): void {
    if (market.mark === price) return
    market.mark = price
    this.emit({
      kind: 'mark_changed',
      instrument: this.markets.indexOf(market),
      price: Number(price),
      index: Number(this.indexOf(market)),
      source,
    })
  }

  /** Good-til-day orders end at each 08:00 that the clock passes. */
  protected advance(time: number): void {
    const next = Math.floor((this.now - EIGHT) / DAY) * DAY + EIGHT + DAY
    if (time >= next) {
      const { cause } = this
      this.now = next
      this.cause = 0
      const command = this.orders
        .filter((order) => order.timeInForce === 'good_til_day')
        .sort((a, b) => a.instrument - b.instrument || a.created - b.created)
      for (const order of command) this.end(order, 'settlement', true)
      this.cause = cause
      this.advance(time)
    }
    this.now = time
  }

  protected end(order: NaiveOrder, reason: OrderChanged['reason'], rested: boolean): void {
    this.forget(order)
    this.tell('order_cancelled', order, { state: 'cancelled', rested, reason })
  }

  protected forget(order: NaiveOrder): void {
    this.orders = this.orders.filter((other) => other !== order)
    this.ended.add(order.id)
    const market = this.markets[order.instrument]
    if (market !== undefined) market.resting = market.resting.filter((other) => other !== order)
  }

  protected tell(
    kind: OrderChanged['kind'],
    order: NaiveOrder,
    change: Pick<OrderChanged, 'state' | 'rested'> & { readonly reason?: OrderChanged['reason'] },
  ): void {
    const spec = this.markets[order.instrument]?.spec
    const { id, fills, filled, price, amount, created: _created, ...shown } = order
    this.emit({
      kind,
      ...shown,
      order: id,
      price: Number(price),
      amount: Number(amount),
      filled: Number(filled),
      averagePrice: spec === undefined ? 0 : Number(averageOf(spec, fills)),
      reason: null,
      ...change,
    })
  }

  protected emit(draft: Draft): void {
    this.count += 1
    const header = { time: this.now, number: this.count, cause: this.cause }
    // Compared with the engine's events field by field; the draft's fields are those of its kind.
    this.events.push({ ...draft, ...header } as unknown as Event)
  }

  protected post(account: number, currency: string, change: bigint): void {
    this.cash.set(`${account} ${currency}`, this.balance(account, currency) + change)
  }
}
