/**
 * Mechanisms of blocks, independent of exchange and accounts: signatures, their time window, structures of legs, and
 * the matching, splits and ratings of Block RFQs.
 */
export {
  allocatePro,
  matchRfq,
  type RfqFill,
  type RfqQuote,
  splitHedge,
} from './rfq-matching.ts'
export { type ClosedRfq, ratingBand, takerRating } from './rfq-rating.ts'
export { minimumTradeAmount, structureOf, structurePrice } from './rfq-structure.ts'
export { blockSignature } from './signature.ts'
export { structureSign } from './structure.ts'
export { isInWindow } from './window.ts'
