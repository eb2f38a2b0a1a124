/**
 * Sessions open and end, and their orders may end with them.
 *
 * Rule: session.cancel-on-disconnect. Source: trading.md 10 (C49); sessions-blocks-gateways.md 2.6, 8.2, 8.4, 8.10;
 * coverage R12, R60, R77.
 */
import { assert } from '../../core/index.ts'
import {
  type CloseSession,
  NO_SESSION,
  type OpenSession,
  type SetCancelOnDisconnect,
  schemaSince,
  schemaVersions,
  validationStep,
} from '../../model/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  emitStanding,
  isOfMember,
  pass,
  refuse,
  type SessionRow,
  type Turn,
} from '../state/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'
import { closeSession, emitSession, openSession } from './sessions.ts'

const step = validationStep

/** The number must be free. Direct access requires the portfolio of a Member, a gateway and a known version. */
function checkOpenSession(exchange: Exchange, command: OpenSession): CheckResult<null> {
  const { opened, type, target, gateway, schemaVersion } = command
  if (opened === NO_SESSION) return badParam('session', 'expected a session number of at least 1')
  if (exchange.sessions.has(opened)) return badParam('session', `session ${opened} is already open`)
  if (type !== 'web_socket' && command.mobile) {
    return badParam('mobile', `a ${type} session cannot be mobile`)
  }
  if (type === 'web_socket') {
    return gateway === null ? pass(null) : badParam('gateway', 'a web_socket session has no gateway')
  }
  if (gateway === null) return badParam('gateway', `a ${type} session needs a gateway`)
  // The public REST data of a gateway requires no account.
  if (type === 'rest_gateway') return pass(null)
  if (target === null) return badParam('account', `a ${type} session needs an account`)
  if (!isOfMember(exchange, target)) {
    return badParam('account', 'direct access requires the portfolio of a Member')
  }
  if (schemaVersion < schemaVersions.least || schemaVersion > schemaVersions.most) {
    return badParam('schema_version', 'unsupported schema version')
  }
  return pass(null)
}

/** Opens the session. An open session of the same portfolio on the same gateway ends first. */
function commitOpenSession(turn: Turn, command: OpenSession): number {
  const { opened, type, target, gateway, schemaVersion } = command
  assert(!turn.exchange.sessions.has(opened), 'each session has a unique number')
  if (type === 'direct_access') {
    for (const row of [...turn.exchange.sessions.values()]) {
      const isSame = row.type === type && row.account === target && row.gateway === gateway
      if (isSame) closeSession(turn, row, 'displaced')
    }
  }
  if (command.mobile) turn.exchange.mobile.sessions.add(opened)
  const isFloor = type === 'direct_access' && schemaVersion >= schemaSince.cancelOnDisconnect
  const row = {
    session: opened,
    type,
    account: target ?? -1,
    gateway,
    schemaVersion,
    cancelOnDisconnect:
      type === 'web_socket'
        ? target !== null && accountRow(turn.exchange, target).standing.cancelOnDisconnect
        : isFloor && command.cancelOnDisconnect,
  }
  const isWatched = type === 'web_socket' || command.heartbeats === true
  openSession(turn, row, isWatched && command.clock !== 'machine')
  assert(turn.exchange.sessions.get(opened)?.type === type, 'an opened session is known')
  return 1
}

/** The session must be open. */
function checkCloseSession(exchange: Exchange, command: CloseSession): CheckResult<SessionRow> {
  const row = exchange.sessions.get(command.closed)
  return row === undefined ? badParam('session', `session ${command.closed} is not open`) : pass(row)
}

/** Ends the session. Returns the number of orders that ended with it. */
function commitCloseSession(turn: Turn, command: CloseSession, row: SessionRow): number {
  const { sessions } = turn.exchange
  assert(sessions.get(row.session) === row, 'a session is open before it is closed')
  const cancelled = closeSession(turn, row, command.how, command.words)
  assert(!sessions.has(row.session), 'a closed session is no longer open')
  return cancelled
}

/** Requests over HTTP can only set the rule of the account (R12: 10030). */
function checkSetCancelOnDisconnect(
  exchange: Exchange,
  { session, scope }: SetCancelOnDisconnect,
): CheckResult<SessionRow | null> {
  const row = exchange.sessions.get(session) ?? null
  const isSocket = row?.type === 'web_socket'
  if (!isSocket && scope === 'connection') {
    return refuse(step.accountLocks, { reason: 'must_be_websocket_request' })
  }
  return pass(isSocket ? row : null)
}

/** The setting takes effect immediately, also for orders placed before (C49). */
function commitSetCancelOnDisconnect(
  turn: Turn,
  { account, scope, enabled }: SetCancelOnDisconnect,
  row: SessionRow | null,
): number {
  if (scope === 'connection') assert(row !== null, 'only an open WebSocket has connection rules')
  if (scope === 'account') {
    const owner = accountRow(turn.exchange, account)
    if (owner.standing.cancelOnDisconnect !== enabled) {
      owner.standing.cancelOnDisconnect = enabled
      const change = enabled ? 'on' : 'off'
      emitStanding(turn, { protection: 'cancel_on_disconnect', change, account: owner.account.id })
    }
  }
  if (row === null || row.cancelOnDisconnect === enabled) return 1
  row.cancelOnDisconnect = enabled
  emitSession(turn, row, enabled ? 'cancel_on_disconnect_on' : 'cancel_on_disconnect_off')
  return 1
}

export const connectionsHandlers: Handlers<'open_session' | 'close_session' | 'set_cancel_on_disconnect'> = {
  open_session: seal({ check: checkOpenSession, commit: commitOpenSession }),
  close_session: seal({ check: checkCloseSession, commit: commitCloseSession }),
  set_cancel_on_disconnect: seal({
    check: checkSetCancelOnDisconnect,
    commit: commitSetCancelOnDisconnect,
  }),
}
