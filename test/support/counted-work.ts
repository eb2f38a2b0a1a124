/**
 * Counts the work that something does: how often blocks of the code under `src` are run, as V8 counts them for
 * coverage. Nothing in the product counts, and the same work gives the same number on any machine.
 *
 * V8 counts blocks of functions that are compiled after it began, so a test imports what it measures after
 * `countWork` was called.
 */
import { type Profiler, Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'

/** Counts work from now on. */
export interface WorkCounter {
  /** How many blocks were run while something was done. */
  during(act: () => void): number
  /** The blocks that ran most while something was done, as `file function: count`, for a test that fails. */
  most(act: () => void, lines: number): readonly string[]
}

/** Begins to count. */
export function countWork(): WorkCounter {
  // Optimised code inlines functions and counts no more.
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
