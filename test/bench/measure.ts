/**
 * Measuring on a noisy machine: contenders take turns in one process, and medians count.
 *
 * Longer work is measured by the CPU time of the main thread, which leaves out other programs and the compiler's own
 * threads. `/proc` gives that time to a few milliseconds; on systems without it, and for short work, the wall clock
 * counts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { GCProfiler, getHeapStatistics } from 'node:v8'

const schedule = `/proc/self/task/${process.pid}/schedstat`
/** Below this the clock of the thread is too coarse. */
const SHORT_SECONDS = 0.2

/** Something to time; `prepare` runs before the clock starts. */
export interface Contender<State> {
  readonly name: string
  prepare(): State
  run(state: State): void
  /** Checks the outcome, after the clock. */
  check(state: State): void
}

/** The median of some figures. */
export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted[sorted.length >> 1]
  if (middle === undefined) throw new RangeError('a median is of something')
  return middle
}

/** The figure at a share of the sorted ones. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Seconds of this thread that a piece of work takes. */
export function secondsOf(work: () => void): number {
  const cpu = threadSeconds()
  const from = performance.now()
  work()
  const wall = (performance.now() - from) / 1000
  return cpu === null || wall < SHORT_SECONDS ? wall : (threadSeconds() ?? Number.NaN) - cpu
}

/** Cost of work that this process did once. */
export interface Spent {
  /** Seconds of the main thread, measured like in `secondsOf`. */
  readonly seconds: number
  /** Bytes of heap that the work allocated, live and dead; memory of array buffers is outside of the heap. */
  readonly allocated: number
  /** Peak memory of the whole process so far, in MB. */
  readonly peak: number
}

/**
 * Measures work that may wait for files. V8 reports the heap before and after each collection: the allocated bytes are
 * the sum of all freed bytes plus the growth between beginning and end. Needs `--expose-gc`.
 */
export async function spentOn(work: () => Promise<void>): Promise<Spent> {
  collectGarbage()
  const profiler = new GCProfiler()
  profiler.start()
  const heap = getHeapStatistics().used_heap_size
  const [cpu, wall] = [threadSeconds(), performance.now()]
  await work()
  const now = threadSeconds()
  const seconds = cpu === null || now === null ? (performance.now() - wall) / 1000 : now - cpu
  const grown = getHeapStatistics().used_heap_size - heap
  const freed = profiler.stop().statistics.reduce((sum, { beforeGC, afterGC }) => {
    return sum + beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize
  }, 0)
  return { seconds, allocated: freed + grown, peak: process.resourceUsage().maxRSS / 1024 }
}

/** CPU time of the main thread since it began, or null if the system does not report it. */
function threadSeconds(): number | null {
  return existsSync(schedule) ? Number(readFileSync(schedule, 'latin1').split(' ')[0]) / 1e9 : null
}

/** Bytes in use after collecting garbage: heap and array buffers. Needs `--expose-gc`. */
export function bytesInUse(): number {
  for (let each = 0; each < 3; each += 1) collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Collects garbage, so that no contender pays for what another left. */
export function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new RangeError('run with --expose-gc, as npm run bench does')
  globalThis.gc()
}

/**
 * Runs contenders in turn for `rounds` rounds, after one round to warm up; the order rotates. Returns the seconds of
 * each, by round.
 */
export function rotate(contenders: readonly Contender<unknown>[], rounds: number): readonly (readonly number[])[] {
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
