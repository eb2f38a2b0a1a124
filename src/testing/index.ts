/**
 * `pitclock/testing`: generators of requests and the laws that always hold, for property tests. Pure: it runs wherever
 * fast-check does.
 */
export { default as fc } from 'fast-check'
export type { EventSink, InstrumentSpec } from '../model/index.ts'
export type { Desk } from '../rpc/index.ts'
export { type ContinuedOrder, type ContinuedRun, EventLaws } from './event-laws.ts'
export { assertLaws } from './laws.ts'
export { type GeneratedRequest, orderRequest, type RequestSpace, type SpecialKind } from './order-requests.ts'
