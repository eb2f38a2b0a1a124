/**
 * public/subscribe, public/unsubscribe, public/unsubscribe_all and the private methods of these names: notifications
 * over the connection of the request.
 *
 * Source: sessions document 3.1; coverage S285.
 */
import { z } from '../../../core/index.ts'
import type { Method } from '../method.ts'
import { servedMethod } from './served.ts'

const CHANNELS_MAX = 500
const LABEL_MAX = 16

const channels = z.array(z.string()).max(CHANNELS_MAX).describe('channels, such as `book.BTC-PERPETUAL.100ms`')

const channelParams = z.object({ channels })
const labelled = z.object({
  channels,
  label: z.string().max(LABEL_MAX).optional().describe('label that notifications of private channels repeat'),
})
const none = z.object({})

type Channels = readonly string[]

/** Subscribes to channels; the result lists the accepted channels. */
const publicSubscribe = servedMethod<Channels>('socket')('public', channelParams)

/** Subscribes to channels, including those of the requesting account. */
const privateSubscribe = servedMethod<Channels>('socket')('any', labelled)

/** Ends subscriptions; the result lists the channels that were subscribed. */
const publicUnsubscribe = servedMethod<Channels>('socket')('public', channelParams)

/** Ends subscriptions, including those to channels of the requesting account. */
const privateUnsubscribe = servedMethod<Channels>('socket')('any', channelParams)

/** Ends all subscriptions of the connection. */
const publicUnsubscribeAll: Method<typeof none, 'ok'> = servedMethod<'ok'>('socket')('public', none)

/** Ends all subscriptions of the connection. */
const privateUnsubscribeAll: Method<typeof none, 'ok'> = servedMethod<'ok'>('socket')('any', none)

/** Methods by their names; a part of the table. */
export const subscriptionMethods = {
  'public/subscribe': publicSubscribe,
  'public/unsubscribe': publicUnsubscribe,
  'public/unsubscribe_all': publicUnsubscribeAll,
  'private/subscribe': privateSubscribe,
  'private/unsubscribe': privateUnsubscribe,
  'private/unsubscribe_all': privateUnsubscribeAll,
} as const
