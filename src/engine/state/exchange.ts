/**
 * The state of an exchange: plain data that only the engine's functions write.
 *
 * Rows and slots: an order lives under a slot of the shared pool; a holding is a pair (account,
 * instrument) that has a row in `ledger` and in `margin`; a wallet is a pair (account, currency),
 * row = account * CURRENCY_SLOTS + currency.
 */
import {
  type Book,
  createBook,
  createOrderSlots,
  createReplayBook,
  createTriggerBook,
  type OrderSlots,
  type TriggerBook,
} from '../../book/index.ts'
import {
  assert,
  type CurrencyId,
  createIntMap,
  createTimerQueue,
  type IntMap,
  type Micros,
  type Price9,
  price9,
  type Ticks,
  type TimerId,
  type TimerQueue,
  ticks,
} from '../../core/index.ts'
import {
  type ContractTerms,
  contractTerms,
  createLedger,
  type Ledger,
  type PricedTerms,
  pricedTerms,
} from '../../ledger/index.ts'
import {
  createMargin,
  type Margin,
  type MarginScale,
  type MarkedScale,
  marginScale,
  markedScale,
} from '../../margin/index.ts'
import {
  type Account,
  CURRENCY_SLOTS,
  currencyIdOf,
  type ExchangeConfig,
  type Instrument,
  type InstrumentState,
  isCurrency,
  type QueueModel,
  type SelfMatchMode,
  type TriggerSource,
} from '../../model/index.ts'
import { createLiveOrders, type LiveOrders } from './order-records.ts'
import type { Work } from './work.ts'

/** An account with its settings, its live orders in the order of their creation, and their counts. */
export interface AccountRow {
  readonly account: Account
  selfMatch: SelfMatchMode
  /** Whether that holds for all accounts of the same main account that say so too (C27). */
  selfMatchExtended: boolean
  /** How many subaccounts it has. */
  subaccounts: number
  firstOrder: number
  lastOrder: number
  /** Orders in a book or on their way to it. */
  openTotal: number
  openFuture: number
  openOption: number
  openSpot: number
  /** Trigger orders that wait, and dormant secondaries that will be such. */
  readonly openTriggers: { [S in TriggerSource]: number }
  /** Dormant secondaries, those of spot apart. */
  openSecondaries: number
  openSpotSecondaries: number
}

/** Stands for no instrument. */
export const NO_INSTRUMENT = -1

/** A price index and the instruments that follow it. */
export interface IndexRow {
  readonly name: string
  /** 0 while unknown. */
  price: Price9
  /** The instrument whose recorded mid it follows, or NO_INSTRUMENT. */
  mid: number
  readonly followers: number[]
}

/** An instrument with everything that changes about it. */
export interface InstrumentRow {
  readonly instrument: Instrument
  readonly terms: ContractTerms
  readonly scale: MarginScale
  /** How places in its recorded queues are modelled; null in a closed market. */
  readonly queue: QueueModel | null
  readonly book: Book
  /** Orders that wait for each price of the instrument. */
  readonly triggers: { readonly [S in TriggerSource]: TriggerBook }
  readonly index: IndexRow
  /** Id of the currency of profit and fees. */
  readonly settlement: CurrencyId
  /** The base currency of a spot pair, else -1. */
  readonly base: CurrencyId | -1
  state: InstrumentState
  /** 0 while unknown. Set by `setMark`, with the arithmetic at that price. */
  mark: Price9
  markTerms: PricedTerms
  markScale: MarkedScale
  markPinned: boolean
  bandMin: Ticks
  bandMax: Ticks
  tradeSeq: number
  lastPrice: Price9
  lastMove: 'none' | 'up' | 'down'
  changeId: number
  /** Holdings of this instrument, in the order in which they arose. */
  readonly holdings: number[]
}

/**
 * A pair of account and instrument, with the rows it has in the ledger and in margin (`holding`) and
 * in the wallets of its account (`wallet`), and its resting reduce-only orders.
 */
export interface HoldingRow {
  readonly holding: number
  readonly account: number
  readonly wallet: number
  readonly row: InstrumentRow
  /** Whether margin binds it: not spot, which reserves what it needs, and not the house. */
  readonly margined: boolean
  /** Slots of its resting reduce-only orders. */
  readonly reducing: number[]
}

/** What the engine's timers carry. */
export type TimerTask =
  | { readonly kind: 'session_end' }
  /** An order arrives at the third-party exchange that matches it (R37). */
  | { readonly kind: 'order_arrival'; readonly order: number }

/** Ranks of timers due at one instant (R02). */
export const timerRank = { release: 1, settlement: 6 } as const

/** The state of an exchange. */
export interface Exchange {
  readonly config: ExchangeConfig
  now: Micros
  lastSequence: number
  eventCount: number
  readonly accounts: AccountRow[]
  readonly accountIds: Map<string, number>
  /** The account on the other side of recorded liquidity; -1 while no instrument needs it. */
  market: number
  readonly instruments: InstrumentRow[]
  readonly instrumentIds: Map<string, number>
  readonly indices: Map<string, IndexRow>
  readonly slots: OrderSlots
  readonly orders: LiveOrders
  readonly slotOfOrder: IntMap
  readonly holdingOf: IntMap
  /** In the order in which they arose. */
  readonly holdings: HoldingRow[]
  /** Last order and trade number of each settlement currency. */
  readonly orderNumbers: number[]
  readonly tradeNumbers: number[]
  readonly ledger: Ledger
  readonly margin: Margin
  readonly timers: TimerQueue<TimerTask>
  /** Whether the end of the session is awaited: it sleeps while no good-til-day order lives. */
  sessionEndScheduled: boolean
  /** Timers of orders on their way to a third-party exchange, by order. */
  readonly arrivals: Map<number, TimerId>
  /** What is set off and waits for its turn, first in first out; empty between commands. */
  readonly work: Work[]
  /** Registers of the engine's wide arithmetic; meaningless between calls. */
  readonly scratch: Float64Array
}

/** An exchange without accounts and instruments, at its start time. */
export function emptyExchange(config: ExchangeConfig): Exchange {
  return {
    config,
    now: config.start,
    lastSequence: 0,
    eventCount: 0,
    accounts: [],
    accountIds: new Map(),
    market: -1,
    instruments: [],
    instrumentIds: new Map(),
    indices: new Map(),
    slots: createOrderSlots(),
    orders: createLiveOrders(),
    slotOfOrder: createIntMap(),
    holdingOf: createIntMap(),
    holdings: [],
    orderNumbers: new Array<number>(CURRENCY_SLOTS).fill(0),
    tradeNumbers: new Array<number>(CURRENCY_SLOTS).fill(0),
    ledger: createLedger(),
    margin: createMargin(),
    timers: createTimerQueue<TimerTask>(),
    sessionEndScheduled: false,
    arrivals: new Map(),
    work: [],
    scratch: new Float64Array(8),
  }
}

/** The row of an index, made when first named. */
export function indexRow(exchange: Exchange, name: string): IndexRow {
  const known = exchange.indices.get(name)
  if (known !== undefined) return known
  const row: IndexRow = { name, price: price9(0), mid: NO_INSTRUMENT, followers: [] }
  exchange.indices.set(name, row)
  return row
}

/** A fresh row of an instrument; the caller appends it. */
export function instrumentRow(
  exchange: Exchange,
  instrument: Instrument,
  queue: QueueModel | null,
): InstrumentRow {
  const spot = instrument.detail.type === 'spot'
  const terms = contractTerms(instrument)
  const scale = marginScale(instrument)
  return {
    instrument,
    terms,
    scale,
    queue,
    book: queue === null ? createBook(exchange.slots) : createReplayBook(exchange.slots),
    triggers: {
      index_price: createTriggerBook(),
      mark_price: createTriggerBook(),
      last_price: createTriggerBook(),
    },
    index: indexRow(exchange, instrument.priceIndex),
    settlement: currencyIdOf(instrument.settlementCurrency),
    base: spot ? spotBase(instrument) : -1,
    state: 'open',
    mark: price9(0),
    markTerms: pricedTerms(terms, 0),
    markScale: markedScale(scale, 0),
    markPinned: false,
    bandMin: ticks(0),
    bandMax: ticks(0),
    tradeSeq: 0,
    lastPrice: price9(0),
    lastMove: 'none',
    changeId: 0,
    holdings: [],
  }
}

/** Adds the row of an account. */
export function addAccount(exchange: Exchange, account: Account): AccountRow {
  const row: AccountRow = {
    account,
    selfMatch: exchange.config.selfMatch,
    selfMatchExtended: false,
    subaccounts: 0,
    firstOrder: -1,
    lastOrder: -1,
    openTotal: 0,
    openFuture: 0,
    openOption: 0,
    openSpot: 0,
    openTriggers: { index_price: 0, mark_price: 0, last_price: 0 },
    openSecondaries: 0,
    openSpotSecondaries: 0,
  }
  exchange.accounts.push(row)
  exchange.accountIds.set(account.name, account.id)
  const main = exchange.accounts[account.main]
  if (main !== undefined && main !== row) main.subaccounts += 1
  return row
}

/** What a price of an instrument is now; 0 while unknown. */
export function sourcePrice(row: InstrumentRow, source: TriggerSource): Price9 {
  switch (source) {
    case 'index_price':
      return row.index.price
    case 'mark_price':
      return row.mark
    case 'last_price':
      return row.lastPrice
  }
}

/** Sets the mark of an instrument and the arithmetic at it; holdings are revalued by the caller. */
export function setMark(row: InstrumentRow, mark: Price9): void {
  row.mark = mark
  row.markTerms = pricedTerms(row.terms, mark)
  row.markScale = markedScale(row.scale, mark)
}

function spotBase(instrument: Instrument): CurrencyId {
  assert(isCurrency(instrument.baseCurrency), 'the base of a spot pair can be held')
  return currencyIdOf(instrument.baseCurrency)
}

/** The wallet row of an account and currency. */
export function walletOf(account: number, currency: number): number {
  return account * CURRENCY_SLOTS + currency
}
