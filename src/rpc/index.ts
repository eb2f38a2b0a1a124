/**
 * The face of `rpc`: requests in the venue's words, commands and events below, replies back.
 */
export { createDesk, type Desk, type DeskOptions, submit } from './desk/desk.ts'
export { traitsOf, type UserTrade } from './history/index.ts'
export {
  findMethod,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  writtenParams,
} from './methods/index.ts'
export { type QueuePart, queuePartOf } from './methods/queue-parts.ts'
export { nameProblem, unknownNames } from './parameter-names.ts'
export {
  envelope,
  type ParamValue,
  type RequestParams,
  type VenueError,
  type VenueReply,
  type VenueRequest,
} from './request.ts'
export { withoutSecrets } from './secrets.ts'
export { restoreDesk, snapshotDesk } from './snapshot.ts'
export type {
  Answered,
  Asked,
  Asker,
  AskOptions,
  Held,
  MethodReply,
  RequestId,
} from './venue/asking.ts'
export { openVenue, Venue, type VenueOptions } from './venue/venue.ts'
export { eventOut } from './wire/events.ts'
export { amountOut, moneyOut, priceOut } from './wire/numbers.ts'
export { orderOut, secondariesNow, type WireOrder } from './wire/orders.ts'
export { placesOf, userTradeOut, type WireUserTrade } from './wire/trades.ts'
