/** Moves the clock: every due timer runs at its own time. */
import {
  coded,
  currencyId,
  defined,
  instrumentId,
  type Micros,
  micros,
  peekTime,
  popDue,
  sequence,
} from '../../core/index.ts'
import { type EventLog, type EventSink, logOf } from '../../model/index.ts'
import { endSettlement, endTradingDay, listScheduled, lockStale, resetWindow, runRound } from '../day/index.ts'
import {
  arriveOrder,
  drainWork,
  expireRfq,
  expireRfqQuote,
  releaseOrder,
  repriceAdvanced,
  unfreezeGroup,
} from '../market/index.ts'
import {
  checkInactivity,
  endGrace,
  endWait,
  expireApproval,
  expirePayment,
  expireSignature,
  thawQuotes,
} from '../requests/index.ts'
import { type Exchange, rowOfInstrument, type TimerKind, type TimerTask, type Turn } from '../state/index.ts'
import { lookAtFunding, refreshRate, settleMarks, tickPrices, wake } from '../value/index.ts'

/** The cause of events without a request: timers, recorded messages, the creation of the exchange. */
export const NO_CAUSE = sequence(0)

/**
 * True if a timer must run before an input at a time: the exchange's timers up to and including that time, timers of
 * connections before it.
 */
export function isDue(exchange: Exchange, time: Micros): boolean {
  return peekTime(exchange.timers) <= time || peekTime(exchange.connectionTimers) < time
}

/**
 * Moves the clock to `time` and runs every timer due until then, each at its own time.
 *
 * @throws RangeError with the code `TIME` if the time is before the clock.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * advanceTo(exchange, micros(5_000_000), sinkOf({}))
 * console.log(timeOf(exchange)) // 5000000
 */
export function advanceTo(exchange: Exchange, time: Micros, sink: EventSink): void {
  checkTime(time, exchange.now)
  runTimers(exchange, time, logOf(sink))
}

/** Runs timers as `advanceTo` does, for a time that was already checked. */
export function runTimers(exchange: Exchange, time: Micros, log: EventLog): void {
  for (;;) {
    runConnections(exchange, time, log)
    const timer = popDue(exchange.timers, time)
    if (timer === undefined) break
    exchange.now = micros(timer.time)
    exchange.isInTimers = true
    const turn: Turn = { exchange, log, cause: NO_CAUSE }
    runTimer(turn, timer.payload)
    settleMarks(turn)
    drainWork(turn)
    log.read()
  }
  exchange.isInTimers = false
  exchange.now = time
}

/**
 * Checks the time of an input that a program chose: whole microseconds, not before the clock.
 *
 * @throws RangeError with the code `TIME` for any other time.
 */
export function checkTime(time: number, now: Micros): void {
  if (Number.isSafeInteger(time) && time >= now) return
  const expected = `whole microseconds at or after the clock (${now})`
  throw coded(new RangeError(`time: expected ${expected}, found ${time}`), 'TIME')
}

/** Runs timers of connections that are due before the next timer of the exchange (DESIGN 4). */
function runConnections(exchange: Exchange, time: Micros, log: EventLog): void {
  const { connectionTimers, timers } = exchange
  for (;;) {
    const at = peekTime(connectionTimers)
    if (at >= time || at >= peekTime(timers)) return
    const timer = defined(popDue(connectionTimers, micros(at)), 'the next timer is due')
    exchange.now = micros(timer.time)
    const turn: Turn = { exchange, log, cause: NO_CAUSE }
    checkInactivity(turn, timer.payload)
    settleMarks(turn)
    drainWork(turn)
    log.read()
  }
}

/** The function of each kind of timer. */
const handlers: { readonly [K in TimerKind]: (turn: Turn, task: TimerTask<K>) => void } = {
  order_arrival: (turn, { order }) => arriveOrder(turn, order),
  bump_release: (turn, { order }) => releaseOrder(turn, order),
  mmp_unfreeze: (turn, { group }) => unfreezeGroup(turn, group),
  quotes_thaw: (turn, { account }) => thawQuotes(turn, account),
  lsp_window: (turn, { account, group }) => resetWindow(turn, account, group),
  block_signature: (turn, { signature }) => expireSignature(turn, signature),
  block_approval: (turn, { block }) => expireApproval(turn, block),
  block_listing: ({ exchange }, { block }) => {
    exchange.blocks.pending.delete(block)
  },
  address_ready: (turn, { entry }) => endWait(turn, entry),
  payment_due: (turn, { payment }) => expirePayment(turn, payment),
  rfq_grace: (turn, { rfq }) => endGrace(turn, rfq),
  rfq_expiry: (turn, { rfq }) => expireRfq(turn, rfq),
  rfq_quote_expiry: expireRfqQuote,
  price_grid: (turn) => {
    tickPrices(turn)
    settleMarks(turn)
    repriceAdvanced(turn)
  },
  delivery_window: ({ exchange }, { instrument }) => {
    wake(exchange, rowOfInstrument(exchange, instrumentId(instrument)))
  },
  funding_terms: (turn, { instrument }) => {
    refreshRate(turn, rowOfInstrument(turn.exchange, instrumentId(instrument)))
  },
  index_stale: (turn, { index }) => lockStale(turn, index),
  option_listing: (turn) => listScheduled(turn, null),
  funding_look: ({ exchange }) => lookAtFunding(exchange),
  day_end: endTradingDay,
  settlement_over: (turn, { currency }) => endSettlement(turn, currencyId(currency)),
  liquidation_round: runRound,
}

function runTimer<K extends TimerKind>(turn: Turn, task: TimerTask<K>): void {
  handlers[task.kind](turn, task)
}
