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
  micros,
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
import { createDeliveryAverage, type DeliveryAverage } from '../../settlement/index.ts'
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
  /** Its holdings of perpetuals, in the order in which they arose. */
  readonly perpetuals: HoldingRow[]
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
  /** Listed instruments that are not delivered. */
  readonly followers: number[]
  /** Its samples for delivery prices. */
  readonly average: DeliveryAverage
}

/** Funding of a perpetual as it runs. */
export interface FundingState {
  /** Sum since listing, at `since`: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
  accumulated: bigint
  /** Rate in force, for 8 hours in 1e-8. */
  rate8: number
  since: Micros
  /** What those who were long paid since the last settlement, in nano. */
  paidByLongs: bigint
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
  /** Whether the venue finds the mark, a control has set it, or a feed tells it. */
  markRule: 'venue' | 'set' | 'feed'
  /** Average premium of the fair price over the index in 1e-9 (market.md 3.2). */
  ema9: number
  /** Whether its mark is index and premium, and so takes part in ticks of the price grid. */
  readonly isMarkComputed: boolean
  /** Whether it could take part in the next tick, and does not. */
  sleeps: boolean
  /** Fair price of a book with two sides, and the `changeId` it was found at; -1 for none. */
  fair9: number
  fairSeen: number
  /** Null but for perpetuals. */
  readonly funding: FundingState | null
  /** Mark of the last settlement, 0 before the first. */
  settlementPrice: Price9
  /** Fixed at 08:00 of its last day, 0 before. */
  deliveryPrice: Price9
  /** Whether it was delivered, and when; it stays so. */
  isDelivered: boolean
  deliveredAt: Micros
  /** The state of its book before the settlement that is going on; null while none is. */
  stateBefore: InstrumentState | null
  bandMin: Ticks
  bandMax: Ticks
  tradeSeq: number
  lastPrice: Price9
  lastMove: 'none' | 'up' | 'down'
  changeId: number
  /** Holdings of this instrument, in the order in which they arose. */
  readonly holdings: number[]
  /** Of a future spread its legs, once all of them are listed; else none. */
  legs: readonly MarkedLeg[]
  /** Future spreads that it is a leg of, in the order of listing. */
  readonly spreads: InstrumentRow[]
}

/** A leg of a future spread with its signed ratio. */
export interface MarkedLeg {
  readonly row: InstrumentRow
  readonly ratio: number
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
  /** Where the accumulator of funding was when it was last touched. */
  funded: bigint
}

/** What the engine's timers carry. */
export type TimerTask =
  | { readonly kind: 'session_end' }
  /** The marks of instruments that are awake move. */
  | { readonly kind: 'price_grid' }
  /** The last half hour of a future begins. */
  | { readonly kind: 'delivery_window'; readonly instrument: number }
  /** The damper of a perpetual's funding has a new value. */
  | { readonly kind: 'funding_terms'; readonly instrument: number }
  /** Books that were settled open again, where that takes time. */
  | { readonly kind: 'settlement_over'; readonly currency: number }
  /** An order arrives at the third-party exchange that matches it (R37). */
  | { readonly kind: 'order_arrival'; readonly order: number }

/** Ranks of timers due at one instant (R02). */
export const timerRank = { release: 1, prices: 5, settlement: 6 } as const

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
  /** Whether the end of the session is awaited. */
  sessionEndScheduled: boolean
  /** Whether the next tick of the price grid is awaited, and who takes part in it. */
  gridScheduled: boolean
  awake: number[]
  /** Currencies whose settlement waits until no book of theirs is halted. */
  readonly unsettled: Set<number>
  /** Currencies whose books are closed while their settlement takes its time. */
  readonly settling: Set<number>
  /** Roundings of settlements and funding so far, by currency: they bound what the house keeps of them. */
  readonly roundings: number[]
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
    gridScheduled: false,
    awake: [],
    unsettled: new Set(),
    settling: new Set(),
    roundings: new Array<number>(CURRENCY_SLOTS).fill(0),
    arrivals: new Map(),
    work: [],
    scratch: new Float64Array(10),
  }
}

/** The row of an index, made when first named. */
export function indexRow(exchange: Exchange, name: string): IndexRow {
  const known = exchange.indices.get(name)
  if (known !== undefined) return known
  const row: IndexRow = {
    name,
    price: price9(0),
    mid: NO_INSTRUMENT,
    followers: [],
    average: createDeliveryAverage(),
  }
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
  const isMarkComputed = instrument.mark !== null && exchange.config.marks === 'venue'
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
    markRule: 'venue',
    ema9: 0,
    isMarkComputed,
    sleeps: isMarkComputed,
    fair9: 0,
    fairSeen: -1,
    funding:
      instrument.funding === null
        ? null
        : { accumulated: 0n, rate8: 0, since: exchange.now, paidByLongs: 0n },
    settlementPrice: price9(0),
    deliveryPrice: price9(0),
    isDelivered: false,
    deliveredAt: micros(0),
    stateBefore: null,
    bandMin: ticks(0),
    bandMax: ticks(0),
    tradeSeq: 0,
    lastPrice: price9(0),
    lastMove: 'none',
    changeId: 0,
    holdings: [],
    legs: [],
    spreads: [],
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
    perpetuals: [],
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

/** Ties future spreads to their legs, where an instrument was just listed that is one or the other. */
export function linkSpreads(exchange: Exchange, listed: InstrumentRow): void {
  for (const row of exchange.instruments) {
    const { detail, kind } = row.instrument
    if (kind !== 'future_combo' || detail.type !== 'combo' || row.legs.length > 0) continue
    const isOf = detail.legs.some(({ instrumentName }) => instrumentName === listed.instrument.name)
    if (row !== listed && !isOf) continue
    const legs: MarkedLeg[] = []
    for (const { instrumentName, ratio } of detail.legs) {
      const leg = exchange.instruments[exchange.instrumentIds.get(instrumentName) ?? -1]
      if (leg !== undefined) legs.push({ row: leg, ratio })
    }
    if (legs.length < detail.legs.length) continue
    row.legs = legs
    for (const leg of legs) leg.row.spreads.push(row)
  }
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
