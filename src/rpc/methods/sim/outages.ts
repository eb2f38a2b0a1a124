/**
 * Outages of the venue: sim/set_maintenance, sim/set_public_methods, sim/set_index_outage. Outages of gateways are in
 * `switches.ts`.
 */
import { z } from '../../../core/index.ts'
import { defineMethod } from '../method.ts'
import { indexName } from '../params.ts'

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
  read: (_context, params) => ({
    body: { kind: 'set_gateway_switch', switch: { type: 'maintenance' }, on: params.active },
    fault: null,
  }),
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
  read: (_context, params) => ({
    body: {
      kind: 'set_gateway_switch',
      switch: { type: 'public_methods' },
      on: params.allow_unauthenticated,
    },
    fault: null,
  }),
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
  read: (_context, { index_name: index, active: on }) => ({
    body: { kind: 'set_gateway_switch', switch: { type: 'index_outage', index }, on },
    fault: null,
  }),
  reply: () => 'ok',
})

/** Controls by their names; a part of the table. */
export const outageControls = {
  'sim/set_maintenance': setMaintenance,
  'sim/set_public_methods': setPublicMethods,
  'sim/set_index_outage': setIndexOutage,
} as const
