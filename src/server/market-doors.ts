/**
 * The ways into one market: its keys, its gate and its doors. A server has those of its market, and of each that was
 * forked from it.
 */
import { allAccounts, keysOfAccount } from '../engine/index.ts'
import type { Seals } from './access/index.ts'
import type { OpenFork } from './connection-service.ts'
import { Gate } from './gate.ts'
import { GatewayDoor } from './gateway-door.ts'
import { HttpDoor } from './http-door.ts'
import { type KeyOptions, KeyRing, SIM_KEY, secretOf } from './key-ring.ts'
import type { LiveMarket } from './live-market.ts'
import { SocketDoor } from './socket-door.ts'
import type { Watch } from './watch.ts'

/** How the doors of a server's markets are opened. */
export interface DoorTerms extends KeyOptions {
  /** True if parameters that a method does not have are refused. */
  readonly strict: boolean
  /** Seals of secrets that decide what the exchange does. */
  readonly seals: Seals
}

/** The doors of a market that is open. */
export interface MarketDoors {
  readonly market: LiveMarket
  readonly watch: Watch
  readonly door: HttpDoor
  readonly gateways: GatewayDoor
  readonly sockets: SocketDoor
  /** The keys that its clients may use. */
  readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[]
}

/** Opens the doors of a market. */
export function openDoors(
  market: LiveMarket,
  of: {
    readonly terms: DoorTerms
    readonly watch: Watch
    readonly fork: OpenFork
  },
): MarketDoors {
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
    keys: keysOf(market, terms),
  }
}

/** The keys that a server shows. */
function keysOf(market: LiveMarket, { sim, simSecret }: KeyOptions): MarketDoors['keys'] {
  const shown = allAccounts(market.desk.exchange)
    .filter(({ house }) => !house)
    .flatMap(({ id, name }) => [
      name,
      ...keysOfAccount(market.desk.exchange, id).map((key) => `${name}/${key.name}`),
    ])
    .map((id) => ({ client_id: id, client_secret: secretOf(id) }))
  if (sim) shown.push({ client_id: SIM_KEY, client_secret: simSecret })
  return shown
}
