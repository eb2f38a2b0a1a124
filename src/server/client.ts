/**
 * A client of the server: a WebSocket with its number, or one request over HTTP.
 */

import { divFloor, type Micros } from '../core/index.ts'
import { inactivityMicros } from '../model/index.ts'
import type { RequestParams } from '../rpc/index.ts'
import type { Grant } from './access/index.ts'
import type { Door } from './monitor.ts'

/** The remote address of a connection. An IPv4 address in IPv6 form is returned as IPv4. */
export function remoteAddressOf(remoteAddress?: string | undefined): string {
  return (remoteAddress ?? '').replace(/^::ffff:/, '')
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
interface Heartbeat {
  /** In milliseconds. */
  readonly every: number
  readonly timer: NodeJS.Timeout
  /** True if `public/test` came since the last heartbeat. */
  isAnswered: boolean
}

/**
 * The silence of a client, by the clock of the machine. Every frame ends it, also a ping. Clocks of the market do not
 * count here, because a client cannot send anything during a step of virtual time.
 *
 * Source: sessions document 2.6, 8.4; coverage R13, S277.
 */

const MICROS_PER_MILLI = 1000

/** Measures the silence of a client. */
export class Silence {
  readonly #onEnd: () => void
  #most = 0
  #heardAt = 0
  #timer: NodeJS.Timeout | undefined

  /** `onEnd` is called when the client was silent for too long: ten minutes, unless `allow` sets another limit. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.allow(inactivityMicros)
  }

  /** Notes that a frame came. */
  heard(): void {
    this.#heardAt = performance.now()
  }

  /** Sets the longest allowed silence, and begins to measure again. */
  allow(most: Micros): void {
    this.#most = divFloor(most, MICROS_PER_MILLI)
    this.heard()
    this.#wait(this.#most)
  }

  /** Stops measuring. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  /** A frame only updates its time, because a timer for each frame would cost more than another check. */
  #wait(millis: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const left = this.#heardAt + this.#most - performance.now()
      if (left > 0) this.#wait(left)
      else this.#onEnd()
    }, Math.ceil(millis))
  }
}
