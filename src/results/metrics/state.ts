/**
 * The state of metrics: plain data that the other files of this folder write and read.
 *
 * Money that adds up is in nano (1e-9 of its currency), sizes are in lots of their instrument. Averages over time are
 * doubles in units of their currency; times are microseconds. An average over time weighs each sample with its
 * duration.
 */
import {
  type AccountId,
  assert,
  cached,
  changing,
  defined,
  derived,
  type Fields,
  fixed,
  type InstrumentId,
  listOf,
  liveUnit,
  loadRow,
  mapOf,
  type Nano,
  orNull,
  type Plain,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  type Unit,
  units,
} from '../../core/index.ts'
import type { Currency, Payoff } from '../../model/index.ts'
import { attributionFields, createAttribution, createHeld, heldFields } from './attribution.ts'
import { double } from './figure.ts'
import { createLiveOrders, liveOrdersUnit } from './live-orders.ts'
import { createMarkouts, createWaitingFills, markoutTallyUnit, waitingFillsUnit } from './markouts.ts'
import { createReturnSeries, type Series, seriesFields } from './series.ts'
import type { Sketch } from './sketch.ts'
import { usualPeriods } from './terms.ts'
import type { MetricsViews } from './views.ts'

/** Sums of money: a double while it is exact. */
const sum: Unit<Nano> = plainUnit<Nano>('sum in 1e-9')

const sketch: Unit<Sketch> = mapOf(double, double)

const tradeFields = {
  closed: changing(units.count),
  wins: changing(units.count),
  losses: changing(units.count),
  gains: changing(sum),
  /** Not negative. */
  lost: changing(sum),
  /** Running mean and sum of squared differences of the results, in units of the currency. */
  mean: changing(double),
  m2: changing(double),
}

/** Closed positions in one currency. */
export interface TradeTally extends RowOf<typeof tradeFields> {}

const levelFields = {
  notional: changing(double),
  leverage: changing(double),
  equity: changing(double),
  initialUse: changing(double),
  maintenanceUse: changing(double),
  delta: changing(double),
  gamma: changing(double),
  vega: changing(double),
  theta: changing(double),
  /** Notional of perpetuals, and notional times their rate for 8 hours. */
  funded: changing(double),
  rated: changing(double),
}

/** The last sample of a wallet, or the sum of all samples over time. */
export interface Levels extends RowOf<typeof levelFields> {}

const levels = rowUnit('levels', levelFields)

const walletFields = {
  /** Its index in the list of all wallets. */
  slot: fixed(units.row),
  account: fixed(units.accountId),
  currency: fixed(plainUnit<Currency>('currency')),
  /** Money received from outside or from other accounts, less money sent there. */
  deposits: changing(sum),
  /** Realized profit of fills and of given and transferred positions, and profit that settlements turned into cash. */
  realized: changing(sum),
  /** Funding of all settled sessions. */
  funding: changing(sum),
  /** Negative and positive rows of the table `funding`: funding that entered the profit of positions. */
  fundingPaid: changing(sum),
  fundingReceived: changing(sum),
  /** Debts that the insurance fund paid, less payments for the losses of others. */
  insurance: changing(sum),
  /** Options: premiums received less premiums paid, and deliveries. */
  premiums: changing(sum),
  /** Spot: amounts of this currency received less amounts given, without fees. */
  flows: changing(sum),
  makerFees: changing(sum),
  takerFees: changing(sum),
  deliveryFees: changing(sum),
  /** Payments for positions that a liquidation transferred, less such payments received. */
  commissions: changing(sum),
  fills: changing(units.count),
  makerFills: changing(units.count),
  /** Notional of fills in this settlement currency. */
  turnover: changing(sum),
  makerTurnover: changing(sum),
  /** True after a fill or a given position; only then can its equity move by itself. */
  hasMoved: changing(units.flag),
  /** True if a fill changed its equity since the last sample. */
  isUnsampled: changing(units.flag),
  /** The highest profit (equity less deposits) of any sample; 0 before the first. */
  peak: changing(sum),
  /** The largest fall of the profit below its peak. */
  drawdown: changing(sum),
  /** The fall with the largest share of the peak of equity, and that peak; both 0 before any fall. */
  shareFall: changing(sum),
  sharePeak: changing(sum),
  /** End of the time in `sums`, which begin with the first money; -1 before it. */
  at: changing(double),
  /** True once it had a position. */
  isExposed: changing(units.flag),
  /** Number of positions that are not flat. */
  open: changing(units.count),
  /** True if a position changed since the last sample. */
  isDue: changing(units.flag),
  now: fixed(levels),
  sums: fixed(levels),
  /**
   * Time since the first money, time with a position, and time with more than 80 % of its equity as maintenance margin.
   */
  time: changing(double),
  heldTime: changing(double),
  strainedTime: changing(double),
  notionalMax: changing(double),
  leverageMax: changing(double),
  initialUseMax: changing(double),
  maintenanceUseMax: changing(double),
  /** Notional by its time. */
  notionals: fixed(sketch),
  /**
   * The smallest distance to a liquidation as a share of the mark, and the liquidation price in 1e-9; -1 before any.
   */
  distanceMin: changing(double),
  distancePrice: changing(double),
  trades: fixed(rowUnit('closed positions', tradeFields)),
  maker: fixed(markoutTallyUnit),
  taker: fixed(markoutTallyUnit),
  shortfallWeight: changing(double),
  shortfallSum: changing(double),
  /** The same sums for orders that a trigger placed, relative to the trigger price. */
  slippageWeight: changing(double),
  slippageSum: changing(double),
  /** Time from placing an order to each of its fills as maker, and as taker, in microseconds. */
  timesToFill: fixed(sketch),
  timesToTake: fixed(sketch),
  attribution: fixed(rowUnit('attribution', attributionFields)),
  liquidations: changing(units.count),
  deleveraged: changing(units.count),
  deleveragedNotional: changing(double),
}

/** One settlement currency of one account. */
export interface WalletState extends RowOf<typeof walletFields> {}

const inventoryFields = {
  instrument: fixed(units.instrumentId),
  /**
   * Its rank among the traded instruments of the account, and among instruments with a position or a queue, from 1 in
   * the order of first use; 0 for none.
   */
  tradedRank: changing(units.count),
  heldRank: changing(units.count),
  bought: changing(units.count),
  sold: changing(units.count),
  /** Signed position; 0 for spot. */
  size: changing(units.count),
  /** End of the time in the sums, which begin with the first money; -1 before the first position. */
  at: changing(double),
  time: changing(double),
  sizeTime: changing(double),
  squareTime: changing(double),
  /**
   * Sums of the sizes at whole minutes: number, sum, squares, products of neighbours; then the first and the last size.
   */
  minutes: changing(units.count),
  sum: changing(double),
  squares: changing(double),
  products: changing(double),
  first: changing(double),
  last: changing(double),
  /** Profit of the position since its opening, less its fees, in nano. */
  profit: changing(sum),
  /** Size ahead of orders when they joined their queue and when they were filled, in lots. */
  aheadAtEntry: fixed(sketch),
  aheadAtFill: fixed(sketch),
  held: fixed(rowUnit('held', heldFields)),
}

/** One instrument of one account. */
export interface InventoryState extends RowOf<typeof inventoryFields> {}

const orderFields = {
  opened: changing(units.count),
  edited: changing(units.count),
  filled: changing(units.count),
  /** Orders cancelled after a partial fill. */
  cancelledPartly: changing(units.count),
  /** Live orders with a partial fill. */
  livePartly: changing(units.count),
}

const triggerFields = {
  placed: changing(units.count),
  fired: changing(units.count),
  rejected: changing(units.count),
  /** Orders cancelled before they fired; the cancelled orders by reason include them. */
  cancelled: changing(units.count),
}

const counts = mapOf(units.text, units.count)

const accountFields = {
  id: fixed(units.accountId),
  name: fixed(units.text),
  house: fixed(units.flag),
  /** Orders that entered a book or were about to. */
  orders: fixed(rowUnit('counts of orders', orderFields)),
  /** Waiting orders: trigger orders, and secondary orders before their activation. */
  triggers: fixed(rowUnit('counts of waiting orders', triggerFields)),
  /** Refused placements, refused edits and cancelled orders, by reason in the order of the first occurrence. */
  refused: fixed(counts),
  editsRefused: fixed(counts),
  cancelled: fixed(counts),
  /** True once a currency that it held had no index in USD at a point. */
  isWithoutUsd: changing(units.flag),
  /** True after a fill or a position, and true if there was one since the last input. */
  hasTraded: changing(units.flag),
  isMoved: changing(units.flag),
  /** Series by currency, and `USD` for all currencies. */
  series: fixed(mapOf(units.text, rowUnit('series', seriesFields))),
  wallets: fixed(mapOf(plainUnit<Currency>('currency'), rowUnit('wallet', walletFields))),
  inventories: fixed(mapOf(units.count, rowUnit('inventory', inventoryFields))),
  liquidations: changing(units.count),
}

/** One account. */
export interface AccountState extends RowOf<typeof accountFields> {}

/** Money that came in; its equity has not been sampled yet. */
const flowFields = {
  account: fixed(units.accountId),
  currency: fixed(plainUnit<Currency>('currency')),
  time: fixed(double),
  amount: fixed(units.wide),
}

/** The terms of an instrument that metrics need. */
export interface Terms {
  readonly name: string
  readonly payoff: Payoff
  readonly amountStep9: number
  readonly settlementCurrency: Currency
  /** The base currency of a spot pair; null for other instruments. */
  readonly base: Currency | null
  readonly isOption: boolean
  /** True if it settles in its own coin. */
  readonly isInCoin: boolean
  readonly isSpot: boolean
  readonly isPerpetual: boolean
}

export const stateFields = {
  /** Length of a period, and true if it follows from the length of the run. */
  every: changing(double),
  isByLength: fixed(units.flag),
  /** Beginning of the run; -1 before the first event. */
  start: changing(double),
  benchmarkName: changing(orNull(units.text)),
  /** The next end of a period, and of a day in UTC; -1 for none. */
  nextPoint: changing(double),
  nextDay: changing(double),
  points: changing(units.count),
  isFull: changing(units.flag),
  /** Prices of the benchmark by the time of a point; 0 without a price. */
  benchmarkTimes: fixed(listOf(double)),
  benchmarkPrices: fixed(listOf(double)),
  accounts: fixed(listOf(rowUnit('account', accountFields))),
  instruments: fixed(plainUnit<Terms[]>('instruments')),
  /** Indices with a price, and whether a new one got a price since the last input. */
  indexNames: fixed(setOf(units.text)),
  isIndexNew: changing(units.flag),
  indexTime: changing(double),
  /**
   * By instrument: mark and index in 1e-9, funding rate in 1e-8; for options the forward and the volatility of the
   * mark, in 1e-9.
   */
  marks: fixed(listOf(double)),
  forwards: fixed(listOf(double)),
  volatilities: fixed(listOf(double)),
  indices: fixed(listOf(double)),
  rates: fixed(listOf(double)),
  flows: fixed(listOf(rowUnit('flow', flowFields))),
  /** Slots of wallets with `isUnsampled`, with `hasMoved`, with `isDue`, and with `isExposed`. */
  unsampled: fixed(listOf(units.row)),
  moving: fixed(listOf(units.row)),
  due: fixed(listOf(units.row)),
  exposed: fixed(listOf(units.row)),
  /** Accounts with `isMoved`, and with `hasTraded`. */
  moved: fixed(listOf(units.count)),
  traded: fixed(listOf(units.count)),
  /** The next whole second for samples of equity; true if a mark moved since, and true if a mark or an index did. */
  nextSample: changing(double),
  hasMarked: changing(units.flag),
  hasRepriced: changing(units.flag),
  /** The next whole minute for samples of wallets after a mark has moved; -1 without open positions. */
  nextLook: changing(double),
  hasMoved: changing(units.flag),
  /** Number of positions in all wallets that are not flat. */
  open: changing(units.count),
  waiting: fixed(waitingFillsUnit),
  live: fixed(liveOrdersUnit),
  /** Orders opened since the last input. */
  entered: fixed(listOf(units.count)),
  /** By sequence of a request that places orders: its instruments, each followed by its mid price in 1e-9. */
  arrivals: fixed(mapOf(units.count, listOf(double))),
  /** Trigger prices, by the order that the trigger is about to place. */
  triggers: fixed(mapOf(units.count, double)),
  /** Number of samples of the exchange; equities of wallets by slot, and the sample in which each was read. */
  look: cached(changing(units.count), []),
  equities: cached(fixed(liveUnit<bigint[]>()), []),
  equityLooks: cached(fixed(liveUnit<number[]>()), []),
  /** All wallets by slot, and the instruments in which each has had a position, in the order of `heldRank`. */
  wallets: derived(fixed(liveUnit<WalletState[]>())),
  positions: derived(fixed(liveUnit<InventoryState[][]>())),
} satisfies Fields

/** The whole state of metrics. */
export interface State extends RowOf<typeof stateFields> {}

/** The state at the start of a run; `asked` is its period, or null if the period follows from the length of the run. */
export function createState(asked: number | null, benchmarkName: string | null): State {
  const every = asked ?? usualPeriods[0]
  assert(Number.isSafeInteger(every) && every > 0, 'points have a minimum distance in time')
  return {
    every,
    isByLength: asked === null,
    start: -1,
    benchmarkName,
    nextPoint: -1,
    nextDay: -1,
    points: 0,
    isFull: false,
    benchmarkTimes: [],
    benchmarkPrices: [],
    accounts: [],
    instruments: [],
    indexNames: new Set(),
    isIndexNew: false,
    indexTime: 0,
    marks: [],
    forwards: [],
    volatilities: [],
    indices: [],
    rates: [],
    flows: [],
    unsampled: [],
    moving: [],
    due: [],
    exposed: [],
    moved: [],
    traded: [],
    nextSample: 0,
    hasMarked: false,
    hasRepriced: false,
    nextLook: -1,
    hasMoved: false,
    open: 0,
    waiting: createWaitingFills(),
    live: createLiveOrders(),
    entered: [],
    arrivals: new Map(),
    triggers: new Map(),
    look: 0,
    equities: [],
    equityLooks: [],
    wallets: [],
    positions: [],
  }
}

/** Restores the state from a snapshot. */
export function loadState(saved: Plain): State {
  const kept = loadRow(stateFields, saved)
  const { look, equities, equityLooks, wallets, positions } = createState(kept.every, null)
  const state: State = { ...kept, look, equities, equityLooks, wallets, positions }
  for (const { wallets } of state.accounts) {
    for (const wallet of wallets.values()) {
      state.wallets[wallet.slot] = wallet
      state.positions[wallet.slot] = []
    }
  }
  for (const account of state.accounts) {
    for (const inventory of account.inventories.values()) {
      if (inventory.at >= 0) notePosition(state, account, inventory)
    }
  }
  return state
}

/** An account without events. */
export function createAccount(id: AccountId, name: string, house: boolean): AccountState {
  return {
    id,
    name,
    house,
    orders: { opened: 0, edited: 0, filled: 0, cancelledPartly: 0, livePartly: 0 },
    triggers: { placed: 0, fired: 0, rejected: 0, cancelled: 0 },
    refused: new Map(),
    editsRefused: new Map(),
    cancelled: new Map(),
    isWithoutUsd: false,
    hasTraded: false,
    isMoved: false,
    series: new Map(),
    wallets: new Map(),
    inventories: new Map(),
    liquidations: 0,
  }
}

/** The state of an account that was opened. */
export function accountAt(state: State, account: number): AccountState {
  return defined(state.accounts[account], 'an account is opened before its first event')
}

/** The terms of a listed instrument. */
export function termsAt(state: State, instrument: number): Terms {
  return defined(state.instruments[instrument], 'an instrument is listed before it trades')
}

/** The wallet of an account, created on first use. */
export function walletOf(state: State, account: AccountState, currency: Currency): WalletState {
  const known = account.wallets.get(currency)
  if (known !== undefined) return known
  const made = createWallet(state.wallets.length, account.id, currency)
  account.wallets.set(currency, made)
  state.wallets.push(made)
  state.positions.push([])
  return made
}

/** The wallet in a slot. */
export function walletAt(state: State, slot: number): WalletState {
  return defined(state.wallets[slot], 'a slot has a wallet')
}

/** The instruments in which the wallet in a slot has had a position. */
export function positionsOf(state: State, slot: number): readonly InventoryState[] {
  return defined(state.positions[slot], 'a slot has a list')
}

/** Stores the equity of the wallet in a slot; valid until the next sample. */
export function noteEquity(state: State, slot: number, equity: bigint): void {
  state.equities[slot] = equity
  state.equityLooks[slot] = state.look
}

/** Current equity of an account in a currency. The exchange computes it only once per sample. */
export function equityNow(state: State, views: MetricsViews, account: AccountState, currency: Currency): bigint {
  const slot = account.wallets.get(currency)?.slot
  if (slot === undefined) return views.equityOf(account.id, currency)
  const known = state.equities[slot]
  if (known !== undefined && state.equityLooks[slot] === state.look) return known
  const equity = views.equityOf(account.id, currency)
  noteEquity(state, slot, equity)
  return equity
}

/** The series of an account in a currency, or in USD, created on first use. */
export function seriesOf(account: AccountState, currency: string): Series {
  const known = account.series.get(currency)
  if (known !== undefined) return known
  const made = createReturnSeries()
  account.series.set(currency, made)
  return made
}

type Rank = 'tradedRank' | 'heldRank'

/** The row of an account for a traded instrument, created on first use. */
export function tradedOf(account: AccountState, instrument: InstrumentId): InventoryState {
  const row = rowOf(account, instrument)
  if (row.tradedRank === 0) row.tradedRank = 1 + countRows(account, 'tradedRank')
  return row
}

/** The row of an account for an instrument with a position or a queue, created on first use. */
export function inventoryOf(account: AccountState, instrument: InstrumentId): InventoryState {
  const row = rowOf(account, instrument)
  if (row.heldRank === 0) row.heldRank = 1 + countRows(account, 'heldRank')
  return row
}

/** The rows of an account with a rank, sorted by rank. */
export function rowsBy(account: AccountState, order: Rank): readonly InventoryState[] {
  const rows = [...account.inventories.values()].filter((row) => row[order] > 0)
  return rows.sort((left, right) => left[order] - right[order])
}

/** Records the first position of a wallet in an instrument. */
export function notePosition(state: State, account: AccountState, inventory: InventoryState): void {
  const { settlementCurrency } = termsAt(state, inventory.instrument)
  const { slot } = walletOf(state, account, settlementCurrency)
  const positions = defined(state.positions[slot], 'a slot has a list')
  positions.push(inventory)
  positions.sort((left, right) => left.heldRank - right.heldRank)
}

function rowOf(account: AccountState, instrument: InstrumentId): InventoryState {
  const known = account.inventories.get(instrument)
  if (known !== undefined) return known
  const made = createInventory(instrument)
  account.inventories.set(instrument, made)
  return made
}

function countRows(account: AccountState, order: Rank): number {
  let count = 0
  for (const row of account.inventories.values()) if (row[order] > 0) count += 1
  return count
}

function createWallet(slot: number, account: AccountId, currency: Currency): WalletState {
  return {
    slot,
    account,
    currency,
    deposits: 0,
    realized: 0,
    funding: 0,
    fundingPaid: 0,
    fundingReceived: 0,
    insurance: 0,
    premiums: 0,
    flows: 0,
    makerFees: 0,
    takerFees: 0,
    deliveryFees: 0,
    commissions: 0,
    fills: 0,
    makerFills: 0,
    turnover: 0,
    makerTurnover: 0,
    hasMoved: false,
    isUnsampled: false,
    peak: 0,
    drawdown: 0,
    shareFall: 0,
    sharePeak: 0,
    at: -1,
    isExposed: false,
    open: 0,
    isDue: false,
    now: createLevels(),
    sums: createLevels(),
    time: 0,
    heldTime: 0,
    strainedTime: 0,
    notionalMax: 0,
    leverageMax: 0,
    initialUseMax: 0,
    maintenanceUseMax: 0,
    notionals: new Map(),
    distanceMin: -1,
    distancePrice: 0,
    trades: { closed: 0, wins: 0, losses: 0, gains: 0, lost: 0, mean: 0, m2: 0 },
    maker: createMarkouts(),
    taker: createMarkouts(),
    shortfallWeight: 0,
    shortfallSum: 0,
    slippageWeight: 0,
    slippageSum: 0,
    timesToFill: new Map(),
    timesToTake: new Map(),
    attribution: createAttribution(),
    liquidations: 0,
    deleveraged: 0,
    deleveragedNotional: 0,
  }
}

function createLevels(): Levels {
  return {
    notional: 0,
    leverage: 0,
    equity: 0,
    initialUse: 0,
    maintenanceUse: 0,
    delta: 0,
    gamma: 0,
    vega: 0,
    theta: 0,
    funded: 0,
    rated: 0,
  }
}

function createInventory(instrument: InstrumentId): InventoryState {
  return {
    instrument,
    tradedRank: 0,
    heldRank: 0,
    bought: 0,
    sold: 0,
    size: 0,
    at: -1,
    time: 0,
    sizeTime: 0,
    squareTime: 0,
    minutes: 0,
    sum: 0,
    squares: 0,
    products: 0,
    first: 0,
    last: 0,
    profit: 0,
    aheadAtEntry: new Map(),
    aheadAtFill: new Map(),
    held: createHeld(),
  }
}
