/**
 * Outages of the venue: sim/set_maintenance, sim/set_index_outage. Those of gateways are in `switches.ts`.
 */
import * as z from 'zod'
import { type CommandBody, defineMethod } from '../method.ts'
import { indexName } from '../params.ts'

/** A switch with nothing in it, for requests that cannot be read. */
const unreadOutage: CommandBody & { readonly kind: 'set_gateway_switch' } = {
  kind: 'set_gateway_switch',
  switch: { type: 'maintenance' },
  on: false,
}

const active = z.boolean().describe('whether it begins, or ends')

/** Begins or ends the maintenance of the venue: meanwhile requests that change anything are refused with 11051. */
export const setMaintenance = defineMethod({
  scope: 'sim',
  unread: unreadOutage,
  params: z.object({ active }),
  read: (_context, params) => ({
    body: { kind: 'set_gateway_switch', switch: { type: 'maintenance' }, on: params.active },
    fault: null,
  }),
  reply: () => 'ok',
})

/** Begins or ends the outage of an index: it keeps its value, and after three minutes trading on it is locked. */
export const setIndexOutage = defineMethod({
  scope: 'sim',
  unread: unreadOutage,
  params: z.object({ index_name: indexName, active }),
  read: (_context, { index_name: index, active: on }) => ({
    body: { kind: 'set_gateway_switch', switch: { type: 'index_outage', index }, on },
    fault: null,
  }),
  reply: () => 'ok',
})
