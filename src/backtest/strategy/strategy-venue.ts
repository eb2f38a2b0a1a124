/**
 * The venue as a strategy sees it: reads the messages delivered to its runner, and puts requests into the outbox. It
 * uses the exchange only for reading: specifications of instruments and figures of the account.
 */

import {
  type AccountId,
  assert,
  cancel,
  coded,
  defined,
  divFloor,
  type Lots,
  lots,
  type Micros,
  micros,
  nearest,
  ok,
  PRICE9_MAX,
  type Price9,
  parseDuration,
  price9,
  type Result,
  schedule,
} from '../../core/index.ts'
import {
  allInstruments,
  type Exchange,
  findInstrument,
  heldPositions,
  viewMargins,
  viewPosition,
  viewRisk,
  viewWallet,
} from '../../engine/index.ts'
import {
  type Currency,
  ceilToGrid,
  currencies,
  floorToGrid,
  floorToStep,
  type Instrument,
  isCurrency,
  neverExpires,
  type OrderChanged,
  price9OfTicks,
  tickOf,
} from '../../model/index.ts'
import {
  amountOut,
  type MethodParams,
  type MethodResult,
  meantInstrument,
  moneyOut,
  nameProblemIn,
  orderOut,
  ownMethods,
  priceOut,
  queuePartOf,
  type ReplyOf,
  type RequestParams,
  secondariesNow,
  type WireOrder,
} from '../../rpc/index.ts'
import { noteDue } from './agenda.ts'
import type { BookView } from './book-view.ts'
import { plainCopy } from './plain-copy.ts'
import { joinQueue } from './request-queue.ts'
import type { ReplyFunction, Seat, SentRequest } from './seat.ts'
import type { StrategyFunds, StrategyInstrument, StrategyMethod, StrategyPosition, StrategyVenue } from './strategy.ts'
import { placedFault } from './strategy-guard.ts'
import { appendTimed, TIMED_QUEUE_MAX, timedCount } from './timed-queue.ts'

/** Maximum number of waiting timers of one strategy. */
const TIMERS_MAX = 100_000

const NANO = 1_000_000_000

/** Sources of a venue besides its strategy runner. */
interface VenueSources {
  readonly exchange: Exchange
  viewOf(instrument: Instrument): BookView
}

/** The venue of one strategy runner. */
export class SeatVenue implements StrategyVenue {
  readonly #seat: Seat
  readonly #sources: VenueSources
  #instruments: readonly StrategyInstrument[] = []

  constructor(seat: Seat, sources: VenueSources) {
    this.#seat = seat
    this.#sources = sources
  }

  get now(): Micros {
    return this.#seat.now
  }

  get account(): string {
    return this.#seat.accountName
  }

  get instruments(): readonly StrategyInstrument[] {
    const listed = allInstruments(this.#sources.exchange)
    // Instruments are never removed.
    if (listed.length !== this.#instruments.length) this.#instruments = listed.map(instrumentOut)
    return this.#instruments
  }

  get openOrders(): readonly WireOrder[] {
    const listed = allInstruments(this.#sources.exchange)
    return [...this.#seat.orders.values()].map((order: OrderChanged) =>
      orderOut(
        order,
        defined(listed[order.instrument], 'an order is of a listed instrument'),
        secondariesNow(this.#sources.exchange, order),
      ),
    )
  }

  position(instrument: string): number {
    const spec = this.#instrument(instrument)
    return amountOut(spec, this.#seat.positions.get(spec.id) ?? lots(0))
  }

  funds(currency: Currency): StrategyFunds {
    if (!isCurrency(currency)) {
      const name = String(currency)
      const meant = nearest(name, currencies)
      const hint = meant === undefined ? currencies.join(', ') : `did you mean ${meant}?`
      throw coded(new RangeError(`${name} is not a currency (${hint})`), 'CURRENCY')
    }
    return fundsOf(this.#sources.exchange, this.#account(), currency)
  }

  holding(instrument: string): StrategyPosition {
    return positionOf(this.#sources.exchange, this.#account(), this.#instrument(instrument))
  }

  get holdings(): readonly StrategyPosition[] {
    return strategyPositions(this.#sources.exchange, this.#account())
  }

  view(instrument: string): BookView {
    return this.#sources.viewOf(this.#instrument(instrument))
  }

  price(instrument: string, price: number, direction: 'down' | 'up'): number {
    const spec = this.#instrument(instrument)
    const exact = priceNear(price)
    const grid = direction === 'down' ? floorToGrid(spec, exact) : ceilToGrid(spec, exact)
    // Rounding up may exceed the highest price.
    if (Math.abs(grid * spec.tick9) > PRICE9_MAX) throw noPrice(price)
    return priceOut(price9OfTicks(spec, grid))
  }

  amount(instrument: string, amount: number): number {
    const spec = this.#instrument(instrument)
    return amountOut(spec, floorToStep(spec, lotsBelow(spec, amount)))
  }

  request<M extends StrategyMethod>(
    method: M,
    params: MethodParams<M>,
    onReply?: (reply: ReplyOf<MethodResult<M>>, venue: StrategyVenue) => void,
  ): number {
    const seat = this.#seat
    this.#checkIsCalled(method)
    const isServed = method.startsWith('private/') || method.startsWith('public/')
    if (!isServed)
      throw coded(new TypeError(`a strategy can call private/ or public/ methods, not ${method}`), 'METHOD')
    const problem = seat.isStrict ? nameProblemIn(ownMethods, method, params) : null
    if (problem !== null) throw coded(new TypeError(problem), 'PARAMETER')
    if (timedCount(seat.outbox) >= TIMED_QUEUE_MAX) {
      throw coded(new RangeError(`${TIMED_QUEUE_MAX} requests are already in transit`), 'LIMIT')
    }
    seat.requests += 1
    // The reply has the type of its method, which the type of a queue of all methods cannot express.
    const reply = (onReply ?? null) as ReplyFunction | null
    if (reply !== null) seat.functionsWaiting += 1
    const { entry } = seat.latency
    // A copy of parameters has the type of parameters.
    const copy = plainCopy(params, 'params', true) as RequestParams
    const sent: SentRequest = {
      number: seat.requests,
      method,
      params: copy,
      onReply: reply,
      sentAt: seat.now,
      // Without latency no request waits.
      part: entry === 0 ? null : queuePartOf(this.#sources.exchange, method, copy),
      refused: null,
    }
    joinQueue(seat.waiting, sent)
    const due = seat.now + entry
    appendTimed(seat.outbox, due, sent)
    noteDue(seat.agenda, seat.place, due)
    return seat.requests
  }

  random(): number {
    this.#checkIsCalled('random')
    return this.#seat.random()
  }

  log(...what: readonly unknown[]): void {
    const seat = this.#seat
    const text = what.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    seat.guard.log(seat, text.join(' '))
  }

  setTimer(name: string, delay: string | number): void {
    const seat = this.#seat
    this.#checkIsCalled('setTimer')
    const wait = delayOf(delay)
    if (!wait.ok) {
      throw coded(new RangeError(`the delay of a timer: expected ${wait.error.expected}, found ${delay}`), 'TIME')
    }
    this.clearTimer(name)
    if (seat.timerIds.size >= TIMERS_MAX)
      throw coded(new RangeError(`${TIMERS_MAX} timers are already pending`), 'LIMIT')
    const time = micros(Math.min(seat.now + wait.value, Number.MAX_SAFE_INTEGER))
    seat.timerIds.set(name, schedule(seat.timers, { time, rank: 0, payload: name }))
    noteDue(seat.agenda, seat.place, time)
  }

  clearTimer(name: string): void {
    this.#checkIsCalled('clearTimer')
    const { timers, timerIds } = this.#seat
    const id = timerIds.get(name)
    if (id === undefined) return
    cancel(timers, id)
    timerIds.delete(name)
  }

  /**
   * Throws unless a callback of this strategy is running, because the time of later calls would depend on the machine.
   */
  #checkIsCalled(what: string): void {
    const seat = this.#seat
    if (seat.guard.seat === seat) return
    const found = `${what} after the callback had returned`
    const error = coded(new Error(found), 'STRATEGY')
    const expected = 'requests, timers and random numbers inside callbacks'
    const hint = 'a promise or timer runs too late; make the call in the callback, or in onTimer after venue.setTimer'
    const words = { expected, found }
    seat.outside.fault ??= {
      ...placedFault(seat.name, 'a promise or timer', error, words),
      hint,
    }
    throw error
  }

  #account(): AccountId {
    const { account } = this.#seat
    assert(account !== -1, 'a strategy starts once its account is open')
    return account
  }

  #instrument(name: string): Instrument {
    const found = findInstrument(this.#sources.exchange, name)
    if (found !== undefined) return found
    const hint = meantInstrument(this.#sources.exchange, `${name}`)
    throw coded(new RangeError(`the instrument ${name} is not listed (${hint})`), 'INSTRUMENT')
  }
}

function instrumentOut(spec: Instrument): StrategyInstrument {
  return {
    name: spec.name,
    kind: spec.kind,
    baseCurrency: spec.baseCurrency,
    quoteCurrency: spec.quoteCurrency,
    settlementCurrency: spec.settlementCurrency,
    priceIndex: spec.priceIndex,
    contractSize: priceOut(price9(spec.contractSize9)),
    expiration: spec.expiration === neverExpires ? null : spec.expiration,
    strike: spec.detail.type === 'option' ? priceOut(spec.detail.strike) : null,
    optionType: spec.detail.type === 'option' ? spec.detail.right : null,
    tickSize: priceOut(price9(tickOf(spec))),
    amountStep: amountOut(spec, spec.stepLots ?? lots(1)),
    minAmount: amountOut(spec, spec.minTradeLots),
    makerFee: priceOut(price9(spec.makerFee9)),
    takerFee: priceOut(price9(spec.takerFee9)),
  }
}

/** A price computed with doubles, rounded to the nearest 1e-9. The errors of doubles are smaller. */
function priceNear(price: number): Price9 {
  const nano = Math.round(price * NANO)
  if (!Number.isSafeInteger(nano)) throw noPrice(price)
  return price9(nano)
}

function noPrice(price: number): RangeError {
  return coded(new RangeError(`${price} is not a price`), 'NUMBER')
}

/**
 * The number of whole steps in an amount. An amount that is short of a step only by the error of doubles counts as a
 * whole step.
 */
function lotsBelow(spec: Instrument, amount: number): Lots {
  const nano = Math.round(amount * NANO)
  if (!(Number.isFinite(nano) && nano >= 0)) throw coded(new RangeError(`${amount} is not an amount`), 'NUMBER')
  if (Number.isSafeInteger(nano)) return lots(divFloor(nano, spec.amountStep9))
  // Above nine million the steps are large enough for doubles to count them.
  const steps = Math.floor((amount * NANO) / spec.amountStep9)
  if (!Number.isSafeInteger(steps)) throw coded(new RangeError(`${amount} is not an amount`), 'NUMBER')
  return lots(steps)
}

function delayOf(delay: string | number): Result<number, { readonly expected: string }> {
  if (typeof delay === 'string') return parseDuration(delay)
  if (Number.isSafeInteger(delay) && delay >= 0) return ok(delay)
  return { ok: false, error: { expected: 'whole microseconds from 0' } }
}

/**
 * Figures of a strategy's account, computed from the exchange at the moment of reading. Nothing is computed or stored
 * before a read.
 *
 * Assumed: these figures are not delayed, unlike all deliveries. The venue would push a snapshot of the time of the
 * push, and no history of such snapshots exists. With latencies the figures are therefore ahead of the delivered
 * messages; a strategy that must not see so far calls `private/get_account_summary`.
 */

/** The funds of an account in a currency. */
function fundsOf(exchange: Exchange, account: AccountId, currency: Currency): StrategyFunds {
  const wallet = viewWallet(exchange, account, currency)
  const margins = viewMargins(exchange, account, currency)
  return {
    currency,
    balance: moneyOut(wallet.balance),
    equity: moneyOut(wallet.equity),
    marginBalance: moneyOut(margins.marginBalance),
    initialMargin: moneyOut(margins.initial),
    maintenanceMargin: moneyOut(margins.maintenance),
    availableFunds: moneyOut(wallet.available),
    optionsValue: moneyOut(wallet.optionsValue),
    sessionRealized: moneyOut(wallet.sessionRealized),
    sessionFloating: moneyOut(wallet.sessionFloating),
  }
}

/** A position of an account with its profit, margin and greeks. */
function positionOf(exchange: Exchange, account: AccountId, instrument: Instrument): StrategyPosition {
  return positionOut(exchange, viewPosition(exchange, account, instrument.id))
}

/** Open positions of an account, instruments in the order of listing. */
function strategyPositions(exchange: Exchange, account: AccountId): readonly StrategyPosition[] {
  return heldPositions(exchange, account)
    .filter(({ size }) => size !== 0)
    .map((position) => positionOut(exchange, position))
}

function positionOut(exchange: Exchange, position: ReturnType<typeof viewPosition>): StrategyPosition {
  const { delta, greeks } = viewRisk(exchange, position)
  return {
    instrument: position.instrument.name,
    size: amountOut(position.instrument, position.size),
    averagePrice: priceOut(position.averagePrice),
    markPrice: priceOut(position.mark),
    indexPrice: priceOut(position.index),
    realized: moneyOut(position.realized),
    floating: moneyOut(position.floating),
    total: moneyOut(position.total),
    initialMargin: moneyOut(position.initialMargin),
    maintenanceMargin: moneyOut(position.maintenanceMargin),
    delta: moneyOut(delta),
    gamma: greeks === null ? 0 : moneyOut(greeks.gamma),
    vega: greeks === null ? 0 : moneyOut(greeks.vega),
    theta: greeks === null ? 0 : moneyOut(greeks.theta),
  }
}
