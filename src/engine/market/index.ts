/**
 * Admission and matching of orders, fills, combos, protections, the speed bump, and follow-up work.
 */
export * from './block-trade.ts'
export { type Candidate, liveCandidate, type Placed, placedCandidate, ways } from './candidate.ts'
export * from './creation.ts'
export { type Entry, newEntry } from './dry-run.ts'
export { endOrder, isStill, leaveWithoutBook } from './ending.ts'
export * from './entering.ts'
export { price9Of } from './entry-price.ts'
export { type Booked, baseCashOf, bookFill, feeCurrencyOf } from './fill-booking.ts'
export * from './funds.ts'
export { nextAltMatch, nextTrade, noteLastPrice } from './last-price.ts'
export { extrasOf, liftFreeze, openCoins9, successorExtras, switchedExtras } from './mmp-checks.ts'
export {
  emitMmp,
  type Member,
  membersOf,
  pullMembers,
  pullOrder,
  pullWhere,
  resetGroup,
  unfreezeGroup,
} from './mmp-freeze.ts'
export { accountRefusal, displayOf, lockRefusal, selfMatchRefusal, stateRefusal } from './order-checks.ts'
export { feeForOrder } from './order-fee.ts'
export { reallocate } from './reduce-only.ts'
export * from './release.ts'
export { applyPrint, fillReached } from './replay.ts'
export { repriceAdvanced } from './repricing.ts'
export * from './request-steps.ts'
export {
  cutInBook,
  emitPriceLevel,
  hideInBook,
  leaveBook,
  reservesPremium,
  setReduceOnly,
  setReserve,
} from './resting.ts'
export * from './rfq-ending.ts'
export * from './rfq-protection.ts'
export * from './rfq-solution.ts'
export { riskLimitsOf } from './risk-limits.ts'
export * from './steps.ts'
export * from './straight.ts'
export { bumpRefusal, holdReply, isImmediate, takeWaiting, termsBefore, waitingAt, wouldWait } from './waiting.ts'
export * from './work.ts'
