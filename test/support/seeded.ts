/**
 * Gives seed and number of runs to every property that names none of its own, so that a run of the tests of one commit is
 * the same everywhere.
 * PITCLOCK_SEED is another seed, or `random` for a new one, which a failure prints.
 */
import fc from 'fast-check'
import { askedRuns, askedSeed } from './property-runs.ts'

fc.configureGlobal({ ...askedSeed(20_260_105), numRuns: askedRuns(100) })
