/**
 * Orders and fills: outcomes of orders, profit and cost of fills, queues, time to fill, shortfall, and the results of
 * closed positions.
 *
 * - Turnover is the notional of fills in the settlement currency: coin for inverse contracts, quote for others, each
 *   fill rounded half away from zero to 1e-9; for options it is the premium. A fee is in the currency in which it was
 *   paid, for a spot buy the base coin. Combos count by their legs. The hidden part of an iceberg fills as a taker
 *   (C25).
 * - An opened order ends filled or cancelled, or it rests; partly filled orders are among the cancelled and the
 *   resting. An order that waits for a price or a fill is counted as a trigger, and the order that it places as a
 *   separate order. All cancels are counted by reason, so that
 *   `opened + triggers.cancelled = filled + cancelled + resting`.
 * - The shortfall is `side * (price - mid) / mid` in basis points, `mid` at the arrival of the request that placed the
 *   order or quote. An order that a trigger placed has slippage instead: the same formula with the trigger price in
 *   place of `mid`.
 * - A position is closed when it is flat again or changes its side. Its result is the realized profit less the fees of
 *   its fills in its currency. Funding is a separate figure. A settlement realizes a part of the result.
 * - Queues exist only in recorded books; for a closed book the size ahead of an order is not reported.
 */
import {
  type AccountId,
  accountId,
  addNano,
  assert,
  type InstrumentId,
  instrumentId,
  mulDivHalfAway,
  type Nano,
  nanoAt,
  nanoOf,
  orderId,
  setWide,
  setWideBigint,
  setWideRatio,
  subtractNano,
  unreachable,
  wideToDouble,
  wideToNano,
} from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import { type EventOf, type Fill, formOfId, NO_ORDER, type OrderChanged, type Trade } from '../../model/index.ts'
import { addToPiece } from './attribution.ts'
import { minuteAfter, passExposure } from './exposure.ts'
import { passInventory } from './inventory.ts'
import {
  accountIn,
  addOrder,
  arrivalIn,
  createdAtIn,
  instrumentIn,
  notePartFilled,
  removeLiveOrder,
  setArrival,
  slotOf,
  triggerIn,
} from './live-orders.ts'
import { awaitMarkouts } from './markouts.ts'
import { touch } from './performance.ts'
import { addToSketch } from './sketch.ts'
import {
  type AccountState,
  accountAt,
  inventoryOf,
  notePosition,
  type State,
  seriesOf,
  type Terms,
  type TradeTally,
  termsAt,
  tradedOf,
  type WalletState,
  walletOf,
} from './state.ts'
import type { MetricsViews } from './views.ts'

const NANO = 1e-9
const BPS = 10_000
/** A product in nano below this is surely a safe integer. */
const SAFE_NANO = 9e15

/** Processes a change of an account's order, which is live from its opening to its end. */
export function followOrder(state: State, event: OrderChanged): void {
  const account = accountAt(state, event.account)
  if (account.house) return
  const { orders, triggers } = account
  switch (event.change) {
    case 'opened':
      if (event.state === 'untriggered') triggers.placed += 1
      else {
        orders.opened += 1
        openOrder(state, event)
      }
      return
    case 'triggered':
      triggers.fired += 1
      // A secondary order has no trigger price, because a fill activated it.
      if (event.trigger !== null) state.triggers.set(event.successor, event.trigger.price)
      return
    case 'edited':
      orders.edited += 1
      // A mass quote changes existing quotes, so it sets their arrival price.
      repriceOrder(state, event)
      return
    case 'filled':
      if (event.state === 'filled') {
        orders.filled += 1
        if (removeLiveOrder(state.live, event.order)) orders.livePartly -= 1
      } else if (notePartFilled(state.live, event.order)) orders.livePartly += 1
      return
    case 'cancelled':
      if (removeLiveOrder(state.live, event.order)) orders.livePartly -= 1
      if (event.filled > 0) orders.cancelledPartly += 1
      // Only waiting orders have ids of another form, which they keep until they end.
      if (formOfId(event.order) !== 'ordinary') triggers.cancelled += 1
      assert(event.reason !== null, 'a cancelled order has a reason')
      countWord(account.cancelled, event.reason)
      return
    case 'rejected':
      triggers.rejected += 1
      return
    case 'rested':
    case 'resized':
    case 'refreshed':
      return
    default:
      unreachable(event.change)
  }
}

/** Counts a refused request to place or to edit an order. */
export function followRefusal(state: State, event: EventOf<'refusal'>): void {
  if (event.account === -1) return
  if (event.command === 'place_order') countWord(accountAt(state, event.account).refused, event.refusal.reason)
  if (event.command === 'edit_order') countWord(accountAt(state, event.account).editsRefused, event.refusal.reason)
}

function countWord(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}

function openOrder(state: State, event: OrderChanged): void {
  const { order, account, instrument, createdAt, triggeredBy, cause } = event
  const isPlacedByTrigger = triggeredBy !== NO_ORDER
  addOrder(state.live, {
    order,
    account,
    instrument,
    createdAt,
    // The request that caused the event placed another order and only fired the trigger.
    arrival: isPlacedByTrigger ? 0 : arrivalAt(state, cause, instrument),
    trigger: state.triggers.get(order) ?? 0,
  })
  if (isPlacedByTrigger) state.triggers.delete(order)
  state.entered.push(order)
}

function repriceOrder(state: State, event: OrderChanged): void {
  const mid = arrivalAt(state, event.cause, event.instrument)
  const slot = slotOf(state.live, event.order)
  if (mid > 0 && slot >= 0) setArrival(state.live, slot, mid)
}

/** Mid price in 1e-9 at the arrival of a request; 0 if there was no such price. */
function arrivalAt(state: State, request: number, instrument: number): number {
  const mids = state.arrivals.get(request) ?? []
  for (let at = 0; at < mids.length; at += 2) if (mids[at] === instrument) return mids[at + 1] ?? 0
  return 0
}

/** Processes a trade. The trade of a combo changes nothing, because its legs do. */
export function followTrade(state: State, trade: Trade): void {
  if (trade.legs.length > 0) return
  const terms = termsAt(state, trade.instrument)
  setBasis(basis, terms, trade.amount, trade.price)
  const isInverse = terms.payoff === 'inverse'
  // The basis of an inverse contract counts 1e-18 coin.
  const notional = isInverse ? wideToNano(basis, 0) : nanoAt(basis, 0)
  const double = wideToDouble(basis, 0)
  const weight = isInverse ? double * NANO * NANO : double * NANO
  followFill(state, {
    trade,
    terms,
    fill: trade.maker,
    notional,
    weight,
    isMaker: trade.maker.rule !== 'hidden',
  })
  followFill(state, { trade, terms, fill: trade.taker, notional, weight, isMaker: false })
}

const basis = new Float64Array(2)

/** Sets the value of a trade's size at its price: 1e-18 coin for inverse contracts, 1e-9 quote for others. */
function setBasis(target: Float64Array, terms: Terms, lots: number, price: number): void {
  const amount9 = lots * terms.amountStep9
  if (terms.payoff === 'inverse') {
    if (amount9 < SAFE_NANO && amount9 * 1e9 < SAFE_NANO * price) setWideRatio(target, 0, amount9, 1_000_000_000, price)
    else setWideBigint(target, 0, basisBig(terms, lots, price))
    return
  }
  if (amount9 < SAFE_NANO && price >= 0 && amount9 * price < SAFE_NANO * 1e9)
    setWide(target, 0, mulDivHalfAway(amount9, price, 1_000_000_000))
  else setWideBigint(target, 0, basisBig(terms, lots, price))
}

interface FillSide {
  readonly trade: Trade
  readonly terms: Terms
  readonly fill: Fill
  readonly notional: Nano
  /** The notional as a double, in units of the currency. */
  readonly weight: number
  readonly isMaker: boolean
}

function followFill(state: State, side: FillSide): void {
  const { trade, terms, fill, weight, isMaker } = side
  const account = accountAt(state, fill.account)
  if (account.house) return
  const { time, instrument, price } = trade
  const wallet = walletOf(state, account, terms.settlementCurrency)
  const buys = fill.side === 'buy'
  earnFill(state, account, wallet, side)
  const slot = slotOf(state.live, fill.order)
  if (slot >= 0) timeFill(state, wallet, slot, side)
  awaitMarkouts(state.waiting, {
    time,
    price,
    weight,
    wallet: wallet.slot,
    instrument,
    buys,
    isMaker,
  })
  openSeries(state, fill.account, instrument)
  markMoved(state, account)
  if (terms.isSpot) return
  const inventory = inventoryOf(account, instrument)
  if (isMaker && fill.source !== null) addToSketch(inventory.aheadAtFill, fill.aheadBefore, 1)
  const earned = nanoOf(terms.isOption ? fill.premium : fill.realized)
  const profit = fill.feeCurrency === terms.settlementCurrency ? subtractNano(earned, nanoOf(fill.fee)) : earned
  changePosition(state, {
    account: fill.account,
    instrument,
    time,
    size: fill.position,
    price,
    profit,
  })
}

/** Adds the profit and fees of a fill. */
function earnFill(
  state: State,
  account: AccountState,
  wallet: WalletState,
  { trade, terms, fill, notional, isMaker }: FillSide,
): void {
  const buys = fill.side === 'buy'
  wallet.fills += 1
  wallet.turnover = addNano(wallet.turnover, notional)
  if (isMaker) {
    wallet.makerFills += 1
    wallet.makerTurnover = addNano(wallet.makerTurnover, notional)
  }
  const paying = fill.feeCurrency === wallet.currency ? wallet : walletOf(state, account, fill.feeCurrency)
  const fee = nanoOf(fill.fee)
  if (isMaker) paying.makerFees = addNano(paying.makerFees, fee)
  else paying.takerFees = addNano(paying.takerFees, fee)
  const traded = tradedOf(account, trade.instrument)
  if (buys) traded.bought += trade.amount
  else traded.sold += trade.amount
  touch(state, wallet)
  if (terms.isOption) wallet.premiums = addNano(wallet.premiums, nanoOf(fill.premium))
  else if (terms.base === null) wallet.realized = addNano(wallet.realized, nanoOf(fill.realized))
  else {
    const base = walletOf(state, account, terms.base)
    const coins = nanoOf(BigInt(trade.amount) * BigInt(terms.amountStep9))
    base.flows = buys ? addNano(base.flows, coins) : subtractNano(base.flows, coins)
    wallet.flows = buys ? subtractNano(wallet.flows, notional) : addNano(wallet.flows, notional)
    touch(state, base)
  }
}

/** Adds the time that an order waited for its fill, and the distance of the price from its arrival or trigger price. */
function timeFill(state: State, wallet: WalletState, slot: number, side: FillSide): void {
  const times = side.isMaker ? wallet.timesToFill : wallet.timesToTake
  addToSketch(times, side.trade.time - createdAtIn(state.live, slot), 1)
  const sign = side.fill.side === 'buy' ? BPS : -BPS
  const arrival = arrivalIn(state.live, slot)
  if (arrival > 0) {
    wallet.shortfallWeight += side.weight
    wallet.shortfallSum += (side.weight * sign * (side.trade.price - arrival)) / arrival
  }
  const trigger = triggerIn(state.live, slot)
  if (trigger > 0) {
    wallet.slippageWeight += side.weight
    wallet.slippageSum += (side.weight * sign * (side.trade.price - trigger)) / trigger
  }
}

/** Creates the series of the currencies that a trade in an instrument changes, if the account lacks them. */
export function openSeries(state: State, id: AccountId, instrument: number): void {
  const account = accountAt(state, id)
  if (account.house) return
  const { settlementCurrency, base } = termsAt(state, instrument)
  seriesOf(account, settlementCurrency)
  if (base !== null) seriesOf(account, base)
}

/** A new size of a position. */
interface PositionChange {
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly time: number
  readonly size: number
  /** Price of the change in 1e-9; null if it was not a trade. */
  readonly price: number | null
  /** Profit realized by the change, in nano. */
  readonly profit: Nano
}

/** Sets a new size of a position. */
export function changePosition(state: State, to: PositionChange): void {
  const account = accountAt(state, to.account)
  if (account.house) return
  const terms = termsAt(state, to.instrument)
  const wallet = walletOf(state, account, terms.settlementCurrency)
  const inventory = inventoryOf(account, to.instrument)
  if (to.price !== null) {
    const change = (to.size - inventory.size) * terms.amountStep9 * NANO
    addToPiece(inventory.held, terms, change, to.price)
  }
  if (!wallet.isExposed) state.exposed.push(wallet.slot)
  wallet.isExposed = true
  markMoved(state, account)
  passExposure(wallet, to.time)
  if (inventory.at < 0) {
    passInventory(inventory, firstMoneyOf(account, terms.settlementCurrency) ?? to.time)
    notePosition(state, account, inventory)
  }
  passInventory(inventory, to.time)
  const before = inventory.size
  inventory.size = to.size
  inventory.profit = addNano(inventory.profit, to.profit)
  const change = (to.size === 0 ? 0 : 1) - (before === 0 ? 0 : 1)
  wallet.open += change
  state.open += change
  if (state.open > 0 && state.nextLook < 0) state.nextLook = minuteAfter(to.time)
  if (before !== 0 && (to.size === 0 || to.size > 0 !== before > 0)) {
    closeTrade(wallet.trades, inventory.profit)
    inventory.profit = 0
  }
  markDue(state, wallet)
}

/** Time at which money of a currency first came in; null before it. */
function firstMoneyOf(account: AccountState, currency: string): number | null {
  const { start } = seriesOf(account, currency)
  return start < 0 ? null : start
}

/** Schedules a sample of an account's equity after the current input. */
function markMoved(state: State, account: AccountState): void {
  if (account.isMoved) return
  account.isMoved = true
  state.moved.push(account.id)
  if (account.hasTraded) return
  account.hasTraded = true
  state.traded.push(account.id)
}

/** Schedules a sample of a wallet after the current input. */
export function markDue(state: State, wallet: WalletState): void {
  if (wallet.isDue) return
  wallet.isDue = true
  state.due.push(wallet.slot)
}

function closeTrade(trades: TradeTally, profit: Nano): void {
  trades.closed += 1
  if (profit > 0) {
    trades.wins += 1
    trades.gains = addNano(trades.gains, profit)
  } else if (profit < 0) {
    trades.losses += 1
    trades.lost = subtractNano(trades.lost, profit)
  }
  // Welford's running formula: one pass without cancellation of digits.
  const value = Number(profit) * NANO
  const difference = value - trades.mean
  trades.mean += difference / trades.closed
  trades.m2 += difference * (value - trades.mean)
}

/** Reads the queue positions of the orders that were opened since the last input. */
export function lookAtQueues(state: State, views: MetricsViews): void {
  for (const id of state.entered) {
    const slot = slotOf(state.live, id)
    const ahead = slot < 0 ? -1 : views.queueAheadOf(orderId(id))
    if (ahead < 0) continue
    const account = accountAt(state, accountId(accountIn(state.live, slot)))
    const inventory = inventoryOf(account, instrumentId(instrumentIn(state.live, slot)))
    addToSketch(inventory.aheadAtEntry, ahead, 1)
  }
  state.entered.length = 0
}
