/**
 * Words of block trades. The position of a word in a list is its code in files: words are only ever added at the end.
 *
 * Source: sessions-blocks-gateways.md 4.5, 4.7.
 */

/** A state of a Block RFQ. */
export type RfqState = (typeof rfqStates)[number]

/** A change of a Block RFQ. */
export type RfqChange = (typeof rfqChanges)[number]

/** Why a Block RFQ changed. */
export type RfqReason = (typeof rfqReasons)[number]

/** A change of a quote. */
export type RfqQuoteChange = (typeof rfqQuoteChanges)[number]

/** Why a quote changed. */
export type RfqQuoteReason = (typeof rfqQuoteReasons)[number]

/** How a quote may be filled. */
export type ExecutionInstruction = (typeof executionInstructions)[number]

/** States of a trigger. */
export type RfqTriggerState = 'untriggered' | 'triggered' | 'cancelled'

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

/**
 * Words of Block RFQs and of their quotes. The position of a word in a list is its code in files: words are only ever
 * added at the end.
 *
 * Source: sessions-blocks-gateways.md 5.1, 5.5, 5.8, 5.9.
 */

/** States of a Block RFQ. */
export const rfqStates = ['open', 'filled', 'cancelled', 'expired'] as const

/**
 * Changes of a Block RFQ.
 * - `created`, `filled`, `cancelled`, `expired`: it enters a state.
 * - `shown`: the taker's view of the quotes changed.
 * - `trigger_placed`, `trigger_cancelled`, `trigger_fired`: its trigger on one side.
 */
export const rfqChanges = [
  'created',
  'shown',
  'trigger_placed',
  'trigger_cancelled',
  'trigger_fired',
  'filled',
  'cancelled',
  'expired',
] as const

/**
 * Why a Block RFQ or a trigger changed.
 * - `user_request`: the taker requested it.
 * - `quotes`: quotes were added, changed or removed.
 * - `grace_over`: the time ended during which the taker sees no quotes.
 * - `rfq_expired`, `rfq_cancelled`: the RFQ ended.
 * - `instrument_closed`: a leg or the hedge can no longer be traded.
 * - `replaced`: a newer trigger on the same side.
 * - `not_enough_funds`: the taker lacked margin for the fill.
 * - `rfq_filled`: the RFQ was filled on the other side.
 */
export const rfqReasons = [
  'user_request',
  'quotes',
  'grace_over',
  'rfq_expired',
  'rfq_cancelled',
  'instrument_closed',
  'replaced',
  'not_enough_funds',
  'rfq_filled',
] as const

/** Changes of a quote: `replaced` is an edit. */
export const rfqQuoteChanges = ['added', 'replaced', 'filled', 'cancelled', 'expired'] as const

/** Why a quote changed (5.5). */
export const rfqQuoteReasons = [
  'user_request',
  'rfq_filled',
  'rfq_cancelled',
  'rfq_expired',
  'quote_expired',
  'mmp_trigger',
  'not_enough_funds',
  'mmp_config_curtailment',
] as const

/** How a quote may be filled: in part, or only as a whole. */
export const executionInstructions = ['any_part_of', 'all_or_none'] as const
