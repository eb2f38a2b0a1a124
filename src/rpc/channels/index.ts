/**
 * Notifications: channels that connections subscribe to.
 */
export { channelHint, channelKind, channelList, isRaw } from './channel-names.ts'
export { ChannelHub, type Subscriber } from './hub.ts'
