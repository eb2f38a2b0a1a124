/**
 * Notifications: channels that connections subscribe to.
 */
export { channelHint, channelKind, channelList, isRaw } from './channel-names.ts'
export * from './subscriptions.ts'
