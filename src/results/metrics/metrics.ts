/**
 * The metrics of accounts: sums that are updated with each event, and figures computed from them at the end.
 *
 * The caller passes each event to `emit`, and calls `input` before each input and `request` before each request. It
 * also advances the exchange to each time that `next` returns and calls `look` there: after all earlier work and the
 * timers of that time, and before any input with that time. `look` does not change the exchange.
 *
 * One pass over the events updates the exact performance of accounts (`performance.ts`) and all metrics. The other
 * files of this folder define the measurements; `return-metrics.ts`, `trading-metrics.ts` and `account-metrics.ts`
 * declare each figure with its unit and its formula.
 *
 * Memory: the points of all series (`series.ts` has the bound), a record for each live order (`live-orders.ts`) and for
 * each fill of five minutes (`markouts.ts`), both at their peak, the accounts with their currencies and instruments,
 * and bounded sketches for quantiles. Cost: a few additions for each fill and each change of an order; a sample of a
 * wallet reads its margins.
 */
import {
  assert,
  decodeSections,
  decodeValue,
  divFloor,
  encodeSections,
  encodeValue,
  err,
  holdsRow,
  type Micros,
  ok,
  type Result,
  saveRow,
  type TextFault,
} from '../../core/index.ts'
import { borrowing, type EventSink, type EventTakers, type Instrument, isCurrency, sinkOf } from '../../model/index.ts'
import { addPoint, endSeries, sampleAccount, settleFlows, startWithPrices } from './capital.ts'
import { endAttribution, lookAtDistance, lookAtWallet, minuteAfter, passExposure } from './exposure.ts'
import { followOrder, followRefusal, followTrade, lookAtQueues } from './fills.ts'
import { takeMarkouts } from './markouts.ts'
import { type AccountPerformance, performanceOf, sampleWallet } from './performance.ts'
import {
  accountAt,
  createAccount,
  createState,
  equityNow,
  loadState,
  type State,
  stateFields,
  type Terms,
  walletAt,
} from './state.ts'
import { transferTakers } from './transfers.ts'
import type { MetricsViews } from './views.ts'

/** Terms of measurement. */
interface MetricsOptions {
  /** Length of a period in virtual microseconds. Default: it follows from the length of the run. */
  readonly every?: number | null
  /** The index for comparison, as if it were held. Default: the index of the first instrument. */
  readonly benchmark?: string | null
}

/** A sink that measures accounts. */
export interface Metrics extends EventSink {
  /** The next time at which `look` must be called, or Infinity. */
  next(): number
  /** Samples the exchange at the time that `next` returned, or later if a request moved the clock beyond it. */
  look(time: Micros, views: MetricsViews): void
  /** Must be called before each input, with its time and the exchange in the state after all earlier inputs. */
  input(time: Micros, views: MetricsViews): void
  /** The first time for which `input` has work. Earlier inputs need no call, as long as no further event arrives. */
  nextInput(): number
  /**
   * Must be called before a request that places orders, with its instruments, each followed by its mid price in 1e-9.
   */
  request(sequence: number, mids: number[]): void
  /** Takes the last sample and ends the measurement. No event may follow. */
  finish(time: Micros, views: MetricsViews): MeasuredRun
  /** The state that the rest of the run needs to reach the same figures. */
  snapshot(): Uint8Array
}

/** The sums of a finished run. */
export interface MeasuredRun {
  readonly state: Readonly<State>
  readonly until: Micros
  /** Accounts in the order in which they were opened, except house accounts. */
  readonly accounts: readonly AccountPerformance[]
}

const SECOND = 1_000_000
const DAY = 86_400_000_000
const SNAPSHOT_VERSION = 4
const MAGIC = 'PITCLOCK METRICS'
const nothing = new Uint8Array(0)

/** A sink for the start of a run; it must receive the first event. */
export function createMetrics({ every = null, benchmark = null }: MetricsOptions = {}): Metrics {
  return metricsOf(createState(every, benchmark))
}

/** A sink that continues from the bytes that `snapshot()` returned. */
export function restoreMetrics(bytes: Uint8Array): Result<Metrics, TextFault> {
  const sections = decodeSections(bytes, MAGIC, SNAPSHOT_VERSION)
  const decoded = sections.ok ? decodeValue(sections.value.get('metrics') ?? nothing) : sections
  if (decoded.ok && holdsRow(stateFields, decoded.value)) {
    return ok(metricsOf(loadState(decoded.value)))
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
    ...borrowing(sink, ['order', 'request']),
    next: () => nextLook(state),
    look: (time, views) => lookAt(state, views, time),
    input: (time, views) => {
      settleInput(state, views)
      for (const slot of state.unsampled) sampleEquity(state, views, slot)
      state.unsampled.length = 0
      if (time > state.nextSample) sampleSecond(state, views, time)
    },
    nextInput: () => (hasUnsettled(state) ? Number.NEGATIVE_INFINITY : state.nextSample + 1),
    request: (sequence, mids) => {
      state.arrivals.set(sequence, mids)
    },
    finish: (time, views) => {
      assert(!isFinished, 'a run ends once')
      isFinished = true
      lookAt(state, views, time)
      for (const slot of state.exposed) {
        lookAtDistance(state, views, slot)
        endAttribution(state, time, slot)
      }
      endSeries(state, views, time)
      const owners = state.accounts.filter(({ house }) => !house)
      const accounts = owners.map((account) => performanceOf(state, account, views))
      return { state, until: time, accounts }
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
    refusal: (event) => followRefusal(state, event),
    mark: ({ instrument, price, index, option }) => {
      state.marks[instrument] = price
      state.indices[instrument] = index
      if (option !== null) {
        state.forwards[instrument] = option.forward
        state.volatilities[instrument] = option.volatility9
      }
      state.hasMoved = true
      state.hasMarked = true
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
    request: ({ cause }) => {
      if (state.arrivals.size > 0) state.arrivals.delete(cause)
    },
    account: ({ account, name, house, time }) => {
      assert(account === state.accounts.length, 'accounts are opened in the order of their ids')
      beginPeriods(state, time)
      state.accounts.push(createAccount(account, name, house))
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
    ...transferTakers(state),
  }
}

/** Begins the first period of a run at its first event. */
function beginPeriods(state: State, time: number): void {
  if (state.start >= 0) return
  state.start = time
  state.nextPoint = time + state.every
  state.nextDay = (divFloor(time, DAY) + 1) * DAY
}

/** Samples values that move with prices, at most once per second. The state is unchanged since the last input. */
function sampleSecond(state: State, views: MetricsViews, time: number): void {
  const passed = divFloor(time, SECOND) * SECOND
  state.nextSample = passed < time ? passed + SECOND : passed
  if (state.hasMarked) for (const slot of state.moving) sampleEquity(state, views, slot)
  state.hasMarked = false
  if (!state.hasRepriced) return
  state.hasRepriced = false
  for (const id of state.traded) sampleAccount(state, views, id)
}

function sampleEquity(state: State, views: MetricsViews, slot: number): void {
  const wallet = walletAt(state, slot)
  const account = accountAt(state, wallet.account)
  sampleWallet(wallet, equityNow(state, views, account, wallet.currency))
}

/** True if the previous input changed anything that `input` samples. */
function hasUnsettled({ flows, isIndexNew, entered, due, moved, unsampled }: State): boolean {
  return isIndexNew || flows.length + entered.length + due.length + moved.length + unsampled.length > 0
}

/** Samples everything that the previous input changed. */
function settleInput(state: State, views: MetricsViews): void {
  state.look += 1
  if (state.flows.length > 0) settleFlows(state, views)
  if (state.isIndexNew) startWithPrices(state, views)
  if (state.entered.length > 0) lookAtQueues(state, views)
  for (const slot of state.due) lookAtWallet(state, views, slot)
  state.due.length = 0
  for (const id of state.moved) {
    accountAt(state, id).isMoved = false
    sampleAccount(state, views, id)
  }
  state.moved.length = 0
}

function nextLook(state: State): number {
  return Math.min(nextPointOf(state), state.nextLook < 0 ? Number.POSITIVE_INFINITY : state.nextLook, state.waiting.due)
}

function lookAt(state: State, views: MetricsViews, time: number): void {
  settleInput(state, views)
  takeMarkouts(state.waiting, state.wallets, views, time)
  if (state.nextLook >= 0 && state.nextLook <= time) {
    state.nextLook = state.open > 0 ? minuteAfter(time) : -1
    if (state.hasMoved) lookAtOpen(state, views, time)
    state.hasMoved = false
  }
  // All points that a request skipped by moving the clock get the equity at its end.
  for (let point = nextPointOf(state); point <= time; point = nextPointOf(state)) {
    addPoint(state, views, point)
  }
}

/** The next end of a period or a day, or Infinity. */
function nextPointOf({ nextPoint, nextDay, isFull }: State): number {
  return isFull || nextPoint < 0 ? Number.POSITIVE_INFINITY : Math.min(nextPoint, nextDay)
}

/** Samples open positions each minute, because timers move marks too. */
function lookAtOpen(state: State, views: MetricsViews, time: number): void {
  for (const slot of state.exposed) {
    const wallet = walletAt(state, slot)
    if (wallet.open === 0) continue
    passExposure(wallet, time)
    lookAtWallet(state, views, slot)
    lookAtDistance(state, views, slot)
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
