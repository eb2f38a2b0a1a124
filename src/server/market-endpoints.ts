/**
 * The endpoints of one market, with its keys and its access control. A server has endpoints for its market and for each
 * of its forks.
 */

import { Authorizer } from './authorizer.ts'
import type { OpenFork } from './connection-service.ts'
import { GatewayEndpoint } from './gateway-endpoint.ts'
import { HttpEndpoint } from './http-endpoint.ts'
import { type KeyOptions, KeyRing } from './key-ring.ts'
import type { LiveMarket } from './live-market.ts'
import type { ServerMonitor } from './monitor.ts'
import { WebSocketEndpoint } from './web-socket-endpoint.ts'

/** Options of the endpoints of a server's markets. */
interface EndpointTerms extends KeyOptions {
  /** True if parameters that a method does not have are refused. */
  readonly strict: boolean
}

/** The endpoints of an open market. */
export interface MarketEndpoints {
  readonly market: LiveMarket
  readonly monitor: ServerMonitor
  readonly http: HttpEndpoint
  readonly gateways: GatewayEndpoint
  readonly sockets: WebSocketEndpoint
  /** The keys that its clients may use. */
  readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[]
}

/** Opens the endpoints of a market. */
export function openEndpoints(
  market: LiveMarket,
  terms: EndpointTerms,
  monitor: ServerMonitor,
  fork: OpenFork,
): MarketEndpoints {
  const keys = new KeyRing(market, terms)
  const authorizer = new Authorizer({ market, keys, monitor, fork, seals: terms.seals, strict: terms.strict })
  const parts = { market, authorizer, monitor }
  return {
    market,
    monitor,
    http: new HttpEndpoint(parts),
    gateways: new GatewayEndpoint(parts),
    sockets: new WebSocketEndpoint(parts),
    keys: keys.declared,
  }
}
