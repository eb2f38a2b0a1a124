/**
 * Direct access: its messages as a table, its methods, and with those of `rpc` all methods of the venue.
 */
export type { MessageField } from './fields.ts'
export { type GatewayMessage, gatewayMessages } from './messages.ts'
export * from './method-table.ts'
