/**
 * Notifications: channels that connections subscribe to.
 */
export type { BookChange, WireBookMessage, WireGroupedBook } from './book-channels.ts'
export { channelHint, channelKind, channelList, isRaw } from './channel-names.ts'
export { ChannelHub, type Send, type Subscriber } from './hub.ts'
export type { WirePlatformState } from './platform-channel.ts'
export type {
  WireEstimatedPrice,
  WireIndex,
  WireOptionMark,
  WirePerpetual,
  WireQuote,
} from './price-channels.ts'
export type { WireInstrumentState } from './trade-channels.ts'
export type { WireChanges, WireMmpTrigger } from './user-channels.ts'
