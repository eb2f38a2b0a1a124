/**
 * Gives seed and number of runs to every property that names none of its own, so that a run of the tests of one commit is
 * the same everywhere.
 * PITCLOCK_SEED is another seed, or `random` for a new one, which a failure prints.
 *
 * Long lists that are equal for Node are equal for the runner, whose own comparison takes several times as long.
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
