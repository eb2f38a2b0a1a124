/**
 * How the tests run, in four projects. `pure` tests touch no machine. `machine` tests start processes and servers.
 * Both share the modules of their workers, which halves the time of a run. `alone` tests load strategy modules or count
 * work, each file in a new worker. `recorded` tests need the feeds in PITCLOCK_RECORDED and exist only where it is set.
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
  ...['test/{cli,lint,report,server}/**/*.test.ts', 'test/{guides,tidy}.test.ts'],
  'scenarios/testing/*.test.ts',
]
const alone = [
  'test/golden/{backtests,cut-feeds,recorded-market}.test.ts',
  // A count of work needs modules that no other test has compiled.
  'test/property/work-of-commands.test.ts',
  'test/unit/host/**/*.test.ts',
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
    'test/property/{channel-inputs,faults,looking,metrics,planted-mistakes,restored-queries}.test.ts',
    'test/property/{plain-orders,planted-mistakes,series,skipped-revaluations,state-tables}.test.ts',
    'test/property/{straight-records,tardis-feed}.test.ts',
    'test/unit/{backtest/loop-snapshot,results/{arrow,formats,sink,metrics/attribution}}.test.ts',
  ],
}
const machineByMode: Readonly<Record<string, Readonly<Record<'machine' | 'alone', readonly string[]>>>> = {
  check: { machine: ['test/tidy.test.ts'], alone: [] },
  skips: { machine: [], alone: [] },
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
  const here = machineByMode[mode] ?? { machine, alone }
  return {
    ...shared,
    test: {
      globalSetup: 'test/native-modules.ts',
      // Two more than cores, because tests that wait for a server, a browser or a child process use none. The fast gate
      // has no such tests, and each further worker loads all modules again.
      maxWorkers: availableParallelism() + (mode === 'check' ? 0 : 2),
      reporters: ['default', new ClosingLine()],
      sequence: { sequencer: SlowFirst },
      coverage: { provider: 'v8', include: ['src/**/*.ts', 'cli/**/*.ts'] },
      projects: [
        ...(['alone', 'machine'] as const).flatMap((name) => {
          const include = [...here[name]]
          const isolate = name === 'alone'
          return include.length === 0 ? [] : [{ ...shared, test: { ...usual, env, name, include, isolate } }]
        }),
        {
          ...shared,
          test: {
            ...usual,
            env,
            name: 'pure',
            include: [...(pureByMode[mode] ?? ['test/**/*.test.ts'])],
            exclude: [...machine, ...alone, recorded, ...(excludedByMode[mode] ?? [])],
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
