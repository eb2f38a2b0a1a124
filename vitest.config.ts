/**
 * How the tests run, in three projects. `pure` tests touch no machine and share their workers' modules,
 * which halves the time of a run; `machine` tests start processes, write files or load strategy modules,
 * each file in a worker of its own; `recorded` tests need the feeds in PITCLOCK_RECORDED and exist
 * only where it is set.
 *
 * `--mode check` is the fast gate: tidiness, unit and conformance tests, properties with few runs. `--mode whole` runs in
 * full the long checks of which `npm test` runs a sample that changes with the commit (`test/support/property-runs.ts`).
 * `--mode skips` runs the tests of marks and margins with exchanges that skip every revaluation that no threshold needs.
 */

import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { ClosingLine } from './test/closing-line.ts'
import { faces, nativeModules } from './test/native-modules.ts'

const machine = [
  'test/cli/**/*.test.ts',
  'test/golden/{backtests,cut-feeds,recorded-market}.test.ts',
  // What counts work needs modules that nobody compiled before.
  'test/property/work-of-commands.test.ts',
  'test/lint/**/*.test.ts',
  'test/report/**/*.test.ts',
  'test/server/**/*.test.ts',
  'test/unit/host/**/*.test.ts',
  'test/{guides,tidy}.test.ts',
]
const recorded = 'test/recorded/**/*.test.ts'

const shared = {
  plugins: [nativeModules],
  resolve: { alias: faces },
}
const envByMode: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  check: { PITCLOCK_SHORT: '1' },
  whole: { PITCLOCK_WHOLE: '1' },
}
const pureByMode: Readonly<Record<string, readonly string[]>> = {
  check: ['test/{unit,conformance,property}/**/*.test.ts'],
  skips: [
    'test/{conformance,simulation}/**/*.test.ts',
    'test/golden/{scenarios,main-face}.test.ts',
    'test/property/{agreement,expiries,funding,margin-laws,settlement,skipped-revaluations}.test.ts',
    'test/property/{account-margins,metrics,restored-queries,snapshot,snapshot-settlement}.test.ts',
  ],
}
/** Each takes long however few its runs. */
const excludedByMode: Readonly<Record<string, readonly string[]>> = {
  check: [
    'test/property/{advanced-orders,agreement,agreement-again,book-events,feed-reader}.test.ts',
    'test/property/{protections,replay,running-cash,settlement,shrunk-scenario}.test.ts',
    'test/property/{snapshot,snapshot-settlement,state-hash}.test.ts',
    'test/property/{faults,looking,metrics,restored-queries,straight-records,tardis-feed}.test.ts',
    'test/unit/{backtest/loop-snapshot,results/{arrow,sink,metrics/attribution}}.test.ts',
  ],
}
const machineByMode: Readonly<Record<string, readonly string[]>> = {
  check: ['test/tidy.test.ts'],
  skips: [],
}

const usual = {
  pool: 'forks' as const,
  setupFiles: ['test/support/seeded.ts'],
  // What was built is run as it is.
  server: { deps: { external: [/\/dist(?:-test)?\//] } },
  testTimeout: 300_000,
  hookTimeout: 60_000,
}

/** A number of the commit, which seeds the samples of long checks; 0 where git does not know the commit. */
function commitSeed(): number {
  try {
    const options = { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' } as const
    return Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], options).slice(0, 7), 16)
  } catch {
    return 0
  }
}

/** Folders whose files take long; they start first, so that no worker is left with one at the end. */
const slow = /test\/(?:simulation|property|golden|cli|recorded)\//

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

export default defineConfig(({ mode }) => {
  const commit = mode === 'whole' ? '0' : (process.env['PITCLOCK_COMMIT'] ?? `${commitSeed()}`)
  process.env['PITCLOCK_COMMIT'] = commit
  const env = { ...envByMode[mode], PITCLOCK_COMMIT: commit }
  const machineHere = [...(machineByMode[mode] ?? machine)]
  return {
    ...shared,
    test: {
      globalSetup: 'test/native-modules.ts',
      // The default leaves one core free, which of two is half.
      maxWorkers: Math.max(2, availableParallelism() - 1),
      reporters: ['default', new ClosingLine()],
      sequence: { sequencer: SlowFirst },
      coverage: { provider: 'v8', include: ['src/**/*.ts', 'cli/**/*.ts'] },
      projects: [
        ...(machineHere.length === 0
          ? []
          : [{ ...shared, test: { ...usual, env, name: 'machine', include: machineHere } }]),
        {
          ...shared,
          test: {
            ...usual,
            env,
            name: 'pure',
            include: [...(pureByMode[mode] ?? ['test/**/*.test.ts'])],
            exclude: [...machine, recorded, ...(excludedByMode[mode] ?? [])],
            isolate: false,
          },
        },
        ...(process.env['PITCLOCK_RECORDED'] === undefined
          ? []
          : [{ ...shared, test: { ...usual, env, name: 'recorded', include: [recorded] } }]),
      ],
    },
  }
})
