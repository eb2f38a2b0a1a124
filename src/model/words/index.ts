/** The words of the venue by subject: states, reasons, kinds and the tables that hold them. */

export * from './accounts.ts'
export * from './blocks-and-rfqs.ts'
export * from './currencies.ts'
export { type DirectNames, type Reason, type ReasonOf, type ReasonTable, reasonIn } from './direct-names.ts'
export * from './feeds.ts'
export * from './instruments.ts'
export * from './liquidations.ts'
export * from './orders.ts'
export {
  type AccountLock,
  accountLocks,
  type BumpChange,
  type ConversionReason,
  type DirectMessage,
  directMessages,
  disconnectScopes,
  type MmpChange,
  type MmpTrigger,
  mmpTriggers,
  protectionChanges,
  protectionKinds,
  protectionReasons,
  type SessionEnd,
  type SessionKind,
  type StandingKind,
  sessionKinds,
} from './protections.ts'
export * from './refusals.ts'
export * from './trades.ts'
export * from './wallet.ts'
