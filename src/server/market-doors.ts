/**
 * The endpoints of one market, with its keys and its access control. A server has endpoints for its market and for each
 * of its forks.
 */
import type { OpenFork } from './connection-service.ts'
import { Gate } from './gate.ts'
import { GatewayDoor } from './gateway-door.ts'
import { HttpDoor } from './http-door.ts'
import { type KeyOptions, KeyRing } from './key-ring.ts'
import type { LiveMarket } from './live-market.ts'
import { SocketDoor } from './socket-door.ts'
import type { Watch } from './watch.ts'

/** Options of the endpoints of a server's markets. */
interface DoorTerms extends KeyOptions {
  /** True if parameters that a method does not have are refused. */
  readonly strict: boolean
}

/** The endpoints of an open market. */
export interface MarketDoors {
  readonly market: LiveMarket
  readonly watch: Watch
  readonly door: HttpDoor
  readonly gateways: GatewayDoor
  readonly sockets: SocketDoor
  /** The keys that its clients may use. */
  readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[]
}

/** The parts of the market that the servers use. */
interface DoorParts {
  readonly terms: DoorTerms
  readonly watch: Watch
  readonly fork: OpenFork
}

/** Opens the endpoints of a market. */
export function openDoors(market: LiveMarket, of: DoorParts): MarketDoors {
  const { terms, watch, fork } = of
  const keys = new KeyRing(market, terms)
  const gate = new Gate({ market, keys, watch, fork, seals: terms.seals, strict: terms.strict })
  const parts = { market, gate, watch }
  return {
    market,
    watch,
    door: new HttpDoor(parts),
    gateways: new GatewayDoor(parts),
    sockets: new SocketDoor(parts),
    keys: keys.declared,
  }
}
