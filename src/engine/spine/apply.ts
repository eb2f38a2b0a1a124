/**
 * The spine: one command after another, each applied whole, with timers in between.
 *
 * Order inside one instant (DESIGN 4): timers that are due, then requests in the order of arrival.
 * A handler checks (reads only) and then commits (cannot fail); a refused command changes nothing but
 * counters. Dispatch is a table typed by the kind of command, so that a new kind breaks the build
 * until it is handled.
 */
import { assert, type Micros, type Sequence } from '../../core/index.ts'
import {
  type AdvanceTime,
  type Command,
  type CommandOf,
  type EventSink,
  type ExchangeConfig,
  type MarketMessage,
  NO_ACCOUNT,
  NO_SESSION,
  type Refusal,
  validationStep,
} from '../../model/index.ts'
import { drainWork } from '../market/index.ts'
import {
  checkCancel,
  checkCancelAll,
  checkCancelQuotes,
  checkCloseSession,
  checkCreateCombo,
  checkDeposit,
  checkEdit,
  checkFollowMid,
  checkGivePosition,
  checkListInstrument,
  checkLockAccount,
  checkLockPortfolio,
  checkMassQuote,
  checkMovePositions,
  checkOpenAccount,
  checkOpenSession,
  checkPlace,
  checkResetMmp,
  checkSetCancelOnDisconnect,
  checkSetDisabledProducts,
  checkSetGatewaySwitch,
  checkSetIndex,
  checkSetInstrumentState,
  checkSetLspParticipant,
  checkSetMark,
  checkSetMmpConfig,
  checkSetPermissions,
  checkSetRiskLimits,
  checkSetSelfTrading,
  checkTransferCash,
  checkTrimOrders,
  commitCancel,
  commitCancelAll,
  commitCancelQuotes,
  commitCloseSession,
  commitCreateCombo,
  commitDeposit,
  commitEdit,
  commitFollowMid,
  commitGivePosition,
  commitListInstrument,
  commitLockAccount,
  commitLockPortfolio,
  commitMassQuote,
  commitMovePositions,
  commitOpenAccount,
  commitOpenSession,
  commitPlace,
  commitResetMmp,
  commitSetCancelOnDisconnect,
  commitSetDisabledProducts,
  commitSetGatewaySwitch,
  commitSetIndex,
  commitSetInstrumentState,
  commitSetLspParticipant,
  commitSetMark,
  commitSetMmpConfig,
  commitSetPermissions,
  commitSetRiskLimits,
  commitSetSelfTrading,
  commitTransferCash,
  commitTrimOrders,
  messageFault,
  noteRequest,
  openHouse,
  payRequest,
  strayRequest,
} from '../requests/index.ts'
import {
  type Exchange,
  emptyExchange,
  firstFault,
  nextEvent,
  pass,
  refuse,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { settleMarks } from '../value/index.ts'
import { advanceTo, isDue, NO_CAUSE } from './advance.ts'
import { applyMarketMessage } from './market-data.ts'

/** Checks and commits one kind of command; `commit` returns the count that `request` carries. */
interface Handler<C extends Command, Plan> {
  check(exchange: Exchange, command: C): Verdict<Plan>
  commit(turn: Turn, command: C, plan: Plan): number
}

/** A handler with its plan sealed in: applies the command or says why not. */
type Sealed<C extends Command> = (turn: Turn, command: C) => number | Refusal

function seal<C extends Command, Plan>(handler: Handler<C, Plan>): Sealed<C> {
  return (turn, command) => {
    const verdict = firstFault(command.fault, handler.check(turn.exchange, command))
    return verdict.ok ? handler.commit(turn, command, verdict.plan) : verdict.fault.refusal
  }
}

/** Reads do nothing themselves; their replies come from views. */
const nothing = seal<Command, null>({ check: () => pass(null), commit: () => 0 })

const handlers: { readonly [K in Command['kind']]: Sealed<CommandOf<K>> } = {
  place_order: seal({ check: checkPlace, commit: commitPlace }),
  edit_order: seal({ check: checkEdit, commit: commitEdit }),
  cancel_order: seal({ check: checkCancel, commit: commitCancel }),
  cancel_orders: seal({ check: checkCancelAll, commit: commitCancelAll }),
  query: nothing,
  set_self_trading: seal({ check: checkSetSelfTrading, commit: commitSetSelfTrading }),
  set_instrument_state: seal({
    check: checkSetInstrumentState,
    commit: commitSetInstrumentState,
  }),
  open_account: seal({ check: checkOpenAccount, commit: commitOpenAccount }),
  list_instrument: seal({ check: checkListInstrument, commit: commitListInstrument }),
  deposit: seal({ check: checkDeposit, commit: commitDeposit }),
  give_position: seal({ check: checkGivePosition, commit: commitGivePosition }),
  set_index: seal({ check: checkSetIndex, commit: commitSetIndex }),
  follow_mid: seal({ check: checkFollowMid, commit: commitFollowMid }),
  set_mark: seal({ check: checkSetMark, commit: commitSetMark }),
  create_combo: seal({ check: checkCreateCombo, commit: commitCreateCombo }),
  move_positions: seal({ check: checkMovePositions, commit: commitMovePositions }),
  transfer_cash: seal({ check: checkTransferCash, commit: commitTransferCash }),
  set_lsp_participant: seal({
    check: checkSetLspParticipant,
    commit: commitSetLspParticipant,
  }),
  open_session: seal({ check: checkOpenSession, commit: commitOpenSession }),
  close_session: seal({ check: checkCloseSession, commit: commitCloseSession }),
  set_cancel_on_disconnect: seal({
    check: checkSetCancelOnDisconnect,
    commit: commitSetCancelOnDisconnect,
  }),
  set_mmp_config: seal({ check: checkSetMmpConfig, commit: commitSetMmpConfig }),
  reset_mmp: seal({ check: checkResetMmp, commit: commitResetMmp }),
  mass_quote: seal({ check: checkMassQuote, commit: commitMassQuote }),
  cancel_quotes: seal({ check: checkCancelQuotes, commit: commitCancelQuotes }),
  lock_portfolio: seal({ check: checkLockPortfolio, commit: commitLockPortfolio }),
  set_permissions: seal({ check: checkSetPermissions, commit: commitSetPermissions }),
  set_disabled_products: seal({
    check: checkSetDisabledProducts,
    commit: commitSetDisabledProducts,
  }),
  lock_account: seal({ check: checkLockAccount, commit: commitLockAccount }),
  trim_orders: seal({ check: checkTrimOrders, commit: commitTrimOrders }),
  set_risk_limits: seal({ check: checkSetRiskLimits, commit: commitSetRiskLimits }),
  set_gateway_switch: seal({ check: checkSetGatewaySwitch, commit: commitSetGatewaySwitch }),
  advance_time: seal({ check: checkAdvance, commit: commitAdvance }),
}

/** Makes an exchange at its start time and opens the house accounts. */
export function createExchange(config: ExchangeConfig, sink: EventSink): Exchange {
  const exchange = emptyExchange(config)
  openHouse({ exchange, sink, cause: NO_CAUSE })
  return exchange
}

/**
 * Applies one command at its time. Timers due at or before that time run first, each at its own due
 * time; then the command, whose last event is `request`, unless its reply waits for the speed bump;
 * then what it set off. Every event goes to `sink` before this returns.
 */
export function apply(exchange: Exchange, command: Command, sink: EventSink): void {
  assert(command.time >= exchange.now, 'commands come in the order of time')
  assert(command.sequence > exchange.lastSequence, 'sequence numbers rise')
  if (isDue(exchange, command.time)) advanceTo(exchange, command.time, sink)
  exchange.now = command.time
  exchange.lastSequence = command.sequence
  const turn: Turn = { exchange, sink, cause: command.sequence }
  exchange.openRequest = command.sequence
  if (command.session !== NO_SESSION) noteRequest(turn, command)
  const isPlain = command.session === NO_SESSION && command.message === undefined
  const barred = isPlain ? null : barredOver(exchange, command)
  // The table holds the handler of each kind, which TypeScript cannot follow through an index.
  const handler = handlers[command.kind] as Sealed<Command>
  const isFree = barred !== null || command.charge === undefined
  const tooMany = isFree ? null : payRequest(turn, command)
  const outcome = barred ?? tooMany ?? handler(turn, command)
  if (typeof outcome !== 'number') emitRefusal(turn, command, outcome)
  settleMarks(turn)
  exchange.openRequest = null
  if (exchange.heldRequests.size === 0 || !waits(exchange, command.sequence, outcome)) {
    emitDone(turn, outcome)
  }
  if (exchange.work.length > 0) drainWork(exchange, sink, command.sequence)
}

/** Whether the reply of a request that was done waits for orders behind the speed bump (R10). */
function waits(exchange: Exchange, request: Sequence, outcome: number | Refusal): boolean {
  const held = exchange.heldRequests.get(request)
  if (held === undefined) return false
  assert(typeof outcome === 'number', 'a refused request lets nothing wait')
  held.count = outcome
  if (held.waiting > 0) return true
  exchange.heldRequests.delete(request)
  return false
}

function emitDone({ exchange, sink, cause }: Turn, outcome: number | Refusal): void {
  const refused = typeof outcome !== 'number'
  sink.emit({
    kind: 'request',
    time: exchange.now,
    number: nextEvent(exchange),
    cause,
    outcome: refused ? 'refused' : 'done',
    count: refused ? 0 : outcome,
  })
}

/**
 * Why a session does not take a request, or a message of direct access, whatever it says; what cannot be read is
 * refused for that.
 */
function barredOver(exchange: Exchange, command: Command): Refusal | null {
  const { fault, message } = command
  if (fault?.step === validationStep.envelope) return null
  if (message === undefined) return strayRequest(exchange, command)
  return messageFault(exchange, command, message)?.refusal ?? null
}

/**
 * Runs commands and recorded messages through a new exchange: a pure function of configuration and
 * inputs. Returns the exchange as they leave it.
 */
export function simulate(
  config: ExchangeConfig,
  inputs: Iterable<Command | MarketMessage>,
  sink: EventSink,
): Exchange {
  const exchange = createExchange(config, sink)
  for (const input of inputs) {
    if ('rows' in input) applyMarketMessage(exchange, input, sink)
    else apply(exchange, input, sink)
  }
  return exchange
}

function checkAdvance(exchange: Exchange, command: AdvanceTime): Verdict<Micros> {
  if (command.to >= exchange.now) return pass(command.to)
  return refuse(validationStep.parameters, {
    reason: 'invalid_params',
    param: 'to',
    problem: 'the clock never goes back',
  })
}

function commitAdvance(turn: Turn, _command: AdvanceTime, to: Micros): number {
  advanceTo(turn.exchange, to, turn.sink)
  return 1
}

function emitRefusal(turn: Turn, command: Command, refusal: Refusal): void {
  const { exchange } = turn
  turn.sink.emit({
    kind: 'refusal',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    command: command.kind,
    account: command.account,
    instrument: 'instrument' in command ? command.instrument : NO_ACCOUNT,
    refusal,
  })
}
