/**
 * Sessions, gateways and engines: over which connection a request comes, and who matches an order.
 *
 * Source: sessions-blocks-gateways.md 2.6, 8.1, 8.2, 8.4, 8.10; coverage R12, R21, R60, R77.
 */
/** Stands for no connection, as of requests over HTTP. */
export const NO_SESSION = 0

/**
 * Kinds of connections.
 * - `web_socket`: JSON-RPC over a WebSocket. A request that names a session nobody opened opens one.
 * - `direct_access`: the binary order entry of one portfolio on one gateway.
 * - `rest_gateway`: the REST interface of a gateway, for one portfolio.
 */
export const sessionKinds = ['web_socket', 'direct_access', 'rest_gateway'] as const
export type SessionKind = (typeof sessionKinds)[number]

/**
 * How a session ends.
 * - `logout`: its client said so.
 * - `disconnect`: the connection broke.
 * - `inactivity`: nothing came over it for too long.
 * - `heartbeat_failure`: its client did not answer.
 * - `displaced`: the same portfolio logged on to the same gateway again.
 * - `rate_limit`: the venue closed it (R15).
 */
export const sessionEnds = [
  'logout',
  'disconnect',
  'inactivity',
  'heartbeat_failure',
  'displaced',
  'rate_limit',
] as const
export type SessionEnd = (typeof sessionEnds)[number]

/** Who placed an order: JSON-RPC, direct access, or the venue itself. */
export type OrderOrigin = 'json_rpc' | 'direct_access' | 'system'

/** The two matching engines of the venue. */
export const matchingEngines = ['main', 'alt'] as const
export type MatchingEngine = (typeof matchingEngines)[number]

/** Pairs of gateways: all books of one underlying are on one of them (8.1). */
export const gatewayPairs = ['BTC', 'ETH', 'TIER_2', 'TIER_3', 'RWA'] as const
export type GatewayPair = (typeof gatewayPairs)[number]

/** A gateway: one of a pair. */
export type GatewayId = `${GatewayPair}_${'A' | 'B'}`

/** All gateways. */
export const gatewayIds: readonly GatewayId[] = gatewayPairs.flatMap(
  (pair) => [`${pair}_A`, `${pair}_B`] as const,
)

/** The pair that a gateway is one of. */
export function pairOfGateway(gateway: GatewayId): GatewayPair {
  // An id is its pair, `_` and a letter.
  return gateway.slice(0, -2) as GatewayPair
}

/** Versions of the binary schema that are accepted, and that of a session that names none (8.4). */
export const schemaVersions = { least: 9, most: 19, unnamed: 11 } as const
