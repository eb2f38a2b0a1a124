/**
 * The section of faults of a scenario file: of messages between the exchange and strategies or clients, and of the
 * market itself.
 */
import { z } from '../../../core/index.ts'
import { faultFields, faultKinds } from '../../../faults/index.ts'
import { gatewayIds } from '../../../model/index.ts'

/**
 * Faults of the market. Each is a control request at its beginning and one at its end.
 * - `maintenance`: requests that change anything are refused.
 * - `index_outage`: an index publishes nothing.
 * - `gateway_outage`: a gateway of direct access takes no requests.
 * - `clock_jump`: the clock goes forward at once.
 */
const marketFaultKinds = ['maintenance', 'index_outage', 'gateway_outage', 'clock_jump'] as const

/** A fault of the market. */
export type MarketFaultKind = (typeof marketFaultKinds)[number]

const moment = z
  .string()
  .min(1)
  .meta({
    description: 'A duration after `start`, or an ISO 8601 time with an offset.',
    examples: ['30s', '2026-01-05T08:00:00Z'],
  })

/** One fault. */
export const faultFormat = z
  .strictObject({
    kind: z.enum([...faultKinds, ...marketFaultKinds]).meta({ description: 'Kind of fault.', examples: ['drop'] }),
    ...faultFields,
    index: z
      .string()
      .optional()
      .meta({ description: 'The index that stops publishing.', examples: ['btc_usd'] }),
    gateway: z
      .enum(gatewayIds)
      .optional()
      .meta({ description: 'The gateway that accepts no requests.', examples: ['ETH_A'] }),
    from: moment.optional(),
    until: moment.optional(),
  })
  .meta({ description: 'A fault on demand; if several match a message, the first applies.' })

/** A fault with a valid shape. */
export type FaultShape = z.output<typeof faultFormat>

/** True for a fault of the market itself. */
export function isMarketFault(kind: FaultShape['kind']): kind is MarketFaultKind {
  return marketFaultKinds.some((known) => known === kind)
}
