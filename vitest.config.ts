/**
 * How the tests run. A json report is written as well when PITCLOCK_TEST_REPORT names a file,
 * so that continuous integration counts results without reading coloured text.
 */

import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const reportFile = process.env['PITCLOCK_TEST_REPORT']

export default defineConfig({
  // Strategies import the package by its name.
  resolve: {
    alias: [{ find: /^pitclock$/, replacement: join(import.meta.dirname, 'src/index.ts') }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/bench/**', 'node_modules/**'],
    pool: 'forks',
    // The default leaves one core free, which of two is half.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 300_000,
    hookTimeout: 60_000,
    reporters: reportFile ? ['default', ['json', { outputFile: reportFile }]] : ['default'],
    coverage: { provider: 'v8', include: ['src/**/*.ts', 'cli/**/*.ts'] },
  },
})
