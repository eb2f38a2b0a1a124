/**
 * Compiles the sources, the helpers and checks of the tests, and the readers of types (`.ci/schemas`) to native modules
 * of Node. The test runner turns each call between modules into a look-up, which makes the naive exchanges of the
 * properties take half as long again, and the checks of `tidy` twice as long. So everything is compiled once before the
 * tests, which takes a second, and the runner loads the compiled files.
 *
 * Coverage needs the runner's modules, and so does `vitest related`, which follows imports from the tests to the sources:
 * with either of them nothing is compiled.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { planting } from './support/planted-edit.ts'

const repository = join(import.meta.dirname, '..')
/**
 * Each run of the tests has a separate folder. It is not below `node_modules`, because that may be a link to the
 * packages of another checkout, and the tests would then use the sources and scenarios of that checkout.
 */
const compiled = join(repository, `dist-test/modules-${process.pid}`)
const folders = ['src', 'test/support', 'test/lint', '.ci/schemas'].map((name) => join(repository, name))

const { exports: entryPoints } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly exports: Readonly<Record<string, { readonly default?: string }>>
}

/**
 * The package by its own names, which strategies import; longer names first, because a name matches every import that
 * begins with it.
 */
export const faces = Object.fromEntries(
  Object.entries(entryPoints)
    .flatMap(([path, { default: built }]) => {
      if (built === undefined) return []
      const source = built.replace('./dist/', '').replace(/\.js$/, '.ts')
      return [[`pitclock${path.slice(1)}`, join(repository, source)] as const]
    })
    .reverse(),
)

/** The mode that skips every revaluation that no threshold needs. It finds code that reads a value too late. */
const skipsAll = process.argv.includes('skips')

/** Skips revaluations even with few holdings (`engine/value/skipped-revaluations.ts`). */
const skips = planting({
  file: 'src/engine/state/exchange.ts',
  part: 'const SKIP_FROM = 16',
  by: 'const SKIP_FROM = -1',
})

/** Compiles each module to a separate file. */
async function compile(): Promise<void> {
  const input = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  )
  const build = await rolldown({
    ...{ input, platform: 'node', treeshake: false },
    external: (id) => !/^(?:[./]|pitclock)/.test(id),
    resolve: { alias: faces },
    plugins: skipsAll ? [skips] : [],
  })
  await build.write({
    ...{ dir: compiled, format: 'esm', sourcemap: 'inline' },
    ...{ preserveModules: true, preserveModulesRoot: repository },
  })
  await build.close()
}

/** Runs before all tests: compiles, and again whenever a file changes while `vitest` watches. */
export async function setup(project: TestProject): Promise<void> {
  if (needsSources) return
  await compile()
  project.onTestsRerun(compile)
}

/** Runs after all tests. */
export function teardown(): void {
  rmSync(compiled, { recursive: true, force: true })
}

const needsSources = process.argv.some((argument) => argument.startsWith('--coverage') || argument === 'related')

/** Redirects the test runner from a source to its compiled file. */
export const nativeModules = {
  name: 'native-modules',
  enforce: 'pre' as const,
  resolveId(id: string, importer: string | undefined): string | null {
    if (needsSources || importer === undefined || !/^[./].*(?<!\.test)\.ts$/.test(id)) return null
    // This file runs before anything is compiled.
    if (importer.endsWith('/test/native-modules.ts')) return null
    const path = resolve(dirname(importer), id)
    if (!folders.some((folder) => path.startsWith(`${folder}/`))) return null
    return join(compiled, path.slice(repository.length).replace(/\.ts$/, '.js'))
  },
}
