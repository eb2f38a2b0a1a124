/**
 * A client of the server: a WebSocket with its number, or one request over HTTP.
 */
import type { RequestParams } from '../rpc/index.ts'
import type { Grant } from './access/index.ts'
import type { Silence } from './silence.ts'
import type { Door } from './watch.ts'

/** The remote address of a connection. An IPv4 address in IPv6 form is returned as IPv4. */
export function remoteAddressOf(socket: { readonly remoteAddress?: string | undefined }): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
}

/** A request as its endpoint has read it. */
export interface Asked {
  readonly method: string
  readonly params: RequestParams
  /** True for the query of a URL, whose parameters are all texts. */
  readonly isQuery?: boolean
}

/** The sender of requests and receiver of answers. */
export interface Client {
  readonly door: Door
  /** Number of its connection, as in requests; 0 over HTTP. */
  readonly session: number
  /** Its remote address. */
  readonly address: string
  /** The newest token pair that it received or used; null without one. */
  grant: Grant | null
  /** The token pair of the simulator's controls; null without one. */
  control: Grant | null
  /** Its heartbeats; null if it requested none. */
  heartbeat: Heartbeat | null
  /** Measures the time since the last frame of its connection; null over HTTP. */
  readonly silence: Silence | null
  /** True if the server has requested the opening of its session. */
  isOpened: boolean
  /** Sends a text; over HTTP only the reply is sent. */
  send(text: string): void
  /** Called if a reply to the client is lost for good. */
  lose(): void
  /** Closes the connection. */
  close(reason: string): void
}

/** Heartbeats of a connection. */
export interface Heartbeat {
  /** In milliseconds. */
  readonly every: number
  readonly timer: NodeJS.Timeout
  /** True if `public/test` came since the last heartbeat. */
  isAnswered: boolean
}
