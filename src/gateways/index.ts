/**
 * Direct access: its messages as a table, its methods, and with those of `rpc` all methods of the venue.
 */
export type { MessageField } from './fields.ts'
export { type GatewayMessage, gatewayMessages } from './messages.ts'
export {
  findMethod,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  unknownNames,
  venueMethods,
} from './method-table.ts'
