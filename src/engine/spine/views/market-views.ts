/**
 * Read-only views of accounts, instruments and markets, in engine units, for queries. Views of live orders are in
 * `order-views.ts`, of positions and wallets in `account-views.ts`.
 *
 * Prices are 1e-9 quote units, sizes lots, money nano (1e-9 of the currency).
 * Source: market.md 8 (books).
 */
import { bestPrice, levelSize, ordersInBook, visitLevels } from '../../../book/index.ts'
import {
  type AccountId,
  coded,
  type InstrumentId,
  type Lots,
  lots,
  type Micros,
  type Price9,
  price9,
} from '../../../core/index.ts'
import { sizeOf } from '../../../ledger/index.ts'
import {
  type Account,
  farthestPrice,
  type Instrument,
  type InstrumentState,
  NO_ACCOUNT,
  type Side,
} from '../../../model/index.ts'
import { indexStep9 } from '../../../pricing/index.ts'
import {
  accountRow,
  deliveryMean9,
  type Exchange,
  type IndexRow,
  type InstrumentRow,
  isUsername,
  sampleUntil,
  WINDOW_MICROS,
} from '../../state/index.ts'
import { accumulatedNow, bandOf, ticksOfIndex } from '../../value/index.ts'

/** An instrument and its current market. */
export interface MarketView {
  readonly instrument: Instrument
  readonly state: InstrumentState
  /** Time at which its book entered that state. */
  readonly stateSince: Micros
  /** 0 while unknown, like `index`; the known mark of a combo may also be 0, or negative. */
  readonly mark: Price9
  readonly index: Price9
  /** Null before the first trade; for a combo it may be 0 or negative. */
  readonly lastPrice: Price9 | null
  /** Highest buy and lowest sell price; 0 without a band. */
  readonly bandMax: Price9
  readonly bandMin: Price9
  readonly bestBid: Level | null
  readonly bestAsk: Level | null
  readonly changeId: number
  /** Sum of long positions. */
  // Source: market.md 2.
  readonly openInterest: Lots
  readonly restingOrders: number
  /** Mark of the last settlement, 0 before the first. */
  readonly settlementPrice: Price9
  /** Its delivery price, 0 before the delivery. */
  readonly deliveryPrice: Price9
  /** Time of its delivery; null before it. */
  readonly deliveredAt: Micros | null
  readonly estimatedDelivery: Price9
  /** Null except for perpetuals. */
  readonly funding: FundingView | null
}

/** Present funding of a perpetual. */
interface FundingView {
  /** Rate in force, for 8 hours in 1e-8. */
  readonly rate8: number
  /** Sum since listing: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  readonly accumulated: bigint
}

/** A price index now. */
interface IndexView {
  /** 0 while unknown, like the other field. */
  readonly price: Price9
  /** The average so far in the half hour before a delivery, otherwise the index. */
  readonly estimatedDelivery: Price9
}

/** A price level. */
export interface Level {
  readonly price: Price9
  readonly amount: Lots
}

/**
 * Finds the account with a name, unless it was removed.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(findAccount(venue.exchange, 'ann')?.name) // ann
 */
export function findAccount(exchange: Exchange, name: string): Account | undefined {
  const id = exchange.accountIds.get(name)
  if (id === undefined || exchange.removed.has(id)) return undefined
  return accountRow(exchange, id).account
}

/** True if an account has, or had, a name or a username. */
export function isAccountName(exchange: Exchange, name: string): boolean {
  return exchange.accountIds.has(name) || isUsername(exchange, name, NO_ACCOUNT)
}

/** True if an account was removed. */
export function isRemoved(exchange: Exchange, account: AccountId): boolean {
  return exchange.removed.has(account)
}

/** The account of an id. */
export function accountOf(exchange: Exchange, account: AccountId): Account {
  return accountRow(exchange, account).account
}

/**
 * Returns all accounts in the order of their opening, also removed ones: the position of an account is its id.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * console.log(allAccounts(venue.exchange).some(({ name }) => name === 'ann')) // true
 */
export function allAccounts(exchange: Exchange): readonly Account[] {
  return exchange.accounts.map((row) => row.account)
}

/**
 * Finds the instrument with a name.
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
 * The number of a currency pair, from 1 in the order in which the venue first used the indices. It never changes within
 * a run. 0 for an unknown pair.
 */
export function pairNumberOf(exchange: Exchange, index: string): number {
  return [...exchange.indices.keys()].indexOf(index) + 1
}

/** The price index of the currency pair with a number; undefined for none. */
export function pairOfNumber(exchange: Exchange, number: number): string | undefined {
  return [...exchange.indices.keys()][number - 1]
}

/** A listed instrument by its id. */
export function instrumentAt(exchange: Exchange, instrument: InstrumentId): Instrument {
  return rowOf(exchange, instrument).instrument
}

/** The state of the book of a listed instrument. */
export function bookStateOf(exchange: Exchange, instrument: InstrumentId): InstrumentState {
  return rowOf(exchange, instrument).state
}

/** True if the book of a listed instrument contains recorded liquidity. */
export function isRecorded(exchange: Exchange, instrument: InstrumentId): boolean {
  return rowOf(exchange, instrument).book.recorded !== null
}

/**
 * Returns all instruments in the order of listing.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'] })
 * console.log(allInstruments(venue.exchange).map(({ name }) => name)) // [ 'BTC-PERPETUAL' ]
 */
export function allInstruments(exchange: Exchange): readonly Instrument[] {
  return exchange.instruments.map((row) => row.instrument)
}

/**
 * Returns the market of an instrument.
 *
 * @throws RangeError with the code `INSTRUMENT` if the instrument is not listed.
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
  const { min: bandMin, max: bandMax } = bandOf(row)
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
    bandMax: row.hasBand ? price9(bandMax * tick9) : farthestPrice(row.instrument, 'buy'),
    bandMin: row.hasBand ? price9(bandMin * tick9) : farthestPrice(row.instrument, 'sell'),
    bestBid: bestOf('buy'),
    bestAsk: bestOf('sell'),
    changeId: row.changeId,
    openInterest: lots(openInterest),
    restingOrders: ordersInBook(row.book),
    settlementPrice: row.settlementPrice,
    deliveryPrice: row.deliveredAt === null ? price9(0) : row.deliveryPrice,
    deliveredAt: row.deliveredAt,
    // While the delivery waits for a halted book, its fixed price replaces the estimate.
    estimatedDelivery: row.deliveryPrice > 0 ? row.deliveryPrice : estimatedDelivery(exchange, row.index),
    funding: row.funding === null ? null : { rate8: row.funding.rate8, accumulated: accumulatedNow(exchange, row) },
  }
}

/** A price index, or undefined if it does not exist. */
export function viewIndex(exchange: Exchange, name: string): IndexView | undefined {
  const index = exchange.indices.get(name)
  if (index === undefined) return undefined
  return { price: index.price, estimatedDelivery: estimatedDelivery(exchange, index) }
}

/** The ticks of the instruments with prices in the currency of an index. */
export function indexTicks(exchange: Exchange, name: string): readonly number[] {
  const index = exchange.indices.get(name)
  return index === undefined ? [] : ticksOfIndex(exchange, index)
}

/** Names of all price indices, in the order in which the run first used them. */
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
  // A view must not change state, so it samples on a copy.
  const average = { ...index.average }
  sampleUntil(average, now, index.price)
  const step9 = indexStep9(index.name, index.price, ticksOfIndex(exchange, index))
  const mean = deliveryMean9(average, step9)
  return mean === 0 ? index.price : price9(mean)
}

/** The best levels of one side, best first. */
export function viewDepth(exchange: Exchange, instrument: InstrumentId, side: Side, depth: number): readonly Level[] {
  const row = rowOf(exchange, instrument)
  const levels: Level[] = []
  visitLevels(row.book, side, depth, (price, size) => {
    levels.push({ price: price9(price * row.instrument.tick9), amount: lots(size) })
    return true
  })
  return levels
}

/** Number of changes of the visible levels of an instrument's book. */
export function changeIdOf(exchange: Exchange, instrument: InstrumentId): number {
  return rowOf(exchange, instrument).changeId
}

/**
 * The row of an instrument.
 *
 * @throws RangeError with the code `INSTRUMENT` if it is not listed.
 */
export function rowOf(exchange: Exchange, instrument: InstrumentId): InstrumentRow {
  const row = exchange.instruments[instrument]
  if (row === undefined) throw coded(new RangeError(`instrument ${instrument} is not listed`), 'INSTRUMENT')
  return row
}
