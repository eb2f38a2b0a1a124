/**
 * Settings of accounts and states of books that restrict orders.
 *
 * Rule: order.book-state. Source: trading.md 4.9, 6.4 (C22), 6.9 (C27); coverage R52, R64.
 */

import { ordersInBook } from '../../book/index.ts'
import { assert } from '../../core/index.ts'
import { type SetInstrumentState, type SetSelfTrading, validationStep } from '../../model/index.ts'
import { endDayOrders, endOrders, leaveToControl, setState, settleWaiting } from '../day/index.ts'
import {
  accountRow,
  type Exchange,
  eventHeader,
  type InstrumentRow,
  partyFor,
  partyOf,
  pass,
  refuse,
  rfqAt,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'
import { settleRfq } from './rfq-execution.ts'

/** Any account may choose a mode. */
function checkSetSelfTrading(_exchange: Exchange, _command: SetSelfTrading): Verdict<null> {
  return pass(null)
}

/** The setting applies from the next match on, also to resting orders (C27). */
function commitSetSelfTrading(turn: Turn, command: SetSelfTrading): number {
  const { exchange } = turn
  const { account, mode, extended } = command
  const row = accountRow(exchange, account)
  row.selfMatch = mode
  row.selfMatchExtended = extended
  if (command.blockRfq !== undefined) setRfqSelfMatch(turn, account, command.blockRfq)
  turn.log.append({
    kind: 'self_trading',
    ...eventHeader(turn),
    account: row.account.id,
    mode,
    extended,
  })
  return 1
}

/** Sets whether accounts of one owner may trade Block RFQs with each other, and updates the takers' views. */
function setRfqSelfMatch(turn: Turn, account: number, prevents: boolean): void {
  const { exchange } = turn
  if (partyOf(exchange, account).preventsSelfMatch === prevents) return
  partyFor(exchange, account).preventsSelfMatch = prevents
  for (const rfq of [...exchange.rfqs.open]) settleRfq(turn, rfqAt(exchange, rfq), 'quotes')
}

/** The instrument must be listed; a delivered one cannot change its state (market.md 1.5). */
function checkSetInstrumentState(exchange: Exchange, command: SetInstrumentState): Verdict<InstrumentRow> {
  const row = exchange.instruments[command.instrument]
  if (row === undefined) return refuse(validationStep.instrument, { reason: 'not_found' })
  if (row.deliveredAt !== null && command.state !== 'delivered') {
    const problem = 'the instrument is delivered'
    const refusal = { reason: 'invalid_params', param: 'state', problem } as const
    return refuse(validationStep.parameters, refusal)
  }
  return pass(row)
}

/** Sets the state of the book and cancels the orders that end in it. A settlement that waited for the book runs. */
function commitSetInstrumentState(turn: Turn, { state }: SetInstrumentState, row: InstrumentRow): number {
  if (row.deliveredAt !== null) assert(state === 'delivered', 'the instrument is delivered')
  leaveToControl(turn, row, state)
  if (row.state === state) return 1
  setState(turn, row, state)
  if (state === 'settlement') endDayOrders(turn, row)
  if (state === 'delivered') endOrders(turn, row, 'expiry')
  if (state === 'inactive') endOrders(turn, row, 'risk_mitigation')
  if (state === 'delivered' || state === 'inactive') {
    assert(ordersInBook(row.book) === 0, 'a permanently closed book has no orders')
  }
  if (turn.exchange.unsettled.size > 0) settleWaiting(turn)
  return 1
}

export const statesHandlers: Handlers<'set_self_trading' | 'set_instrument_state'> = {
  set_self_trading: seal({ check: checkSetSelfTrading, commit: commitSetSelfTrading }),
  set_instrument_state: seal({ check: checkSetInstrumentState, commit: commitSetInstrumentState }),
}
