/**
 * Risk limits, and switches: of gateways and messages, of the venue's maintenance, of outages of indices.
 *
 * Source: sessions-blocks-gateways.md 8.14, 8.15; coverage R58; S299-S301.
 */

import { ordersInBook } from '../../book/index.ts'
import { assert } from '../../core/index.ts'
import {
  NO_ACCOUNT,
  type RiskLimits,
  type SetGatewaySwitch,
  type SetInstrumentState,
  type SetRiskLimits,
  type SetSelfTrading,
  validationStep,
} from '../../model/index.ts'
import {
  beginIndexOutage,
  endDayOrders,
  endIndexOutage,
  endOrders,
  leaveToControl,
  setState,
  settleWaiting,
} from '../day/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  emitStanding,
  eventHeader,
  type InstrumentRow,
  partyFor,
  partyOf,
  pass,
  refuse,
  rfqAt,
  type Turn,
} from '../state/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'
import { settleRfq } from './rfq-execution.ts'

/** Limits can be set for any account and index, also before the index has a price. */
function checkSetRiskLimits(_exchange: Exchange, _command: SetRiskLimits): CheckResult<null> {
  return pass(null)
}

/** Rule: risk.limits. The limits of an account have precedence over the limits of its pair for all accounts (R58). */
function commitSetRiskLimits(turn: Turn, command: SetRiskLimits): number {
  const { target, index, limits } = command
  const list = target === null ? turn.exchange.venue.riskLimits : accountRow(turn.exchange, target).standing.riskLimits
  if (areSame(list.get(index) ?? noLimits, limits)) return 0
  const isSet = !areSame(limits, noLimits)
  if (isSet) list.set(index, limits)
  else list.delete(index)
  const change = isSet ? 'on' : 'off'
  const account = target ?? NO_ACCOUNT
  emitStanding(turn, { protection: 'risk_limit', change, account, group: index })
  return 1
}

const noLimits: RiskLimits = {
  futurePosition9: null,
  optionPosition9: null,
  futureOrder9: null,
  optionOrder9: null,
}

function areSame(left: RiskLimits, right: RiskLimits): boolean {
  return (
    left.futurePosition9 === right.futurePosition9 &&
    left.optionPosition9 === right.optionPosition9 &&
    left.futureOrder9 === right.futureOrder9 &&
    left.optionOrder9 === right.optionOrder9
  )
}

/** Switches belong to the venue, so no account is checked. A switch may already have the requested value. */
function checkSetGatewaySwitch(exchange: Exchange, command: SetGatewaySwitch): CheckResult<null> {
  if (command.switch.type !== 'index_outage' || exchange.indices.has(command.switch.index)) return pass(null)
  return badParam('index_name', 'unknown_value')
}

/**
 * Rule: gateway.switches. A switch makes direct access refuse requests from now on; sessions stay open, and orders stay
 * where they are (8.14).
 *
 * Rule: outage.maintenance. While the venue is in maintenance, requests that change anything are refused with 11051;
 * orders and sessions stay, and time continues. Assumed: queries are answered.
 */
function commitSetGatewaySwitch(turn: Turn, { switch: which, on }: SetGatewaySwitch): number {
  const { venue } = turn.exchange
  const change = { change: on ? 'on' : 'off', account: NO_ACCOUNT } as const
  switch (which.type) {
    case 'gateway':
      if (!turnMember(venue.inactiveGateways, which.gateway, !on)) return 0
      emitStanding(turn, { protection: 'gateway', ...change, group: which.gateway })
      return 1
    case 'message':
      if (!turnMember(venue.disabledMessages, which.message, !on)) return 0
      emitStanding(turn, { protection: 'message', ...change, group: which.message })
      return 1
    case 'algo_cancel_only':
      if (venue.isAlgoCancelOnly === on) return 0
      venue.isAlgoCancelOnly = on
      emitStanding(turn, { protection: 'algo_cancel_only', ...change })
      return 1
    case 'maintenance': {
      const { outages } = turn.exchange
      if (outages.isInMaintenance === on) return 0
      outages.isInMaintenance = on
      emitStanding(turn, { protection: 'maintenance', ...change })
      return 1
    }
    case 'public_methods': {
      const { outages } = turn.exchange
      if (outages.isPublicClosed === !on) return 0
      outages.isPublicClosed = !on
      emitStanding(turn, { protection: 'public_methods', ...change })
      return 1
    }
    case 'index_outage': {
      // The events of books that open come after this one.
      if (turn.exchange.outages.indices.has(which.index) === on) return 0
      emitStanding(turn, { protection: 'index_outage', ...change, group: which.index })
      if (on) beginIndexOutage(turn, which.index)
      else endIndexOutage(turn, which.index)
      assert(turn.exchange.outages.indices.has(which.index) === on, 'an outage is recorded exactly while it is active')
      return 1
    }
  }
}

/** Adds a member to a set or removes it; returns true if that changed the set. */
function turnMember<T>(set: Set<T>, member: T, isIn: boolean): boolean {
  if (set.has(member) === isIn) return false
  if (isIn) set.add(member)
  else set.delete(member)
  return true
}

export const switchesHandlers: Handlers<'set_risk_limits' | 'set_gateway_switch'> = {
  set_risk_limits: seal({ check: checkSetRiskLimits, commit: commitSetRiskLimits }),
  set_gateway_switch: seal({ check: checkSetGatewaySwitch, commit: commitSetGatewaySwitch }),
}

/**
 * Settings of accounts and states of books that restrict orders.
 *
 * Rule: order.book-state. Source: trading.md 4.9, 6.4 (C22), 6.9 (C27); coverage R52, R64.
 */

/** Any account may choose a mode. */
function checkSetSelfTrading(_exchange: Exchange, _command: SetSelfTrading): CheckResult<null> {
  return pass(null)
}

/** The setting applies from the next match on, also to resting orders (C27). */
function commitSetSelfTrading(turn: Turn, command: SetSelfTrading): number {
  const { account, mode, extended } = command
  const row = accountRow(turn.exchange, account)
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
  if (partyOf(turn.exchange, account).preventsSelfMatch === prevents) return
  partyFor(turn.exchange, account).preventsSelfMatch = prevents
  for (const rfq of [...turn.exchange.rfqs.open]) settleRfq(turn, rfqAt(turn.exchange, rfq), 'quotes')
}

/** The instrument must be listed; a delivered one cannot change its state (market.md 1.5). */
function checkSetInstrumentState(exchange: Exchange, command: SetInstrumentState): CheckResult<InstrumentRow> {
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
