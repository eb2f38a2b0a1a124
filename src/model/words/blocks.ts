/**
 * Words of block trades. The position of a word in a list is its code in files: words are only ever added at the end.
 *
 * Source: sessions-blocks-gateways.md 4.5, 4.7.
 */

/**
 * Changes of a block trade.
 * - `signed`: an account signed its side.
 * - `invalidated`: the signer withdrew its signature.
 * - `expired`: an unused signature became too old.
 * - `executed`: all legs changed hands.
 * - `pending`: the block waits for approval.
 * - `accepted`, `rejected`: a side approved or rejected the block.
 */
export const blockChanges = ['signed', 'invalidated', 'expired', 'executed', 'pending', 'accepted', 'rejected'] as const

/** A change of a block trade. */
export type BlockChange = (typeof blockChanges)[number]

/**
 * Why a block trade changed.
 * - `block_rfq`: a Block RFQ was filled.
 * - `user_request`: an account requested it.
 * - `timestamp_expired`: its time window ended.
 * - `approval_expired`: no approval came in time.
 */
export const blockReasons = ['user_request', 'timestamp_expired', 'approval_expired', 'block_rfq'] as const

/** Why a block trade changed. */
export type BlockReason = (typeof blockReasons)[number]

/** Answers to a block that waits for approval. */
const blockAnswers = ['accepted', 'rejected'] as const

/** An answer to a block that waits for approval. */
export type BlockAnswer = (typeof blockAnswers)[number]

/** States of a side of a block that waits, or waited, for approval. */
const approvalStates = ['initial', ...blockAnswers, 'executed'] as const

/** The state of a side of a block that waits, or waited, for approval. */
export type ApprovalState = (typeof approvalStates)[number]

/**
 * States of a signature.
 * - `signed`: it can be used.
 * - `invalidated`: its signer withdrew it.
 * - `used`: its block was executed, or waits for approval.
 */
export const signatureStates = ['signed', 'invalidated', 'used'] as const
