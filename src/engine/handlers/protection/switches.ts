/**
 * Limits of risk, and switches of gateways and messages.
 *
 * Source: sessions-blocks-gateways.md 8.14, 8.15; coverage R58; S299-S301.
 */
import type { SetGatewaySwitch, SetRiskLimits, StandingKind } from '../../../model/index.ts'
import { NO_ACCOUNT } from '../../../model/index.ts'
import { nextEvent, type Turn } from '../../emit.ts'
import type { Exchange } from '../../state/exchange.ts'
import { accountRow } from '../../state/orders.ts'
import { pass, type Verdict } from '../../verdict.ts'

/** Limits may be set of any account and index, also before that index has a price. */
export function checkSetRiskLimits(_exchange: Exchange, _command: SetRiskLimits): Verdict<null> {
  return pass(null)
}

/** Rule: risk.limits. What an account has of its own stands before what its pair has for all (R58). */
export function commitSetRiskLimits(turn: Turn, command: SetRiskLimits, _plan: null): number {
  const { exchange } = turn
  const { target, index, limits } = command
  const list =
    target === null ? exchange.venue.riskLimits : accountRow(exchange, target).standing.riskLimits
  const before = list.get(index)
  const isSet = Object.values(limits).some((limit) => limit !== null)
  const isSame = (Object.keys(limits) as (keyof typeof limits)[]).every(
    (limit) => (before?.[limit] ?? null) === limits[limit],
  )
  if (isSame) return 0
  if (isSet) list.set(index, limits)
  else list.delete(index)
  tellVenue(turn, {
    ...{ protection: 'risk_limit', on: isSet, account: target ?? NO_ACCOUNT, group: index },
  })
  return 1
}

/** A switch is nobody's but the venue's, and may stand where it is put already. */
export function checkSetGatewaySwitch(
  _exchange: Exchange,
  _command: SetGatewaySwitch,
): Verdict<null> {
  return pass(null)
}

/**
 * Rule: gateway.switches. A switch says what direct access refuses from now on; sessions stay open, and
 * orders stay where they are (8.14).
 */
export function commitSetGatewaySwitch(
  turn: Turn,
  { switch: which, on }: SetGatewaySwitch,
  _plan: null,
): number {
  const { venue } = turn.exchange
  switch (which.type) {
    case 'gateway':
      if (!turnMember(venue.inactiveGateways, which.gateway, !on)) return 0
      tellVenue(turn, { protection: 'gateway', on, account: NO_ACCOUNT, group: which.gateway })
      return 1
    case 'message':
      if (!turnMember(venue.disabledMessages, which.message, !on)) return 0
      tellVenue(turn, { protection: 'message', on, account: NO_ACCOUNT, group: which.message })
      return 1
    case 'algo_cancel_only':
      if (venue.isAlgoCancelOnly === on) return 0
      venue.isAlgoCancelOnly = on
      tellVenue(turn, { protection: 'algo_cancel_only', on, account: NO_ACCOUNT, group: null })
      return 1
  }
}

/** Puts a member into a set or takes it out; tells whether that changed anything. */
function turnMember<T>(set: Set<T>, member: T, isIn: boolean): boolean {
  if (set.has(member) === isIn) return false
  if (isIn) set.add(member)
  else set.delete(member)
  return true
}

function tellVenue(
  turn: Turn,
  of: {
    readonly protection: StandingKind
    readonly on: boolean
    readonly account: SetRiskLimits['target'] | typeof NO_ACCOUNT
    readonly group: string | null
  },
): void {
  const { exchange } = turn
  turn.sink.emit({
    kind: 'standing_changed',
    time: exchange.now,
    number: nextEvent(exchange),
    cause: turn.cause,
    protection: of.protection,
    change: of.on ? 'on' : 'off',
    account: of.account ?? NO_ACCOUNT,
    session: 0,
    group: of.group,
    until: null,
    cancelled: 0,
  })
}
