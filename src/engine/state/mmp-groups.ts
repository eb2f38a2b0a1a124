/**
 * Groups of market-maker protection: the orders of an index, and groups of quotes with names. A group stands
 * in the list of the exchange, by its number, and in that of its account.
 *
 * Source: trading.md 7; sessions-blocks-gateways.md 8.9.
 */
import {
  assert,
  type CurrencyId,
  defined,
  type Micros,
  type OrderId,
  type TimerId,
} from '../../core/index.ts'
import type { MmpConfig, MmpKey, MmpMembership, MmpTrigger } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'

/** A group; it keeps its number when its limits are removed, and lives on without them. */
export interface MmpGroup {
  readonly account: number
  readonly blockRfq: boolean
  /** What its orders carry: number, index and name. */
  readonly membership: MmpMembership
  /** The currency that its margin is held in; null where none is, as for Block RFQs. */
  readonly settlement: CurrencyId | null
  /** Null while it is not configured. */
  config: MmpConfig | null
  /** When its window began; null before its first trade, and after it was frozen. */
  windowStart: Micros | null
  /** What was traded in the window, in 1e-9. */
  quantity9: number
  delta9: number
  vega9: number
  /** Null while it is not frozen. */
  freeze: MmpFreeze | null
  /** Its open quotes, by instrument and side; none of the group of orders. */
  readonly quotes: Map<number, OrderId>
}

/** A freeze of a group. */
export interface MmpFreeze {
  readonly trigger: MmpTrigger
  readonly since: Micros
  /** Null where only a reset ends it. */
  readonly until: Micros | null
  readonly timer: TimerId | null
  /** Whether JSON-RPC ended it for itself; direct access waits until a second has passed (C42, R11). */
  readonly isReset: boolean
}

/** The group of an account that a key names, or undefined. */
export function findMmpGroup(
  exchange: Exchange,
  account: number,
  { index, name, blockRfq }: MmpKey,
): MmpGroup | undefined {
  return exchange.accounts[account]?.mmpGroups.find(
    (group) =>
      group.membership.index === index &&
      group.membership.name === name &&
      group.blockRfq === blockRfq,
  )
}

/** The group of a number that an order carries. */
export function mmpGroupAt(exchange: Exchange, number: number): MmpGroup {
  return defined(exchange.mmpGroups[number - 1], 'a group that is named exists')
}

/** Makes a group that is not configured yet; it has the next number. */
export function addMmpGroup(
  exchange: Exchange,
  of: {
    readonly account: number
    readonly key: MmpKey
    readonly settlement: CurrencyId | null
  },
): MmpGroup {
  const { account, key, settlement } = of
  const { index, name, blockRfq } = key
  const group: MmpGroup = {
    account,
    blockRfq,
    settlement,
    config: null,
    membership: { group: exchange.mmpGroups.length + 1, index, name },
    windowStart: null,
    quantity9: 0,
    delta9: 0,
    vega9: 0,
    freeze: null,
    quotes: new Map(),
  }
  listMmpGroup(exchange, group)
  return group
}

/** Lists a group, of which those before it are listed. */
export function listMmpGroup(exchange: Exchange, group: MmpGroup): void {
  exchange.mmpGroups.push(group)
  assert(exchange.mmpGroups.length === group.membership.group, 'groups are listed by number')
  defined(exchange.accounts[group.account], 'a group is of an account').mmpGroups.push(group)
}
