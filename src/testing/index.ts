/**
 * `pitclock/testing`: generators of requests and the laws that always hold, for property tests. Pure: it runs wherever
 * fast-check does.
 */
export {
  /** The copy of fast-check that the kit uses, for the tests of programs. */
  default as fc,
} from 'fast-check'
export type { Micros } from '../core/index.ts'
export type { MethodName } from '../gateways/index.ts'
export type { Event, EventSink, InstrumentSpec } from '../model/index.ts'
export {
  type Answered,
  type FailedRun,
  type RecordedRequest,
  type RunError,
  type ScenarioExpectation,
  scenarioText,
  type Venue,
  type VenueOptions,
} from '../program/index.ts'
export type { Desk } from '../rpc/index.ts'
export {
  type FeedFaultKind,
  type FeedSpace,
  faultRule,
  type GeneratedFault,
  type GeneratedScenario,
  malformedRequest,
  marketScenario,
  type PathSpace,
  pricePath,
  type ScenarioSpace,
  type TrafficFamily,
  type TrafficSpace,
  tradeFeed,
  traffic,
  trafficFamilies,
  trafficMarket,
} from './arbitraries.ts'
export { type ContinuedOrder, type ContinuedRun, EventLaws } from './event-laws.ts'
export { assertLaws } from './laws.ts'
export {
  type ClientReply,
  type ClientRequest,
  createModel,
  type ModelClient,
  type ModelCommand,
  type ModelRun,
  type ModelSpace,
  type ModelState,
  modelCommands,
  modelMarket,
  venueClient,
} from './model/model-commands.ts'
export { type ModelContract, type ModelOrder, type ModelPlacement, ReferenceModel } from './model/reference-model.ts'
export { type GeneratedRequest, orderRequest, type RequestSpace, type SpecialKind } from './order-requests.ts'
export { type AnyRequest, type RecordedVenue, recordVenue } from './recorded-venue.ts'
