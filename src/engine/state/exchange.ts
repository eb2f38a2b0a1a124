/**
 * The state of an exchange: plain data that only the engine's functions write.
 *
 * Rows and slots: an order lives under a slot of the shared pool; a holding is a pair (account,
 * instrument) that has a row in `ledger` and in `margin`; a wallet is a pair (account, currency),
 * row = account * CURRENCY_SLOTS + currency.
 */
import { createOrderSlots, type OrderSlots } from '../../book/index.ts'
import {
  createIntMap,
  createTimerQueue,
  type IntMap,
  type Micros,
  type OrderId,
  type Sequence,
  type TimerId,
  type TimerQueue,
} from '../../core/index.ts'
import { createLedger, type Ledger } from '../../ledger/index.ts'
import {
  createMargin,
  type Margin,
  type MatrixRisk,
  type RiskGroup,
  type ScenarioTable,
} from '../../margin/index.ts'
import {
  type Account,
  CURRENCY_SLOTS,
  type ExchangeConfig,
  type SelfMatchMode,
  type TriggerSource,
} from '../../model/index.ts'
import type { Bump, HeldRequest } from './bumps.ts'
import type { IndexRow, InstrumentRow, SeriesRow } from './instrument-row.ts'
import type { MmpGroup } from './mmp-groups.ts'
import { createLiveOrders, type LiveOrders } from './order-records.ts'
import type { Participant } from './participants.ts'
import { freshRates, type RateState } from './rates.ts'
import type { SessionRow } from './sessions.ts'
import { type AccountStanding, freshStanding, freshVenue, type VenueStanding } from './standing.ts'
import type { TimerTask } from './timers.ts'
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
  /** Its liquidations that are going on; while there is one, it may do nothing by itself. */
  liquidations: Liquidation[]
  /** What margin knows of it beside its holdings and wallets. */
  readonly risk: AccountRisk
  readonly standing: AccountStanding
  /** Its groups of market-maker protection, in the order of their numbers. */
  readonly mmpGroups: MmpGroup[]
  /** Its live orders of direct access by what its client calls them. */
  readonly clientOrders: Map<string, OrderId>
}

/** A liquidation that is going on. */
export interface Liquidation {
  /** The currency whose positions are closed, or `ALL_CURRENCIES` where they share their margin. */
  readonly currency: number
  /** Rounds so far. */
  round: number
  /** Whether the last round found nobody to trade with, which is told once. */
  isStuck: boolean
}

/** Stands for all currencies of an account that share their margin. */
export const ALL_CURRENCIES = -1

/** Margin of an account that is more than sums over its holdings. */
export interface AccountRisk {
  /** Whether all of its currencies share their margin. */
  readonly isCross: boolean
  /** Whether it has portfolio margin. */
  readonly isPortfolio: boolean
  /** Of portfolio margin its pairs, in the order in which they arose. */
  readonly pairs: PairRow[]
  /** Of cross standard margin the exact margins of its holdings and their sums by currency, else empty. */
  readonly exact: Map<number, ExactMargin>
  readonly exactTotals: Map<number, ExactMargin>
}

/** Margins in 1e-18 of a currency. */
export interface ExactMargin {
  readonly initial18: bigint
  readonly maintenance18: bigint
}

/** The positions of an account in one pair, under portfolio margin: those of one index and one currency. */
export interface PairRow {
  readonly wallet: number
  readonly index: IndexRow
  readonly group: RiskGroup
  /** In the order in which they arose. */
  readonly holdings: HoldingRow[]
  /** Those whose part of the matrices is to be found anew. */
  readonly stale: HoldingRow[]
  /** The minute for which options were valued; -1 before. */
  minute: number
  /** The risk of the three matrices, in the currency of the pair, and the index it was found at. */
  risks: readonly MatrixRisk[] | null
  riskIndex: number
  /** How far the premium of each expiration may move, at a minute. */
  readonly moves: Map<number, number>
  movesAt: number
  /** What dampens its extended cells, at an index. */
  dampeners: Float64Array | null
  dampenedAt: number
}

/** What margin makes of a holding. */
export type HoldingRisk =
  /** Spot and the house: nothing. */
  | 'none'
  /** Standard margin of a future. */
  | 'future'
  /** Standard margin of an option. */
  | 'option'
  /** A combo: its open orders count on its legs. */
  | 'combo'
  /** Standard margin of an account whose currencies share it. */
  | 'cross'
  | 'portfolio'

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
  readonly risk: HoldingRisk
  /** Its pair under portfolio margin, else null. */
  readonly pair: PairRow | null
  /** Whether it is among the stale ones of its pair. */
  isStale: boolean
  /** Slots of its resting reduce-only orders. */
  readonly reducing: number[]
  /** Where the accumulator of funding was when it was last touched. */
  funded: bigint
}

/** What timers of connections carry: nothing came over a session for too long. */
export interface ConnectionTask {
  readonly kind: 'inactivity'
  readonly session: number
}

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
  /** Tables of portfolio margin by index, which follow from the configuration. */
  readonly scenarioTables: Map<string, ScenarioTable>
  readonly timers: TimerQueue<TimerTask>
  /** Whether the end of the session is awaited. */
  sessionEndScheduled: boolean
  /** Who takes part in the next tick of the price grid, series of options apart. */
  awake: number[]
  /** Combos of which a leg is not listed yet. */
  unlinkedCombos: InstrumentRow[]
  /** Combos of which a leg has another mark, and which have not followed; empty between commands. */
  readonly movedCombos: Set<InstrumentRow>
  /** Orders at a value in USD or at a volatility, in the order of their creation; some may be gone. */
  advancedOrders: OrderId[]
  /** Series of options that are not delivered, in the order in which they arose. */
  readonly series: SeriesRow[]
  /** The tick of the price grid that is awaited, or null. */
  tick: { readonly timer: TimerId; readonly time: Micros } | null
  /** Currencies whose settlement waits until no book of theirs is halted. */
  readonly unsettled: Set<number>
  /** Currencies whose books are closed while their settlement takes its time. */
  readonly settling: Set<number>
  /** Roundings of settlements and funding so far, by currency: they bound what the house keeps of them. */
  readonly roundings: number[]
  /** Open sessions by their number. */
  readonly sessions: Map<number, SessionRow>
  /** Timers of connections: they run when the clock leaves their time (DESIGN 4). */
  readonly connectionTimers: TimerQueue<ConnectionTask>
  /** Groups of market-maker protection; number 1 is the first. */
  readonly mmpGroups: MmpGroup[]
  /** Orders behind the speed bump, in the order in which they queued. */
  readonly bumps: Map<number, Bump>
  /** Requests whose reply waits for such orders, by sequence. */
  readonly heldRequests: Map<number, HeldRequest>
  readonly venue: VenueStanding
  readonly rates: RateState
  /** Matches of the alternative engine so far. */
  altMatches: number
  /** Timers of orders on their way to a third-party exchange, by order. */
  readonly arrivals: Map<number, TimerId>
  /** Accounts whose margin is more than a sum over their holdings. */
  readonly sharedRisk: number[]
  /** Accounts that the next round of liquidations looks at; it is awaited while there are any. */
  readonly suspects: Set<number>
  isRoundAwaited: boolean
  /** When the last round ran; -1 before the first. */
  lastRound: number
  /** The events so far when a round last did nothing and nothing changed since; -1 otherwise. Not kept in snapshots. */
  quietEvents: number
  /** The next look at what funding does to margins, where one is awaited. */
  fundingLook: { readonly time: Micros; readonly timer: TimerId } | null
  /** Transfers of cash so far. */
  transferCount: number
  /** Of the liquidity support programme, in the order in which they entered. */
  readonly participants: Map<number, Participant>
  /** Whether timers are at work, which come before everything else of their time. */
  isInTimers: boolean
  /** The request at work, until it is done or its reply waits; null outside of one. */
  openRequest: Sequence | null
  /** The order that leaves the speed bump at this moment. */
  released: OrderId | null
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
    scenarioTables: new Map(),
    timers: createTimerQueue<TimerTask>(),
    sessionEndScheduled: false,
    awake: [],
    unlinkedCombos: [],
    movedCombos: new Set(),
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
    heldRequests: new Map(),
    venue: freshVenue(config.riskLimits),
    rates: freshRates(),
    altMatches: 0,
    arrivals: new Map(),
    sharedRisk: [],
    suspects: new Set(),
    isRoundAwaited: false,
    lastRound: -1,
    quietEvents: -1,
    fundingLook: null,
    transferCount: 0,
    participants: new Map(),
    isInTimers: false,
    openRequest: null,
    released: null,
    work: [],
    scratch: new Float64Array(12),
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
    liquidations: [],
    risk: accountRisk(account),
    standing: freshStanding(),
    mmpGroups: [],
    clientOrders: new Map(),
  }
  exchange.accounts.push(row)
  if (row.risk.isCross || row.risk.isPortfolio) exchange.sharedRisk.push(account.id)
  exchange.accountIds.set(account.name, account.id)
  const main = exchange.accounts[account.main]
  if (main !== undefined && main !== row) main.subaccounts += 1
  return row
}

function accountRisk({ marginModel }: Account): AccountRisk {
  return {
    isCross: marginModel === 'cross_sm' || marginModel === 'cross_pm',
    isPortfolio: marginModel === 'segregated_pm' || marginModel === 'cross_pm',
    pairs: [],
    exact: new Map(),
    exactTotals: new Map(),
  }
}

/** The wallet row of an account and currency. */
export function walletOf(account: number, currency: number): number {
  return account * CURRENCY_SLOTS + currency
}
