/**
 * The face of `protection`: the arithmetic of liquidations and of the liquidity support programme.
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
