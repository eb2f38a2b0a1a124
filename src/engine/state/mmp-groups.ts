/**
 * Groups of market-maker protection: the orders of an index, and named groups of quotes. The exchange lists all groups
 * by number, and each account lists its own.
 *
 * Source: trading.md 7; sessions-blocks-gateways.md 8.9.
 */
import { assert, type CurrencyId, defined } from '../../core/index.ts'
import type { MmpKey } from '../../model/index.ts'
import type { Exchange } from './exchange.ts'
import type { MmpGroup } from './mmp-group.ts'

/** The group of an account by its key, or undefined. */
export function findMmpGroup(
  exchange: Exchange,
  account: number,
  { index, name, blockRfq }: MmpKey,
): MmpGroup | undefined {
  return exchange.accounts[account]?.mmpGroups.find(
    (group) => group.membership.index === index && group.membership.name === name && group.blockRfq === blockRfq,
  )
}

/** The group of the number that an order carries. */
export function mmpGroupAt(exchange: Exchange, number: number): MmpGroup {
  return defined(exchange.mmpGroups[number - 1], 'a named group exists')
}

/** Adds a group with the next number and without a configuration. */
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

/** Lists a group. The groups with smaller numbers must already be listed. */
export function listMmpGroup(exchange: Exchange, group: MmpGroup): void {
  exchange.mmpGroups.push(group)
  assert(exchange.mmpGroups.length === group.membership.group, 'groups are listed by number')
  defined(exchange.accounts[group.account], 'a group belongs to an account').mmpGroups.push(group)
}
