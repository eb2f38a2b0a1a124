/**
 * The metrics of accounts: sums that are made while events pass, and figures of them at the end.
 *
 * Whoever runs an exchange hands over each event (`emit`), calls `input` before each input and `request` before each
 * request, and brings the exchange to the times that `next` names, to `look` at it there: when everything before that
 * time is done, timers of that time included, and before any input of that time. A look changes nothing.
 *
 * The profit split is that of the performance (`src/results/performance`), which is exact; the other files of this
 * folder say what else is measured, and `declarations.ts` names each figure with its unit and its formula.
 *
 * Memory: the points of all series (`series.ts` has the bound), one entry for each live order, for each fill of the
 * last five minutes, for each account with its currencies and instruments, and bounded sketches for quantiles.
 * Cost: a few additions for each fill and each change of an order; a look at a wallet asks for its margins.
 */
import {
  type AccountId,
  assert,
  decodeSections,
  decodeValue,
  divFloor,
  encodeSections,
  encodeValue,
  err,
  holdsRow,
  loadRow,
  type Micros,
  ok,
  type Result,
  type RowOf,
  saveRow,
  type TextFault,
} from '../../core/index.ts'
import {
  type Currency,
  type EventSink,
  type EventTakers,
  type Instrument,
  isCurrency,
  sinkOf,
} from '../../model/index.ts'
import { addPoint, endSeries, sampleAccount, settleFlows, startWithPrices } from './capital.ts'
import {
  deliverPosition,
  endAttribution,
  lookAtDistance,
  lookAtWallet,
  minuteAfter,
  passExposure,
} from './exposure.ts'
import {
  changePosition,
  followOrder,
  followTrade,
  lookAtQueues,
  markDue,
  nextMarkout,
  openSeries,
  takeMarkouts,
} from './fills.ts'
import {
  type AccountState,
  accountAt,
  createState,
  type State,
  stateFields,
  type Terms,
  termsAt,
  walletOf,
} from './state.ts'
import type { MetricsViews } from './views.ts'

/** How metrics are measured. */
export interface MetricsOptions {
  /** Virtual microseconds of a period; one that follows from the length of the run where it is not given. */
  readonly every?: number | null
  /** The index that is held for comparison; that of the first instrument where it is not given. */
  readonly benchmark?: string | null
}

/** A sink that measures what accounts do. */
export interface Metrics extends EventSink {
  /** The next time at which it has to look, or infinity. */
  next(): number
  /** Looks at the exchange at the time that `next` gave, or later where a request moved the clock beyond it. */
  look(time: Micros, views: MetricsViews): void
  /** To be called before each input, with its time and the exchange as the inputs before have left it. */
  input(time: Micros, views: MetricsViews): void
  /** To be called before a request that places orders, with the middle of the book of each instrument that has one. */
  request(sequence: number, mids: Map<number, number>): void
  /** Looks once more and ends the measurement. No event may follow. */
  finish(time: Micros, views: MetricsViews): MeasuredRun
  /** Everything that the rest of the run needs to come to the same figures. */
  snapshot(): Uint8Array
}

/** The sums of a run that ended. */
export interface MeasuredRun {
  readonly state: Readonly<State>
  readonly until: Micros
}

const SECOND = 1_000_000
const DAY = 86_400_000_000
const SNAPSHOT_VERSION = 3
const MAGIC = 'PITCLOCK METRICS'
const nothing = new Uint8Array(0)

/** A sink at the start of a run; it has to see the first event. */
export function createMetrics({ every = null, benchmark = null }: MetricsOptions = {}): Metrics {
  return metricsOf(createState(every, benchmark))
}

/** The sink that continues where `snapshot()` gave `bytes`. */
export function restoreMetrics(bytes: Uint8Array): Result<Metrics, TextFault> {
  const sections = decodeSections(bytes, MAGIC, SNAPSHOT_VERSION)
  const decoded = sections.ok ? decodeValue(sections.value.get('metrics') ?? nothing) : sections
  if (decoded.ok && holdsRow(stateFields, decoded.value)) {
    // All fields are kept: what was saved is the state.
    return ok(metricsOf(loadRow(stateFields, decoded.value) as RowOf<typeof stateFields>))
  }
  const expected = `metrics of a run, snapshot version ${SNAPSHOT_VERSION}`
  return err({ found: decoded.ok ? 'other data' : 'damaged data', expected })
}

function metricsOf(state: State): Metrics {
  let isFinished = false
  const sink = sinkOf(takersOf(state), () => {
    assert(!isFinished, 'no event follows the end of a run')
  })
  return {
    ...sink,
    next: () => nextLook(state),
    look: (time, views) => lookAt(state, views, time),
    input: (time, views) => {
      settleInput(state, views)
      if (time > state.nextSample) sampleSecond(state, views, time)
    },
    request: (sequence, mids) => {
      state.arrivals.set(sequence, mids)
    },
    finish: (time, views) => {
      assert(!isFinished, 'a run ends once')
      isFinished = true
      lookAt(state, views, time)
      for (const place of state.exposed) {
        lookAtDistance(state, views, place)
        endAttribution(state, time, place)
      }
      endSeries(state, views, time)
      return { state, until: time }
    },
    snapshot: () => {
      assert(!isFinished, 'an ended run has no snapshot')
      const value = encodeValue(saveRow(stateFields, state))
      return encodeSections(MAGIC, SNAPSHOT_VERSION, new Map([['metrics', value]]))
    },
  }
}

function takersOf(state: State): EventTakers {
  return {
    order: (event) => followOrder(state, event),
    trade: (event) => followTrade(state, event),
    mark: ({ instrument, price, index, option }) => {
      state.marks[instrument] = price
      state.indices[instrument] = index
      if (option !== null) {
        state.forwards[instrument] = option.forward
        state.volatilities[instrument] = option.volatility9
      }
      state.hasMoved = true
      state.hasRepriced = true
    },
    index: ({ index, time }) => {
      state.hasRepriced = true
      if (state.indexNames.has(index)) return
      state.indexNames.add(index)
      state.isIndexNew = true
      state.indexTime = time
    },
    funding_rate: ({ instrument, rate8 }) => {
      state.rates[instrument] = rate8
    },
    funding: ({ account, instrument, funding }) => {
      const owner = accountAt(state, account)
      if (owner.house) return
      const wallet = walletOf(owner, termsAt(state, instrument).settlementCurrency)
      if (funding > 0n) wallet.fundingReceived += funding
      else wallet.fundingPaid -= funding
    },
    request: ({ cause }) => {
      if (state.arrivals.size > 0) state.arrivals.delete(cause)
    },
    account: ({ account, name, house, time }) => {
      assert(account === state.accounts.length, 'accounts are opened in the order of their ids')
      beginPeriods(state, time)
      state.accounts.push(createAccount(name, house))
    },
    instrument: ({ instrument, time }) => {
      assert(instrument.id === state.instruments.length, 'instruments are listed in order')
      state.instruments.push(termsOf(instrument))
      state.marks.push(0)
      state.forwards.push(0)
      state.volatilities.push(0)
      state.indices.push(0)
      state.rates.push(0)
      state.benchmarkName ??= instrument.priceIndex
      beginPeriods(state, time)
    },
    ...moneyTakers(state),
  }
}

/** Takers of money and positions that move without an order. */
function moneyTakers(state: State): EventTakers {
  const flow = (
    account: AccountId,
    currency: Currency,
    of: { time: number; amount: bigint },
  ): void => {
    const owner = accountAt(state, account)
    if (owner.house) return
    state.flows.push({ account, currency, time: of.time, amount: of.amount })
    passExposure(walletOf(owner, currency), of.time)
    markDue(state, { id: account, account: owner, currency })
  }
  return {
    cash: ({ account, currency, time, change }) =>
      flow(account, currency, { time, amount: change }),
    transfer: ({ from, to, currency, time, amount }) => {
      flow(from, currency, { time, amount: -amount })
      flow(to, currency, { time, amount })
    },
    given_position: ({ account, instrument, time, price, position, realized, premium }) => {
      const profit = termsAt(state, instrument).isOption ? premium : realized
      changePosition(state, { account, instrument, time, size: position, price, profit })
    },
    position_transfer: (event) => {
      const { instrument, time, from, to, reason, amount, price } = event
      const { isOption, isSpot } = termsAt(state, instrument)
      for (const side of [from, to]) {
        if (isSpot) {
          openSeries(state, side.account, instrument)
          continue
        }
        const profit = isOption ? side.premium : side.realized
        const { account, position: size } = side
        changePosition(state, { account, instrument, time, size, price, profit })
        if (reason === 'adl') followDeleveraging(state, { account, instrument, amount, price })
      }
    },
    settlement: (event) => {
      const { type, account, instrument, time, sessionProfitLoss, profitLoss, fee } = event
      const owner = accountAt(state, account)
      const inventory = owner.inventories.get(instrument)
      if (owner.house || inventory === undefined) return
      const isDelivered = type === 'delivery'
      const { isOption } = termsAt(state, instrument)
      const delivered = isDelivered ? sessionProfitLoss : 0n
      const settled = isOption ? delivered : sessionProfitLoss - profitLoss
      if (isDelivered) deliverPosition(state, event)
      const size = isDelivered ? 0 : inventory.size
      const profit = inventory.size === 0 ? 0n : settled - fee
      changePosition(state, { account, instrument, time, size, price: null, profit })
    },
    liquidation: ({ change, account, currency }) => {
      if (change !== 'started') return
      const owner = accountAt(state, account)
      owner.liquidations += 1
      // A liquidation of all currencies together is that of the account alone.
      if (currency !== 'USD') walletOf(owner, currency).liquidations += 1
    },
  }
}

function followDeleveraging(
  state: State,
  of: {
    readonly account: AccountId
    readonly instrument: number
    readonly amount: number
    readonly price: number
  },
): void {
  const owner = accountAt(state, of.account)
  if (owner.house) return
  const terms = termsAt(state, of.instrument)
  const wallet = walletOf(owner, terms.settlementCurrency)
  const amount = Math.abs(of.amount) * terms.amountStep9 * 1e-9
  const isInverse = terms.payoff === 'inverse'
  wallet.deleveraged += 1
  wallet.deleveragedNotional += isInverse ? amount / (of.price * 1e-9) : amount * of.price * 1e-9
}

/** The first period of a run begins with its first event. */
function beginPeriods(state: State, time: number): void {
  if (state.start >= 0) return
  state.start = time
  state.nextPoint = time + state.every
  state.nextDay = (divFloor(time, DAY) + 1) * DAY
}

/** Samples accounts whose equity moves with prices, at most once a second. */
function sampleSecond(state: State, views: MetricsViews, time: number): void {
  const passed = divFloor(time, SECOND) * SECOND
  state.nextSample = passed < time ? passed + SECOND : passed
  if (!state.hasRepriced) return
  state.hasRepriced = false
  for (const id of state.traded) sampleAccount(state, views, id)
}

/** Looks at everything that the input before has changed. */
function settleInput(state: State, views: MetricsViews): void {
  if (state.flows.length > 0) settleFlows(state, views)
  if (state.isIndexNew) startWithPrices(state, views)
  if (state.entered.size > 0) lookAtQueues(state, views)
  if (state.due.length > 0) {
    for (const place of state.due) lookAtWallet(state, views, place)
    state.due.length = 0
  }
  if (state.moved.size > 0) {
    for (const id of state.moved) sampleAccount(state, views, id)
    state.moved.clear()
  }
}

function nextLook(state: State): number {
  const { nextLook: look } = state
  return Math.min(
    nextPointOf(state),
    look < 0 ? Number.POSITIVE_INFINITY : look,
    nextMarkout(state),
  )
}

function lookAt(state: State, views: MetricsViews, time: number): void {
  settleInput(state, views)
  takeMarkouts(state, views, time)
  if (state.nextLook >= 0 && state.nextLook <= time) {
    state.nextLook = state.open > 0 ? minuteAfter(time) : -1
    if (state.hasMoved) lookAtOpen(state, views, time)
    state.hasMoved = false
  }
  // A request that moved the clock left points behind: they all have the equity of its end.
  for (let point = nextPointOf(state); point <= time; point = nextPointOf(state)) {
    addPoint(state, views, point)
  }
}

/** The next end of a period or a day, or infinity. */
function nextPointOf({ nextPoint, nextDay, isFull }: State): number {
  return isFull || nextPoint < 0 ? Number.POSITIVE_INFINITY : Math.min(nextPoint, nextDay)
}

/** Marks move by timers too, so that nobody knows before a minute whether they did. */
function lookAtOpen(state: State, views: MetricsViews, time: number): void {
  for (const place of state.exposed) {
    const wallet = walletOf(accountAt(state, place[0]), place[1])
    if (wallet.open === 0) continue
    passExposure(wallet, time)
    lookAtWallet(state, views, place)
    lookAtDistance(state, views, place)
  }
}

function createAccount(name: string, house: boolean): AccountState {
  return {
    name,
    house,
    isWithoutUsd: false,
    hasTraded: false,
    series: new Map(),
    wallets: new Map(),
    inventories: new Map(),
    liquidations: 0,
  }
}

function termsOf(instrument: Instrument): Terms {
  const { name, payoff, amountStep9, settlementCurrency, baseCurrency, detail } = instrument
  return {
    name,
    payoff,
    amountStep9,
    settlementCurrency,
    base: detail.type === 'spot' && isCurrency(baseCurrency) ? baseCurrency : null,
    isOption: detail.type === 'option',
    isInCoin: settlementCurrency === baseCurrency,
    isSpot: detail.type === 'spot',
    isPerpetual: detail.type === 'perpetual',
  }
}
