/**
 * The naive oracle of the whole closed exchange, in arrays and bigint, written from the text of the rules: trading.md 6
 * and C06, C07, C12, C19-C28, C31, C32, C36, R37; market.md 1.3 to 1.6, 3, 4, 5.1, 6.1. It shares only the vocabulary
 * with the engine, keeps no index and no total, and recomputes every answer.
 *
 * The exchange has one part for each piece of state, and a part uses only parts before it: state, events, live orders,
 * options, margins, marks, matching, settlement, liquidation. Triggers, checks, trials, placing, edits and transfers are
 * functions over these parts. To find out if an order would match an order of its own account, or can be filled at once,
 * the oracle tries it in a copy of the parts.
 *
 * Prices are 1e-9 quote units and sizes lots, both bigint.
 */

import {
  type BlockCommand,
  type Command,
  type CommandOf,
  currencies,
  type Event,
  type ExchangeConfig,
  houseAccountNames,
  type ProfileCommand,
  type ProtectionCommand,
  type Refusal,
  type RfqCommand,
  type WalletCommand,
} from '../../src/model/index.ts'
import { LARGEST } from './naive-checks.ts'
import { cancel, cancelAll, edit } from './naive-edits.ts'
import { NaiveEvents } from './naive-events.ts'
import { NaiveLiquidation } from './naive-liquidation.ts'
import { NaiveLiveOrders } from './naive-live-orders.ts'
import { NaiveMargins } from './naive-margins.ts'
import { DAY, NaiveMarks, nextSession } from './naive-marks.ts'
import { NaiveMatching } from './naive-matching.ts'
import { averageOf, moneyOf, smaller, worth } from './naive-money.ts'
import { NaiveOptions } from './naive-options.ts'
import { isLive, type NaiveOrder, shownOf, shownTrigger, stateOf } from './naive-orders.ts'
import { activate, place, placeSecondary } from './naive-placing.ts'
import { NaiveSettlement } from './naive-settlement.ts'
import { FUND, NaiveState } from './naive-state.ts'
import { endWindows, movePositions, setParticipant, transferCash } from './naive-transfers.ts'
import { isTooLate } from './naive-trials.ts'

/** Commands that do not place, edit or cancel orders. */
type Control = Exclude<
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

/** The exchange. `apply` returns the events of one command. */
export class NaiveExchange {
  readonly state: NaiveState
  private readonly events: NaiveEvents
  readonly orders: NaiveLiveOrders
  readonly margins: NaiveMargins
  private readonly marks: NaiveMarks
  private readonly matching: NaiveMatching
  private readonly settlement: NaiveSettlement
  private readonly liquidation: NaiveLiquidation
  /** The events of its creation: accounts of the house, the fund's deposits, scheduled listings. */
  readonly beginning: readonly Event[]
  /** The next time of each timer. */
  private session: number
  private grid: number

  constructor(config: ExchangeConfig) {
    const state = new NaiveState(config)
    const events = new NaiveEvents(state)
    const orders = new NaiveLiveOrders(state, events)
    const options = new NaiveOptions(state)
    const margins = new NaiveMargins(state, orders, options)
    const marks = new NaiveMarks(state, events, orders, options)
    this.matching = new NaiveMatching({ state, events, orders, options, margins, marks })
    this.settlement = new NaiveSettlement(state, events, orders, margins, marks)
    this.liquidation = new NaiveLiquidation(this.matching)
    this.state = state
    this.events = events
    this.orders = orders
    this.margins = margins
    this.marks = marks
    this.session = nextSession(state.now)
    this.grid = marks.nextGrid(state.now)
    for (const name of houseAccountNames) {
      const feePpm = 1_000_000
      const marginModel = 'segregated_sm'
      const account = this.state.addAccount({ name, main: null, model: marginModel, feePpm })
      const opened = { account, name, marginModel, house: true, main: account, feePpm }
      this.events.emit({ kind: 'account', ...opened })
    }
    for (const currency of currencies) {
      const change = config.insuranceFund[currency] ?? 0n
      if (change === 0n) continue
      this.state.post(FUND, currency, change)
      this.events.emit({ kind: 'cash', account: FUND, currency, change, balance: change })
    }
    this.settlement.listScheduled(currencies)
    this.beginning = this.events.list
  }

  apply(command: Command): readonly Event[] {
    this.events.list = []
    this.advance(command.time)
    this.events.cause = command.sequence
    const outcome = this.dispatch(command)
    if (typeof outcome !== 'number') {
      this.events.emit({
        kind: 'refusal',
        command: command.kind,
        account: command.account,
        instrument: 'instrument' in command ? command.instrument : -1,
        refusal: outcome,
      })
    }
    this.marks.followLegs()
    const done = typeof outcome === 'number'
    this.events.emit({
      kind: 'request',
      outcome: done ? 'done' : 'refused',
      count: done ? outcome : 0,
    })
    this.drain()
    return this.events.list
  }

  /** A recorded message of an index: each row sets the index, then the mark if the row gives a mark. */
  record(reported: {
    readonly time: number
    readonly instrument: number
    readonly rows: readonly { readonly index: number; readonly mark: number }[]
  }): readonly Event[] {
    this.events.list = []
    this.advance(reported.time)
    this.events.cause = 0
    const market = this.state.marketOf(reported)
    const { priceIndex } = market.spec
    for (const { index, mark } of reported.rows) {
      if (this.state.indexOf(market) !== BigInt(index)) this.marks.setIndex(priceIndex, index)
      if (mark === 0 || market.delivered || market.deliveryPrice > 0n) continue
      market.pinned = true
      this.marks.setMark(market, BigInt(mark), 'feed')
      this.marks.followFutures(priceIndex)
    }
    this.marks.followLegs()
    this.drain()
    return this.events.list
  }

  /** Live orders of an account in the form of the engine's views, by id. */
  viewOrders(account: number): readonly { readonly averagePrice: number }[] {
    const own = [...this.orders.of(account)].sort((a, b) => a.id - b.id)
    return own.map((order) => {
      const { spec } = this.state.marketOf(order)
      return {
        ...{ id: order.id, account, instrument: order.instrument, price: Number(order.price) },
        ...{ amount: Number(order.amount), filled: Number(order.filled), display: Number(order.display) },
        averagePrice: Number(averageOf(spec, order.fills)),
        ...{ createdAt: order.createdAt, updatedAt: order.updatedAt },
        ...{ state: stateOf(order), shown: Number(shownOf(order)) },
        rested: order.stage === 'resting',
        trigger: order.trigger && {
          source: order.trigger.source,
          price: Number(shownTrigger(order, spec)),
          offset: Number(order.trigger.offset),
          reference: Number(order.trigger.reference),
        },
        links: this.orders.linksOf(order),
      }
    })
  }

  private dispatch(command: Command): number | Refusal {
    switch (command.kind) {
      case 'place_order':
        return place(this.matching, command)
      case 'edit_order':
        return edit(this.matching, command)
      case 'cancel_order':
        return cancel(this.matching, command)
      case 'cancel_orders':
        return cancelAll(this.matching, command)
      default:
        // No stream has commands of protections; a separate model covers them.
        return command.fault?.refusal ?? this.control(command as Control)
    }
  }

  private control(command: Control): number | Refusal {
    switch (command.kind) {
      case 'query':
        return 0
      case 'advance_time':
        this.advance(command.to)
        return 1
      case 'open_account': {
        const { name, marginModel, feePpm } = command
        const account = this.state.addAccount({ name, main: command.main, model: marginModel, feePpm })
        const main = command.main ?? account
        const opened = { account, name, marginModel, house: false, main, feePpm }
        this.events.emit({ kind: 'account', ...opened })
        return 1
      }
      case 'set_self_trading': {
        const { mode, extended } = command
        Object.assign(this.state.accounts[command.account] ?? {}, { mode, extended })
        this.events.emit({ kind: 'self_trading', account: command.account, mode, extended })
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
        this.marks.setIndex(command.index, command.price)
        return 1
      case 'create_combo':
        return this.createCombo(command)
      case 'move_positions':
        return movePositions(this.matching, command)
      case 'transfer_cash':
        return transferCash(this.settlement, command)
      case 'set_lsp_participant':
        return setParticipant(this.matching, command)
      case 'set_mark': {
        const market = this.state.markets[command.instrument]
        if (market === undefined) return { reason: 'not_found' }
        if (market.delivered || market.deliveryPrice > 0n) return { reason: 'book_closed' }
        if (command.price === null && market.spec.kind === 'option') {
          this.marks.unpin(market)
          return 1
        }
        market.pinned = command.price !== null
        if (command.price === null) this.marks.remark(market)
        else this.marks.setMark(market, BigInt(command.price), 'set')
        this.marks.followFutures(market.spec.priceIndex)
        return 1
      }
    }
  }

  /**
   * Moves the clock. At one instant, orders in flight arrive first, then prices move, then sessions end, then books
   * open that were closed for the settlement.
   */
  private advance(time: number): void {
    const { cause } = this.events
    this.events.cause = 0
    for (;;) {
      const route = [...this.orders.routes].sort((a, b) => a.due - b.due)[0]
      const reopening = [...this.settlement.reopenings].sort((a, b) => a.due - b.due)[0]
      const windows = [...this.state.participants.values()].flatMap((each) => [...each.windows.values()])
      const ends = Math.min(...windows.map(({ end }) => end))
      const dues = [route?.due, ends, this.grid, this.session, reopening?.due]
      const next = Math.min(time, ...dues.filter((each) => each !== undefined))
      const round = this.liquidation.nextRound(next)
      const due = Math.min(...[...dues, round].filter((each) => each !== undefined))
      if (due > time) break
      this.state.now = due
      let { length } = this.events.list
      if (route?.due === due) this.arrive(route)
      else if (ends === due) endWindows(this.matching)
      else if (this.grid === due) {
        this.grid = this.marks.nextGrid(due)
        this.marks.onGrid()
      } else if (this.session === due) {
        this.session = nextSession(due)
        this.settlement.endSession()
      } else if (reopening?.due === due) {
        this.settlement.reopenings = this.settlement.reopenings.filter((each) => each !== reopening)
        this.settlement.reopen(reopening.currency)
      } else {
        this.liquidation.runRound()
        length = this.events.list.length
      }
      this.marks.followLegs()
      this.drain()
      if (this.events.list.length > length) this.liquidation.isIdle = false
    }
    this.events.cause = cause
    this.state.now = time
    this.liquidation.roundsUntil = time
    // After a command, a round may find accounts that it did not find before.
    this.liquidation.isIdle = false
  }

  /** Runs caused work in the order of arrival, each item as a separate command. */
  private drain(): void {
    for (;;) {
      const item = this.orders.work.shift()
      if (item === undefined) return
      if (item.kind === 'activate') activate(this.matching, item.order)
      else placeSecondary(this.matching, item)
      if (this.orders.work.length === 0) this.marks.followLegs()
    }
  }

  /** An order arrives at the alternative engine, which checks it again (R37). */
  private arrive({ order, until }: { readonly order: NaiveOrder; readonly until: number | null }): void {
    this.orders.routes = this.orders.routes.filter((route) => route.order !== order)
    if (until !== null && this.state.now >= until) {
      this.orders.end(order, 'timed_out')
      return
    }
    const isClosed = this.state.marketOf(order).state !== 'open'
    if (isClosed || isTooLate(this.matching, order)) this.orders.end(order, 'risk_mitigation')
    else this.matching.enter(order)
  }

  private setState({ instrument, state }: CommandOf<'set_instrument_state'>): number | Refusal {
    const market = this.state.markets[instrument]
    if (market === undefined) return { reason: 'not_found' }
    if (market.delivered && state !== 'delivered') {
      const problem = 'the instrument is delivered'
      return { reason: 'invalid_params', param: 'state', problem }
    }
    if (market.state === state) return 1
    const wasHalted = market.state === 'halted'
    this.settlement.changeState(market, state)
    const orders = this.orders.live.filter((order) => order.instrument === instrument)
    if (state === 'settlement') this.settlement.endDayOrders(orders)
    const reasons = { delivered: 'expiry', inactive: 'risk_mitigation' } as const
    if (state === 'delivered' || state === 'inactive') {
      for (const order of this.settlement.inOrder(orders)) if (isLive(order)) this.orders.end(order, reasons[state])
    }
    if (wasHalted) this.settlement.settleUnlessHalted(market.spec.settlementCurrency)
    return 1
  }

  private list({ spec }: CommandOf<'list_instrument'>): number | Refusal {
    if (this.state.markets.some((market) => market.spec.name === spec.name)) {
      const problem = `${spec.name} is already listed`
      return { reason: 'invalid_params', param: 'instrument_name', problem }
    }
    this.settlement.listNew(spec)
    this.grid = Math.min(this.grid, this.marks.nextGrid(this.state.now))
    return 1
  }

  /** Lists a combo, or returns the existing one. Idle combos are removed to make room (C33d). */
  private createCombo({ spec }: CommandOf<'create_combo'>): number | Refusal {
    const known = this.state.markets.find((market) => market.spec.name === spec.name)
    if (known !== undefined && known.state !== 'inactive') return 1
    if (spec.detail.type !== 'combo') return { reason: 'invalid_or_unsupported_instrument' }
    for (const { instrumentName } of spec.detail.legs) {
      const leg = this.state.markets.find((market) => market.spec.name === instrumentName)
      if (leg === undefined) return { reason: 'not_found' }
      if (leg.delivered) return { reason: 'book_closed' }
      if (leg.state !== 'open') return { reason: 'unavailable_for_combo_books' }
    }
    const { soft, hard } = this.state.config.comboLimits
    const active = this.state.markets.filter(
      ({ spec: { kind }, state }) => kind === 'option_combo' && state !== 'inactive' && state !== 'delivered',
    )
    const idle = active
      .filter((combo) => combo.resting.length === 0 && this.state.now - combo.usedAt >= DAY)
      .slice(0, Math.max(0, active.length + 1 - soft))
    const isCounted = spec.kind === 'option_combo'
    if (isCounted && active.length - idle.length >= hard) {
      return { reason: 'active_combo_limit_reached' }
    }
    for (const combo of isCounted ? idle : []) {
      this.settlement.changeState(combo, 'inactive')
      const orders = this.orders.live.filter((order) => order.instrument === combo.id)
      for (const order of this.settlement.inOrder(orders)) if (isLive(order)) this.orders.end(order, 'risk_mitigation')
    }
    if (known === undefined) this.settlement.listNew(spec)
    else {
      this.settlement.changeState(known, 'open')
      known.usedAt = this.state.now
    }
    return 1
  }

  private deposit({ target, currency, amount }: CommandOf<'deposit'>): number | Refusal {
    if (this.state.balance(target, currency) + amount > LARGEST) {
      const problem = 'the balance would be above 9 billion units'
      return { reason: 'invalid_params', param: 'amount', problem }
    }
    const { balance: held, initial, spotReserve, available } = this.margins.wallet(target, currency)
    const cash = held - initial - spotReserve
    if (amount < 0n && smaller(available, cash) + amount < 0n) {
      return { reason: 'not_enough_funds' }
    }
    this.state.post(target, currency, amount)
    const balance = this.state.balance(target, currency)
    this.events.emit({ kind: 'cash', account: target, currency, change: amount, balance })
    return 1
  }

  private give(command: CommandOf<'give_position'>): number | Refusal {
    const market = this.state.markets[command.instrument]
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
      this.marks.touch(market, account)
      const before = moneyOf(spec, this.state.position(market, account).realized)
      const position = this.marks.book(market, account, fill)
      const cost = spec.kind === 'option' ? worth(spec, fill.lots, fill.price) : 0n
      const premium = change > 0 ? -cost : cost
      this.state.post(account, spec.settlementCurrency, premium)
      this.events.emit({
        ...{ kind: 'given_position', account, instrument: command.instrument, change },
        ...{ price: command.price, realized: moneyOf(spec, position.realized) - before },
        premium,
        balance: this.state.balance(account, spec.settlementCurrency),
        position: Number(position.size),
      })
      if (account === command.target) this.orders.allocate(market, account)
    }
    return 1
  }
}
