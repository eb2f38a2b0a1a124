/**
 * Rows of liquidations, locks, limits and of transfers without a trade, the slow, obvious way: a part of
 * `naive-columns.ts`.
 */
import type { EventOf, TransferSide } from '../../src/model/index.ts'
import type { ExactRow } from '../../src/results/index.ts'
import { noProtection } from './naive-protections.ts'
import type { NaiveNames } from './naive-settlements.ts'

type Header = Pick<ExactRow<'cash'>, 'time' | 'event' | 'cause'>

/** The sender first. */
export function transferRows(
  names: NaiveNames,
  header: Header,
  event: EventOf<'transfer'>,
): readonly ExactRow<'cash'>[] {
  const common = {
    ...{ ...header, currency: event.currency },
    type: 'transfer' as const,
    transfer_id: BigInt(event.transfer),
  }
  return [
    {
      ...{ ...common, ...names.account(event.from), counter_account_id: event.to },
      ...{ change: -event.amount, balance: event.fromBalance },
    },
    {
      ...{ ...common, ...names.account(event.to), counter_account_id: event.from },
      ...{ change: event.amount, balance: event.toBalance },
    },
  ]
}

/** The old owner first. */
export function moveRows(
  names: NaiveNames,
  header: Header,
  event: EventOf<'position_transfer'>,
): readonly ExactRow<'given_positions'>[] {
  return sidesOf(event).map(({ own, other, sign }) => ({
    ...{ ...header, ...names.account(own.account), ...names.instrument(event.instrument) },
    ...{ type: 'moved', change: sign * names.size(event.instrument, event.amount) },
    ...{ price: BigInt(event.price), position: names.size(event.instrument, own.position) },
    ...{ realized: own.realized, premium: own.premium === 0n ? null : own.premium },
    ...{ counter_account_id: other.account },
  }))
}

const nothing = {
  ...{ round: null, margin_balance: null, initial_margin: null, maintenance_margin: null },
  ...{ outcome: null, instrument: null, instrument_id: null, route: null, rule: null },
  ...{ position_margin: null, position_before: null, asked: null, closed: null, price: null },
  ...{ change: null, position: null, counter_account_id: null, realized: null, premium: null },
  commission: null,
}

/** The liquidated account first. */
export function handoverRows(
  names: NaiveNames,
  header: Header,
  event: EventOf<'position_transfer'>,
): readonly ExactRow<'liquidations'>[] {
  const routes = { lsp: 'lsp', adl: 'adl', close_out: 'fund' } as const
  return sidesOf(event).map(({ own, other, sign }) => ({
    ...{ ...nothing, ...header, ...names.account(own.account), kind: 'transfer' },
    ...{ currency: names.currency(event.instrument), ...names.instrument(event.instrument) },
    ...{ route: routes[event.reason as keyof typeof routes] ?? null, price: BigInt(event.price) },
    change: sign * names.size(event.instrument, event.amount),
    position: names.size(event.instrument, own.position),
    ...{ counter_account_id: other.account, realized: own.realized },
    premium: own.premium === 0n ? null : own.premium,
    commission: sign < 0n ? event.commission : -event.commissionToTarget,
  }))
}

export function liquidationRow(
  names: NaiveNames,
  header: Header,
  event: EventOf<'liquidation' | 'liquidation_step'>,
): ExactRow<'liquidations'> {
  const common = {
    ...{ ...nothing, ...header, ...names.account(event.account), currency: event.currency },
    ...{ round: event.round, margin_balance: event.marginBalance },
    ...{ initial_margin: event.initial, maintenance_margin: event.maintenance },
  }
  if (event.kind === 'liquidation') {
    return { ...common, kind: event.change, outcome: event.outcome }
  }
  const size = (lots: number): bigint => names.size(event.instrument, lots)
  return {
    ...{ ...common, kind: 'step', ...names.instrument(event.instrument) },
    ...{ route: event.route, rule: event.rule, position_margin: event.positionMaintenance },
    ...{ position_before: size(event.position), asked: size(event.asked) },
    ...{ closed: size(event.closed), price: BigInt(event.price) },
  }
}

export function lockRow(names: NaiveNames, header: Header, event: EventOf<'liquidation'>): ExactRow<'protections'> {
  return {
    ...{ ...noProtection, ...header, ...names.account(event.account), kind: 'lock' },
    change: event.change === 'started' ? 'locked' : 'unlocked',
    group: event.currency,
  }
}

const groups = ['tier_1', 'tier_2', 'tier_3', 'tier_4', 'tier_5', 'tier_6', 'rwa'] as const

/** First the participant, then a row for each of its limits. */
export function participantRows(
  names: NaiveNames,
  header: Header,
  event: EventOf<'lsp_participant'>,
): readonly ExactRow<'protections'>[] {
  const whose = names.account(event.account)
  const common = { ...noProtection, ...header, ...whose, kind: 'lsp' } as const
  const rows: ExactRow<'protections'>[] = [{ ...common, change: event.enabled ? 'admitted' : 'removed' }]
  for (const group of groups) {
    const limit = event.limitsPpm[group]
    if (limit === undefined) continue
    rows.push({
      ...common,
      change: 'limit_set',
      group: wordOf(group),
      limit: BigInt(limit) * 1000n,
    })
  }
  return rows
}

export function limitRow(names: NaiveNames, header: Header, event: EventOf<'lsp'>): ExactRow<'protections'> {
  return {
    ...{ ...noProtection, ...header, ...names.account(event.account), kind: 'lsp' },
    change: event.change,
    ...{ group: wordOf(event.group), limit: BigInt(event.limitPpm) * 1000n, used: event.used },
    from: event.windowStart === null ? null : BigInt(event.windowStart),
    until: event.windowEnd === null ? null : BigInt(event.windowEnd),
  }
}

function sidesOf({ from, to }: EventOf<'position_transfer'>): readonly {
  readonly own: TransferSide
  readonly other: TransferSide
  readonly sign: bigint
}[] {
  return [
    { own: from, other: to, sign: -1n },
    { own: to, other: from, sign: 1n },
  ]
}

function wordOf(group: string): string {
  return group === 'rwa' ? 'rwa' : group.slice(-1)
}
