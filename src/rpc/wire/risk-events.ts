/**
 * Events of liquidations, transfers and the liquidity support programme as printed lines (see
 * `events.ts`). Limits are percentages of equity.
 */
import { formatIsoTime, scaledToNumber } from '../../core/index.ts'
import { type EventOf, lspGroupName, lspGroups, type TransferSide } from '../../model/index.ts'
import type { Names } from './money-events.ts'
import { amountOut, moneyOut, priceOut } from './numbers.ts'

/** Events of risk. */
export type RiskEvent = EventOf<
  | 'liquidation_started'
  | 'liquidation_step'
  | 'liquidation_ended'
  | 'position_transferred'
  | 'cash_transferred'
  | 'lsp_participant_set'
  | 'lsp_changed'
>

/** The fields of an event beside its head. */
export function riskFields(names: Names, event: RiskEvent): object {
  switch (event.kind) {
    case 'liquidation_started':
    case 'liquidation_step':
    case 'liquidation_ended':
      return liquidationFields(names, event)
    case 'position_transferred':
      return positionFields(names, event)
    case 'cash_transferred':
      return {
        transfer: event.transfer,
        from: names.nameOf(event.from),
        to: names.nameOf(event.to),
        currency: event.currency,
        amount: moneyOut(event.amount),
        ...(event.nonce === null ? {} : { nonce: event.nonce }),
        from_balance: moneyOut(event.fromBalance),
        to_balance: moneyOut(event.toBalance),
      }
    case 'lsp_participant_set':
      return {
        account: names.nameOf(event.account),
        enabled: event.enabled,
        limits: limitsOut(event.limitsPpm),
      }
    case 'lsp_changed':
      return {
        account: names.nameOf(event.account),
        change: event.change,
        group: lspGroupName(event.group),
        limit: percentOfPpm(event.limitPpm),
        used: moneyOut(event.used),
        window_start: event.windowStart === null ? null : formatIsoTime(event.windowStart),
        window_end: event.windowEnd === null ? null : formatIsoTime(event.windowEnd),
      }
  }
}

/** Parts per million as a percentage. */
export function percentOfPpm(ppm: number): number {
  return scaledToNumber(BigInt(ppm), 4)
}

function liquidationFields(
  names: Names,
  event: EventOf<'liquidation_started' | 'liquidation_step' | 'liquidation_ended'>,
): object {
  const head = {
    account: names.nameOf(event.account),
    currency: event.currency,
    round: event.round,
    margin_balance: moneyOut(event.marginBalance),
    initial_margin: moneyOut(event.initial),
    maintenance_margin: moneyOut(event.maintenance),
  }
  if (event.kind === 'liquidation_started') return head
  if (event.kind === 'liquidation_ended') return { ...head, outcome: event.outcome }
  const instrument = names.instrumentOf(event.instrument)
  return {
    ...head,
    instrument: instrument.name,
    position: amountOut(instrument, event.position),
    rule: event.rule,
    position_maintenance_margin: moneyOut(event.positionMaintenance),
    route: event.route,
    asked: amountOut(instrument, event.asked),
    closed: amountOut(instrument, event.closed),
    price: priceOut(event.price),
  }
}

function positionFields(names: Names, event: EventOf<'position_transferred'>): object {
  const instrument = names.instrumentOf(event.instrument)
  const side = (of: TransferSide): object => ({
    account: names.nameOf(of.account),
    realized: moneyOut(of.realized),
    ...(of.premium === 0n ? {} : { premium: moneyOut(of.premium) }),
    position: amountOut(instrument, of.position),
  })
  return {
    reason: event.reason,
    instrument: instrument.name,
    price: priceOut(event.price),
    amount: amountOut(instrument, event.amount),
    from: side(event.from),
    to: side(event.to),
    commission: moneyOut(event.commission),
    ...(event.commissionToTarget === 0n
      ? {}
      : { commission_to_target: moneyOut(event.commissionToTarget) }),
  }
}

function limitsOut(limits: EventOf<'lsp_participant_set'>['limitsPpm']): object {
  const own = lspGroups.flatMap((group) => {
    const limit = limits[group]
    return limit === undefined ? [] : [[lspGroupName(group), percentOfPpm(limit)] as const]
  })
  return Object.fromEntries(own)
}
