/**
 * Counts how often code under `src` runs, in blocks, as V8 counts them for coverage. The product needs no counters for
 * this, and the same work gives the same number on every machine.
 *
 * V8 counts only functions that it compiles after counting began, so a test calls `countWork` before it imports the
 * code that it measures.
 */
import { type Profiler, Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'

/** Counts blocks from its creation on. */
export interface WorkCounter {
  /** The number of blocks that ran during `act`. */
  during(act: () => void): number
  /** The blocks that ran most often during `act`, as `file function: count`. A failing test prints them. */
  most(act: () => void, lines: number): readonly string[]
}

/** Starts counting. */
export function countWork(): WorkCounter {
  // V8 inlines functions when it optimises code, and then no longer counts them.
  setFlagsFromString('--no-opt')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const take = (): readonly Profiler.ScriptCoverage[] => {
    let found: readonly Profiler.ScriptCoverage[] = []
    session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error
      found = result.filter(({ url }) => url.includes('/src/'))
    })
    return found
  }
  const counted = (act: () => void): readonly Profiler.ScriptCoverage[] => {
    take()
    act()
    return take()
  }
  return {
    during: (act) => {
      let blocks = 0
      for (const { functions } of counted(act)) {
        for (const { ranges } of functions) for (const { count } of ranges) blocks += count
      }
      return blocks
    },
    most: (act, lines) =>
      counted(act)
        .flatMap(({ url, functions }) =>
          functions.map(({ functionName, ranges }) => {
            const count = ranges.reduce((sum, range) => sum + range.count, 0)
            return { count, text: `${url.replace(/^.*\/src\//, '')} ${functionName}: ${count}` }
          }),
        )
        .sort((left, right) => right.count - left.count)
        .slice(0, lines)
        .map(({ text }) => text),
  }
}
