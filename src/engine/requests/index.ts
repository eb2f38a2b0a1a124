/**
 * Commands: one file for each family, checked first and then committed.
 */
export { endWait, walletTypeOf } from './address-book.ts'
export { expireApproval } from './block-approvals.ts'
export { checkBlockSides } from './block-checks.ts'
export { comboOf } from './block-execution.ts'
export * from './block-trades.ts'
export { matches, thawQuotes } from './cancel.ts'
export { openHouse } from './controls.ts'
export * from './direct-messages.ts'
export { commitEdit } from './edit.ts'
export { type Handlers, type Sealed, seal } from './handler.ts'
export * from './handlers.ts'
export { depositAddressOf, expirePayment } from './payments.ts'
export * from './rate-limits.ts'
export { endGrace } from './rfq-execution.ts'
export { checkInactivity, foreignSessionRefusal, noteRequest } from './sessions.ts'
