/**
 * Sessions and gateways: the connections over which requests arrive.
 *
 * Source: sessions-blocks-gateways.md 2.6, 8.1, 8.2, 8.4, 8.10; coverage R12, R21, R60, R77.
 */
import { type Micros, micros } from '../../core/index.ts'
import { type GatewayPair, gatewayPairs } from '../words/instruments.ts'

/** Means no connection, as for requests over HTTP. */
export const NO_SESSION = 0

/** A gateway: one of a gateway pair. */
export type GatewayId = `${GatewayPair}_${'A' | 'B'}`

/** All gateways. */
export const gatewayIds: readonly GatewayId[] = gatewayPairs.flatMap((pair) => [`${pair}_A`, `${pair}_B`] as const)

/** The gateway pair of a gateway. */
export function gatewayPairOf(gateway: GatewayId): GatewayPair {
  // An id is the name of its gateway pair, `_` and a letter.
  return gateway.slice(0, -2) as GatewayPair
}

/** A WebSocket ends after this time without a request from its client: 10 minutes (2.6). */
export const inactivityMicros: Micros = micros(600_000_000)

/**
 * A session of direct access with heartbeats ends after this time without a message from its client: 5 seconds (8.4).
 */
export const heartbeatMicros: Micros = micros(5_000_000)

/** Accepted versions of the binary schema, and the version of a session that names none (8.4). */
export const schemaVersions = { least: 9, most: 19, unnamed: 11 } as const

/**
 * The first versions of the schema with some features that are neither a message nor a complete field (8.5, 8.10,
 * 8.13).
 */
export const schemaSince = {
  /** The flag of an order and of a mass quote that ends a freeze. */
  resetMmp: 11,
  /** Cancel-on-disconnect of all orders of a session. */
  cancelOnDisconnect: 13,
  /** OrdersCanceled for a cancel over another session (S331). */
  foreignCancels: 17,
} as const
