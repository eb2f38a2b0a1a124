/**
 * The types of results of direct access, as a second index file: programs import them from `pitclock/wire`, which
 * exports all of them without naming them.
 */
export type * from './logon.ts'
export type * from './mass-cancel.ts'
export type * from './mass-quote.ts'
export type * from './mmp-status.ts'
export type { AmendOrderResponse, CancelOrderResponse, NewOrderResponse } from './order-replies.ts'
export type { GapFillMessage, HeartbeatMessage } from './session-requests.ts'
