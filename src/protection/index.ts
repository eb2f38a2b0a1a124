/**
 * The face of `protection`: the arithmetic of liquidations, of the liquidity support programme, of
 * market-maker protection and of rate limits.
 */
export { chunkOf, lowersDelta } from './liquidation.ts'
export {
  type Assignment,
  assign,
  type Candidate,
  counterpartyShare,
  deleveragingScore,
  remainingCapacity,
  transferCommission,
  transferPrice,
} from './lsp.ts'
export { clearWindow, countTrade, type MmpCounters, type MmpTrade, reachedLimit } from './mmp.ts'
export {
  type CreditTerms,
  countInMinute,
  creditsAt,
  creditsOf,
  drainCredits,
  fullBucket,
  type MinuteCount,
  type RateBucket,
  secondsUntilFree,
  takeCredits,
  WHOLE_REQUEST,
} from './rate-buckets.ts'
