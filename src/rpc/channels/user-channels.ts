/**
 * An account's orders, trades, changes and summaries as channels. They omit orders of direct access, but include their
 * trades, and the parts of a Block RFQ that its taker booked on the account.
 *
 * Source: sessions document 3.4, 8.2; coverage R17, R37.
 */
import type { AccountId, InstrumentId, OrderId } from '../../core/index.ts'
import { accountOf, instrumentAt, viewPosition } from '../../engine/index.ts'
import {
  type Currency,
  type EventTakers,
  fanOut,
  type Instrument,
  type OrderChanged,
  originOf,
  sinkOf,
  type Trade,
} from '../../model/index.ts'
import { allocatedTrade, rowsOf, type UserTrade } from '../history/index.ts'
import {
  orderReport,
  positionOut,
  summaryOut,
  tradeReport,
  type WireAccountSummary,
  type WirePosition,
} from '../methods/index.ts'
import { timeOut, type WireOrder, type WireUserTrade } from '../wire/index.ts'
import { type Channel, type ChannelWorld, type Interval, takersOfAll, viewChannel } from './channel.ts'
import { isWanted, type Wanted } from './trade-channels.ts'

/** A message of `user.changes`: what one input of the exchange did in one instrument. */
export interface WireChanges {
  readonly instrument_name: string
  readonly trades: readonly WireUserTrade[]
  readonly positions: readonly WirePosition[]
  readonly orders: readonly WireOrder[]
}

/** A message of `user.mmp_trigger.{index}`. */
export interface WireMmpTrigger {
  /** Milliseconds since the epoch; 0 where only a reset ends it. */
  readonly frozen_until: number
  readonly index_name: string
  readonly mmp_group?: string
  readonly block_rfq: boolean
}

/** The account and the instruments of a channel. */
export interface UserWanted {
  readonly account: AccountId
  readonly wanted: Wanted
  readonly interval: Interval
}

/**
 * The current orders of an account: in `raw` one message for each order that the last input changed, otherwise a list
 * of the last states of each order.
 */
export function ordersChannel(world: ChannelWorld, of: UserWanted): Channel<WireOrder | readonly WireOrder[]> {
  const changes = collectChanges(world, of)
  return {
    ...changes.channel,
    collect: (): readonly (WireOrder | readonly WireOrder[])[] => {
      const { orders } = changes.taken()
      const sent = orders.map((order) => orderReport(world.view(), order))
      return of.interval === 'raw' || sent.length === 0 ? sent : [sent]
    },
  }
}

/** The trades of an account, in lists. */
export function userTradesChannel(world: ChannelWorld, of: UserWanted): Channel<readonly WireUserTrade[]> {
  const changes = collectChanges(world, of)
  return {
    ...changes.channel,
    collect: (): readonly (readonly WireUserTrade[])[] => {
      const { trades } = changes.taken()
      return trades.length === 0 ? [] : [trades.map((trade) => tradeReport(world.view(), trade))]
    },
  }
}

/** The trades of an account in combos, with their legs, in lists. */
export function comboTradesChannel(world: ChannelWorld, of: UserWanted): Channel<readonly WireUserTrade[]> {
  const changes = collectChanges(world, of)
  return {
    ...changes.channel,
    collect: (): readonly (readonly WireUserTrade[])[] => {
      const trades = changes
        .taken()
        .trades.filter(({ trade }) => isOfCombo(instrumentAt(world.exchange, trade.instrument)))
      return trades.length === 0 ? [] : [trades.map((trade) => tradeReport(world.view(), trade))]
    },
  }
}

function isOfCombo(instrument: Instrument): boolean {
  return instrument.detail.type === 'combo'
}

/** Orders, trades and positions of an account, in one message for each instrument with changes. */
export function changesChannel(world: ChannelWorld, of: UserWanted): Channel<WireChanges> {
  const changes = collectChanges(world, of)
  return {
    ...changes.channel,
    collect: (): readonly WireChanges[] => {
      const { orders, trades } = changes.taken()
      const instruments = new Set<InstrumentId>([
        ...trades.map(({ trade }) => trade.instrument),
        ...orders.map(({ instrument }) => instrument),
      ])
      const view = world.view()
      return [...instruments].map((id) => {
        const own = trades.filter(({ trade }) => trade.instrument === id)
        const position = viewPosition(world.exchange, of.account, id)
        return {
          instrument_name: instrumentAt(world.exchange, id).name,
          trades: own.map((trade) => tradeReport(view, trade)),
          positions: own.length === 0 ? [] : [positionOut(world.exchange, position)],
          orders: orders.filter(({ instrument }) => instrument === id).map((order) => orderReport(view, order)),
        }
      })
    },
  }
}

/** The summaries of an account in some currencies, each sent at most once a second. */
export function portfolioChannel(
  { exchange }: ChannelWorld,
  account: AccountId,
  named: readonly Currency[],
): Channel<WireAccountSummary> {
  const views = named.map((currency) =>
    viewChannel({
      interval: '1s',
      // Marks change the value of positions, so any event may change a summary.
      subject: {},
      look: (): WireAccountSummary => summaryOut(exchange, accountOf(exchange, account), currency),
    }),
  )
  const events = fanOut(views.map(({ takes = {} }) => sinkOf(takes)))
  return {
    interval: '1s',
    subject: {},
    first: () => views.flatMap((view) => view.first?.() ?? []),
    takes: takersOfAll((event) => events.emit(event)),
    collect: () => views.flatMap((view) => view.collect()),
  }
}

/** Groups of market-maker protection that trigger. */
export function mmpTriggerChannel(account: AccountId, index: string): Channel<WireMmpTrigger> {
  let pending: WireMmpTrigger[] = []
  return {
    interval: 'raw',
    subject: { account },
    takes: {
      mmp: (event) => {
        if (event.account !== account || event.change !== 'triggered') return
        if (index !== 'any' && event.index !== index) return
        const message = {
          frozen_until: event.frozenUntil === null ? 0 : timeOut(event.frozenUntil),
          index_name: event.index,
          block_rfq: event.blockRfq,
        }
        pending.push(event.name === null ? message : { ...message, mmp_group: event.name })
      },
    },
    collect: () => {
      const messages = pending
      pending = []
      return messages
    },
  }
}

interface Changes {
  readonly orders: readonly OrderChanged[]
  readonly trades: readonly UserTrade[]
}

/** Collects the last state of each changed order of an account, and its trades. */
function collectChanges(
  { exchange, history }: ChannelWorld,
  { account, wanted, interval }: UserWanted,
): { readonly channel: Omit<Channel, 'collect' | 'first'>; readonly taken: () => Changes } {
  let orders = new Map<OrderId, OrderChanged>()
  let trades: UserTrade[] = []
  const isIn = (instrument: InstrumentId): boolean => isWanted(wanted, instrumentAt(exchange, instrument))
  const takes: EventTakers = {
    order: (event) => {
      if (event.account !== account || originOf(event) === 'direct_access') return
      if (!isIn(event.instrument)) return
      orders.delete(event.order)
      orders.set(event.order, event)
    },
    trade: (event) => {
      if (isIn(event.instrument)) trades.push(...sidesOf(event))
    },
    position_transfer: (event) => {
      const isOwn = isIn(event.instrument) && event.from.account === account
      const part = isOwn ? allocatedTrade(history.userTrades, event) : undefined
      if (part !== undefined) trades.push(part)
    },
  }
  /** The account's sides of the trade that the history has just taken. */
  const sidesOf = (trade: Trade): readonly UserTrade[] => {
    const sides: UserTrade[] = []
    const rows = rowsOf(history.userTrades, account)
    for (let at = rows.length - 1; at >= 0; at -= 1) {
      const row = rows[at]
      if (row?.trade !== trade) break
      sides.unshift(row)
    }
    return sides
  }
  return {
    channel: { interval, subject: { account }, takes },
    taken: () => {
      const changes = { orders: [...orders.values()], trades }
      orders = new Map()
      trades = []
      return changes
    },
  }
}
