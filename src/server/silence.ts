/**
 * The silence of a client, by the clock of the machine. Every frame ends it, also a ping. Clocks of the market do not
 * count here, because a client cannot send anything during a step of virtual time.
 *
 * Source: sessions document 2.6, 8.4; coverage R13, S277.
 */
import { divFloor, type Micros } from '../core/index.ts'
import { inactivityMicros } from '../model/index.ts'

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
