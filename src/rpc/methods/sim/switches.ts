/**
 * Switches of the venue's staff: sim/set_gateway_active, set_message_enabled, set_algo_cancel_only.
 *
 * Source: sessions document 8.14; S299-S301.
 */
import { z } from '../../../core/index.ts'
import { type DirectMessage, directMessages, gatewayIds, type SetGatewaySwitch } from '../../../model/index.ts'
import { defineMethod, type ReadRequest, unreadable } from '../method.ts'
import { paramFault } from '../params.ts'

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
  return { body: { kind: 'set_gateway_switch', switch: which, on }, fault: null }
}

/** Controls by their names; a part of the table. */
export const switchControls = {
  'sim/set_gateway_active': setGatewayActive,
  'sim/set_message_enabled': setMessageEnabled,
  'sim/set_algo_cancel_only': setAlgoCancelOnly,
} as const
