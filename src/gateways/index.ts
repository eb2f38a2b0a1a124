/**
 * Direct access: its messages as a table, its methods, and with those of `rpc` all methods of the venue.
 */
export type { FieldUnit, MessageField } from './fields.ts'
export type { LoggedOut, LogonResponse } from './logon.ts'
export type { MassCancelResponse } from './mass-cancel.ts'
export type { DirectQuoteSide, MassQuoteResponse } from './mass-quote.ts'
export { type GatewayMessage, gatewayMessages, type MessageName } from './messages.ts'
export {
  findMethod,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  nameProblem,
  unknownNames,
  venueMethods,
} from './method-table.ts'
export type { MmpStatus } from './mmp-status.ts'
export type {
  AmendOrderResponse,
  CancelOrderResponse,
  NewOrderResponse,
} from './order-replies.ts'
export { restoreDesk } from './restore-desk.ts'
export type { GapFillMessage, HeartbeatMessage } from './session-requests.ts'
