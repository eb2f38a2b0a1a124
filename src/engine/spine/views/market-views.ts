/**
 * Read-only views of accounts, instruments, orders and markets, in engine units: what queries answer
 * from. What accounts hold is in `account-views.ts`.
 *
 * Prices are 1e-9 quote units, sizes lots, money nano (1e-9 of the currency).
 * Source: trading.md 4.7, C14 (orders); market.md 8 (books).
 */
import {
  bestPrice,
  levelSize,
  ordersInBook,
  ownerOf,
  priceOf,
  remainingOf,
  visitLevels,
} from '../../../book/index.ts'
import {
  type AccountId,
  type Amount,
  accountId,
  amount,
  currencyId,
  type InstrumentId,
  type Lots,
  lots,
  type Micros,
  type OrderId,
  type Price9,
  price9,
  wideToBigint,
} from '../../../core/index.ts'
import { sizeOf } from '../../../ledger/index.ts'
import {
  type Account,
  type Currency,
  currencyOf,
  type Instrument,
  type InstrumentState,
  type Order,
  type OrderFilter,
  type OrderLinks,
  type SelfMatchMode,
  type Side,
  type Trigger,
  unlinked,
} from '../../../model/index.ts'
import { indexStep9 } from '../../../pricing/index.ts'
import { setReserve } from '../../market/index.ts'
import { matches } from '../../requests/index.ts'
import {
  accountRow,
  averagePrice,
  copyOfOrder,
  creationTimeAt,
  deliveryMean9,
  type Exchange,
  filledOf,
  type IndexRow,
  type InstrumentRow,
  instrumentOf,
  linksOf,
  orderAt,
  orderPrice9,
  sampleUntil,
  slotOf,
  stateOf,
  triggerOf,
  updateTimeAt,
  visibleOf,
  visitAccountOrders,
  WINDOW_MICROS,
} from '../../state/index.ts'
import { accumulatedNow, orderNeed } from '../../value/index.ts'

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
  /** True if it stands in its book. */
  readonly rested: boolean
  /** Visible size, or the size that would be visible once it stands in its book. */
  readonly shown: Lots
  /** The trigger that it waits for; null but for trigger types. */
  readonly trigger: Trigger | null
  readonly links: OrderLinks
}

/** The rule for orders of an account that meet their own (C27). */
export interface SelfTrading {
  readonly mode: SelfMatchMode
  readonly extended: boolean
}

/** An instrument and its market as they are now. */
export interface MarketView {
  readonly instrument: Instrument
  readonly state: InstrumentState
  /** When its book entered that state. */
  readonly stateSince: Micros
  /** 0 while unknown, like `index`; the mark of a combo may be 0 or negative all the same. */
  readonly mark: Price9
  readonly index: Price9
  /** Null before the first trade; that of a combo may be 0 or negative. */
  readonly lastPrice: Price9 | null
  /** Highest buy and lowest sell price; 0 where there is no band. */
  readonly bandMax: Price9
  readonly bandMin: Price9
  readonly bestBid: Level | null
  readonly bestAsk: Level | null
  readonly changeId: number
  /** Sum of long positions (market.md 2). */
  readonly openInterest: Lots
  readonly restingOrders: number
  /** Mark of the last settlement, 0 before the first. */
  readonly settlementPrice: Price9
  /** The price at which it was delivered, 0 until it is. */
  readonly deliveryPrice: Price9
  /** When it was delivered; null until it is. */
  readonly deliveredAt: Micros | null
  readonly estimatedDelivery: Price9
  /** Null but for perpetuals. */
  readonly funding: FundingView | null
}

/** Funding of a perpetual at the present. */
export interface FundingView {
  /** Rate in force, for 8 hours in 1e-8. */
  readonly rate8: number
  /** Sum since listing: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  readonly accumulated: bigint
}

/** A price index at the present. */
export interface IndexView {
  /** 0 while unknown, like the other. */
  readonly price: Price9
  /** In the half hour before a delivery the average so far, else the index. */
  readonly estimatedDelivery: Price9
}

/** A price level. */
export interface Level {
  readonly price: Price9
  readonly amount: Lots
}

/**
 * The account of a name.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(findAccount(venue.exchange, 'ann')?.name) // ann
 */
export function findAccount(exchange: Exchange, name: string): Account | undefined {
  const id = exchange.accountIds.get(name)
  return id === undefined ? undefined : accountRow(exchange, id).account
}

/** The account of an id. */
export function accountOf(exchange: Exchange, account: AccountId): Account {
  return accountRow(exchange, account).account
}

/**
 * All accounts in the order of their opening.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(allAccounts(venue.exchange).some(({ name }) => name === 'ann')) // true
 */
export function allAccounts(exchange: Exchange): readonly Account[] {
  return exchange.accounts.map((row) => row.account)
}

/**
 * The instrument of a name.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'] })
 * console.log(findInstrument(venue.exchange, 'BTC-PERPETUAL')?.kind) // future
 */
export function findInstrument(exchange: Exchange, name: string): Instrument | undefined {
  const id = exchange.instrumentIds.get(name)
  return id === undefined ? undefined : exchange.instruments[id]?.instrument
}

/**
 * The number of a currency pair, from 1 in the order in which the venue came to know the indices: it never changes
 * within a run. 0 for one that it does not know.
 */
export function pairNumberOf({ indices }: Exchange, index: string): number {
  return [...indices.keys()].indexOf(index) + 1
}

/** The price index of the currency pair with a number; undefined for none. */
export function pairOfNumber({ indices }: Exchange, number: number): string | undefined {
  return [...indices.keys()][number - 1]
}

/** A listed instrument by its id. */
export function instrumentAt(exchange: Exchange, instrument: InstrumentId): Instrument {
  return rowOf(exchange, instrument).instrument
}

/** The state of the book of a listed instrument. */
export function bookStateOf(exchange: Exchange, instrument: InstrumentId): InstrumentState {
  return rowOf(exchange, instrument).state
}

/** True where the book of a listed instrument holds recorded liquidity. */
export function isRecorded(exchange: Exchange, instrument: InstrumentId): boolean {
  return rowOf(exchange, instrument).book.recorded !== null
}

/**
 * All instruments in the order of listing.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'] })
 * console.log(allInstruments(venue.exchange).map(({ name }) => name)) // [ 'BTC-PERPETUAL' ]
 */
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

/** The live order in a slot. */
export function viewSlot(exchange: Exchange, slot: number): OrderView {
  const row = instrumentOf(exchange, slot)
  const order = orderAt(exchange, slot)
  return {
    order: copyOfOrder(order),
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
    trigger: order.trigger === null ? null : triggerOf(row, order.trigger, order.stage),
    links: order.link === null ? unlinked : linksOf(order.link),
  }
}

/** The self-trading rule that an account chose. */
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
  const price = priceOf(exchange.slots, slot)
  if (row.base < 0) {
    const account = accountId(ownerOf(exchange.slots, slot))
    const shape = { side: live.side, lots: remaining, price: price9(price * row.instrument.tick9) }
    return { margin: orderNeed(exchange, account, { row, ...shape }), currency }
  }
  setReserve(exchange, row, { at: 0, side: live.side, lots: remaining, price })
  return { margin: amount(wideToBigint(exchange.scratch, 0)), currency }
}

/**
 * The market of an instrument.
 *
 * @example
 * const venue = openVenue({
 *   start: '2026-01-05T09:00:00Z',
 *   instruments: ['BTC-PERPETUAL'],
 *   index: { btc_usd: 50_000 },
 *   accounts: { ann: { BTC: 1 } },
 * })
 * const { exchange } = venue
 * const instrument = findInstrument(exchange, 'BTC-PERPETUAL')
 * if (instrument !== undefined) console.log(viewMarket(exchange, instrument.id).bestBid) // null
 */
export function viewMarket(exchange: Exchange, instrument: InstrumentId): MarketView {
  const row = rowOf(exchange, instrument)
  const { tick9 } = row.instrument
  const bestOf = (side: Side): Level | null => {
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
    stateSince: row.stateSince,
    mark: row.mark,
    index: row.index.price,
    lastPrice: row.hasLastPrice ? row.lastPrice : null,
    bandMax: price9(row.bandMax * tick9),
    bandMin: price9(row.bandMin * tick9),
    bestBid: bestOf('buy'),
    bestAsk: bestOf('sell'),
    changeId: row.changeId,
    openInterest: lots(openInterest),
    restingOrders: ordersInBook(row.book),
    settlementPrice: row.settlementPrice,
    deliveryPrice: row.deliveredAt === null ? price9(0) : row.deliveryPrice,
    deliveredAt: row.deliveredAt,
    // A price that is fixed is no estimate, while the delivery waits for a halted book.
    estimatedDelivery:
      row.deliveryPrice > 0 ? row.deliveryPrice : estimatedDelivery(exchange, row.index),
    funding:
      row.funding === null
        ? null
        : { rate8: row.funding.rate8, accumulated: accumulatedNow(exchange, row) },
  }
}

/** A price index, or undefined where nobody named it. */
export function viewIndex(exchange: Exchange, name: string): IndexView | undefined {
  const index = exchange.indices.get(name)
  if (index === undefined) return undefined
  return { price: index.price, estimatedDelivery: estimatedDelivery(exchange, index) }
}

/** Names of all price indices, in the order in which the run met them. */
export function allIndices(exchange: Exchange): readonly string[] {
  return [...exchange.indices.keys()]
}

/** Rule: delivery.estimate (market.md 3.5, T40). */
function estimatedDelivery(exchange: Exchange, index: IndexRow): Price9 {
  const { now } = exchange
  const ends = index.followers.some((id) => {
    const expiration = exchange.instruments[id]?.instrument.expiration ?? 0
    return expiration >= now && expiration - WINDOW_MICROS <= now
  })
  if (!ends) return index.price
  // A view changes nothing, so that it samples on a copy.
  const average = { ...index.average }
  sampleUntil(average, { time: now, price9: index.price })
  const mean = deliveryMean9(average, indexStep9(index.name, index.price))
  return mean === 0 ? index.price : price9(mean)
}

/** The best levels of one side, best first. */
export function viewDepth(
  exchange: Exchange,
  instrument: InstrumentId,
  of: { readonly side: Side; readonly depth: number },
): readonly Level[] {
  const row = rowOf(exchange, instrument)
  const levels: Level[] = []
  visitLevels(row.book, of.side, {
    depth: of.depth,
    visit: (price, size) => {
      levels.push({ price: price9(price * row.instrument.tick9), amount: lots(size) })
      return true
    },
  })
  return levels
}

/** How often the visible levels of an instrument's book have changed. */
export function changeIdOf(exchange: Exchange, instrument: InstrumentId): number {
  return rowOf(exchange, instrument).changeId
}

/** The row of an instrument; throws `RangeError` where it is not listed. */
export function rowOf(exchange: Exchange, instrument: InstrumentId): InstrumentRow {
  const row = exchange.instruments[instrument]
  if (row === undefined) throw new RangeError(`instrument ${instrument} is not listed`)
  return row
}
