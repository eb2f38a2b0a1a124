/**
 * The end of a test run: every test that did not run, by name, then the plain line
 * `N passed, N failed, N skipped`. PITCLOCK_TEST_COUNTS names a file for the three numbers, which
 * continuous integration adds up.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const recorded = readdirSync(join(import.meta.dirname, 'recorded')).filter((name) => name.endsWith('.test.ts'))

/** False if only some files or a special mode were requested, which skip tests by design. */
const isWhole = !process.argv.some((word) => word.startsWith('test/') || word === 'skips')

/** Prints the tests that did not run, and the closing line. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed += 1
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'pending') continue
        counts[state] += 1
        if (state === 'skipped') {
          console.log(`not run: ${module.relativeModuleId}: ${test.fullName}`)
        }
      }
    }
    if (isWhole && process.env['PITCLOCK_RECORDED'] === undefined) {
      for (const name of recorded) {
        counts.skipped += 1
        console.log(`not run: test/recorded/${name}: needs recorded feeds in PITCLOCK_RECORDED`)
      }
    }
    const { passed, failed, skipped } = counts
    const file = process.env['PITCLOCK_TEST_COUNTS']
    if (file !== undefined) writeFileSync(file, `${passed} ${failed} ${skipped}\n`)
    const seed = process.env['PITCLOCK_COMMIT']
    if (seed !== '0') console.log(`samples of long checks: PITCLOCK_COMMIT=${seed} draws the same`)
    console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}
