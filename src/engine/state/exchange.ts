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
import { createMargin, type Margin, type ScenarioTable } from '../../margin/index.ts'
import { CURRENCY_SLOTS, type ExchangeConfig, type LspGroup } from '../../model/index.ts'
import type { AccountRow } from './account-row.ts'
import type { Bump, HeldRequest } from './bumps.ts'
import type { HoldingRow } from './holding-row.ts'
import type { IndexRow, InstrumentRow, SeriesRow } from './instrument-row.ts'
import type { MmpGroup } from './mmp-group.ts'
import { createLiveOrders, type LiveOrders } from './order-records.ts'
import type { Participant } from './participant.ts'
import { freshRates, type RateState } from './rates.ts'
import type { SessionRow } from './session-row.ts'
import { freshVenue, type VenueStanding } from './standing.ts'
import type { Work } from './work.ts'

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
  /** Accounts whose margin may not be enough are looked at. */
  | { readonly kind: 'liquidation_round' }
  /** Accounts whose margin funding wears away are looked at. */
  | { readonly kind: 'funding_look' }
  /** A window of the liquidity support programme ends. */
  | { readonly kind: 'lsp_window'; readonly account: number; readonly group: LspGroup }
  /** An order has waited long enough behind the speed bump. */
  | { readonly kind: 'bump_release'; readonly order: number }
  /** A bulk cancel keeps an account from quoting no more. */
  | { readonly kind: 'quotes_thaw'; readonly account: number }
  /** The freeze of a group of market-maker protection is over. */
  | { readonly kind: 'mmp_unfreeze'; readonly group: number }

/** What timers of connections carry: nothing came over a session for too long. */
export interface ConnectionTask {
  readonly kind: 'inactivity'
  readonly session: number
}

/** Ranks of timers due at one instant (R02). */
export const timerRank = {
  release: 1,
  mmpUnfreeze: 2,
  window: 3,
  prices: 5,
  settlement: 6,
  liquidation: 7,
} as const

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
  /** Indices of which a future has another mark, or left, and whose options have not followed; empty between commands. */
  readonly staleIndices: Set<IndexRow>
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
    staleIndices: new Set(),
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
