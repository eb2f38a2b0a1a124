/**
 * The state of an exchange: plain data that only the engine's functions write.
 *
 * Rows and slots: an order lives under a slot of the shared pool; a holding, of an account and an instrument, has a
 * row in `ledger` and in `margin`; a wallet, of an account and a currency, has the
 * row = account * CURRENCY_SLOTS + currency.
 */
import { createOrderSlots, type OrderSlots } from '../../book/index.ts'
import {
  apart,
  cached,
  changing,
  createIntMap,
  createNumberHeap,
  createTimerQueue,
  derived,
  type Fields,
  fixed,
  type IntMap,
  listOf,
  liveUnit,
  type Micros,
  mapOf,
  type NumberHeap,
  type OrderId,
  orderlessSetOf,
  plainUnit,
  type RowOf,
  rowUnit,
  type Sequence,
  saveRow,
  sectioned,
  setOf,
  type TimerId,
  type TimerQueue,
  type Unit,
  units,
  wired,
  wiredUnit,
} from '../../core/index.ts'
import { createLedger, type Ledger } from '../../ledger/index.ts'
import { createMargin, type Margin, type ScenarioTable } from '../../margin/index.ts'
import { CURRENCY_SLOTS, type ExchangeConfig } from '../../model/index.ts'
import { accountFields, accountRiskFields, liquidationFields } from './account-row.ts'
import type { Asking } from './asking.ts'
import {
  blockSignatureFields,
  blockStateFields,
  blockStateUnit,
  executedBlockFields,
  freshBlocks,
  pendingBlockFields,
} from './block-rows.ts'
import { bumpFields, bumpUnit, heldRequestFields, heldRequestUnit, type WaitingCounts } from './bumps.ts'
import { type HoldingRow, holdingFields, pairFields, type SkippedHoldings } from './holding-row.ts'
import {
  fundingFields,
  type IndexRow,
  type InstrumentRow,
  indexFields,
  instrumentFields,
  optionFields,
  optionRiskFields,
  type SeriesRow,
  seriesFields,
} from './instrument-row.ts'
import { keyFields, keysUnit } from './key-rows.ts'
import { liveOrderFields } from './live-order.ts'
import { mmpGroupFields, mmpGroupUnit } from './mmp-group.ts'
import { freshMobile, mobileFields, mobileUnit } from './mobile-row.ts'
import { createOrderStore, type LiveOrders } from './order-layout.ts'
import { freshOutages, indexOutageFields, outageFields, outagesUnit } from './outages.ts'
import { lspWindowFields, participantFields, participantUnit } from './participant.ts'
import { profileFields, profilesUnit } from './profile-row.ts'
import { minuteCountFields, rateBucketFields } from './rate-buckets.ts'
import { freshRates, rateFields } from './rates.ts'
import { freshRfqs, rfqBookUnit, rfqFields, rfqPartyFields, rfqQuoteFields, rfqStateFields } from './rfq-rows.ts'
import { sessionFields, sessionUnit } from './session-row.ts'
import { freshVenue, standingFields, venueFields } from './standing.ts'
import type { TimerTask } from './timers.ts'
import {
  addressFields,
  depositAddressFields,
  freshWallets,
  paymentFields,
  walletStateFields,
  walletStateUnit,
} from './wallet-rows.ts'
import type { Work } from './work.ts'

/** The task of a connection's timer: nothing came over its session for too long. */
export interface ConnectionTask {
  readonly kind: 'inactivity'
  readonly session: number
}

/** A timer that is awaited, with its time. */
interface AwaitedTimer {
  readonly timer: TimerId
  readonly time: Micros
}

/** Instruments as snapshots hold them, in the order of listing. */
const instrumentsUnit = listOf(wiredUnit(instrumentFields))

/** Indices as snapshots hold them, in the order in which they were named. */
const indicesUnit: Unit<Map<string, IndexRow>> = {
  ...liveUnit<Map<string, IndexRow>>(),
  save: (indices) => [...indices.values()].map((row) => saveRow(indexFields, row)),
}

export const exchangeFields = {
  config: apart(fixed(plainUnit<ExchangeConfig>('configuration'))),
  now: changing(units.micros),
  lastSequence: changing(units.count),
  eventCount: changing(units.count),
  accounts: wired(fixed(listOf(wiredUnit(accountFields)))),
  accountIds: derived(fixed(liveUnit<Map<string, number>>())),
  /** The account on the other side of recorded liquidity; -1 while no instrument needs it. */
  market: changing(units.row),
  instruments: wired(fixed(instrumentsUnit)),
  instrumentIds: derived(fixed(liveUnit<Map<string, number>>())),
  indices: wired(fixed(indicesUnit)),
  slots: apart(fixed(liveUnit<OrderSlots>())),
  orders: apart(fixed(liveUnit<LiveOrders>())),
  slotOfOrder: cached(fixed(liveUnit<IntMap>()), ['exchange.orders']),
  holdingOf: cached(fixed(liveUnit<IntMap>()), ['exchange.holdings']),
  /** In the order in which they arose. */
  holdings: wired(fixed(listOf(wiredUnit(holdingFields)))),
  /** Skipped holdings by their wallet. */
  skipped: cached(fixed(liveUnit<Map<number, SkippedHoldings>>()), ['holdings.skip']),
  /** Their wallets by the time until which the estimate of funding is valid. */
  skipDeadlines: cached(fixed(liveUnit<NumberHeap>()), ['exchange.skipped']),
  /** How many marks there were since the state was made or restored. */
  markCount: cached(changing(units.count), ['instruments.mark']),
  /** An instrument with at most so many checked holdings skips none; a negative number lifts all such conditions. */
  skipFrom: cached(changing(units.count), ['exchange.config']),
  /** Last order and trade number of each settlement currency. */
  orderNumbers: fixed(listOf(units.count)),
  tradeNumbers: fixed(listOf(units.count)),
  ledger: apart(fixed(liveUnit<Ledger>())),
  margin: apart(fixed(liveUnit<Margin>())),
  /** Tables of portfolio margin by index, which follow from the configuration. */
  scenarioTables: cached(fixed(liveUnit<Map<string, ScenarioTable>>()), ['exchange.config']),
  timers: apart(fixed(liveUnit<TimerQueue<TimerTask>>())),
  /** The end of the day is awaited. */
  isDayEndAwaited: changing(units.flag),
  /** Instruments that take part in the next tick of the price grid, series of options apart; in any order. */
  awake: cached(changing(liveUnit<number[]>()), ['instruments.sleeps']),
  /** Combos of which a leg is not listed yet. */
  unlinkedCombos: derived(changing(liveUnit<InstrumentRow[]>())),
  /** Indices of which a future has another mark, or left, and whose options have not followed; empty between commands. */
  staleIndices: derived(fixed(liveUnit<Set<IndexRow>>())),
  /** Combos of which a leg has another mark, and which have not followed; empty between commands. */
  movedCombos: derived(fixed(liveUnit<Set<InstrumentRow>>())),
  /** Options without their own volatility (`isTold`) whose book changed; empty between commands. */
  openedOptions: derived(fixed(liveUnit<Set<InstrumentRow>>())),
  /** Orders at a value in USD or at a volatility, in the order of their creation; some may be gone. */
  advancedOrders: changing(listOf(units.orderId)),
  /** Series of options that are not delivered, in the order in which they arose. */
  series: derived(fixed(liveUnit<SeriesRow[]>())),
  /** The tick of the price grid that is awaited, or null. */
  tick: derived(changing(liveUnit<AwaitedTimer | null>())),
  /** Currencies whose settlement waits until no book of theirs is halted. */
  unsettled: fixed(setOf(units.row)),
  /** Currencies whose books are closed while their settlement takes its time. */
  settling: fixed(setOf(units.row)),
  /** Roundings of settlements and funding so far, by currency: they bound what the house keeps of them. */
  roundings: fixed(listOf(units.count)),
  /** Open sessions by their number. */
  sessions: fixed(mapOf(units.count, sessionUnit)),
  /** Timers of connections: they run when the clock leaves their time (DESIGN 4). */
  connectionTimers: apart(fixed(liveUnit<TimerQueue<ConnectionTask>>())),
  /** Groups of market-maker protection; number 1 is the first. */
  mmpGroups: wired(fixed(listOf(mmpGroupUnit))),
  /** Orders behind the speed bump, in the order in which they queued. */
  bumps: fixed(mapOf(units.count, bumpUnit)),
  /** How many of them there are on each gateway pair. */
  waiting: derived(fixed(liveUnit<WaitingCounts>())),
  /** Requests whose reply waits for such orders, by sequence. */
  heldRequests: fixed(mapOf(units.count, heldRequestUnit)),
  venue: fixed(rowUnit('settings of the venue', venueFields)),
  rates: fixed(rowUnit('used rate limits', rateFields)),
  /** Matches of the alternative engine so far. */
  altMatches: changing(units.count),
  /** Timers of orders on their way to a third-party exchange, by order. */
  arrivals: derived(fixed(liveUnit<Map<number, TimerId>>())),
  /** Perpetuals whose funding is not 0 now. */
  paying: derived(changing(units.count)),
  /** Accounts under cross or portfolio margin, which each move of an index makes suspects. */
  crossOrPortfolio: derived(fixed(orderlessSetOf(units.row))),
  /** Accounts that the next round of liquidations looks at; it is awaited while there are any. */
  suspects: fixed(orderlessSetOf(units.row)),
  isRoundAwaited: changing(units.flag),
  /** Time of the last round; -1 before the first. */
  lastRound: changing(units.count),
  /** The events so far when a round last did nothing and nothing changed since; -1 otherwise. */
  quietEvents: cached(changing(units.count), ['exchange.eventCount']),
  /** The next look at what funding does to margins, where one is awaited. */
  fundingLook: changing(plainUnit<AwaitedTimer | null>('timer or null')),
  /** Block trades; a section of their own, because most runs have none. */
  blocks: sectioned(fixed(blockStateUnit)),
  /** Block RFQs, quotes and roles; a section of their own too. */
  rfqs: sectioned(fixed(rfqBookUnit)),
  /** Keys of accounts; a section of their own too. */
  keys: sectioned(fixed(keysUnit)),
  /** Sessions of mobile devices, and what came over them; a section for each of the two. */
  mobile: sectioned(fixed(mobileUnit)),
  /** Address books, addresses for deposits, payments on their way. */
  wallets: sectioned(fixed(walletStateUnit)),
  /** Profiles of accounts that chose anything, by account; a section of their own too. */
  profiles: sectioned(fixed(profilesUnit)),
  /** Removed accounts, which are empty; saved in a separate section. */
  removed: sectioned(fixed(setOf(units.row))),
  /** Maintenance, and indices that publish nothing; a section of their own too. */
  outages: sectioned(fixed(outagesUnit)),
  /** Transfers of cash so far. */
  transferCount: changing(units.count),
  /** Participants of the liquidity support programme, in the order in which they entered. */
  participants: fixed(mapOf(units.row, participantUnit)),
  /** Timers are at work, which come before everything else of their time; false between commands. */
  isInTimers: derived(changing(units.flag)),
  /** The request at work, until it is done or its reply waits; null outside of one. */
  openRequest: derived(changing(liveUnit<Sequence | null>())),
  /** The message of direct access at work; null for all other requests, and outside of one. */
  asking: derived(changing(liveUnit<Asking | null>())),
  /** The order that leaves the speed bump at this moment; null between commands. */
  released: derived(changing(liveUnit<OrderId | null>())),
  /** Work that is set off and waits for its turn, first in first out; empty between commands. */
  work: derived(fixed(liveUnit<Work[]>())),
  /** Registers of the engine's wide arithmetic; meaningless between calls. */
  scratch: cached(fixed(liveUnit<Float64Array>()), []),
}

/** Marks an exchange in types; the only key of one that is seen outside the engine. */
const sealed: unique symbol = Symbol('exchange')

/** The state of an exchange. Pass it to the functions of the engine, and read it with the views. */
export interface Exchange {
  readonly [sealed]: true
}

/** @internal The fields of the state, which the engine alone sees. */
export interface Exchange extends RowOf<typeof exchangeFields> {}

/** Every declared row of the state by its name. */
export const stateTables = {
  exchange: exchangeFields,
  accounts: accountFields,
  accountRisks: accountRiskFields,
  liquidations: liquidationFields,
  standings: standingFields,
  venue: venueFields,
  rates: rateFields,
  rateBuckets: rateBucketFields,
  minuteCounts: minuteCountFields,
  instruments: instrumentFields,
  indices: indexFields,
  series: seriesFields,
  options: optionFields,
  optionRisks: optionRiskFields,
  funding: fundingFields,
  holdings: holdingFields,
  pairs: pairFields,
  orders: liveOrderFields,
  bumps: bumpFields,
  heldRequests: heldRequestFields,
  sessions: sessionFields,
  mmpGroups: mmpGroupFields,
  participants: participantFields,
  lspWindows: lspWindowFields,
  blocks: blockStateFields,
  blockSignatures: blockSignatureFields,
  executedBlocks: executedBlockFields,
  pendingBlocks: pendingBlockFields,
  keys: keyFields,
  mobile: mobileFields,
  profiles: profileFields,
  outages: outageFields,
  indexOutages: indexOutageFields,
  wallets: walletStateFields,
  addresses: addressFields,
  depositAddresses: depositAddressFields,
  payments: paymentFields,
  rfqBook: rfqStateFields,
  rfqs: rfqFields,
  rfqQuotes: rfqQuoteFields,
  rfqParties: rfqPartyFields,
} satisfies { readonly [table: string]: Fields }

/** Revaluing so few holdings costs less than finding their bounds. */
const SKIP_FROM = 16

/** Marks of work, between commands. */
const atRest = {
  isInTimers: false,
  openRequest: null,
  asking: null,
  released: null,
} as const

/** Rounds of liquidation before the first one. */
const noRound = {
  isRoundAwaited: false,
  lastRound: -1,
  quietEvents: -1,
  fundingLook: null,
} as const

/** An exchange without accounts and instruments, at its start time. */
export function emptyExchange(config: ExchangeConfig): Exchange {
  const holdings: HoldingRow[] = []
  return {
    [sealed]: true,
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
    orders: createOrderStore(holdings),
    slotOfOrder: createIntMap(),
    holdingOf: createIntMap(),
    holdings,
    skipped: new Map(),
    skipDeadlines: createNumberHeap(),
    markCount: 0,
    skipFrom: SKIP_FROM,
    orderNumbers: new Array<number>(CURRENCY_SLOTS).fill(0),
    tradeNumbers: new Array<number>(CURRENCY_SLOTS).fill(0),
    ledger: createLedger(),
    margin: createMargin(),
    scenarioTables: new Map(),
    timers: createTimerQueue<TimerTask>(),
    isDayEndAwaited: false,
    awake: [],
    unlinkedCombos: [],
    staleIndices: new Set(),
    movedCombos: new Set(),
    openedOptions: new Set(),
    advancedOrders: [],
    series: [],
    tick: null,
    unsettled: new Set(),
    settling: new Set(),
    roundings: new Array<number>(CURRENCY_SLOTS).fill(0),
    sessions: new Map(),
    connectionTimers: createTimerQueue<ConnectionTask>(),
    mmpGroups: [],
    bumps: new Map(),
    waiting: new Map(),
    heldRequests: new Map(),
    venue: freshVenue(config.riskLimits),
    rates: freshRates(),
    altMatches: 0,
    arrivals: new Map(),
    paying: 0,
    crossOrPortfolio: new Set(),
    suspects: new Set(),
    ...noRound,
    blocks: freshBlocks(),
    rfqs: freshRfqs(),
    keys: new Map(),
    mobile: freshMobile(),
    profiles: new Map(),
    removed: new Set(),
    outages: freshOutages(),
    wallets: freshWallets(),
    transferCount: 0,
    participants: new Map(),
    ...atRest,
    work: [],
    scratch: new Float64Array(12),
  }
}
