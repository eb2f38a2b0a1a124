/**
 * Read-only views of groups of market-maker protection.
 */
import { type AccountId, type Amount, amount, type Micros } from '../../../core/index.ts'
import { type Currency, currencyIdOf, type MmpConfig, type MmpKey, type MmpTrigger } from '../../../model/index.ts'
import { accountRow, type Exchange, type MmpGroup } from '../../state/index.ts'
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

/** All groups that an account ever had, in the order of their numbers. */
export function mmpGroupsOf(exchange: Exchange, account: AccountId): readonly MmpGroupView[] {
  return accountRow(exchange, account).mmpGroups.map(viewGroup)
}

function viewGroup({ membership, blockRfq, config, freeze }: MmpGroup): MmpGroupView {
  const { group: number, index, name } = membership
  return { number, key: { index, name, blockRfq }, config, freeze }
}

/** Margin of an account's groups in a currency, part of its initial margin. */
export function mmpMarginOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  return amount(heldForGroups(exchange, accountRow(exchange, account), currencyIdOf(currency)))
}
