/**
 * Read-only views of an exchange, in engine units: what queries answer from.
 *
 * Prices are 1e-9 quote units, sizes lots, money nano (1e-9 of the currency).
 * Source: market.md 5.2 (positions), 5.3 (accounts), 8 (books).
 */
import {
  bestPrice,
  levelSize,
  ordersInBook,
  ownerOf,
  priceOf,
  remainingOf,
  visitLevels,
} from '../book/index.ts'
import {
  type AccountId,
  type Amount,
  accountId,
  amount,
  currencyId,
  divHalfAwayBig,
  type InstrumentId,
  type Lots,
  lots,
  type Micros,
  type OrderId,
  type Price9,
  price9,
  wideToBigint,
} from '../core/index.ts'
import { cashOf, profitOf, readHolding, sizeOf } from '../ledger/index.ts'
import { initialMargin, readExposure, readTotals } from '../margin/index.ts'
import {
  type Account,
  type Currency,
  currencyIdOf,
  currencyOf,
  type Instrument,
  type InstrumentState,
  type Order,
  type OrderFilter,
  type OrderLinks,
  type SelfMatchMode,
  type Trigger,
  unlinked,
} from '../model/index.ts'
import { matches } from './handlers/cancel.ts'
import { setReserve } from './matching/resting.ts'
import { type Exchange, type InstrumentRow, walletOf } from './state/exchange.ts'
import { findHolding } from './state/holdings.ts'
import { creationTimeAt, updateTimeAt } from './state/order-records.ts'
import {
  accountRow,
  averagePrice,
  filledOf,
  instrumentOf,
  linksOf,
  orderAt,
  orderPrice9,
  slotOf,
  stateOf,
  triggerOf,
  visibleOf,
  visitAccountOrders,
} from './state/orders.ts'

/** A live order as it is now. */
export interface OrderView {
  readonly order: Readonly<Order>
  readonly account: AccountId
  readonly instrument: Instrument
  readonly price: Price9
  readonly filled: Lots
  readonly averagePrice: Price9
  readonly createdAt: Micros
  readonly updatedAt: Micros
  /** `untriggered` while it waits for a price or a fill. */
  readonly state: 'open' | 'untriggered'
  /** Whether it stands in its book. */
  readonly rested: boolean
  /** What of it can be seen, or could once it stands in its book. */
  readonly shown: Lots
  /** What it waits for; null but for trigger types. */
  readonly trigger: Trigger | null
  readonly links: OrderLinks
}

/** What happens when orders of an account meet their own (C27). */
export interface SelfTrading {
  readonly mode: SelfMatchMode
  readonly extended: boolean
}

/** An instrument and its market as they are now. */
export interface MarketView {
  readonly instrument: Instrument
  readonly state: InstrumentState
  /** 0 while unknown, like `index`. */
  readonly mark: Price9
  readonly index: Price9
  readonly lastPrice: Price9
  /** Highest buy and lowest sell price; 0 where there is no band. */
  readonly bandMax: Price9
  readonly bandMin: Price9
  readonly bestBid: Level | null
  readonly bestAsk: Level | null
  readonly changeId: number
  /** Sum of long positions (market.md 2). */
  readonly openInterest: Lots
  readonly restingOrders: number
}

/** A price level. */
export interface Level {
  readonly price: Price9
  readonly amount: Lots
}

/** A position. The profits and margins are in nano of the settlement currency. */
export interface PositionView {
  readonly account: AccountId
  readonly instrument: Instrument
  /** Signed: positive is long. */
  readonly size: Lots
  readonly averagePrice: Price9
  readonly mark: Price9
  readonly index: Price9
  readonly realized: Amount
  /** Since the last settlement. */
  readonly floating: Amount
  /** Since opening. */
  readonly total: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
  readonly openOrdersMargin: Amount
  /** Size in coin (1e-9) for inverse, in quote (1e-9) for linear: at the mark. */
  readonly sizeAtMark: Amount
}

/** A wallet: one currency of one account, in nano. */
export interface WalletView {
  readonly account: AccountId
  readonly currency: Currency
  readonly balance: Amount
  readonly sessionRealized: Amount
  readonly sessionFloating: Amount
  /** Since opening, over all positions. */
  readonly totalProfit: Amount
  readonly equity: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
  readonly spotReserve: Amount
  readonly available: Amount
  /** Sum of position sizes in coin of this currency's inverse contracts, 1e-9. */
  readonly delta: Amount
}

/** The account of a name. */
export function findAccount(exchange: Exchange, name: string): Account | undefined {
  const id = exchange.accountIds.get(name)
  return id === undefined ? undefined : accountRow(exchange, id).account
}

/** The account of an id. */
export function accountOf(exchange: Exchange, account: AccountId): Account {
  return accountRow(exchange, account).account
}

/** All accounts in the order of their opening. */
export function allAccounts(exchange: Exchange): readonly Account[] {
  return exchange.accounts.map((row) => row.account)
}

/** The instrument of a name. */
export function findInstrument(exchange: Exchange, name: string): Instrument | undefined {
  const id = exchange.instrumentIds.get(name)
  return id === undefined ? undefined : exchange.instruments[id]?.instrument
}

/** All instruments in the order of listing. */
export function allInstruments(exchange: Exchange): readonly Instrument[] {
  return exchange.instruments.map((row) => row.instrument)
}

/** A live order, or undefined. */
export function viewOrder(exchange: Exchange, order: OrderId): OrderView | undefined {
  const slot = slotOf(exchange, order)
  return slot < 0 ? undefined : viewSlot(exchange, slot)
}

/** An account's live orders that match a filter, in the order of creation (C14). */
export function openOrders(
  exchange: Exchange,
  account: AccountId,
  filter: OrderFilter,
): readonly OrderView[] {
  const found: OrderView[] = []
  visitAccountOrders(exchange, account, (slot) => {
    if (matches(exchange, orderAt(exchange, slot), filter)) found.push(viewSlot(exchange, slot))
  })
  return found
}

function viewSlot(exchange: Exchange, slot: number): OrderView {
  const row = instrumentOf(exchange, slot)
  const order = orderAt(exchange, slot)
  return {
    order: { ...order },
    account: accountId(ownerOf(exchange.slots, slot)),
    instrument: row.instrument,
    price: orderPrice9(exchange, row, slot),
    filled: lots(filledOf(exchange, slot)),
    averagePrice: averagePrice(exchange, row, slot),
    createdAt: creationTimeAt(exchange.orders, slot),
    updatedAt: updateTimeAt(exchange.orders, slot),
    state: stateOf(order),
    rested: order.stage === 'resting',
    shown: visibleOf(exchange, slot),
    trigger: order.trigger === null ? null : triggerOf(row, order.trigger),
    links: order.link === null ? unlinked : linksOf(order.link),
  }
}

/** What an account chose. */
export function selfTradingOf(exchange: Exchange, account: AccountId): SelfTrading {
  const row = accountRow(exchange, account)
  return { mode: row.selfMatch, extended: row.selfMatchExtended }
}

/**
 * Initial margin that a live order would need alone, in nano: of a spot order what it reserves, and
 * nothing for what waits or may only reduce a position (C14). Undefined where no such order lives.
 */
export function orderMargin(
  exchange: Exchange,
  order: OrderId,
): { readonly margin: Amount; readonly currency: Currency } | undefined {
  const slot = slotOf(exchange, order)
  if (slot < 0) return undefined
  const live = orderAt(exchange, slot)
  const row = instrumentOf(exchange, slot)
  const remaining = remainingOf(exchange.slots, slot)
  const isSale = row.base >= 0 && live.side === 'sell'
  const currency = currencyOf(isSale ? currencyId(row.base) : row.settlement)
  if (stateOf(live) !== 'open' || live.reduceOnly) return { margin: amount(0n), currency }
  if (row.base < 0) {
    const margin = row.mark === 0 ? 0 : initialMargin(row.markScale, remaining)
    return { margin: amount(BigInt(margin)), currency }
  }
  const price = priceOf(exchange.slots, slot)
  setReserve(exchange, row, { at: 0, side: live.side, lots: remaining, price })
  return { margin: amount(wideToBigint(exchange.scratch, 0)), currency }
}

/** The market of an instrument. */
export function viewMarket(exchange: Exchange, instrument: InstrumentId): MarketView {
  const row = rowOf(exchange, instrument)
  const { tick9 } = row.instrument
  const bestOf = (side: 'buy' | 'sell'): Level | null => {
    const price = bestPrice(row.book, side)
    if (price === undefined) return null
    return { price: price9(price * tick9), amount: lots(levelSize(row.book, side, price)) }
  }
  let openInterest = 0
  for (const holding of row.holdings) {
    openInterest += Math.max(0, sizeOf(exchange.ledger, holding))
  }
  return {
    instrument: row.instrument,
    state: row.state,
    mark: row.mark,
    index: row.index.price,
    lastPrice: row.lastPrice,
    bandMax: price9(row.bandMax * tick9),
    bandMin: price9(row.bandMin * tick9),
    bestBid: bestOf('buy'),
    bestAsk: bestOf('sell'),
    changeId: row.changeId,
    openInterest: lots(openInterest),
    restingOrders: ordersInBook(row.book),
  }
}

/** The best levels of one side, best first. */
export function viewDepth(
  exchange: Exchange,
  instrument: InstrumentId,
  of: { readonly side: 'buy' | 'sell'; readonly depth: number },
): readonly Level[] {
  const row = rowOf(exchange, instrument)
  const levels: Level[] = []
  visitLevels(row.book, of.side, {
    depth: of.depth,
    visit: (price, size) => {
      levels.push({ price: price9(price * row.instrument.tick9), amount: lots(size) })
    },
  })
  return levels
}

/** An account's position in an instrument; of size 0 where it has none. */
export function viewPosition(
  exchange: Exchange,
  account: AccountId,
  instrument: InstrumentId,
): PositionView {
  const row = rowOf(exchange, instrument)
  const owner = findHolding(exchange, account, row)
  if (owner === undefined) return emptyPosition(row, account)
  const state = readHolding(exchange.ledger, owner.holding)
  const exposure = readExposure(exchange.margin, owner.holding)
  const inverse = row.terms.payoff === 'inverse'
  const nano = (value: bigint): Amount =>
    amount(inverse ? divHalfAwayBig(value, 1_000_000_000n) : value)
  const positionMargin =
    row.base >= 0 || row.mark === 0 ? 0 : initialMargin(row.markScale, Math.abs(state.size))
  const sizeAtMark = nano(state.value < 0n ? -state.value : state.value)
  return {
    account,
    instrument: row.instrument,
    size: lots(state.size),
    averagePrice: positionAverage(row, state),
    mark: row.mark,
    index: row.index.price,
    realized: nano(state.realized),
    floating: nano(state.session - state.value),
    total: nano(state.entry - state.value),
    initialMargin: amount(BigInt(exposure.initial)),
    maintenanceMargin: amount(BigInt(exposure.maintenance)),
    openOrdersMargin: amount(BigInt(Math.max(0, exposure.initial - positionMargin))),
    sizeAtMark: amount(state.size < 0 ? -sizeAtMark : sizeAtMark),
  }
}

/** All positions of an account, instruments in the order of listing, flat ones left out. */
export function openPositions(exchange: Exchange, account: AccountId): readonly PositionView[] {
  const found: PositionView[] = []
  for (const row of exchange.instruments) {
    const owner = findHolding(exchange, account, row)
    if (owner === undefined || sizeOf(exchange.ledger, owner.holding) === 0) continue
    found.push(viewPosition(exchange, account, row.instrument.id))
  }
  return found
}

/** A wallet of an account. */
export function viewWallet(exchange: Exchange, account: AccountId, currency: Currency): WalletView {
  const wallet = walletOf(account, currencyIdOf(currency))
  const balance = cashOf(exchange.ledger, wallet)
  const totals = readTotals(exchange.margin, wallet)
  const sums = { realized: 0n, floating: 0n, total: 0n, delta: 0n }
  for (const row of exchange.instruments) {
    if (row.base >= 0 || currencyOf(row.settlement) !== currency) continue
    if (findHolding(exchange, account, row) === undefined) continue
    const position = viewPosition(exchange, account, row.instrument.id)
    sums.realized += position.realized
    sums.floating += position.floating
    sums.total += position.total
    if (row.terms.payoff === 'inverse') sums.delta += position.sizeAtMark
  }
  const equity = equityOf(exchange, account, currency)
  return {
    account,
    currency,
    balance: amount(balance),
    sessionRealized: amount(sums.realized),
    sessionFloating: amount(sums.floating),
    totalProfit: amount(sums.total),
    equity,
    initialMargin: amount(totals.initial),
    maintenanceMargin: amount(totals.maintenance),
    spotReserve: amount(totals.reserve),
    available: amount(equity - totals.initial - totals.reserve),
    delta: amount(sums.delta),
  }
}

/** Cash and session profit of a wallet in nano: what `viewWallet` calls equity, at a lower cost. */
export function equityOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  const wallet = walletOf(account, currencyIdOf(currency))
  return amount(cashOf(exchange.ledger, wallet) + profitOf(exchange.ledger, wallet))
}

function rowOf(exchange: Exchange, instrument: InstrumentId): InstrumentRow {
  const row = exchange.instruments[instrument]
  if (row === undefined) throw new RangeError(`instrument ${instrument} is not listed`)
  return row
}

/** Average entry price: harmonic for inverse (6 decimals), weighted mean for linear (8 decimals). */
function positionAverage(
  row: InstrumentRow,
  state: { readonly size: number; readonly entry: bigint },
): Price9 {
  if (state.size === 0) return price9(0)
  const amount9 = BigInt(Math.abs(state.size)) * BigInt(row.instrument.amountStep9)
  const entry = state.entry < 0n ? -state.entry : state.entry
  if (entry === 0n) return price9(0)
  if (row.terms.payoff === 'inverse') {
    return price9(Number(divHalfAwayBig(amount9 * 1_000_000_000_000_000n, entry) * 1_000n))
  }
  return price9(Number(divHalfAwayBig(entry * 100_000_000n, amount9) * 10n))
}

function emptyPosition(row: InstrumentRow, account: AccountId): PositionView {
  const zero = amount(0n)
  return {
    account,
    instrument: row.instrument,
    size: lots(0),
    averagePrice: price9(0),
    mark: row.mark,
    index: row.index.price,
    realized: zero,
    floating: zero,
    total: zero,
    initialMargin: zero,
    maintenanceMargin: zero,
    openOrdersMargin: zero,
    sizeAtMark: zero,
  }
}
