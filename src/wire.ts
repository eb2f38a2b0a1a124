/**
 * `pitclock/wire`: requests and replies in the words of the venue, and the types of all results.
 */

export type { Micros, Result, SectionFault, Sequence } from './core/index.ts'
export type { Exchange } from './engine/index.ts'
export type { FaultCount, FaultRule } from './faults/index.ts'
export {
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  venueMethods,
} from './gateways/index.ts'
export type * from './gateways/results.ts'
export type { Currency, Event, EventSink, ExchangeConfig, Reason } from './model/index.ts'
export {
  createDesk,
  type Desk,
  type DeskOptions,
  envelope,
  eventOut,
  holdingMethods,
  type MethodSet,
  marketMethods,
  methodSet,
  type OtherMethods,
  openingControls,
  orderMethods,
  orderQueries,
  type RestoreOptions,
  restoreDesk,
  snapshotDesk,
  submit,
  type VenueError,
  type VenueReply,
  type VenueRequest,
} from './rpc/index.ts'
export type * from './rpc/results.ts'
