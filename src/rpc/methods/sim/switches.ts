/**
 * Switches of the venue's staff: sim/set_gateway_active, set_message_enabled, set_algo_cancel_only. Outages of the
 * venue: sim/set_maintenance, sim/set_public_methods, sim/set_index_outage.
 *
 * Source: sessions document 8.14; S299-S301.
 */

import { z } from '../../../core/index.ts'
import { type DirectMessage, directMessages, gatewayIds, type SetGatewaySwitch } from '../../../model/index.ts'
import { defineMethod, type ReadRequest, unreadable, validRequest } from '../method.ts'
import { indexName, paramFault } from '../params.ts'

const active = z.boolean().describe('true starts it, false ends it')

/**
 * Starts or ends the maintenance of the venue. During maintenance, requests that change anything are rejected with
 * 11051.
 */
const setMaintenance = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_gateway_switch',
  params: z.object({ active }),
  read: (_context, params) => switching({ type: 'maintenance' }, params.active),
  reply: () => 'ok',
})

/**
 * Opens or closes public methods to requests without a token. While they are closed, such requests are rejected with
 * 13009, except `hello`, `test`, `status`, `get_time` and the methods of tokens, subscriptions and heartbeats.
 */
const setPublicMethods = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_gateway_switch',
  params: z.object({
    allow_unauthenticated: z.boolean().describe('true to answer requests without a token'),
  }),
  read: (_context, params) => switching({ type: 'public_methods' }, params.allow_unauthenticated),
  reply: () => 'ok',
})

/**
 * Starts or ends an outage of an index: the index keeps its value, and after three minutes its instruments are locked.
 */
const setIndexOutage = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_gateway_switch',
  params: z.object({ index_name: indexName, active }),
  read: (_context, params) => switching({ type: 'index_outage', index: params.index_name }, params.active),
  reply: () => 'ok',
})

/** Controls by their names; a part of the table. */
export const outageControls = {
  'sim/set_maintenance': setMaintenance,
  'sim/set_public_methods': setPublicMethods,
  'sim/set_index_outage': setIndexOutage,
} as const

// The keys of the table are message names, which the type of `Object.keys` does not say.
const messageNames = Object.keys(directMessages) as DirectMessage[]

/** Activates or deactivates a gateway; an inactive gateway rejects every direct access request. */
const setGatewayActive = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_gateway_switch',
  params: z.object({
    gateway: z.enum(gatewayIds).describe('a gateway, such as ETH_A'),
    active: z.boolean().describe('true if the gateway accepts requests'),
  }),
  read: (_context, { gateway, active }) => switching({ type: 'gateway', gateway }, active),
  reply: () => 'ok',
})

/** Enables or disables a direct access message, by its name or number. */
const setMessageEnabled = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_gateway_switch',
  params: z.object({
    message: z.union([z.enum(messageNames), z.int()]).describe('name or number of the message type'),
    enabled: z.boolean().describe('true if the switch is on'),
  }),
  read: (_context, params) => {
    const named = messageNames.find((name) => name === params.message || directMessages[name] === params.message)
    if (named !== undefined) return switching({ type: 'message', message: named }, params.enabled)
    const fault = paramFault('message', 'unknown_value')
    return { body: unreadable('set_gateway_switch'), fault }
  },
  reply: () => 'ok',
})

/** While it is on, direct access orders with hidden size are rejected. */
const setAlgoCancelOnly = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'set_gateway_switch',
  params: z.object({ enabled: z.boolean().describe('true if the switch is on') }),
  read: (_context, { enabled }) => switching({ type: 'algo_cancel_only' }, enabled),
  reply: () => 'ok',
})

function switching(which: SetGatewaySwitch['switch'], on: boolean): ReadRequest {
  return validRequest({ kind: 'set_gateway_switch', switch: which, on })
}

/** Controls by their names; a part of the table. */
export const switchControls = {
  'sim/set_gateway_active': setGatewayActive,
  'sim/set_message_enabled': setMessageEnabled,
  'sim/set_algo_cancel_only': setAlgoCancelOnly,
} as const
