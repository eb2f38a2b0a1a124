/** The audit of liquidations: rounds, checks of funding, locked accounts. */
import { assert, snapshotTimerQueue } from '../../../core/index.ts'
import { type AccountRow, type Exchange, hasRestrictions, mayBeDue } from '../../state/index.ts'
import { modelOf, pendingAtLeast, pendingOfWallet } from '../../value/index.ts'

/** Audits that a round is pending if there are suspects, and that accounts under liquidation are suspects. */
export function auditLiquidations(exchange: Exchange): void {
  const { accounts, suspects, isRoundAwaited, fundingLook } = exchange
  const { timers } = snapshotTimerQueue(exchange.timers)
  const paying = exchange.instruments.filter(({ funding }) => (funding?.excess ?? 0n) !== 0n)
  assert(paying.length === exchange.paying, 'the count of paying perpetuals is correct')
  const rounds = timers.filter(({ payload }) => payload.kind === 'liquidation_round')
  assert(rounds.length === (isRoundAwaited ? 1 : 0), 'there is one pending round')
  const looks = timers.filter(({ payload }) => payload.kind === 'funding_look')
  assert(looks.length === (fundingLook === null ? 0 : 1), 'there is one pending funding check')
  assert(looks[0]?.id === fundingLook?.timer, 'the pending timer is the recorded one')
  assert(suspects.size === 0 || isRoundAwaited, 'there is a pending round while there are suspects')
  for (const { row, isFundable } of exchange.holdings) {
    assert(!isFundable || row.funding !== null, 'only perpetuals can have due funding')
  }
  for (const owner of accounts) {
    const { account, liquidations } = owner
    auditFundable(exchange, owner)
    assert(owner.isRestricted === hasRestrictions(owner), 'an account has the recorded restrictions')
    assert(
      exchange.crossOrPortfolio.has(account.id) === !modelOf(owner).isSummed,
      'an account under cross or portfolio margin is listed',
    )
    const isLocked = liquidations.length > 0
    assert(!isLocked || suspects.has(account.id), 'an account in liquidation is checked in each round')
    assert(!isLocked || !account.house, 'a house account is never liquidated')
  }
}

/**
 * Audits that each position with due funding is listed once with its account, and that the estimate in doubles is a
 * lower bound of its exact sum.
 */
function auditFundable(exchange: Exchange, owner: AccountRow): void {
  const { perpetuals, fundable } = owner
  for (const { wallet } of fundable) {
    const exact = Number(pendingOfWallet(exchange, owner, wallet))
    const least = pendingAtLeast(exchange, owner, wallet)
    assert(least <= exact, 'funding is at least the estimate in doubles')
  }
  const listed = perpetuals.filter(({ isFundable }) => isFundable)
  assert(listed.length === fundable.length, 'a holding with funding is listed once')
  for (const holding of listed) assert(fundable.includes(holding), 'a holding with funding is listed')
  for (const holding of perpetuals) {
    assert(holding.isFundable || !mayBeDue(exchange, holding), 'only a holding with funding can be due')
  }
}
