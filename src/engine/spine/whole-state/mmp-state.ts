/**
 * Groups of market-maker protection as part of the whole state: in snapshots, and audited.
 */
import { assert, type OrderId } from '../../../core/index.ts'
import {
  type Exchange,
  listMmpGroup,
  type MmpGroup,
  mmpGroupAt,
  orderAt,
  visitAccountOrders,
} from '../../state/index.ts'

/** A group as plain data; its timer is among those of the exchange, by the same id. */
export type MmpGroupState = Omit<MmpGroup, 'quotes'> & {
  readonly quotes: readonly (readonly [number, OrderId])[]
}

/** The groups of an exchange by their numbers. */
export function mmpGroupsSection({ mmpGroups }: Exchange): readonly MmpGroupState[] {
  return mmpGroups.map((group) => ({ ...group, quotes: [...group.quotes] }))
}

/** Puts groups into an exchange whose accounts are restored. */
export function restoreMmpGroups(exchange: Exchange, groups: readonly MmpGroupState[]): void {
  for (const group of groups) listMmpGroup(exchange, { ...group, quotes: new Map(group.quotes) })
}

/**
 * Groups stand with their accounts by number, what is frozen ends by a timer or by a reset, and protected orders
 * are of a group of their account. What is not configured, or frozen for all, has no orders but those that wait.
 */
export function auditMmpGroups(exchange: Exchange): void {
  for (const [at, group] of exchange.mmpGroups.entries()) {
    const { membership, account, freeze } = group
    assert(membership.group === at + 1, 'a group has its number')
    assert(
      exchange.accounts[account]?.mmpGroups.includes(group) === true,
      'a group stands with its account',
    )
    assert(
      freeze === null || (freeze.timer === null) === (freeze.until === null),
      'a freeze that ends by itself has a timer',
    )
  }
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const { extras, stage } = orderAt(exchange, slot)
      const membership = extras?.mmp ?? null
      if (membership === null) return
      const group = mmpGroupAt(exchange, membership.group)
      assert(group.account === account.id, 'a protected order is of a group of its account')
      if (stage === 'bumped') return
      const isFrozen = group.freeze !== null && !group.freeze.isReset
      assert(group.config !== null && !isFrozen, 'a group without protection has no open orders')
    })
  }
}
