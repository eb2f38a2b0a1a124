/**
 * Read-only views of groups of market-maker protection.
 */
import { type AccountId, type Amount, amount, type Micros } from '../../../core/index.ts'
import { type Currency, currencyIdOf, type MmpConfig, type MmpKey, type MmpTrigger } from '../../../model/index.ts'
import { accountRow, type Exchange, type MmpGroup } from '../../state/index.ts'
import { heldForGroups } from '../../value/index.ts'

/** A group, its limits and where it stands. */
export interface MmpGroupView {
  /** The number that direct access names it by. */
  readonly number: number
  readonly key: MmpKey
  /** Null while it is not configured. */
  readonly config: MmpConfig | null
  /** Null while it is not frozen. */
  readonly freeze: {
    readonly trigger: MmpTrigger
    readonly since: Micros
    /** Null where only a reset ends it. */
    readonly until: Micros | null
    /** True if it binds direct access alone, because JSON-RPC was reset. */
    readonly isReset: boolean
  } | null
}

/** The groups that an account ever had, in the order of their numbers. */
export function mmpGroupsOf(exchange: Exchange, account: AccountId): readonly MmpGroupView[] {
  return accountRow(exchange, account).mmpGroups.map(viewGroup)
}

function viewGroup({ membership, blockRfq, config, freeze }: MmpGroup): MmpGroupView {
  const { group: number, index, name } = membership
  return { number, key: { index, name, blockRfq }, config, freeze }
}

/** Margin held in a currency for the groups of an account, a part of its initial margin. */
export function mmpMarginOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  return amount(heldForGroups(exchange, accountRow(exchange, account), currencyIdOf(currency)))
}
