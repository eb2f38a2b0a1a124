/**
 * The seats of a run: opens them from what a scenario says, and puts each event of the exchange on
 * its way to the seat whose account it concerns. An event of any other account costs one look-up.
 */
import {
  type AccountId,
  defined,
  err,
  type InputError,
  type InstrumentId,
  MICROS_PER_DAY,
  micros,
  nearest,
  ok,
  type RandomStream,
  type Result,
  randomStream,
} from '../../core/index.ts'
import {
  configOf,
  findAccount,
  instrumentAt,
  isRecorded,
  partiesOfRfq,
  viewRfq,
} from '../../engine/index.ts'
import {
  type Event,
  type EventOf,
  type EventSink,
  type EventTakers,
  type Fill,
  fanOut,
  type OrderChanged,
  sinkOf,
  type Trade,
  whileAsked,
} from '../../model/index.ts'
import {
  allocatedTrade,
  changedQuoteOut,
  type Desk,
  noteHandedOn,
  rfqOut,
  traitsOf,
  type UserTrade,
} from '../../rpc/index.ts'
import { type News, noteLevel, takeSettled } from './news.ts'
import { publishLevels, publishNews, type RecordedDelivery } from './recorded-delivery.ts'
import { countRefusal } from './refusals.ts'
import { createSeat, isPromise, quieten, type Response, type Seat } from './seat.ts'
import type { Latency, Strategy, StrategyDefinition } from './strategy.ts'
import { placedFault, textOfError } from './strategy-fault.ts'
import { noGuard, type StrategyGuard } from './strategy-guard.ts'
import { appendTimed, itemAt } from './timed-queue.ts'

/** A strategy of a run. */
export interface SeatSpec {
  /** How mistakes name it, such as the path of its module. */
  readonly name: string
  /** The account it trades; no other strategy trades it. */
  readonly account: string
  readonly definition: StrategyDefinition<unknown>
  readonly params: unknown
  readonly latency: Latency
  /** True if callbacks and parameters that nobody knows are refused. Default: true. */
  readonly strict?: boolean
}

/** Options that all strategies of a run share. */
export interface SeatOptions {
  /** Seed of the run, from which each strategy has a stream of chance of its own. */
  readonly seed?: string
  /** The guard around their callbacks. */
  readonly guard?: StrategyGuard
}

/** The strategies of a run, in the order of the file. */
export interface Seats {
  readonly list: readonly Seat[]
  readonly guard: StrategyGuard
  /** By account id, once the account is open. */
  readonly byAccount: (Seat | undefined)[]
  readonly byAccountName: ReadonlyMap<string, Seat>
  /** The desk they trade at; it is made after the seats, as its events pass them. */
  desk: Desk | undefined
  /** Where news goes, once there is a loop. */
  delivery: RecordedDelivery | undefined
}

/** Makes the strategies; all mistakes at once. */
export function openSeats(
  specs: readonly SeatSpec[],
  { seed = '0', guard = noGuard }: SeatOptions = {},
): Result<Seats, readonly InputError[]> {
  const errors: InputError[] = []
  const list: Seat[] = []
  const byAccountName = new Map<string, Seat>()
  for (const spec of specs) {
    const { name, account, latency } = spec
    for (const [which, delay] of Object.entries(latency)) {
      if (Number.isSafeInteger(delay) && delay >= 0 && delay <= MICROS_PER_DAY) continue
      const expected = 'whole microseconds from 0 to a day'
      errors.push({ file: name, path: `latency.${which}`, expected, found: String(delay) })
    }
    if (byAccountName.has(account)) {
      const expected = 'an account that no other strategy trades'
      errors.push({ file: name, path: 'account', expected, found: account })
    }
    // A name of a stream has no '|'.
    const chance = randomStream(seed, `strategy.${account.replaceAll('|', '_')}`)
    const made = makeGuarded(spec, chance, guard)
    if (!made.ok) errors.push(made.error)
    else {
      const isStrict = spec.strict !== false
      const strategy = made.value
      const seat = createSeat({
        name,
        accountName: account,
        latency,
        strategy,
        isStrict,
        chance,
        guard,
      })
      list.push(seat)
      byAccountName.set(account, seat)
    }
  }
  if (errors.length > 0) return err(errors)
  return ok({ list, guard, byAccount: [], byAccountName, desk: undefined, delivery: undefined })
}

/** Puts what concerns a seat on its way, then hands every event on. */
export function seatedSink(seats: Seats, sink: EventSink): EventSink {
  if (seats.list.length === 0) return sink
  // Levels that were told to strategies alone are no event of the run.
  const asked = whileAsked(sink, () => isBookAsked(seats), ['level'])
  return fanOut([sinkOf(seatTakers(seats)), asked])
}

/** Ties the seats to their desk. On a desk that was restored their accounts are open already. */
export function seatAt(seats: Seats, desk: Desk): void {
  seats.desk = desk
  for (const seat of seats.list) {
    seat.faults = desk.faults
    const account = findAccount(desk.exchange, seat.accountName)
    if (account !== undefined) takeAccount(seats, seat, account.id)
  }
}

function isBookAsked({ desk }: Seats): boolean {
  return desk !== undefined && configOf(desk.exchange).bookEvents
}

/** Puts something on its way to a seat. */
export function respond(seat: Seat, time: number, response: Response): void {
  appendTimed(seat.inbox, time + seat.latency.response, response)
}

function seatTakers(seats: Seats): EventTakers {
  const tell = (event: OrderChanged | EventOf<'given_position'>): void => {
    const seat = seats.byAccount[event.account]
    if (seat !== undefined) respond(seat, event.time, event)
  }
  const whenDelivered =
    <E extends Event>(publish: (delivery: RecordedDelivery, event: E) => void) =>
    (event: E): void => {
      if (seats.delivery !== undefined) publish(seats.delivery, event)
    }
  return {
    order: tell,
    given_position: tell,
    block_trade: (event) => {
      for (const account of [event.account, event.counterparty]) {
        const seat = account === -1 ? undefined : seats.byAccount[account]
        if (seat !== undefined) respond(seat, event.time, event)
      }
    },
    payment: (event) => {
      const own = seats.byAccount[event.account]
      if (own !== undefined) respond(own, event.time, event)
      const { type, state, counterparty } = event
      if (type !== 'transfer' || state !== 'confirmed' || counterparty === -1) return
      const receiver = seats.byAccount[counterparty]
      if (receiver !== undefined) respond(receiver, event.time, event)
    },
    block_rfq: (event) => noticeRfq(seats, event),
    block_rfq_quote: (event) => noticeRfqQuote(seats, event),
    trade: (event) => {
      noticeFill(seats, event, event.maker)
      noticeFill(seats, event, event.taker)
      if (seats.delivery !== undefined) publishTrade(seats.delivery, event)
    },
    position_transfer: (event) => noticeTransfer(seats, event),
    level: whenDelivered(publishLevel),
    index: whenDelivered((delivery, event) => {
      if (delivery.wanted.index) publishOpen(delivery, { kind: 'event', event }, event.time)
    }),
    mark: whenDelivered((delivery, event) => {
      if (delivery.wanted.mark) publishOpen(delivery, { kind: 'event', event }, event.time)
    }),
    funding_rate: whenDelivered((delivery, event) => {
      if (delivery.wanted.funding) publishOpen(delivery, { kind: 'event', event }, event.time)
    }),
    settlement: whenDelivered(({ open }, event) => {
      if (seats.byAccount[event.account] !== undefined) open.own.push(event)
    }),
    instrument_settlement: whenDelivered((delivery, event) =>
      publishOpen(delivery, takeSettled(delivery.open, event), event.time),
    ),
    refusal: (event) => noticeRefusal(seats, event),
    account: (event) => {
      const seat = seats.byAccountName.get(event.name)
      if (seat !== undefined) takeAccount(seats, seat, event.account)
    },
  }
}

/** Tells a Block RFQ to its taker at each change, and to those who may quote it where its state changed. */
function noticeRfq(seats: Seats, event: EventOf<'block_rfq'>): void {
  const { exchange } = defined(seats.desk, 'RFQs come after the seats were tied to a desk')
  const { change, time } = event
  const { taker, makers } = partiesOfRfq(exchange, event.rfq)
  const isState =
    change === 'created' || change === 'filled' || change === 'cancelled' || change === 'expired'
  for (const account of isState ? [taker, ...makers] : [taker]) {
    const seat = seats.byAccount[account]
    if (seat?.strategy.onBlockRfq === undefined) continue
    const view = viewRfq(exchange, event.rfq, account)
    if (view === undefined) continue
    respond(seat, time, { kind: 'own_rfq', rfq: { ...rfqOut(exchange, view), change, time } })
  }
}

function noticeRfqQuote(seats: Seats, event: EventOf<'block_rfq_quote'>): void {
  const seat = seats.byAccount[event.account]
  if (seat?.strategy.onBlockQuote === undefined) return
  const { exchange } = defined(seats.desk, 'quotes come after the seats were tied to a desk')
  const { change, time } = event
  const quote = { ...changedQuoteOut(exchange, event), change, time }
  respond(seat, time, { kind: 'own_rfq_quote', quote })
}

function noticeRefusal(seats: Seats, event: EventOf<'refusal'>): void {
  const { account, refusal, cause, time } = event
  const seat = account === -1 ? undefined : seats.byAccount[account]
  const { desk } = seats
  const request = desk?.pending.get(cause)?.request
  if (seat === undefined || desk === undefined || request === undefined) return
  const { method, params } = request
  countRefusal(seat.refusals, desk.exchange, { refusal, time, method, params })
}

/** Books that nobody recorded are published as the run's orders change them. */
function publishLevel(delivery: RecordedDelivery, event: EventOf<'level'>): void {
  const { open, exchange } = delivery
  if (isRecorded(exchange, event.instrument)) return
  if (open.time >= 0 && open.time < event.time) publishLevels(delivery)
  noteLevel(open, event, instrumentAt(exchange, event.instrument).tick9)
}

function publishTrade(delivery: RecordedDelivery, event: Trade): void {
  const { instrument, price, amount, side, time, block } = event
  if (block !== null) return
  if (!delivery.wanted.trades || isRecorded(delivery.exchange, instrument)) return
  publishOpen(delivery, { kind: 'closed_trade', instrument, price, amount, side }, time)
}

/** Levels of the same time follow all other news of the step; those of an earlier time come before. */
function publishOpen(delivery: RecordedDelivery, news: News, time: number): void {
  const { open } = delivery
  if (open.time >= 0 && open.time < time) publishLevels(delivery)
  publishNews(delivery, news, time)
}

/**
 * A position changed hands. An account on which a part of a Block RFQ was booked has its fill, and the fill of the taker,
 * which is still on its way, tells the part.
 */
function noticeTransfer(seats: Seats, event: EventOf<'position_transfer'>): void {
  const { instrument, time, from, to } = event
  const [giver, taker] = [seats.byAccount[from.account], seats.byAccount[to.account]]
  if (giver !== undefined) {
    const { history } = defined(seats.desk, 'positions move after the seats were tied to a desk')
    const fill = allocatedTrade(history, event)
    if (fill !== undefined) respond(giver, time, { kind: 'own_fill', fill })
    else respond(giver, time, { kind: 'own_position', instrument, position: from.position })
  }
  if (taker === undefined) return
  const whole = event.reason === 'allocation' ? fillOnItsWay(taker, instrument) : undefined
  if (whole !== undefined) noteHandedOn(whole, event)
  respond(taker, time, { kind: 'own_position', instrument, position: to.position })
}

/** The newest fill of a Block RFQ in an instrument that a seat has not heard of. */
function fillOnItsWay({ inbox }: Seat, instrument: InstrumentId): UserTrade | undefined {
  for (let at = inbox.end - 1; at >= inbox.first; at -= 1) {
    const response = itemAt(inbox, at)
    if (response.kind !== 'own_fill') continue
    const { trade } = response.fill
    if (trade.instrument === instrument && trade.rfq !== null) return response.fill
  }
  return undefined
}

function noticeFill(seats: Seats, trade: Trade, fill: Fill): void {
  const seat = seats.byAccount[fill.account]
  if (seat === undefined) return
  const { history } = defined(seats.desk, 'trades happen after the seats were tied to a desk')
  const order = defined(history.orders.get(fill.order), 'the order of a fill is live')
  const own = { trade, fill, order: traitsOf(order) }
  respond(seat, trade.time, { kind: 'own_fill', fill: own })
}

function takeAccount(seats: Seats, seat: Seat, account: AccountId): void {
  seat.account = account
  seats.byAccount[account] = seat
}

/** Chance of the making is that of the strategy; its clock stands at 0, because no run has begun. */
function makeGuarded(
  spec: SeatSpec,
  chance: RandomStream,
  guard: StrategyGuard,
): Result<Strategy, InputError> {
  guard.enter()
  guard.seat = { name: spec.name, now: micros(0), random: () => chance.nextDouble() }
  try {
    return makeStrategy(spec)
  } finally {
    guard.seat = null
    guard.leave()
  }
}

function makeStrategy({
  name,
  definition,
  params,
  strict,
}: SeatSpec): Result<Strategy, InputError> {
  let made: unknown
  try {
    made = definition.make(params)
  } catch (error) {
    const words = { expected: 'parameters that the strategy takes', found: textOfError(error) }
    // Its place is that of the parameters in the scenario; the trace says where they were refused.
    const { trace = [] } = placedFault(name, 'params', { error, words })
    return err({ file: name, path: 'params', expected: words.expected, found: words.found, trace })
  }
  if (isPromise(made)) quieten(made)
  if (typeof made !== 'object' || made === null || isPromise(made)) {
    const found = isPromise(made) ? 'a promise' : String(made)
    return err({ file: name, expected: 'an object of callbacks', found })
  }
  for (const [callback, value] of callbacksOf(made)) {
    if (value === undefined || typeof value === 'function') continue
    return err({ file: name, path: callback, expected: 'a function', found: typeof value })
  }
  const unknown = strict === false ? undefined : unknownCallback(made)
  if (unknown !== undefined) {
    const meant = nearest(unknown, callbackNames)
    const hint = meant === undefined ? 'strict: false leaves it alone' : `did you mean ${meant}?`
    const expected = 'a callback that is known'
    return err({ file: name, path: unknown, expected, found: unknown, hint })
  }
  // Its callbacks were just seen to be functions.
  const strategy = made as Strategy
  if ((strategy.save === undefined) !== (strategy.load === undefined)) {
    const found = strategy.save === undefined ? 'load alone' : 'save alone'
    return err({ file: name, expected: 'save and load, or neither', found })
  }
  return ok(strategy)
}

const callbackNames = [
  'onStart',
  'onBook',
  'onTrade',
  'onIndex',
  'onMark',
  'onFunding',
  'onSettlement',
  'onOrder',
  'onFill',
  'onBlockTrade',
  'onPayment',
  'onBlockRfq',
  'onBlockQuote',
  'onReply',
  'onTimer',
  'save',
  'load',
] as const

/** A function whose name begins as those of callbacks do, or nearly is one, and is none; own fields are free. */
function unknownCallback(made: object): string | undefined {
  const known: readonly string[] = callbackNames
  for (let at: object | null = made; at !== null && at !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (known.includes(name) || name === 'constructor') continue
      if (!(/^on[A-Z_]/.test(name) || nearest(name, known) !== undefined)) continue
      // A getter is not called to see what it is.
      if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === 'function') return name
    }
    at = Object.getPrototypeOf(at) as object | null
  }
  return undefined
}

function callbacksOf(made: object): (readonly [string, unknown])[] {
  // Any object may be asked for any name.
  const values = made as Readonly<Record<string, unknown>>
  return callbackNames.map((name) => [name, values[name]] as const)
}
