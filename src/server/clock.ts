/**
 * The clock of a server, which moves virtual time while clients are connected. Only here does the time of the machine
 * determine what the exchange sees.
 *
 * - `wall`: a second is a second.
 * - `scaled`: a second is several seconds.
 * - `stepped`: time stops until `sim/advance` moves it.
 */
import { divNearest, type Micros, micros } from '../core/index.ts'

/** How virtual time passes. */
export type ClockMode =
  | { readonly kind: 'wall' }
  | { readonly kind: 'scaled'; readonly rate: number }
  | { readonly kind: 'stepped' }

/** The largest factor of virtual time. */
const RATE_MAX = 100_000
/** The accepted clock modes, as text. */
export const clockWords = `wall, stepped or scaled:RATE with a rate up to ${RATE_MAX}`

const MICROS_PER_MILLI = 1000

/** A clock that runs from the time it was set to. */
export class ServerClock {
  readonly mode: ClockMode
  readonly #elapsed: () => number
  #from: Micros
  #since: number

  /** `elapsed` returns milliseconds of the machine and never goes back. */
  constructor(mode: ClockMode, start: Micros, elapsed: () => number = () => performance.now()) {
    this.mode = mode
    this.#elapsed = elapsed
    this.#from = start
    this.#since = elapsed()
  }

  /** Virtual microseconds per millisecond of the machine; 0 if time is stopped. */
  get #rate(): number {
    const { mode } = this
    if (mode.kind === 'stepped') return 0
    return mode.kind === 'wall' ? MICROS_PER_MILLI : MICROS_PER_MILLI * mode.rate
  }

  /** The virtual time. */
  now(): Micros {
    const passed = Math.floor((this.#elapsed() - this.#since) * this.#rate)
    return micros(this.#from + Math.max(0, passed))
  }

  /** Sets the clock to a time, from which it continues. */
  set(time: Micros): void {
    this.#from = time
    this.#since = this.#elapsed()
  }

  /** Milliseconds of the machine until a virtual time; infinite if time is stopped. */
  millisUntil(time: number): number {
    if (this.#rate === 0) return Number.POSITIVE_INFINITY
    return Math.max(0, divNearest(time - this.now(), this.#rate))
  }
}

/** Reads `wall`, `stepped` and `scaled:60`; undefined for any other text. */
export function readClockMode(text: string): ClockMode | undefined {
  if (text === 'wall') return { kind: 'wall' }
  if (text === 'stepped') return { kind: 'stepped' }
  const rate = /^scaled:(\d+(?:\.\d+)?)$/.exec(text)?.[1]
  if (rate === undefined || Number(rate) <= 0 || Number(rate) > RATE_MAX) return undefined
  return { kind: 'scaled', rate: Number(rate) }
}
