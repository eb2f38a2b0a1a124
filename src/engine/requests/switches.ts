/**
 * Risk limits, and switches: of gateways and messages, of the venue's maintenance, of outages of indices.
 *
 * Source: sessions-blocks-gateways.md 8.14, 8.15; coverage R58; S299-S301.
 */
import { assert } from '../../core/index.ts'
import { NO_ACCOUNT, type RiskLimits, type SetGatewaySwitch, type SetRiskLimits } from '../../model/index.ts'
import { beginIndexOutage, endIndexOutage } from '../day/index.ts'
import { accountRow, type Exchange, emitStanding, pass, type Turn, type Verdict } from '../state/index.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'

/** Limits can be set for any account and index, also before the index has a price. */
function checkSetRiskLimits(_exchange: Exchange, _command: SetRiskLimits): Verdict<null> {
  return pass(null)
}

/** Rule: risk.limits. The limits of an account have precedence over the limits of its pair for all accounts (R58). */
function commitSetRiskLimits(turn: Turn, command: SetRiskLimits): number {
  const { exchange } = turn
  const { target, index, limits } = command
  const list = target === null ? exchange.venue.riskLimits : accountRow(exchange, target).standing.riskLimits
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
function checkSetGatewaySwitch(exchange: Exchange, command: SetGatewaySwitch): Verdict<null> {
  const { switch: which } = command
  if (which.type !== 'index_outage' || exchange.indices.has(which.index)) return pass(null)
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
  const told = { change: on ? 'on' : 'off', account: NO_ACCOUNT } as const
  switch (which.type) {
    case 'gateway':
      if (!turnMember(venue.inactiveGateways, which.gateway, !on)) return 0
      emitStanding(turn, { protection: 'gateway', ...told, group: which.gateway })
      return 1
    case 'message':
      if (!turnMember(venue.disabledMessages, which.message, !on)) return 0
      emitStanding(turn, { protection: 'message', ...told, group: which.message })
      return 1
    case 'algo_cancel_only':
      if (venue.isAlgoCancelOnly === on) return 0
      venue.isAlgoCancelOnly = on
      emitStanding(turn, { protection: 'algo_cancel_only', ...told })
      return 1
    case 'maintenance': {
      const { outages } = turn.exchange
      if (outages.isInMaintenance === on) return 0
      outages.isInMaintenance = on
      emitStanding(turn, { protection: 'maintenance', ...told })
      return 1
    }
    case 'public_methods': {
      const { outages } = turn.exchange
      if (outages.isPublicClosed === !on) return 0
      outages.isPublicClosed = !on
      emitStanding(turn, { protection: 'public_methods', ...told })
      return 1
    }
    case 'index_outage': {
      const { index } = which
      // The events of books that open come after this one.
      if (turn.exchange.outages.indices.has(index) === on) return 0
      emitStanding(turn, { protection: 'index_outage', ...told, group: index })
      if (on) beginIndexOutage(turn, index)
      else endIndexOutage(turn, index)
      assert(turn.exchange.outages.indices.has(index) === on, 'an outage is recorded exactly while it is active')
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
