/**
 * The naive oracle of the whole closed exchange, in arrays and bigint, written from the text of the rules: trading.md 6
 * and C06, C07, C12, C19-C28, C31, C32, C36, R37; market.md 1.3 to 1.6, 3, 4, 5.1, 6.1. It shares only the vocabulary
 * with the engine, keeps no index and no total, and recomputes every answer.
 *
 * Each class owns one piece of state and builds on the classes before it: state, options, wallets, pools, events,
 * links, marks, matching, seizures, settlement, liquidation, controls. Triggers, checks, trials, placing, edits and
 * transfers are functions over them. To find out if an order would match an order of its own account, or can be filled
 * at once, the oracle tries it in a copy of everything.
 *
 * Prices are 1e-9 quote units and sizes lots, both bigint.
 */

import {
  type Command,
  currencies,
  type Event,
  type ExchangeConfig,
  houseAccountNames,
  type Refusal,
} from '../../src/model/index.ts'
import { type Control, NaiveControls } from './naive-controls.ts'
import { cancel, cancelAll, edit } from './naive-edits.ts'
import { averageOf } from './naive-money.ts'
import { shownOf, shownTrigger, stateOf } from './naive-orders.ts'
import { place } from './naive-placing.ts'

/** The insurance fund's account. */
const FUND = 3

/** The exchange. `apply` returns the events of one command. */
export class NaiveExchange extends NaiveControls {
  /** The events of its creation: accounts of the house, the fund's deposits, scheduled listings. */
  readonly beginning: readonly Event[]

  constructor(config: ExchangeConfig) {
    super(config)
    for (const name of houseAccountNames) {
      const feePpm = 1_000_000
      const marginModel = 'segregated_sm'
      const account = this.addAccount({ name, main: null, model: marginModel, feePpm })
      const opened = { account, name, marginModel, house: true, main: account, feePpm }
      this.emit({ kind: 'account', ...opened })
    }
    for (const currency of currencies) {
      const change = config.insuranceFund[currency] ?? 0n
      if (change === 0n) continue
      this.post(FUND, currency, change)
      this.emit({ kind: 'cash', account: FUND, currency, change, balance: change })
    }
    this.listScheduled(currencies)
    this.beginning = this.events
  }

  apply(command: Command): readonly Event[] {
    this.events = []
    this.advance(command.time)
    this.cause = command.sequence
    const outcome = this.dispatch(command)
    if (typeof outcome !== 'number') {
      this.emit({
        kind: 'refusal',
        command: command.kind,
        account: command.account,
        instrument: 'instrument' in command ? command.instrument : -1,
        refusal: outcome,
      })
    }
    this.followLegs()
    const done = typeof outcome === 'number'
    this.emit({
      kind: 'request',
      outcome: done ? 'done' : 'refused',
      count: done ? outcome : 0,
    })
    this.drain()
    return this.events
  }

  /** A recorded message of an index: each row sets the index, then the mark if the row gives a mark. */
  record(reported: {
    readonly time: number
    readonly instrument: number
    readonly rows: readonly { readonly index: number; readonly mark: number }[]
  }): readonly Event[] {
    this.events = []
    this.advance(reported.time)
    this.cause = 0
    const market = this.marketOf(reported)
    const { priceIndex } = market.spec
    for (const { index, mark } of reported.rows) {
      if (this.indexOf(market) !== BigInt(index)) this.setIndex(priceIndex, index)
      if (mark === 0 || market.delivered || market.deliveryPrice > 0n) continue
      market.pinned = true
      this.setMark(market, BigInt(mark), 'feed')
      this.followFutures(priceIndex)
    }
    this.followLegs()
    this.drain()
    return this.events
  }

  /** Live orders of an account in the form of the engine's views, by id. */
  viewOrders(account: number): readonly { readonly averagePrice: number }[] {
    const own = [...this.ordersOf(account)].sort((a, b) => a.id - b.id)
    return own.map((order) => {
      const { spec } = this.marketOf(order)
      const { id, price, amount, filled, trigger } = order
      return {
        ...{ id, account, instrument: order.instrument, price: Number(price) },
        ...{ amount: Number(amount), filled: Number(filled), display: Number(order.display) },
        averagePrice: Number(averageOf(spec, order.fills)),
        ...{ createdAt: order.createdAt, updatedAt: order.updatedAt },
        ...{ state: stateOf(order), shown: Number(shownOf(order)) },
        rested: order.stage === 'resting',
        trigger: trigger && {
          source: trigger.source,
          price: Number(shownTrigger(order, spec)),
          offset: Number(trigger.offset),
          reference: Number(trigger.reference),
        },
        links: this.linksOf(order),
      }
    })
  }

  private dispatch(command: Command): number | Refusal {
    switch (command.kind) {
      case 'place_order':
        return place(this, command)
      case 'edit_order':
        return edit(this, command)
      case 'cancel_order':
        return cancel(this, command)
      case 'cancel_orders':
        return cancelAll(this, command)
      default:
        // No stream has commands of protections; a separate model covers them.
        return command.fault?.refusal ?? this.control(command as Control)
    }
  }
}
