/**
 * The spine: it applies one command after another as a whole, and runs timers in between.
 *
 * Order inside one instant (DESIGN 4): due timers, then requests in the order of arrival. A handler checks (reads only)
 * and then commits (cannot fail); a refused command changes only counters. Dispatch is a table typed by the kind of
 * command, so that a new kind breaks the build until it is handled.
 */
import { NO_SLOT } from '../../book/index.ts'
import { assert, coded, type InstrumentId, type Micros, type Sequence } from '../../core/index.ts'
import {
  type AdvanceTime,
  type BoundViews,
  type CancelOrder,
  type Command,
  type EditOrder,
  type EventLog,
  type EventSink,
  type ExchangeConfig,
  logOf,
  type MarketMessage,
  NO_SESSION,
  numberFaults,
  type PlaceOrder,
  type Refusal,
  validationStep,
} from '../../model/index.ts'
import { drainWork, endOrder, placeStraight, surePlan, surePrice, sureSlot } from '../market/index.ts'
import {
  handlers as commandHandlers,
  commitEdit,
  foreignSessionRefusal,
  type Handlers,
  messageRefusal,
  noteRequest,
  openHouse,
  payRequest,
  type Sealed,
  seal,
} from '../requests/index.ts'
import {
  type CheckResult,
  directRequestOf,
  type Exchange,
  emitDone,
  emptyExchange,
  instrumentOf,
  nextEvent,
  orderSlotOf,
  pass,
  refuse,
  type Turn,
} from '../state/index.ts'
import { settleMarks } from '../value/index.ts'
import { checkTime, isDue, NO_CAUSE, runTimers } from './advance.ts'
import { applyMarketMessage } from './market-data.ts'

const handlers: Handlers<Command['kind']> = {
  ...commandHandlers,
  advance_time: seal({ check: checkAdvance, commit: commitAdvance }),
}

/**
 * Creates an exchange at its start time and opens the venue's own accounts.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * console.log(allInstruments(exchange).length) // 0
 */
export function createExchange(config: ExchangeConfig, sink: EventSink): Exchange {
  const exchange = emptyExchange(config)
  const log = logOf(sink)
  openHouse({ exchange, log, cause: NO_CAUSE })
  log.read()
  return exchange
}

/**
 * Applies one command at its time. Timers due at or before that time run first, each at its own due time; then the
 * command, whose last event is `request`, unless its reply waits for the speed bump; then the consequences of the
 * command. Every event goes to `sink` before this returns.
 *
 * @throws RangeError with the code `TIME` if the time of the command is before the clock, `OPTION` if its sequence
 * number is not above the last one or another number is outside its bounds. The message lists each field with its
 * bounds and the number found.
 *
 * @example
 * const exchange = createExchange(defaultConfig(micros(0)), sinkOf({}))
 * const header = { time: micros(9), sequence: sequence(1), account: NO_ACCOUNT, session: 0 } as const
 * apply(exchange, { ...header, fault: null, kind: 'query' }, sinkOf({}))
 * console.log(timeOf(exchange), lastSequenceOf(exchange)) // 9 1
 */
export function apply(exchange: Exchange, command: Command, sink: EventSink): void {
  const log = logOf(sink)
  if (applyStraight(exchange, command, log)) return
  checkTime(command.time, exchange.now)
  checkSequence(command.sequence, exchange.lastSequence)
  checkNumbers(exchange, command)
  applyAny(exchange, command, log)
}

/** Applies a command that a reader of requests has built, so its numbers are within their bounds. */
export function applyChecked(exchange: Exchange, command: Command, sink: EventSink): void {
  const log = logOf(sink)
  if (!applyStraight(exchange, command, log)) applyAny(exchange, command, log)
}

/**
 * Applies a placement, an edit or a cancel if it is surely admitted (`market/straight.ts`). Returns false if the general
 * code must apply the command: then only the clock has moved.
 */
function applyStraight(exchange: Exchange, command: Command, log: EventLog): boolean {
  if (command.kind !== 'place_order' && command.kind !== 'edit_order' && command.kind !== 'cancel_order') return false
  const { time, sequence: cause, session } = command
  if (command.fault !== null || command.message !== undefined || command.charge !== undefined) return false
  if (!Number.isSafeInteger(cause) || cause <= exchange.lastSequence || exchange.heldRequests.size > 0) return false
  if (session !== NO_SESSION && exchange.sessions.get(session)?.type !== 'web_socket') return false
  if (!Number.isSafeInteger(time) || time < exchange.now || isDue(exchange, time)) return false
  // Margins and funding are those of this time.
  exchange.now = time
  const turn: Turn = { exchange, log, cause }
  if (!commitSure(turn, command)) return false
  settleMarks(turn)
  exchange.openRequest = null
  emitDone(turn, cause, oneDone)
  drainWork(turn)
  log.read()
  return true
}

/** Executes a request that is surely admitted. Returns false, and changes nothing, if admission is not certain. */
function commitSure(turn: Turn, command: PlaceOrder | EditOrder | CancelOrder): boolean {
  switch (command.kind) {
    case 'place_order': {
      const price = surePrice(turn.exchange, command)
      if (price === null) return false
      beginRequest(turn, command)
      placeStraight(turn, command, price)
      return true
    }
    case 'edit_order': {
      const plan = surePlan(turn.exchange, command)
      if (plan === null) return false
      beginRequest(turn, command)
      commitEdit(turn, command, plan)
      return true
    }
    case 'cancel_order': {
      const slot = sureSlot(turn.exchange, command)
      if (slot === null) return false
      beginRequest(turn, command)
      endOrder(turn, slot, 'user_request')
      return true
    }
  }
}

/** Begins a request: from now on the events have it as their cause, and its session has sent it. */
function beginRequest(turn: Turn, command: Command): void {
  turn.exchange.lastSequence = command.sequence
  turn.exchange.openRequest = command.sequence
  if (command.session !== NO_SESSION) noteRequest(turn, command)
}

const oneDone = { outcome: 'done', count: 1 } as const

function applyAny(exchange: Exchange, command: Command, log: EventLog): void {
  if (isDue(exchange, command.time)) runTimers(exchange, command.time, log)
  exchange.now = command.time
  const turn: Turn = { exchange, log, cause: command.sequence }
  beginRequest(turn, command)
  exchange.directRequest = directRequestOf(command)
  const isPlain = command.session === NO_SESSION && command.message === undefined
  const barred = isPlain ? null : barredOver(exchange, command)
  // The table has the handler of each kind; TypeScript cannot follow this through an index.
  const handler = handlers[command.kind] as Sealed<Command>
  const isFree = barred !== null || command.charge === undefined
  const tooMany = isFree ? null : payRequest(turn, command)
  const outcome = barred ?? tooMany ?? handler(turn, command)
  if (typeof outcome !== 'number') emitRefusal(turn, command, outcome)
  settleMarks(turn)
  exchange.openRequest = null
  exchange.directRequest = null
  if (exchange.heldRequests.size === 0 || !waits(exchange, command.sequence, outcome)) {
    const count = typeof outcome === 'number' ? outcome : null
    emitDone(turn, turn.cause, {
      outcome: count === null ? 'refused' : 'done',
      count: count ?? 0,
    })
  }
  drainWork(turn)
  log.read()
}

function checkSequence(number: number, last: number): void {
  if (Number.isSafeInteger(number) && number > last) return
  throw coded(new RangeError(`sequence: expected a whole number above ${last}, found ${number}`), 'OPTION')
}

const boundViews: BoundViews<Exchange> = {
  accountsOf: ({ accounts }) => accounts.length,
  tickOf: ({ instruments }, instrument) => instruments[instrument]?.instrument.tick9,
  tickOfOrder: (exchange, order) => {
    const slot = orderSlotOf(exchange, order)
    return slot === NO_SLOT ? undefined : instrumentOf(exchange, slot).instrument.tick9
  },
}

function checkNumbers(exchange: Exchange, command: Command): void {
  const faults = numberFaults(command, exchange, boundViews)
  if (faults.length === 0) return
  throw coded(new RangeError(`${command.kind}: ${faults.join('; ')}`), 'OPTION')
}

/** True if the reply of a successful request waits for orders behind the speed bump (R10). */
function waits(exchange: Exchange, request: Sequence, outcome: number | Refusal): boolean {
  const held = exchange.heldRequests.get(request)
  if (held === undefined) return false
  assert(typeof outcome === 'number', 'a refused request leaves no waiting order')
  held.count = outcome
  if (held.waiting > 0) return true
  exchange.heldRequests.delete(request)
  return false
}

/**
 * The refusal of a request by its session, or of a message of direct access regardless of its content. A request with
 * an invalid envelope is refused for that instead.
 */
function barredOver(exchange: Exchange, command: Command): Refusal | null {
  if (command.fault?.step === validationStep.envelope) return null
  if (command.message === undefined) return foreignSessionRefusal(exchange, command)
  return messageRefusal(exchange, command, command.message)
}

/**
 * Runs commands and recorded messages through a new exchange: a pure function of configuration and inputs. Returns the
 * exchange after all of them.
 *
 * @throws RangeError with the code `TIME` if the time of an input is before the time of the previous one, `OPTION` if
 * the sequence number of a command is not above the last one or another number of it is outside its bounds.
 *
 * @example
 * const spec = specFromName('BTC-PERPETUAL', { creation: micros(0) })
 * if (!spec.ok) throw new Error(spec.error)
 * const names: string[] = []
 * const sink = sinkOf({ instrument: ({ instrument }) => names.push(instrument.name) })
 * const header = { time: micros(0), sequence: sequence(1), account: NO_ACCOUNT, session: 0, fault: null } as const
 * const listing = { ...header, kind: 'list_instrument', spec: spec.value, queue: null } as const
 * simulate(defaultConfig(micros(0)), [listing], sink)
 * console.log(names) // [ 'BTC-PERPETUAL' ]
 */
export function simulate(config: ExchangeConfig, inputs: Iterable<Command | MarketMessage>, sink: EventSink): Exchange {
  const exchange = createExchange(config, sink)
  for (const input of inputs) {
    if ('rows' in input) applyMarketMessage(exchange, input, sink)
    else apply(exchange, input, sink)
  }
  return exchange
}

function checkAdvance(exchange: Exchange, command: AdvanceTime): CheckResult<Micros> {
  if (command.to >= exchange.now) return pass(command.to)
  return refuse(validationStep.parameters, {
    reason: 'invalid_params',
    param: 'to',
    problem: 'the clock never goes back',
  })
}

function commitAdvance(turn: Turn, _command: AdvanceTime, to: Micros): number {
  assert(to >= turn.exchange.now, 'the clock never goes back')
  runTimers(turn.exchange, to, turn.log)
  assert(turn.exchange.now === to, 'the clock has reached the requested time')
  return 1
}

function emitRefusal(turn: Turn, command: Command, refusal: Refusal): void {
  turn.log.append({
    kind: 'refusal',
    time: turn.exchange.now,
    number: nextEvent(turn.exchange),
    cause: turn.cause,
    command: command.kind === 'unreadable' ? command.of : command.kind,
    account: command.account,
    instrument: listedInstrument(turn.exchange, command),
    refusal,
  })
}

/** The listed instrument that a command names; -1 if it names none, or the instrument could not be read. */
function listedInstrument(exchange: Exchange, command: Command): InstrumentId | -1 {
  if (!('instrument' in command)) return -1
  return command.instrument < exchange.instruments.length ? command.instrument : -1
}
