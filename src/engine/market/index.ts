/**
 * Admission and matching of orders, fills, combos, protections, the speed bump, and follow-up work.
 */
export { checkDormant, checkEntry, checkTerms, checkWaiting } from './admission.ts'
export { type AgreedBlock, bookBlock, settleBlock } from './block-trade.ts'
export {
  type Candidate,
  liveCandidate,
  type Placed,
  placedCandidate,
  ways,
} from './candidate.ts'
export { announce, createOrder, createPlainOrder, newLink, waitingPrice } from './creation.ts'
export { routingRefusal } from './direct-checks.ts'
export { type Entry, newEntry } from './dry-run.ts'
export { endOrder, isStill, leaveWithoutBook } from './ending.ts'
export { arriveOrder, enterOrder, resendOrder, sendLater, sendOrder } from './entering.ts'
export { price9Of } from './entry-price.ts'
export { type Booked, baseCashOf, bookFill, feeCurrencyOf } from './fill-booking.ts'
export { coversSpot, fundsRefusal } from './funds.ts'
export { nextAltMatch, nextTrade, noteLastPrice } from './last-price.ts'
export {
  extrasOf,
  heirExtras,
  liftFreeze,
  openCoins9,
  switchedExtras,
} from './mmp-checks.ts'
export {
  emitMmp,
  type Member,
  membersOf,
  pullMembers,
  resetGroup,
  unfreezeGroup,
} from './mmp-freeze.ts'
export {
  accountRefusal,
  displayOf,
  lockRefusal,
  selfMatchRefusal,
  stateRefusal,
} from './order-checks.ts'
export { feeForOrder } from './order-fee.ts'
export { findOwnOrder } from './own-order.ts'
export { plainPlacement } from './plain-placement.ts'
export { marginReliefOf } from './pre-trade.ts'
export { pullOrder, pullWhere } from './pulling.ts'
export { disconnectRefusal, type QuotesAsked } from './quotes-checks.ts'
export { reallocate } from './reduce-only.ts'
export { releaseOrder } from './release.ts'
export { applyPrint, fillReached } from './replay.ts'
export { repriceAdvanced } from './repricing.ts'
export {
  admitRequest,
  type EditAsked,
  requestSteps,
  requestWays,
} from './request-steps.ts'
export {
  cutInBook,
  emitPriceLevel,
  hideInBook,
  leaveBook,
  reservesPremium,
  setReduceOnly,
  setReserve,
} from './resting.ts'
export {
  cancelTrigger,
  closeRfq,
  closeRfqsOf,
  endRfqQuote,
  expireRfq,
  expireRfqQuote,
  forgetRfqs,
  pullRfqQuotes,
} from './rfq-ending.ts'
export { makerLegs, quotedLegs } from './rfq-legs.ts'
export {
  auditRfqQuantity,
  countRfqFill,
  curtailRfqQuotes,
  rfqFreezeRefusal,
  rfqQuantityRefusal,
} from './rfq-protection.ts'
export { auditRfqs, emptyDisplay, refreshShown, solveRfq } from './rfq-solution.ts'
export { emitRfq, emitRfqQuote, quoteFacts, type RfqQuoteFacts } from './rfq-telling.ts'
export { riskLimitsOf } from './risk-limits.ts'
export { admissionSteps, admit, admitPlain } from './steps.ts'
export {
  bumpRefusal,
  holdReply,
  isImmediate,
  takeWaiting,
  termsBefore,
  waitingAt,
  wouldWait,
} from './waiting.ts'
export { drainWork } from './work.ts'
