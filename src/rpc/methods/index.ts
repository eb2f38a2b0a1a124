/**
 * The methods that a venue serves, one declaration each, and what they read and answer.
 */
export { findGatewayMethod, methodOver } from './account/gateway/gateway-methods.ts'
export { positionOut, type WirePosition } from './account/holdings/position-out.ts'
export { summaryOut } from './account/holdings/summary.ts'
export type { WireAccountSummary } from './account/holdings/summary-types.ts'
export { blockRequestOut, type WireBlockRequest } from './blocks/approval.ts'
export { versionOf } from './direct/order-replies.ts'
export { directError } from './direct/refusals.ts'
export { type AskedDirectly, messageTakers } from './direct/session-messages.ts'
export { announcementOut, type WireAnnouncement } from './market/announcements.ts'
export { interestValue } from './market/funding-rates.ts'
export { barNow, chartWidth, type WireBar } from './market/prices/chart.ts'
export { optionOut } from './market/prices/option-fields.ts'
export { volatilityOut } from './market/prices/volatility.ts'
export { tickerOut } from './market/ticker.ts'
export {
  type CommandBody,
  type DeskWork,
  type Method,
  type Quoted,
  type ReplyContext,
  unreadQuery,
  viewContext,
} from './method.ts'
export { nameProblem, optionProblem, strangeNames, unknownNames } from './parameter-names.ts'
export { envelopeFault, readEnvelope, readParams } from './parameter-shape.ts'
export { paramFault } from './params.ts'
export { type QueuePart, queuePartOf } from './queue-parts.ts'
export { chargeOf } from './rate-charges.ts'
export { isRfqOf } from './rfqs/queries.ts'
export { withoutSecrets } from './secrets.ts'
export {
  findMethod,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  writtenParams,
} from './table.ts'
export { orderReport, tradeReport } from './trading/order-reports.ts'
