/**
 * The face of `protection`: the arithmetic of liquidations, of the liquidity support programme and of
 * market-maker protection.
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
export { clearWindow, countTrade, type MmpTrade, reachedLimit } from './mmp.ts'
