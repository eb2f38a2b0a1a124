/**
 * Clock and controls of the naive exchange, and the work that is set off.
 */
import type { Command, CommandOf, Refusal } from '../../src/model/index.ts'
import { LARGEST } from './naive-checks.ts'
import { NaiveEdits } from './naive-edits.ts'
import { moneyOf } from './naive-money.ts'
import { isLive, type NaiveOrder, numberOf } from './naive-orders.ts'

const DAY = 86_400_000_000
const EIGHT = 28_800_000_000

/** Commands that do not ask for orders. */
type Control = Exclude<
  Command,
  { kind: 'place_order' | 'edit_order' | 'cancel_order' | 'cancel_orders' }
>

/** The state with a clock and controls. */
export class NaiveControls extends NaiveEdits {
  protected control(command: Control): number | Refusal {
    switch (command.kind) {
      case 'query':
        return 0
      case 'advance_time':
        this.advance(command.to)
        return 1
      case 'open_account': {
        const { name, marginModel } = command
        const account = this.addAccount(name, command.main)
        const main = command.main ?? account
        this.emit({ kind: 'account_opened', account, name, marginModel, house: false, main })
        return 1
      }
      case 'set_self_trading': {
        const { mode, extended } = command
        Object.assign(this.accounts[command.account] ?? {}, { mode, extended })
        this.emit({ kind: 'self_trading_set', account: command.account, mode, extended })
        return 1
      }
      case 'set_instrument_state':
        return this.setState(command)
      case 'list_instrument':
        return this.list(command)
      case 'follow_mid':
        throw new Error('the naive exchange has no recorded books')
      case 'deposit':
        return this.deposit(command)
      case 'give_position':
        return this.give(command)
      case 'set_index':
        this.setIndex(command.index, command.price)
        return 1
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

  /** Moves the clock. Orders on their way arrive, and good-til-day orders end at each 08:00. */
  protected advance(time: number): void {
    const { cause } = this
    this.cause = 0
    for (;;) {
      const session = Math.floor((this.now - EIGHT) / DAY) * DAY + EIGHT + DAY
      const route = [...this.routes].sort((a, b) => a.due - b.due)[0]
      if (route !== undefined && route.due <= Math.min(time, session)) {
        this.now = route.due
        this.arrive(route.order)
      } else if (session <= time) {
        this.now = session
        this.endDayOrders(this.orders)
      } else break
      this.drain()
    }
    this.cause = cause
    this.now = time
  }

  /** What was set off runs, first in first out, each as a command of its own. */
  protected drain(): void {
    for (;;) {
      const item = this.work.shift()
      if (item === undefined) return
      if (item.kind === 'activate') this.activate(item.order)
      else this.placeSecondary(item)
    }
  }

  /** An order arrives where another exchange matches it, and is looked at again (R37). */
  private arrive(order: NaiveOrder): void {
    this.routes = this.routes.filter((route) => route.order !== order)
    const isClosed = this.marketOf(order).state !== 'open'
    if (isClosed || this.isTooLate(order)) this.end(order, 'risk_mitigation')
    else this.enter(order)
  }

  /** Secondaries whose turn has not come have no day yet. */
  private endDayOrders(orders: readonly NaiveOrder[]): void {
    const day = orders.filter(
      ({ timeInForce, stage }) => timeInForce === 'good_til_day' && stage !== 'dormant',
    )
    for (const order of this.inOrder(day)) if (isLive(order)) this.end(order, 'settlement')
  }

  private inOrder(orders: readonly NaiveOrder[]): readonly NaiveOrder[] {
    return [...orders].sort(
      (a, b) => a.instrument - b.instrument || numberOf(a.id) - numberOf(b.id),
    )
  }

  private setState({ instrument, state }: CommandOf<'set_instrument_state'>): number | Refusal {
    const market = this.markets[instrument]
    if (market === undefined) return { reason: 'not_found' }
    if (market.state === state) return 1
    market.state = state
    this.emit({ kind: 'instrument_state_changed', instrument, state })
    const orders = this.orders.filter((order) => order.instrument === instrument)
    if (state === 'settlement') this.endDayOrders(orders)
    const reasons = { delivered: 'expiry', inactive: 'risk_mitigation' } as const
    if (state === 'delivered' || state === 'inactive') {
      for (const order of this.inOrder(orders)) if (isLive(order)) this.end(order, reasons[state])
    }
    return 1
  }

  private list({ spec }: CommandOf<'list_instrument'>): number {
    const id = this.markets.length
    const market = {
      ...({ id, spec, state: 'open', mark: 0n, pinned: false, direction: 1 } as const),
      ...{ resting: [], trades: [], positions: new Map() },
    }
    this.markets.push(market)
    this.emit({ kind: 'instrument_listed', instrument: { ...spec, id } })
    if (this.indexOf(market) > 0n) this.setMark(market, this.indexOf(market), 'index')
    return 1
  }

  private deposit({ target, currency, amount }: CommandOf<'deposit'>): number | Refusal {
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

  private give(command: CommandOf<'give_position'>): number | Refusal {
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
      if (account === command.target) this.allocate(market, account)
    }
    return 1
  }
}
