/**
 * The state of an exchange: plain data that only the engine's functions write.
 *
 * Rows and slots: an order has a slot of the shared pool; a holding (an account and an instrument) has a row in
 * `ledger` and in `margin`; a wallet (an account and a currency) has the row account * CURRENCY_SLOTS + currency.
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
  type Lots,
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
import { type Command, CURRENCY_SLOTS, type DirectMessage, type ExchangeConfig } from '../../model/index.ts'
import { accountFields, accountRiskFields, liquidationFields } from './account-row.ts'
import {
  blockSignatureFields,
  blockStateFields,
  blockStateUnit,
  executedBlockFields,
  freshBlocks,
  pendingBlockFields,
} from './block-rows.ts'
import { bumpFields, bumpUnit, heldRequestFields, heldRequestUnit, type WaitingCounts } from './bumps.ts'
import {
  freshMobile,
  keyFields,
  keysUnit,
  mobileFields,
  mobileUnit,
  profileFields,
  profilesUnit,
  sessionFields,
  sessionUnit,
} from './connection-rows.ts'
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
import { liveOrderFields } from './live-order.ts'
import { mmpGroupFields, mmpGroupUnit } from './mmp-group.ts'
import { createOrderStore, type LiveOrders } from './order-layout.ts'
import { lspWindowFields, participantFields, participantUnit } from './participant.ts'
import { freshRates, minuteCountFields, rateBucketFields, rateFields } from './rate-buckets.ts'
import { freshRfqs, rfqBookUnit, rfqFields, rfqPartyFields, rfqQuoteFields, rfqStateFields } from './rfq-rows.ts'
import {
  freshOutages,
  freshVenue,
  indexOutageFields,
  outageFields,
  outagesUnit,
  standingFields,
  venueFields,
} from './standing.ts'
import type { TimerTask } from './timers.ts'
import {
  addressFields,
  depositAddressFields,
  freshWallets,
  paymentFields,
  walletStateFields,
  walletStateUnit,
} from './wallet-rows.ts'

/** The task of a connection's timer: its session received nothing for too long. */
export interface ConnectionTask {
  readonly kind: 'inactivity'
  readonly session: number
}

/** A timer that is set, with its time. */
interface AwaitedTimer {
  readonly timer: TimerId
  readonly time: Micros
}

/**
 * Placements that a command causes but does not perform itself. Each runs as a separate command of the engine, in its
 * turn (C06). The queue is first in, first out, and empty between commands.
 */

/** A queued placement. */
export type Work =
  /** A trigger order fired. */
  | { readonly kind: 'activate'; readonly order: OrderId }
  /** A dormant secondary is due because of a fill of its primary. */
  | {
      readonly kind: 'place_secondary'
      readonly secondary: OrderId
      /** Filled size and total size of the primary at that fill. */
      readonly filled: Lots
      readonly amount: Lots
    }

/** The direct-access message that the engine currently handles. */
export interface DirectRequest {
  readonly message: DirectMessage
  readonly session: number
  /** The correlation id of the message, or null. */
  readonly correlationId: string | null
}

/** Instruments in snapshots, in the order of listing. */
const instrumentsUnit = listOf(wiredUnit(instrumentFields))

/** Indices in snapshots, in the order in which they were first named. */
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
  /** The account that is the counterparty for recorded liquidity; -1 while no instrument needs it. */
  market: changing(units.row),
  instruments: wired(fixed(instrumentsUnit)),
  instrumentIds: derived(fixed(liveUnit<Map<string, number>>())),
  indices: wired(fixed(indicesUnit)),
  slots: apart(fixed(liveUnit<OrderSlots>())),
  orders: apart(fixed(liveUnit<LiveOrders>())),
  slotOfOrder: cached(fixed(liveUnit<IntMap>()), ['exchange.orders']),
  holdingOf: cached(fixed(liveUnit<IntMap>()), ['exchange.holdings']),
  /** In the order in which they were created. */
  holdings: wired(fixed(listOf(wiredUnit(holdingFields)))),
  /** Skipped holdings by their wallet. */
  skipped: cached(fixed(liveUnit<Map<number, SkippedHoldings>>()), ['holdings.skip']),
  /** Wallets with skipped holdings by the time until which their estimate of funding is valid. */
  skipDeadlines: cached(fixed(liveUnit<NumberHeap>()), ['exchange.skipped']),
  /** Number of marks since the state was created or restored. */
  markCount: cached(changing(units.count), ['instruments.mark']),
  /**
   * An instrument with at most this number of checked holdings skips none. A negative number removes all conditions of
   * this kind.
   */
  skipFrom: cached(changing(units.count), ['exchange.config']),
  /** Last order number and last trade number of each settlement currency. */
  orderNumbers: fixed(listOf(units.count)),
  tradeNumbers: fixed(listOf(units.count)),
  ledger: apart(fixed(liveUnit<Ledger>())),
  margin: apart(fixed(liveUnit<Margin>())),
  /** Tables of portfolio margin by index, derived from the configuration. */
  scenarioTables: cached(fixed(liveUnit<Map<string, ScenarioTable>>()), ['exchange.config']),
  timers: apart(fixed(liveUnit<TimerQueue<TimerTask>>())),
  /** True if the timer for the end of the day is set. */
  isDayEndAwaited: changing(units.flag),
  /** Instruments that take part in the next tick of the price grid, except series of options; in any order. */
  awake: cached(changing(liveUnit<number[]>()), ['instruments.sleeps']),
  /** Combos with a leg that is not listed yet. */
  unlinkedCombos: derived(changing(liveUnit<InstrumentRow[]>())),
  /**
   * Indices with a future that left or has a new mark, and whose options are not repriced yet; empty between commands.
   */
  staleIndices: derived(fixed(liveUnit<Set<IndexRow>>())),
  /** Combos with a leg that has a new mark, and that are not repriced yet; empty between commands. */
  movedCombos: derived(fixed(liveUnit<Set<InstrumentRow>>())),
  /** Options without their own volatility (`isTold`) whose book changed; empty between commands. */
  openedOptions: derived(fixed(liveUnit<Set<InstrumentRow>>())),
  /** Orders priced by a value in USD or by a volatility, in the order of their creation; some may have ended. */
  advancedOrders: changing(listOf(units.orderId)),
  /** Series of options that are not delivered, in the order in which they were created. */
  series: derived(fixed(liveUnit<SeriesRow[]>())),
  /** The next tick of the price grid; null if none is set. */
  tick: derived(changing(liveUnit<AwaitedTimer | null>())),
  /** Currencies whose settlement waits until none of their books is halted. */
  unsettled: fixed(setOf(units.row)),
  /** Currencies whose books are closed during a settlement that takes time. */
  settling: fixed(setOf(units.row)),
  /**
   * Number of roundings by settlements and funding so far, by currency. It bounds the money that the house keeps from
   * roundings.
   */
  roundings: fixed(listOf(units.count)),
  /** Open sessions by their number. */
  sessions: fixed(mapOf(units.count, sessionUnit)),
  /** Timers of connections. They run when the clock moves past their time (DESIGN 4). */
  connectionTimers: apart(fixed(liveUnit<TimerQueue<ConnectionTask>>())),
  /** Groups of market-maker protection. The first has number 1. */
  mmpGroups: wired(fixed(listOf(mmpGroupUnit))),
  /** Orders behind the speed bump, in the order in which they queued. */
  bumps: fixed(mapOf(units.count, bumpUnit)),
  /** Number of these orders on each gateway pair. */
  waiting: derived(fixed(liveUnit<WaitingCounts>())),
  /** Requests whose reply waits for these orders, by sequence. */
  heldRequests: fixed(mapOf(units.count, heldRequestUnit)),
  venue: fixed(rowUnit('settings of the venue', venueFields)),
  rates: fixed(rowUnit('used rate limits', rateFields)),
  /** Number of matches of the alternative engine so far. */
  altMatches: changing(units.count),
  /** Timers of orders on their way to a third-party exchange, by order. */
  arrivals: derived(fixed(liveUnit<Map<number, TimerId>>())),
  /** Deposits less withdrawals by currency, in nano: the sum of all balances. */
  outsideCash: derived(fixed(liveUnit<bigint[]>())),
  /** Number of perpetuals whose current funding rate is not 0. */
  paying: derived(changing(units.count)),
  /** Accounts under cross or portfolio margin. Each move of an index makes them suspects. */
  crossOrPortfolio: derived(fixed(orderlessSetOf(units.row))),
  /** Accounts that the next liquidation round checks. While there are any, the timer of a round is set. */
  suspects: fixed(orderlessSetOf(units.row)),
  isRoundAwaited: changing(units.flag),
  /** Time of the last round; -1 before the first round. */
  lastRound: changing(units.count),
  /**
   * The event count at the last round, if that round emitted no event and nothing that it depends on changed since; -1
   * otherwise.
   */
  quietEvents: cached(changing(units.count), ['exchange.eventCount']),
  /** The next check of what funding does to margins; null if none is set. */
  fundingLook: changing(plainUnit<AwaitedTimer | null>('timer or null')),
  /** Block trades. Snapshots save them in a separate section, because most runs have none. */
  blocks: sectioned(fixed(blockStateUnit)),
  /** Block RFQs, quotes and roles; saved in a separate section. */
  rfqs: sectioned(fixed(rfqBookUnit)),
  /** Keys of accounts; saved in a separate section. */
  keys: sectioned(fixed(keysUnit)),
  /** Sessions of mobile devices, and signatures and quotes from them; saved in two separate sections. */
  mobile: sectioned(fixed(mobileUnit)),
  /** Address books, deposit addresses and pending payments. */
  wallets: sectioned(fixed(walletStateUnit)),
  /** Profiles by account, of accounts that set any part of them; saved in a separate section. */
  profiles: sectioned(fixed(profilesUnit)),
  /** Removed accounts, which are empty; saved in a separate section. */
  removed: sectioned(fixed(setOf(units.row))),
  /** Maintenance, and indices that publish nothing; saved in a separate section. */
  outages: sectioned(fixed(outagesUnit)),
  /** Number of cash transfers so far. */
  transferCount: changing(units.count),
  /** Participants of the liquidity support programme, in the order in which they entered. */
  participants: fixed(mapOf(units.row, participantUnit)),
  /** True while timers run, which come before everything else at their time; false between commands. */
  isInTimers: derived(changing(units.flag)),
  /** The current request, until it is done or its reply waits; null outside of a request. */
  openRequest: derived(changing(liveUnit<Sequence | null>())),
  /** The current direct-access message; null for all other requests and outside of a request. */
  directRequest: derived(changing(liveUnit<DirectRequest | null>())),
  /** The order that leaves the speed bump at this moment; null between commands. */
  released: derived(changing(liveUnit<OrderId | null>())),
  /** Follow-up work of the current command, first in first out; empty between commands. */
  work: derived(fixed(liveUnit<Work[]>())),
  /** Registers of the engine's wide arithmetic; their content has no meaning between calls. */
  scratch: cached(fixed(liveUnit<Float64Array>()), []),
}

/** Marks an exchange in types. It is the only key of an exchange that code outside the engine sees. */
const sealed: unique symbol = Symbol('exchange')

/** The state of an exchange. Pass it to the functions of the engine, and read it with the views. */
export interface Exchange {
  readonly [sealed]: true
}

/** @internal The fields of the state. Only the engine sees them. */
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

/** Up to this number of holdings, revaluing all of them costs less than computing their bounds. */
const SKIP_FROM = 16

/** Values between commands of the fields that describe the current work. */
const atRest = {
  isInTimers: false,
  openRequest: null,
  directRequest: null,
  released: null,
} as const

/** The state of liquidation rounds before the first one. */
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
    outsideCash: new Array<bigint>(CURRENCY_SLOTS).fill(0n),
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

/**
 * The direct-access message that the engine currently handles. Source: sessions-blocks-gateways.md 8.5.
 */

/** Returns the direct-access message behind a command; null if the command came another way. */
export function directRequestOf({ message, session, correlationId }: Command): DirectRequest | null {
  if (message === undefined) return null
  return { message, session, correlationId: correlationId ?? null }
}
