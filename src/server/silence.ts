/**
 * The silence of a client, by the clock of the machine: any frame ends it, a ping too. A step of virtual time takes a
 * client no time, so that no clock of the market counts here.
 *
 * Source: sessions document 2.6, 8.4; coverage R13, S277.
 */
import { divFloor, type Micros } from '../core/index.ts'
import { inactivityMicros } from '../model/index.ts'

const MICROS_PER_MILLI = 1000

/** Counts the silence of a client. */
export class Silence {
  readonly #onEnd: () => void
  #most = 0
  #heardAt = 0
  #timer: NodeJS.Timeout | undefined

  /** `onEnd` is called once the client was silent for too long: ten minutes, unless `allow` says less. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.allow(inactivityMicros)
  }

  /** A frame came. */
  heard(): void {
    this.#heardAt = performance.now()
  }

  /** From now on the client may be silent for so long. */
  allow(most: Micros): void {
    this.#most = divFloor(most, MICROS_PER_MILLI)
    this.heard()
    this.#wait(this.#most)
  }

  /** Stops counting. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  /** A frame only notes its time, because a timer for each would cost more than to look again. */
  #wait(millis: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const left = this.#heardAt + this.#most - performance.now()
      if (left > 0) this.#wait(left)
      else this.#onEnd()
    }, Math.ceil(millis))
  }
}
