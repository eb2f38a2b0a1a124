/**
 * Gives a seed and a number of runs to every property without its own, so that the test run of one commit is the same
 * everywhere. PITCLOCK_SEED is another seed, or `random` for a new one, which a failure prints.
 *
 * If two long lists are equal for Node, they are equal for the runner, whose own comparison takes several times as
 * long.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect } from 'vitest'
import { askedRuns, askedSeed } from './property-runs.ts'

fc.configureGlobal({ ...askedSeed(20_260_105), numRuns: askedRuns(100) })

expect.addEqualityTesters([
  (found, expected) => {
    const isLong = Array.isArray(found) && Array.isArray(expected) && expected.length > 16
    return isLong && isDeepStrictEqual(found, expected) ? true : undefined
  },
])
