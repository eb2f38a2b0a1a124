/**
 * A client of the server: a WebSocket with its number, or one request over HTTP.
 */
import type { RequestParams } from '../rpc/index.ts'
import type { Grant } from './access/index.ts'
import type { Silence } from './silence.ts'
import type { Door } from './watch.ts'

/** The address of the other end of a connection; one of IPv4 is told as such. */
export function remoteAddressOf(socket: { readonly remoteAddress?: string | undefined }): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
}

/** A request as a door has read it. */
export interface Asked {
  readonly method: string
  readonly params: RequestParams
  /** True for the query of an address, whose parameters are all texts. */
  readonly isQuery?: boolean
}

/** Who asks, and where answers go. */
export interface Client {
  readonly door: Door
  /** Number of its connection, as requests have it; 0 over HTTP. */
  readonly session: number
  /** The address that it comes from. */
  readonly address: string
  /** The newest token that it was given or showed; null for none. */
  grant: Grant | null
  /** The token of the simulator's controls; null for none. */
  control: Grant | null
  /** Its heartbeats; null where it asked for none. */
  heartbeat: Heartbeat | null
  /** Counts how long nothing came over its connection; null over HTTP. */
  readonly silence: Silence | null
  /** True if the exchange was asked to open its session. */
  isOpened: boolean
  /** Sends a text; over HTTP nothing is sent but the reply. */
  send(text: string): void
  /** A reply of it never comes. */
  lose(): void
  /** Closes the connection. */
  close(reason: string): void
}

/** Heartbeats of a connection. */
export interface Heartbeat {
  /** In milliseconds. */
  readonly every: number
  readonly timer: NodeJS.Timeout
  /** True if `public/test` came since the last one. */
  isAnswered: boolean
}
