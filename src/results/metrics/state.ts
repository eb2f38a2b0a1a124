/**
 * The state of metrics: plain data that the other files of this folder fill and read.
 *
 * Money that adds up is in nano (1e-9 of its currency); what is averaged over time is a double in units of its
 * currency, and times are microseconds. An average over time weighs what was seen with how long it was so.
 */
import {
  type AccountId,
  assert,
  changing,
  defined,
  type Fields,
  fixed,
  listOf,
  mapOf,
  orNull,
  plainUnit,
  type RowOf,
  rowUnit,
  setOf,
  type Unit,
  units,
} from '../../core/index.ts'
import type { Currency, Payoff } from '../../model/index.ts'
import { attributionFields, createAttribution, createHeld, heldFields } from './attribution.ts'
import { double } from './double.ts'
import { createSeries, type Series, seriesFields } from './series.ts'
import type { Sketch } from './sketch.ts'
import { usualPeriods } from './terms.ts'

/** The time between a fill and the look at the book, in microseconds. */
export const markoutHorizons = [0, 1_000_000, 5_000_000, 30_000_000, 300_000_000] as const

const sketch: Unit<Sketch> = mapOf(double, double)

const tradeFields = {
  closed: changing(units.count),
  wins: changing(units.count),
  losses: changing(units.count),
  gains: changing(units.wide),
  /** Not negative. */
  lost: changing(units.wide),
  /** Running mean and sum of squared differences of the results, in units of the currency. */
  mean: changing(double),
  m2: changing(double),
}

/** Positions that were closed in one currency. */
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
  /** Notional of perpetuals, and the same times their rate for 8 hours. */
  funded: changing(double),
  rated: changing(double),
}

/** The last look at a wallet, or the sum of all looks over time. */
export interface Levels extends RowOf<typeof levelFields> {}

const levels = rowUnit('levels', levelFields)

const markoutFields = {
  /** By horizon: weight, and weight times basis points. */
  weights: fixed(listOf(double)),
  sums: fixed(listOf(double)),
}

/** Markouts of one role, each weighed with the notional of its fill. */
export interface MarkoutTally extends RowOf<typeof markoutFields> {}

const markouts = rowUnit('markouts', markoutFields)

export const walletFields = {
  /** Up to when `sums` count, which begin with the first money; -1 before it. */
  at: changing(double),
  /** True once it had a position. */
  isExposed: changing(units.flag),
  /** Positions that are not flat. */
  open: changing(units.count),
  /** True while a position changed and nobody has looked since. */
  isDue: changing(units.flag),
  now: fixed(levels),
  sums: fixed(levels),
  /** Time since the first money, with a position, and with more than 80 % of its equity as maintenance margin. */
  time: changing(double),
  heldTime: changing(double),
  strainedTime: changing(double),
  notionalMax: changing(double),
  leverageMax: changing(double),
  initialUseMax: changing(double),
  maintenanceUseMax: changing(double),
  /** Notional by its time. */
  notionals: fixed(sketch),
  /** The smallest distance to a liquidation as a share of the mark, and that price in 1e-9; -1 before any. */
  distanceMin: changing(double),
  distancePrice: changing(double),
  fundingPaid: changing(units.wide),
  fundingReceived: changing(units.wide),
  trades: fixed(rowUnit('closed positions', tradeFields)),
  maker: fixed(markouts),
  taker: fixed(markouts),
  shortfallWeight: changing(double),
  shortfallSum: changing(double),
  /** The same sums of orders that a trigger placed, against the price that it waited for. */
  slippageWeight: changing(double),
  slippageSum: changing(double),
  /** From placing an order to each of its fills as maker, and as taker, in microseconds. */
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
  size: changing(units.count),
  /** Up to when the sums count, which begin with the first money; -1 before the first position. */
  at: changing(double),
  time: changing(double),
  sizeTime: changing(double),
  squareTime: changing(double),
  /** Sums over the sizes at whole minutes: number, sum, squares, products of neighbours; then the first and the last. */
  minutes: changing(units.count),
  sum: changing(double),
  squares: changing(double),
  products: changing(double),
  first: changing(double),
  last: changing(double),
  /** Profit of the position since it was opened, less its fees, in nano. */
  profit: changing(units.wide),
  /** Size that stood before orders when they joined their queue, and when they were filled, in lots. */
  aheadAtEntry: fixed(sketch),
  aheadAtFill: fixed(sketch),
  held: fixed(rowUnit('held', heldFields)),
}

/** One instrument of one account. */
export interface InventoryState extends RowOf<typeof inventoryFields> {}

export const accountFields = {
  name: fixed(units.text),
  house: fixed(units.flag),
  /** True once a currency that it held had no index in USD at a point. */
  isWithoutUsd: changing(units.flag),
  /** True once it had a fill or a position. */
  hasTraded: changing(units.flag),
  /** By currency, and `USD` of all of them. */
  series: fixed(mapOf(units.text, rowUnit('series', seriesFields))),
  wallets: fixed(mapOf(plainUnit<Currency>('currency'), rowUnit('wallet', walletFields))),
  inventories: fixed(mapOf(units.count, rowUnit('inventory', inventoryFields))),
  liquidations: changing(units.count),
}

/** One account. */
export interface AccountState extends RowOf<typeof accountFields> {}

const flowFields = {
  account: fixed(units.accountId),
  currency: fixed(plainUnit<Currency>('currency')),
  time: fixed(double),
  amount: fixed(units.wide),
}

/** Money that came in, before its equity was looked at. */
export interface Flow extends RowOf<typeof flowFields> {}

const waitingFields = {
  time: fixed(double),
  account: fixed(units.accountId),
  instrument: fixed(units.instrumentId),
  buys: fixed(units.flag),
  maker: fixed(units.flag),
  price: fixed(double),
  weight: fixed(double),
}

/** A fill whose markouts are due later. */
export interface Waiting extends RowOf<typeof waitingFields> {}

const orderFields = {
  account: fixed(units.accountId),
  instrument: fixed(units.instrumentId),
  createdAt: fixed(double),
  /** Middle of the book in 1e-9 when the request that priced it arrived; 0 where there was none. */
  arrival: changing(double),
  /** Price in 1e-9 that its trigger waited for; 0 where none placed it. */
  trigger: fixed(double),
}

/** A live order. */
export interface OrderState extends RowOf<typeof orderFields> {}

/** The terms of an instrument that metrics need. */
export interface Terms {
  readonly name: string
  readonly payoff: Payoff
  readonly amountStep9: number
  readonly settlementCurrency: Currency
  /** The currency that a spot trade moves beside the settlement currency; null of all else. */
  readonly base: Currency | null
  readonly isOption: boolean
  /** True where it settles in its own coin. */
  readonly isInCoin: boolean
  readonly isSpot: boolean
  readonly isPerpetual: boolean
}

export const stateFields = {
  /** The period, and true where it follows from the length of the run. */
  every: changing(double),
  isByLength: fixed(units.flag),
  /** When the run began; -1 before the first event. */
  start: changing(double),
  benchmarkName: changing(orNull(units.text)),
  /** The next end of a period, and of a day in UTC; -1 for none. */
  nextPoint: changing(double),
  nextDay: changing(double),
  points: changing(units.count),
  isFull: changing(units.flag),
  /** Prices of the benchmark by the time of a point; 0 where it had none. */
  benchmarkTimes: fixed(listOf(double)),
  benchmarkPrices: fixed(listOf(double)),
  accounts: fixed(listOf(rowUnit('account', accountFields))),
  instruments: fixed(plainUnit<Terms[]>('instruments')),
  /** Indices that had a price, and whether a new one did since the last input. */
  indexNames: fixed(setOf(units.text)),
  isIndexNew: changing(units.flag),
  indexTime: changing(double),
  /** By instrument: mark and index in 1e-9, funding rate in 1e-8; of options what the mark was made with, in 1e-9. */
  marks: fixed(listOf(double)),
  forwards: fixed(listOf(double)),
  volatilities: fixed(listOf(double)),
  indices: fixed(listOf(double)),
  rates: fixed(listOf(double)),
  flows: fixed(listOf(rowUnit('flow', flowFields))),
  /** Accounts and currencies with `isDue`. */
  due: fixed(listOf(plainUnit<readonly [AccountId, Currency]>('wallet'))),
  /** Those that ever had a position. */
  exposed: fixed(listOf(plainUnit<readonly [AccountId, Currency]>('wallet'))),
  /** Accounts with a fill or a new position since the last input, and all that ever had one. */
  moved: fixed(setOf(units.count)),
  traded: fixed(listOf(units.count)),
  /** The next whole second, at which equity is sampled where a mark or an index moved since. */
  nextSample: changing(double),
  hasRepriced: changing(units.flag),
  /** The next whole minute, at which wallets are looked at where a mark moved; -1 while no position is open. */
  nextLook: changing(double),
  hasMoved: changing(units.flag),
  /** Positions of all wallets that are not flat. */
  open: changing(units.count),
  /** By horizon, in the order of their time. */
  waiting: fixed(listOf(listOf(rowUnit('fill', waitingFields)))),
  /** How many of each list are done; they are dropped now and then. */
  done: fixed(listOf(units.count)),
  orders: fixed(mapOf(units.count, rowUnit('order', orderFields))),
  /** Orders that were opened since the last input. */
  entered: fixed(setOf(units.count)),
  /** The findings of the request of a sequence: the middle of the book of each instrument that it names. */
  arrivals: fixed(mapOf(units.count, mapOf(units.count, double))),
  /** The price that a trigger waited for, by the order that it is about to place. */
  triggers: fixed(mapOf(units.count, double)),
} satisfies Fields

/** All of it. */
export interface State extends RowOf<typeof stateFields> {}

/** The state at the start of a run; `asked` is its period, null where that follows from its length. */
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
    due: [],
    exposed: [],
    moved: new Set(),
    traded: [],
    nextSample: 0,
    hasRepriced: false,
    nextLook: -1,
    hasMoved: false,
    open: 0,
    waiting: markoutHorizons.map(() => []),
    done: markoutHorizons.map(() => 0),
    orders: new Map(),
    entered: new Set(),
    arrivals: new Map(),
    triggers: new Map(),
  }
}

/** An account that was opened. */
export function accountAt(state: State, account: number): AccountState {
  return defined(state.accounts[account], 'an account is opened before its first event')
}

/** An instrument that was listed. */
export function termsAt(state: State, instrument: number): Terms {
  return defined(state.instruments[instrument], 'an instrument is listed before it trades')
}

/** The wallet of an account, made when first needed. */
export function walletOf(account: AccountState, currency: Currency): WalletState {
  const known = account.wallets.get(currency)
  if (known !== undefined) return known
  const made = createWallet()
  account.wallets.set(currency, made)
  return made
}

/** The series of an account in a currency, or in USD, made when first needed. */
export function seriesOf(account: AccountState, currency: string): Series {
  const known = account.series.get(currency)
  if (known !== undefined) return known
  const made = createSeries()
  account.series.set(currency, made)
  return made
}

/** The position of an account, made when first needed. */
export function inventoryOf(account: AccountState, instrument: number): InventoryState {
  const known = account.inventories.get(instrument)
  if (known !== undefined) return known
  const made = createInventory()
  account.inventories.set(instrument, made)
  return made
}

function createWallet(): WalletState {
  return {
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
    fundingPaid: 0n,
    fundingReceived: 0n,
    trades: { closed: 0, wins: 0, losses: 0, gains: 0n, lost: 0n, mean: 0, m2: 0 },
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

function createMarkouts(): MarkoutTally {
  return { weights: markoutHorizons.map(() => 0), sums: markoutHorizons.map(() => 0) }
}

function createInventory(): InventoryState {
  return {
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
    profit: 0n,
    aheadAtEntry: new Map(),
    aheadAtFill: new Map(),
    held: createHeld(),
  }
}
