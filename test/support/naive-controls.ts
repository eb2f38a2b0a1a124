/** Clock and controls of the naive exchange, and the queue of caused work. */

import type {
  BlockCommand,
  Command,
  CommandOf,
  ProfileCommand,
  ProtectionCommand,
  Refusal,
  RfqCommand,
  WalletCommand,
} from '../../src/model/index.ts'
import { LARGEST } from './naive-checks.ts'
import { NaiveLiquidation } from './naive-liquidation.ts'
import { DAY, nextSession } from './naive-marks.ts'
import { moneyOf, smaller, worth } from './naive-money.ts'
import { isLive, type NaiveOrder } from './naive-orders.ts'
import { activate, placeSecondary } from './naive-placing.ts'
import { endWindows, movePositions, setParticipant, transferCash } from './naive-transfers.ts'
import { isTooLate } from './naive-trials.ts'

/** Commands that do not place, edit or cancel orders. */
export type Control = Exclude<
  Command,
  {
    kind:
      | BlockCommand['kind']
      | WalletCommand['kind']
      | RfqCommand['kind']
      | ProtectionCommand['kind']
      | ProfileCommand['kind']
      | 'unreadable'
      | 'place_order'
      | 'edit_order'
      | 'cancel_order'
      | 'cancel_orders'
  }
>

/** Adds a clock and controls. */
export class NaiveControls extends NaiveLiquidation {
  /** The next time of each timer. */
  private session = nextSession(this.now)
  private grid = this.nextGrid(this.now)

  protected control(command: Control): number | Refusal {
    switch (command.kind) {
      case 'query':
        return 0
      case 'advance_time':
        this.advance(command.to)
        return 1
      case 'open_account': {
        const { name, marginModel, feePpm } = command
        const { main: under } = command
        const account = this.addAccount({ name, main: under, model: marginModel, feePpm })
        const main = command.main ?? account
        const opened = { account, name, marginModel, house: false, main, feePpm }
        this.emit({ kind: 'account', ...opened })
        return 1
      }
      case 'set_self_trading': {
        const { mode, extended } = command
        Object.assign(this.accounts[command.account] ?? {}, { mode, extended })
        this.emit({ kind: 'self_trading', account: command.account, mode, extended })
        return 1
      }
      case 'set_instrument_state':
        return this.setState(command)
      case 'rescale_instrument':
        throw new Error('the naive exchange keeps the steps of its listings')
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
      case 'create_combo':
        return this.createCombo(command)
      case 'move_positions':
        return movePositions(this, command)
      case 'transfer_cash':
        return transferCash(this, command)
      case 'set_lsp_participant':
        return setParticipant(this, command)
      case 'set_mark': {
        const market = this.markets[command.instrument]
        if (market === undefined) return { reason: 'not_found' }
        if (market.delivered || market.deliveryPrice > 0n) return { reason: 'book_closed' }
        if (command.price === null && market.spec.kind === 'option') {
          this.unpin(market)
          return 1
        }
        market.pinned = command.price !== null
        if (command.price === null) this.remark(market)
        else this.setMark(market, BigInt(command.price), 'set')
        this.followFutures(market.spec.priceIndex)
        return 1
      }
    }
  }

  /**
   * Moves the clock. At one instant, orders in flight arrive first, then prices move, then sessions end, then books
   * open that were closed for the settlement.
   */
  protected advance(time: number): void {
    const { cause } = this
    this.cause = 0
    for (;;) {
      const route = [...this.routes].sort((a, b) => a.due - b.due)[0]
      const reopening = [...this.reopenings].sort((a, b) => a.due - b.due)[0]
      const windows = [...this.participants.values()].flatMap((each) => [...each.windows.values()])
      const ends = Math.min(...windows.map(({ end }) => end))
      const dues = [route?.due, ends, this.grid, this.session, reopening?.due]
      const next = Math.min(time, ...dues.filter((each) => each !== undefined))
      const round = this.nextRound(next)
      const due = Math.min(...[...dues, round].filter((each) => each !== undefined))
      if (due > time) break
      this.now = due
      let { length } = this.events
      if (route?.due === due) this.arrive(route)
      else if (ends === due) endWindows(this)
      else if (this.grid === due) {
        this.grid = this.nextGrid(due)
        this.onGrid()
      } else if (this.session === due) {
        this.session = nextSession(due)
        this.endSession()
      } else if (reopening?.due === due) {
        this.reopenings = this.reopenings.filter((each) => each !== reopening)
        this.reopen(reopening.currency)
      } else {
        this.runRound()
        length = this.events.length
      }
      this.followLegs()
      this.drain()
      if (this.events.length > length) this.isIdle = false
    }
    this.cause = cause
    this.now = time
    this.roundsUntil = time
    // After a command, a round may find accounts that it did not find before.
    this.isIdle = false
  }

  /** Runs caused work in the order of arrival, each item as a separate command. */
  protected drain(): void {
    for (;;) {
      const item = this.work.shift()
      if (item === undefined) return
      if (item.kind === 'activate') activate(this, item.order)
      else placeSecondary(this, item)
      if (this.work.length === 0) this.followLegs()
    }
  }

  /** An order arrives at the alternative engine, which checks it again (R37). */
  private arrive({ order, until }: { readonly order: NaiveOrder; readonly until: number | null }): void {
    this.routes = this.routes.filter((route) => route.order !== order)
    if (until !== null && this.now >= until) {
      this.end(order, 'timed_out')
      return
    }
    const isClosed = this.marketOf(order).state !== 'open'
    if (isClosed || isTooLate(this, order)) this.end(order, 'risk_mitigation')
    else this.enter(order)
  }

  private setState({ instrument, state }: CommandOf<'set_instrument_state'>): number | Refusal {
    const market = this.markets[instrument]
    if (market === undefined) return { reason: 'not_found' }
    if (market.delivered && state !== 'delivered') {
      const problem = 'the instrument is delivered'
      return { reason: 'invalid_params', param: 'state', problem }
    }
    if (market.state === state) return 1
    const wasHalted = market.state === 'halted'
    this.changeState(market, state)
    const orders = this.orders.filter((order) => order.instrument === instrument)
    if (state === 'settlement') this.endDayOrders(orders)
    const reasons = { delivered: 'expiry', inactive: 'risk_mitigation' } as const
    if (state === 'delivered' || state === 'inactive') {
      for (const order of this.inOrder(orders)) if (isLive(order)) this.end(order, reasons[state])
    }
    if (wasHalted) this.settleUnlessHalted(market.spec.settlementCurrency)
    return 1
  }

  private list({ spec }: CommandOf<'list_instrument'>): number | Refusal {
    if (this.markets.some((market) => market.spec.name === spec.name)) {
      const problem = `${spec.name} is already listed`
      return { reason: 'invalid_params', param: 'instrument_name', problem }
    }
    this.listNew(spec)
    this.grid = Math.min(this.grid, this.nextGrid(this.now))
    return 1
  }

  /** Lists a combo, or returns the existing one. Idle combos are removed to make room (C33d). */
  private createCombo({ spec }: CommandOf<'create_combo'>): number | Refusal {
    const known = this.markets.find((market) => market.spec.name === spec.name)
    if (known !== undefined && known.state !== 'inactive') return 1
    if (spec.detail.type !== 'combo') return { reason: 'invalid_or_unsupported_instrument' }
    for (const { instrumentName } of spec.detail.legs) {
      const leg = this.markets.find((market) => market.spec.name === instrumentName)
      if (leg === undefined) return { reason: 'not_found' }
      if (leg.delivered) return { reason: 'book_closed' }
      if (leg.state !== 'open') return { reason: 'unavailable_for_combo_books' }
    }
    const { soft, hard } = this.config.comboLimits
    const active = this.markets.filter(
      ({ spec: { kind }, state }) => kind === 'option_combo' && state !== 'inactive' && state !== 'delivered',
    )
    const idle = active
      .filter((combo) => combo.resting.length === 0 && this.now - combo.usedAt >= DAY)
      .slice(0, Math.max(0, active.length + 1 - soft))
    const isCounted = spec.kind === 'option_combo'
    if (isCounted && active.length - idle.length >= hard) {
      return { reason: 'active_combo_limit_reached' }
    }
    for (const combo of isCounted ? idle : []) {
      this.changeState(combo, 'inactive')
      const orders = this.orders.filter((order) => order.instrument === combo.id)
      for (const order of this.inOrder(orders)) if (isLive(order)) this.end(order, 'risk_mitigation')
    }
    if (known === undefined) this.listNew(spec)
    else {
      this.changeState(known, 'open')
      known.usedAt = this.now
    }
    return 1
  }

  private deposit({ target, currency, amount }: CommandOf<'deposit'>): number | Refusal {
    if (this.balance(target, currency) + amount > LARGEST) {
      const problem = 'the balance would be above 9 billion units'
      return { reason: 'invalid_params', param: 'amount', problem }
    }
    const { balance: held, initial, spotReserve, available } = this.wallet(target, currency)
    const cash = held - initial - spotReserve
    if (amount < 0n && smaller(available, cash) + amount < 0n) {
      return { reason: 'not_enough_funds' }
    }
    this.post(target, currency, amount)
    const balance = this.balance(target, currency)
    this.emit({ kind: 'cash', account: target, currency, change: amount, balance })
    return 1
  }

  private give(command: CommandOf<'give_position'>): number | Refusal {
    const market = this.markets[command.instrument]
    if (market === undefined) return { reason: 'not_found' }
    if (market.spec.payoff === 'spot' || market.spec.detail.type === 'combo') {
      return { reason: 'invalid_args_for_instrument' }
    }
    if (market.delivered) return { reason: 'book_closed' }
    if (command.size === 0) return { reason: 'invalid_amount' }
    if (!market.isMarked) return { reason: 'retry' }
    for (const [account, change] of [
      [command.target, command.size],
      [1, -command.size],
    ] as const) {
      const fill = { lots: BigInt(change), price: BigInt(command.price) }
      const { spec } = market
      this.touch(market, account)
      const before = moneyOf(spec, this.position(market, account).realized)
      const position = this.book(market, account, fill)
      const cost = spec.kind === 'option' ? worth(spec, fill.lots, fill.price) : 0n
      const premium = change > 0 ? -cost : cost
      this.post(account, spec.settlementCurrency, premium)
      this.emit({
        ...{ kind: 'given_position', account, instrument: command.instrument, change },
        ...{ price: command.price, realized: moneyOf(spec, position.realized) - before },
        premium,
        balance: this.balance(account, spec.settlementCurrency),
        position: Number(position.size),
      })
      if (account === command.target) this.allocate(market, account)
    }
    return 1
  }
}
