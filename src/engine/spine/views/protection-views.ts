/**
 * Read-only views of groups of market-maker protection.
 */

import { type AccountId, type Amount, amount, type Micros } from '../../../core/index.ts'
import {
  type AccountLock,
  type Currency,
  currencyIdOf,
  type LspGroup,
  lspGroups,
  type MmpConfig,
  type MmpKey,
  type MmpTrigger,
} from '../../../model/index.ts'
import { accountRow, type Exchange, limitPpmOf, type MmpGroup } from '../../state/index.ts'
import { heldForGroups } from '../../value/index.ts'

/** A group, its limits and its state. */
export interface MmpGroupView {
  /** Number of the group for direct access. */
  readonly number: number
  readonly key: MmpKey
  /** Null without a configuration. */
  readonly config: MmpConfig | null
  /** Null if it is not frozen. */
  readonly freeze: {
    readonly trigger: MmpTrigger
    readonly since: Micros
    /** Null if only a reset ends the freeze. */
    readonly until: Micros | null
    /** True if the freeze applies only to direct access, because JSON-RPC was reset. */
    readonly isReset: boolean
  } | null
}

/** Use of a group's limit by a participant. */
interface LspUsage {
  readonly group: LspGroup
  readonly limitPpm: number
  /** Used part since the window opened; 0 without an open window. */
  readonly used: Amount
  readonly windowStart: Micros | null
  readonly windowEnd: Micros | null
}

/** All groups that an account ever had, in the order of their numbers. */
export function mmpGroupsOf(exchange: Exchange, account: AccountId): readonly MmpGroupView[] {
  return accountRow(exchange, account).mmpGroups.map(viewGroup)
}

function viewGroup({ membership, blockRfq, config, freeze }: MmpGroup): MmpGroupView {
  return { number: membership.group, key: { index: membership.index, name: membership.name, blockRfq }, config, freeze }
}

/** Margin of an account's groups in a currency, part of its initial margin. */
export function mmpMarginOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  return amount(heldForGroups(exchange, accountRow(exchange, account), currencyIdOf(currency)))
}

/**
 * Read-only views of the liquidity support programme and of locks. Money is nano of USD, limits are parts per million
 * of equity. Source: sessions-blocks-gateways.md 7.2; S156-S164; R22, R53.
 */

/**
 * Use of the limits of a participant, for every group in the order of the venue. Every group has a limit, which may be
 * 0. Undefined for any other account.
 */
export function viewLspUsage(exchange: Exchange, account: AccountId): readonly LspUsage[] | undefined {
  const participant = exchange.participants.get(account)
  if (participant === undefined || participant.status === 'removed') return undefined
  return lspGroups.map((group) => {
    const window = participant.windows.get(group)
    return {
      group,
      limitPpm: limitPpmOf(exchange, participant, group),
      used: amount(window?.used ?? 0n),
      windowStart: window?.start ?? null,
      windowEnd: window?.end ?? null,
    }
  })
}

/** The configuration of a participant. */
export interface LspConfig {
  /** False while it is disabled after failures. */
  readonly enabled: boolean
  /** Limits of this participant in parts per million of equity; omitted groups have the venue's limit. */
  readonly limitsPpm: { readonly [G in LspGroup]?: number }
}

/** The configuration of a participant; undefined for any other account. */
export function viewLspConfig(exchange: Exchange, account: AccountId): LspConfig | undefined {
  const participant = exchange.participants.get(account)
  if (participant === undefined || participant.status === 'removed') return undefined
  return { enabled: participant.status === 'enabled', limitsPpm: participant.limitsPpm }
}

/** Locks that prevent an account from trading: a liquidation, or locks that staff set. */
export function locksOf(exchange: Exchange, account: AccountId): readonly ('liquidation' | AccountLock)[] {
  const { liquidations, standing } = accountRow(exchange, account)
  return [...(liquidations.length > 0 ? (['liquidation'] as const) : []), ...standing.locks]
}
