/**
 * The clock of a server: how virtual time goes on while clients are connected. It is the only place where a server
 * looks at the clock of the machine for what the exchange sees.
 *
 * - `wall`: a second is a second.
 * - `scaled`: a second is some seconds.
 * - `stepped`: time stands until `sim/advance` moves it.
 */
import { divNearest, type Micros, micros } from '../core/index.ts'

/** How virtual time goes on. */
export type ClockMode =
  | { readonly kind: 'wall' }
  | { readonly kind: 'scaled'; readonly rate: number }
  | { readonly kind: 'stepped' }

/** The most that virtual time runs ahead of the machine. */
const RATE_MAX = 100_000
/** The clocks that there are, in words. */
export const clockWords = `wall, stepped or scaled:RATE with a rate up to ${RATE_MAX}`

const MICROS_PER_MILLI = 1000

/** A clock that begins where it is set. */
export class ServerClock {
  readonly mode: ClockMode
  readonly #elapsed: () => number
  #from: Micros
  #since: number

  /** `elapsed` counts milliseconds of the machine, never back. */
  constructor(mode: ClockMode, start: Micros, elapsed: () => number = () => performance.now()) {
    this.mode = mode
    this.#elapsed = elapsed
    this.#from = start
    this.#since = elapsed()
  }

  /** Virtual microseconds in a millisecond of the machine; 0 where time stands. */
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

  /** Puts the clock to a time, from which it goes on. */
  set(time: Micros): void {
    this.#from = time
    this.#since = this.#elapsed()
  }

  /** How many milliseconds of the machine it is to a virtual time; infinite where time stands. */
  millisUntil(time: number): number {
    if (this.#rate === 0) return Number.POSITIVE_INFINITY
    return Math.max(0, divNearest(time - this.now(), this.#rate))
  }
}

/** Reads `wall`, `stepped` and `scaled:60`; undefined for anything else. */
export function readClockMode(text: string): ClockMode | undefined {
  if (text === 'wall') return { kind: 'wall' }
  if (text === 'stepped') return { kind: 'stepped' }
  const rate = /^scaled:(\d+(?:\.\d+)?)$/.exec(text)?.[1]
  if (rate === undefined || Number(rate) <= 0 || Number(rate) > RATE_MAX) return undefined
  return { kind: 'scaled', rate: Number(rate) }
}
