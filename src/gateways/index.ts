/**
 * Direct access: its messages as a table.
 */
export type { FieldUnit, MessageField } from './fields.ts'
export {
  type GatewayMessage,
  gatewayMessages,
  type MessageName,
} from './messages.ts'
