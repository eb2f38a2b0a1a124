/**
 * Settings of accounts and states of books that decide what orders may do.
 *
 * Rule: order.book-state. Source: trading.md 4.9, 6.4 (C22), 6.9 (C27); coverage R52, R64.
 */
import { type SetInstrumentState, type SetSelfTrading, validationStep } from '../../model/index.ts'
import { nextEvent, type Turn } from '../emit.ts'
import { endOrder, isStill } from '../matching/ending.ts'
import { endDay, liveOrdersOf } from '../session-end.ts'
import type { Exchange, InstrumentRow } from '../state/exchange.ts'
import { accountRow } from '../state/orders.ts'
import { pass, refuse, type Verdict } from '../verdict.ts'

/** Any account may choose. */
export function checkSetSelfTrading(_exchange: Exchange, _command: SetSelfTrading): Verdict<null> {
  return pass(null)
}

/** The setting holds from the next match on, also for orders that rest (C27). */
export function commitSetSelfTrading(turn: Turn, command: SetSelfTrading): number {
  const { exchange } = turn
  const { account, mode, extended } = command
  const row = accountRow(exchange, account)
  row.selfMatch = mode
  row.selfMatchExtended = extended
  turn.sink.emit({
    kind: 'self_trading_set',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    account: row.account.id,
    mode,
    extended,
  })
  return 1
}

/** The instrument is listed. */
export function checkSetInstrumentState(
  exchange: Exchange,
  command: SetInstrumentState,
): Verdict<InstrumentRow> {
  const row = exchange.instruments[command.instrument]
  return row === undefined ? refuse(validationStep.instrument, { reason: 'not_found' }) : pass(row)
}

/** The book enters the state, and the orders that it ends go. */
export function commitSetInstrumentState(
  turn: Turn,
  { state }: SetInstrumentState,
  row: InstrumentRow,
): number {
  const { exchange } = turn
  if (row.state === state) return 1
  row.state = state
  turn.sink.emit({
    kind: 'instrument_state_changed',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    instrument: row.instrument.id,
    state,
  })
  if (state === 'settlement') endDay(turn, row)
  if (state !== 'delivered' && state !== 'inactive') return 1
  for (const { slot, id } of liveOrdersOf(turn, row)) {
    if (!isStill(exchange, slot, id)) continue
    endOrder(turn, slot, state === 'delivered' ? 'expiry' : 'risk_mitigation')
  }
  return 1
}
