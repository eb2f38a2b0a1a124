/**
 * Commands: one file for each family, checked first and then committed.
 */
export { endWait, walletTypeOf } from './address-book.ts'
export { expireApproval } from './block-approvals.ts'
export { checkBlockSides } from './block-checks.ts'
export { comboOf } from './block-execution.ts'
export {
  blockTermsSignature,
  executedWith,
  expireSignature,
  type NamedWith,
  pendingWith,
} from './block-trades.ts'
export { matches } from './cancel.ts'
export { openHouse } from './controls.ts'
export { depositAddressOf } from './deposits.ts'
export { messageRefusal } from './direct-messages.ts'
export { type Handlers, type Sealed, seal } from './handler.ts'
export { handlers } from './handlers.ts'
export { expirePayment } from './payment-moves.ts'
export { thawQuotes } from './quote-freeze.ts'
export { payRequest } from './rate-limits.ts'
export { endGrace } from './rfq-execution.ts'
export { checkInactivity, noteRequest, strayRequest } from './sessions.ts'
