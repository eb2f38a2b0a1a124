/**
 * The face of `rpc`: requests in the venue's words, commands and events below, replies back.
 */
export { ChannelHub, channelList, isRaw, type Subscriber } from './channels/index.ts'
export {
  createDesk,
  type Desk,
  type DeskOptions,
  restoreDesk,
  snapshotDesk,
  submit,
} from './desk/index.ts'
export { traitsOf, turnoverBasis, type UserTrade } from './history/index.ts'
export {
  findGatewayMethod,
  findMethod,
  type Method,
  type MethodName,
  type MethodParams,
  type MethodResult,
  methodNames,
  nameProblem,
  type QueuePart,
  queuePartOf,
  strangeNames,
  unknownNames,
  viewContext,
  withoutSecrets,
  writtenParams,
} from './methods/index.ts'
export {
  type Answered,
  type Asked,
  type Asker,
  type AskOptions,
  type Held,
  type MethodReply,
  openVenue,
  type RequestId,
  Venue,
  type VenueOptions,
} from './venue/index.ts'
export {
  amountOut,
  balanceOut,
  blockIdOut,
  envelope,
  errorOf,
  eventOut,
  instrumentIdOut,
  moneyOut,
  orderIdOut,
  orderOut,
  type ParamValue,
  placesOf,
  priceOut,
  type RequestParams,
  type ServedReply,
  secondariesNow,
  statusOf,
  timeOut,
  userTradeOut,
  VENUE_VERSION,
  type VenueError,
  type VenueReply,
  type VenueRequest,
  type WireOrder,
  type WireUserTrade,
} from './wire/index.ts'
