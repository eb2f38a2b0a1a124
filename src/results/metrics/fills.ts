/**
 * Figures of orders and fills: queue, time to fill, shortfall, markouts, and the results of closed positions.
 *
 * - The markout after a time h is `side * (mid(t + h) - price) / price` in basis points, where the side is 1 of a buy
 *   and -1 of a sell and `mid` is the middle of the book when everything before t + h is done. Where a side of the book
 *   is empty then, the fill counts for nothing at that h. Means weigh fills with their notional.
 * - The shortfall is `side * (price - mid) / mid` in basis points, `mid` at the arrival of the request that placed the
 *   order or quote. An order that a trigger placed has slippage instead: the same with the price that the trigger
 *   waited for in the place of `mid`.
 * - A position is closed when it is flat again, or changes its side; its result is what it realized less the fees of
 *   its fills in its currency. Funding stands in a figure of its own. A settlement realizes a part of it.
 * - Queues are those of recorded books; in a closed book nobody tells what stands before an order.
 */
import { type AccountId, orderId, unreachable } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import {
  type Currency,
  type Fill,
  NO_ORDER,
  type OrderChanged,
  type Trade,
} from '../../model/index.ts'
import { addToPiece } from './attribution.ts'
import { minuteAfter, passExposure } from './exposure.ts'
import { passInventory } from './inventory.ts'
import { addToSketch } from './sketch.ts'
import {
  type AccountState,
  accountAt,
  inventoryOf,
  type MarkoutTally,
  markoutHorizons,
  type State,
  seriesOf,
  type TradeTally,
  termsAt,
  type Waiting,
  walletOf,
} from './state.ts'
import type { MetricsViews } from './views.ts'

const NANO = 1e-9
const BPS = 10_000
/** Done entries of a list are dropped when there are so many. */
const DONE_MAX = 4_096

/** A change of an account's order: it is live from its opening to its end. */
export function followOrder(state: State, event: OrderChanged): void {
  if (accountAt(state, event.account).house) return
  switch (event.change) {
    case 'opened':
      if (event.state === 'untriggered') return
      openOrder(state, event)
      return
    case 'triggered':
      // A secondary has no trigger of its own: its turn came with a fill.
      if (event.trigger !== null) state.triggers.set(event.successor, event.trigger.price)
      return
    case 'edited':
      // A mass quote moves the quotes that stand: it is what priced them last.
      repriceOrder(state, event)
      return
    case 'filled':
      if (event.state === 'filled') state.orders.delete(event.order)
      return
    case 'cancelled':
      state.orders.delete(event.order)
      state.entered.delete(event.order)
      return
    case 'rested':
    case 'resized':
    case 'refreshed':
    case 'rejected':
      return
    default:
      unreachable(event.change)
  }
}

function openOrder(state: State, event: OrderChanged): void {
  const { order, account, instrument, createdAt, triggeredBy, cause } = event
  const isPlacedByTrigger = triggeredBy !== NO_ORDER
  state.orders.set(order, {
    account,
    instrument,
    createdAt,
    // What made a trigger fire may be a request to place another order.
    arrival: isPlacedByTrigger ? 0 : (state.arrivals.get(cause)?.get(instrument) ?? 0),
    trigger: state.triggers.get(order) ?? 0,
  })
  if (isPlacedByTrigger) state.triggers.delete(order)
  state.entered.add(order)
}

function repriceOrder(state: State, { order, instrument, cause }: OrderChanged): void {
  const mid = state.arrivals.get(cause)?.get(instrument)
  const known = state.orders.get(order)
  if (mid !== undefined && known !== undefined) known.arrival = mid
}

/** A trade; that of a combo moves nothing, its legs do. */
export function followTrade(state: State, trade: Trade): void {
  if (trade.legs.length > 0) return
  const isMaker = trade.maker.rule !== 'hidden'
  followFill(state, trade, { fill: trade.maker, isMaker })
  followFill(state, trade, { fill: trade.taker, isMaker: false })
}

function followFill(
  state: State,
  trade: Trade,
  { fill, isMaker }: { readonly fill: Fill; readonly isMaker: boolean },
): void {
  const account = accountAt(state, fill.account)
  if (account.house) return
  const terms = termsAt(state, trade.instrument)
  const wallet = walletOf(account, terms.settlementCurrency)
  const basis = Number(basisBig(terms, trade.amount, trade.price))
  const weight = terms.payoff === 'inverse' ? basis * NANO * NANO : basis * NANO
  const order = state.orders.get(fill.order)
  const buys = fill.side === 'buy'
  if (order !== undefined) {
    const times = isMaker ? wallet.timesToFill : wallet.timesToTake
    addToSketch(times, trade.time - order.createdAt, 1)
    const side = buys ? BPS : -BPS
    if (order.arrival > 0) {
      wallet.shortfallWeight += weight
      wallet.shortfallSum += (weight * side * (trade.price - order.arrival)) / order.arrival
    }
    if (order.trigger > 0) {
      wallet.slippageWeight += weight
      wallet.slippageSum += (weight * side * (trade.price - order.trigger)) / order.trigger
    }
  }
  const { account: id } = fill
  const { time, instrument, price } = trade
  const waiting = { time, account: id, instrument, buys, maker: isMaker, price, weight }
  for (const list of state.waiting) list.push(waiting)
  openSeries(state, fill.account, instrument)
  markMoved(state, fill.account)
  if (terms.isSpot) return
  const inventory = inventoryOf(account, instrument)
  if (isMaker && fill.source !== null) addToSketch(inventory.aheadAtFill, fill.aheadBefore, 1)
  const fee = fill.feeCurrency === terms.settlementCurrency ? fill.fee : 0n
  const profit = (terms.isOption ? fill.premium : fill.realized) - fee
  changePosition(state, { account: id, instrument, time, size: fill.position, price, profit })
}

/** Makes the series of the currencies that a trade in an instrument moves, where an account has none yet. */
export function openSeries(state: State, id: AccountId, instrument: number): void {
  const account = accountAt(state, id)
  if (account.house) return
  const { settlementCurrency, base } = termsAt(state, instrument)
  seriesOf(account, settlementCurrency)
  if (base !== null) seriesOf(account, base)
}

/** A position has a new size, and what the change realized. */
export function changePosition(
  state: State,
  to: {
    readonly account: AccountId
    readonly instrument: number
    readonly time: number
    readonly size: number
    /** Price of the change in 1e-9; null where it was not traded. */
    readonly price: number | null
    readonly profit: bigint
  },
): void {
  const account = accountAt(state, to.account)
  if (account.house) return
  const terms = termsAt(state, to.instrument)
  const { settlementCurrency } = terms
  const wallet = walletOf(account, settlementCurrency)
  const inventory = inventoryOf(account, to.instrument)
  if (to.price !== null) {
    const change = (to.size - inventory.size) * terms.amountStep9 * NANO
    addToPiece(inventory.held, terms, { size: change, price: to.price })
  }
  if (!wallet.isExposed) state.exposed.push([to.account, settlementCurrency])
  wallet.isExposed = true
  markMoved(state, to.account)
  passExposure(wallet, to.time)
  if (inventory.at < 0)
    passInventory(inventory, firstMoneyOf(account, settlementCurrency) ?? to.time)
  passInventory(inventory, to.time)
  const before = inventory.size
  inventory.size = to.size
  inventory.profit += to.profit
  const change = (to.size === 0 ? 0 : 1) - (before === 0 ? 0 : 1)
  wallet.open += change
  state.open += change
  if (state.open > 0 && state.nextLook < 0) state.nextLook = minuteAfter(to.time)
  if (before !== 0 && (to.size === 0 || to.size > 0 !== before > 0)) {
    closeTrade(wallet.trades, inventory.profit)
    inventory.profit = 0n
  }
  markDue(state, { id: to.account, account, currency: settlementCurrency })
}

/** When money of a currency first came in; null before it did. */
function firstMoneyOf(account: AccountState, currency: Currency): number | null {
  const { start } = seriesOf(account, currency)
  return start < 0 ? null : start
}

/** The equity of an account is sampled after the input at work. */
function markMoved(state: State, id: AccountId): void {
  const account = accountAt(state, id)
  if (!account.hasTraded) state.traded.push(id)
  account.hasTraded = true
  state.moved.add(id)
}

/** The wallet is looked at after the input at work. */
export function markDue(
  state: State,
  of: { readonly id: AccountId; readonly account: AccountState; readonly currency: Currency },
): void {
  const wallet = walletOf(of.account, of.currency)
  if (wallet.isDue) return
  wallet.isDue = true
  state.due.push([of.id, of.currency])
}

function closeTrade(trades: TradeTally, profit: bigint): void {
  trades.closed += 1
  if (profit > 0n) {
    trades.wins += 1
    trades.gains += profit
  } else if (profit < 0n) {
    trades.losses += 1
    trades.lost -= profit
  }
  // Welford's running form: one pass, no cancellation.
  const value = Number(profit) * NANO
  const difference = value - trades.mean
  trades.mean += difference / trades.closed
  trades.m2 += difference * (value - trades.mean)
}

/** Asks for the places of the orders that were opened since the last input. */
export function lookAtQueues(state: State, views: MetricsViews): void {
  for (const id of state.entered) {
    const order = state.orders.get(id)
    const ahead = order === undefined ? -1 : views.queueAheadOf(orderId(id))
    if (order === undefined || ahead < 0) continue
    const account = accountAt(state, order.account)
    const inventory = inventoryOf(account, order.instrument)
    addToSketch(inventory.aheadAtEntry, ahead, 1)
  }
  state.entered.clear()
}

/** The first time at which a fill's markout is due, or infinity. */
export function nextMarkout(state: State): number {
  let next = Number.POSITIVE_INFINITY
  for (let at = 0; at < markoutHorizons.length; at += 1) {
    const fill = state.waiting[at]?.[state.done[at] ?? 0]
    if (fill === undefined) continue
    const due = fill.time + (markoutHorizons[at] ?? 0)
    if (due < next) next = due
  }
  return next
}

/** Takes the markouts that are due at or before `time`, with the book as it is. */
export function takeMarkouts(state: State, views: MetricsViews, time: number): void {
  for (const [at, horizon] of markoutHorizons.entries()) {
    const list = state.waiting[at] ?? []
    let done = state.done[at] ?? 0
    for (let fill = list[done]; fill !== undefined; fill = list[done]) {
      if (fill.time + horizon > time) break
      done += 1
      takeMarkout(state, views, { at, fill })
    }
    if (done >= DONE_MAX || (done > 0 && done === list.length)) {
      list.splice(0, done)
      done = 0
    }
    state.done[at] = done
  }
}

function takeMarkout(
  state: State,
  views: MetricsViews,
  { at, fill }: { readonly at: number; readonly fill: Waiting },
): void {
  const mid = views.midOf(fill.instrument)
  if (mid <= 0) return
  const account = accountAt(state, fill.account)
  const { settlementCurrency } = termsAt(state, fill.instrument)
  const wallet = walletOf(account, settlementCurrency)
  const moved = ((mid - fill.price) / fill.price) * BPS
  const bps = fill.buys ? moved : -moved
  addMarkout(fill.maker ? wallet.maker : wallet.taker, at, { weight: fill.weight, bps })
}

function addMarkout(
  tally: MarkoutTally,
  at: number,
  { weight, bps }: { readonly weight: number; readonly bps: number },
): void {
  tally.weights[at] = (tally.weights[at] ?? 0) + weight
  tally.sums[at] = (tally.sums[at] ?? 0) + weight * bps
}
