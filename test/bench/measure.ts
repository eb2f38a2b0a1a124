/**
 * Measuring on a noisy machine: what is compared takes turns in one process, and medians count.
 */

/** Something to time; what happens before the clock starts is in `prepare`. */
export interface Contender<State> {
  readonly name: string
  prepare(): State
  run(state: State): void
  /** Checks the outcome, after the clock. */
  check(state: State): void
}

/** The middle of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted[sorted.length >> 1]
  if (middle === undefined) throw new RangeError('a median is of something')
  return middle
}

/** The figure below which a share of them lies. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Seconds that a piece of work takes. */
export function secondsOf(work: () => void): number {
  const from = performance.now()
  work()
  return (performance.now() - from) / 1000
}

/** Bytes in use after collecting garbage: heap and array buffers. Needs `--expose-gc`. */
export function bytesInUse(): number {
  for (let each = 0; each < 3; each += 1) collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Collects garbage, so that no contender pays for what another left. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined)
    throw new RangeError('run with --expose-gc, as npm run bench does')
  globalThis.gc()
}

/**
 * Runs contenders in turn, `rounds` times and once more to warm up; the order rotates. Returns the
 * seconds of each, by round.
 */
export function rotate(
  contenders: readonly Contender<unknown>[],
  rounds: number,
): readonly (readonly number[])[] {
  const seconds = contenders.map((): number[] => [])
  for (let round = 0; round <= rounds; round += 1) {
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const at = (round + turn) % contenders.length
      const contender = contenders[at]
      if (contender === undefined) throw new RangeError('every turn has a contender')
      const state = contender.prepare()
      collectGarbage()
      const taken = secondsOf(() => contender.run(state))
      contender.check(state)
      if (round > 0) seconds[at]?.push(taken)
    }
  }
  return seconds
}
