/**
 * The audit of groups of market-maker protection.
 */
import { assert } from '../../../core/index.ts'
import { auditRfqQuantity } from '../../market/index.ts'
import { type Exchange, mmpGroupAt, orderAt, visitAccountOrders } from '../../state/index.ts'

/**
 * Audits that groups are listed with their accounts by number, that a frozen group ends by a timer or by a reset, and
 * that protected orders belong to a group of their account. A group without a configuration, or frozen for all, has
 * only orders that wait.
 */
export function auditMmpGroups(exchange: Exchange): void {
  for (const [at, group] of exchange.mmpGroups.entries()) {
    const { membership, account, freeze } = group
    assert(membership.group === at + 1, 'a group has the recorded number')
    assert(exchange.accounts[account]?.mmpGroups.includes(group) === true, 'a group is listed with its account')
    auditRfqQuantity(exchange, group)
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
      assert(group.account === account.id, 'the group of a protected order belongs to the same account')
      if (stage === 'bumped') return
      const isFrozen = group.freeze !== null && !group.freeze.isReset
      assert(group.config !== null && !isFrozen, 'a group without protection has no open orders')
    })
  }
}
