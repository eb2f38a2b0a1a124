/**
 * The life of a session. Depending on its settings, its orders end with it, in the order of their creation.
 *
 * | End | WebSocket | Direct access |
 * |---|---|---|
 * | logout | no order ends | flagged orders end |
 * | disconnect, heartbeat failure, rate limit | all orders end if the setting is on | flagged orders end |
 * | inactivity | all orders end if the setting is on | does not happen |
 * | displaced, a sequence number that is not the next | does not happen | flagged orders end |
 *
 * If the logon of a direct-access client requested heartbeats, its silence is a heartbeat failure. A session with
 * `clock: machine` belongs to a connection of a server, which measures its silence and requests its end. Direct access
 * flags single orders, or at its logon all of them. Source: trading.md 10 (C49); sessions document 2.6, 8.10; coverage
 * R12, R13, R77.
 */
import { cancel, type Micros, micros, schedule } from '../../core/index.ts'
import type { Command, EventOf, Refusal, SessionEnd } from '../../model/index.ts'
import { heartbeatMicros, inactivityMicros, NO_ACCOUNT } from '../../model/index.ts'
import { isStill, pullOrder } from '../market/index.ts'
import {
  accountRow,
  type ConnectionTask,
  type Exchange,
  eventHeader,
  isOver,
  type LiveOrder,
  orderAt,
  type SessionRow,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'

/** Tasks of connections have a separate queue and equal rank. */
const ANY_RANK = 0

/** Opens a session. Events: `session`. */
export function openSession(
  turn: Turn,
  of: Omit<SessionRow, 'lastInbound' | 'inactivity' | 'since'>,
  isWatched = of.type === 'web_socket',
): SessionRow {
  const row: SessionRow = {
    ...of,
    since: turn.exchange.lastSequence,
    lastInbound: turn.exchange.now,
    inactivity: null,
  }
  turn.exchange.sessions.set(of.session, row)
  if (isWatched) watchInactivity(turn.exchange, row)
  emitSession(turn, row, 'opened')
  return row
}

/**
 * Registers a request of a session. A request with an unknown session opens it as a WebSocket, with the
 * cancel-on-disconnect setting of its account. A message of direct access opens no session.
 */
export function noteRequest(turn: Turn, command: Command): void {
  const { session, account } = command
  const row = turn.exchange.sessions.get(session)
  if (row === undefined) {
    if (account === NO_ACCOUNT || isDirect(command)) return
    const { cancelOnDisconnect } = accountRow(turn.exchange, account).standing
    openSession(turn, {
      session,
      type: 'web_socket',
      account,
      gateway: null,
      schemaVersion: 0,
      cancelOnDisconnect,
    })
    return
  }
  row.lastInbound = turn.exchange.now
  if (row.account !== NO_ACCOUNT || account === NO_ACCOUNT) return
  row.account = account
  if (row.cancelOnDisconnect || !accountRow(turn.exchange, account).standing.cancelOnDisconnect) return
  row.cancelOnDisconnect = true
  emitSession(turn, row, 'cancel_on_disconnect_on')
}

/**
 * True for messages of direct access, including those that are refused because the account has no such direct session.
 */
function isDirect(command: Command): boolean {
  if (command.message !== undefined) return true
  const refusal = command.fault?.refusal
  return refusal?.reason === 'invalid_params' && refusal.problem === 'not_own_direct_session'
}

/** The refusal of a request whose session belongs to another portfolio: a gateway serves one portfolio (8.2). */
export function foreignSessionRefusal(exchange: Exchange, command: Command): Refusal | null {
  const row = exchange.sessions.get(command.session)
  if (row === undefined || row.type === 'web_socket' || command.account === NO_ACCOUNT) return null
  return row.account === command.account ? null : { reason: 'unauthorized' }
}

/** Time without a message after which a watched session ends. */
function silenceOf(row: SessionRow): Micros {
  return row.type === 'web_socket' ? inactivityMicros : heartbeatMicros
}

function watchInactivity(exchange: Exchange, row: SessionRow): void {
  row.inactivity ??= schedule(exchange.connectionTimers, {
    time: micros(row.lastInbound + silenceOf(row)),
    rank: ANY_RANK,
    payload: { kind: 'inactivity', session: row.session },
  })
}

function stopWatching(exchange: Exchange, row: SessionRow): void {
  if (row.inactivity !== null) cancel(exchange.connectionTimers, row.inactivity)
  row.inactivity = null
}

/** Ends a session that was silent for too long; requests in the meantime postpone its end. */
export function checkInactivity(turn: Turn, { session }: ConnectionTask): void {
  const row = turn.exchange.sessions.get(session)
  if (row === undefined) return
  row.inactivity = null
  if (row.lastInbound + silenceOf(row) > turn.exchange.now) watchInactivity(turn.exchange, row)
  else closeSession(turn, row, row.type === 'web_socket' ? 'inactivity' : 'heartbeat_failure')
}

/**
 * Ends a session and the orders that end with it. Returns the number of cancelled orders; orders behind the speed bump
 * continue to wait. Events: those of the orders, then `session`.
 */
export function closeSession(turn: Turn, row: SessionRow, how: SessionEnd, words = ''): number {
  const { slots } = turn.exchange
  stopWatching(turn.exchange, row)
  turn.exchange.sessions.delete(row.session)
  turn.exchange.mobile.sessions.delete(row.session)
  const before = slots.used
  let converted = 0
  for (const { slot, id } of ordersOver(turn.exchange, (order) => endsWith(row, how, order))) {
    if (!isStill(turn.exchange, slot, id)) continue
    if (pullOrder(turn, slot, 'cancel_on_disconnect') === 'converted') converted += 1
  }
  const cancelled = before - slots.used
  emitSession(turn, row, 'closed', { how, cancelled, converted, words })
  return cancelled
}

function endsWith(row: SessionRow, how: SessionEnd, order: LiveOrder): boolean {
  if (!isOver(row, order.session, order.created) || row.type === 'rest_gateway') return false
  const direct = order.extras?.direct ?? null
  if (row.type === 'web_socket') return row.cancelOnDisconnect && how !== 'logout'
  return row.cancelOnDisconnect || direct?.cancelOnDisconnect === true
}

/** The selected orders of all accounts, in the order of their creation. */
function ordersOver(
  exchange: Exchange,
  isMeant: (order: LiveOrder) => boolean,
): readonly { readonly slot: number; readonly id: number; readonly created: number }[] {
  const found: { readonly slot: number; readonly id: number; readonly created: number }[] = []
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const order = orderAt(exchange, slot)
      if (isMeant(order)) found.push({ slot, id: order.id, created: order.created })
    })
  }
  return found.sort((left, right) => left.created - right.created)
}

/** Emits a change of a session. */
export function emitSession(
  turn: Turn,
  row: SessionRow,
  change: EventOf<'session'>['change'],
  end: Pick<EventOf<'session'>, 'how' | 'cancelled' | 'converted' | 'words'> = notEnded,
): void {
  turn.log.append({
    kind: 'session',
    ...eventHeader(turn),
    change,
    session: row.session,
    type: row.type,
    gateway: row.gateway,
    schemaVersion: row.schemaVersion,
    cancelOnDisconnect: row.cancelOnDisconnect,
    account: row.account === NO_ACCOUNT ? NO_ACCOUNT : accountRow(turn.exchange, row.account).account.id,
    ...end,
  })
}

const notEnded = { how: null, cancelled: 0, converted: 0, words: '' } as const
