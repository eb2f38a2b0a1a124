/**
 * Mechanisms of blocks, independent of exchange and accounts: signatures, their time window, structures of legs, and
 * the matching, splits and ratings of Block RFQs.
 */
export * from './rfq-matching.ts'
export * from './rfq-rating.ts'
export * from './signature.ts'
export * from './structure.ts'
